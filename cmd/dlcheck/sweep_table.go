package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"dlcheck/checker/sweep"
)

// writeCells prints the sweep: what was swept, its tables, and how to see a
// cell again.
func (c *command) writeCells(s *cells) {
	var over []string
	for _, a := range s.axes {
		over = append(over, axisText(a))
	}
	wrapped(c.stdout, "", "  ", c.colours.bold(s.subject)+fmt.Sprintf(", %s: %s over %s", s.world, count(s.len(), "cell"), strings.Join(over, ", ")))
	fmt.Fprintln(c.stdout)
	legend := s.legend
	if len(s.axes) == 1 {
		fmt.Fprintln(c.stdout, s.table())
	} else {
		legend = append(c.writeGrids(s), legend...)
	}
	if len(legend) > 0 {
		fmt.Fprintln(c.stdout)
		for _, l := range legend {
			wrapped(c.stdout, "", "  ", l)
		}
	}
	i := s.example()
	fmt.Fprintf(c.stdout, "\nEach cell is one run of dlcheck; the one at %s:\n  %s\n", strings.Join(s.nameOf(i), " "), s.command(i))
}

// axisText writes values as they can be given: ttl=1..40, servers=1,3,5.
func axisText(a sweep.Axis) string {
	var parts []string
	v := a.Values
	for i := 0; i < len(v); {
		j := i
		for j+1 < len(v) && v[j+1]-v[j] == v[min(i+1, len(v)-1)]-v[i] && v[j+1] > v[j] {
			j++
		}
		switch step := v[min(i+1, len(v)-1)] - v[i]; {
		case j-i < 2 || step > 1 && j-i < 5:
			parts = append(parts, strconv.Itoa(v[i]))
			i++
			continue
		case step == 1:
			parts = append(parts, fmt.Sprintf("%d..%d", v[i], v[j]))
		default:
			parts = append(parts, fmt.Sprintf("%d..%d:%d", v[i], v[j], step))
		}
		i = j + 1
	}
	return a.Param + "=" + strings.Join(parts, ",")
}

// example is a cell worth seeing again: the first in which something is
// broken, by the first metric in which anything is.
func (s *cells) example() int {
	for m := range s.metrics {
		for i := range s.len() {
			if s.at(i, m).broken {
				return i
			}
		}
	}
	return 0
}

// table has a row per value and a column per metric; what a value costs, the
// ticks that someone is blocked, comes last.
func (s *cells) table() string {
	order := make([]int, 0, len(s.metrics))
	for _, last := range []bool{false, true} {
		for m := range s.metrics {
			if (s.metrics[m].kind == ofNumber) == last {
				order = append(order, m)
			}
		}
	}
	t := table.NewWriter()
	t.SetStyle(tableStyle)
	t.SuppressTrailingSpaces()
	head := table.Row{s.axes[0].Param}
	columns := []table.ColumnConfig{{Number: 1, Align: text.AlignRight, AlignHeader: text.AlignRight}}
	for k, m := range order {
		head = append(head, s.metrics[m].name)
		if s.metrics[m].kind == ofNumber {
			columns = append(columns, table.ColumnConfig{Number: k + 2, Align: text.AlignRight, AlignHeader: text.AlignRight})
		}
	}
	t.AppendHeader(head)
	t.SetColumnConfigs(columns)
	for i := range s.len() {
		row := table.Row{s.params(i)[0]}
		for _, m := range order {
			v := s.at(i, m)
			word := v.text
			switch k := s.metrics[m].kind; {
			case k == ofVerdict && v.broken:
				word = v.mark + " steps"
			case k == ofVerdict:
				word = verdictWords.Replace(v.mark)
			case k == ofText:
				word = strconv.Quote(word)
			case k == ofProperty && v.broken:
				word = strings.ToUpper(word)
			}
			row = append(row, word)
		}
		t.AppendRow(row)
	}
	return trimRules(t.Render())
}

// verdictWords spells out the marks of verdicts where there is room.
var verdictWords = strings.NewReplacer("to ", "holds to tick ", "?", "incomplete")

// writeGrids prints a grid per metric, side by side where two fit, and gives
// the legend of their marks.
func (c *command) writeGrids(s *cells) (legend []string) {
	var left []string // a grid that waits for a neighbour
	between := ""
	flush := func() {
		if left != nil {
			fmt.Fprintln(c.stdout, between+strings.Join(left, "\n"))
			left, between = nil, "\n"
		}
	}
	for m := range s.metrics {
		lines, says := s.gridOf(m)
		for _, l := range says {
			if !slices.Contains(legend, l) {
				legend = append(legend, l)
			}
		}
		const gap = 4
		wide := 0
		for _, l := range left {
			wide = max(wide, len(l))
		}
		if left != nil && len(left) == len(lines) && wide+gap+widest(lines) <= width {
			for i := range lines {
				lines[i] = strings.TrimRight(fmt.Sprintf("%-*s%s", wide+gap, left[i], lines[i]), " ")
			}
			left = lines
			flush()
			continue
		}
		flush()
		left = lines
	}
	flush()
	return legend
}

