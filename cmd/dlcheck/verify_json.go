package main

import (
	_ "embed"
	"encoding/json"
	"fmt"

	"dlcheck/checker/certificate"
	"dlcheck/traces"
)

const verifySchemaName = "dlcheck/verify/v1"

//go:embed verify.schema.json
var verifySchema []byte

type jsonVerified struct {
	Schema      string            `json:"schema"`
	Dlcheck     string            `json:"dlcheck"`
	ExitStatus  int               `json:"exit_status"`
	File        string            `json:"file"`
	True        bool              `json:"true"`
	World       traces.World      `json:"world"`
	Claim       certificate.Claim `json:"claim"`
	Reductions  []string          `json:"reductions"`
	Properties  []string          `json:"properties"`
	Silent      []string          `json:"not_vouched_for"`
	States      uint64            `json:"states"`
	Words       int               `json:"words"`
	Transitions uint64            `json:"transitions"`
	Bytes       int64             `json:"bytes"`
	SHA256      string            `json:"sha256"`
	Seconds     float64           `json:"seconds"`
	Wrong       *jsonWrong        `json:"wrong"` // null: nothing is
}

type jsonWrong struct {
	Fault    certificate.Fault `json:"fault"`
	Sentence string            `json:"sentence"`
	State    uint64            `json:"state"`
	From     string            `json:"from"`
	Action   string            `json:"action"`
	To       string            `json:"to"`
	Property string            `json:"property"`
}

// writeVerifiedJSON writes the document that verify.schema.json describes.
func (c *command) writeVerifiedJSON(v *verified) error {
	h := v.Header
	j := jsonVerified{
		Schema: verifySchemaName, Dlcheck: c.version, ExitStatus: c.status, File: v.name, True: v.Wrong == nil,
		World: h.World, Claim: h.Claim, Reductions: h.Reductions, Properties: h.Properties, Silent: append([]string{}, h.Silent...),
		States: h.States, Words: h.Words, Transitions: v.Transitions, Bytes: v.Bytes, SHA256: fmt.Sprintf("%x", v.Sum), Seconds: v.took.Seconds(),
	}
	if w := v.Wrong; w != nil {
		j.Wrong = &jsonWrong{w.Fault, w.Sentence(), w.State, w.From, w.Action, w.To, w.Property}
	}
	enc := json.NewEncoder(c.stdout)
	enc.SetIndent("", "  ")
	return enc.Encode(j)
}
