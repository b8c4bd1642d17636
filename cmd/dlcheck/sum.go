package main

import (
	"fmt"
	"strings"

	"dlcheck/checker"
)

// tally is how the promises of one store fared; what is only reported is no
// promise.
type tally struct {
	promises int
	broken   []string
	open     int // incomplete
	bounded  int // kept to the bound asked for and no further
}

func tallyOf(r *checker.Run) (t tally) {
	for i := range r.Verdicts {
		v := &r.Verdicts[i]
		if v.ReportOnly {
			continue
		}
		t.promises++
		switch {
		case v.Failed():
			name := v.Property
			if v.BeyondAt > 0 {
				name += " past tick " + comma(v.Bound)
			}
			t.broken = append(t.broken, name)
		case v.Result == checker.Incomplete:
			t.open++
		case v.Result == checker.HoldsToBound:
			t.bounded++
		}
	}
	return t
}

// sentence says it without the store.
func (t *tally) sentence(ticks int) string {
	kept := t.promises - len(t.broken) - t.open
	var parts []string
	switch {
	case t.promises == 0:
		return "no promise was asked about"
	case len(t.broken) > 0 && t.promises == 1:
		parts = append(parts, "the promise broken ("+t.broken[0]+")")
	case len(t.broken) > 0:
		parts = append(parts, fmt.Sprintf("%d of %s broken (%s)", len(t.broken), count(t.promises, "promise"), strings.Join(t.broken, ", ")))
	case t.open == 0 && t.promises == 1:
		parts = append(parts, "the promise kept")
	case t.open == 0:
		parts = append(parts, fmt.Sprintf("all %d promises kept", t.promises))
	case kept > 0:
		parts = append(parts, fmt.Sprintf("%d of %d promises kept", kept, t.promises))
	}
	if t.bounded > 0 && len(t.broken) == 0 {
		to := " to tick " + comma(ticks)
		if t.bounded < kept {
			to = fmt.Sprintf(", %d of them%s", t.bounded, to)
		}
		parts[0] += to
	}
	if t.open > 0 {
		parts = append(parts, fmt.Sprintf("no answer for %d of %d", t.open, t.promises))
	}
	return strings.Join(parts, "; ")
}

// writeSum says which stores break which promises and what the exit status
// is; stores that fare alike stand together.
func (c *command) writeSum(runs []*checker.Run) {
	var stores, sentences []string
	for _, r := range runs {
		t := tallyOf(r)
		s := t.sentence(r.Config.Ticks)
		if n := len(sentences); n > 0 && sentences[n-1] == s {
			stores[n-1] += ", " + c.colours.bold(r.Config.Store)
		} else {
			stores, sentences = append(stores, c.colours.bold(r.Config.Store)), append(sentences, s)
		}
	}
	fmt.Fprintln(c.stdout)
	for i, s := range sentences {
		wrapped(c.stdout, "", "  ", stores[i]+": "+s+".")
	}
	fmt.Fprintf(c.stdout, "Exit status %d.\n", c.status)
}