func widest(lines []string) (n int) {
	for _, l := range lines {
		n = max(n, len(l))
	}
	return n
}

// gridOf draws one metric: y down, x across. Marks of one character stand
// close, under labels that are read downwards; wider ones stand apart, and
// numbers that would not fit become letters.
func (s *cells) gridOf(m int) (lines, legend []string) {
	x, y := s.axes[0], s.axes[1]
	margin := len(y.Param)
	margin = max(margin, len(x.Param))
	for _, v := range y.Values {
		margin = max(margin, len(strconv.Itoa(v)))
	}
	marks := make([]string, s.len())
	wide, broken := 1, 0
	for i := range marks {
		marks[i] = s.at(i, m).mark
		wide = max(wide, len(marks[i]))
		if s.at(i, m).broken {
			broken++
		}
	}
	title := s.metrics[m].name
	switch s.metrics[m].kind {
	case ofProperty:
		title += fmt.Sprintf(": %s of %s broken", comma(broken), comma(s.len()))
		legend = append(legend, "# broken, . fine")
	case ofReport:
		title += fmt.Sprintf(": in %s of %s", comma(broken), comma(s.len()))
		legend = append(legend, s.metrics[m].name+": # possible, . none")
	case ofText:
		legend = append(legend, s.textLegend(m))
	case ofNumber:
		if wide == 1 && slices.Contains(marks, "-") {
			legend = append(legend, "- never")
		}
	}
	for _, v := range x.Values {
		if wide > 1 {
			wide = max(wide, len(strconv.Itoa(v)))
		}
	}
	if wide > 1 && margin+len(x.Values)*(wide+1) > width && s.metrics[m].kind == ofNumber {
		for i := range marks {
			marks[i] = numberMark(s.at(i, m).number)
		}
		wide = 1
		legend = append(legend, s.metrics[m].name+" in letters: a is 10, b 11, to z, 35; + is more, - never")
	}
	lines = []string{title}
	columns := func(label string, cells []string) {
		line := fmt.Sprintf("%*s", margin, label)
		if wide == 1 {
			line += " " + strings.Join(cells, "")
		} else {
			for _, cell := range cells {
				line += fmt.Sprintf(" %*s", wide, cell)
			}
		}
		lines = append(lines, strings.TrimRight(line, " "))
	}
	if n := margin + 1 + len(x.Values); wide == 1 && n > width || wide > 1 && margin+len(x.Values)*(wide+1) > width {
		return append(lines, fmt.Sprintf("  %d columns do not fit in %d: take fewer values, such as --x %s, or --csv or --plot", len(x.Values), width, thinned(x))), nil
	}
	if wide == 1 {
		digits := 0
		for _, v := range x.Values {
			digits = max(digits, len(strconv.Itoa(v)))
		}
		for d := range digits {
			var row []string
			for _, v := range x.Values {
				row = append(row, fmt.Sprintf("%*d", digits, v)[d:d+1])
			}
			label := ""
			if d == digits-1 {
				label = x.Param
			}
			columns(label, row)
		}
	} else {
		var row []string
		for _, v := range x.Values {
			row = append(row, strconv.Itoa(v))
		}
		columns(x.Param, row)
	}
	lines = append(lines, fmt.Sprintf("%*s", margin, y.Param))
	for j, v := range y.Values {
		columns(strconv.Itoa(v), marks[j*len(x.Values):(j+1)*len(x.Values)])
	}
	return lines, legend
}

// thinned is the axis with every so many values, so that they fit.
func thinned(a sweep.Axis) string {
	lo, hi := slices.Min(a.Values), slices.Max(a.Values)
	return fmt.Sprintf("%s=%d..%d:%d", a.Param, lo, hi, (hi-lo)/60+1)
}

func numberMark(n int) string {
	switch {
	case n < 0:
		return "-"
	case n < 36:
		return strconv.FormatInt(int64(n), 36)
	}
	return "+"
}

// textLegend says which letter stands for which text.
func (s *cells) textLegend(m int) string {
	var parts []string
	seen := map[string]bool{}
	for i := range s.len() {
		v := s.at(i, m)
		if !seen[v.text] {
			seen[v.text] = true
			parts = append(parts, fmt.Sprintf("%s %q", v.mark, v.text))
		}
	}
	slices.Sort(parts)
	return s.metrics[m].name + ": " + strings.Join(parts, ", ")
}
