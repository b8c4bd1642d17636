package explore

import (
	"fmt"
	"runtime/debug"
	"sync/atomic"
)

// A segment is what one worker expands at a time, a slice of a bucket, and what
// comes of it.
type segment struct {
	// Set before the expansion.
	slice int     // number of the slice
	want  [2]Note // marks worth noting, by kind
	alone bool    // nobody else expands anything
	later fate    // of candidates that are held back

	// Set by it: the mail, for each kind (at once, held back) and shard the
	// candidates in the order they were generated. Alone there is none, but only
	// late, the candidates to be held back.
	boxes       [2 * shards][]uint64
	late        candidates
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
func (g *segment) begin(slice int, want [2]Note, alone bool, later fate) {
	if !alone {
		for i := range g.boxes {
			g.boxes[i] = g.boxes[i][:0]
		}
	}
	g.late.reset()
	clear(g.hits)
	g.hits = g.hits[:0]
	g.slice, g.alone, g.later = slice, alone, later
	g.want, g.err, g.cancelled = want, nil, false
	g.expanded, g.transitions = 0, 0
}

// expand generates the successors of the segment's states. Alone it puts those
// that are due at once into the shards, a batch at a time; otherwise it only reads
// shards, and sorts all into its boxes.
func (g *segment) expand(bucket *bucket, of *[shards]shard, rule *rule, w *worker, cancelled *atomic.Bool) {
	var state []uint64
	defer func() {
		if v := recover(); v != nil {
			g.err = &PanicError{state, v, debug.Stack()}
		}
	}()
	w.reset()
	for shard := range uint32(shards) {
		first, to := bucket.slice(g.slice, shard)
		for index := first; index < to; index++ {
			if cancelled.Load() {
				g.cancelled = true
				return
			}
			state = of[shard].at(index)
			w.Next(state, &w.out)
			if w.from(id(shard, index), len(state)) >= lookahead {
				g.post(of, rule, w)
			}
		}
		g.expanded += uint64(to - first)
	}
	g.post(of, rule, w)
}

// post sends the candidates of a worker on their way, but those that are due at
// once and were sent lately.
func (g *segment) post(of *[shards]shard, rule *rule, w *worker) {
	c := w.candidates()
	c.hash()
	g.transitions += uint64(len(c.hashes))
	w.quick, w.late = w.quick[:0], w.late[:0]
	for i, note := range w.out.Notes {
		kind := rule.kind(note)
		if note&g.want[kind] != 0 {
			g.hit(note&g.want[kind], kind, c.parents[i], c.state(i))
		}
		if kind == 0 {
			w.quick = append(w.quick, uint32(i))
		} else {
			w.late = append(w.late, uint32(i))
		}
	}
	w.quick = w.quick[:w.recent.pass(c, w.quick)]
	if g.alone {
		settle(of, c, w.quick, due)
		if g.later == kept {
			settle(of, c, w.late, kept)
			w.late = w.late[:0]
		}
		for _, i := range w.late {
			// Not before the others of the segment: what is known must not
			// depend on batches.
			g.late.add(c.state(int(i)), c.hashes[i], c.parents[i])
		}
	} else {
		g.mail(c, w.quick, 0)
		g.mail(c, w.late, shards)
	}
	w.reset()
}

// mail puts candidates into their boxes, of which those for one kind follow each
// other.
func (g *segment) mail(c *candidates, picked []uint32, first uint64) {
	for _, i := range picked {
		words, h := c.state(int(i)), c.hashes[i]
		box := &g.boxes[first+owner(h)]
		switch m := meta(h, c.parents[i]); len(words) { // append of a slice costs a call
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
	return n + g.late.bytes()
}
