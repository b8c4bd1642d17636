package main

import (
	"slices"
	"strconv"
	"strings"

	"dlcheck/checker"
	"dlcheck/checker/matrix"
	"dlcheck/model"
)

// noAnswer says whether a cell is incomplete for another reason than that its
// search was cut short.
func noAnswer(r *matrix.Row, c *matrix.Cell) bool {
	return c.Result == checker.Incomplete && r.Stopped == ""
}

// cellMark is a cell in a narrow table; matrixMarks explains it.
func cellMark(r *matrix.Row, c *matrix.Cell) string {
	switch {
	case c.Result == checker.Violated || c.BeyondAt > 0:
		mark := strconv.Itoa(c.Steps)
		if !c.Shortest {
			mark = "<=" + mark
		}
		if c.BeyondAt > 0 {
			mark += "*"
		}
		if c.ReportOnly {
			mark = "(" + mark + ")"
		}
		return mark
	case c.Result == checker.Holds:
		return "."
	case c.Result == checker.HoldsToBound:
		return "~"
	case noAnswer(r, c):
		return "-"
	}
	return "?"
}

// matrixMarks explains those marks that the matrix has. The exact meaning of
// a cell stands here.
func matrixMarks(m *matrix.Matrix) (legend [][2]string) {
	bound := "the ticks of the scope"
	for _, s := range m.Scope {
		if s.Field == "ticks" {
			bound = s.Value + " ticks"
		}
	}
	all := []struct {
		has      func(mark string) bool
		mark, is string
	}{
		{func(s string) bool { return s == "." }, ".", "no schedule of that world breaks it, at any horizon"},
		{func(s string) bool { return s == "~" }, "~", "no schedule of at most " + bound + " breaks it"},
		{func(s string) bool { return s[0] >= '0' && s[0] <= '9' }, "7", "violated; the shortest schedule that breaks it has 7 steps, ticks of the clock among them"},
		{func(s string) bool { return strings.Contains(s, "*") }, "7*", "no schedule of at most " + bound + " breaks it, and one of 7 steps with more ticks does"},
		{func(s string) bool { return strings.Contains(s, "<=") }, "<=7", "there may be a shorter schedule"},
		{func(s string) bool { return s[0] == '(' }, "(7)", "it can happen; it is reported, and never a failure"},
		{func(s string) bool { return s == "-" }, "-", "the world has no answer: progress is about every horizon, and this world cannot be explored without its clock"},
		{func(s string) bool { return s == "?" }, "?", "incomplete: the search was cut short"},
	}
	for _, a := range all {
		if slices.ContainsFunc(m.Rows, func(r matrix.Row) bool {
			return r.Cure.State == matrix.Unknown && a.mark == "?" || slices.ContainsFunc(r.Cells, func(c matrix.Cell) bool { return a.has(cellMark(&r, &c)) })
		}) {
			legend = append(legend, [2]string{a.mark, a.is})
		}
	}
	if slices.ContainsFunc(m.Rows, func(r matrix.Row) bool { return r.AsNoFault }) {
		legend = append(legend, [2]string{sameMark, sameWords(m)})
	}
	return legend
}

// sameMark stands before a row that is as that without faults.
const sameMark = "="

// sameWords says so, and what shows the difference.
func sameWords(m *matrix.Matrix) string {
	words := `before a row: all of it is as in the row "no fault"`
	if !slices.Contains(m.Scope, model.Setting{Field: "pauses", Value: "0"}) {
		words += ", where there are pauses; --pauses 0 shows what a fault does by itself"
	}
	return words
}

// rowMark is what stands before a row.
func rowMark(r *matrix.Row) string {
	if r.AsNoFault {
		return sameMark
	}
	return " "
}

// propertyCodes are the initials of the properties, where the names are too many
// for the heads of columns.
func propertyCodes(m *matrix.Matrix) (codes []string) {
	for _, p := range m.Properties {
		code := p.Name
		if len(m.Properties) > 3 {
			code = initials(p.Name)
		}
		codes = append(codes, code)
	}
	return codes
}

func initials(name string) (code string) {
	for _, word := range strings.Split(name, "-") {
		code += strings.ToUpper(word[:1])
	}
	return code
}

// codeOf gives the code of a property by its name.
func codeOf(m *matrix.Matrix) func(string) string {
	codes := propertyCodes(m)
	return func(name string) string { return codes[slices.Index(propertiesOf(m), name)] }
}
