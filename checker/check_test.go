package checker

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"dlcheck/model"
)

func storyOf(v *Verdict) string {
	if v.Trace == nil {
		return ""
	}
	data, err := v.Trace.MarshalJSON()
	if err != nil {
		return err.Error()
	}
	return string(data)
}

// sameAnswer compares what two sets of reductions say of one question that
// is asked with a bound or without one.
func sameAnswer(a, b *Run) error {
	for i := range a.Verdicts {
		v, w := &a.Verdicts[i], &b.Verdicts[i]
		if (v.Result == Violated) != (w.Result == Violated) {
			return fmt.Errorf("%s: %s against %s", v.Property, v.Result, w.Result)
		}
		if v.Property == "progress" && v.Result == Incomplete && w.Result == Incomplete {
			continue // it cannot be asked of every world
		}
		if v.Result == Incomplete || w.Result == Incomplete {
			return fmt.Errorf("%s: incomplete", v.Property)
		}
		// Progress names a state, and a state can be reached by many paths.
		if v.Result == Violated && v.Property != "progress" && storyOf(v) != storyOf(w) {
			return fmt.Errorf("%s: two counterexamples:\n%s\n%s", v.Property, storyOf(v), storyOf(w))
		}
		if v.Result == Violated && v.Trace.Steps() != w.Trace.Steps() {
			return fmt.Errorf("%s: %d steps against %d", v.Property, v.Trace.Steps(), w.Trace.Steps())
		}
	}
	return nil
}

// TestReductionsChangeNoAnswer draws worlds, broken ones among them, and asks
// each question with all reductions, with some, and with none: the verdicts
// must be the same, and the shortest counterexamples to the letter.
func TestReductionsChangeNoAnswer(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 11))
	violated := map[string]int{}
	for n := range randomQuestions {
		cfg := randomConfig(r)
		cfg.Clients = 1 + r.IntN(3)
		cfg.Rounds = 1 + r.IntN(2)
		cfg.Ticks = 3 + r.IntN(10)
		if cfg.Clients == 3 {
			cfg.Rounds, cfg.Pauses = 1, r.IntN(2)
		}
		if cfg.Axes != (model.AxisValues{}) {
			// Faults multiply states.
			cfg.Clients, cfg.Rounds, cfg.Servers, cfg.Pauses = 2, 1, min(cfg.Servers, 2), min(cfg.Pauses, 1)
			cfg.Ticks, cfg.TTL = min(cfg.Ticks, 8), min(cfg.TTL, 3)
			cfg.Programs, cfg.MaxPause = nil, model.NoBound
			if len(cfg.Program) > 5 {
				cfg.Program = model.DefaultProgram()
				if err := cfg.Set(model.Setting{Field: "fences", Value: "shared"}); err != nil {
					t.Fatal(err)
				}
			}
		}
		m := []Measure{Steps, Ticks, Events, Faults}[r.IntN(4)]
		some, _ := model.ParseReductions("none")
		for _, name := range model.AllReductions().Names() {
			if r.IntN(2) == 0 {
				one, _ := model.ParseReductions(name)
				some = union(some, one)
			}
		}
		properties := []string{"all"}
		if r.IntN(2) == 0 {
			properties = []string{Properties()[r.IntN(len(audits))].Name}
		}
		none := ask(t, cfg, model.Reductions{}, m, properties...)
		for _, reduce := range []model.Reductions{model.AllReductions(), some} {
			if err := sameAnswer(none, ask(t, cfg, reduce, m, properties...)); err != nil {
				t.Fatalf("question %d, minimize %s, %+v: none against %v: %v", n, m, cfg, reduce.Names(), err)
			}
		}
		for _, v := range none.Verdicts {
			if v.Result == Violated {
				violated[v.Property]++
			}
		}
	}
	for _, p := range Properties() {
		// Few questions are asked under the race detector, which is there for
		// something else.
		if violated[p.Name] == 0 && randomQuestions >= 400 {
			t.Errorf("no question found %s violated", p.Name)
		}
	}
	t.Log(violated)
}

