package main

import (
	"fmt"
	"math/big"
	"reflect"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"dlcheck/checker"
	"dlcheck/traces"
)

// writeFronts prints the front of each violated property.
func (c *command) writeFronts(runs []*checker.Run) {
	t := figures("store", "property", "ticks", "events", "steps")
	var lacking []string
	eachVerdict(runs, func(store string, v *checker.Verdict) {
		if v.Front == nil {
			return
		}
		for i, p := range v.Front.Points {
			row := table.Row{"", "", comma(p.Ticks), comma(p.Events), comma(p.Trace.Steps())}
			if i == 0 {
				row[0], row[1] = store, v.Property
			}
			t.AppendRow(row)
		}
		if why := v.Front.Incomplete; why != "" {
			lacking = append(lacking, fmt.Sprintf("%s: %s: there may be more on the front than is told: %s.", store, v.Property, why))
		}
	})
	c.writeSection("The front: no counterexample has fewer ticks and no more events, or fewer events and no more ticks.", t, lacking)
}

// writeAll prints how many shortest counterexamples each violated property has,
// and those stories that were not told before.
func (c *command) writeAll(runs []*checker.Run) {
	t := figures("store", "property", "schedules", "stories", "told")
	var lacking []string
	eachVerdict(runs, func(store string, v *checker.Verdict) {
		switch a := v.All; {
		case a == nil:
		case a.Incomplete != "":
			lacking = append(lacking, fmt.Sprintf("%s: %s: the shortest counterexamples are not counted: %s.", store, v.Property, a.Incomplete))
		default:
			t.AppendRow(table.Row{store, v.Property, humanize.BigComma(a.Schedules), humanize.BigComma(a.Stories), comma(len(a.Told))})
		}
	})
	c.writeSection("All shortest counterexamples, up to the names of clients. A story is told by the schedules that differ only in the order of independent neighbouring actions; the first one of each property is told above.", t, lacking)

	stories := furtherStories(runs)
	for i, s := range stories {
		fmt.Fprintln(c.stdout)
		number := fmt.Sprintf("story %d of %d. ", i+1, len(stories))
		wrapped(c.stdout, c.colours.bold(number), "  ", strings.Join(s.of, "; "))
		c.writeStory(s.trace)
	}
}

// further is a story that no verdict told, and what it is a counterexample for.
type further struct {
	trace *traces.Trace
	of    []string
}

func furtherStories(runs []*checker.Run) (all []*further) {
	told := tellings(runs)
	eachVerdict(runs, func(store string, v *checker.Verdict) {
		if v.All == nil {
			return
		}
	next:
		for i, s := range v.All.Told {
			same := func(t *traces.Trace) bool { return reflect.DeepEqual(t.Events, s.Trace.Events) }
			for _, t := range told {
				if same(t.trace) {
					continue next
				}
			}
			f := find(&all, func(f *further) bool { return same(f.trace) })
			f.trace = s.Trace
			f.of = append(f.of, fmt.Sprintf("%s: %s, its %s, told by %s", store, v.Property, humanize.Ordinal(i+1), schedules(s.Schedules)))
		}
	})
	return all
}

// schedules is "1 schedule" or "2 schedules".
func schedules(n *big.Int) string {
	if n.Cmp(big.NewInt(1)) == 0 {
		return "1 schedule"
	}
	return humanize.BigComma(n) + " schedules"
}

// minimalText is what --quiet says of the front and of all shortest.
func minimalText(v *checker.Verdict) string {
	var parts []string
	if f := v.Front; f != nil {
		part := "front"
		for _, p := range f.Points {
			part += fmt.Sprintf(" (%s, %s)", count(p.Ticks, "tick"), count(p.Events, "event"))
		}
		if f.Incomplete != "" {
			part += " incomplete"
		}
		parts = append(parts, part)
	}
	switch a := v.All; {
	case a == nil:
	case a.Incomplete != "":
		parts = append(parts, "shortest not counted")
	default:
		stories := " stories"
		if a.Stories.Cmp(big.NewInt(1)) == 0 {
			stories = " story"
		}
		parts = append(parts, schedules(a.Schedules)+" in "+humanize.BigComma(a.Stories)+stories)
	}
	if parts == nil {
		return ""
	}
	return ", " + strings.Join(parts, ", ")
}

func eachVerdict(runs []*checker.Run, see func(store string, v *checker.Verdict)) {
	for _, r := range runs {
		for i := range r.Verdicts {
			see(r.Config.Store, &r.Verdicts[i])
		}
	}
}

// figures is a table whose columns from the third on are numbers.
func figures(head ...any) table.Writer {
	t := table.NewWriter()
	t.SetStyle(tableStyle)
	t.SuppressTrailingSpaces()
	t.AppendHeader(head)
	var columns []table.ColumnConfig
	for i := 3; i <= len(head); i++ {
		columns = append(columns, table.ColumnConfig{Number: i, Align: text.AlignRight, AlignHeader: text.AlignRight})
	}
	t.SetColumnConfigs(columns)
	return t
}

// writeSection writes a title, a table, and what is lacking; nothing if there is
// neither.
func (c *command) writeSection(title string, t table.Writer, lacking []string) {
	if t.Length() == 0 && lacking == nil {
		return
	}
	fmt.Fprintln(c.stdout)
	wrapped(c.stdout, "", "", title)
	if t.Length() > 0 {
		fmt.Fprintf(c.stdout, "\n%s\n", trimRules(t.Render()))
	}
	for i, l := range lacking {
		if i == 0 {
			fmt.Fprintln(c.stdout)
		}
		wrapped(c.stdout, c.colours.yellow("note: "), "  ", l)
	}
}
