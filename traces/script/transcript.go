package script

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"dlcheck/model"
	"dlcheck/traces"
)

// Line is one line of a transcript: a line of the trace's story, or attempts
// of one client to acquire that were denied, tick after tick.
type Line struct {
	traces.Line
	Denied int // how many attempts; 0 for a line of the story
}

// Lines tells the run: the story of the trace, and between its lines the
// attempts that were denied. A stretch of time or work in which they lie is
// cut where they begin.
func (r *Result) Lines() []Line {
	var out []Line
	denied := r.denials()
	for _, l := range r.Trace.Story() {
		stretch, cut := l.To > l.From, false
		for len(denied) > 0 && denied[0].Index <= l.Index {
			d := denied[0]
			denied = denied[1:]
			if stretch && l.From < d.From {
				before := l
				before.Index, before.To, before.Answer, before.Holder = d.Index-1, d.From, "", d.Holder
				if before.To > before.From+1 || before.Who != "" {
					out = append(out, Line{Line: before})
				}
				l.From, cut = d.From, true
			}
			out = append(out, d)
		}
		// As in a story, a single tick in which nothing happens is not told.
		if !cut || l.To > l.From+1 || l.Answer != "" || l.Who != "" {
			out = append(out, Line{Line: l})
		}
	}
	return append(out, denied...)
}

// denials folds attempts of one client in a row into one line each.
func (r *Result) denials() []Line {
	var out []Line
	last := map[int]int{} // client -> its line
	for _, d := range r.Denied {
		if i, ok := last[d.Client]; ok && out[i].To == d.Tick-1 && r.sameHolder(&out[i], d) {
			out[i].To, out[i].Denied = d.Tick, out[i].Denied+1
			continue
		}
		last[d.Client] = len(out)
		holder := model.Nobody
		if d.Before > 0 {
			holder = r.Trace.Events[d.Before-1].Holder
		}
		out = append(out, Line{Denied: 1, Line: traces.Line{
			Index: d.Before, From: d.Tick, To: d.Tick, Who: r.Trace.Name(d.Client), Actors: []int{d.Client},
			What: "asks for the lock", Answer: "denied: " + d.Why, Holder: r.Trace.Name(holder),
		}})
	}
	for i := range out {
		l := &out[i]
		if l.Denied > 1 {
			l.What = fmt.Sprintf("asks for the lock %d times", l.Denied)
			l.Answer = "denied: " + l.Holder + " holds it"
		}
		if r.Schedule.Clients[l.Actors[0]].Once {
			l.Answer += "; gives up"
		}
	}
	return out
}

// sameHolder says whether the lock is still with the one that a line names.
func (r *Result) sameHolder(l *Line, d Denied) bool {
	return d.Before > 0 && r.Trace.Name(r.Trace.Events[d.Before-1].Holder) == l.Holder
}

// Write writes the transcript: every action and every denied attempt, with
// answers, tokens and who held the lock, then the record of grants and the
// text that the store is left with. The error is that of w.
func (r *Result) Write(w io.Writer) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	s := r.Schedule
	head := "tick"
	if s.Tick > 0 {
		head += "\ttime"
	}
	fmt.Fprintf(tw, "%s\twho\twhat\tanswer\tholds the lock\n", head)
	for _, l := range r.Lines() {
		tick := fmt.Sprint(l.From)
		if l.To > l.From {
			tick = fmt.Sprintf("%d-%d", l.From, l.To)
		}
		if s.Tick > 0 {
			tick += "\t" + s.at(l.From)
		}
		fmt.Fprintf(tw, "%s\t%s\t%s\t%s\t%s\n", tick, orDash(l.Who), l.What, orDash(l.Answer), l.Holder)
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	var b strings.Builder
	b.WriteString("\nThe record of grants, as half-open intervals of ticks\n")
	for _, row := range r.grants() {
		fmt.Fprintf(&b, "  %s: %s\n", row.servers, row.leases)
	}
	if r.CutOff {
		fmt.Fprintf(&b, "The file ends the run at tick %d, before everyone is done.\n", s.Until)
	}
	fmt.Fprintf(&b, "The store is left with %q.\n", r.Content)
	_, err := io.WriteString(w, b.String())
	return err
}

// at is a tick as a time, such as 1.5s.
func (s *Schedule) at(tick int) string { return (s.Tick * time.Duration(tick)).String() }

type grantRow struct{ servers, leases string }

// grants lists the leases of each server; servers with the same record share
// a line.
func (r *Result) grants() []grantRow {
	by := make([][]string, r.Trace.Config.Servers)
	for _, l := range r.Trace.Leases() {
		by[l.Server] = append(by[l.Server], fmt.Sprintf("%s [%d,%d) token %d", r.Trace.Name(l.Client), l.Start, l.End, l.Token))
	}
	var rows []grantRow
	for i := 0; i < len(by); {
		j := i
		for j+1 < len(by) && slices.Equal(by[j+1], by[i]) {
			j++
		}
		name := fmt.Sprintf("server %d", i+1)
		if j > i {
			name = fmt.Sprintf("servers %d-%d", i+1, j+1)
		}
		leases := strings.Join(by[i], ", ")
		if leases == "" {
			leases = "none"
		}
		rows = append(rows, grantRow{name, leases})
		i = j + 1
	}
	return rows
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}
