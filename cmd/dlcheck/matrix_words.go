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
		"Each row is a world: a system, and what can befall it beside pauses; in all of them " + strings.Join(set, ", ") + ". What else a system measures in ticks keeps its proportion to the ttl.",
		"Every schedule of each world was searched, " + memory + "; what holds in it is said of this world and no larger one.",
		"The cure is the smallest change that makes all that is violated hold and breaks nothing that held, found by trying: the flags that make it.",
	}
}

// matrixSum is the last line.
func matrixSum(m *matrix.Matrix) string {
	var kept, broken, cured, open, cut, refused int
	for i := range m.Rows {
		switch r := &m.Rows[i]; {
		case r.Refused != "":
			refused++
		case r.Failed():
			broken++
			switch r.Cure.State {
			case matrix.Found:
				cured++
			case matrix.Unknown:
				open++
			}
		case r.Stopped != "":
			cut++
		default:
			kept++
		}
	}
	text := fmt.Sprintf("Every promise is kept in %d of %s, some are broken in %d", kept, count(len(m.Rows), "world"), broken)
	if broken > 0 {
		text += fmt.Sprintf("; a cure was found for %d of those", cured)
	}
	if open > 0 {
		text += fmt.Sprintf(", and the search for one was cut short for %d", open)
	}
	if cut > 0 {
		text += fmt.Sprintf("; %d were cut short before anything was found", cut)
	}
	if refused > 0 {
		text += fmt.Sprintf("; %d cannot be", refused)
	}
	return text + "."
}

// matrixNotes lists what the runs warn of, each once, with the rows it is about.
func matrixNotes(m *matrix.Matrix) (all []string) {
	var sentences []string
	rows := map[string][]string{}
	for i := range m.Rows {
		r := &m.Rows[i]
		notes := r.Notes
		if r.Stopped != "" {
			notes = append(slices.Clone(notes), "the search was cut short: "+r.Stopped)
		}
		for _, n := range notes {
			if rows[n] == nil {
				sentences = append(sentences, n)
			}
			rows[n] = append(rows[n], r.Name())
		}
	}
	for _, n := range sentences {
		all = append(all, strings.Join(rows[n], "; ")+": "+n+".")
	}
	return all
}
