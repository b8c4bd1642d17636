package model

// Tick is the action of the clock.
var Tick = NewKind("tick")

// tick appends the passing of one tick, if it may pass.
func (w *World) tick(s State, out *Steps) {
	if w.mayTick(s) {
		w.pass(s, out)
	}
}

// mayTick says whether a tick may pass: every client is idle, done, paused, or
// has taken its step. Who is inside its program and awake must step first.
func (w *World) mayTick(s State) bool {
	for c := range w.gates {
		if w.gates[c].awake(s) {
			return false
		}
	}
	return w.MayTickWhenQuiet(s)
}

// MayTickWhenQuiet says whether a tick may pass in a state of which Ready says that it is
// quiet.
func (w *World) MayTickWhenQuiet(s State) bool {
	word, mask, value := w.LastTick()
	return s[word]&mask != value && w.mayPass(s)
}

// LastTick says how to see that the clock has come to the last tick: the bits under
// mask of that word of a state are value then, and only then. Where there is no last
// tick, value has bits that mask has not.
func (w *World) LastTick() (word int, mask, value uint64) {
	switch {
	case w.now.Claimed():
		return int(w.now.word), w.now.mask << w.now.shift, uint64(w.Config.Ticks) << w.now.shift
	case w.Config.Ticks == 0 && !w.Reduce.Time:
		return 0, 0, 0
	}
	return 0, 0, 1
}

// ClockIsFree says that a tick may pass in each quiet state before the last tick.
func (w *World) ClockIsFree() bool { return !w.clients.asleep[0].Claimed() && w.renewed == nil }

// mayPass says whether nobody keeps a tick waiting that may not sleep on, or has a
// lease to renew in time.
func (w *World) mayPass(s State) bool {
	if k := &w.clients; k.asleep[0].Claimed() {
		for c := range w.gates {
			g := &w.gates[c]
			if g.phase.of(s) != 0 && g.moved.of(s)|g.waiting.of(s) == 0 && k.asleep[c].Get(s) >= w.Config.MaxPause {
				return false
			}
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
	for i := range n[:len(w.newTick)] {
		n[i] = w.newTick[i].of(n[i])
	}
}

// Change is what becomes of a word: some bits are kept, and then a number is added.
type Change struct{ Keep, Add uint64 }

func (c *Change) of(x uint64) uint64 { return x&c.Keep + c.Add }

// NewTickOf is how NewTick changes each word.
func (w *World) NewTickOf() []Change { return w.newTick }

func (w *World) newTickOf() []Change {
	list := make([]Change, w.Layout.words)
	for i := range list {
		list[i].Keep = ^uint64(0)
	}
	for _, f := range w.clients.moved {
		list[f.word].Keep &^= f.mask << f.shift
	}
	if w.now.Claimed() {
		list[w.now.word].Add = 1 << w.now.shift
	}
	return list
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
