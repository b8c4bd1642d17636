package explore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// hooked calls a function before each expansion.
type hooked struct {
	System
	before func(s []uint64)
}

type hookedWorker struct {
	Worker
	before func(s []uint64)
}

func (h hooked) Worker() Worker { return hookedWorker{h.System.Worker(), h.before} }

func (h hookedWorker) Next(s []uint64, out *Batch) {
	h.before(s)
	h.Worker.Next(s, out)
}

// endless counts up; every number also leads to two large ones.
type endless struct{}

func (endless) Words() int      { return 1 }
func (endless) Worker() Worker  { return endless{} }
func (endless) Init(out *Batch) { out.Add(0, 1) }
func (endless) Next(s []uint64, out *Batch) {
	out.Add(0, s[0]+1)
	out.Add(Slow, 3*s[0]+1)
	out.Add(0, 5*s[0])
}

// checkPartial sees that what a graph says it has, it has.
func checkPartial(t *testing.T, g *Graph, sys System) {
	t.Helper()
	p, q, ok := g.Complete()
	var expanded uint64
	var out Batch
	states := slices.Collect(func(yield func([]uint64) bool) {
		for _, s := range g.All() {
			if !yield(s) {
				return
			}
		}
	})
	for _, b := range g.Buckets() {
		if !ok || b.P > p || b.P == p && b.Q > q {
			break
		}
		for _, s := range states[expanded : expanded+b.States] {
			out.Reset()
			sys.Worker().Next(s, &out)
			for n := range slices.Chunk(out.States, g.Words()) {
				// Held-back successors may still be waiting.
				if _, known := g.Lookup(n); !known && g.rule.order == StepsFirst {
					t.Fatalf("no successor %v of %v", n, s)
				}
			}
		}
		expanded += b.States
	}
	if g.Expanded() < expanded || g.Expanded() > g.States() || g.States() != uint64(len(states)) {
		t.Fatalf("%d of %d states expanded, at least %d and at most %d possible", g.Expanded(), g.States(), expanded, len(states))
	}
}

func TestStopped(t *testing.T) {
	var seen []Bucket
	g := mustRun(t, endless{}, Options{OnBucket: func(p Progress) bool {
		if !p.Last && p.Frontier == 0 {
			t.Errorf("not the last bucket of %+v, but nothing left", p)
		}
		seen = append(seen, Bucket{p.P, p.Q, p.States})
		return p.P < 7 || !p.Last
	}})
	if p, _, ok := g.Complete(); g.Ended() != Stopped || !ok || p != 7 {
		t.Errorf("ended %v after %d steps, want stopped after 7", g.Ended(), p)
	}
	checkPartial(t, g, endless{})
	// The last to be seen had everything in place that is seven steps away,
	// and what it found is eight away.
	buckets := g.Buckets()
	if last := buckets[len(buckets)-1]; last.P != 8 || seen[len(seen)-1].States != g.States() {
		t.Errorf("last bucket %+v, last seen %+v, %d states", last, seen[len(seen)-1], g.States())
	}
}

// With slow transitions first, a search that ends with the last bucket of
// some P has seen the states with so many slow transitions, and no others.
func TestStoppedAfterSlow(t *testing.T) {
	sys := random{seed: 3, width: 1, nodes: 4000, degree: 3, near: 90, slow: 2}
	whole := mustRun(t, sys, Options{Order: SlowFirst})
	for bound := range 9 {
		g := mustRun(t, sys, Options{Order: SlowFirst, OnBucket: func(p Progress) bool { return !p.Last || p.P < bound }})
		var want []Bucket
		for _, b := range whole.Buckets() {
			if b.P <= bound {
				want = append(want, b)
			}
		}
		if !slices.Equal(g.Buckets(), want) {
			t.Errorf("bound %d: buckets %v, want %v", bound, g.Buckets(), want)
		}
	}
}

func TestInterrupted(t *testing.T) {
	for _, workers := range []int{1, 3} {
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
		defer cancel()
		g, err := Run(ctx, endless{}, Options{Workers: workers})
		if err != nil || g.Ended() != Interrupted {
			t.Fatalf("%d workers: ended %v, %v, want interrupted", workers, g.Ended(), err)
		}
		checkPartial(t, g, endless{})
		// Once more, with nothing but the initial state.
		g, err = Run(ctx, endless{}, Options{Workers: workers})
		if err != nil || g.Ended() != Interrupted || g.States() != 1 || g.Expanded() != 0 {
			t.Fatalf("%d workers: %d states, ended %v, %v", workers, g.States(), g.Ended(), err)
		}
	}
}

