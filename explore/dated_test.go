package explore

import (
	"context"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"dlcheck/explore/checkpoint/checkpointtest"
)

// clocked is a system with a clock in a word of its own: each slow transition moves it
// on, and after the last tick there are none.
type clocked struct {
	System
	last uint64
}

func (x clocked) Dated() bool { return true }
func (x clocked) Words() int  { return x.System.Words() + 1 }

func (x clocked) Init(out *Batch) {
	var timeless Batch
	x.System.Init(&timeless)
	x.add(out, 0, &timeless)
}

func (x clocked) Worker() Worker { return &clockedWorker{clocked: x, Worker: x.System.Worker()} }

type clockedWorker struct {
	clocked
	Worker
	out Batch
}

func (w *clockedWorker) Next(s []uint64, out *Batch) {
	w.out.Reset()
	w.Worker.Next(s[:len(s)-1], &w.out)
	w.add(out, s[len(s)-1], &w.out)
}

func (x clocked) add(out *Batch, now uint64, of *Batch) {
	for i, n := range of.Notes {
		tick := uint64(0)
		if n&Slow != 0 {
			tick = 1
		}
		if now+tick <= x.last {
			out.States = append(append(out.States, of.States[i*x.System.Words():][:x.System.Words()]...), now+tick)
			out.Notes = append(out.Notes, n)
		}
	}
}

// undated is a system that keeps to itself what it could promise.
type undated struct{ System }

// promising promises, be it true or false.
type promising struct{ System }

func (promising) Dated() bool { return true }

// datedWorlds grow with each tick, or shrink, have long ticks or many short ones, and
// tables that have to grow.
func datedWorlds() map[string]System {
	return map[string]System{
		"words=1":  clocked{random{seed: 1, width: 1, nodes: 500, degree: 4, slow: 3, rare: 20}, 6},
		"words=3":  clocked{random{seed: 3, width: 3, nodes: 500, degree: 4, slow: 3, rare: 20}, 6},
		"deep":     clocked{random{seed: 77, width: 2, nodes: 900, degree: 5, near: 40, slow: 2, rare: 9}, 9},
		"wide":     clocked{random{seed: 78, width: 1, nodes: 9000, degree: 9, slow: 4, rare: 500}, 3},
		"large":    clocked{random{seed: 9, width: 1, nodes: 20000, degree: 7, slow: 1, rare: 500}, 2},
		"growing":  clocked{random{seed: 9, width: 1, nodes: 20000, degree: 9, slow: 6, rare: 500}, 5},
		"chain":    clocked{random{seed: 5, width: 1, nodes: 300, degree: 9, near: 2, slow: 4, rare: 50}, 40},
		"all slow": clocked{random{seed: 6, width: 1, nodes: 2000, degree: 5, slow: 8, rare: 50}, 12},
		"no slow":  clocked{random{seed: 7, width: 1, nodes: 2000, degree: 5, slow: 0, rare: 50}, 12},
		"commit":   clocked{twoPhase{rms: 4}, 3},
		"burst":    burst{},
	}
}

// burst is a world of ten thousand states at its first tick, of which few live on: a
// large table, and then many small P in it.
type burst struct{}

func (burst) Words() int      { return 1 }
func (burst) Dated() bool     { return true }
func (burst) Worker() Worker  { return burst{} }
func (burst) Init(out *Batch) { out.Add(0, 0) }

func (burst) Next(s []uint64, out *Batch) {
	now, at := s[0]&0xff, s[0]>>8
	if now == 0 && at < 4000 || at < 5 {
		for i := range uint64(3) {
			out.Add(Mark(int(now%MaxMarks)), now|(3*at+i+1)<<8)
		}
	}
	if now < 99 && at%997 == 0 {
		out.Add(Slow, s[0]+1)
	}
}

// told is all that a search says while it goes on.
func told(opts *Options) *[]Progress {
	var list []Progress
	stop := opts.OnBucket
	opts.OnBucket = func(p Progress) bool {
		p.Bytes = 0
		list = append(list, p)
		return stop == nil || stop(p)
	}
	return &list
}

