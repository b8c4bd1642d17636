package checker

import (
	"fmt"

	"dlcheck/model"
	"dlcheck/traces"
)

func init() {
	addAudit(&audit{
		Property:   Property{Name: "fair-refusal", Doc: "no write of the client that holds the lock right now, under its newest grant, is refused"},
		rank:       70,
		needs:      model.Needs{Grants: true, Leases: true},
		monitor:    func(w *model.World) monitor { return fairRefusal{w: w} },
		retrospect: holderRefused,
	})
}

type fairRefusal struct {
	stateless
	w *model.World
}

func (fairRefusal) kinds() []model.Kind { return model.Writes() }

func (m fairRefusal) watch(prev model.State, a model.Action, _ model.State) bool {
	c := int(a.Client)
	is := m.w.WriteFacts(prev, a)
	return !a.OK && is.Awaited && m.w.HasLease(prev, c) && is.Grant == m.w.NewestGrant(prev)
}

func holderRefused(t *traces.Trace) *finding {
	r := newRecord(t)
	for i := range t.Events {
		e := &t.Events[i]
		r.see(e)
		if !e.IsWrite() {
			continue
		}
		if grant, awaited := r.written(e); !e.OK && awaited && r.holdsLock(e.Client, e.Tick) && grant == r.grants {
			return &finding{i, fmt.Sprintf("the %s refused %s's write with %s, although %s holds the %s at tick %d under the newest grant.",
				t.Word("store"), t.Name(e.Client), t.TokenText(e.Token), t.Name(e.Client), t.Word("lock"), e.Tick)}
		}
	}
	return nil
}
