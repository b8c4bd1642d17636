package main

import (
	_ "embed"
	"encoding/json"

	"dlcheck/checker"
	"dlcheck/model"
	"dlcheck/traces"
)

// explainSchemaName is the version of the form; see reportSchemaName.
const explainSchemaName = "dlcheck/explain/v1"

//go:embed explain.schema.json
var explainSchema []byte

type jsonExplanation struct {
	Schema     string        `json:"schema"`
	Dlcheck    string        `json:"dlcheck"`
	ExitStatus int           `json:"exit_status"`
	Property   string        `json:"property"`
	Trace      *traces.Trace `json:"trace"`
	MaxStates  int           `json:"max_states"`
	InTrace    bool          `json:"in_trace"`
	Necessity  []jsonNeed    `json:"necessity"`
	Cures      []jsonCured   `json:"cures"`
	Best       *string       `json:"best"` // null: no cure holds
}

type jsonNeed struct {
	Action  int            `json:"action"` // from 0, as in broken_at
	Tick    int            `json:"tick"`
	What    string         `json:"what"`
	Role    checker.Role   `json:"role"`
	Answer  checker.Answer `json:"answer"`
	Within  *int           `json:"within"` // null: at any horizon
	States  uint64         `json:"states"`
	Stopped string         `json:"stopped"`
	Other   *traces.Trace  `json:"other"`
}

type jsonCured struct {
	Name     string            `json:"name"`
	Doc      string            `json:"doc"`
	Settings map[string]string `json:"settings"`
	Schedule *jsonSchedule     `json:"schedule"` // null: no single trace shows the property
	World    jsonVerdict       `json:"world"`
	Notes    []string          `json:"notes"`
}

type jsonSchedule struct {
	Trace  *traces.Trace `json:"trace"`
	Broken bool          `json:"broken"`
	Parts  *jsonParts    `json:"parts"` // null: it goes as it did
	Left   []jsonLeft    `json:"left_out"`
}

type jsonParts struct {
	Refused bool `json:"refused"`
	Action  *int `json:"action"` // of the schedule; null: the first that was left out
}

type jsonLeft struct {
	Action int    `json:"action"` // of the trace that is explained
	Tick   int    `json:"tick"`
	Reason string `json:"reason"`
}

// writeExplanationJSON writes the document that explain.schema.json describes.
func (c *command) writeExplanationJSON(o *explainOptions, x *explanation) error {
	j := jsonExplanation{
		Schema: explainSchemaName, Dlcheck: c.version, ExitStatus: c.status, Property: x.trace.Remark.Property, Trace: x.trace,
		MaxStates: o.states, InTrace: x.inTrace, Necessity: []jsonNeed{}, Cures: []jsonCured{},
	}
	for _, n := range x.needs {
		k := jsonNeed{
			Action: n.At, Tick: x.trace.Events[n.At].Tick, What: act(x.trace, n.At), Role: n.Role, Answer: n.Answer,
			States: n.States, Stopped: n.Stopped, Other: n.Other,
		}
		if !n.Always {
			k.Within = orNull(x.trace.Config.Ticks, model.NoBound)
		}
		j.Necessity = append(j.Necessity, k)
	}
	for _, k := range x.cured {
		j.Cures = append(j.Cures, toJSONCured(k))
	}
	if x.best != nil {
		j.Best = &x.best.Name
	}
	enc := json.NewEncoder(c.stdout)
	enc.SetIndent("", "  ")
	return enc.Encode(j)
}

func toJSONCured(k *checker.Cured) jsonCured {
	j := jsonCured{
		Name: k.Name, Doc: k.Doc, Settings: map[string]string{}, World: toJSON(k.Run, false).Verdicts[0], Notes: append([]string{}, k.Run.Notes...),
	}
	for _, s := range k.Settings {
		j.Settings[s.Field] = s.Value
	}
	if k.Schedule == nil {
		return j
	}
	j.Schedule = &jsonSchedule{Trace: k.Schedule.Trace, Broken: k.Broken(), Left: []jsonLeft{}}
	if d := k.Parts; d != nil {
		j.Schedule.Parts = &jsonParts{Refused: d.Refused}
		if d.Left == nil {
			j.Schedule.Parts.Action = &d.Event
		}
	}
	for _, l := range k.Schedule.Left {
		j.Schedule.Left = append(j.Schedule.Left, jsonLeft{l.Of, l.Tick, l.Reason})
	}
	return j
}
