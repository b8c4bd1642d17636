package checker

import (
	"context"
	"testing"

	"dlcheck/model"
)

// TestSavings: the figures are those that a check of the same set has, the core's
// among them, and no reduction makes a set larger.
func TestSavings(t *testing.T) {
	cfg := model.DefaultConfig()
	cfg.Clients, cfg.Store = 2, "claimed"
	q := Question{Config: cfg, Properties: []string{"stale-overwrite"}, Reduce: model.AllReductions(), Workers: 1}
	all, err := Savings(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != 12 {
		t.Errorf("%d sets of five reductions, want none, five, five, and all", len(all))
	}
	if first := all[0]; first.States != 21_718 || first.Transitions != 37_156 || first.Closed {
		t.Errorf("without reductions: %+v", first)
	}
	for _, s := range all {
		q.Reduce = s.Reductions
		run, err := Check(context.Background(), q)
		if err != nil {
			t.Fatal(err)
		}
		if run.States != s.States || run.Transitions != s.Transitions || run.StateBits != s.Bits || run.Closed != s.Closed {
			t.Errorf("%v: %+v, and a check says %d states, %d transitions, %d bits, closed %v", s.Reductions.Names(), s, run.States, run.Transitions, run.StateBits, run.Closed)
		}
		if last := all[len(all)-1]; last.States > s.States {
			t.Errorf("%v: %d states, and %d with all", s.Reductions.Names(), s.States, last.States)
		}
	}
	q.Properties = []string{"progress"}
	if _, err := Savings(context.Background(), q); err == nil {
		t.Error("progress has no monitor")
	}
}

// TestSavingsAreExactAlone: with rounds without a bound the clock can only go if tokens
// go with it, and no row is named for more than was on.
func TestSavingsAreExactAlone(t *testing.T) {
	cfg := model.DefaultConfig()
	cfg.Clients, cfg.Rounds, cfg.Ticks = 2, model.NoBound, 6
	sets := reductionSets(&cfg, model.AllReductions())
	if len(sets) != 11 {
		t.Errorf("%d sets, want all but time alone", len(sets))
	}
	for _, r := range sets {
		if r.Time && !r.Tokens {
			t.Errorf("%v is not exact", r.Names())
		}
	}
}
