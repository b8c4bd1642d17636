package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"dlcheck/checker"
	"dlcheck/model"
	"dlcheck/traces"
)

// writeText prints the report for people: world, table, stories, what the
// verdicts rest on, and the sum of it.
func (c *command) writeText(runs []*checker.Run, kept *kept) {
	world := worldLine(runs[0])
	if s := c.options.system; s != nil && s.Name != "" {
		world = s.Name + ": " + world
	}
	wrapped(c.stdout, "", "  ", world)
	fmt.Fprintf(c.stdout, "\n%s\n", c.table(runs))
	for i, n := range notes(runs) {
		if i == 0 {
			fmt.Fprintln(c.stdout)
		}
		wrapped(c.stdout, c.colours.yellow("note: "), "  ", n+".")
	}
	c.writeStories(runs)
	c.writeFronts(runs)
	c.writeAll(runs)
	c.writeScopes(runs)
	c.writeDisk(runs)
	c.writeStats(runs)
	c.writeSum(runs)
	if kept != nil {
		wrapped(c.stdout, "", "  ", kept.sentence())
	}
}

// notes lists what the runs warn of, each once, with the stores it is about.
func notes(runs []*checker.Run) []string {
	var sentences []string
	stores := map[string][]string{}
	for _, r := range runs {
		for _, n := range r.Notes {
			if stores[n] == nil {
				sentences = append(sentences, n)
			}
			stores[n] = append(stores[n], r.Config.Store)
		}
	}
	for i, n := range sentences {
		sentences[i] = strings.Join(stores[n], ", ") + ": " + n
	}
	return sentences
}

// worldLine says which world was searched; the stores stand in the table.
func worldLine(r *checker.Run) string {
	w := &r.Config
	ticks := "clock without bound"
	if w.Ticks != model.NoBound {
		ticks = count(w.Ticks, "tick")
	}
	pauses := count(w.Pauses, "pause")
	if w.MaxPause != model.NoBound && w.Pauses > 0 {
		pauses += " of at most " + count(w.MaxPause, "tick")
	}
	reductions := "none"
	if len(r.Reductions) > 0 {
		reductions = strings.Join(r.Reductions, ", ")
	}
	axes := ""
	if on := w.AxesText(); len(on) > 0 {
		axes = "; " + strings.Join(on, ", ")
	}
	rounds := "unlimited rounds"
	if w.Rounds != model.NoBound {
		rounds = count(w.Rounds, "round")
	}
	return fmt.Sprintf("%s, %s, ttl %s, %s, %s, %s%s; program %s; reductions %s",
		count(w.Clients, "client"), count(w.Servers, "lock server"), comma(w.TTL), ticks, rounds, pauses, axes, w.Program, reductions)
}

func comma(n int) string { return humanize.Comma(int64(n)) }

func count(n int, what string) string {
	s := comma(n) + " " + what
	if n != 1 {
		s += "s"
	}
	return s
}

// tableStyle is plain ASCII: two spaces between columns, a rule under the
// head and between stores.
var tableStyle = table.Style{
	Name: "dlcheck",
	Box:  table.BoxStyle{MiddleHorizontal: "-", PaddingRight: "  ", MiddleSeparator: "-", MiddleVertical: ""},
	Options: table.Options{
		SeparateHeader: true,
	},
	Format: table.FormatOptions{Header: text.FormatDefault},
}

