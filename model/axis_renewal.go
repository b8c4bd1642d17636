package model

import "math/bits"

// Renew is a background task that makes a lease longer that is still the
// client's; Recreate is one that also takes what is free again, without asking
// for it: the lock that it held has expired, and may have been someone else's in
// between (RedLock.net #48, redlock-rb #36).
var (
	Renew    = NewKind("renew")
	Recreate = NewKind("recreate")
)

// Renewal is the keep-alive of an awake client. It may renew at any moment, and
// it does so in time: its lease does not run out before it stalls. One that
// outlives its release goes on for ever (Redisson #7272).
var _ = NewAxis(Axis{
	Name: "renewal",
	Doc: "the background task of a client that is awake: none; it renews what is still its own (own); it also takes an expired lease again that is free " +
		"(recreate); and it goes on after the release (outlives)",
	Choices:  []string{"none", "own", "recreate", "outlives"},
	Conflict: renewalConflict,
	Forgets:  func(v int) bool { return v >= renewalRecreate },
	Build:    func(w *World, l *Layout) Hooks { return newRenewal(w, l).hooks() },
})

const (
	renewalNone = iota
	renewalOwn
	renewalRecreate
	renewalOutlives
)

func renewalConflict(c *Config) string {
	if c.Endless() {
		return "it has no effect where no lease runs out"
	}
	if valueOf(c, "queue") != queueNone {
		return "a session that is kept alive does not run out in the queue; leave one of the two out"
	}
	return withoutLock(c)
}

type renewal struct {
	w    *World
	kind int
	task []Field // its task outlives its release
}

func newRenewal(w *World, l *Layout) *renewal {
	r := &renewal{w: w, kind: w.axis("renewal"), task: make([]Field, w.Config.Clients)}
	if r.kind == renewalOutlives {
		l.EachClient(&r.task, "task", 1, Plain)
	}
	w.renewed = r.runs
	return r
}

// runs says whether the task of client c runs and reaches the lock service.
func (r *renewal) runs(s State, c int) bool {
	k := &r.w.clients
	if k.cut[c].Get(s) != 0 {
		return false
	}
	if k.phase[c].Get(s) == 0 {
		return r.task[c].Get(s) != 0
	}
	return k.paused[c].Get(s) == 0 && !r.w.unanswered(s, c)
}

func (r *renewal) hooks() Hooks {
	return Hooks{Next: func(s State, out *Steps) {
		for c := range r.w.Config.Clients {
			if r.runs(s, c) {
				r.renew(s, c, out)
			}
		}
	}, Began: func(n State, c int) { r.task[c].Set(n, 1) }, AtEnd: r.task}
}

func (r *renewal) renew(s State, c int, out *Steps) {
	m := r.w.servers
	mine, short, free := uint64(0), false, uint64(0) // copies
	for i, h := range m.Holder {
		switch h.Get(s) {
		case c + 1:
			mine |= 1 << i
			short = short || m.Left[i].Get(s) < m.expiry.written(s, c, r.w.Config.TTL)
		case 0:
			if m.open(s, c, i) {
				free |= 1 << i
			}
		}
	}
	if short {
		r.extend(s, c, Renew, mine, out)
	}
	if r.kind >= renewalRecreate && free != 0 {
		r.extend(s, c, Recreate, mine|free, out)
	}
}

// extend appends that the leases of those servers are c's from now on.
func (r *renewal) extend(s State, c int, kind Kind, copies uint64, out *Steps) {
	w := r.w
	n := out.Fork(s, Action{Kind: kind, Client: int8(c), OK: true, Lasts: w.lasts()})
	servers := uint64(0)
	for ; copies != 0; copies &= copies - 1 {
		i := bits.TrailingZeros64(copies)
		w.servers.lease(n, c, i, w.Config.TTL)
		w.servers.grant[i].Set(n, w.history.newest[c].Get(s)) // it writes its own name again
		servers |= w.servers.bits(i)
	}
	out.last().Servers = servers
	if w.servers.majority(servers) {
		w.history.lease[c].Set(n, w.Config.TTL)
		w.believe(n, c, w.deadline)
	}
}
