package main

import (
	"encoding/json"

	"dlcheck/checker/sweep"
)

type jsonBoundary struct {
	Schema  string        `json:"schema"`
	Dlcheck string        `json:"dlcheck"`
	Y       string        `json:"y"`
	Axes    []jsonAxis    `json:"axes"`
	Cells   int           `json:"cells"`
	Stores  []jsonBounded `json:"stores"`
}

type jsonBounded struct {
	Schedule   string          `json:"schedule"`
	Store      string          `json:"store"`
	Conditions []jsonCondition `json:"conditions"`
	SilentLoss *jsonCommand    `json:"lost_and_not_stale"` // null: no such cell
}

type jsonCommand struct {
	Cell    string `json:"cell"`
	Command string `json:"command"`
}

type jsonCondition struct {
	Property  string       `json:"property"`
	Condition *string      `json:"condition"` // null: none was found
	Why       string       `json:"why,omitempty"`
	Broken    int          `json:"broken"`
	Lower     *jsonBound   `json:"lower"`
	Upper     *jsonBound   `json:"upper"`
	Beyond    []jsonBeyond `json:"beyond"`
}

type jsonBound struct {
	Max []jsonTerm `json:"max,omitempty"`
	Min []jsonTerm `json:"min,omitempty"` // one of both
}

type jsonTerm struct {
	Plus     []string `json:"plus"`
	Minus    []string `json:"minus"`
	Constant int      `json:"constant"`
}

type jsonBeyond struct {
	Row string `json:"row"`
	At  int    `json:"at"`
}

func toJSONBound(m *sweep.Bound) *jsonBound {
	if m == nil {
		return nil
	}
	out := &jsonBound{}
	for _, t := range m.Terms {
		j := jsonTerm{Plus: []string{}, Minus: []string{}, Constant: t.Const}
		for k, p := range t.Params {
			if t.Signs[k] > 0 {
				j.Plus = append(j.Plus, p)
			} else {
				j.Minus = append(j.Minus, p)
			}
		}
		if m.Least {
			out.Min = append(out.Min, j)
		} else {
			out.Max = append(out.Max, j)
		}
	}
	return out
}

// writeBoundaryJSON writes the document that boundary.schema.json describes.
func (c *command) writeBoundaryJSON(o *boundaryOptions, axes []sweep.Axis, all []*bounded) error {
	j := jsonBoundary{Schema: boundarySchemaName, Dlcheck: c.version, Y: o.y, Axes: toJSONAxes(axes), Cells: all[0].grid.Len()}
	for _, b := range all {
		k := jsonBounded{Schedule: b.Name, Store: b.Config.Store, Conditions: []jsonCondition{}}
		for _, f := range b.fits {
			q := jsonCondition{Property: f.property, Why: f.why, Broken: f.broken, Beyond: []jsonBeyond{}}
			if f.fit != nil {
				text := f.fit.String()
				q.Condition, q.Lower, q.Upper = &text, toJSONBound(f.fit.Lower), toJSONBound(f.fit.Upper)
			}
			for _, x := range f.beyond {
				q.Beyond = append(q.Beyond, jsonBeyond{x.Name, x.At})
			}
			k.Conditions = append(k.Conditions, q)
		}
		if i := b.silentLoss(o.y); i >= 0 {
			var more []setting
			for n, v := range b.grid.At(i) {
				more = append(more, setting{axes[n].Param, v})
			}
			k.SilentLoss = &jsonCommand{b.grid.Name(i), b.command(more...)}
		}
		j.Stores = append(j.Stores, k)
	}
	enc := json.NewEncoder(c.stdout)
	enc.SetIndent("", "  ")
	return enc.Encode(j)
}
