package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"

	"dlcheck/checker/matrix"
)

// cellWords is a cell where there is room.
func cellWords(r *matrix.Row, c *matrix.Cell) string {
	if noAnswer(r, c) {
		return "no answer"
	}
	words := verdictText(&c.Verdict)
	if beyond := beyondText(&c.Verdict); beyond != "" {
		words += ", " + beyond
	}
	if c.Steps > 0 {
		most := ""
		if !c.Shortest {
			most = "at most "
		}
		words += fmt.Sprintf(", %s%s (%s, %s)", most, count(c.Steps, "step"), count(c.Events, "event"), count(c.Ticks, "tick"))
	}
	return words
}

// cellShort is a cell that needs no legend, and fits into a table.
func cellShort(r *matrix.Row, c *matrix.Cell) string {
	if noAnswer(r, c) {
		return "no answer"
	}
	if c.Steps == 0 {
		return verdictText(&c.Verdict)
	}
	words := count(c.Steps, "step")
	if !c.Shortest {
		words = "at most " + words
	}
	if c.BeyondAt > 0 {
		words += " past tick " + comma(c.Bound)
	}
	if c.ReportOnly {
		words = "possible, " + words
	}
	return words
}

// cureWords is the cure of a row: the flags that make it or, where no one change
// heals all, what heals a property alone.
func cureWords(r *matrix.Row, names func(string) string) string {
	switch r.Cure.State {
	case matrix.Found:
		return strings.TrimSpace(flagsOf(r.Cure.Settings()))
	case matrix.Unknown:
		return "?"
	case matrix.NotNeeded:
		return ""
	}
	var flags []string
	alone := map[string][]string{} // properties by flags
	for i := range r.Cells {
		if c := &r.Cells[i]; c.Cure.State == matrix.Found {
			f := flagsOf(c.Cure.Settings())
			if alone[f] == nil {
				flags = append(flags, f)
			}
			alone[f] = append(alone[f], names(c.Property))
		}
	}
	words := "none found"
	for _, f := range flags {
		words += "; " + strings.Join(alone[f], ", ") + ":" + f
	}
	return words
}

// matrixTitle says what was asked.
func matrixTitle(m *matrix.Matrix) string {
	n := count(len(m.Systems), "lock system") + ", " + count(len(m.Rows), "world") + ", "
	if len(m.Properties) == 1 {
		return n + "1 property"
	}
	return n + fmt.Sprintf("%d properties", len(m.Properties))
}

// matrixScope says which worlds they are, in sentences.
func matrixScope(m *matrix.Matrix) []string {
	var set []string
	for _, s := range m.Scope {
		set = append(set, strings.TrimPrefix(flagOf(s), "--"))
	}
	memory := "without a bound of memory"
	if m.MaxBytes > 0 {
		memory = "with at most " + humanize.IBytes(uint64(m.MaxBytes)) + " for its states"
	}
	return []string{
		"Each row is a world: a system, and what can befall it beside pauses, or another way to use it; in all of them " + strings.Join(set, ", ") + ". What else a system measures in ticks keeps its proportion to the ttl.",
		"Every schedule of each world was searched, " + memory + "; what holds in it is said of this world and no larger one.",
		"The cure is the smallest change, of those that the system can have, that makes all that is violated hold and breaks nothing that held, found by trying: the flags that make it.",
	}
}

// matrixSums are the last lines: what came of the rows with and without faults, and
// of the variants.
func matrixSums(m *matrix.Matrix) (lines []string) {
	var faults, variants matrixSum
	for i := range m.Rows {
		if r := &m.Rows[i]; r.Variant != nil {
			variants.add(r)
		} else {
			faults.add(r)
		}
	}
	if faults.all > 0 {
		lines = append(lines, faults.text(count(faults.all, "world")))
	}
	if variants.all > 0 {
		of := count(variants.all, "other way") + " to use "
		if len(m.Systems) == 1 {
			of += "it"
		} else {
			of += "them"
		}
		lines = append(lines, variants.text(of))
	}
	return lines
}

// matrixSum counts rows.
type matrixSum struct{ all, kept, broken, cured, open, cut, refused int }

func (n *matrixSum) add(r *matrix.Row) {
	n.all++
	switch {
	case r.Refused != "":
		n.refused++
	case r.Failed():
		n.broken++
		switch r.Cure.State {
		case matrix.Found:
			n.cured++
		case matrix.Unknown:
			n.open++
		}
	case r.Stopped != "":
		n.cut++
	default:
		n.kept++
	}
}

func (n *matrixSum) text(of string) string {
	text := fmt.Sprintf("Every promise is kept in %d of %s, some are broken in %d", n.kept, of, n.broken)
	if n.broken > 0 {
		text += fmt.Sprintf("; a cure was found for %d of those", n.cured)
	}
	if n.open > 0 {
		text += fmt.Sprintf(", and the search for one was cut short for %d", n.open)
	}
	if n.cut > 0 {
		text += fmt.Sprintf("; %d were cut short before anything was found", n.cut)
	}
	if n.refused > 0 {
		text += fmt.Sprintf("; %d cannot be", n.refused)
	}
	return text + "."
}

// matrixNotes lists what the runs of those rows warn of, each once, with the names
// of the rows it is about.
func matrixNotes(of []matrix.Row, name func(*matrix.Row) string) (all []string) {
	var sentences []string
	rows := map[string][]string{}
	for i := range of {
		r := &of[i]
		notes := r.Notes
		if r.Stopped != "" {
			notes = append(slices.Clone(notes), "the search was cut short: "+r.Stopped)
		}
		for _, n := range notes {
			if rows[n] == nil {
				sentences = append(sentences, n)
			}
			rows[n] = append(rows[n], name(r))
		}
	}
	for _, n := range sentences {
		all = append(all, strings.Join(rows[n], "; ")+": "+n+".")
	}
	return all
}
