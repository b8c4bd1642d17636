package checker

import (
	"fmt"

	"dlcheck/model"
	"dlcheck/traces"
)

func init() {
	addAudit(&audit{
		Property:   Property{Name: "lease-overlap", Doc: "no two leases that one server granted overlap, as half-open intervals", Seed: true},
		rank:       10,
		monitor:    func(w *model.World) monitor { return &leaseOverlap{w: w} },
		retrospect: overlappingLeases,
	})
}

// leaseOverlap keeps its own count of what is left of each lease that was
// granted, so that a server which forgets a lease is caught by it.
type leaseOverlap struct {
	w    *model.World
	left []model.Field
	per  int // servers that each field stands for
}

func (m *leaseOverlap) claim(l *model.Layout) {
	l.EachServer(&m.left, "granted.left", m.w.Config.TTL, model.Countdown)
	m.per = m.w.Config.Servers / l.Servers
}

func (m *leaseOverlap) kinds() []model.Kind { return []model.Kind{model.Acquire, model.Release} }

func (m *leaseOverlap) watch(prev model.State, a model.Action, next model.State) bool {
	bad := false
	for i, f := range m.left {
		if a.Servers>>(i*m.per)&1 == 0 {
			continue
		}
		if a.Kind == model.Release {
			f.Set(next, 0)
			continue
		}
		bad = bad || f.Get(prev) > 0
		f.Set(next, m.w.Config.TTL)
	}
	return bad
}

// overlappingLeases compares the leases of each server pair by pair.
func overlappingLeases(t *traces.Trace) *finding {
	var worst *finding
	all := t.Leases()
	for i := range all {
		for k := range i {
			l, m := &all[k], &all[i]
			if l.Server != m.Server || !l.Overlaps(m) || worst != nil && worst.at <= m.At {
				continue
			}
			worst = &finding{m.At, fmt.Sprintf("server %d granted %s the lease [%d,%d) while %s's lease [%d,%d) was still running.",
				m.Server+1, t.Name(m.Client), m.Start, m.End, t.Name(l.Client), l.Start, l.End)}
		}
	}
	return worst
}
