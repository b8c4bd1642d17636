package main

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"dlcheck/checker"
	"dlcheck/traces"
)

// telling is a schedule and the verdicts that it is a counterexample for.
type telling struct {
	trace *traces.Trace
	of    []told
}

type told struct {
	store   string
	verdict *checker.Verdict
}

// tellings gathers the verdicts by schedule: one that breaks several
// properties, or one property under several stores, is told once.
func tellings(runs []*checker.Run) []*telling {
	var out []*telling
	for _, r := range runs {
	next:
		for i := range r.Verdicts {
			v := &r.Verdicts[i]
			if v.Trace == nil {
				continue
			}
			for _, t := range out {
				if reflect.DeepEqual(t.trace.Events, v.Trace.Events) {
					t.of = append(t.of, told{r.Config.Store, v})
					continue next
				}
			}
			out = append(out, &telling{v.Trace, []told{{r.Config.Store, v}}})
		}
	}
	return out
}

// title names the stores and properties of a telling; stores that share all
// their properties are named together.
func (t *telling) title() string {
	var stores, properties []string // by store
	for i, o := range t.of {
		name := o.verdict.Property
		if o.verdict.ReportOnly {
			name += " (possible, no failure)"
		}
		if i > 0 && t.of[i-1].store == o.store {
			properties[len(properties)-1] += ", " + name
		} else {
			stores, properties = append(stores, o.store), append(properties, name)
		}
	}
	var parts []string
	for i, p := range properties {
		var with []string
		for j := range properties {
			if properties[j] == p {
				with = append(with, stores[j])
			}
		}
		if with[0] == stores[i] {
			parts = append(parts, strings.Join(with, ", ")+": "+p)
		}
	}
	size := t.trace.Summary()
	var rough []string
	for _, o := range t.of {
		if p := o.verdict.Property; !shortest(o.verdict) && !slices.Contains(rough, p) {
			rough = append(rough, p)
		}
	}
	if len(rough) > 0 {
		size += "; maybe not the shortest for " + strings.Join(rough, ", ")
	}
	return strings.Join(append(parts, size), "; ")
}

func (c *command) writeStories(runs []*checker.Run) {
	all := tellings(runs)
	for i, t := range all {
		fmt.Fprintln(c.stdout)
		number := fmt.Sprintf("%d of %d. ", i+1, len(all))
		wrapped(c.stdout, c.colours.bold(number), strings.Repeat(" ", len(number)), t.title())
		c.writeStory(t.trace)
		c.writeOtherRemarks(t)
	}
}

// writeStory writes the text format: its table as it is, also where that is
// wider than the page, since a wrapped row is no row; then its sentences,
// wrapped. The line that goes wrong is painted. It leaves out the head, up to
// the empty line: the title and the top of the report say the same.
func (c *command) writeStory(t *traces.Trace) {
	format, err := traces.FindFormat("text")
	if err != nil {
		panic(err) // package traces has always had it
	}
	var story strings.Builder
	format.Write(&story, t) // a Builder has no errors
	_, body, _ := strings.Cut(story.String(), "\n\n")
	prose := false
	for line := range strings.Lines(body) {
		line = strings.TrimRight(line, " \n")
		prose = prose || line == ""
		told := line
		if prose {
			var w strings.Builder
			wrapped(&w, "", "  ", line)
			told = strings.TrimSuffix(w.String(), "\n")
		}
		if strings.HasPrefix(line, ">") {
			told = c.colours.red(told)
		}
		fmt.Fprintln(c.stdout, told)
	}
}

// writeOtherRemarks says what else is wrong with a schedule than what its
// story says.
func (c *command) writeOtherRemarks(t *telling) {
	said := map[string]bool{}
	at := -1
	if r := t.trace.Remark; r != nil {
		said[r.Reason], at = true, r.At
	}
	for _, o := range t.of {
		r := o.verdict.Trace.Remark
		if r == nil || r.Reason == "" || said[r.Reason] {
			continue
		}
		said[r.Reason] = true
		where := ""
		if r.At != at {
			where = fmt.Sprintf(" at tick %d", o.verdict.Trace.Events[r.At].Tick)
		}
		wrapped(c.stdout, "  ", "  ", fmt.Sprintf("And %s (%s)%s: %s", r.Property, o.store, where, r.Reason))
	}
}
