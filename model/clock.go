package model

// Tick is the action of the clock.
var Tick = NewKind("tick")

// tick appends the passing of one tick, if every client is idle, done,
// paused, or has taken its step: who is inside its program and awake must
// step first. It is the one thing that lowers countdowns. Of a tick,
// Action.Servers says whose lease ran out.
func (w *World) tick(s State, out *Steps) {
	k := &w.clients
	now := w.now.Get(s)
	if w.now.Claimed() && now >= w.Config.Ticks || w.Config.Ticks == 0 && !w.Reduce.Time {
		return
	}
	for c := range w.Config.Clients {
		if k.phase[c].Get(s) == 0 || k.moved[c].Get(s) != 0 || k.waiting[c].Get(s) != 0 {
			continue
		}
		if k.paused[c].Get(s) == 0 || k.asleep[c].Claimed() && k.asleep[c].Get(s) >= w.Config.MaxPause {
			return
		}
	}
	if w.renewed != nil {
		for i, left := range w.servers.Left {
			// It does not let its lease run out, by its own clock.
			if h := w.servers.Holder[i].Get(s) - 1; h >= 0 && left.Get(s) <= 1+w.servers.expiry.ahead[h].Get(s) && w.renewed(s, h) {
				return
			}
		}
	}
	n := out.Fork(s, Action{Kind: Tick, Client: Nobody, OK: true})
	w.store.Tick(n)
	w.now.Set(n, now+1)
	for i, m := range w.movedMask {
		n[i] &^= m
	}
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

// Now is the tick of s, where the clock is part of the state; else 0.
func (w *World) Now(s State) int { return w.now.Get(s) }