func union(a, b model.Reductions) model.Reductions {
	return model.Reductions{Time: a.Time || b.Time, Clients: a.Clients || b.Clients, Dead: a.Dead || b.Dead, Tokens: a.Tokens || b.Tokens, Servers: a.Servers || b.Servers}
}

// TestWorkersChangeNothing compares whole reports.
func TestWorkersChangeNothing(t *testing.T) {
	for _, reduce := range []model.Reductions{model.AllReductions(), {}} {
		for _, store := range []string{"plain", "fenced", "claimed"} {
			cfg := model.DefaultConfig()
			cfg.Store, cfg.TTL, cfg.Ticks = store, 4, 14
			var first *Run
			for _, workers := range []int{1, 2, 7} {
				r, err := Check(context.Background(), Question{Config: cfg, Properties: []string{"all"}, Reduce: reduce, Workers: workers, Front: true, AllMinimal: true, List: 3})
				if err != nil {
					t.Fatal(err)
				}
				r.Elapsed = 0
				if first == nil {
					first = r
				} else if !reflect.DeepEqual(first, r) {
					t.Errorf("%s, %v: %d workers: %+v\n1 worker: %+v", store, reduce.Names(), workers, r, first)
				}
			}
		}
	}
}

// TestPropertyAloneOrInCompany: asking more hides nothing and adds nothing.
func TestPropertyAloneOrInCompany(t *testing.T) {
	for _, store := range []string{"plain", "fenced", "strict", "claimed"} {
		cfg := model.DefaultConfig()
		cfg.Clients, cfg.TTL, cfg.Store = 2, 4, store
		all := ask(t, cfg, model.AllReductions(), Steps, "all")
		for _, v := range all.Verdicts {
			alone := ask(t, cfg, model.AllReductions(), Steps, v.Property).Verdicts[0]
			if alone.Result != v.Result || storyOf(&alone) != storyOf(&v) {
				t.Errorf("%s, %s: alone %s %s, in company %s %s", store, v.Property, alone.Result, storyOf(&alone), v.Result, storyOf(&v))
			}
		}
	}
}

// TestBoundAndBeyond: the shortest lost update under ttl 10 needs 12 ticks.
func TestBoundAndBeyond(t *testing.T) {
	cfg := model.DefaultConfig()
	cfg.Clients, cfg.Store = 2, "fenced"
	for _, row := range []struct {
		ticks    int
		reduce   model.Reductions
		result   Result
		beyondAt int
	}{
		{11, model.Reductions{}, HoldsToBound, 0},
		{11, model.AllReductions(), HoldsToBound, 12},
		{12, model.Reductions{}, Violated, 0},
		{12, model.AllReductions(), Violated, 0},
		{model.NoBound, model.Reductions{}, Violated, 0},
	} {
		cfg.Ticks = row.ticks
		v := ask(t, cfg, row.reduce, Steps, "lost-update").Verdicts[0]
		if v.Result != row.result || v.BeyondAt != row.beyondAt {
			t.Errorf("%d ticks, %v: %s, beyond at %d; want %s, %d", row.ticks, row.reduce.Names(), v.Result, v.BeyondAt, row.result, row.beyondAt)
		}
		if failed := row.result == Violated || row.beyondAt > 0; v.Failed() != failed {
			t.Errorf("%d ticks: failed is %v", row.ticks, v.Failed())
		}
		if v.Trace != nil && v.Trace.Summary() != "19 steps (7 events, 12 ticks)" {
			t.Errorf("%d ticks: %s", row.ticks, v.Trace.Summary())
		}
	}
}

// TestShortestWithinTheBound: with a service that repeats its tokens the second
// grant breaks token-order. With ttl 4 it comes in 7 steps when the first lease
// runs out, at tick 4, and in 8 when it is released, at tick 3. Within 3 ticks
// only the longer one will do.
func TestShortestWithinTheBound(t *testing.T) {
	cfg := model.DefaultConfig()
	cfg.Clients, cfg.TTL, cfg.Service = 2, 4, "repeating"
	for _, reduce := range []model.Reductions{model.AllReductions(), {}} {
		for ticks, want := range map[int]string{3: "8 steps (5 events, 3 ticks)", 4: "7 steps (3 events, 4 ticks)"} {
			cfg.Ticks = ticks
			v := ask(t, cfg, reduce, Steps, "token-order").Verdicts[0]
			if v.Result != Violated || v.Trace.Summary() != want || !v.Trace.Remark.Minimal {
				t.Errorf("%d ticks, %v: %s, %s, minimal %v; want %s", ticks, reduce.Names(), v.Result, v.Trace.Summary(), v.Trace.Remark.Minimal, want)
			}
		}
	}
}

