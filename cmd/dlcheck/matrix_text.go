package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"

	"dlcheck/checker"
	"dlcheck/checker/matrix"
)

// matrixText prints the matrix for people: a table per system, all with the
// same columns, and under the head of each the command that asks again.
func (c *command) matrixText(w io.Writer, m *matrix.Matrix) error {
	wrapped(w, "", "  ", c.colours.bold(matrixTitle(m))+".")
	for _, s := range matrixScope(m) {
		wrapped(w, "", "  ", s)
	}
	if marks := matrixMarks(m); len(marks) > 0 {
		fmt.Fprintln(w)
		twoColumns(w, "  ", marks)
	}
	codes := propertyCodes(m)
	if codes[0] != m.Properties[0].Name {
		fmt.Fprintln(w)
		var list []string
		for i, p := range m.Properties {
			list = append(list, codes[i]+" "+p.Name)
		}
		wrapped(w, "  ", "  ", strings.Join(list, ", "))
	}
	fmt.Fprintln(w)
	wrapped(w, "", "  ", "A cell again: the command above its column, the flags under its row, and --property NAME.")
	t := newMatrixTable(m)
	for i := range m.Rows {
		r := &m.Rows[i]
		if i == 0 || m.Rows[i-1].System != r.System {
			fmt.Fprintln(w)
			wrapped(w, "", "  ", c.colours.bold(r.System.Name)+": "+r.System.About)
			fmt.Fprintln(w, "  dlcheck "+flagOfSystem(r.System)+flagsOf(r.System.Config.Differences(&r.Base)))
			if r.Variant == nil {
				t.head(w, faultsHead)
			}
		}
		if r.Variant != nil && (i == 0 || m.Rows[i-1].System != r.System || m.Rows[i-1].Variant == nil) {
			t.head(w, variantsHead)
		}
		c.matrixRow(w, r, t, codeOf(m))
	}
	if notes := matrixNotes(m.Rows, (*matrix.Row).Name); len(notes) > 0 {
		fmt.Fprintln(w)
		for _, n := range notes {
			wrapped(w, c.colours.yellow("note: "), "  ", n)
		}
	}
	fmt.Fprintln(w)
	for _, s := range matrixSums(m) {
		wrapped(w, "", "  ", s)
	}
	return nil
}

// matrixTable has the widths of the columns.
type matrixTable struct {
	codes       []string
	first, cure int
	cells       []int
}

// The heads of the two groups of rows.
const (
	faultsHead   = "faults"
	variantsHead = "other ways to use it"
)

func newMatrixTable(m *matrix.Matrix) *matrixTable {
	t := &matrixTable{codes: propertyCodes(m), first: len(faultsHead)}
	for _, code := range t.codes {
		t.cells = append(t.cells, len(code))
	}
	for i := range m.Rows {
		r := &m.Rows[i]
		t.first = max(t.first, min(len(r.Text()), 28))
		if r.Variant != nil {
			t.first = max(t.first, len(variantsHead))
		}
		for k := range r.Cells {
			t.cells[k] = max(t.cells[k], len(cellMark(r, &r.Cells[k])))
		}
	}
	t.cure = width - 2 - t.first - 2
	for _, n := range t.cells {
		t.cure -= n + 2
	}
	t.cure = max(t.cure, 16)
	return t
}

func (t *matrixTable) head(w io.Writer, first string) {
	line := fmt.Sprintf("  %-*s", t.first, first)
	for k, code := range t.codes {
		line += fmt.Sprintf("  %*s", t.cells[k], code)
	}
	fmt.Fprintln(w, line+"  cure")
}

// matrixRow prints a row over as many lines as its texts need, and the flags that
// make it.
func (c *command) matrixRow(w io.Writer, r *matrix.Row, t *matrixTable, code func(string) string) {
	names := strings.Split(text.WrapSoft(r.Text(), t.first), "\n")
	if r.Refused != "" {
		wrapped(w, "  "+r.Text()+": ", "    ", "there is no such world: "+r.Refused)
		return
	}
	cures := wrapFlags(cureWords(r, code), t.cure)
	for i := range max(len(names), len(cures)) {
		name, cure := "", ""
		if i < len(names) {
			name = strings.TrimSpace(names[i])
		}
		if i < len(cures) {
			cure = strings.TrimSpace(cures[i])
		}
		mark := " "
		if i == 0 {
			mark = rowMark(r)
		}
		line := fmt.Sprintf("%s %-*s", mark, t.first, name)
		for k := range r.Cells {
			mark := ""
			if i == 0 {
				mark = cellMark(r, &r.Cells[k])
			}
			line += "  " + strings.Repeat(" ", t.cells[k]-len(mark)) + c.markColour(&r.Cells[k], mark)
		}
		fmt.Fprintln(w, strings.TrimRight(line+"  "+cure, " "))
	}
	if flags := flagsOf(r.Base.Differences(&r.Config)); flags != "" {
		fmt.Fprintln(w, "   "+flags)
	}
}

// wrapFlags cuts words into lines and leaves flags and their values together.
func wrapFlags(words string, wide int) []string {
	const glue = "\u00a0"
	var parts []string
	for _, word := range strings.Fields(words) {
		if n := len(parts); n > 0 && strings.HasPrefix(parts[n-1], "--") && !strings.HasPrefix(word, "--") && !strings.Contains(parts[n-1], glue) {
			parts[n-1] += glue + word
		} else {
			parts = append(parts, word)
		}
	}
	return strings.Split(strings.ReplaceAll(text.WrapSoft(strings.Join(parts, " "), wide), glue, " "), "\n")
}

func (c *command) markColour(cell *matrix.Cell, mark string) string {
	switch {
	case cell.Failed():
		return c.colours.red(mark)
	case cell.Result == checker.Incomplete:
		return c.colours.yellow(mark)
	case cell.Kept() && !cell.ReportOnly:
		return c.colours.green(mark)
	}
	return mark
}
