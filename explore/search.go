package explore

import (
	"context"
	"fmt"
	"runtime"
	"sync/atomic"
)

// search is a Graph in the making.
type search struct {
	*Graph
	sys  System
	opts Options
	err  error

	workers  []worker
	segments [maxSegments]segment
	// cancelled follows the context: looking at it before every state is
	// next to free.
	cancelled atomic.Bool

	now    cost   // the bucket in expansion
	bucket bucket // its states
	next   int    // the ledger's row for the bucket after it

	open   cost   // the bucket that states are put into
	sealed counts // what the shards held when it was opened

	held   ledger // what is held back, by the bucket it is due in
	due    int    // first row of held that still waits
	logged counts // what had been held back when held was last written
}

// Run explores sys from its initial states, bucket by bucket, until it has
// seen everything or until the options, the context or a lack of memory end
// it sooner; Graph.Ended says which. A cancelled context is no error. Errors
// are a panic in a Worker (a *PanicError) and more states than there are IDs;
// the graph that comes with them holds what was found before.
func Run(ctx context.Context, sys System, opts Options) (*Graph, error) {
	if sys.Words() < 1 {
		return nil, fmt.Errorf("explore: states of %d words, want at least 1", sys.Words())
	}
	return newSearch(sys, opts).run(ctx)
}

func (x *search) run(ctx context.Context) (*Graph, error) {
	x.cancelled.Store(ctx.Err() != nil)
	defer context.AfterFunc(ctx, func() { x.cancelled.Store(true) })()

	for ok := x.begin(); ok && x.choose(); {
		ok = x.expand() && x.release() && x.report()
	}
	x.seal()
	for i := range x.shards {
		x.shards[i].held = queue{}
	}
	return x.Graph, x.err
}

func newSearch(sys System, opts Options) *search {
	n := opts.Workers
	if n <= 0 {
		n = runtime.GOMAXPROCS(0)
	}
	x := &search{
		Graph:   &Graph{width: sys.Words(), shards: new([shards]shard), rule: ruleOf(opts.Order)},
		sys:     sys,
		opts:    opts,
		workers: make([]worker, 1, n),
	}
	x.workers[0] = newWorker(sys)
	for i := range x.shards {
		x.shards[i].init(x.width)
	}
	return x
}

// begin puts the initial states into the first bucket.
func (x *search) begin() bool {
	var out Batch
	x.sys.Init(&out)
	g := &x.segments[0]
	g.begin(0, [2]Note{^Slow, ^Slow})
	for i := range out.Notes {
		out.Notes[i] ^= out.Notes[i] & Slow // it takes no step to begin
	}
	g.post(&out, None, ruleOf(StepsFirst), x.workers[0].recent, x.width)
	g.transitions = 0
	x.absorb(x.segments[:1], true)
	x.record(g, [2]cost{0, 0})
	return x.pause(0, false)
}

// choose makes the next bucket the one to be expanded.
func (x *search) choose() bool {
	for x.idle() {
		if x.due == len(x.held.rows) {
			x.found.settle(never)
			return x.end(Closed)
		}
		if !x.flush() {
			return false
		}
	}
	x.now = x.rows[x.next].cost
	x.bucket.from = x.bucket.to
	for s, n := range x.of(x.next) {
		x.bucket.to[s] += n
	}
	x.bucket.slices = x.cut(x.rows[x.next].states)
	x.next++
	return true
}

// idle says that no bucket waits to be expanded. If none but the open one
// does, then nothing more can go into that, and it is closed.
func (x *search) idle() bool {
	if x.next == len(x.rows) {
		x.seal()
	}
	return x.next == len(x.rows)
}

// put makes c the bucket that states are put into.
func (x *search) put(c cost) {
	if c != x.open {
		x.seal()
		x.open = c
	}
}

// seal writes the open bucket into the ledger.
func (x *search) seal() {
	var after counts
	for s := range x.shards {
		after[s] = x.shards[s].n
	}
	x.add(x.open, &x.sealed, &after)
	x.sealed = after
}

// expand takes the steps of the bucket, wave by wave.
func (x *search) expand() bool {
	x.put(x.now + x.rule.quick)
	for first := 0; first < x.bucket.slices; {
		n := min(maxSegments, x.bucket.slices-first)
		if !x.wave(first, n) {
			return false
		}
		if first += n; first < x.bucket.slices && !x.pause(x.now+x.rule.quick, false) {
			return false
		}
	}
	x.complete, x.any = x.now, true
	return true
}

// release puts those held-back candidates in place whose time has come: see
// order.go.
func (x *search) release() bool {
	var after counts
	for s := range x.shards {
		after[s] = x.shards[s].held.pushed
	}
	x.held.add(x.now+heldCost, &x.logged, &after)
	x.logged = after

	for x.due < len(x.held.rows) {
		c := x.held.rows[x.due].cost
		switch {
		case x.rule.order == StepsFirst:
		case c == x.now+x.rule.quick:
		case c.p() == x.now.p() && x.idle():
		default:
			return true
		}
		if !x.flush() {
			return false
		}
	}
	return true
}
