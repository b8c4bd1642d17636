package model

// The actors of a world are those who take its steps, in the order in which
// Next asks them: each client, what faults do by themselves, leases that may end
// at any moment, and last the clock. What an actor does in a state depends on few
// of its variables: it knows itself, the servers, the store, and little of the
// other clients. A traced world tells which.

func (w *World) actorsOf() (actors []func(s State, out *Steps)) {
	for c := range w.Config.Clients {
		actors = append(actors, func(s State, out *Steps) { w.clientSteps(s, c, out) })
	}
	actors = append(actors, w.nexts...)
	if w.servers.expiry.rule == expiryAny {
		actors = append(actors, w.servers.expiry.lapses)
	}
	return append(actors, w.tick)
}

// Actors is how many actors there are. The first Config.Clients are the clients,
// and the last is the clock.
func (w *World) Actors() int { return len(w.actors) }

// Act appends the transitions of one actor. Those of all, in order, are Next's.
func (w *World) Act(actor int, s State, out *Steps) { w.actors[actor](s, out) }

// A gate is where the variables of a client lie that decide whether it has a step
// to take, and whether it keeps the clock waiting. They are looked at in each
// state for each client, so as bits and not one after the other. Uses of them are
// not noted; who asks for the stage of a client knows them.
type gate struct {
	phase, rounds, moved, paused, waiting bitsAt
}

// bitsAt is some bits of one word of a state.
type bitsAt struct {
	word int
	mask uint64
}

func (b bitsAt) of(s State) uint64 { return s[b.word] & b.mask }

func (f Field) bits() bitsAt { return bitsAt{int(f.word), f.mask << f.shift} }

func (w *World) gatesOf() (gates []gate) {
	k := &w.clients
	for c := range w.Config.Clients {
		gates = append(gates, gate{k.phase[c].bits(), k.rounds[c].bits(), k.moved[c].bits(), k.paused[c].bits(), k.waiting[c].bits()})
	}
	return gates
}

// Stage is the phase of client c if it has a step to take, and -1 if not: it took
// one in this tick, or is done. Uses are not noted.
func (w *World) Stage(s State, c int) int {
	g := &w.gates[c]
	if g.moved.of(s) != 0 {
		return -1
	}
	phase := g.phase.of(s)
	if phase == 0 && g.rounds.of(s) == 0 {
		return -1
	}
	return int(phase >> (w.clients.phase[c].shift & 63))
}

// Elapse appends what a tick does to a state for which NewTick was done already.
// What it uses is noted, and what NewTick did is not.
func (w *World) Elapse(s State, out *Steps) {
	w.elapse(out.Fork(s, Action{Kind: Tick, Client: Nobody, OK: true}), out)
}

// Steady is the bits of a state that NewTick does not change, by word.
func (w *World) Steady() []uint64 {
	steady := make([]uint64, len(w.movedMask))
	for i, m := range w.movedMask {
		steady[i] = ^m
	}
	steady[w.now.word] &^= w.now.mask << w.now.shift
	return steady
}

// undo takes back the state that was forked from s last. What was looked at in it
// was looked at in s.
func (w *World) undo(s State, out *Steps) {
	if w.Layout.traced {
		n := out.States[len(out.States)-len(s):]
		for i := w.Layout.words; i < len(s); i++ {
			s[i] |= n[i]
		}
	}
	out.drop(len(s))
}

// Used is what was noted in a state of a traced world: the bits of a state of the
// plain world whose variables a step read or wrote. A state of a traced world is
// a state of the plain one followed by as many words, zero before the step.
func (w *World) Used(s State) []uint64 { return s[len(s)/2:] }

// Stages is how many phases a client may be in.
func (w *World) Stages() int {
	n := 0
	for _, p := range w.program {
		n = max(n, len(p))
	}
	return n
}

// Reduces says whether Canonical ever changes a state.
func (w *World) Reduces() bool {
	k := &w.canon
	return len(k.tokens) > 0 || len(k.grants) > 0 || len(k.classes) > 0 || k.servers != nil
}
