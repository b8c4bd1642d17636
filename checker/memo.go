package checker

import (
	"encoding/binary"
	"slices"

	"dlcheck/explore"
	"dlcheck/model"
)

// A memo takes the steps of a product by heart.
//
// What an actor does in a state is decided by few of its variables, and so by few
// of its bits: of the 76 bits of the core system with four clients, a client that
// is to read looks at 15. Thousands of states agree in them. So a memo keeps, for
// each actor and stage, a mask of the bits that were ever used, and a table from
// their values to what came of them: for each transition which bits it changes,
// and what the monitors say of it. To take a step again is then a look into the
// table and an exclusive or.
//
// It is exact. What is not in the table yet is taken on a traced world, where
// each variable that a rule or a monitor reads or writes says so. A step that used
// no others than those of the mask is the same step, with the same changes, in
// each state that agrees with this one under the mask. When a step uses more, the
// mask grows, and what the table had is forgotten.
//
// A tick would look at nearly everything: whether it may pass depends on every
// client, and it moves the clock on. So both are left to the world (Readiness and
// NewTick), and what is learned is what else it does.
//
// In the core system with four clients and the claimed store, unreduced, 99 % of
// what actors are asked is known.
type memo struct {
	p       *product
	width   int
	clients int
	stages  int
	units   []unit // by client and stage, then by other actor; the last is the clock
	// kept has what came of some key: what each transition changes, and then the
	// note of each. Few things come of many keys: it is in the level-1 cache.
	kept    []uint64
	where   map[string]uint32 // what kept has, by its bytes
	bytes   []byte            // of what is to be kept
	reduces bool

	gates  [2][]uint64 // by whether the lock is taken: see ready
	asked  []uint64    // units, and of which state
	begun  []uint64    // a state as a new tick begins with it
	pairs  [][2]uint64 // states of two words, each followed by what a new tick begins with
	steps  model.Steps
	traced model.State // a state of the traced world
	used   []uint64
}

const (
	firstBits = 4       // of a new table's index
	mostBits  = 11      // of any: all tables together should stay in a level-2 cache
	mostSteps = 7       // of one actor in one state that are kept
	mostRoom  = 8       // of a cell: room is even
	mostKept  = 1 << 15 // words of what came of all keys
	trial     = 1 << 13 // misses of a table of full size until its use is judged
)

func newMemo(p *product) *memo {
	w := p.world
	m := &memo{p: p, width: w.Layout.Words(), clients: w.Config.Clients, stages: w.Stages(), reduces: w.Reduces()}
	unitOf := func(actor int) unit {
		u := unit{actor: actor}
		u.clear(firstBits)
		return u
	}
	for c := range w.Config.Clients {
		for range m.stages {
			m.units = append(m.units, unitOf(c))
		}
	}
	for a := w.Config.Clients; a < w.Actors(); a++ {
		m.units = append(m.units, unitOf(a))
	}
	m.gates = gatesOf(w.Readiness())
	m.where = make(map[string]uint32)
	m.asked = make([]uint64, m.clients)
	m.begun = make([]uint64, m.width)
	m.traced = make(model.State, 2*m.width)
	m.used = make([]uint64, m.width)
	return m
}

// Next appends the transitions out of s, in the order of World.Next.
func (m *memo) Next(s []uint64, out *explore.Batch) {
	w, from := m.p.world, len(out.States)
	m.grow(out, len(m.units))
	n, quiet := w.Ready(s, m.asked)
	for _, u := range m.asked[:n] {
		m.ask(&m.units[u], s, s, out)
	}
	clock := len(m.units) - 1
	for u := m.clients * m.stages; u < clock; u++ {
		m.ask(&m.units[u], s, s, out)
	}
	if quiet && w.MayTickWhenQuiet(s) {
		copy(m.begun, s)
		w.NewTick(m.begun[:m.width])
		m.ask(&m.units[clock], s, m.begun[:m.width], out)
	}
	if m.reduces {
		for ; from < len(out.States); from += m.width {
			w.Canonical(out.States[from : from+m.width])
		}
	}
}

