package main

import (
	_ "embed"
	"html/template"
	"io"
	"slices"

	"dlcheck/checker"
	"dlcheck/checker/matrix"
)

//go:embed matrix.html
var matrixPage string

// htmlMatrix is what matrix.html is filled with.
type htmlMatrix struct {
	Title, Version, Same string
	Scope, Sums          []string
	Properties           []checker.Property
	Systems              []htmlSystem
}

type htmlSystem struct {
	Name, About string
	Groups      []htmlGroup
	Notes       []string
}

type htmlGroup struct {
	Head string
	Rows []htmlRow
}

type htmlRow struct {
	Name, Refused, Cure, CureCommand string
	AsNoFault                        bool
	Cells                            []htmlCell
}

type htmlCell struct{ Short, Words, Class, Command string }

// matrixHTML writes a page in which each cell opens to its verdict in words and
// the command that asks again.
func (c *command) matrixHTML(w io.Writer, m *matrix.Matrix) error {
	page, err := template.New("matrix").Parse(matrixPage)
	if err != nil {
		return err
	}
	h := htmlMatrix{
		Title: matrixTitle(m), Version: c.version, Sums: matrixSums(m), Scope: matrixScope(m),
		Properties: m.Properties,
	}
	if slices.ContainsFunc(m.Rows, func(r matrix.Row) bool { return r.AsNoFault }) {
		h.Same = sameWords(m)
	}
	first := 0 // row of the system
	for i := range m.Rows {
		r := &m.Rows[i]
		if i == 0 || m.Rows[i-1].System != r.System {
			first = i
			h.Systems = append(h.Systems, htmlSystem{Name: r.System.Name, About: r.System.About})
		}
		s := &h.Systems[len(h.Systems)-1]
		if i == first || (m.Rows[i-1].Variant == nil) != (r.Variant == nil) {
			head := faultsHead
			if r.Variant != nil {
				head = variantsHead
			}
			s.Groups = append(s.Groups, htmlGroup{Head: head})
		}
		g := &s.Groups[len(s.Groups)-1]
		g.Rows = append(g.Rows, toHTMLRow(m, r))
		s.Notes = matrixNotes(m.Rows[first:i+1], (*matrix.Row).Text)
	}
	return page.Execute(w, h)
}

func toHTMLRow(m *matrix.Matrix, r *matrix.Row) htmlRow {
	row := htmlRow{Name: r.Text(), Refused: r.Refused, AsNoFault: r.AsNoFault, Cure: cureWords(r, func(name string) string { return name })}
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
		row.Cells = append(row.Cells, htmlCell{cellShort(r, c), cellWords(r, c), class, cellCommand(m, r, c.Property)})
	}
	return row
}
