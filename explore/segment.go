package explore

import (
	"fmt"
	"runtime/debug"
	"sync/atomic"
)

// A segment is a run of states to be expanded by one worker, and the mail
// that comes of it: for each kind (at once, held back) and shard the
// candidates in the order they were generated.
type segment struct {
	// Set before the expansion.
	slice int     // number of the slice
	want  [2]Note // marks worth noting, by kind

	// Set by it.
	boxes       [2 * shards][]uint64
	expanded    uint64
	transitions uint64
	hits        []hit
	err         error // a panic
	cancelled   bool  // not all states were expanded
}

// A hit is the first transition of a segment with some mark and of some kind.
type hit struct {
	marks Note
	kind  uint64
	from  ID
	to    []uint64
}

// A bucket in expansion is cut into slices, of which each takes an equal part
// of every shard: a part that was found at about the same time, since shards
// grow in order of discovery. States found together have successors in
// common, which are then found in the cache. (One shard after the other, as
// they lie in memory: 17 instead of 22 million transitions a CPU-second, in
// BenchmarkTwoPhase/rms=8/workers=1 before recent.go was written.)
type bucket struct {
	from, to counts
	slices   int
}

// slice is the range of states that a slice takes from a shard.
func (b *bucket) slice(i int, shard uint32) (from, to uint32) {
	n := uint64(b.to[shard] - b.from[shard])
	cut := func(i int) uint32 { return b.from[shard] + uint32(n*uint64(i)/uint64(b.slices)) }
	return cut(i), cut(i + 1)
}

// PanicError is a panic of a system while it took the steps of a state.
type PanicError struct {
	State []uint64
	Value any
	Stack []byte
}

func (e *PanicError) Error() string {
	return fmt.Sprintf("explore: panic in Next of state %#x: %v\n\n%s", e.State, e.Value, e.Stack)
}

// Unwrap gives the panic's value if that was an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// begin empties the boxes.
func (g *segment) begin(slice int, want [2]Note) {
	for i := range g.boxes {
		g.boxes[i] = g.boxes[i][:0]
	}
	clear(g.hits)
	g.hits = g.hits[:0]
	g.slice = slice
	g.want, g.err, g.cancelled = want, nil, false
	g.expanded, g.transitions = 0, 0
}

// expand generates the successors of the segment's states and sorts them
// into its boxes. Shards are only read.
func (g *segment) expand(bucket *bucket, from *[shards]shard, rule rule, w *worker, cancelled *atomic.Bool) {
	var state []uint64
	defer func() {
		if v := recover(); v != nil {
			g.err = &PanicError{state, v, debug.Stack()}
		}
	}()
	for shard := range uint32(shards) {
		first, to := bucket.slice(g.slice, shard)
		for index := first; index < to; index++ {
			if cancelled.Load() {
				g.cancelled = true
				return
			}
			state = from[shard].at(index)
			w.out.Reset()
			w.Next(state, &w.out)
			g.post(&w.out, id(shard, index), rule, w.recent, len(state))
		}
		g.expanded += uint64(to - first)
	}
}

// post sorts the successors of one state into boxes.
func (g *segment) post(out *Batch, parent ID, rule rule, recent recent, width int) {
	states := out.States
	if len(states) != width*len(out.Notes) {
		panic(fmt.Sprintf("%d words for %d successors of %d words each", len(states), len(out.Notes), width))
	}
	for _, note := range out.Notes {
		words := states[:width]
		states = states[width:]
		kind := rule.kind(note)
		if note&g.want[kind] != 0 {
			g.hit(note&g.want[kind], kind, parent, words)
		}
		h := hash(words)
		if recent.has(h, words) {
			continue
		}
		if kind == 0 {
			recent.put(h, words)
		}
		box := &g.boxes[kind<<shardBits|owner(h)]
		switch m := meta(h, parent); width { // append of a slice costs a call
		case 1:
			*box = append(*box, words[0], m)
		case 2:
			*box = append(*box, words[0], words[1], m)
		case 3:
			*box = append(*box, words[0], words[1], words[2], m)
		case 4:
			*box = append(*box, words[0], words[1], words[2], words[3], m)
		default:
			*box = append(append(*box, words...), m)
		}
	}
	g.transitions += uint64(len(out.Notes))
}

// hit notes a transition, and that others like it are not wanted any more.
// What goes to a bucket at once is nearer than what is held back.
func (g *segment) hit(marks Note, kind uint64, from ID, to []uint64) {
	g.hits = append(g.hits, hit{marks, kind, from, append([]uint64(nil), to...)})
	for k := kind; k < 2; k++ {
		g.want[k] &^= marks
	}
}

func (g *segment) bytes() (n int64) {
	for i := range g.boxes {
		n += 8 * int64(cap(g.boxes[i]))
	}
	return n
}
