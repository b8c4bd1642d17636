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
		needs:      model.Needs{Leases: true},
		monitor:    func(w *model.World) monitor { return &leaseOverlap{w: w} },
		retrospect: overlappingLeases,
	})
}

// leaseOverlap keeps its own count of what is left of each lease that was
// granted, so that a server which forgets a lease is caught by it. Where servers
// can forget, it also keeps whose lease it is: a client that is done gives it up,
// and a renewal makes it longer, whatever the servers remember.
type leaseOverlap struct {
	w    *model.World
	left []model.Field
	of   []model.Field // client + 1, where servers can forget
	per  int           // servers that each of left stands for
}

func (m *leaseOverlap) claim(l *model.Layout) {
	l.EachServer(&m.left, "granted.left", m.w.Config.TTL, m.w.LeaseScale())
	m.per = m.w.Config.Servers / l.Servers
	if m.w.Config.Forgets() {
		l.EachServer(&m.of, "granted.of", m.w.Config.Clients, model.ClientRef)
	}
}

func (m *leaseOverlap) kinds() []model.Kind {
	return append(model.Leases(), model.Release, model.Lapse)
}

func (m *leaseOverlap) watch(prev model.State, a model.Action, next model.State) bool {
	if a.Kind == model.Release || a.Kind == model.Lapse {
		m.release(a, next)
		return false
	}
	anew := a.Kind != model.Renew && a.Kind != model.Recreate
	bad := false
	for i, f := range m.left {
		if a.Servers>>(i*m.per)&1 == 0 {
			continue
		}
		// Where servers do not forget, a renewal finds its own lease.
		bad = bad || f.Get(prev) > 0 && (anew || m.of != nil && m.of[i].Get(prev) != int(a.Client)+1)
		f.Set(next, int(a.Lasts))
		if m.of != nil {
			m.of[i].Set(next, int(a.Client)+1)
		}
	}
	return bad
}

// release ends the leases of a client that is done, or whose lease is over.
func (m *leaseOverlap) release(a model.Action, next model.State) {
	for i, f := range m.left {
		if m.of == nil && a.Servers>>(i*m.per)&1 != 0 {
			f.Set(next, 0)
		}
		if m.of != nil && (m.w.Config.Releases() || a.Kind == model.Lapse) && m.of[i].Get(next) == int(a.Client)+1 {
			f.Set(next, 0)
			m.of[i].Set(next, 0)
		}
	}
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
			worst = &finding{m.At, fmt.Sprintf("%s %d granted %s the %s %s while %s's %s %s was still running.",
				t.Word("server"), m.Server+1, t.Name(m.Client), t.Word("lease"), m.Text(), t.Name(l.Client), t.Word("lease"), l.Text())}
		}
	}
	return worst
}
