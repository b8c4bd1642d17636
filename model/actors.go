package model

import "math/bits"

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

// awake says that the client is inside its program, and may and must take a step
// before the clock goes on.
func (g *gate) awake(s State) bool {
	return g.phase.of(s) != 0 && g.moved.of(s)|g.waiting.of(s)|g.paused.of(s) == 0
}

// stage is the phase of client c if it has a step to take, and -1 if not: it took
// one in this tick, or is done. Uses are not noted.
func (w *World) stage(s State, c int) int {
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

// Readiness answers from a table what the gates of a client say. The gates of one
// client lie near each other, and those of another at the same distances.
type Readiness struct {
	// Tables have an entry each for all values of the bits from the first gate to the
	// last; the second is for states in which the lock is seen to be taken. They are nil
	// if the bits are too many.
	Tables [2]*[1 << MostGates]uint8
	Last   uint64     // of the entries
	At     []WordBits // by client: where the first gate lies
	Taken  Taken
}

// Taken is how to see that no client which is idle has a step to take, as the lock is
// another's: some of the bits under Mask of that word of a state are set. Where it
// takes more to see it, Mask is 0.
type Taken struct {
	Word int
	Mask uint64
}

// In says whether that is seen in s.
func (t *Taken) In(s State) bool { return s[t.Word]&t.Mask != 0 }

// takenOf is the holder of the only server, if each idle client that finds one has to
// wait, and can do nothing meanwhile.
func (w *World) takenOf() Taken {
	m, ok := w.service.(*Majority)
	if !ok {
		return Taken{}
	}
	if rule := m.expiry.rule; len(m.Holder) > 1 || rule == expiryObserved || rule == expiryAbsolute || len(w.acquires) > 0 || len(w.idle) > 0 {
		return Taken{}
	}
	holder := m.Holder[0].bits()
	return Taken{holder.word, holder.mask}
}

// WordBits is where in a state something begins.
type WordBits struct{ Word, Shift uint64 }

// What an entry of a Readiness says.
const (
	StageBits = 0x3f // the stage,
	IsAwake   = 0x40 // whether the client keeps the clock waiting,
	IsReady   = 0x80 // and whether it may have a step to take

	MostGates = 12 // bits of an index
)

func (w *World) readinessOf() (r Readiness) {
	k := &w.clients
	r.Taken = w.takenOf()
	from, to := 64, 0
	gates := func(c int) []Field { return []Field{k.phase[c], k.rounds[c], k.moved[c], k.paused[c], k.waiting[c]} }
	for _, f := range gates(0) {
		if f.Claimed() {
			from, to = min(from, int(f.shift)), max(to, int(f.shift)+bits.Len64(f.mask))
		}
	}
	first := k.phase[0]
	for c := range w.Config.Clients {
		at := k.phase[c]
		for i, f := range gates(c) {
			if g := gates(0)[i]; f.Claimed() && (f.word != at.word || f.shift-at.shift != g.shift-first.shift) {
				return Readiness{Taken: r.Taken}
			}
		}
		r.At = append(r.At, WordBits{uint64(at.word), uint64(int(at.shift) - int(first.shift) + from)})
	}
	if to-from > MostGates || w.Stages() > StageBits {
		return Readiness{Taken: r.Taken}
	}
	for i := range r.Tables {
		r.Tables[i] = new([1 << MostGates]uint8)
	}
	r.Last = 1<<(to-from) - 1
	s := make(State, w.Layout.Words())
	for x := range r.Last + 1 {
		s[first.word] = x << from
		free, taken := uint8(0), uint8(0)
		if stage := w.stage(s, 0); stage >= 0 {
			free = IsReady | uint8(stage)
			if stage > 0 || r.Taken.Mask == 0 {
				taken = free
			}
		}
		if w.gates[0].awake(s) {
			free |= IsAwake
			taken |= IsAwake
		}
		r.Tables[0][x], r.Tables[1][x] = free, taken
	}
	return r
}

// Ready says which clients may have a step to take: they neither took one in this tick
// nor are done, nor are seen to wait for the lock. For each, in order, it writes
// c*Stages() plus its phase to list, and says how many there are. It also says whether
// the state is quiet: no client keeps the clock waiting by being awake. list has room
// for each client.
func (w *World) Ready(s State, list []uint64) (n int, quiet bool) {
	quiet = true
	from := 0 // stages
	if w.ready.Taken.In(s) {
		from = 1
	}
	for c := range w.gates {
		if stage := w.stage(s, c); stage >= from {
			list[n] = uint64(c*w.stages + stage)
			n++
		}
		quiet = quiet && !w.gates[c].awake(s)
	}
	return n, quiet
}

// Readiness says the same from a table.
func (w *World) Readiness() *Readiness { return &w.ready }

// Elapse appends what a tick does to a state for which NewTick was done already.
// What it uses is noted, and what NewTick did is not.
func (w *World) Elapse(s State, out *Steps) {
	w.elapse(out.Fork(s, Action{Kind: Tick, Client: Nobody, OK: true}), out)
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
