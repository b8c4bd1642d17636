package checker

import (
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"testing"

	"dlcheck/model"
)

// TestDatedChangesNoAnswer draws worlds with the clock in the state, and asks each
// question twice: of searches that rely on what a state tells of the tick, and of
// searches that do not know. The whole reports must be the same, counts, verdicts and
// counterexamples, also where a search is cut short; but what it took.
func TestDatedChangesNoAnswer(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(20, 1))
	smaller, violated := 0, 0
	for n := range randomCombinations / 5 {
		cfg := smallWorld(r)
		if r.IntN(3) > 0 {
			randomAxes(r, &cfg)
		}
		reduce := model.Reductions{Clients: r.IntN(2) == 0, Dead: r.IntN(2) == 0, Tokens: r.IntN(2) == 0, Servers: r.IntN(2) == 0}
		q := Question{
			Config: cfg, Properties: askable(&cfg), Reduce: reduce, MaxStates: 10_000, // 12,000 fit into the first tables
			Stats:    r.IntN(3) == 0,
			Minimize: []Measure{Steps, Ticks, Events, Faults}[r.IntN(4)], Workers: 1 + r.IntN(3), AllMinimal: r.IntN(4) == 0, List: 2,
		}
		if r.IntN(8) == 0 {
			q.MaxStates = 60_000
		}
		if n == 0 { // one that is large for certain
			core := model.DefaultConfig()
			core.Store, core.Clients = "plain", 2
			q.Config, q.Properties, q.Reduce, q.MaxStates, q.AllMinimal = core, askable(&core), model.Reductions{}, 60_000, false
		}
		with, err := Check(context.Background(), q)
		q.undated, q.Workers = true, 1
		without, other := Check(context.Background(), q)
		var tooWide *model.SizeError
		if errors.As(err, &tooWide) && errors.As(other, &tooWide) {
			continue
		}
		if err != nil || other != nil {
			t.Fatalf("world %d, %s, %+v: %v, %v", n, cfg.AxesText(), cfg, err, other)
		}
		if with.PeakBytes < without.PeakBytes {
			smaller++
		}
		for _, v := range with.Verdicts {
			if v.Result == Violated {
				violated++
			}
		}
		for _, run := range []*Run{with, without} {
			run.Elapsed, run.PeakBytes = 0, 0
		}
		if !reflect.DeepEqual(with, without) {
			t.Fatalf("world %d, minimize %s, %v, %s, %+v:\n%+v\nand when it does not know that states tell the tick\n%+v",
				n, q.Minimize, reduce.Names(), cfg.AxesText(), cfg, with, without)
		}
	}
	t.Logf("%d of %d took less memory; %d verdicts were that something is violated", smaller, randomCombinations/5, violated)
	if smaller == 0 || violated == 0 {
		t.Error("there was nothing to compare")
	}
}

// TestWhoIsDated: ticks must be what is slow, and the clock part of the state.
func TestWhoIsDated(t *testing.T) {
	bounded, unbounded := model.DefaultConfig(), model.DefaultConfig()
	unbounded.Ticks = model.NoBound
	for _, row := range []struct {
		name   string
		cfg    model.Config
		reduce model.Reductions
		faults bool
		want   bool
	}{
		{"the clock is part of the state", bounded, model.Reductions{}, false, true},
		{"with all reductions but time", bounded, model.Reductions{Clients: true, Dead: true, Tokens: true, Servers: true}, false, true},
		{"the reduction time leaves the clock out", bounded, model.AllReductions(), false, false},
		{"without a bound on ticks there is no clock", unbounded, model.Reductions{}, false, false},
		{"faults are what is slow", bounded, model.Reductions{}, true, false},
	} {
		p, err := newLearnedProduct(row.cfg, row.reduce, model.Needs{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if row.faults {
			p.countFaults()
		}
		if p.Dated() != row.want {
			t.Errorf("%s: dated: %v, want %v", row.name, p.Dated(), row.want)
		}
	}
}
