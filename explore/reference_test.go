package explore

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
)

// reference is the textbook search: read it first. It knows which states
// can be reached and in how many steps at least, and nothing else.
func reference(sys System) (depth map[string]int, transitions uint64) {
	var out Batch
	depth = map[string]int{}
	sys.Init(&out)
	for d := 0; len(out.Notes) > 0; d++ {
		var level [][]uint64
		for s := range slices.Chunk(out.States, sys.Words()) {
			if _, seen := depth[key(s)]; !seen {
				depth[key(s)] = d
				level = append(level, slices.Clone(s))
			}
		}
		out.Reset()
		for _, s := range level {
			sys.Worker().Next(s, &out)
		}
		transitions += uint64(len(out.Notes))
	}
	return depth, transitions
}

// key makes words usable in a map.
func key(words []uint64) string {
	var k []byte
	for _, w := range words {
		for ; w > 0; w >>= 8 {
			k = append(k, byte(w))
		}
		k = append(k, '|', byte(len(k)), byte(len(k)>>8))
	}
	return string(k)
}

// dijkstra is the slow twin of the three orders: it settles one state at a
// time, always one with the least cost.
func dijkstra(sys System, order Order) (costs map[string]cost, marks map[int]cost) {
	costs, marks = map[string]cost{}, map[int]cost{}
	waiting := map[cost]map[string][]uint64{}
	reach := func(c cost, s []uint64, n Note) {
		for i := range MaxMarks {
			if old, ok := marks[i]; n&Mark(i) != 0 && (!ok || c < old) {
				marks[i] = c
			}
		}
		if waiting[c] == nil {
			waiting[c] = map[string][]uint64{}
		}
		waiting[c][key(s)] = slices.Clone(s)
	}
	var out Batch
	sys.Init(&out)
	for i, n := range out.Notes {
		reach(0, out.States[i*sys.Words():][:sys.Words()], n)
	}
	for len(waiting) > 0 {
		c := slices.Min(slices.Collect(maps.Keys(waiting)))
		bucket := waiting[c]
		delete(waiting, c)
		for k, s := range bucket {
			if _, seen := costs[k]; seen {
				continue
			}
			costs[k] = c
			out.Reset()
			sys.Worker().Next(s, &out)
			for i, n := range out.Notes {
				reach(c+weight(order, n), out.States[i*sys.Words():][:sys.Words()], n)
			}
		}
	}
	return costs, marks
}

// weight says the same as the table in order.go, in other words.
func weight(order Order, n Note) (c cost) {
	slow := n&Slow != 0
	switch order {
	case StepsFirst:
		c += oneP
		if slow {
			c += oneQ
		}
	case SlowFirst:
		c += oneQ
		if slow {
			c += oneP
		}
	case FastFirst:
		c += oneQ
		if !slow {
			c += oneP
		}
	}
	return c
}

// random is a graph whose edges are drawn anew from the seed whenever they
// are asked for. A node is spread over all words of its state, such that
// every word matters.
type random struct {
	seed  uint64
	width int
	nodes uint64
	// degree is the most successors of a node.
	degree int
	// near keeps targets near their source, which makes the graph deep.
	near uint64
	// slow of 8 transitions are slow.
	slow int
	// rare is one in how many transitions is marked; 0 means none.
	rare int
}

func (r random) Words() int     { return r.width }
func (r random) Worker() Worker { return r }

func (r random) Init(out *Batch) {
	for node := range uint64(3) {
		r.add(out, 0, node)
	}
	r.add(out, 0, 1) // once more
}

func (r random) Next(s []uint64, out *Batch) {
	node := s[0] & 0xffffffff
	rnd := rand.New(rand.NewPCG(r.seed, node))
	for range rnd.IntN(r.degree + 1) {
		n := Note(0)
		if rnd.IntN(8) < r.slow {
			n |= Slow
		}
		if r.rare > 0 && rnd.IntN(r.rare) == 0 {
			n |= Mark(rnd.IntN(MaxMarks))
		}
		if r.near > 0 {
			r.add(out, n, (node+rnd.Uint64N(r.near))%r.nodes)
		} else {
			r.add(out, n, rnd.Uint64N(r.nodes))
		}
	}
}

func (r random) add(out *Batch, n Note, node uint64) {
	out.Notes = append(out.Notes, n)
	out.States = append(out.States, node)
	for i := 1; i < r.width; i++ {
		// A word with few distinct values; the others make up for it.
		out.States = append(out.States, node>>(3*i)&7<<(60-5*i))
	}
}

func mustRun(t testing.TB, sys System, opts Options) *Graph {
	t.Helper()
	g, err := Run(t.Context(), sys, opts)
	if err != nil {
		t.Fatal(err)
	}
	return g
}
