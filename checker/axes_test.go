package checker

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"golang.org/x/sync/errgroup"

	"dlcheck/model"
)

// TestAnyAxisMeetsAnyOther draws combinations of axes, asks every question with
// all reductions and with none, and compares verdicts and shortest
// counterexamples.
func TestAnyAxisMeetsAnyOther(t *testing.T) {
	const seed, groups = 4711, 8
	var g errgroup.Group
	g.SetLimit(4)
	var met [groups]map[string]bool
	var asked [groups]int
	for group := range groups {
		met[group] = map[string]bool{}
		g.Go(func() error {
			r := rand.New(rand.NewPCG(seed, uint64(group)))
			for n := range randomCombinations / groups {
				cfg := smallWorld(r)
				for randomAxes(r, &cfg); cfg.Axes == (model.AxisValues{}); randomAxes(r, &cfg) {
				}
				for _, a := range model.Axes() {
					if a.On(&cfg) {
						met[group][a.Name] = true
					}
				}
				m := []Measure{Steps, Ticks, Events}[r.IntN(3)]
				none, all, err := bothWays(cfg, m)
				if err == nil && none != nil {
					asked[group]++
					err = sameAnswer(none, all)
				}
				if err != nil {
					return fmt.Errorf("group %d, combination %d, minimize %s, %s, %+v: %w", group, n, m, cfg.AxesText(), cfg, err)
				}
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, n := range asked {
		total += n
	}
	if t.Logf("%d of %d combinations were small enough", total, randomCombinations); total < randomCombinations/2 {
		t.Error("too few")
	}
	for _, a := range model.Axes() {
		found := false
		for _, m := range met {
			found = found || m[a.Name]
		}
		if !found {
			t.Errorf("no combination has the axis %s", a.Name)
		}
	}
}

// smallWorld is one in which even many faults leave few states.
func smallWorld(r *rand.Rand) model.Config {
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	cfg := model.DefaultConfig()
	cfg.Clients, cfg.Ticks, cfg.TTL, cfg.Servers = 2, 3+r.IntN(4), 1+r.IntN(3), 1+r.IntN(3)
	cfg.Pauses, cfg.Store = r.IntN(2), pick(model.Stores.Names()...)
	if r.IntN(4) == 0 {
		cfg.Rounds, cfg.Ticks, cfg.Servers = 2, min(cfg.Ticks, 4), 1
	}
	if r.IntN(8) == 0 {
		cfg.Rounds = model.NoBound
	}
	program := pick("acquire, read, write, release", "acquire, read, write, release", "acquire, read, claim, write, release", "acquire, read, check, write, release", "acquire, write, write, release", "acquire, read 2, write, write 2, release")
	cfg.Program, _ = model.ParseProgram(program)
	return cfg
}

// bothWays asks one question without reductions and with all. It gives nothing
// where the unreduced world is too large to be asked in a test.
func bothWays(cfg model.Config, m Measure) (none, all *Run, err error) {
	q := Question{Config: cfg, Properties: askable(&cfg), Minimize: m, Workers: 1, MaxBytes: 12 << 20}
	if none, err = Check(context.Background(), q); err != nil || none.Stopped != "" {
		var tooWide *model.SizeError
		if errors.As(err, &tooWide) {
			err = nil
		}
		return nil, nil, err
	}
	q.Reduce = model.AllReductions()
	q.MaxBytes *= 4
	all, err = Check(context.Background(), q)
	return none, all, err
}

// askable leaves out porcupine's properties where histories have no end.
func askable(cfg *model.Config) (names []string) {
	for _, p := range Properties() {
		if cfg.Rounds != model.NoBound || !strings.HasPrefix(p.Name, "linearizable") {
			names = append(names, p.Name)
		}
	}
	return names
}

// TestUnlimitedRounds compares them with one, two and three: what holds for any
// number holds for each, and what three can break is broken in as few steps.
func TestUnlimitedRounds(t *testing.T) {
	for _, store := range []string{"plain", "fenced", "strict", "claimed", "conditional", "equal"} {
		for _, axis := range []string{"", "restarts 1", "renewal recreate", "expiry observed", "token per-holder", "lost-replies 1"} {
			cfg := model.DefaultConfig()
			cfg.Clients, cfg.TTL, cfg.Store = 2, 3, store
			if field, value, ok := strings.Cut(axis, " "); ok {
				if err := cfg.Set(model.Setting{Field: field, Value: value}); err != nil {
					t.Fatal(err)
				}
			}
			cfg.Rounds = model.NoBound
			any := ask(t, cfg, model.AllReductions(), Steps, askable(&cfg)...)
			for rounds := 1; rounds <= 3; rounds++ {
				cfg.Rounds = rounds
				for i, v := range ask(t, cfg, model.AllReductions(), Steps, askable(&model.Config{Rounds: model.NoBound})...).Verdicts {
					u := &any.Verdicts[i]
					if u.Result != Holds && u.Result != Violated {
						t.Errorf("%s, %s, unlimited rounds: %s %s", store, axis, u.Property, u.Result)
					}
					if v.Result == Violated && (u.Result != Violated || u.Trace.Steps() > v.Trace.Steps()) {
						t.Errorf("%s, %s, %s: violated with %d rounds in %d steps, and with any number %s", store, axis, v.Property, rounds, v.Trace.Steps(), u.Result)
					}
					if rounds == 3 && u.Result == Violated && (v.Result != Violated || v.Trace.Steps() != u.Trace.Steps()) {
						t.Errorf("%s, %s, %s: violated with any number of rounds in %d steps, and with three %s", store, axis, v.Property, u.Trace.Steps(), v.Result)
					}
				}
			}
		}
	}
}
