package checker

import (
	"fmt"

	"dlcheck/model"
	"dlcheck/traces"
)

func init() {
	addAudit(&audit{
		Property:   Property{Name: "mutual-exclusion", Doc: "at no instant do two clients hold a majority of unexpired leases"},
		rank:       40,
		monitor:    func(w *model.World) monitor { return &mutualExclusion{w: w} },
		retrospect: twoMajorities,
	})
}

// mutualExclusion keeps for each client what is left of the majority that it
// was granted. All leases of one grant begin at the same tick of one clock, so
// they end together and one number is enough.
type mutualExclusion struct {
	w    *model.World
	left []model.Field
}

func (m *mutualExclusion) claim(l *model.Layout) {
	l.EachClient(&m.left, "majority.left", m.w.Config.TTL, model.Countdown)
}

func (m *mutualExclusion) kinds() []model.Kind { return []model.Kind{model.Acquire, model.Release} }

func (m *mutualExclusion) watch(prev model.State, a model.Action, next model.State) bool {
	if a.Kind == model.Release {
		m.left[a.Client].Set(next, 0)
		return false
	}
	m.left[a.Client].Set(next, m.w.Config.TTL)
	for c := range m.left {
		if c != int(a.Client) && m.left[c].Get(prev) > 0 {
			return true
		}
	}
	return false
}

func twoMajorities(t *traces.Trace) *finding {
	r := newRecord(t)
	for i := range t.Events {
		e := &t.Events[i]
		if e.Kind == model.Acquire {
			for c := range t.Config.Clients {
				if c != e.Client && r.holdsLock(c, e.Tick) {
					return &finding{i, fmt.Sprintf("%s was granted a majority at tick %d while %s's majority lasts to tick %d.",
						traces.Name(e.Client), e.Tick, traces.Name(c), r.holds[c].end)}
				}
			}
		}
		r.see(e)
	}
	return nil
}
