package main

import "dlcheck/model"

// axisGroup is a part of the axes, as help and docs/faults.md have them.
type axisGroup int

const (
	onTheWay axisGroup = iota
	stopsAndForgets
	clocks
	keptUp
	tokens
)

// axisHeadings are the headings of the groups.
var axisHeadings = [...]string{
	onTheWay:        "Faults and other rules, all off by default: on the way to the lock and back",
	stopsAndForgets: "Faults and other rules: what stops, and what forgets",
	clocks:          "Faults and other rules: clocks, and who goes by which",
	keptUp:          "Faults and other rules: how the lock is kept, and given up",
	tokens:          "Faults and other rules: the token, and the writes that carry it",
}

var axisGroups = map[string]axisGroup{
	"lost-requests": onTheWay, "lost-replies": onTheWay, "adopt": onTheWay, "late-answers": onTheWay, "cut-offs": onTheWay,
	"crashes": stopsAndForgets, "restarts": stopsAndForgets, "restart-forgets": stopsAndForgets, "restart-delay": stopsAndForgets,
	"fence-restarts": stopsAndForgets,
	"expiry":         clocks, "deadline": clocks, "clock-jumps": clocks, "client-jumps": clocks,
	"renewal": keptUp, "release": keptUp, "lock-delay": keptUp, "queue": keptUp, "lock": keptUp,
	"token": tokens, "delayed-writes": tokens, "duplicates": tokens, "serial": tokens, "fences": tokens,
}

// axesOf are the axes of a group.
func axesOf(g axisGroup) (all []*model.Axis) {
	for _, a := range model.Axes() {
		if axisGroups[a.Name] == g {
			all = append(all, a)
		}
	}
	return all
}
