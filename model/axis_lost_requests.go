package model

import (
	"fmt"
	"math/bits"
)

var lostRequests = NewAxis(Axis{
	Name: "lost-requests", Max: 63,
	Doc:    "an acquire may miss servers, so many in the whole schedule; too few grants are handed back",
	Drifts: true,
	// Attempts make counters grow with every tick, and without a clock there
	// would be no bound on them.
	Not:      Reductions{Time: true},
	Conflict: lossyConflict,
	Build:    func(w *World, l *Layout) Hooks { return newLossy(w, l).hooks() },
})

// Attempt is an acquire that too few servers granted: they are handed back at
// once, which is never lost, and the counters stay where they went.
var Attempt = NewKind("attempt")

type lossy struct {
	w      *World
	most   int
	misses Field // so far
}

func newLossy(w *World, l *Layout) *lossy {
	v := &lossy{w: w, most: w.axis("lost-requests")}
	l.Global(&v.misses, "misses", v.most, Plain)
	return v
}

func (v *lossy) hooks() Hooks { return Hooks{Acquire: v.acquire} }

// acquire appends one transition for every set of servers that the request can
// reach: at least one of them free, and each that it misses costs one of the
// misses left. Free servers that are reached count and grant. So counters drift
// apart, and the largest of a majority no longer grows.
func (v *lossy) acquire(s State, c int, out *Steps) {
	m := v.w.servers
	left := v.most - v.misses.Get(s)
	free := m.free(s, c)
	all := ^uint64(0) >> (64 - len(m.Holder))
	subsets(all, left, func(missed uint64) {
		reached := all &^ missed
		granted := reached & free
		if granted == 0 {
			return
		}
		from := len(out.Actions)
		v.w.acquireFrom(s, c, granted, reached, out)
		for i := from; i < len(out.Actions); i++ {
			v.misses.Set(out.state(i, len(s)), v.misses.Get(s)+bits.OnesCount64(missed))
		}
	})
}

// acquireFrom appends what can come of an attempt that those servers grant.
func (w *World) acquireFrom(s State, c int, granted, reached uint64, out *Steps) {
	if bits.OnesCount64(granted)*w.servers.weight >= w.servers.quorum {
		n := w.grantBy(s, c, Acquire, granted, reached, out)
		a := *out.last()
		w.begin(n, c, int(a.Token))
		w.history.granted(n, c, w.live[c].token[1], int(a.Lasts))
		for _, answer := range w.answers {
			answer(s, c, granted, reached, out)
		}
		return
	}
	n := w.grantBy(s, c, Attempt, granted, reached, out)
	a := out.last()
	a.OK, a.Token, a.Lasts = false, 0, 0
	for g := granted; g != 0; g &= g - 1 {
		w.servers.freeOne(n, bits.TrailingZeros64(g))
	}
	w.endStep(n, c)
}

// grantBy appends the grant of those servers; the token is the largest.
func (w *World) grantBy(s State, c int, k Kind, granted, reached uint64, out *Steps) State {
	n := out.Fork(s, Action{Kind: k, Client: int8(c), OK: k == Acquire, Reached: reached})
	tok, servers := 0, uint64(0)
	for g := granted; g != 0; g &= g - 1 {
		i := bits.TrailingZeros64(g)
		tok = max(tok, w.servers.GrantOne(n, c, i))
		if w.servers.leases {
			servers |= w.servers.bits(i)
		}
	}
	a := out.last()
	a.Token, a.Servers, a.Lasts = int32(tok), servers, w.lasts()
	return n
}

// subsets yields every subset of a set with at most that many members, the
// empty one first.
func subsets(set uint64, most int, yield func(uint64)) {
	var choose func(chosen, rest uint64, most int)
	choose = func(chosen, rest uint64, most int) {
		yield(chosen)
		for ; most > 0 && rest != 0; rest &= rest - 1 {
			bit := rest & -rest
			choose(chosen|bit, rest&^bit, most-1)
		}
	}
	choose(0, set, most)
}

// mostWays bounds the sets of servers that one request can reach.
const mostWays = 10_000

func lossyConflict(c *Config) string {
	if c.Ticks == NoBound {
		return "with unlimited ticks the servers' counters would never stop growing; ask for a number of ticks"
	}
	if c.Servers == 1 {
		return "it has no effect with one server, which is reached or not asked at all; ask for more servers"
	}
	ways, choose := 0, 1
	for k := 0; k <= min(valueOf(c, "lost-requests"), c.Servers); k++ {
		if ways += choose; ways > mostWays {
			return fmt.Sprintf("of %d servers a request could reach more than %d sets; take fewer servers or fewer lost requests", c.Servers, mostWays)
		}
		choose = choose * (c.Servers - k) / (k + 1)
	}
	return ""
}
