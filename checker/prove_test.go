package checker

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"dlcheck/model"
)

// TestProveTheKnown pins what is proved of the usual program.
func TestProveTheKnown(t *testing.T) {
	for _, row := range []struct {
		store   string
		program string
		proved  string // of stale-overwrite, lost-update, token-order: y or n
	}{
		{"plain", "acquire, read, write, release", "nny"},
		{"fenced", "acquire, read, write, release", "yny"},
		{"fenced", "acquire, claim, read, write, release", "yyy"},
		{"fenced", "acquire, read, claim, write, release", "yny"},
		{"strict", "acquire, read, write, release", "yny"},
		{"claimed", "acquire, read, write, release", "yyy"},
		{"claimed", "acquire, read, write, read, write, release", "yyy"},
		{"guarded", "acquire, read, write, release", "yyy"},
		{"conditional", "acquire, read, write, release", "nyy"},
		{"plain", "acquire, read, check, write, release", "nny"},
	} {
		cfg := model.DefaultConfig()
		cfg.Store = row.store
		cfg.Program, _ = model.ParseProgram(row.program)
		claims, err := Prove(context.Background(), cfg, provable, 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for i := range claims {
			c := &claims[i]
			switch {
			case c.Proved:
				got += "y"
			case c.Concrete != nil:
				got += "n"
			default:
				got += "?"
			}
		}
		if got != row.proved {
			t.Errorf("%s, %s: %s, want %s", row.store, row.program, got, row.proved)
		}
	}
}

// TestWhatIsProvedIsNotBroken draws programs and looks for a counterexample to
// what is proved in worlds of two to four clients, several rounds and any ttl; and
// demands a real one of what is not.
func TestWhatIsProvedIsNotBroken(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 14))
	proofs := 0
	for range randomCombinations / 20 {
		cfg := model.DefaultConfig()
		cfg.Store = monotone[r.IntN(len(monotone))]
		cfg.Program, _ = model.ParseProgram(randomProgram(r))
		if len(cfg.Program) > 6 || cfg.Objects() > 1 {
			continue
		}
		claims, err := Prove(context.Background(), cfg, provable, 1, 0)
		if err != nil {
			t.Fatal(err)
		}
		small := cfg
		small.Clients, small.TTL, small.Ticks, small.Rounds, small.Pauses = 2+r.IntN(3), 1+r.IntN(5), 14, 1+r.IntN(2), 1+r.IntN(2)
		if small.Clients == 4 {
			small.Rounds, small.Pauses = 1, 1
		}
		run, err := Check(context.Background(), Question{Config: small, Properties: provable, Reduce: model.AllReductions(), Workers: 1, MaxBytes: 64 << 20})
		if err != nil {
			t.Fatal(err)
		}
		for i := range claims {
			c := &claims[i]
			at := slices.IndexFunc(run.Verdicts, func(v Verdict) bool { return v.Property == c.Property })
			switch {
			case c.Proved && run.Verdicts[at].Failed():
				t.Errorf("%s, %s: %s is proved, and broken by %d clients with ttl %d", cfg.Store, cfg.Program, c.Property, small.Clients, small.TTL)
			case !c.Proved && c.Concrete == nil:
				t.Errorf("%s, %s: %s is neither proved nor broken", cfg.Store, cfg.Program, c.Property)
			}
			if c.Proved {
				proofs++
			}
		}
	}
	if proofs == 0 {
		t.Error("nothing was proved")
	}
}

// TestNothingFalseIsProved: broken services and stores are not covered, or their
// claims are refused.
func TestNothingFalseIsProved(t *testing.T) {
	for _, store := range model.Stores.Names() {
		cfg := model.DefaultConfig()
		cfg.Store = store
		claims, err := Prove(context.Background(), cfg, []string{"lost-update"}, 0, 0)
		if !slices.Contains(monotone, store) {
			if err == nil {
				t.Errorf("%s: %+v", store, claims)
			}
			continue
		}
		if err != nil {
			t.Error(err)
		}
	}
	cfg := model.DefaultConfig()
	for _, s := range []model.Setting{{Field: "restarts", Value: "1"}, {Field: "renewal", Value: "recreate"}, {Field: "token", Value: "latest"}} {
		c := cfg
		if err := c.Set(s); err != nil {
			t.Fatal(err)
		}
		if _, err := Prove(context.Background(), c, provable, 0, 0); err == nil {
			t.Errorf("%v: proved", s)
		}
	}
	cfg.Service = "repeating"
	if _, err := Prove(context.Background(), cfg, []string{"token-order"}, 0, 0); err == nil {
		t.Error("a service that repeats its tokens is covered")
	}
	if _, err := Prove(context.Background(), model.DefaultConfig(), []string{"progress"}, 0, 0); err == nil {
		t.Error("progress is covered")
	}
}
