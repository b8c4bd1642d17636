package explore

import (
	"fmt"
	"slices"
	"unsafe"
)

// A wave is a part of a bucket, cut into segments. Workers take segments, generate
// successors and sort them by parts of the shards; and each takes to its own part
// what segments have for it, in the order of the segments: see relay.go. Every piece
// of memory has one writer, so no state needs a lock but the pool's, and what is
// written does not depend on who does it, nor on how many parts there are: the order of
// states in a shard is the order of the transitions that found them. Hence equal IDs,
// parents and findings, no matter how many workers.
//
// With one worker, and in a bucket of one segment, nothing is sorted by parts. What
// is due at once is put into the shards while the segment is expanded, a batch
// at a time, while it is still in the cache; what is held back follows, or is
// queued with it if nobody asks whether it is known. To each shard that is the
// same order.

// A worker is what one goroutine uses.
type worker struct {
	Many
	states  []uint64   // that are to be expanded next
	ids     []ID       // and their IDs
	ends    [group]int // how many successors they have, and those before
	out     Batch      // successors that are not posted yet
	pending candidates // the same, as candidates
	quick   []uint32   // those that are due at once, by number
	late    []uint32   // and those that are held back
	opened  candidates // that have waited
	loops   int        // groups since the last one that was looked through for loops in vain
	recent  recent
	_       [64]byte // or neighbours would fight for a cache line
}

// group is how many states are expanded at a time.
const group = 32

func newWorker(sys System) worker {
	width := sys.Words()
	each := sys.Worker()
	many, ok := each.(Many)
	if !ok {
		many = oneByOne{each}
	}
	return worker{
		Many: many, recent: newRecent(width), ids: make([]ID, 0, group),
		pending: candidates{width: width}, opened: candidates{width: width},
	}
}

// add puts states of a shard, as many as lie in a row from one number to another and
// have room, into the group that is expanded next, and says how many.
func (w *worker) add(chunks []unsafe.Pointer, shard, from, to uint32) (n uint32) {
	n = min(to-from, group-uint32(len(w.ids)), chunkLen-from%chunkLen)
	width := uintptr(w.pending.width)
	w.states = append(w.states, unsafe.Slice((*uint64)(whereIn(chunks, width, from)), uintptr(n)*width)...)
	at := len(w.ids)
	w.ids = w.ids[:at+int(n)]
	for i := range w.ids[at:] {
		w.ids[at+i] = id(shard, from+uint32(i))
	}
	return n
}

// expand takes the steps of the group.
func (w *worker) expand() {
	ends := w.ends[:len(w.ids)]
	w.NextOfMany(w.states, &w.out, ends)
	w.from(w.ids, ends)
}

// from says of which states the latest successors are.
func (w *worker) from(parents []ID, ends []int) {
	n, at := len(w.out.Notes), len(w.pending.parents)
	if len(w.out.States) != w.pending.width*n || ends[len(ends)-1] != n {
		panic(fmt.Sprintf("%d words for %d successors of %d words each, of which %d have a state that they come from",
			len(w.out.States), n, w.pending.width, ends[len(ends)-1]))
	}
	of := slices.Grow(w.pending.parents, n-at)[:n]
	for i, end := range ends {
		for id := parents[i]; at < end; at++ {
			of[at] = id
		}
	}
	w.pending.parents = of
}

// split lists those that are due at once and those that are held back. Which one it
// is cannot be foreseen, so no branch depends on it. It says what marks there are.
func (w *worker) split(rule *rule, n int) (seen Note) {
	notes := w.out.Notes[:n]
	quick, late := slices.Grow(w.quick[:0], n)[:n], slices.Grow(w.late[:0], n)[:n]
	q, l := 0, 0
	for i, note := range notes {
		quick[q], late[l] = uint32(i), uint32(i)
		kind := int(rule.kind(note))
		q += 1 - kind
		l += kind
		seen |= note
	}
	w.quick, w.late = quick[:q], late[:l]
	return seen
}

// dropLoops drops, of the candidates that are due at once, those that are the state they
// come from: they are known. Most systems have none, and then one group in loopsEach is
// looked through in vain. Of two-phase commit's transitions with 9 resource managers 37 %
// are loops, which would put others out of recent and be looked up: without that it took
// a tenth more processor time.
func (w *worker) dropLoops() {
	if w.loops++; w.loops < loopsEach || len(w.ids) == 0 {
		return
	}
	c, picked := &w.pending, w.quick
	states, width := unsafe.Pointer(unsafe.SliceData(w.states)), uintptr(c.width)
	n, of, end := 0, -1, 0
	var from unsafe.Pointer
	for _, i := range picked {
		for int(i) >= end {
			of++
			from, end = unsafe.Add(states, 8*width*uintptr(of)), w.ends[of]
		}
		to := c.at(i)
		differ := *(*uint64)(from) ^ *(*uint64)(to)
		for k := uintptr(1); k < width; k++ {
			differ |= *(*uint64)(unsafe.Add(from, 8*k)) ^ *(*uint64)(unsafe.Add(to, 8*k))
		}
		picked[n] = i
		n += int((differ | -differ) >> 63)
	}
	if w.quick = picked[:n]; 8*(len(picked)-n) < len(picked) {
		w.loops = 0
	}
}

// loopsEach is how many groups are a sample.
const loopsEach = 16

// candidates are the successors that are not posted yet.
func (w *worker) candidates() *candidates {
	w.pending.words = w.out.States
	return &w.pending
}

