package explore

import (
	"fmt"
	"iter"
	"math/bits"
	"slices"
	"sync"
)

// ID names a state of one graph. Which ID a state gets depends on the system
// and the options that are part of the question, not on workers or time.
type ID uint32

// None is no state: the parent of an initial state.
const None ID = 1<<32 - 1

// Graph is what a search has reached.
type Graph struct {
	ledger // buckets
	width  int
	rule   rule
	shards *[shards]shard
	dated  bool      // tables have the states of the last P only, until they are whole
	whole  sync.Once // makes them so, in a finished graph

	expanded, transitions uint64
	found                 findings
	complete              cost
	any                   bool // complete means something
	ended                 Reason
}

func (g *Graph) locate(id ID) (*shard, uint32) {
	return &g.shards[id%shards], uint32(id >> shardBits)
}

// Words is the width of every state.
func (g *Graph) Words() int { return g.width }

// States is how many distinct states were found.
func (g *Graph) States() (n uint64) {
	for i := range g.shards {
		n += uint64(g.shards[i].n)
	}
	return n
}

// Expanded is how many of them were expanded; the others are the frontier.
func (g *Graph) Expanded() uint64 { return g.expanded }

// Transitions is how many successors the expanded states have, each counted
// as often as it is a successor.
func (g *Graph) Transitions() uint64 { return g.transitions }

// Ended says why the search ended.
func (g *Graph) Ended() Reason { return g.ended }

// Complete is the last bucket that was expanded to its end; ok is false if
// there is none. Every transition out of it and out of the buckets before
// it was taken, whatever made the search end.
func (g *Graph) Complete() (p, q int, ok bool) {
	return g.complete.p(), g.complete.q(), g.any
}

// Buckets lists the buckets that hold states, in order. If a search was cut
// short, the last ones need not be full.
func (g *Graph) Buckets() []Bucket {
	list := make([]Bucket, len(g.rows))
	for i, r := range g.rows {
		list[i] = Bucket{r.cost.p(), r.cost.q(), r.states}
	}
	return list
}

// Found returns the nearest transition that carries Mark(i).
func (g *Graph) Found(i int) (Finding, bool) {
	if g.found.found&Mark(i) == 0 {
		return Finding{}, false
	}
	f := g.found.list[i]
	return Finding{f.from, f.to, f.cost.p(), f.cost.q(), g.found.final&Mark(i) != 0}, true
}

// State returns the words of a state, as a view that must not be changed. It
// panics if there is no state of that ID.
func (g *Graph) State(id ID) []uint64 {
	s, i := g.locate(id)
	if i >= s.n {
		panic(fmt.Sprintf("explore: no state has the ID %d", id))
	}
	return s.at(i)
}

// Parent returns the state from which id was first found, or None.
func (g *Graph) Parent(id ID) ID {
	s, i := g.locate(id)
	return s.parent(i)
}

// Lookup finds a state by its words, in a graph that is finished. After a dated search
// (see Dated) the first call makes tables of all states, on one worker: 5 to 11 bytes a
// state that the search did not need, and that MaxBytes does not bound.
func (g *Graph) Lookup(words []uint64) (ID, bool) {
	if len(words) != g.width {
		return None, false
	}
	if g.dated {
		g.whole.Do(g.index)
	}
	h := hash(words)
	i, ok := g.shards[owner(h)].find(words, place(h))
	if !ok {
		return None, false
	}
	return id(uint32(owner(h)), i), true
}

// index makes tables of all states.
func (g *Graph) index() {
	for i := range g.shards {
		s := &g.shards[i]
		k := s.k
		for s.n >= 3<<k/4 {
			k++
		}
		s.since = 0
		s.resize(k)
	}
}

// Path is a nearest path to a state, initial state first.
func (g *Graph) Path(id ID) [][]uint64 {
	var path [][]uint64
	for ; id != None; id = g.Parent(id) {
		path = append(path, g.State(id))
	}
	slices.Reverse(path)
	return path
}

// Trace is the path to a finding: the path to From, and then To.
func (g *Graph) Trace(f Finding) [][]uint64 { return append(g.Path(f.From), f.To) }

// All yields the states in order of discovery: bucket by bucket, and in a
// bucket shard by shard. A parent comes before its children.
func (g *Graph) All() iter.Seq2[ID, []uint64] {
	return func(yield func(ID, []uint64) bool) {
		var from counts
		for i := range g.rows {
			of := g.of(i)
			for in := g.rows[i].in; in != 0; in &= in - 1 {
				s := bits.TrailingZeros64(in)
				for range of[s] {
					if !yield(id(uint32(s), from[s]), g.shards[s].at(from[s])) {
						return
					}
					from[s]++
				}
			}
		}
	}
}

// Backward yields the states in the opposite order of All.
func (g *Graph) Backward() iter.Seq2[ID, []uint64] {
	return func(yield func(ID, []uint64) bool) {
		for _, id := range g.backward() {
			if !yield(id, g.State(id)) {
				return
			}
		}
	}
}

// backward yields what Backward does, each with the row of its bucket.
func (g *Graph) backward() iter.Seq2[int, ID] {
	return func(yield func(int, ID) bool) {
		var to counts
		for s := range to {
			to[s] = g.shards[s].n
		}
		for i := len(g.rows) - 1; i >= 0; i-- {
			of := g.of(i)
			for in := g.rows[i].in; in != 0; {
				s := bits.Len64(in) - 1
				in &^= 1 << s
				for range of[s] {
					to[s]--
					if !yield(i, id(uint32(s), to[s])) {
						return
					}
				}
			}
		}
	}
}

// Bytes is what states, parents and tables take; after a dated search that is less
// before the first Lookup than from then on.
func (g *Graph) Bytes() (n int64) {
	for i := range g.shards {
		n += g.shards[i].bytes()
	}
	return n
}

// needs is what the graph takes now and is about to take: a table that will
// be replaced soon counts with its successor, since for a while there are
// both. Candidates on their way between workers are left out, as they depend on
// how many workers there are, and the answer to a question must not.
func (g *Graph) needs() (n int64) {
	for i := range g.shards {
		s := &g.shards[i]
		n += s.bytes()
		if s.n-s.since+2*maxSegments*sliceTransitions/shards > s.limit {
			n += 16 * int64(len(s.table))
		}
	}
	return n
}

func id(shard, index uint32) ID { return ID(index<<shardBits | shard) }
