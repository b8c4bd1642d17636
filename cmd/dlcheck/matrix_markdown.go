package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"

	"dlcheck/checker/matrix"
)

// matrixMarkdown writes a table per system and, folded away below it, the
// command of each cell.
func (c *command) matrixMarkdown(w io.Writer, m *matrix.Matrix) error {
	fmt.Fprintf(w, "# %s\n\n", matrixTitle(m))
	for _, s := range matrixScope(m) {
		fmt.Fprintln(w, s)
	}
	legend := table.NewWriter()
	legend.AppendHeader(table.Row{"mark", "meaning"})
	for _, l := range matrixMarks(m) {
		legend.AppendRow(table.Row{"`" + l[0] + "`", l[1]})
	}
	fmt.Fprintf(w, "\n%s\n", legend.RenderMarkdown())
	for i := 0; i < len(m.Rows); {
		s := m.Rows[i].System
		var rows []*matrix.Row
		for ; i < len(m.Rows) && m.Rows[i].System == s; i++ {
			rows = append(rows, &m.Rows[i])
		}
		fmt.Fprintf(w, "\n## %s\n\n%s.\n", s.Name, s.About)
		first := slices.IndexFunc(rows, func(r *matrix.Row) bool { return r.Variant != nil })
		if first < 0 {
			first = len(rows)
		}
		if first > 0 {
			fmt.Fprintf(w, "\n%s\n", markdownTable(m, faultsHead, rows[:first]))
		}
		if first < len(rows) {
			fmt.Fprintf(w, "\n%s\n", markdownTable(m, variantsHead, rows[first:]))
		}
		fmt.Fprintf(w, "\n<details><summary>The command of each cell</summary>\n\n```sh\n")
		for _, r := range rows {
			for k := range r.Cells {
				fmt.Fprintf(w, "%s  # %s\n", cellCommand(m, r, r.Cells[k].Property), cellWords(r, &r.Cells[k]))
			}
		}
		fmt.Fprintf(w, "```\n\n</details>\n")
	}
	for _, n := range matrixNotes(m.Rows, (*matrix.Row).Name) {
		fmt.Fprintf(w, "\nNote: %s\n", n)
	}
	for _, s := range matrixSums(m) {
		fmt.Fprintf(w, "\n%s\n", s)
	}
	return nil
}

func markdownTable(m *matrix.Matrix, first string, rows []*matrix.Row) string {
	t := table.NewWriter()
	head := table.Row{first}
	for _, p := range m.Properties {
		head = append(head, p.Name)
	}
	t.AppendHeader(append(head, "cure"))
	for _, r := range rows {
		name := r.Text()
		if r.AsNoFault {
			name = "`" + sameMark + "` " + name
		}
		row := table.Row{name}
		for k := range m.Properties {
			mark := ""
			if r.Refused == "" {
				mark = "`" + cellMark(r, &r.Cells[k]) + "`"
			}
			row = append(row, mark)
		}
		cure := cureWords(r, func(name string) string { return name })
		if r.Refused != "" {
			cure = "there is no such world: " + r.Refused
		} else if strings.HasPrefix(cure, "--") {
			cure = "`" + cure + "`"
		}
		t.AppendRow(append(row, cure))
	}
	return t.RenderMarkdown()
}
