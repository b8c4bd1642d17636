package main

import (
	"math/big"

	"dlcheck/checker"
	"dlcheck/traces"
)

type jsonFront struct {
	Points     []jsonPoint `json:"points"`
	Incomplete string      `json:"incomplete"`
}

type jsonPoint struct {
	Ticks  int           `json:"ticks"`
	Events int           `json:"events"`
	Steps  int           `json:"steps"`
	Trace  *traces.Trace `json:"trace"`
}

// Counts are strings of digits: they can be larger than what a reader of JSON
// takes for a number.
type jsonAll struct {
	Schedules  *string     `json:"schedules"` // null: not known
	Stories    *string     `json:"stories"`
	Told       []jsonStory `json:"told"`
	Incomplete string      `json:"incomplete"`
}

type jsonStory struct {
	Schedules string        `json:"schedules"`
	Trace     *traces.Trace `json:"trace"`
}

func frontJSON(f *checker.Front) *jsonFront {
	if f == nil {
		return nil
	}
	j := &jsonFront{Points: []jsonPoint{}, Incomplete: f.Incomplete}
	for _, p := range f.Points {
		j.Points = append(j.Points, jsonPoint{p.Ticks, p.Events, p.Trace.Steps(), p.Trace})
	}
	return j
}

func allJSON(a *checker.All) *jsonAll {
	if a == nil {
		return nil
	}
	j := &jsonAll{Schedules: digits(a.Schedules), Stories: digits(a.Stories), Told: []jsonStory{}, Incomplete: a.Incomplete}
	for _, s := range a.Told {
		j.Told = append(j.Told, jsonStory{s.Schedules.String(), s.Trace})
	}
	return j
}

func digits(n *big.Int) *string {
	if n == nil {
		return nil
	}
	text := n.String()
	return &text
}
