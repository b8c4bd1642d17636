package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"dlcheck/checker"
	"dlcheck/model"

	"github.com/dustin/go-humanize"
)

// writeStats prints what each search saw.
func (c *command) writeStats(runs []*checker.Run) {
	for _, r := range runs {
		if r.Saw == nil {
			continue
		}
		fmt.Fprintf(c.stdout, "\n%s\n", c.colours.bold("What the search of "+r.Config.Store+" saw"))
		w := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintf(w, "  action\tyes\tno\t\n")
		for _, a := range r.Saw.Actions {
			fmt.Fprintf(w, "  %s\t%s\t%s\t\n", a.Kind, comma(int(a.Yes)), comma(int(a.No)))
		}
		w.Flush()
		if r.States > 0 {
			wrapped(c.stdout, "  ", "    ", fmt.Sprintf("%.2f transitions out of a state; states by how many, from 0: %s", float64(r.Transitions)/float64(r.States), numbers(r.Saw.OutDegree)))
		}
		if r.Transitions == 0 {
			wrapped(c.stdout, "  ", "  ", "no step was taken")
		}
		if never := neverTaken(r); len(never) > 0 {
			wrapped(c.stdout, "  ", "  ", "never taken, of what the programs and pauses have: "+strings.Join(never, ", "))
		}
		var fields []string
		for _, f := range r.Saw.Fields {
			fields = append(fields, fmt.Sprintf("%s %d×%d", f.Name, f.Copies, f.Bits/f.Copies))
		}
		wrapped(c.stdout, "  ", "    ", "states by ticks, from 0: "+numbers(r.Saw.ByTick))
		wrapped(c.stdout, "  ", "    ", fmt.Sprintf("bits of a state, %d in all: %s", r.StateBits, strings.Join(fields, ", ")))
		if r.PeakBytes > 0 {
			wrapped(c.stdout, "  ", "    ", "memory for the states of a search, at most: "+humanize.IBytes(uint64(r.PeakBytes)))
		}
	}
}

// neverTaken lists the steps of the programs, and pauses, that no transition is, if the
// search has seen any.
func neverTaken(r *checker.Run) (never []string) {
	if r.Transitions == 0 {
		return nil
	}
	taken := map[string]bool{}
	for _, a := range r.Saw.Actions {
		taken[a.Kind] = true
	}
	want := map[string]bool{model.Tick.String(): true}
	if r.Config.Pauses > 0 {
		want[model.Pause.String()] = true
	}
	for client := range r.Config.Clients {
		for _, op := range r.Config.ProgramOf(client) {
			want[op.Kind().String()] = true
		}
	}
	for _, kind := range model.Kinds() {
		if want[kind] && !taken[kind] {
			never = append(never, kind)
		}
	}
	return never
}

// numbers are counts in a row.
func numbers(list []uint64) string {
	var words []string
	for _, n := range list {
		words = append(words, comma(int(n)))
	}
	return strings.Join(words, " ")
}

type jsonSaw struct {
	Actions      []jsonCount `json:"actions"`
	Never        []string    `json:"never_taken"`
	OutDegree    []uint64    `json:"out_degree"`
	StatesByTick []uint64    `json:"states_by_tick"`
	Fields       []jsonField `json:"fields"`
}

type jsonCount struct {
	Action string `json:"action"`
	Yes    uint64 `json:"yes"`
	No     uint64 `json:"no"`
}

type jsonField struct {
	Name   string `json:"name"`
	Copies int    `json:"copies"`
	Bits   int    `json:"bits"`
}

// sawJSON is nil where nothing was asked.
func sawJSON(r *checker.Run) *jsonSaw {
	if r.Saw == nil {
		return nil
	}
	j := &jsonSaw{Actions: []jsonCount{}, Never: append([]string{}, neverTaken(r)...), OutDegree: r.Saw.OutDegree, StatesByTick: r.Saw.ByTick, Fields: []jsonField{}}
	for _, a := range r.Saw.Actions {
		j.Actions = append(j.Actions, jsonCount{a.Kind, a.Yes, a.No})
	}
	for _, f := range r.Saw.Fields {
		j.Fields = append(j.Fields, jsonField(f))
	}
	return j
}
