package disk

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"runtime"
	"runtime/debug"
	"slices"

	"dlcheck/explore"
)

// level is a bucket that was opened.
type level struct {
	cost     cost
	states   uint64
	from, to int // blocks of the journal
}

// search is a Graph in the making.
type search struct {
	*Graph
	sys  explore.System
	opts explore.Options
	rule rule

	visited visited
	pending pending
	crew    []*worker
	size    int64 // of visited in memory, as far as is known
	now     level
}

// defaultMemory is what a search takes where Options.MaxBytes does not say.
const defaultMemory = 1 << 30

// Run explores sys as explore.Run does, with what it remembers in files of the
// folder. Options.MaxBytes is the memory for its buffers, 0 means 1 GiB; it does
// not end the search. A search ends with a bucket, never within one, unless it is
// interrupted or the disk is full (explore.OutOfDisk).
//
// Errors are a panic in a Worker (an *explore.PanicError), a Worker that ends its
// goroutine (explore.ErrLeft; if it is that of the caller, Run does not return), too
// little memory, and a file that cannot be made, written or read; nothing is to be
// believed then. Whoever is done with the graph closes it.
func Run(ctx context.Context, sys explore.System, folder *Folder, opts explore.Options) (*Graph, error) {
	if sys.Words() < 1 {
		return nil, fmt.Errorf("disk: states of %d words, want at least 1", sys.Words())
	}
	workers := opts.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	if err := tooLittle(opts.MaxBytes, workers, sys.Words()); err != nil {
		return nil, err
	}
	memory := opts.MaxBytes
	if memory == 0 {
		memory = max(defaultMemory, least(workers, sys.Words()))
	}
	s := &space{folder: folder, width: sys.Words(), workers: workers,
		sizes: sharesOf(memory, workers, sys.Words()), temps: make([][]uint64, workers)}
	x := &search{
		Graph: &Graph{space: s, order: opts.Order, journal: newJournal(s), memory: memory},
		sys:   sys, opts: opts, rule: ruleOf(opts.Order),
		visited: visited{space: s}, pending: pending{space: s, of: map[cost]*due{}},
	}
	for range workers {
		x.crew = append(x.crew, newWorker(sys, s))
	}
	ok := false
	defer func() { // even if the system ends this goroutine
		s.cancelled.Store(true) // what is still merged is not wanted any more
		x.visited.drop()
		x.pending.drop()
		s.scratch, s.temps, s.parts = nil, make([][]uint64, workers), nil
		if !ok {
			x.Close()
		}
	}()
	if err := x.run(ctx); err != nil {
		return nil, err
	}
	ok = true
	return x.Graph, nil
}

// run goes from bucket to bucket. An error that only means that the search is
// over becomes the reason why.
func (x *search) run(ctx context.Context) error {
	x.cancelled.Store(ctx.Err() != nil)
	defer context.AfterFunc(ctx, func() { x.cancelled.Store(true) })()
	err := x.buckets()
	var noRoom *FullError
	switch {
	case errors.As(err, &noRoom):
		x.ended, x.full = explore.OutOfDisk, noRoom
		return nil
	case errors.Is(err, context.Canceled):
		x.ended = explore.Interrupted
		return nil
	}
	return err
}

func (x *search) buckets() error {
	if err := x.begin(); err != nil {
		return err
	}
	x.found.settle(0)
	if x.satisfied() {
		// Without its states, which are the initial ones, there is no path.
		_, err := x.open(func(cost) bool { return true })
		return err
	}
	for {
		some, err := x.open(func(cost) bool { return true })
		if err != nil {
			return err
		}
		if !some {
			x.found.settle(never)
			x.ended = explore.Closed
			return nil
		}
		// A bucket is reported when it is known whether another one with its P
		// comes; that is the next one then.
		for more := true; more; {
			x.now = x.levels[len(x.levels)-1]
			if err := x.expand(); err != nil {
				return err
			}
			x.complete, x.any = x.now.cost, true
			if more, err = x.open(func(c cost) bool { return c.p() == x.now.cost.p() }); err != nil {
				return err
			}
			if !x.report(more) {
				return nil
			}
		}
	}
}

// begin makes the initial states candidates of the first bucket.
func (x *search) begin() error {
	var out explore.Batch
	x.sys.Init(&out)
	if len(out.States) != x.width*len(out.Notes) {
		return fmt.Errorf("disk: %d words for %d initial states of %d words each", len(out.States), len(out.Notes), x.width)
	}
	for i, n := range out.Notes {
		s := out.States[i*x.width:][:x.width]
		for m := n &^ explore.Slow; m != 0; m &= m - 1 {
			x.found.note(bits.TrailingZeros64(uint64(m)), 0, 0, nil, s)
		}
	}
	x.pending.put(0, out.States)
	return x.stopped()
}