// ask appends the transitions of one unit out of s. begun is s, or what every
// tick makes of it.
func (m *memo) ask(u *unit, s, begun []uint64, out *explore.Batch) {
	c := u.find(u.key(begun))
	if c == nil {
		m.miss(u, s, begun, out)
		m.grow(out, len(m.units))
		return
	}
	u.hits++
	states, notes := len(out.States), len(out.Notes)
	kept := m.kept[c.at:][:int(c.room)*(m.width+1)]
	changes := kept[:int(c.n)*m.width]
	to := out.States[states:][:len(changes)]
	for i := 0; i < len(changes); i += len(begun) {
		for k, x := range begun {
			to[i+k] = x ^ changes[i+k]
		}
	}
	note := out.Notes[notes:][:c.n]
	for i := range note {
		note[i] = explore.Note(kept[int(c.room)*m.width+i])
	}
	out.States, out.Notes = out.States[:states+len(changes)], out.Notes[:notes+len(note)]
}

// grow makes room in a batch for what some cells can hold, and for one transition
// more: or a pointer could come to point past its end.
func (m *memo) grow(out *explore.Batch, cells int) {
	if most := mostRoom*cells + 1; cap(out.States)-len(out.States) < most*m.width || cap(out.Notes)-len(out.Notes) < most {
		out.States = slices.Grow(out.States, most*m.width)
		out.Notes = slices.Grow(out.Notes, most)
	}
}

// miss appends the transitions of one actor as the rules make them.
func (m *memo) miss(u *unit, s, begun []uint64, out *explore.Batch) {
	m.steps.Reset()
	if u.off {
		m.p.world.Act(u.actor, s, &m.steps)
		for i, a := range m.steps.Actions {
			n := m.steps.States[i*m.width:][:m.width]
			out.Add(m.p.judge(s, a, n), n...)
		}
		return
	}
	t, at, note := m.p.traced, len(out.States), len(out.Notes)
	copy(m.traced, begun)
	clear(m.traced[m.width:])
	if u.actor == t.world.Actors()-1 {
		t.world.Elapse(m.traced, &m.steps)
	} else {
		t.world.Act(u.actor, m.traced, &m.steps)
	}
	clear(m.used)
	for i, a := range m.steps.Actions {
		n := m.steps.States[2*i*m.width:][:2*m.width]
		out.Add(explore.Note(t.Watch(m.traced, a, n))|m.p.slow(a), n[:m.width]...)
		m.use(n)
	}
	m.use(m.traced)
	m.learn(u, begun, out.States[at:], out.Notes[note:])
}

// use adds what was noted in a traced state.
func (m *memo) use(s model.State) {
	for i, x := range m.p.traced.world.Used(s) {
		m.used[i] |= x
	}
}

// learn keeps what comes of a state.
func (m *memo) learn(u *unit, s []uint64, states []uint64, notes []explore.Note) {
	if u.misses++; u.misses > trial && 2*u.misses > u.hits {
		u.off = true
		return
	}
	if len(notes) > mostSteps {
		return
	}
	grows := false
	for i, x := range m.used {
		grows = grows || x&^u.parts[i].mask != 0
		u.parts[i].mask |= x
	}
	if grows {
		u.clear(64 - u.shift)
		if !u.fold() {
			// Under the wider mask keys fall together, so that what is in the table
			// would be taken for the answer to other questions.
			u.off = true
			return
		}
	}
	u.room = max(u.room, (len(notes)+1)&^1, 2)
	at, ok := m.keep(s, states, notes, u.room)
	if !ok {
		return
	}
	u.put(cell{u.key(s), at, uint8(len(notes)), uint8(u.room)})
}

// keep is where what came of a state is kept. It is false if there is no room.
func (m *memo) keep(s []uint64, states []uint64, notes []explore.Note, room int) (at uint32, ok bool) {
	all := m.bytes[:0]
	for i := range room * len(s) {
		x := uint64(0)
		if i < len(states) {
			x = states[i] ^ s[i%len(s)]
		}
		all = binary.LittleEndian.AppendUint64(all, x)
	}
	for i := range room {
		x := uint64(0)
		if i < len(notes) {
			x = uint64(notes[i])
		}
		all = binary.LittleEndian.AppendUint64(all, x)
	}
	m.bytes = all
	if at, ok = m.where[string(all)]; ok {
		return at, true
	}
	if len(m.kept)+len(all)/8 > mostKept {
		return 0, false
	}
	at = uint32(len(m.kept))
	m.where[string(all)] = at
	for ; len(all) > 0; all = all[8:] {
		m.kept = append(m.kept, binary.LittleEndian.Uint64(all))
	}
	return at, true
}
