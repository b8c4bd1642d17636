package main

import (
	_ "embed"
	"html/template"
	"io"

	"dlcheck/checker"
	"dlcheck/checker/matrix"
)

//go:embed matrix.html
var matrixPage string

// htmlMatrix is what matrix.html is filled with.
type htmlMatrix struct {
	Title, Version, Sum string
	Scope, Notes        []string
	Marks               [][2]string
	Properties          []checker.Property
	Systems             []htmlSystem
}

type htmlSystem struct {
	Name, About string
	Rows        []htmlRow
}

type htmlRow struct {
	Faults, Refused, Cure, CureCommand string
	Cells                              []htmlCell
}

type htmlCell struct{ Mark, Words, Class, Command string }

// matrixHTML writes a page in which each cell opens to its verdict in words and
// the command that asks again.
func (c *command) matrixHTML(w io.Writer, m *matrix.Matrix) error {
	page, err := template.New("matrix").Parse(matrixPage)
	if err != nil {
		return err
	}
	h := htmlMatrix{
		Title: matrixTitle(m), Version: c.version, Sum: matrixSum(m), Scope: matrixScope(m), Notes: matrixNotes(m),
		Marks: matrixMarks(m), Properties: m.Properties,
	}
	for i := range m.Rows {
		r := &m.Rows[i]
		if i == 0 || m.Rows[i-1].System != r.System {
			h.Systems = append(h.Systems, htmlSystem{Name: r.System.Name, About: r.System.About})
		}
		s := &h.Systems[len(h.Systems)-1]
		s.Rows = append(s.Rows, toHTMLRow(m, r))
	}
	return page.Execute(w, h)
}

func toHTMLRow(m *matrix.Matrix, r *matrix.Row) htmlRow {
	row := htmlRow{Faults: r.FaultsText(), Refused: r.Refused, Cure: cureWords(r, func(name string) string { return name })}
	if r.Cure.State == matrix.Found {
		row.CureCommand = cureCommand(m, r, &r.Cure)
	}
	for k := range r.Cells {
		c := &r.Cells[k]
		class := "incomplete"
		switch {
		case c.Failed():
			class = "violated"
		case c.ReportOnly:
			class = "reported"
		case c.Kept():
			class = "holds"
		}
		row.Cells = append(row.Cells, htmlCell{cellMark(r, c), cellWords(r, c), class, cellCommand(m, r, c.Property)})
	}
	return row
}
