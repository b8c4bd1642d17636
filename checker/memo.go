package checker

import (
	"math/bits"
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
// client, and it moves the clock on. So both are left to the rules, and what is
// learned is what else it does.
//
// In the core system with four clients and the claimed store, unreduced, 97 % of
// what actors are asked is known, and to take the steps is a third of a search
// where it was a half of a slower one.
type memo struct {
	p       *product
	width   int
	clients int
	stages  int
	units   []unit // by client and stage, then by other actor; the last is the clock
	notes   []explore.Note
	reduces bool

	asked  []question
	steps  model.Steps
	traced model.State // a state of the traced world
	ticked model.State
	used   []uint64
}

// A unit is what is known of an actor in one stage.
type unit struct {
	actor int
	mask  []uint64
	turn  []int // by how many bits each masked word is turned, so that all make one key
	// A cell is a key, a head, and the changes of each transition. The head has in
	// its lowest byte the number of transitions plus 1, and in the others the
	// numbers of their notes.
	cells []uint64
	shift int // 64 less the bits of a cell's index
	room  int // transitions in a cell
	cell  int // words of a cell
	// hits and misses count since the table was made.
	hits, misses int
	off          bool // nothing more is learnt: what is not in the table is asked of the rules
}

const (
	firstBits = 4       // of a new table's index
	mostWords = 1 << 12 // of a table: all tables together should stay in a level-2 cache
	mostSteps = 7       // of one actor in one state that are kept
	mostNotes = 1 << 8
	trial     = 1 << 13 // misses of a table of full size until its use is judged
)

func newMemo(p *product) *memo {
	w := p.world
	m := &memo{p: p, width: w.Layout.Words(), clients: w.Config.Clients, stages: w.Stages(), reduces: w.Reduces()}
	unitOf := func(actor int) unit {
		u := unit{actor: actor, mask: make([]uint64, m.width), turn: make([]int, m.width)}
		u.clear(firstBits, 1)
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
	m.asked = make([]question, m.clients)
	m.traced = make(model.State, 2*m.width)
	m.ticked = make(model.State, m.width)
	m.used = make([]uint64, m.width)
	return m
}

// A question is what one actor does in a state, put to the table of its unit.
type question struct {
	unit int32 // number of the unit
	key  uint64
	at   int    // where the cell begins
	has  uint64 // the key that the cell has
}

// Next appends the transitions out of s, in the order of World.Next. The tables of
// all clients are asked before the first answer is read, so that cache misses
// overlap.
func (m *memo) Next(s []uint64, out *explore.Batch) {
	w, from := m.p.world, len(out.States)
	n := 0
	for c := range m.clients {
		if stage := w.Stage(s, c); stage >= 0 {
			m.ask(&m.asked[n], c*m.stages+stage, s)
			n++
		}
	}
	for i := range m.asked[:n] {
		m.answer(&m.asked[i], s, s, out)
	}
	q, clock := &m.asked[0], len(m.units)-1
	for i := m.clients * m.stages; i < clock; i++ {
		m.ask(q, i, s)
		m.answer(q, s, s, out)
	}
	if w.MayTick(s) {
		copy(m.ticked, s)
		w.NewTick(m.ticked)
		m.ask(q, clock, m.ticked)
		m.answer(q, s, m.ticked, out)
	}
	if m.reduces {
		for ; from < len(out.States); from += m.width {
			w.Canonical(out.States[from : from+m.width])
		}
	}
}

// ask puts a question to a unit.
func (m *memo) ask(q *question, unit int, s []uint64) {
	u := &m.units[unit]
	key := u.key(s)
	at := u.home(key)
	q.unit, q.key, q.at, q.has = int32(unit), key, at, u.cells[at]
}

// answer appends the transitions of one actor out of s. begun is s, or what every
// tick makes of it.
func (m *memo) answer(q *question, s, begun []uint64, out *explore.Batch) {
	u := &m.units[q.unit]
	cell := u.cells[q.at:]
	head := cell[1]
	if q.has != q.key || head == 0 {
		m.miss(u, s, begun, out)
		return
	}
	u.hits++
	cell = cell[2:]
	for n := head & 0xff; n > 1; n-- {
		switch len(begun) {
		case 1:
			out.States = append(out.States, begun[0]^cell[0])
		case 2:
			out.States = append(out.States, begun[0]^cell[0], begun[1]^cell[1])
		default:
			for i, x := range begun {
				out.States = append(out.States, x^cell[i])
			}
		}
		cell = cell[len(begun):]
		head >>= 8
		out.Notes = append(out.Notes, m.notes[head&0xff])
	}
}

// key folds the bits under the mask into one word.
func (u *unit) key(s []uint64) (key uint64) {
	for i, mask := range u.mask {
		key ^= bits.RotateLeft64(s[i]&mask, u.turn[i])
	}
	return key
}

// home is where the cell for a key begins.
func (u *unit) home(key uint64) int {
	return int(key*0x9e3779b97f4a7c15>>(u.shift&63)) * u.cell
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
	head := uint64(len(notes) + 1)
	for k, note := range notes {
		i := slices.Index(m.notes, note)
		if i < 0 && len(m.notes) == mostNotes {
			return
		}
		if i < 0 {
			i = len(m.notes)
			m.notes = append(m.notes, note)
		}
		head |= uint64(i) << (8 * (k + 1))
	}
	grows := false
	for i, x := range m.used {
		grows = grows || x&^u.mask[i] != 0
		u.mask[i] |= x
	}
	if grows && !u.fold() {
		// Under the wider mask keys fall together, so that what is in the table
		// would be taken for the answer to other questions.
		clear(u.cells)
		u.off = true
		return
	}
	switch bits := 64 - u.shift; {
	case len(notes) > u.room:
		u.clear(bits, len(notes))
	case u.misses > 2<<bits && u.cell<<(bits+1) <= mostWords:
		u.clear(bits+1, u.room)
	case grows:
		clear(u.cells)
	}
	key := u.key(s)
	cell := u.cells[u.home(key):]
	cell[0], cell[1] = key, head
	for k := range notes {
		for i, x := range s {
			cell[2+k*m.width+i] = x ^ states[k*m.width+i]
		}
	}
}

// fold looks for turns of the masked words that make one key of them, in which no
// two bits fall together.
func (u *unit) fold() bool {
	taken := uint64(0)
next:
	for i, mask := range u.mask {
		for turn := range 64 {
			if x := bits.RotateLeft64(mask, turn); taken&x == 0 {
				taken |= x
				u.turn[i] = turn
				continue next
			}
		}
		return false
	}
	return true
}

// clear makes a table of 2^bits empty cells.
func (u *unit) clear(bits, room int) {
	u.shift, u.room = 64-bits, room
	u.cell = 2 + room*len(u.mask)
	u.cells = make([]uint64, u.cell<<bits)
	u.hits, u.misses = 0, 0
}
