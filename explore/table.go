package explore

import "fmt"

// A shard is one part of the visited set: an arena, and an open-addressing
// hash table that finds states in it.
//
// The table has 2^k slots of 32 bits. A slot is 0 when empty, and otherwise
//
//	 31 ........ k   k-1 ........ 0
//	[ 32-k bits tag | index + 1     ]
//
// The index never needs more than k bits since the table is at most three
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
	arena
	table []uint32
	k     uint32
	limit uint32 // states at which the table must grow
	most  uint32 // states it may hold: maxStates, or less in tests
	full  bool   // a state had to be refused
	held  queue  // candidates for later buckets
	_     [64]byte
}

const (
	firstTable = 8 // k of a new table: 256 slots

	// maxStates a shard. An ID has 26 bits for the index; the last one is
	// kept for None.
	maxStates = 1<<(32-shardBits) - 1

	// lookahead is how many candidates have their slots and states touched
	// before the first of them is decided.
	lookahead = 64
)

func (s *shard) init(width int) {
	s.width, s.most = width, maxStates
	s.held.record = width + 1
	s.resize(firstTable)
}

// A candidate travels as a record: its words, then one more with its place
// in the upper half and its parent in the lower.
func meta(h uint64, parent ID) uint64 { return uint64(place(h))<<32 | uint64(parent) }

// absorb puts those candidates into the shard that it does not hold yet.
func (s *shard) absorb(mail []uint64) {
	s.sift(mail, func(s *shard, r []uint64) { s.insert(r) })
}

// hold keeps those candidates for later that the shard does not hold yet.
// Most it does; remembering only the others is what makes holding back cheap.
//
// Unlike absorb it must ask again: sift stops at the first equal tag, and a
// known state that it takes for news would be held or not depending on
// whether the worker that met it had filtered it before; so would be the
// memory that is reckoned for it.
func (s *shard) hold(mail []uint64) {
	s.sift(mail, func(s *shard, r []uint64) {
		if _, known := s.find(r[:s.width], uint32(r[s.width]>>32)); !known {
			s.held.push(r)
		}
	})
}

// sift calls news with the candidates that are not obviously known.
//
// Nearly each candidate costs two cache misses: its slot, and the state the
// slot points to. Taken one after the other, the processor would wait for
// each of them. But it waits only where a branch depends on what is loaded;
// so a batch is taken in three loops, of which the first only asks for
// slots, the second reads slots that have arrived and asks for states, and
// the third sees whether states are equal.
//
// What gained nothing: longer waves, so that a shard stays in the cache while
// its mail is read; and huge pages for arenas and tables, by madvise.
func (s *shard) sift(mail []uint64, news func(*shard, []uint64)) {
	var (
		slots [lookahead]uint32
		known [lookahead]bool
	)
	width, record := s.width, s.width+1
	for len(mail) > 0 {
		batch := mail[:min(len(mail), lookahead*record)]
		mail = mail[len(batch):]
		table, k, mask := s.table, s.k, uint32(len(s.table)-1)

		n := 0
		for i := width; i < len(batch); i += record {
			slots[n%lookahead] = table[uint32(batch[i]>>32)>>(32-k)]
			n++
		}
		n = 0
		for i := 0; i < len(batch); i += record {
			r := batch[i : i+record]
			place, slot := uint32(r[width]>>32), slots[n%lookahead]
			tag := place << k
			for at := place >> (32 - k); slot != 0 && slot^tag > mask; {
				at++
				slot = table[at&mask]
			}
			differ := uint64(1)
			if slot != 0 {
				differ = difference(s.at(slot&mask-1), r)
			}
			known[n%lookahead] = differ == 0
			n++
		}
		n = 0
		for i := 0; i < len(batch); i += record {
			if !known[n%lookahead] {
				news(s, batch[i:i+record])
			}
			n++
		}
	}
}

// difference is 0 if a is equal to the beginning of b. It has no branches
// that depend on the words.
func difference(a, b []uint64) (d uint64) {
	for i, w := range a {
		d |= w ^ b[i]
	}
	return d
}

// find looks a state up by its words and place.
func (s *shard) find(words []uint64, place uint32) (uint32, bool) {
	mask, tag := uint32(len(s.table)-1), place<<s.k
	for at := place >> (32 - s.k); ; at++ {
		slot := s.table[at&mask]
		if slot == 0 {
			return at & mask, false
		}
		if slot^tag <= mask && difference(s.at(slot&mask-1), words) == 0 {
			return slot&mask - 1, true
		}
	}
}

// insert adds the state of a record unless it is there.
func (s *shard) insert(record []uint64) {
	words, meta := record[:s.width], record[s.width]
	place := uint32(meta >> 32)
	at, ok := s.find(words, place)
	if ok {
		return
	}
	if s.n == s.most {
		s.full = true
		return
	}
	s.add(words, ID(meta))
	s.table[at] = place<<s.k | s.n
	if s.n == s.limit {
		s.resize(s.k + 1)
	}
}

// resize makes a table of 2^k slots and fills it from the arena. A slot alone
// does not tell where its probing began, so every state is hashed again;
// they are read in the order they lie in memory, which costs next to nothing.
func (s *shard) resize(k uint32) {
	s.table, s.k, s.limit = make([]uint32, 1<<k), k, 3<<k/4
	mask := uint32(1<<k - 1)
	for i := range s.n {
		place := place(hash(s.at(i)))
		at := place >> (32 - k)
		for s.table[at&mask] != 0 {
			at++
		}
		s.table[at&mask] = place<<k | (i + 1)
	}
}

func (s *shard) bytes() int64 {
	return s.arena.bytes() + 4*int64(len(s.table)) + s.held.bytes()
}

// ErrTooMany is what Run says when a shard cannot number another state.
var ErrTooMany = fmt.Errorf("explore: too many states: one of %d shards cannot number more than %d", shards, maxStates)
