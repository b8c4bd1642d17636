package explore

import (
	"fmt"
	"unsafe"
)

// A shard is one part of the visited set: an arena, and an open-addressing
// hash table that finds states in it.
//
// The table has 2^k slots of 32 bits. A slot is 0 when empty, and otherwise
//
//	 31 ........ k   k-1 .............. 0
//	[ 32-k bits tag | index - since + 1 ]
//
// where since is the first state that the table has: it has all from there on. These
// are all states, since 0, but in a dated search, which empties its tables before
// the first state of each P: see [Dated].
//
// The number never needs more than k bits since the table is at most three
// quarters full, and every bit it does not need serves as tag. Of a state's
// 32-bit place, the k upper bits say where its probing begins and the others
// are the tag: together the whole place, so with 2^20 slots a shard (some 50
// million states in all) one occupied slot in 4096 is mistaken for a match.
// A match is then confirmed word by word in the arena. Nothing rests on
// the hash but speed.
//
// Slots of 64 bits would allow tags of 32, and cost 5 to 11 bytes more a
// state.
type shard struct {
	slots unsafe.Pointer // of the table
	k     uint32
	limit uint32 // states of the table at which it must grow
	since uint32 // the first of them
	arena
	table []uint64 // the table's memory
	most  uint32   // states it may hold: maxStates, or less in tests
	stop  uint32   // states up to which nothing but to add them is to be done, or fewer: see put
	full  bool     // a state had to be refused
	held  queue    // candidates for later buckets
	asked uint32   // candidates for later buckets that were looked up
	kept  uint32   // those of them that were not known
	_     [64]byte
}

// slot is slot number i, where the 2^k slots repeat for ever.
func (s *shard) slot(i uint32) *uint32 {
	return (*uint32)(unsafe.Add(s.slots, uintptr(i&(1<<(s.k&31)-1))*4))
}

// home is the slot where a state's probing begins.
func (s *shard) home(place uint32) uint32 { return place >> ((32 - s.k) & 31) }

const (
	firstTable = 8 // k of a new table: 256 slots

	// maxStates a shard. An ID has 26 bits for the index; the last one is
	// kept for None.
	maxStates = 1<<(32-shardBits) - 1

	// lookahead is how many candidates have their slots and states touched
	// before the first of them is decided.
	lookahead = 128
)

func (s *shard) init(width int, pool *pool) {
	s.width, s.most, s.pool = uintptr(width), maxStates, pool
	s.held.record = width + 1
	s.resize(firstTable)
}

// find looks a state up: its index or, if the shard does not have it, the slot
// where it would be put.
func (s *shard) find(words []uint64, place uint32) (at uint32, known bool) {
	return s.findFrom(s.home(place), unsafe.Pointer(unsafe.SliceData(words)), place)
}

// findFrom does that where no slot before at is of interest.
func (s *shard) findFrom(at uint32, words unsafe.Pointer, place uint32) (uint32, bool) {
	mask, tag := uint32(1)<<(s.k&31)-1, place<<(s.k&31)
	for ; ; at++ {
		slot := *s.slot(at)
		if slot == 0 {
			return at, false
		}
		if slot^tag <= mask && s.differs(s.since+slot&mask-1, words) == 0 {
			return s.since + slot&mask - 1, true
		}
	}
}

// put adds a candidate unless the shard has it by now. No slot before at is of
// interest. It says whether the table has grown. Mostly that slot is empty, and the
// chunk and the table have room: then it does itself what insert does.
func (s *shard) put(at uint32, words unsafe.Pointer, h uint64, parent ID) (grown bool) {
	slot := s.slot(at)
	if *slot != 0 || s.n >= s.stop {
		return s.insert(at, words, h, parent)
	}
	s.write(words, parent)
	*slot = place(h)<<(s.k&31) | (s.n - s.since)
	return false
}

// insert is put.
func (s *shard) insert(at uint32, words unsafe.Pointer, h uint64, parent ID) (grown bool) {
	at, known := s.findFrom(at, words, place(h))
	if known {
		return false
	}
	if s.n == s.most {
		s.full = true
		return false
	}
	s.add(words, parent)
	*s.slot(at) = place(h)<<(s.k&31) | (s.n - s.since)
	if grown = s.n-s.since >= s.limit; grown {
		s.resize(s.k + 1)
	}
	s.stop = min(s.n+s.room(), s.since+s.limit-1, s.most)
	return grown
}

// hold keeps a candidate for later that the shard does not hold yet. No slot before
// at is of interest.
func (s *shard) hold(at uint32, words unsafe.Pointer, h uint64, parent ID) {
	if _, known := s.findFrom(at, words, place(h)); !known {
		s.kept++
		s.held.push(words, meta(h, parent))
	}
}

