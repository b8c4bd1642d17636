package main

import (
	_ "embed"
	"encoding/json"

	"dlcheck/checker"
	"dlcheck/model"
	"dlcheck/traces"
)

// reportSchemaName is the version of the form. A field that is added keeps
// it; one that goes, or changes its meaning, makes a new one.
const reportSchemaName = "dlcheck/report/v1"

//go:embed report.schema.json
var reportSchema []byte

type jsonReport struct {
	Schema     string    `json:"schema"`
	Dlcheck    string    `json:"dlcheck"` // what --version says
	ExitStatus int       `json:"exit_status"`
	System     string    `json:"system,omitempty"` // that the flags are on top of
	Runs       []jsonRun `json:"runs"`
}

type jsonRun struct {
	Store             string            `json:"store"`
	Clients           int               `json:"clients"`
	Ticks             *int              `json:"ticks"` // null: no bound
	TTL               int               `json:"ttl"`
	Servers           int               `json:"servers"`
	Rounds            *int              `json:"rounds"`
	Pauses            int               `json:"pauses"`
	MaxPause          *int              `json:"max_pause"` // null: no bound
	Program           string            `json:"program"`
	Minimize          string            `json:"minimize"`
	Axes              map[string]string `json:"axes"` // those that are on
	Reductions        []string          `json:"reductions"`
	States            uint64            `json:"states"`
	Transitions       uint64            `json:"transitions"`
	DepthSteps        int               `json:"depth_steps"`
	DepthTicks        int               `json:"depth_ticks"`
	Closed            bool              `json:"closed"`
	Complete          bool              `json:"complete"`
	Stopped           string            `json:"stopped"`
	Seconds           float64           `json:"seconds"`
	PeakBytes         int64             `json:"peak_bytes"`
	PeakDiskBytes     *int64            `json:"peak_disk_bytes,omitempty"`
	StateBits         int               `json:"state_bits"`
	Histories         uint64            `json:"histories"`
	HistoriesComplete bool              `json:"histories_complete"`
	Notes             []string          `json:"notes"`
	Saw               *jsonSaw          `json:"saw,omitempty"`
	Verdicts          []jsonVerdict     `json:"verdicts"`
}

type jsonVerdict struct {
	Property       string         `json:"property"`
	Verdict        checker.Result `json:"verdict"`
	ReportOnly     bool           `json:"report_only"`
	Scope          string         `json:"scope"`
	Bound          *int           `json:"bound"`
	ViolatedAtTick *int           `json:"violated_at_tick"`
	Trace          *traces.Trace  `json:"trace"`
	Front          *jsonFront     `json:"front,omitempty"`
	AllMinimal     *jsonAll       `json:"all_minimal,omitempty"`
}

// orNull is null in place of the number that stands for none.
func orNull(n, none int) *int {
	if n == none {
		return nil
	}
	return &n
}

// toJSON is what the report has of a run; onDisk says that its states were there.
func toJSON(r *checker.Run, onDisk bool) jsonRun {
	w := &r.Config
	j := jsonRun{
		Store: w.Store, Clients: w.Clients, Ticks: orNull(w.Ticks, model.NoBound), TTL: w.TTL, Servers: w.Servers,
		Rounds: orNull(w.Rounds, model.NoBound), Pauses: w.Pauses, MaxPause: orNull(w.MaxPause, model.NoBound), Program: w.Program.String(), Minimize: string(r.Minimize),
		Axes: w.AxesOn(), Reductions: append([]string{}, r.Reductions...), States: r.States, Transitions: r.Transitions,
		DepthSteps: r.DepthSteps, DepthTicks: r.DepthTicks, Closed: r.Closed, Complete: r.Complete, Stopped: r.Stopped,
		Seconds: r.Elapsed.Seconds(), PeakBytes: r.PeakBytes, StateBits: r.StateBits,
		Histories: r.Histories, HistoriesComplete: r.HistoriesComplete, Notes: append([]string{}, r.Notes...), Saw: sawJSON(r), Verdicts: []jsonVerdict{},
	}
	if onDisk {
		j.PeakDiskBytes = &r.PeakDiskBytes
	}
	for _, v := range r.Verdicts {
		j.Verdicts = append(j.Verdicts, jsonVerdict{
			v.Property, v.Result, v.ReportOnly, v.Scope, orNull(v.Bound, -1), orNull(v.BeyondAt, 0), v.Trace, frontJSON(v.Front), allJSON(v.All),
		})
	}
	return j
}

// writeReport writes the document that report.schema.json describes.
func (c *command) writeReport(runs []*checker.Run) error {
	report := jsonReport{Schema: reportSchemaName, Dlcheck: c.version, ExitStatus: c.status, Runs: []jsonRun{}}
	if s := c.options.system; s != nil {
		report.System = s.Name
	}
	for _, r := range runs {
		report.Runs = append(report.Runs, toJSON(r, c.options.disk != ""))
	}
	enc := json.NewEncoder(c.stdout)
	enc.SetIndent("", "  ")
	return enc.Encode(report)
}
