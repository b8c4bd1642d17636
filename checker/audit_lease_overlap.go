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
// can forget, it also keeps which ones granted each client its lease: a client
// that is done gives them up, whatever the servers remember.
type leaseOverlap struct {
	w    *model.World
	left []model.Field
	by   [2][]model.Field // set of servers, by client: the first 32, and the others
	per  int              // servers that each of left stands for
}

func (m *leaseOverlap) claim(l *model.Layout) {
	l.EachServer(&m.left, "granted.left", m.w.Config.TTL, m.w.LeaseScale())
	m.per = m.w.Config.Servers / l.Servers
	if m.w.Config.Forgets() {
		l.EachClient(&m.by[0], "granted.by", 1<<min(l.Servers, 32)-1, model.Plain)
		l.EachClient(&m.by[1], "granted.by", 1<<max(l.Servers-32, 0)-1, model.Plain)
	}
}

func (m *leaseOverlap) kinds() []model.Kind {
	return []model.Kind{model.Acquire, model.Unheard, model.Release}
}

func (m *leaseOverlap) watch(prev model.State, a model.Action, next model.State) bool {
	servers, c := a.Servers, int(a.Client)
	if m.by[0] != nil {
		switch {
		case a.Kind != model.Release:
			m.setBy(next, c, servers)
		case m.w.Config.Releases() && m.w.HasLease(prev, c):
			servers = uint64(m.by[0][c].Get(prev)) | uint64(m.by[1][c].Get(prev))<<32
		default:
			servers = 0
		}
		if a.Kind == model.Release {
			m.setBy(next, c, 0)
		}
	}
	bad := false
	for i, f := range m.left {
		if servers>>(i*m.per)&1 == 0 {
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

func (m *leaseOverlap) setBy(s model.State, c int, servers uint64) {
	m.by[0][c].Set(s, int(servers&(1<<32-1)))
	m.by[1][c].Set(s, int(servers>>32))
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
			worst = &finding{m.At, fmt.Sprintf("server %d granted %s the lease %s while %s's lease %s was still running.",
				m.Server+1, t.Name(m.Client), m.Text(), t.Name(l.Client), l.Text())}
		}
	}
	return worst
}