func (c *command) table(runs []*checker.Run) string {
	length, measure := (*traces.Trace).Steps, checker.Steps // of the measure, where ticks have no column of their own
	switch c.options.minimize {
	case checker.Events:
		length, measure = (*traces.Trace).Actions, checker.Events
	case checker.Faults:
		length, measure = (*traces.Trace).Faults, checker.Faults
	}
	seed := map[string]string{}
	for _, p := range checker.Properties() {
		seed[p.Name] = groupOf(p)
	}
	t := table.NewWriter()
	t.SetStyle(tableStyle)
	t.SuppressTrailingSpaces()
	head := table.Row{"store", "group", "property", "verdict", string(measure), "ticks", "states", "transitions", "time"}
	t.AppendHeader(head)
	var columns []table.ColumnConfig
	for i := 5; i <= len(head); i++ {
		columns = append(columns, table.ColumnConfig{Number: i, Align: text.AlignRight, AlignHeader: text.AlignRight})
	}
	t.SetColumnConfigs(columns)
	for i, r := range runs {
		if i > 0 {
			t.AppendSeparator()
		}
		group := ""
		for j := range r.Verdicts {
			v := &r.Verdicts[j]
			row := table.Row{"", "", v.Property, c.verdictCell(v), "", "", "", "", ""}
			if g := seed[v.Property]; g != group {
				row[1], group = g, g
			}
			if v.Trace != nil {
				most := ""
				if !shortest(v) {
					most = "<="
				}
				row[4], row[5] = most+comma(length(v.Trace)), most+comma(v.Trace.Ticks())
			}
			if j == 0 {
				row[0] = c.colours.bold(r.Config.Store)
				row[6], row[7], row[8] = humanize.Comma(int64(r.States)), humanize.Comma(int64(r.Transitions)), seconds(r.Elapsed)
			}
			t.AppendRow(row)
		}
	}
	return trimRules(t.Render())
}

// trimRules cuts the padding of the last column off the rules.
func trimRules(table string) string {
	pad := len(tableStyle.Box.PaddingRight)
	lines := strings.Split(table, "\n")
	for i, line := range lines {
		if strings.Trim(line, "-") == "" {
			lines[i] = line[:max(0, len(line)-pad)]
		}
	}
	return strings.Join(lines, "\n")
}

// shortest says whether no counterexample is shorter than the one there is.
func shortest(v *checker.Verdict) bool {
	return v.Trace.Remark != nil && v.Trace.Remark.Minimal
}

// verdictText is the verdict in words, without the place of a violation past
// the bound.
func verdictText(v *checker.Verdict) string {
	holds, violated := "holds", "VIOLATED"
	if v.ReportOnly {
		holds, violated = "impossible", "possible"
	}
	switch v.Result {
	case checker.Violated:
		return violated
	case checker.Holds:
		return holds
	case checker.HoldsToBound:
		return holds + " to tick " + comma(v.Bound)
	}
	return "incomplete"
}

// beyondText says where the nearest violation past the bound is, or nothing.
func beyondText(v *checker.Verdict) string {
	switch {
	case v.BeyondAt == 0:
		return ""
	case v.ReportOnly:
		return "possible at tick " + comma(v.BeyondAt)
	}
	return "violated at tick " + comma(v.BeyondAt)
}

func (c *command) verdictCell(v *checker.Verdict) string {
	cell := verdictText(v)
	switch {
	case v.Result == checker.Violated && v.Failed():
		cell = c.colours.red(cell)
	case v.Result == checker.Incomplete:
		cell = c.colours.yellow(cell)
	case v.Result == checker.Holds && !v.ReportOnly:
		cell = c.colours.green(cell)
	}
	if beyond := beyondText(v); beyond != "" {
		if v.Failed() {
			beyond = c.colours.red(beyond)
		}
		cell += ",\n" + beyond
	}
	return cell
}

func seconds(d time.Duration) string {
	switch s := d.Seconds(); {
	case s < 10:
		return fmt.Sprintf("%.2f s", s)
	case s < 100:
		return fmt.Sprintf("%.1f s", s)
	}
	return humanize.Comma(int64(d.Seconds())) + " s"
}

// writeLines is the report of --quiet. Notes go to the standard error, so
// that each line of the output stays a verdict.
func (c *command) writeLines(runs []*checker.Run) {
	for _, n := range notes(runs) {
		fmt.Fprintf(c.stderr, "dlcheck: note: %s\n", n)
	}
	w := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
	for _, r := range runs {
		for i := range r.Verdicts {
			v := &r.Verdicts[i]
			line := r.Config.Store + "\t" + v.Property + "\t" + verdictText(v)
			if beyond := beyondText(v); beyond != "" {
				line += ", " + beyond
			}
			if v.Trace != nil {
				line += ", "
				if !shortest(v) {
					line += "at most "
				}
				line += v.Trace.Summary()
			}
			line += minimalText(v)
			io.WriteString(w, line+"\n")
		}
	}
	w.Flush() // its error is kept by c.stdout
}