// TestCancelledInTheMiddle cancels searches of a tree at any of its first states. What is
// there in the end are the children of those states that are said to be expanded, and no
// others: of a slice that was not expanded to its end none is kept.
func TestCancelledInTheMiddle(t *testing.T) {
	t.Parallel()
	for _, workers := range []int{1, 3} {
		inSlices := 0
		for at := int64(1); at < 20_000; at += 1 + at/7 {
			sys := &tree{at: at}
			x := newSearch(sys, Options{Workers: workers})
			sys.cancelled = &x.cancelled
			g, err := x.run(t.Context())
			if err != nil || g.Ended() != Interrupted {
				t.Fatalf("%d workers, cancelled at state %d: ended %v, %v", workers, at, g.Ended(), err)
			}
			if sum := sumOf(g.Buckets()); g.States() != 1+2*g.Expanded() || sum != g.States() {
				t.Errorf("%d workers, cancelled at state %d: %d states, %d in buckets, want %d, of %d that were expanded", workers, at, g.States(), sum, 1+2*g.Expanded(), g.Expanded())
			}
			if n := found(g); n != g.States() {
				t.Errorf("%d workers, cancelled at state %d: %d states, and %d are found", workers, at, g.States(), n)
			}
			if g.Expanded() < uint64(sys.taken.Load()) {
				inSlices++
			}
		}
		if inSlices < 20 {
			t.Errorf("%d workers: only %d searches were cancelled in the middle of a slice", workers, inSlices)
		}
	}
}

func sumOf(buckets []Bucket) (n uint64) {
	for _, b := range buckets {
		n += b.States
	}
	return n
}

// found is how many of the first states of a tree are found.
func found(g *Graph) (n uint64) {
	for i := range 4 * g.States() {
		if _, ok := g.Lookup([]uint64{i}); ok {
			n++
		}
	}
	return n
}

// tree is the binary tree without an end. It cancels the search at some state.
type tree struct {
	at        int64
	taken     atomic.Int64
	cancelled *atomic.Bool
}

func (*tree) Words() int       { return 1 }
func (*tree) Init(out *Batch)  { out.Add(0, 1) }
func (s *tree) Worker() Worker { return s }

func (s *tree) Next(state []uint64, out *Batch) {
	if s.taken.Add(1) == s.at {
		s.cancelled.Store(true)
	}
	out.Add(0, 2*state[0])
	out.Add(0, 2*state[0]+1)
}

func TestOutOfMemory(t *testing.T) {
	for _, order := range []Order{StepsFirst, SlowFirst, FastFirst} {
		const bound, wave = 30 << 20, 8 << 20
		g := mustRun(t, endless{}, Options{MaxBytes: bound, Order: order})
		if g.Ended() != OutOfMemory || g.Bytes() > bound+wave || g.States() < 500_000 {
			t.Errorf("ended %v with %d states in %d bytes", g.Ended(), g.States(), g.Bytes())
		}
	}
}

func TestFound(t *testing.T) {
	sys := random{seed: 8, width: 1, nodes: 50000, degree: 6, slow: 4, rare: 300}
	for _, order := range []Order{StepsFirst, SlowFirst, FastFirst} {
		whole := mustRun(t, sys, Options{Order: order})
		for i := range MaxMarks {
			g := mustRun(t, sys, Options{Order: order, Until: Mark(i)})
			f, ok := g.Found(i)
			want, _ := whole.Found(i)
			if g.Ended() != Found || !ok || !f.Final || f.P != want.P || f.Q != want.Q || f.From != want.From || !slices.Equal(f.To, want.To) {
				t.Errorf("order %d, mark %d: ended %v with %+v, want %+v", order, i, g.Ended(), f, want)
			}
			if g.Expanded() > whole.Expanded() {
				t.Errorf("order %d, mark %d: looked on", order, i)
			}
		}
	}
}

// marked has marks on its initial states.
type marked struct{ endless }

func (marked) Init(out *Batch) {
	out.Add(Mark(1), 10)
	out.Add(Mark(1)|Mark(2), 20)
}

func TestMarksOnInitialStates(t *testing.T) {
	g := mustRun(t, marked{}, Options{Until: Mark(1) | Mark(2)})
	one, _ := g.Found(1)
	two, _ := g.Found(2)
	if g.Ended() != Found || one.From != None || one.To[0] != 10 || two.To[0] != 20 || g.Expanded() != 0 {
		t.Errorf("ended %v, found %+v, %+v", g.Ended(), one, two)
	}
	if trace := g.Trace(two); len(trace) != 1 || trace[0][0] != 20 {
		t.Errorf("trace %v", trace)
	}
}