// TestHistoriesTooWide: a world can fit where its histories do not.
func TestHistoriesTooWide(t *testing.T) {
	cfg := model.DefaultConfig()
	cfg.Clients, cfg.Servers, cfg.TTL, cfg.Ticks, cfg.Rounds = 8, 9, 1000, 1000, 16
	for _, row := range []struct {
		clients, rounds int
		want            string
	}{
		{8, 5, "history.place 80×7"},
		{8, 16, "history of that many operations"},
		{1, model.MaxRounds, "history of that many operations"},
	} {
		cfg.Clients, cfg.Rounds = row.clients, row.rounds
		for _, v := range ask(t, cfg, model.AllReductions(), Steps, "linearizable", "linearizable-sections").Verdicts {
			if v.Result != Incomplete || !strings.Contains(v.Scope, row.want) {
				t.Errorf("%d rounds: %s: %s: %s", row.rounds, v.Property, v.Result, v.Scope)
			}
		}
	}
}

// TestCutShortNeverReadsAsAProof interrupts and starves a search.
func TestCutShortNeverReadsAsAProof(t *testing.T) {
	cancelled, cancel := context.WithCancelCause(context.Background())
	cancel(ErrTimeLimit)
	interrupted, stop := context.WithCancel(context.Background())
	stop()
	big := model.DefaultConfig()
	big.Clients, big.Store, big.Rounds = 5, "claimed", 2
	for _, row := range []struct {
		name    string
		ctx     context.Context
		bytes   int64
		states  uint64
		stopped string
	}{
		{"time", cancelled, 0, 0, "out of time"},
		{"interrupt", interrupted, 0, 0, "interrupted"},
		{"memory", context.Background(), 1 << 20, 0, "out of memory"},
		{"states", context.Background(), 0, 500, outOfStates},
	} {
		for _, reduce := range []model.Reductions{model.AllReductions(), {}} {
			r, err := Check(row.ctx, Question{Config: big, Properties: []string{"all"}, Reduce: reduce, MaxBytes: row.bytes, MaxStates: row.states})
			if err != nil {
				t.Fatal(err)
			}
			if r.Stopped != row.stopped || r.Complete || r.Closed {
				t.Errorf("%s: stopped %q, complete %v, closed %v", row.name, r.Stopped, r.Complete, r.Closed)
			}
			for _, v := range r.Verdicts {
				if v.Result != Incomplete && v.Result != Violated {
					t.Errorf("%s: %s is said to be %s: %s", row.name, v.Property, v.Result, v.Scope)
				}
				if v.Result == Incomplete && strings.Contains(v.Scope, "every") && !strings.Contains(v.Scope, "cut short") {
					t.Errorf("%s: %s reads as a proof: %s", row.name, v.Property, v.Scope)
				}
				// Its states are others than those that the run counts.
				if with := strings.HasPrefix(v.Scope, "the search with histories was cut short"); strings.Contains(v.Scope, "the search") && v.Property != "progress" && with != strings.HasPrefix(v.Property, "linearizable") {
					t.Errorf("%s: %s does not say which search: %s", row.name, v.Property, v.Scope)
				}
			}
		}
	}
}

// TestInterruptEndsSoon cancels a search that would take minutes.
func TestInterruptEndsSoon(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cfg := model.DefaultConfig()
	cfg.Clients, cfg.Store, cfg.Rounds, cfg.Ticks = 6, "claimed", 3, 200
	calls := 0
	r, err := Check(ctx, Question{Config: cfg, Properties: []string{"seed"}, Reduce: model.Reductions{}, Progress: func(Progress) {
		if calls++; calls == 20 {
			cancel()
		}
	}})
	if err != nil || r.Stopped != "interrupted" {
		t.Errorf("%v, stopped %q", err, r.Stopped)
	}
}

