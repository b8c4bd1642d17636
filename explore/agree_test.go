package explore

import (
	"fmt"
	"slices"
	"testing"
)

// worlds are graphs of many shapes, small and large enough to be shared
// among workers.
func worlds() map[string]System {
	list := map[string]System{}
	for w := 1; w <= 9; w++ {
		list[fmt.Sprintf("words=%d", w)] = random{seed: uint64(w), width: w, nodes: 2000, degree: 4, slow: 3, rare: 20}
	}
	for slow := 0; slow <= 8; slow += 2 {
		list[fmt.Sprintf("deep,slow=%d", slow)] = random{seed: 77, width: 2, nodes: 5000, degree: 5, near: 40, slow: slow, rare: 9}
		list[fmt.Sprintf("wide,slow=%d", slow)] = random{seed: 78, width: 1, nodes: 15000, degree: 9, slow: slow, rare: 500}
	}
	list["chain"] = random{seed: 5, width: 1, nodes: 3000, degree: 9, near: 2, slow: 4, rare: 50}
	list["commit"] = twoPhase{rms: 5}
	return list
}

func TestAgreesWithTextbook(t *testing.T) {
	for name, sys := range worlds() {
		depth, transitions := reference(sys)
		g := mustRun(t, sys, Options{Workers: 2})
		if g.States() != uint64(len(depth)) || g.Transitions() != transitions || g.Expanded() != g.States() {
			t.Fatalf("%s: %d states, %d expanded, %d transitions, want %d, all, %d",
				name, g.States(), g.Expanded(), g.Transitions(), len(depth), transitions)
		}
		for id, s := range g.All() {
			if d := len(g.Path(id)) - 1; d != depth[key(s)] {
				t.Fatalf("%s: path to %v has %d steps, want %d", name, s, d, depth[key(s)])
			}
			if found, ok := g.Lookup(s); !ok || found != id {
				t.Fatalf("%s: Lookup(%v) = %d, %v, want %d", name, s, found, ok, id)
			}
		}
	}
}

func TestAgreesWithDijkstra(t *testing.T) {
	for name, sys := range worlds() {
		for _, order := range []Order{StepsFirst, SlowFirst, FastFirst} {
			t.Run(fmt.Sprintf("%s/order=%d", name, order), func(t *testing.T) {
				t.Parallel()
				costs, marks := dijkstra(sys, order)
				g := mustRun(t, sys, Options{Workers: 2, Order: order})
				if int(g.States()) != len(costs) {
					t.Fatalf("%d states, want %d", g.States(), len(costs))
				}
				checkCosts(t, g, sys, order, costs)
				for i := range MaxMarks {
					want, marked := marks[i]
					f, ok := g.Found(i)
					if ok != marked {
						t.Fatalf("mark %d: found %v, want %v", i, ok, marked)
					}
					if got := cost(f.P)<<32 | cost(f.Q); got != want {
						t.Errorf("mark %d: found at (%d,%d), want (%d,%d)", i, f.P, f.Q, want.p(), want.q())
					}
					if ok {
						checkFinding(t, g, sys, order, i, f)
					}
				}
			})
		}
	}
}

// checkCosts compares each state's bucket with its least cost, and each
// parent's with what the transition between them can account for.
func checkCosts(t *testing.T, g *Graph, sys System, order Order, costs map[string]cost) {
	buckets, at, seen := g.Buckets(), 0, uint64(0)
	for id, s := range g.All() {
		if seen == buckets[at].States {
			at, seen = at+1, 0
		}
		seen++
		c := cost(buckets[at].P)<<32 | cost(buckets[at].Q)
		if c != costs[key(s)] {
			t.Fatalf("%v in bucket (%d,%d), want %v", s, c.p(), c.q(), costs[key(s)])
		}
		if p := g.Parent(id); p != None {
			if !slices.Contains(steps(sys, g.State(p), s, order), c-costs[key(g.State(p))]) {
				t.Fatalf("no step from %v to %v that costs the difference", g.State(p), s)
			}
		} else if c != 0 {
			t.Fatalf("%v has no parent", s)
		}
	}
}

// steps lists the costs of the transitions from one state to another.
func steps(sys System, from, to []uint64, order Order) (list []cost) {
	var out Batch
	sys.Worker().Next(from, &out)
	for i, n := range out.Notes {
		if slices.Equal(to, out.States[i*len(to):][:len(to)]) {
			list = append(list, weight(order, n))
		}
	}
	return list
}

// checkFinding takes the steps of a finding again.
func checkFinding(t *testing.T, g *Graph, sys System, order Order, mark int, f Finding) {
	if f.From == None || !f.Final {
		t.Fatalf("mark %d: %+v, want a final one on a transition", mark, f)
	}
	path := g.Trace(f)
	var out Batch
	sys.Worker().Next(path[len(path)-2], &out)
	for i, n := range out.Notes {
		if n&Mark(mark) != 0 && slices.Equal(f.To, out.States[i*len(f.To):][:len(f.To)]) {
			return
		}
	}
	t.Fatalf("mark %d: no such transition as %+v", mark, f)
}

// Each P that is reported has one last bucket, and after it comes no other.
func TestLast(t *testing.T) {
	for name, sys := range worlds() {
		for _, order := range []Order{StepsFirst, SlowFirst, FastFirst} {
			p, done := 0, false
			mustRun(t, sys, Options{Order: order, OnBucket: func(now Progress) bool {
				if p != now.P && !done || p == now.P && done {
					t.Fatalf("%s, order %d: after a bucket with P = %d, last = %v, comes one with %d", name, order, p, done, now.P)
				}
				p, done = now.P, now.Last
				return true
			}})
			if !done {
				t.Errorf("%s, order %d: the last of all buckets was not the last", name, order)
			}
		}
	}
}

func TestBackwardIsAllReversed(t *testing.T) {
	g := mustRun(t, twoPhase{rms: 5}, Options{})
	var forth, back []ID
	for id := range g.All() {
		forth = append(forth, id)
	}
	for id, s := range g.Backward() {
		back = append(back, id)
		if found, ok := g.Lookup(s); !ok || found != id {
			t.Fatalf("Lookup(%v) = %d, want %d", s, found, id)
		}
	}
	slices.Reverse(back)
	if !slices.Equal(forth, back) || len(forth) != int(g.States()) {
		t.Error("Backward is not All reversed")
	}
}