// report tells the world that a bucket is done, and says whether to go on.
func (x *search) report(more bool) bool {
	least := x.pending.least()
	if more {
		least = x.levels[len(x.levels)-1].cost
	}
	if least != never {
		least += x.rule.costs[0]
	}
	x.found.settle(least)
	x.tell(!more)
	switch {
	case x.opts.OnBucket != nil && !x.opts.OnBucket(x.progress(!more)) && !x.satisfied():
		x.ended = explore.Stopped
		return false
	case x.satisfied():
		return false
	}
	return true
}

// satisfied says that all that is looked for was found.
func (x *search) satisfied() bool {
	until := x.opts.Until &^ explore.Slow
	if until == 0 || until&^x.found.final != 0 {
		return false
	}
	x.ended = explore.Found
	return true
}

func (x *search) tell(last bool) {
	if x.opts.Progress != nil {
		x.opts.Progress(x.progress(last))
	}
}

func (x *search) progress(last bool) explore.Progress {
	return explore.Progress{
		P: x.now.cost.p(), Q: x.now.cost.q(), Last: last,
		States: x.states, Frontier: x.states - x.expanded, Transitions: x.transitions,
		Found: x.found.found, Final: x.found.final, Bytes: x.measure(),
	}
}

// measure is about what the search takes in memory.
func (x *search) measure() int64 {
	n := x.size + x.pending.bytes() + x.journal.bytes() + 8*int64(cap(x.scratch)) +
		40*int64(cap(x.levels)) + int64(len(x.crew))*int64(2*x.sizes.recent+2*x.sizes.send)
	for _, t := range x.temps {
		n += 8 * int64(cap(t))
	}
	x.peak = max(x.peak, n)
	return n
}

// open opens the cheapest bucket that has states, as long as costs are wanted.
func (x *search) open(want func(cost) bool) (bool, error) {
	for {
		c := x.pending.least()
		if c == never || !want(c) {
			return false, nil
		}
		if err := x.stopped(); err != nil {
			return false, err
		}
		d := x.pending.take()
		l := level{cost: c, from: x.journal.blocks()}
		err := x.sift(d, &l)
		x.pending.recycle(d)
		d.close()
		if err == nil {
			err = x.journal.flush()
		}
		x.measure()
		if err != nil {
			x.journal.back(l.from)
			return false, err
		}
		if l.to = x.journal.blocks(); l.states > 0 {
			x.levels = append(x.levels, l)
			x.states += l.states
			return true, nil
		}
	}
}

// sift puts those of the candidates that were not visited into the journal and
// among the visited.
func (x *search) sift(d *due, l *level) error {
	if err := x.visited.wait(); err != nil {
		return err
	}
	x.size = x.visited.size
	for _, w := range x.crew {
		w.lookup.reset(&x.visited)
	}
	if len(d.runs) > 0 {
		return x.siftRuns(d, l)
	}
	parts, err := x.sorted(d.chunks, d.words, func(worker int, part []uint64) ([]uint64, error) {
		return x.visited.subtract(part, &x.crew[worker].lookup)
	})
	if err != nil {
		return err
	}
	words := 0
	for _, part := range parts {
		words += len(part)
	}
	if words == 0 {
		return nil
	}
	news := make([]uint64, 0, words)
	for _, part := range parts {
		news = append(news, part...)
	}
	l.states = uint64(words / x.width)
	if err := x.journal.add(news); err != nil {
		return err
	}
	return x.visited.later(func() error { return x.visited.add(news) })
}

// siftRuns is sift for a bucket that is partly on disk. It goes through it piece
// by piece.
func (x *search) siftRuns(d *due, l *level) error {
	sources := d.cursors(x.space)
	parts, err := x.sorted(d.chunks, d.words, nil)
	if err != nil {
		return err
	}
	for _, part := range parts {
		if len(part) > 0 {
			sources = append(sources, &lists{parts})
			break
		}
	}
	var most uint64
	for _, r := range d.runs {
		most += r.states
	}
	most += uint64(d.words / x.width)
	w, err := x.newRun(x.visited.filterFor(most))
	if err != nil {
		return err
	}
	err = x.pieces(sources, func(states []uint64) error {
		states, err := x.visited.subtract(states, &x.crew[0].lookup)
		if err != nil {
			return err
		}
		l.states += uint64(len(states) / x.width)
		if err := x.journal.add(states); err != nil {
			return err
		}
		return w.add(states)
	})
	if err != nil || l.states == 0 {
		w.drop()
		return err
	}
	return x.visited.later(func() error { return x.visited.addRun(w) })
}

// lists are sorted lists, each greater than the one before, as a source.
type lists struct{ left [][]uint64 }

func (l *lists) next() ([]uint64, error) {
	for len(l.left) > 0 {
		s := l.left[0]
		if l.left = l.left[1:]; len(s) > 0 {
			return s, nil
		}
	}
	return nil, nil
}

