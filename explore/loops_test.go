package explore

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestDropLoops draws groups of states with any number of successors, of which some are
// the state itself, and lets a worker find these among those that are due at once.
func TestDropLoops(t *testing.T) {
	for _, width := range []int{1, 2, 3, 5} {
		r := rand.New(rand.NewPCG(uint64(width), 3))
		w := newWorker(scattered{width, 1})
		loops, before, looked := 0, 0, 0
		for round := range 4000 {
			w.reset()
			often := round/1000%2 == 0
			var want, all []uint32
			for i := range 1 + r.IntN(group) {
				from := make([]uint64, width)
				for k := range from {
					from[k] = r.Uint64()
				}
				w.states, w.ids = append(w.states, from...), append(w.ids, ID(i))
				for range r.IntN(4) {
					to := slices.Clone(from)
					if !often || r.IntN(3) > 0 {
						to[r.IntN(width)] ^= 1 << r.IntN(64)
					}
					n := uint32(len(w.out.Notes))
					w.out.Add(0, to...)
					if r.IntN(4) == 0 {
						continue // it is not due at once
					}
					if all = append(all, n); !slices.Equal(from, to) {
						want = append(want, n)
					}
				}
				w.ends[i] = len(w.out.Notes)
			}
			w.from(w.ids, w.ends[:len(w.ids)])
			w.candidates()
			w.quick = slices.Clone(all)
			before = w.loops
			w.dropLoops()
			switch {
			case before+1 < loopsEach:
				if want = all; w.loops != before+1 {
					t.Fatalf("group %d after %d: it is now %d", round, before, w.loops)
				}
			default:
				looked++
				few := 8*(len(all)-len(want)) < len(all)
				if few != (w.loops == 0) {
					t.Fatalf("%d of %d were loops, and the next groups are counted from %d", len(all)-len(want), len(all), w.loops)
				}
				loops += len(all) - len(want)
			}
			if !slices.Equal(w.quick, want) {
				t.Fatalf("%d words, round %d: %v are left of %v, want %v", width, round, w.quick, all, want)
			}
		}
		if loops < 1000/width || looked < 250 || looked > 3000 {
			t.Errorf("%d words: %d loops dropped, %d groups looked through: nothing was shown", width, loops, looked)
		}
	}
}

// TestLoopsChangeNothing: a graph with a loop at each state is the graph without them, but
// for how many transitions it has.
func TestLoopsChangeNothing(t *testing.T) {
	for _, workers := range []int{1, 3} {
		for _, order := range []Order{StepsFirst, SlowFirst, FastFirst} {
			sys := walkers{3, 9}
			plain := mustRun(t, sys, Options{Order: order, Workers: workers})
			looped := mustRun(t, withLoops{sys}, Options{Order: order, Workers: workers})
			if a, b := fmt.Sprint(plain.Buckets()), fmt.Sprint(looped.Buckets()); a != b {
				t.Errorf("%v, %d workers: buckets %s, with loops %s", order, workers, a, b)
			}
			if want := plain.Transitions() + plain.States(); looped.Transitions() != want {
				t.Errorf("%v, %d workers: %d transitions with loops, want %d", order, workers, looped.Transitions(), want)
			}
			for id, s := range plain.All() {
				if got := looped.State(id); !slices.Equal(got, s) || plain.Parent(id) != looped.Parent(id) {
					t.Fatalf("%v, %d workers: state %d is %x from %d, with loops %x from %d", order, workers, id, s, plain.Parent(id), got, looped.Parent(id))
				}
			}
		}
	}
}

// withLoops is a system of which each state has itself among its successors.
type withLoops struct{ System }

func (l withLoops) Worker() Worker { return loopWorker{l.System.Worker()} }

type loopWorker struct{ Worker }

func (w loopWorker) Next(s []uint64, out *Batch) {
	w.Worker.Next(s, out)
	out.Add(0, s...)
}
