package checker

import (
	"fmt"
	"math/bits"

	"dlcheck/model"
	"dlcheck/traces"
)

func init() {
	addAudit(&audit{
		Property:   Property{Name: "mutual-exclusion", Doc: "at no instant do two clients hold a majority of unexpired leases"},
		rank:       40,
		needs:      model.Needs{Leases: true},
		monitor:    func(w *model.World) monitor { return mutualExclusion{w: w} },
		retrospect: twoMajorities,
	})
}

type mutualExclusion struct {
	stateless
	w *model.World
}

func (mutualExclusion) kinds() []model.Kind { return model.Leases() }

func (m mutualExclusion) watch(prev model.State, a model.Action, _ model.State) bool {
	if bits.OnesCount64(a.Servers) <= m.w.Config.Servers/2 {
		return false
	}
	for c := range m.w.Config.Clients {
		if c != int(a.Client) && m.w.HasLease(prev, c) {
			return true
		}
	}
	return false
}

func twoMajorities(t *traces.Trace) *finding {
	r := newRecord(t)
	for i := range t.Events {
		e := &t.Events[i]
		if r.majority(e) {
			for c := range t.Config.Clients {
				if c != e.Client && r.holdsLock(c, e.Tick) {
					what := "majority"
					if t.Config.Servers == 1 {
						what = t.Word("lock")
					}
					reason := fmt.Sprintf("%s was granted the %s at tick %d, and %s had been granted it %s", t.Name(e.Client), what, e.Tick, t.Name(c), traces.EndText(r.holds[c].end))
					if i > 0 && t.Events[i-1].Holder != c {
						// The last column of the story says otherwise.
						reason += ", whatever is remembered of that"
					}
					return &finding{i, reason + "."}
				}
			}
		}
		r.see(e)
	}
	return nil
}