// worker is what one goroutine uses.
type worker struct {
	explore.Worker
	out    explore.Batch
	sent   [2]recent // by kind
	box    [2][]uint64
	reader reader
	lookup lookup
	hits   []hit
	// Of the bucket in expansion.
	want                  [2]explore.Note
	expanded, transitions uint64
	_                     [64]byte
}

// hit is the first transition of a worker in a bucket with some mark and of some
// kind.
type hit struct {
	block    int
	marks    explore.Note
	kind     uint64
	from, to []uint64
}

func newWorker(sys explore.System, s *space) *worker {
	w := &worker{Worker: sys.Worker()}
	for k := range w.sent {
		w.sent[k] = newRecent(s.sizes.recent/8, s.width)
		w.box[k] = make([]uint64, 0, s.sizes.send/8+s.width)
	}
	return w
}

// expand takes the steps of the bucket, wave by wave: after a wave it is seen
// whether candidates have to go to disk.
func (x *search) expand() error {
	costs := [2]cost{x.now.cost + x.rule.costs[0], x.now.cost + x.rule.costs[1]}
	for _, w := range x.crew {
		w.want = [2]explore.Note{x.found.wanted(costs[0]), x.found.wanted(costs[1])}
		w.hits = w.hits[:0]
	}
	blocks := x.now.to - x.now.from
	perBlock := x.now.states/uint64(blocks) + 1
	for first := 0; first < blocks; {
		// As many blocks as have, by the average so far, a quarter of the
		// candidates that there is room for.
		bytes := perBlock * (x.transitions/(x.expanded+1) + 1) * uint64(8*x.width)
		n := min(max(1, x.sizes.candidates/4/int(bytes)), 1<<10, blocks-first)
		err := x.share(n, func(worker, i int) error {
			return x.crew[worker].expand(x, x.now.from+first+i, costs)
		})
		for _, w := range x.crew {
			for k := range w.box {
				x.pending.put(costs[k], w.box[k])
				w.box[k] = w.box[k][:0]
			}
			x.expanded += w.expanded
			x.transitions += w.transitions
			w.expanded, w.transitions = 0, 0
		}
		if err != nil {
			x.record(costs)
			return err
		}
		x.measure()
		if err := x.pending.relieve(); err != nil {
			x.record(costs)
			return err
		}
		if first += n; first < blocks {
			x.tell(false)
		}
	}
	x.record(costs)
	return nil
}

// record notes what the workers have found, the first in the order of states.
func (x *search) record(costs [2]cost) {
	var all []hit
	for _, w := range x.crew {
		all = append(all, w.hits...)
		w.hits = w.hits[:0]
	}
	slices.SortStableFunc(all, func(a, b hit) int { return a.block - b.block })
	for _, h := range all {
		for m := h.marks; m != 0; m &= m - 1 {
			x.found.note(bits.TrailingZeros64(uint64(m)), costs[h.kind], x.now.cost, h.from, h.to)
		}
	}
}

// expand generates the successors of the states of a block.
func (w *worker) expand(x *search, block int, costs [2]cost) (err error) {
	states, err := w.reader.read(x.journal, block, x.width)
	if err != nil {
		return err
	}
	var state []uint64
	defer func() {
		if v := recover(); v != nil {
			err = &explore.PanicError{State: slices.Clone(state), Value: v, Stack: debug.Stack()}
		}
	}()
	for at := 0; at < len(states); at += x.width {
		if x.cancelled.Load() {
			return context.Canceled
		}
		state = states[at : at+x.width]
		w.out.Reset()
		w.Next(state, &w.out)
		w.post(x, block, state, costs)
		w.expanded++
		w.transitions += uint64(len(w.out.Notes))
	}
	return nil
}

// post sorts the successors of a state by kind. What was sent at once lately
// need not be sent again, at once or held back, since nothing to come is
// cheaper; what was held back need not be held back again.
func (w *worker) post(x *search, block int, from []uint64, costs [2]cost) {
	width, states := x.width, w.out.States
	if len(states) != width*len(w.out.Notes) {
		panic(fmt.Sprintf("%d words for %d successors of %d words each", len(states), len(w.out.Notes), width))
	}
	for i, note := range w.out.Notes {
		s := states[i*width : (i+1)*width]
		kind := x.rule.kind(note)
		if m := note & w.want[kind]; m != 0 {
			w.hits = append(w.hits, hit{block, m, kind, slices.Clone(from), slices.Clone(s)})
			for k := kind; k < 2; k++ {
				w.want[k] &^= m
			}
		}
		h := hash(s)
		if w.sent[0].has(h, s) || kind == 1 && w.sent[1].has(h, s) {
			continue
		}
		w.sent[kind].put(h, s)
		b := append(w.box[kind], s...)
		if len(b)+width > cap(b) {
			x.pending.put(costs[kind], b)
			b = b[:0]
		}
		w.box[kind] = b
	}
}
