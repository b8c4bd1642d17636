package explore

import (
	"context"
	"fmt"
	"slices"
	"testing"
)

// tied marks with Mark(tieMark) every other transition of a system.
type tied struct{ System }

const tieMark = 40

func (x tied) Worker() Worker { return tiedWorker{x.System.Worker(), x.Words()} }

type tiedWorker struct {
	Worker
	words int
}

func (x tiedWorker) Next(s []uint64, out *Batch) {
	from := len(out.Notes)
	x.Worker.Next(s, out)
	for k := from; k < len(out.Notes); k++ {
		if hash(append(slices.Clone(s), out.States[k*x.words:(k+1)*x.words]...))&1 == 0 {
			out.Notes[k] |= Mark(tieMark)
		}
	}
}

// fewestTies is the slow twin: the fewest ties of a nearest path to a mark, by
// the fewest of each state, forwards in the order of cost.
func fewestTies(sys System, order Order, costs map[string]cost, mark int, target cost) int {
	ties := map[string]int{}
	byCost := map[cost][][]uint64{}
	var out Batch
	sys.Init(&out)
	for s := range slices.Chunk(out.States, sys.Words()) {
		byCost[0] = append(byCost[0], slices.Clone(s))
		ties[key(s)] = 0
	}
	best := -1
	for c := cost(0); c < target; {
		for _, s := range byCost[c] {
			out.Reset()
			sys.Worker().Next(s, &out)
			for k, n := range out.Notes {
				to := out.States[k*sys.Words():][:sys.Words()]
				next, more := c+weight(order, n), ties[key(s)]
				if n&Mark(tieMark) != 0 {
					more++
				}
				if next == target && n&Mark(mark) != 0 && (best < 0 || more < best) {
					best = more
				}
				if costs[key(to)] != next {
					continue
				}
				if old, ok := ties[key(to)]; !ok {
					byCost[next] = append(byCost[next], slices.Clone(to))
					ties[key(to)] = more
				} else if more < old {
					ties[key(to)] = more
				}
			}
		}
		later := target
		for d := range byCost {
			if d > c && d < later {
				later = d
			}
		}
		c = later
	}
	return best
}

// TestTowardHasFewestTies walks along nearest paths, with a tie and without.
func TestTowardHasFewestTies(t *testing.T) {
	kept := 0
	all := worlds()
	for _, name := range []string{"words=1", "words=3", "deep,slow=2", "chain", "commit"} {
		sys := tied{all[name]}
		for _, order := range []Order{StepsFirst, SlowFirst, FastFirst} {
			costs, marks := dijkstra(sys, order)
			g := mustRun(t, sys, Options{Order: order})
			for mark := range 4 {
				target := marks[mark]
				if target == 0 {
					continue // there is no such mark, or it is where a path begins
				}
				where := fmt.Sprintf("%s, order %d, mark %d", name, order, mark)
				plain, few := g.Toward(context.Background(), sys, mark, 0), g.Toward(context.Background(), sys, mark, Mark(tieMark))
				any, least := walkToward(t, where, sys, plain), walkToward(t, where, sys, few)
				if want := fewestTies(sys, order, costs, mark, target); least != want {
					t.Errorf("%s: %d ties, want %d", where, least, want)
				}
				if least < any {
					kept++
				}
			}
		}
	}
	if kept == 0 {
		t.Error("a tie never made a difference")
	}
}

// walkToward takes at each state the first step that stays on a path, and counts
// the ties.
func walkToward(t *testing.T, where string, sys System, w *Toward) (ties int) {
	t.Helper()
	var init, out Batch
	sys.Init(&init)
	for s := range slices.Chunk(init.States, sys.Words()) {
		at, ties := At{}, 0
		for end, stuck := false, false; !stuck; {
			out.Reset()
			sys.Worker().Next(s, &out)
			stuck = true
			for k, n := range out.Notes {
				to := out.States[k*sys.Words():][:sys.Words()]
				next, last, ok := w.Step(at, n, to)
				if !ok {
					continue
				}
				if n&Mark(tieMark) != 0 {
					ties++
				}
				s, at, end, stuck = slices.Clone(to), next, last, false
				break
			}
			if end {
				return ties
			}
		}
	}
	t.Errorf("%s: no initial state is on a path", where)
	return -1
}
