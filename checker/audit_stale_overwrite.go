package checker

import (
	"fmt"

	"dlcheck/model"
	"dlcheck/traces"
)

func init() {
	addAudit(&audit{
		Property:   Property{Name: "stale-overwrite", Doc: "no accepted write belongs to an older grant than one already applied", Seed: true},
		rank:       20,
		needs:      model.Needs{Grants: true},
		monitor:    func(w *model.World) monitor { return staleOverwrite{w: w} },
		retrospect: olderGrantApplied,
	})
}

// staleOverwrite judges in true grant order, not by token: with tokens that
// do not only grow the two differ.
type staleOverwrite struct {
	stateless
	w *model.World
}

func (staleOverwrite) kinds() []model.Kind { return model.Writes() }

func (m staleOverwrite) watch(prev model.State, a model.Action, _ model.State) bool {
	grant, _, _ := m.w.Judged(prev, a)
	return a.OK && grant < m.w.Applied(prev)
}

func olderGrantApplied(t *traces.Trace) *finding {
	r := newRecord(t)
	applied, by, at := 0, 0, 0
	for i := range t.Events {
		e := &t.Events[i]
		r.see(e)
		if !e.IsWrite() {
			continue
		}
		g, _ := r.written(e)
		if !e.OK {
			continue
		}
		if g < applied {
			return &finding{i, fmt.Sprintf("%s's write was accepted with %s, from grant %d, on top of the write that %s made at tick %d under the newer grant %d: newer work is silently overwritten.",
				t.Name(e.Client), t.TokenText(e.Token), g, t.Name(by), at, applied)}
		}
		applied, by, at = g, e.Client, e.Tick
	}
	return nil
}