func TestQuestionsThatCannotBe(t *testing.T) {
	bad := model.DefaultConfig()
	bad.Clients = 99
	for _, row := range []struct {
		q    Question
		want string
	}{
		{Question{Config: model.DefaultConfig(), Properties: []string{"lost-updates"}}, `there is no property "lost-updates"; there are lease-overlap, `},
		{Question{Config: model.DefaultConfig()}, "no property is asked for"},
		{Question{Config: model.DefaultConfig(), Properties: []string{"all"}, Minimize: "luck"}, `there is no measure "luck" to minimize; there are steps, ticks, events, faults`},
		{Question{Config: model.DefaultConfig(), Properties: []string{"all"}, Minimize: Any, AllMinimal: true}, "all shortest counterexamples are asked for, and no measure"},
		{Question{Config: bad, Properties: []string{"all"}}, "clients 99 is not within 1 to 16"},
	} {
		if _, err := Check(context.Background(), row.q); err == nil || !strings.HasPrefix(err.Error(), row.want) {
			t.Errorf("%v\nwant %s", err, row.want)
		}
	}
}

// TestDisagreementIsReported: a disagreement of the judges carries the trace.
func TestDisagreementIsReported(t *testing.T) {
	a := *findAudit("lost-update")
	defer func(f func()) { f() }(func() { *findAudit("lost-update") = a })
	findAudit("lost-update").retrospect = tokensRise
	cfg := model.DefaultConfig()
	_, err := Check(context.Background(), Question{Config: cfg, Properties: []string{"lost-update"}, Reduce: model.AllReductions()})
	if err == nil || !strings.Contains(err.Error(), "bug in dlcheck") || !strings.Contains(err.Error(), `"actions"`) {
		t.Errorf("%v", err)
	}
}

func TestExpandKeepsTheOrderOfTheCatalog(t *testing.T) {
	got, err := Expand([]string{"unlocked-write", "seed", "stale-overwrite"})
	if want := "lease-overlap stale-overwrite linearizable unlocked-write"; err != nil || strings.Join(got, " ") != want {
		t.Errorf("%v, %v; want %s", got, err, want)
	}
}

// TestDriftingCountersAreKeptByValue: three servers whose counters drift apart
// through restarts. A server's next token is its own counter plus one, so that
// to know only the order of counters is to miss this violation.
func TestDriftingCountersAreKeptByValue(t *testing.T) {
	cfg := model.DefaultConfig()
	cfg.Clients, cfg.Servers, cfg.TTL, cfg.Ticks, cfg.Pauses, cfg.Store = 2, 3, 8, 4, 0, "fenced"
	cfg.Program, _ = model.ParseProgram("acquire, write, release")
	for name, v := range map[string]int{"lost-replies": 4, "restarts": 10} {
		a, err := model.FindAxis(name)
		if err != nil {
			t.Fatal(err)
		}
		a.Set(&cfg, v)
	}
	for _, reduce := range []model.Reductions{model.AllReductions(), {}} {
		v := ask(t, cfg, reduce, Steps, "fair-refusal").Verdicts[0]
		if v.Result != Violated || v.Trace.Summary() != "21 steps (18 events, 3 ticks)" {
			t.Errorf("%v: %s", reduce.Names(), v.Result)
		}
	}
}

// TestFenceWithoutTokens: a store that compares tokens says when there are none.
func TestFenceWithoutTokens(t *testing.T) {
	for token, want := range map[string]bool{"none": true, "granted": false} {
		cfg := model.DefaultConfig()
		cfg.Store = "fenced"
		if err := cfg.Set(model.Setting{Field: "token", Value: token}); err != nil {
			t.Fatal(err)
		}
		r, err := Check(t.Context(), Question{Config: cfg, Properties: []string{"lost-update"}, Reduce: model.AllReductions()})
		if err != nil {
			t.Fatal(err)
		}
		got := slices.ContainsFunc(r.Notes, func(n string) bool { return strings.Contains(n, "compares tokens") })
		if got != want {
			t.Errorf("tokens %s: notes %q", token, r.Notes)
		}
	}
}
