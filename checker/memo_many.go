package checker

import (
	"math/bits"
	"unsafe"

	"dlcheck/explore"
	"dlcheck/model"
)

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
