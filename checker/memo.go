package checker

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"unsafe"

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

// A unit is what is known of an actor in one stage.
type unit struct {
	actor int
	parts [model.MaxWords]part // by word: what of it goes into a key; the first is not turned
	// Each key may be in one of the two cells of a pair, which share a cache line.
	pairs []pair
	table unsafe.Pointer // to the first of them
	shift int            // 64 less the bits of a pair's index
	room  int            // most transitions that came of a key
	// hits and misses count since the table was made.
	hits, misses int
	off          bool // nothing more is learnt: what is not in the table is asked of the rules
}

const unitSize = uint64(unsafe.Sizeof(unit{}))

// A part is what a word of a state has in a key: some bits, turned so that no two
// parts fall together.
type part struct {
	mask uint64
	turn int
}

type pair [2]cell

// A cell has a key, and where in the memo what came of it is: n transitions, and
// memory for room of them, which is 0 in an empty cell only.
type cell struct {
	key     uint64
	at      uint32
	n, room uint8
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

// NextOfMany is Next for several states. Where they have two words, as they mostly
// have if they are not reduced, it first lists all that is to be asked, of all states,
// and then goes through the list.
//
// So there is next to no branch that could not be foreseen: which clients have a
// step to take, whether the clock may go on, and how many transitions there are of
// each. Of those as many as there is room for are written, and the next are written
// over what are none.
func (m *memo) NextOfMany(states []uint64, out *explore.Batch, ends []int) {
	w := m.p.world
	if m.width != 2 || m.reduces || len(m.units) > m.clients*m.stages+1 || len(m.gates[0]) == 0 || !w.ClockIsFree() {
		for i := range ends {
			m.Next(states[i*m.width:][:m.width], out)
			ends[i] = len(out.Notes)
		}
		return
	}
	if most := len(ends) * (m.clients + 1); len(m.asked) < most {
		m.asked, m.pairs = make([]uint64, most), make([][2]uint64, 2*len(ends))
	}
	change, gates := (*[2]model.Change)(w.NewTickOf()), w.Readiness()
	last, mask, value := w.LastTick()
	asked, n := unsafe.Pointer(unsafe.SliceData(m.asked)), 0
	from, to := unsafe.Pointer(unsafe.SliceData(states)), unsafe.Pointer(unsafe.SliceData(m.pairs))
	clock := 1<<32 | uint64(len(m.units)-1)*unitSize
	for i := range ends {
		s, pairs := (*[2]uint64)(unsafe.Add(from, 16*i)), (*[2][2]uint64)(unsafe.Add(to, 32*i))
		a, b := s[0], s[1]
		pairs[0] = [2]uint64{a, b}
		pairs[1] = [2]uint64{a&change[0].Keep + change[0].Add, b&change[1].Keep + change[1].Add}
		tag := uint64(2*i) << 32
		ready, all := m.ready(gates, s, tag, unsafe.Add(asked, 8*n))
		n += ready
		*(*uint64)(unsafe.Add(asked, 8*n)) = tag + clock
		n += one(all&awake == 0) & one(s[last&1]&mask != value)
	}
	m.askPairs(m.asked[:n], out, ends)
}

// What an entry of gates says beside which unit of its client is to be asked. The bits
// stay in a question.
const (
	isReady = 1 << 63 // if the client may have a step to take
	awake   = 1 << 62 // whether the client keeps the clock waiting
	ofState = awake - 1
)

// gatesOf makes questions of what a Readiness says.
func gatesOf(r *model.Readiness) (gates [2][]uint64) {
	if r.Tables[0] == nil {
		return gates
	}
	for i, table := range r.Tables {
		for _, entry := range table[:r.Last+1] {
			q := uint64(entry&model.StageBits) * unitSize
			if entry&model.IsReady != 0 {
				q |= isReady
			}
			if entry&model.IsAwake != 0 {
				q |= awake
			}
			gates[i] = append(gates[i], q)
		}
	}
	return gates
}

// ready writes a question for each client that may have a step to take, and says how many
// there are, and all that any entry of gates says. It is a function of its own so that
// what changes in its loop is in registers.
//
//go:noinline
func (m *memo) ready(r *model.Readiness, s *[2]uint64, tag uint64, to unsafe.Pointer) (n int, all uint64) {
	each := uint64(m.stages) * unitSize
	table, last := unsafe.Pointer(unsafe.SliceData(m.gates[one(r.Taken.In(s[:]))])), r.Last
	for _, at := range r.At {
		entry := *(*uint64)(unsafe.Add(table, s[at.Word&1]>>(at.Shift&63)&last*8))
		*(*uint64)(unsafe.Add(to, 8*n)) = tag + entry
		n += int(entry >> 63)
		all |= entry
		tag += each
	}
	return n, all
}

// one is 1 for true.
func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

// askPairs appends the transitions of units out of states of two words. A question says
// where the unit lies in units and, from bit 32 on (see ofState), which pair of words it
// is asked of: each state, or it as a new tick begins with it. ends is as NextOfMany gives
// it.
func (m *memo) askPairs(asked []uint64, out *explore.Batch, ends []int) {
	clear(ends)
	ends[0] = len(out.Notes)
	for len(asked) > 0 {
		m.grow(out, len(asked))
		known, n := m.answerPairs(asked, len(out.Notes), unsafe.Pointer(unsafe.SliceData(out.States)), unsafe.Pointer(unsafe.SliceData(out.Notes)), unsafe.Pointer(unsafe.SliceData(ends)))
		out.States, out.Notes = out.States[:2*n], out.Notes[:n]
		if asked = asked[known:]; len(asked) > 0 {
			q := asked[0]
			of := q & ofState >> 32
			m.miss(&m.units[uint64(uint32(q))/unitSize], m.pairs[of&^1][:], m.pairs[of][:], out)
			ends[of/2] = len(out.Notes)
			asked = asked[1:]
		}
	}
	for i := 1; i < len(ends); i++ {
		ends[i] = max(ends[i], ends[i-1]) // where nothing was asked
	}
}

// answerPairs answers questions up to the first to which no answer is known, and says how
// many, and how many transitions there are then. It does so in nothing but registers.
func (m *memo) answerPairs(asked []uint64, n int, states, notes, ends unsafe.Pointer) (known, transitions int) {
	units, kept := unsafe.Pointer(unsafe.SliceData(m.units)), unsafe.Pointer(unsafe.SliceData(m.kept))
	pairs := unsafe.Pointer(unsafe.SliceData(m.pairs))
	for i, q := range asked {
		of := q & ofState >> 32
		u, s := (*unit)(unsafe.Add(units, uint32(q))), (*[2]uint64)(unsafe.Add(pairs, 16*of))
		a, b := s[0], s[1]
		c := u.find(a&u.parts[0].mask ^ bits.RotateLeft64(b&u.parts[1].mask, u.parts[1].turn))
		if c == nil {
			return i, n
		}
		u.hits++
		from, to, note := unsafe.Add(kept, 8*uintptr(c.at)), unsafe.Add(states, 16*n), unsafe.Add(notes, 8*n)
		if c.room == 2 { // mostly
			from, to, note := (*[6]uint64)(from), (*[4]uint64)(to), (*[2]uint64)(note)
			to[0], to[1] = a^from[0], b^from[1]
			to[2], to[3] = a^from[2], b^from[3]
			note[0], note[1] = from[4], from[5]
		} else {
			m.write(c, s, from, to, note)
		}
		n += int(c.n)
		*(*int)(unsafe.Add(ends, of/2*8)) = n
	}
	return len(asked), n
}

// write writes the transitions of a cell with room for any number.
func (m *memo) write(c *cell, s *[2]uint64, from, to, note unsafe.Pointer) {
	changes, states := unsafe.Slice((*[2]uint64)(from), c.room), unsafe.Slice((*[2]uint64)(to), c.room)
	for k, x := range changes {
		states[k] = [2]uint64{s[0] ^ x[0], s[1] ^ x[1]}
	}
	copy(unsafe.Slice((*uint64)(note), c.room), unsafe.Slice((*uint64)(unsafe.Add(from, 16*uintptr(c.room))), c.room))
}

// find is the cell that has a key, or nil.
func (u *unit) find(key uint64) *cell {
	p := (*pair)(unsafe.Add(u.table, u.home(key)*unsafe.Sizeof(pair{})))
	way := 0
	if p[0].key != key { // no branch, as it cannot be foreseen
		way = 1
	}
	if c := &p[way&1]; c.key == key && c.room != 0 {
		return c
	}
	return nil
}

// grow makes room in a batch for what some cells can hold, and for one transition
// more: or a pointer could come to point past its end.
func (m *memo) grow(out *explore.Batch, cells int) {
	if most := mostRoom*cells + 1; cap(out.States)-len(out.States) < most*m.width || cap(out.Notes)-len(out.Notes) < most {
		out.States = slices.Grow(out.States, most*m.width)
		out.Notes = slices.Grow(out.Notes, most)
	}
}

// key folds the bits that count into one word.
func (u *unit) key(s []uint64) uint64 {
	key := s[0] & u.parts[0].mask
	if len(s) > 1 {
		key ^= bits.RotateLeft64(s[1]&u.parts[1].mask, u.parts[1].turn)
		for i := 2; i < len(s); i++ {
			p := &u.parts[i%model.MaxWords]
			key ^= bits.RotateLeft64(s[i]&p.mask, p.turn)
		}
	}
	return key
}

// home is the pair where a key may be.
func (u *unit) home(key uint64) uintptr { return uintptr(key * 0x9e3779b97f4a7c15 >> (u.shift & 63)) }

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

// put puts a key into the table, and another out where there is no room.
func (u *unit) put(c cell) {
	p := &u.pairs[u.home(c.key)]
	switch bits := 64 - u.shift; {
	case p[0].room == 0:
		p[0] = c
	case p[1].room == 0:
		p[1] = c
	case bits < mostBits:
		old := u.pairs
		u.clear(bits + 1)
		for i := range old {
			for _, k := range old[i] {
				if k.room != 0 {
					u.put(k)
				}
			}
		}
		u.put(c)
	default:
		p[1] = p[0]
		p[0] = c
	}
}

// fold looks for turns of the masked words that make one key of them, in which no
// two bits fall together.
func (u *unit) fold() bool {
	taken := uint64(0)
next:
	for i := range u.parts {
		for turn := range 64 {
			if x := bits.RotateLeft64(u.parts[i].mask, turn); taken&x == 0 {
				taken |= x
				u.parts[i].turn = turn
				continue next
			}
		}
		return false
	}
	return true
}

// clear makes a table of 2^bits empty pairs.
func (u *unit) clear(bits int) {
	u.shift = 64 - bits
	u.pairs = make([]pair, 1<<bits)
	u.table = unsafe.Pointer(unsafe.SliceData(u.pairs))
	u.hits, u.misses = 0, 0
}