// TestDatedChangesNothing: a search that is promised that states tell their date says
// the same as one that is not, wherever it ends, with any number of workers.
func TestDatedChangesNothing(t *testing.T) {
	for name, sys := range datedWorlds() {
		for _, order := range []Order{StepsFirst, SlowFirst, FastFirst} {
			if order != SlowFirst && name != "commit" {
				continue // nobody asks for the promise
			}
			for i, opts := range []Options{
				{},
				{Until: Mark(3) | Mark(40)},
				{OnBucket: func(p Progress) bool { return p.States < 1000 }},
				{OnBucket: func(p Progress) bool { return !p.Last || p.P < 2 }},
			} {
				opts.Order = order
				wanted, heard := opts, opts
				wanted.Workers = 1
				news := told(&wanted)
				want := mustRun(t, undated{sys}, wanted)
				for _, heard.Workers = range []int{1, 2, 7} {
					heard.OnBucket = opts.OnBucket
					old := told(&heard)
					g := mustRun(t, sys, heard)
					if digest(g) != digest(want) {
						t.Fatalf("%s, order %d, ending %d, %d workers: %d states (%v) with the promise, %d (%v) without it",
							name, order, i, heard.Workers, g.States(), g.Ended(), want.States(), want.Ended())
					}
					if !reflect.DeepEqual(*old, *news) {
						t.Errorf("%s, order %d, ending %d, %d workers: it tells %v with the promise, %v without it", name, order, i, heard.Workers, *old, *news)
					}
					if order == SlowFirst && (g.Bytes() > want.Bytes() || !g.dated) {
						t.Errorf("%s: %d bytes with the promise, %d without it", name, g.Bytes(), want.Bytes())
					}
				}
			}
		}
	}
}

// TestDatedMemory: the promise saves memory, so that a search sees more in as much; and
// what it sees depends on nothing else.
func TestDatedMemory(t *testing.T) {
	sys := clocked{random{seed: 9, width: 1, nodes: 2000, degree: 7, slow: 3, rare: 500}, 40}
	whole := mustRun(t, sys, Options{Order: SlowFirst})
	if with, without := whole.Bytes(), mustRun(t, undated{sys}, Options{Order: SlowFirst}).Bytes(); without-with < int64(whole.States())*4 {
		t.Errorf("%d states take %d bytes with the promise, %d without it", whole.States(), with, without)
	}
	for _, most := range []int64{400_000, 900_000, whole.Bytes() * 2 / 3} {
		without := mustRun(t, undated{sys}, Options{Order: SlowFirst, MaxBytes: most})
		want := ""
		for _, workers := range []int{1, 2, 7} {
			g := mustRun(t, sys, Options{Order: SlowFirst, MaxBytes: most, Workers: workers})
			if g.Ended() != OutOfMemory || g.Bytes() > most || g.States() < without.States() {
				t.Errorf("%d bytes, %d workers: ended %v with %d states in %d, and without the promise %d states",
					most, workers, g.Ended(), g.States(), g.Bytes(), without.States())
			}
			if want == "" {
				want = digestAndBytes(g)
			}
			if digestAndBytes(g) != want {
				t.Errorf("%d bytes: %d workers show", most, workers)
			}
		}
	}
}

// TestDatedNeeds: a table that has room for another P as large is not about to grow,
// however many states there are in all.
func TestDatedNeeds(t *testing.T) {
	g := mustRun(t, clocked{random{seed: 9, width: 1, nodes: 110_000, degree: 8, slow: 3}, 2}, Options{Order: SlowFirst})
	for i := range g.shards {
		if s := &g.shards[i]; s.n < s.limit || s.n-s.since < s.limit/2 {
			t.Fatalf("shard %d has %d states, %d of them in a table that grows at %d: nothing can be told from that", i, s.n, s.n-s.since, s.limit)
		}
	}
	if g.needs() != g.Bytes() {
		t.Errorf("it needs %d bytes, and takes %d", g.needs(), g.Bytes())
	}
}

// TestDatedLookup: when the search is over every state is found, those of all P, and
// no others, and paths are as without the promise.
func TestDatedLookup(t *testing.T) {
	for name, sys := range datedWorlds() {
		for i, opts := range []Options{
			{},
			{OnBucket: func(p Progress) bool { return p.States < 1000 }},
			{MaxBytes: 300_000},
		} {
			opts.Order = SlowFirst
			g, want := mustRun(t, sys, opts), mustRun(t, undated{sys}, opts)
			for id, s := range g.All() {
				if found, ok := g.Lookup(s); !ok || found != id {
					t.Fatalf("%s, ending %d: Lookup(%v) = %d, %v, want %d", name, i, s, found, ok, id)
				}
				other := slices.Clone(s)
				other[len(s)-1] ^= 1 << 63
				if found, ok := g.Lookup(other); ok {
					t.Fatalf("%s, ending %d: Lookup(%v) = %d, and there is no such state", name, i, other, found)
				}
				if id%16 > 0 {
					continue
				}
				if p, q := g.Path(id), want.Path(id); opts.MaxBytes == 0 && !reflect.DeepEqual(p, q) {
					t.Fatalf("%s, ending %d: path %v to %d, and without the promise %v", name, i, p, id, q)
				}
			}
			if opts.MaxBytes == 0 && g.Bytes() != want.Bytes() {
				t.Errorf("%s, ending %d: %d bytes when its tables are whole, and without the promise %d", name, i, g.Bytes(), want.Bytes())
			}
		}
	}
}