func (w *worker) reset() {
	w.states, w.ids = w.states[:0], w.ids[:0]
	w.out.Reset()
	w.pending.reset()
}

// read puts what waited into its shard.
func (w *worker) read(of *[shards]shard, shard int, records []uint64) {
	for len(records) > 0 {
		records = w.opened.open(records, shard)
		w.settle(of, &w.opened, due)
	}
}

// settle settles all of the candidates.
func (w *worker) settle(of *[shards]shard, c *candidates, fate fate) {
	w.quick = w.quick[:0]
	for i := range c.hashes {
		w.quick = append(w.quick, uint32(i))
	}
	settle(of, c, w.quick, fate)
}

const (
	// maxSegments a wave: enough for some workers more than today's, and
	// for their work to come out even.
	maxSegments = 32
	// A slice has as many states as have, by the average so far,
	// sliceTransitions successors. A wave of them is some milliseconds of
	// work between looks at the context, and a few megabytes of candidates.
	sliceTransitions = 1 << 10
	minSlice         = 1 << 5
	maxSlice         = 1 << 10
	// inline is how small a bucket must be not to be worth waking anyone.
	inline = 500
	// flushLen is how many candidates each shard takes up between looks.
	flushLen = 1 << 11
)

// cut decides how many slices to make of the bucket. It must not look at
// how many workers there are.
func (x *search) cut(states uint64) int {
	n := sliceTransitions * (x.expanded + 1) / (x.transitions + 1)
	n = min(max(n, minSlice), maxSlice)
	if states < inline {
		n = inline
	}
	return int((states + n - 1) / n)
}

// wave expands slices of the bucket.
func (x *search) wave(first, slices int) bool {
	costs := x.rule.costs(x.now)
	want := [2]Note{x.found.wanted(costs[0]), x.found.wanted(costs[1])}
	x.bucket.look(x.shards)
	if x.bucket.slices == 1 || cap(x.workers) == 1 {
		// One after another, all in the memory of the first.
		g := &x.alone
		for i := range slices {
			before := x.counts()
			g.begin(first+i, want, true, x.later)
			g.expand(&x.bucket, x.shards, &x.rule, &x.workers[0], &x.cancelled)
			if g.failed() {
				x.forget(&before)
			} else {
				for i := range g.late {
					x.workers[0].settle(x.shards, &g.late[i], sifted)
				}
			}
			if !x.record(&g.outcome, costs) {
				return false
			}
		}
		return x.fits()
	}
	x.gather()
	r, before := x.relay, x.counts()
	r.begin(x.shards, first, slices)
	x.share(len(r.roles), func(w *worker, me int) {
		r.play(me, w, func(g *segment, slice int) {
			g.begin(slice, want, false, x.later)
			g.expand(&x.bucket, x.shards, &x.rule, w, &x.cancelled)
		})
	})
	if r.broken.Load() {
		// Parts have got more or less.
		x.forget(&before)
		if x.err = r.failure(); x.err == nil {
			x.err = ErrLeft
		}
		return x.end(Interrupted)
	}
	for _, o := range r.results() {
		if !x.record(&o, costs) {
			return false
		}
	}
	return x.fits()
}

// fits says whether the shards could number all their states. It is asked when a
// wave is done, since what a segment is taken with depends on the workers.
func (x *search) fits() bool {
	for i := range x.shards {
		if x.shards[i].full {
			x.err = ErrTooMany
			return x.end(OutOfMemory)
		}
	}
	return true
}

// record adds up what came of a segment. It is false if that was not expanded to its
// end, and then nothing is added.
func (x *search) record(o *outcome, costs [2]cost) bool {
	if o.failed() {
		x.err = o.err
		return x.end(Interrupted)
	}
	x.expanded += o.expanded
	x.transitions += o.transitions
	for _, h := range o.hits {
		x.found.note(h, costs[h.kind])
	}
	return true
}

// flush puts the first row of what is held back into its bucket.
func (x *search) flush() bool {
	if x.put(x.held.rows[x.due].cost); x.err != nil {
		return x.end(Interrupted)
	}
	todo, left := x.held.of(x.due), x.held.rows[x.due].states
	for left > 0 {
		each := func(w *worker, i int) {
			s := &x.shards[i]
			for budget := uint32(flushLen); todo[i] > 0 && budget > 0; {
				records, n := s.held.pop(min(todo[i], budget))
				w.read(x.shards, i, records)
				todo[i] -= n
				budget -= n
			}
		}
		if left < inline || cap(x.workers) == 1 {
			for i := range x.shards {
				each(&x.workers[0], i)
			}
		} else {
			x.gather()
			x.share(shards, each)
		}
		left = 0
		for _, n := range todo {
			left += uint64(n)
		}
		if !x.fits() || !x.mayGoOn() {
			return false
		}
	}
	if x.due++; x.due > 64 && 2*x.due > len(x.held.rows) || x.due == len(x.held.rows) {
		x.held.drop(x.due)
		x.due = 0
	}
	return true
}

// gather sees that there are workers to share something.
func (x *search) gather() {
	if x.crew == nil {
		for len(x.workers) < cap(x.workers) {
			x.workers = append(x.workers, newWorker(x.sys))
		}
		x.crew = newCrew(len(x.workers))
		x.relay = newRelay(x.width, len(x.workers), x.crew)
	}
}

// share has the workers call f with each number below n.
func (x *search) share(n int, f func(w *worker, i int)) {
	x.crew.share(n, func(w, i int) { f(&x.workers[w], i) })
}