func TestPanic(t *testing.T) {
	cause := errors.New("broken rule")
	sys := hooked{twoPhase{rms: 6}, func(s []uint64) {
		if s[0]%0x10000 == 0xffff {
			panic(cause)
		}
	}}
	var want string
	for _, workers := range []int{1, 2, 7} {
		g, err := Run(t.Context(), sys, Options{Workers: workers})
		var p *PanicError
		if !errors.As(err, &p) || !errors.Is(err, cause) || !strings.Contains(err.Error(), "ends_test.go") {
			t.Fatalf("%d workers: %v, want a panic", workers, err)
		}
		if want == "" {
			want = digest(g)
		}
		if p.State[0]%0x10000 != 0xffff || digest(g) != want {
			t.Errorf("%d workers: panic of state %#x, another graph than with one", workers, p.State)
		}
	}
}

type malformed struct{ endless }

func (malformed) Words() int      { return 2 }
func (malformed) Worker() Worker  { return malformed{} }
func (malformed) Init(out *Batch) { out.Add(0, 1, 2) }

func TestMalformedBatch(t *testing.T) {
	_, err := Run(t.Context(), malformed{}, Options{})
	if err == nil || !strings.Contains(err.Error(), "3 words for 3 successors of 2 words each") {
		t.Errorf("%v, want a complaint about words", err)
	}
}

func TestTooManyStates(t *testing.T) {
	const most = 5000
	var alone uint64
	for _, workers := range []int{1, 2, 8} {
		x := newSearch(counting{1 << 24}, Options{Workers: workers})
		for i := range x.shards {
			x.shards[i].most = most
		}
		g, err := x.run(t.Context())
		if !errors.Is(err, ErrTooMany) || g.States() > most*shards || g.States() < most*shards/10*9 {
			t.Errorf("%d workers: %v with %d states", workers, err, g.States())
		}
		if workers == 1 {
			alone = g.States()
		}
		if g.States() != alone {
			t.Errorf("%d workers come to %d states, and one to %d", workers, g.States(), alone)
		}
	}
}

// dials is a row of dials of 8 positions; each is turned on either slowly or
// at once, so that most states that are held back are also found another way.
type dials struct{ n int }

func (dials) Words() int       { return 1 }
func (d dials) Worker() Worker { return d }
func (dials) Init(out *Batch)  { out.Add(0, 0) }
func (d dials) Next(s []uint64, out *Batch) {
	for i := range d.n {
		if s[0]>>(3*i)&7 < 7 {
			out.Add(Slow, s[0]+1<<(3*i))
			out.Add(0, s[0]+1<<(3*i))
		}
	}
}

// TestHeldBackTheSame: what is held back counts against MaxBytes, and how much
// that is must not depend on which worker met a state first. Of dials a state and
// its successors are in one batch; in the random graph a state that is held back is
// found at once from one that is expanded much later.
func TestHeldBackTheSame(t *testing.T) {
	for _, sys := range []System{dials{6}, random{seed: 9, width: 2, nodes: 60000, degree: 6, slow: 3}} {
		for _, order := range []Order{StepsFirst, SlowFirst, FastFirst} {
			var want []uint64
			for _, workers := range []int{1, 2, 7} {
				x := newSearch(sys, Options{Workers: workers, Order: order})
				var pushed []uint64 // so far, bucket by bucket
				x.begin()
				for x.choose() && x.expand() && x.release() && x.report() {
					var n uint64
					for i := range x.shards {
						n += uint64(x.shards[i].held.pushed)
					}
					pushed = append(pushed, n)
				}
				if want == nil {
					want = pushed
				}
				if !slices.Equal(pushed, want) {
					t.Errorf("%T, order %d, %d workers: held back %v; one worker: %v", sys, order, workers, pushed, want)
				}
			}
		}
	}
}

// An ID that no state has is a mistake of the caller's, and must not give the words
// of another state.
func TestStateOfNoID(t *testing.T) {
	g := mustRun(t, twoPhase{rms: 3}, Options{})
	defer func() {
		if v := recover(); v == nil || !strings.Contains(fmt.Sprint(v), "no state has the ID") {
			t.Errorf("%v, want a complaint about the ID", v)
		}
	}()
	g.State(None)
}
