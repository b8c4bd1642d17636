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

	workers []worker
	alone   segment
	crew    *crew  // nil as long as nothing was shared
	relay   *relay // likewise
	// cancelled follows the context: looking at it before every full group of
	// states is free.
	cancelled atomic.Bool
	// stop follows it in place of cancelled in a search with a checkpoint, which
	// ends at a border only.
	stop     atomic.Bool
	saver    *saver           // nil without a checkpoint
	resuming [shards]heldBack // what is held back, while a checkpoint is read

	now    cost   // the bucket in expansion
	bucket bucket // its states
	first  int    // of its slices, the first that is not expanded
	next   int    // the ledger's row for the bucket after it

	open   cost   // the bucket that states are put into
	sealed counts // what the shards held when it was opened

	witness   ID  // a state of an earlier P that no later one may have; or None
	witnessed int // its P

	held   ledger // what is held back, by the bucket it is due in
	due    int    // first row of held that still waits
	logged counts // what had been held back when held was last written
	later  fate   // of what is held back now
	passed int    // how often something was held back
}

// Run explores sys from its initial states, bucket by bucket, until it has
// seen everything or until the options, the context or a lack of memory end
// it sooner; Graph.Ended says which. A cancelled context is no error. Errors
// are a panic in a Worker (a *PanicError), a Worker that ends its goroutine
// (ErrLeft; if it is that of the caller, Run does not return), more states than
// there are IDs (ErrTooMany), and a promise of Dated that is seen to be false; the
// graph that comes with them holds what was found before.
func Run(ctx context.Context, sys System, opts Options) (*Graph, error) {
	if sys.Words() < 1 {
		return nil, fmt.Errorf("explore: states of %d words, want at least 1", sys.Words())
	}
	return newSearch(sys, opts).run(ctx)
}

func (x *search) run(ctx context.Context) (*Graph, error) {
	end := &x.cancelled
	if x.opts.Checkpoint != nil {
		end = &x.stop
	}
	end.Store(ctx.Err() != nil)
	defer context.AfterFunc(ctx, func() { end.Store(true) })()

	defer func() {
		if x.crew != nil {
			x.crew.dismiss()
		}
	}()
	for ok := x.start(); ok && (x.first > 0 || x.choose()); {
		ok = x.expand() && x.release() && x.border(x.report())
	}
	if x.saver != nil && x.err == nil && x.ended == Closed {
		x.save(true)
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
		later:   sifted,
		witness: None,
		Graph:   &Graph{width: sys.Words(), shards: new([shards]shard), rule: ruleOf(opts.Order)},
		sys:     sys,
		opts:    opts,
		workers: make([]worker, 1, n),
	}
	if d, ok := sys.(Dated); ok && d.Dated() && opts.Order == SlowFirst {
		x.dated, x.later = true, kept // what is held back is of the next P: none is known
	}
	x.workers[0] = newWorker(sys)
	pool := &pool{}
	for i := range x.shards {
		x.shards[i].init(x.width, pool)
	}
	x.alone.quick, x.alone.late = newParted(x.width, 1), newParted(x.width, 1)
	return x
}

// begin puts the initial states into the first bucket.
func (x *search) begin() bool {
	g, w := &x.alone, &x.workers[0]
	x.sys.Init(&w.out)
	g.begin(0, [2]Note{^Slow, ^Slow}, true, sifted)
	for i := range w.out.Notes {
		w.out.Notes[i] ^= w.out.Notes[i] & Slow // it takes no step to begin
	}
	w.from([]ID{None}, []int{len(w.out.Notes)})
	rule := ruleOf(StepsFirst)
	g.post(x.shards, &rule, w)
	g.transitions = 0
	return x.record(&g.outcome, [2]cost{0, 0}) && x.pause(0, false)
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
		if x.dated && c.p() != x.open.p() {
			x.sweep()
		}
		x.open = c
	}
}

// sweep empties the tables of a dated search, when the P of the open bucket has all
// its states.
//
// Before, it looks for the witness among them, and may take another. If the promise
// of Dated is false and the system finite, but the search has no end, then what is
// found in each P repeats itself in the end, with some period; and a witness that has
// stayed for so long has been met again. As each stays for twice as long as the one
// before, that comes to pass, for one lookup in each P.
func (x *search) sweep() {
	p := x.open.p()
	if x.witness != None {
		state := x.State(x.witness)
		h := hash(state)
		if _, known := x.shards[owner(h)].find(state, place(h)); known {
			x.err = fmt.Errorf("explore: a state of %T does not tell its date, though it was promised: %#x comes after %d slow transitions and after %d",
				x.sys, state, x.witnessed, p)
		}
	}
	for i := range x.shards {
		s := &x.shards[i]
		if p&(p-1) == 0 && s.n > s.since && (x.witness == None || x.witnessed != p) {
			x.witness, x.witnessed = id(uint32(i), s.since), p
		}
		s.begin()
	}
}

// seal writes the open bucket into the ledger.
func (x *search) seal() {
	after := x.counts()
	x.add(x.open, &x.sealed, &after)
	x.sealed = after
}

// counts is how many states each shard has.
func (x *search) counts() (n counts) {
	for s := range x.shards {
		n[s] = x.shards[s].n
	}
	return n
}

// forget takes back what shards got since then.
func (x *search) forget(then *counts) {
	for s := range x.shards {
		x.shards[s].forget(then[s])
	}
}

// expand takes the steps of the bucket, wave by wave.
func (x *search) expand() bool {
	x.put(x.now + x.rule.quick)
	for x.first < x.bucket.slices {
		n := min(maxSegments, x.bucket.slices-x.first)
		if !x.wave(x.first, n) {
			return false
		}
		if x.first += n; x.first < x.bucket.slices && !x.border(x.pause(x.now+x.rule.quick, false)) {
			return false
		}
	}
	x.first = 0
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
	if after != x.logged && !x.dated {
		x.later = x.laterFate()
	}
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

// enoughAsked is how many candidates tell what share of them is known.
const enoughAsked = 1 << 12

// laterFate says whether what will be held back should be looked up first. Where
// much of it is known by then, that saves memory; where little is, as when a clock
// is part of the states, it costs time, and each candidate is looked up when it is
// due in any case. So it is asked as long as at least one in eight is known, and
// else now and then.
//
// In a dated search it is not asked: none can be known.
//
// What is held back and known already can make a bucket that turns out to be empty.
// So a search that is cut short may call fewer of its findings final than one that
// asks; what it calls final is so.
func (x *search) laterFate() fate {
	x.passed++
	var asked, fresh uint64
	for s := range x.shards {
		asked += uint64(x.shards[s].asked)
		fresh += uint64(x.shards[s].kept)
	}
	if asked < enoughAsked || 8*(asked-fresh) >= asked || x.passed%16 == 0 {
		return sifted
	}
	return kept
}
