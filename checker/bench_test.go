package checker

import (
	"context"
	"runtime"
	"testing"

	"dlcheck/explore"
	"dlcheck/model"
)

// BenchmarkUnreduced explores the core system as the rules write it, with one
// worker, and reports distinct states per second and bytes per state.
func BenchmarkUnreduced(b *testing.B) {
	cfg := model.DefaultConfig()
	cfg.Clients, cfg.Store = 4, "claimed"
	for b.Loop() {
		r, err := Check(context.Background(), Question{Config: cfg, Properties: []string{"stale-overwrite", "lost-update", "token-order"}, Workers: 1})
		if err != nil || r.States != 1_112_677 {
			b.Fatal(err, r.States)
		}
		b.ReportMetric(float64(r.States)/r.Elapsed.Seconds()/1e6, "Mstates/s")
		b.ReportMetric(float64(r.PeakBytes)/float64(r.States), "B/state")
	}
}

// BenchmarkMainJob is what dlcheck does when it is asked nothing in
// particular, without starting a process.
func BenchmarkMainJob(b *testing.B) {
	for b.Loop() {
		for _, store := range []string{"plain", "fenced", "claimed"} {
			cfg := model.DefaultConfig()
			cfg.Store = store
			if _, err := Check(context.Background(), Question{Config: cfg, Properties: []string{"all"}, Reduce: model.AllReductions()}); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// BenchmarkNext takes the transitions out of one state after another and
// reports allocations, of which there must be none.
func BenchmarkNext(b *testing.B) {
	cfg := model.DefaultConfig()
	cfg.Clients, cfg.Store = 4, "claimed"
	w, err := model.New(cfg, model.Options{})
	if err != nil {
		b.Fatal(err)
	}
	s := w.Init()
	var steps model.Steps
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		steps.Reset()
		w.Next(s, &steps)
		if len(steps.Actions) == 0 {
			s = w.Init()
			continue
		}
		k := n % len(steps.Actions)
		copy(s, steps.States[k*len(s):(k+1)*len(s)])
		n++
	}
	runtime.KeepAlive(s)
}

// TestStepsAllocateNothing takes every step of every state twice. The second time
// a memo knows what it will ever know, and neither it nor the batch grows.
func TestStepsAllocateNothing(t *testing.T) {
	p := unreduced(t, 2)
	g, err := explore.Run(t.Context(), p, explore.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	var out explore.Batch
	w := p.Worker().(explore.Many)
	ways := map[string]func(states []uint64, ends []int){
		"one by one": func(states []uint64, ends []int) {
			for width := p.Words(); len(states) > 0; states = states[width:] {
				out.Reset()
				w.Next(states[:width], &out)
			}
		},
		"in groups": func(states []uint64, ends []int) {
			out.Reset()
			w.NextOfMany(states, &out, ends)
		},
	}
	for way, take := range ways {
		inGroups(g, take)
		through := testing.AllocsPerRun(2, func() { inGroups(g, func([]uint64, []int) {}) })
		if n := testing.AllocsPerRun(2, func() { inGroups(g, take) }) - through; n != 0 {
			t.Errorf("to take all steps of %d states %s allocates %v times", g.States(), way, n)
		}
	}
}

// inGroups yields the states of a graph as a search gives them to a worker.
func inGroups(g *explore.Graph, take func(states []uint64, ends []int)) {
	const group = 32
	ends := make([]int, group)
	states := make([]uint64, 0, group*g.Words())
	for _, s := range g.All() {
		if states = append(states, s...); len(states) == cap(states) {
			take(states, ends)
			states = states[:0]
		}
	}
	if n := len(states) / g.Words(); n > 0 {
		take(states, ends[:n])
	}
}

// unreduced is what the other checkers are compared with.
func unreduced(tb testing.TB, clients int) *product {
	cfg := model.DefaultConfig()
	cfg.Clients, cfg.Store = clients, "claimed"
	p, err := watch([]*audit{findAudit("stale-overwrite"), findAudit("lost-update"), findAudit("token-order")}, cfg, model.Reductions{})
	if err != nil {
		tb.Fatal(err)
	}
	return p
}
