package model

// Tick is the action of the clock.
var Tick = NewKind("tick")

// tick appends the passing of one tick, if it may pass.
func (w *World) tick(s State, out *Steps) {
	if w.MayTick(s) {
		w.pass(s, out)
	}
}

// MayTick says whether a tick may pass: every client is idle, done, paused, or
// has taken its step. Who is inside its program and awake must step first.
func (w *World) MayTick(s State) bool {
	k := &w.clients
	if w.now.Claimed() && w.now.Get(s) >= w.Config.Ticks || w.Config.Ticks == 0 && !w.Reduce.Time {
		return false
	}
	for c := range w.gates {
		g := &w.gates[c]
		if g.phase.of(s) == 0 || g.moved.of(s)|g.waiting.of(s) != 0 {
			continue
		}
		if g.paused.of(s) == 0 || k.asleep[c].Claimed() && k.asleep[c].Get(s) >= w.Config.MaxPause {
			return false
		}
	}
	if w.renewed != nil {
		for i, left := range w.servers.Left {
			// It does not let its lease run out, by its own clock.
			if h := w.servers.Holder[i].Get(s) - 1; h >= 0 && left.Get(s) <= 1+w.servers.expiry.ahead[h].Get(s) && w.renewed(s, h) {
				return false
			}
		}
	}
	return true
}

// pass appends the passing of one tick. It is the one thing that lowers
// countdowns. Of a tick, Action.Servers says whose lease ran out.
func (w *World) pass(s State, out *Steps) {
	n := out.Fork(s, Action{Kind: Tick, Client: Nobody, OK: true})
	w.NewTick(n)
	w.elapse(n, out)
}

// NewTick is what every tick does in the same way, whatever the state: the clock
// moves on, where it is part of the state, and nobody has taken its step yet.
func (w *World) NewTick(n State) {
	w.now.Set(n, w.now.Get(n)+1)
	for i, m := range w.movedMask {
		n[i] &^= m
	}
}

// elapse is all else that a tick does to n, which was forked for it last.
func (w *World) elapse(n State, out *Steps) {
	k := &w.clients
	w.store.Tick(n)
	for _, f := range w.countdowns {
		if left := f.Get(n); left > 0 {
			f.Set(n, left-1)
		}
	}
	expired := w.service.Expire(n)
	out.last().Servers = expired
	w.tellExpired(n, expired)
	for _, told := range w.ticks {
		told(n)
	}
	if k.asleep[0].Claimed() {
		for c := range w.Config.Clients {
			if k.paused[c].Get(n) != 0 {
				k.asleep[c].Set(n, k.asleep[c].Get(n)+1)
			}
		}
	}
}

// tellExpired tells those who want to know that leases ran out.
func (w *World) tellExpired(n State, servers uint64) {
	for _, told := range w.expired {
		told(n, servers)
	}
}

// Dated says whether the clock is part of the state: each state then tells how many
// ticks have led to it.
func (w *World) Dated() bool { return w.now.Claimed() }

// Now is the tick of s, where the clock is part of the state; else 0.
func (w *World) Now(s State) int { return w.now.Get(s) }
