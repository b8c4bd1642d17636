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
	t.Parallel()
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
		// Few are drawn under the race detector, which is there for something else.
		if !found && randomCombinations >= 1000 {
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

// budgets are the axes that let a fault strike more often: with more of it every
// schedule of before is still there.
var budgets = []string{
	"lost-replies", "late-answers", "cut-offs", "crashes", "restarts", "clock-jumps", "client-jumps",
	"delayed-writes", "duplicates", "lost-requests", "fence-restarts",
}

// TestMoreFaultsBreakNoLess raises the budget of a fault, and what was broken must
// still be broken, in as few steps.
func TestMoreFaultsBreakNoLess(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(99, 1))
	raised, compared := 0, 0
	for range randomCombinations / 25 {
		cfg := smallWorld(r)
		if r.IntN(2) == 0 {
			cfg.Program, _ = model.ParseProgram("acquire, read, work, write, release")
		}
		randomAxes(r, &cfg)
		cfg.Ticks = max(cfg.Ticks, 6)
		more := cfg
		field := budgets[r.IntN(len(budgets))]
		a, _ := model.FindAxis(field)
		a.Set(&more, a.Of(&cfg)+1)
		if more.Validate() != nil {
			continue
		}
		raised++
		q := Question{Config: cfg, Properties: []string{"all"}, Reduce: model.AllReductions(), Workers: 1, MaxBytes: 24 << 20}
		q.Properties = askable(&cfg)
		few, err := Check(context.Background(), q)
		if err != nil {
			t.Fatal(err)
		}
		q.Config, q.MaxBytes = more, 4*q.MaxBytes
		many, err := Check(context.Background(), q)
		if err != nil {
			t.Fatal(err)
		}
		for i := range few.Verdicts {
			v, w := &few.Verdicts[i], &many.Verdicts[i]
			if v.Result != Violated || v.Property == "progress" || w.Result == Incomplete {
				continue // progress may not count on faults
			}
			compared++
			if w.Result != Violated || w.Trace.Steps() > v.Trace.Steps() {
				t.Errorf("%+v %s: %s is violated in %d steps, and with more %s it is %s", cfg, cfg.AxesText(), v.Property, v.Trace.Steps(), field, w.Result)
			}
		}
	}
	if t.Logf("%d budgets raised, %d violations compared", raised, compared); compared == 0 && randomCombinations >= 1000 {
		t.Error("nothing was compared")
	}
}

// TestWatchingChangesNothing asks each property alone and all together: what can
// happen must not depend on who looks on.
func TestWatchingChangesNothing(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(99, 2))
	for range randomCombinations / 25 {
		cfg := smallWorld(r)
		randomAxes(r, &cfg)
		if r.IntN(3) == 0 {
			cfg.Clients, cfg.Rounds, cfg.Pauses, cfg.Servers = 3, 1, 0, 1
			if err := cfg.Set(model.Setting{Field: "queue", Value: []string{"judged", "trusting"}[r.IntN(2)]}); err != nil || cfg.Validate() != nil {
				continue
			}
		}
		q := Question{Config: cfg, Properties: askable(&cfg), Reduce: model.AllReductions(), Workers: 1, MaxBytes: 24 << 20}
		all, err := Check(context.Background(), q)
		if err != nil {
			t.Fatal(err)
		}
		for i, name := range q.Properties {
			one := q
			one.Properties = []string{name}
			alone, err := Check(context.Background(), one)
			if err != nil {
				t.Fatal(err)
			}
			v, w := &alone.Verdicts[0], &all.Verdicts[i]
			if v.Result == Incomplete || w.Result == Incomplete {
				continue
			}
			// Past the bound a smaller set can close where a larger one does not.
			if (v.Result == Violated) != (w.Result == Violated) || name != "progress" && storyOf(v) != storyOf(w) && v.Result == Violated {
				t.Errorf("%+v %s: %s alone is %s, with others %s", cfg, cfg.AxesText(), name, v.Result, w.Result)
			}
		}
	}
}
