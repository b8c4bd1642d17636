package explore

import (
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"sync/atomic"
	"unsafe"
)

// A segment is what one worker expands at a time, a slice of a bucket, and what
// comes of it.
type segment struct {
	// Set before the expansion.
	slice int     // number of the slice
	want  [2]Note // marks worth noting, by kind
	alone bool    // nobody else expands anything
	later fate    // of candidates that are held back

	// Set by it: the candidates that are due at once and those to be held back, each
	// in the order in which they were generated. Alone it leaves out those that it has
	// put into the shards or their queues itself.
	quick, late parted
	outcome

	wanted atomic.Int32 // parts of the shards that have not got them yet
}

// An outcome is what else comes of a segment.
type outcome struct {
	expanded    uint64
	transitions uint64
	hits        []hit
	err         error // a panic
	cancelled   bool  // not all states were expanded
}

// failed says that it was not expanded to its end.
func (o *outcome) failed() bool { return o.err != nil || o.cancelled }

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
	// chunks has those of each shard's arena in which the bucket lies. States that are
	// found meanwhile may come to lie in others, and those who expand the bucket need not
	// know of these.
	chunks [shards][]unsafe.Pointer
}

// look notes where the states of the bucket lie.
func (b *bucket) look(of *[shards]shard) {
	for i := range of {
		b.chunks[i] = of[i].chunks
	}
}

// slice is the range of states that a slice takes from a shard.
func (b *bucket) slice(i int, shard uint32) (from, to uint32) {
	n := uint64(b.to[shard] - b.from[shard])
	cut := func(i int) uint32 { return b.from[shard] + uint32(n*uint64(i)/uint64(b.slices)) }
	return cut(i), cut(i + 1)
}

// ErrLeft is what Run says when a Worker has ended the goroutine that it ran in.
var ErrLeft = errors.New("explore: a system has ended the goroutine that took its steps (runtime.Goexit)")

// PanicError is a panic of a system while it took the steps of a state.
type PanicError struct {
	State []uint64 // nil if none panics when its steps are taken alone
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

// begin empties the segment.
func (g *segment) begin(slice int, want [2]Note, alone bool, later fate) {
	g.quick.reset()
	g.late.reset()
	g.slice, g.alone, g.later, g.want = slice, alone, later, want
	g.outcome = outcome{}
}

// expand generates the successors of the segment's states. Alone it puts those
// that are due at once into the shards, a batch at a time; otherwise it only reads
// shards, and keeps all.
func (g *segment) expand(bucket *bucket, of *[shards]shard, rule *rule, w *worker, cancelled *atomic.Bool) {
	defer func() {
		if v := recover(); v != nil {
			g.err = &PanicError{w.culprit(), v, debug.Stack()}
		}
	}()
	w.reset()
	for shard := range uint32(shards) {
		first, to := bucket.slice(g.slice, shard)
		g.expanded += uint64(to - first)
		for index := first; index < to; {
			index += w.add(bucket.chunks[shard], shard, index, to)
			if len(w.ids) < group {
				continue
			}
			if cancelled.Load() {
				g.cancelled = true
				return
			}
			w.expand()
			g.post(of, rule, w)
		}
	}
	if len(w.ids) > 0 {
		w.expand()
		g.post(of, rule, w)
	}
}

// culprit takes the steps of the group again, state by state, and gives the first
// at which that panics or makes no states.
func (w *worker) culprit() (state []uint64) {
	defer func() { _ = recover() }()
	for width := w.pending.width; len(w.states) > 0; w.states = w.states[width:] {
		state = slices.Clone(w.states[:width])
		w.out.Reset()
		if w.Next(state, &w.out); len(w.out.States) != width*len(w.out.Notes) {
			return state
		}
	}
	return nil
}

// post sends the candidates of a worker on their way, but those that are due at
// once and were sent lately.
func (g *segment) post(of *[shards]shard, rule *rule, w *worker) {
	c := w.candidates()
	c.hash()
	g.transitions += uint64(len(c.hashes))
	if seen := w.split(rule, len(c.hashes)); seen&(g.want[0]|g.want[1]) != 0 {
		for i, note := range w.out.Notes {
			if kind := rule.kind(note); note&g.want[kind] != 0 {
				g.hit(note&g.want[kind], kind, c.parents[i], c.state(i))
			}
		}
	}
	w.dropLoops()
	w.quick = w.quick[:w.recent.pass(c, w.quick)]
	if g.alone {
		settle(of, c, w.quick, due)
		if g.later == kept {
			settle(of, c, w.late, kept)
			w.late = w.late[:0]
		}
		// The others not before those of the whole segment that are due at once: what
		// is known must not depend on batches.
	} else {
		g.quick.pick(c, w.quick)
	}
	g.late.pick(c, w.late)
	w.reset()
}

// hit notes a transition, and that others like it are not wanted any more.
// What goes to a bucket at once is nearer than what is held back.
func (g *segment) hit(marks Note, kind uint64, from ID, to []uint64) {
	g.hits = append(g.hits, hit{marks, kind, from, append([]uint64(nil), to...)})
	for k := kind; k < 2; k++ {
		g.want[k] &^= marks
	}
}

func (g *segment) bytes() int64 { return g.quick.bytes() + g.late.bytes() }