// TestDatedToward: all nearest paths are known, with the fewest ties.
func TestDatedToward(t *testing.T) {
	for name, sys := range datedWorlds() {
		ways := 0
		g, want := mustRun(t, tied{sys}, Options{Order: SlowFirst}), mustRun(t, promising{tied{sys}}, Options{Order: SlowFirst})
		if g.dated || !want.dated {
			t.Fatal("the promise is not where it should be")
		}
		for mark := range MaxMarks {
			if f, ok := g.Found(mark); mark == tieMark || !ok || f.From == None {
				continue
			}
			for _, tie := range []Note{0, Mark(tieMark)} {
				a, b := g.Toward(t.Context(), tied{sys}, mark, tie), want.Toward(t.Context(), tied{sys}, mark, tie)
				if x, y := walkToward(t, name, tied{sys}, a), walkToward(t, name, tied{sys}, b); x != y {
					t.Errorf("%s, mark %d: %d ties with the promise, %d without it", name, mark, x, y)
				}
				ways++
			}
			if ways > 6 {
				break
			}
		}
	}
}

// TestDatedCancelled: what a search has that was cancelled in the middle of a bucket,
// it can find.
func TestDatedCancelled(t *testing.T) {
	for _, workers := range []int{1, 2, 7} {
		for _, after := range []int{1, 100, 3000, 30_000} {
			ctx, cancel := context.WithCancel(t.Context())
			left := make(chan struct{}, after)
			for range after {
				left <- struct{}{}
			}
			sys := clocked{hooked{random{seed: 9, width: 1, nodes: 40000, degree: 7, slow: 1, rare: 500}, func([]uint64) {
				select {
				case <-left:
				default:
					cancel()
				}
			}}, 2}
			g, err := Run(ctx, sys, Options{Order: SlowFirst, Workers: workers})
			cancel()
			if err != nil || g.Ended() != Interrupted || !g.dated {
				t.Fatalf("ended %v, %v", g.Ended(), err)
			}
			checkPartial(t, g, sys)
			for id, s := range g.All() {
				if found, ok := g.Lookup(s); !ok || found != id {
					t.Fatalf("%d workers, cancelled after %d states: Lookup(%v) = %d, %v, want %d", workers, after, s, found, ok, id)
				}
			}
		}
	}
}

// TestDatedResumed kills a dated search after its saves: it goes on as if nothing had
// been, with tables as large as they were.
func TestDatedResumed(t *testing.T) {
	for _, c := range []struct {
		name  string
		sys   System
		opts  Options
		every int // how many saves lie between two kills
	}{
		{"every border", clocked{random{seed: 12, width: 1, nodes: 90, degree: 4, near: 50, slow: 3, rare: 9}, 5}, Options{}, 1},
		{"a large P and many small ones", burst{}, Options{OnBucket: func(p Progress) bool { return p.P < 30 || !p.Last }}, 37},
		{"tables that grow late", clocked{random{seed: 9, width: 1, nodes: 20000, degree: 9, slow: 6, rare: 500}, 5}, Options{}, 37},
		{"within buckets", clocked{random{seed: 9, width: 1, nodes: 20000, degree: 30, slow: 3, rare: 500}, 2}, Options{}, 13},
		{"until two marks are met", clocked{random{seed: 77, width: 2, nodes: 900, degree: 5, near: 40, slow: 2, rare: 9}, 9}, Options{Until: Mark(3) | Mark(40)}, 9},
		{"out of memory", clocked{random{seed: 9, width: 1, nodes: 2000, degree: 7, slow: 3, rare: 500}, 40}, Options{MaxBytes: 900_000}, 29},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.opts.Order, c.opts.Workers = SlowFirst, 1
			want := mustRun(t, c.sys, c.opts)
			_, all := killedAfter(t, c.sys, c.opts, 0)
			for saves := 1; saves <= all; saves += c.every {
				g, _ := killedAfter(t, c.sys, c.opts, saves)
				if digestAndBytes(g) != digestAndBytes(want) {
					t.Fatalf("killed after save %d of %d: ended %v with %d states in %d bytes, want %v, %d, %d",
						saves, all, g.Ended(), g.States(), g.Bytes(), want.Ended(), want.States(), want.Bytes())
				}
				if saves%7 != 1 {
					continue
				}
				for id, s := range g.All() {
					if found, ok := g.Lookup(s); !ok || found != id {
						t.Fatalf("killed after save %d of %d: Lookup(%v) = %d, %v, want %d", saves, all, s, found, ok, id)
					}
				}
			}
		})
	}
}

