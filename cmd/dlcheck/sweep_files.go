package main

import (
	"encoding/csv"
	"encoding/json"
	"io"
	"strconv"

	"dlcheck/checker/sweep"
)

// writeCSV writes a line per cell: its parameters, its metrics, and the command
// that repeats it.
func (s *cells) writeCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	var head []string
	for _, a := range s.axes {
		head = append(head, a.Param)
	}
	for _, m := range s.metrics {
		head = append(head, m.name)
	}
	out.Write(append(head, "command"))
	for i := range s.len() {
		var row []string
		for _, v := range s.params(i) {
			row = append(row, strconv.Itoa(v))
		}
		for m := range s.metrics {
			row = append(row, s.at(i, m).text)
		}
		out.Write(append(row, s.command(i)))
	}
	out.Flush()
	return out.Error()
}

type jsonAxis struct {
	Parameter string `json:"parameter"`
	Values    []int  `json:"values"`
}

type jsonSweep struct {
	Schema  string     `json:"schema"`
	Dlcheck string     `json:"dlcheck"`
	Subject string     `json:"subject"`
	World   string     `json:"world"`
	Tick    string     `json:"tick,omitempty"`
	Axes    []jsonAxis `json:"axes"`
	Metrics []string   `json:"metrics"`
	Cells   []jsonCell `json:"cells"`
}

type jsonCell struct {
	At      map[string]int `json:"at"`
	Values  map[string]any `json:"values"`
	Command string         `json:"command"`
}

func toJSONAxes(axes []sweep.Axis) []jsonAxis {
	out := []jsonAxis{}
	for _, a := range axes {
		out = append(out, jsonAxis{a.Param, a.Values})
	}
	return out
}

// writeJSON writes the document that sweep.schema.json describes.
func (s *cells) writeJSON(w io.Writer, version string) error {
	j := jsonSweep{Schema: sweepSchemaName, Dlcheck: version, Subject: s.subject, World: s.world, Tick: s.tick, Axes: toJSONAxes(s.axes), Cells: []jsonCell{}}
	for _, m := range s.metrics {
		j.Metrics = append(j.Metrics, m.name)
	}
	for i := range s.len() {
		cell := jsonCell{map[string]int{}, map[string]any{}, s.command(i)}
		for k, v := range s.params(i) {
			cell.At[s.axes[k].Param] = v
		}
		for m := range s.metrics {
			cell.Values[s.metrics[m].name] = s.at(i, m).json
		}
		j.Cells = append(j.Cells, cell)
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", " ")
	return enc.Encode(j)
}
