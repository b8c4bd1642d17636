package checker

import (
	"context"
	"runtime"
	"testing"

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