// TestStateTwiceIsRefused: a checkpoint in which one state has the words of another is
// refused, in a dated search too.
func TestStateTwiceIsRefused(t *testing.T) {
	for _, sys := range []System{burst{}, undated{burst{}}} {
		dir := checkpointtest.Memory{}
		opts := saved(Options{Order: SlowFirst, Workers: 1, OnBucket: func(p Progress) bool { return p.P < 3 }}, dir)
		x := newSearch(sys, opts)
		x.begin()
		for x.choose() && x.expand() && x.release() && x.report() {
		}
		s := &x.shards[7] // its first states are all of tick 0
		copy(s.at(20), s.at(10))
		x.saver, x.err = newSaver(opts.Checkpoint, x.width, &opts)
		if x.save(false); x.err != nil {
			t.Fatal(x.err)
		}
		_, err := Run(t.Context(), sys, opts)
		if err == nil || !strings.Contains(err.Error(), "it has a state twice") {
			t.Errorf("%T: %v", sys, err)
		}
	}
}

// TestFalsePromise shows what the promise is for. Of a system that breaks it, each state
// is found again for every number of slow transitions that lead to it.
func TestFalsePromise(t *testing.T) {
	for _, c := range []struct {
		name          string
		sys           System
		with, without uint64
	}{
		{"two ways to one state, one of them slow", arrows{0: {{0, 1}, {Slow, 1}}}, 3, 2},
		{"and what comes after it", arrows{0: {{0, 1}, {Slow, 1}}, 1: {{Slow, 2}}}, 5, 3},
		{"a promise that is kept", arrows{0: {{Slow, 1}, {Slow, 2}}, 1: {{0, 3}, {Slow, 4}}, 2: {{0, 3}}, 3: {{Slow, 4}}}, 5, 5},
	} {
		with, without := mustRun(t, promising{c.sys}, Options{Order: SlowFirst, Workers: 1}), mustRun(t, c.sys, Options{Order: SlowFirst, Workers: 1})
		if with.States() != c.with || without.States() != c.without {
			t.Errorf("%s: %d states with the promise, %d without it, want %d, %d", c.name, with.States(), without.States(), c.with, c.without)
		}
		// In other orders nobody relies on it.
		if g := mustRun(t, promising{c.sys}, Options{Order: FastFirst}); g.States() != c.without {
			t.Errorf("%s, order %d: %d states, want %d", c.name, FastFirst, g.States(), c.without)
		}
	}
}

// TestFalsePromiseEnds: a cycle over a slow transition does not go round for ever.
func TestFalsePromiseEnds(t *testing.T) {
	ring := arrows{}
	for i := range uint64(300) {
		ring[i] = []arrow{{Slow, (i + 1) % 300}}
	}
	lasso := arrows{0: {{0, 100}}, 100: {{Slow, 101}}, 101: {{Slow, 102}, {0, 7}}, 102: {{Slow, 103}}, 103: {{Slow, 101}}}
	for name, sys := range map[string]System{"ring": ring, "lasso": lasso, "random": random{seed: 3, width: 2, nodes: 500, degree: 4, slow: 3}, "dense": random{seed: 3, width: 1, nodes: 50, degree: 9, slow: 7}} {
		for _, workers := range []int{1, 2, 7} {
			g, err := Run(t.Context(), promising{sys}, Options{Order: SlowFirst, Workers: workers})
			if err == nil || !strings.Contains(err.Error(), "does not tell its date, though it was promised") {
				t.Fatalf("%s: %v", name, err)
			}
			if g.Ended() == Closed {
				t.Errorf("%s: it says that it has seen all there is", name)
			}
			for id := range g.All() {
				g.Path(id)
			}
		}
	}
}

// TestBegin: an emptied table is empty, whether it had many states or few.
func TestBegin(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 8))
	var s shard
	s.init(1, &pool{})
	for _, n := range []uint32{5000, 1, 0, 40, 100, 255, 256, 257, 5, 6000, 7, 300} {
		first := s.n
		for s.n < first+n {
			// Homes close to each other, so that runs are long, and go on at the
			// beginning of the table.
			words := []uint64{r.Uint64()}
			if h := hash(words); n > 1000 || place(h)+1<<28 < 1<<29 {
				s.insert(s.home(place(h)), unsafe.Pointer(&words[0]), h, None)
			}
		}
		for i := first; i < s.n; i++ {
			if at, known := s.find(s.at(i), place(hash(s.at(i)))); !known || at != i {
				t.Fatalf("of %d states, number %d is not found", n, i-first)
			}
		}
		k := s.k
		s.begin()
		if i := slices.IndexFunc(s.table, func(w uint64) bool { return w != 0 }); i >= 0 || s.k != k || s.since != s.n {
			t.Fatalf("when %d states had been taken out, slot %d was left (k = %d, before %d)", n, 2*i, s.k, k)
		}
	}
	if s.k < 12 {
		t.Errorf("a table of 2^%d slots: too small to be sparse", s.k)
	}
}
