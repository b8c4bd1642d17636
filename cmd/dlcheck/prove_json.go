package main

import (
	_ "embed"
	"encoding/json"

	"dlcheck/traces"
)

// proveSchemaName is the version of the form; see reportSchemaName.
const proveSchemaName = "dlcheck/prove/v1"

//go:embed prove.schema.json
var proveSchema []byte

type jsonClaims struct {
	Schema     string      `json:"schema"`
	Dlcheck    string      `json:"dlcheck"`
	ExitStatus int         `json:"exit_status"`
	Claims     []jsonClaim `json:"claims"`
}

type jsonClaim struct {
	Store    string        `json:"store"`
	Program  string        `json:"program"`
	Property string        `json:"property"`
	Proved   bool          `json:"proved"`
	States   uint64        `json:"states"`
	Scope    string        `json:"scope"`
	Argument string        `json:"argument"` // empty: not proved
	TTL      *int          `json:"ttl"`      // null: no counterexample
	Trace    *traces.Trace `json:"trace"`
}

func (c *command) writeClaimsJSON(all []claimed) error {
	doc := jsonClaims{Schema: proveSchemaName, Dlcheck: c.version, ExitStatus: c.status, Claims: []jsonClaim{}}
	for _, s := range all {
		for i := range s.claims {
			claim := &s.claims[i]
			j := jsonClaim{
				Store: s.config.Store, Program: s.config.Program.String(), Property: claim.Property,
				Proved: claim.Proved, States: claim.States, Scope: claimText(s.config.Program, claim),
			}
			if claim.Proved {
				j.Argument = proveArgument
			}
			if v := claim.Concrete; v != nil {
				j.TTL, j.Trace = &claim.TTL, v.Trace
			}
			doc.Claims = append(doc.Claims, j)
		}
	}
	enc := json.NewEncoder(c.stdout)
	enc.SetIndent("", "  ")
	return enc.Encode(doc)
}
