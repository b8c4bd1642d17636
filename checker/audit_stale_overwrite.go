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
	is := m.w.WriteFacts(prev, a)
	return a.OK && is.Changes && is.Grant < m.w.Applied(prev)
}

func olderGrantApplied(t *traces.Trace) *finding {
	r := newRecord(t)
	applied := 0
	var newest *traces.Event // the write of that grant
	version := map[int]int{} // by object
	for i := range t.Events {
		e := &t.Events[i]
		r.see(e)
		if !e.IsWrite() {
			continue
		}
		g, _ := r.written(e)
		if !e.OK || e.Value == version[e.Object] {
			continue // the copy of a write whose content is there still changes nothing
		}
		version[e.Object] = e.Value
		if g < applied {
			return &finding{i, staleReason(t, e, g, newest, applied)}
		}
		applied, newest = g, e
	}
	return nil
}

func staleReason(t *traces.Trace, e *traces.Event, grant int, newest *traces.Event, applied int) string {
	if e.Object != newest.Object {
		return fmt.Sprintf("%s's write to object %d was accepted with %s, from grant %d, after the write to object %d that %s made at tick %d under the newer grant %d: what an older holder leaves is mixed with newer work.",
			t.Name(e.Client), e.Object+1, t.TokenText(e.Token), grant, newest.Object+1, t.Name(newest.Client), newest.Tick, applied)
	}
	return fmt.Sprintf("%s's write was accepted with %s, from grant %d, on top of the write that %s made at tick %d under the newer grant %d: newer work is silently overwritten.",
		t.Name(e.Client), t.TokenText(e.Token), grant, t.Name(newest.Client), newest.Tick, applied)
}