// news says which of a batch of candidates are not obviously known: it writes
// their numbers to the beginning of the batch, and to slots where in the table
// to look on, and returns how many they are.
//
// Nearly each candidate costs two cache misses: its slot, and the state the
// slot points to. Taken one after the other, the processor would wait for
// each of them. But it waits only where a branch depends on what is loaded;
// so a batch is taken in two loops, of which the first only asks for slots, and
// the second reads slots that have arrived, asks for states, and makes of how they
// differ no branch but a sum.
func news(of *[shards]shard, c *candidates, batch []uint32, slots *[lookahead]uint32) (unknown int) {
	hashes := c.hashes
	for n, i := range batch {
		h := hashes[i]
		s := &of[owner(h)]
		slots[n%lookahead] = *s.slot(s.home(place(h)))
	}
	for n, i := range batch {
		h, slot := hashes[i], slots[n%lookahead]
		s := &of[owner(h)]
		mask, tag := uint32(1)<<(s.k&31)-1, place(h)<<(s.k&31)
		at := s.home(place(h))
		for slot != 0 && slot^tag > mask {
			at++
			slot = *s.slot(at)
		}
		differ := uint64(1)
		if slot != 0 {
			differ = s.differs(s.since+slot&mask-1, c.at(i))
		}
		batch[unknown], slots[unknown%lookahead] = i, at
		if differ != 0 {
			unknown++
		}
	}
	return unknown
}

// A fate is what becomes of candidates.
type fate int

const (
	// due: they are put into their shards.
	due fate = iota
	// sifted: they are kept for later, but those that are known already.
	sifted
	// kept: they are kept for later, whatever they are.
	kept
)

// settle lets the picked candidates have their fate. It overwrites what was
// picked.
func settle(of *[shards]shard, c *candidates, picked []uint32, fate fate) {
	if fate == kept {
		for _, i := range picked {
			h := c.hashes[i]
			of[owner(h)].held.push(c.at(i), meta(h, c.parents[i]))
		}
		return
	}
	var at [lookahead]uint32
	for len(picked) > 0 {
		batch := picked[:min(len(picked), lookahead)]
		picked = picked[len(batch):]
		if fate == sifted {
			for _, i := range batch {
				of[owner(c.hashes[i])].asked++
			}
		}
		grown := false
		for n, i := range batch[:news(of, c, batch, &at)] {
			h := c.hashes[i]
			s, at := &of[owner(h)], at[n%lookahead]
			if grown { // perhaps this one
				at = s.home(place(h))
			}
			if fate == due {
				grown = s.put(at, c.at(i), h, c.parents[i]) || grown
			} else {
				s.hold(at, c.at(i), h, c.parents[i])
			}
		}
	}
}

// sparse is one in how many slots are taken in a table that is emptied state by
// state.
const sparse = 32

// begin empties the table: it has what comes from now on. It stays as large as it
// had to be so far, and a thousand small P after a large one should not each cost a
// walk through all of it: so few states are taken out one by one. Between a state and
// its home no slot is empty; so it goes with all slots from its home up to the next
// empty one. What goes is the end of a run of slots that are taken, and the rest of
// the run, with the states that have their homes there, stays in one piece.
func (s *shard) begin() {
	if n := s.n - s.since; n < uint32(1)<<(s.k&31)/sparse {
		for i := s.since; i < s.n; i++ {
			for at := s.home(place(s.hash(i))); *s.slot(at) != 0; at++ {
				*s.slot(at) = 0
			}
		}
	} else {
		clear(s.table)
	}
	s.since = s.n
}

// again puts the states of the arena up to the n-th into the table, which grows as it
// did when they were found. It is false if it meets one that the table has.
func (s *shard) again(n uint32) bool {
	for s.n < n {
		words := s.at(s.n)
		place := place(s.hash(s.n))
		at, known := s.find(words, place)
		if known {
			return false
		}
		s.n++
		*s.slot(at) = place<<(s.k&31) | (s.n - s.since)
		if s.n-s.since >= s.limit {
			s.resize(s.k + 1)
		}
	}
	return true
}

// forget takes back what was added after the first n states, all of them since the
// table was last emptied, at the end of a search that adds no more.
func (s *shard) forget(n uint32) {
	if n < s.n {
		s.n = n
		s.resize(s.k)
	}
}

// resize makes a table of 2^k slots and fills it from the arena, with the states
// since the first that it is to have. A slot alone does not tell where its probing
// began, so every state is hashed again; they are read in the order they lie in
// memory, which costs next to nothing.
func (s *shard) resize(k uint32) {
	if s.table != nil {
		s.pool.give(s.table)
	}
	s.table = s.pool.take(1 << k / 2)
	clear(s.table)
	s.slots, s.k, s.limit = unsafe.Pointer(unsafe.SliceData(s.table)), k, 3<<k/4
	for i := s.since; i < s.n; i++ {
		place := place(s.hash(i))
		at := s.home(place)
		for *s.slot(at) != 0 {
			at++
		}
		*s.slot(at) = place<<(k&31) | (i - s.since + 1)
	}
}

func (s *shard) bytes() int64 {
	return s.arena.bytes() + 8*int64(len(s.table)) + s.held.bytes()
}

// ErrTooMany is what Run says when a shard cannot number another state.
var ErrTooMany = fmt.Errorf("explore: too many states: one of %d shards cannot number more than %d", shards, maxStates)
