package checker

import (
	"math/bits"
	"unsafe"

	"dlcheck/model"
)

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
