package main

import (
	_ "embed"
	"encoding/json"
	"io"

	"dlcheck/checker"
	"dlcheck/checker/matrix"
	"dlcheck/model"
)

// matrixSchemaName is the version of the form; see reportSchemaName.
const matrixSchemaName = "dlcheck/matrix/v1"

//go:embed matrix.schema.json
var matrixSchema []byte

type jsonMatrix struct {
	Schema      string            `json:"schema"`
	Dlcheck     string            `json:"dlcheck"`
	ExitStatus  int               `json:"exit_status"`
	Scope       map[string]string `json:"scope"`
	MemoryBytes *int64            `json:"memory_bytes"` // of one world; null: no bound
	Properties  []jsonProperty    `json:"properties"`
	Rows        []jsonMatrixRow   `json:"rows"`
}

type jsonProperty struct {
	Name       string `json:"name"`
	Doc        string `json:"doc"`
	ReportOnly bool   `json:"report_only"`
}

type jsonMatrixRow struct {
	System    string            `json:"system"`
	Faults    []jsonChange      `json:"faults"`
	Variant   *jsonChange       `json:"variant"`
	Settings  map[string]string `json:"settings"`
	Refused   *string           `json:"refused"`
	States    uint64            `json:"states"`
	Stopped   string            `json:"stopped"`
	Notes     []string          `json:"notes"`
	AsNoFault bool              `json:"as_no_fault"`
	Cells     []jsonMatrixCell  `json:"cells"`
	Cure      jsonRemedy        `json:"cure"`
}

type jsonChange struct {
	Name     string            `json:"name"`
	Settings map[string]string `json:"settings"`
}

type jsonMatrixCell struct {
	Property       string         `json:"property"`
	Verdict        checker.Result `json:"verdict"`
	ReportOnly     bool           `json:"report_only"`
	Scope          string         `json:"scope"`
	Bound          *int           `json:"bound"`
	ViolatedAtTick *int           `json:"violated_at_tick"`
	Steps          *int           `json:"steps"`
	Events         *int           `json:"events"`
	Ticks          *int           `json:"ticks"`
	Shortest       bool           `json:"shortest"`
	Cure           jsonRemedy     `json:"cure"`
	Command        string         `json:"command"`
}

type jsonRemedy struct {
	Result   string            `json:"result"`
	Names    []string          `json:"names"`
	Settings map[string]string `json:"settings"`
	Command  *string           `json:"command"`
}

// matrixJSON writes the document that matrix.schema.json describes.
func (c *command) matrixJSON(w io.Writer, m *matrix.Matrix) error {
	j := jsonMatrix{Schema: matrixSchemaName, Dlcheck: c.version, ExitStatus: c.status, Scope: settingsMap(m.Scope), Rows: []jsonMatrixRow{}}
	if m.MaxBytes > 0 {
		j.MemoryBytes = &m.MaxBytes
	}
	for _, p := range m.Properties {
		j.Properties = append(j.Properties, jsonProperty{p.Name, p.Doc, p.ReportOnly})
	}
	for i := range m.Rows {
		j.Rows = append(j.Rows, toJSONRow(m, &m.Rows[i]))
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", " ")
	enc.SetEscapeHTML(false)
	return enc.Encode(j)
}

func toJSONRow(m *matrix.Matrix, r *matrix.Row) jsonMatrixRow {
	j := jsonMatrixRow{
		System: r.System.Name, Faults: []jsonChange{}, Settings: settingsMap(r.System.Config.Differences(&r.Config)),
		States: r.States, Stopped: r.Stopped, Notes: append([]string{}, r.Notes...), AsNoFault: r.AsNoFault, Cells: []jsonMatrixCell{}, Cure: toJSONRemedy(m, r, &r.Cure),
	}
	if r.Refused != "" {
		j.Refused = &r.Refused
	}
	for _, f := range r.Faults {
		j.Faults = append(j.Faults, jsonChange{f.Name, settingsMap(f.Settings)})
	}
	if v := r.Variant; v != nil {
		j.Variant = &jsonChange{v.Name, settingsMap(v.Settings)}
	}
	for k := range r.Cells {
		c := &r.Cells[k]
		cell := jsonMatrixCell{
			Property: c.Property, Verdict: c.Result, ReportOnly: c.ReportOnly, Scope: c.Scope, Bound: orNull(c.Bound, -1), ViolatedAtTick: orNull(c.BeyondAt, 0),
			Shortest: c.Shortest, Cure: toJSONRemedy(m, r, &c.Cure), Command: cellCommand(m, r, c.Property),
		}
		if c.Steps > 0 {
			cell.Steps, cell.Events, cell.Ticks = &c.Steps, &c.Events, &c.Ticks
		}
		j.Cells = append(j.Cells, cell)
	}
	return j
}

func toJSONRemedy(m *matrix.Matrix, r *matrix.Row, cure *matrix.Remedy) jsonRemedy {
	j := jsonRemedy{Result: string(cure.State), Names: []string{}, Settings: settingsMap(cure.Settings())}
	if cure.State == matrix.NotNeeded {
		j.Result = "not-needed"
	}
	for _, c := range cure.Cures {
		j.Names = append(j.Names, c.Name)
	}
	if cure.State == matrix.Found {
		command := cureCommand(m, r, cure)
		j.Command = &command
	}
	return j
}

func settingsMap(settings []model.Setting) map[string]string {
	out := map[string]string{}
	for _, s := range settings {
		out[s.Field] = s.Value
	}
	return out
}
