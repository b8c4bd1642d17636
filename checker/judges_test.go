package checker

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"

	"golang.org/x/sync/errgroup"

	"dlcheck/model"
	"dlcheck/traces"
)

// bench is a world with every monitor, unreduced, to take schedules on while
// the monitors watch.
type judgesBench struct {
	p       *product
	watched []*audit
}

func newJudgesBench(cfg model.Config) (*judgesBench, error) {
	b := &judgesBench{}
	for _, a := range audits {
		if a.monitor != nil {
			b.watched = append(b.watched, a)
		}
	}
	var err error
	b.p, err = watch(b.watched, cfg, model.Reductions{})
	return b, err
}

// compare judges the finished schedule by the retrospective audits and says
// where they differ from what the monitors said first.
func (b *judgesBench) compare(calls []traces.Call, first []int) error {
	t, err := traces.Play(b.p.world.Config, calls)
	if err != nil {
		return err
	}
	for i, a := range b.watched {
		at := -1
		if f := a.retrospect(t); f != nil {
			at = f.at
		}
		if at != first[i] {
			var story strings.Builder
			format, _ := traces.FindFormat("text")
			_ = format.Write(&story, t)
			return fmt.Errorf("%s: the monitor objects to action %d, the audit to action %d (-1: to none)\n%s", a.Name, first[i], at, story.String())
		}
	}
	return nil
}

func none63(n int) []int {
	first := make([]int, n)
	for i := range first {
		first[i] = -1
	}
	return first
}

// note brings first up to date after action n with its marks.
func noteFirst(first []int, marks uint64, n int) {
	for i := range first {
		if first[i] < 0 && marks>>i&1 != 0 {
			first[i] = n
		}
	}
}

// every takes every schedule of the world to its end and compares the judges
// on each; it returns how many there were.
func (b *judgesBench) every() (schedules int, err error) {
	w := b.p.world
	words := w.Layout.Words()
	var calls []traces.Call
	var walk func(s model.State, first []int) error
	walk = func(s model.State, first []int) error {
		var steps model.Steps
		w.Next(s, &steps)
		if len(steps.Actions) == 0 {
			schedules++
			return b.compare(calls, first)
		}
		for k, a := range steps.Actions {
			n := steps.States[k*words : (k+1)*words]
			marks := uint64(b.p.judge(s, a, n)) &^ (1 << 63)
			now := append([]int(nil), first...)
			noteFirst(now, marks, len(calls))
			calls = append(calls, traces.CallOf(a))
			if err := walk(n, now); err != nil {
				return err
			}
			calls = calls[:len(calls)-1]
		}
		return nil
	}
	return schedules, walk(w.Init(), none63(len(b.watched)))
}

// random takes one random schedule.
func (b *judgesBench) random(r *rand.Rand, most int) error {
	w := b.p.world
	words := w.Layout.Words()
	s := w.Init()
	first := none63(len(b.watched))
	var calls []traces.Call
	var steps model.Steps
	for len(calls) < most {
		steps.Reset()
		w.Next(s, &steps)
		if len(steps.Actions) == 0 {
			break
		}
		k := r.IntN(len(steps.Actions))
		// Ticks are rarer than actions where several clients are at work, and
		// a lease that never runs out breaks nothing: take some on purpose.
		if last := len(steps.Actions) - 1; steps.Actions[last].Kind == model.Tick && r.IntN(3) == 0 {
			k = last
		}
		a, n := steps.Actions[k], steps.States[k*words:(k+1)*words]
		noteFirst(first, uint64(b.p.judge(s, a, n))&^(1<<63), len(calls))
		calls = append(calls, traces.CallOf(a))
		s = append(s[:0:0], n...)
	}
	return b.compare(calls, first)
}

// TestJudgesAgreeOnEverySchedule enumerates small worlds whole.
func TestJudgesAgreeOnEverySchedule(t *testing.T) {
	t.Parallel()
	total := 0
	for _, row := range []struct {
		clients, ttl, ticks, rounds, pauses int
		program                             string
		schedules                           int // under plain and majority
	}{
		{2, 1, 6, 1, 1, "acquire, read, write, release", 7854},
		{2, 2, 7, 1, 1, "acquire, read, write, release", 6640},
		{2, 2, 6, 2, 1, "acquire, write, release", 6168},
		{2, 1, 8, 1, 0, "acquire, claim, read, write, write, release", 614},
		{2, 3, 7, 1, 1, "acquire, read, check, write, release", 4634},
		{3, 1, 4, 1, 0, "acquire, read, write, release", 2229},
	} {
		for _, store := range []string{"plain", "fenced", "strict", "claimed", "amnesiac", "lagging"} {
			for _, service := range []string{"majority", "forgetful", "repeating"} {
				cfg := model.DefaultConfig()
				cfg.Clients, cfg.TTL, cfg.Ticks, cfg.Rounds, cfg.Pauses = row.clients, row.ttl, row.ticks, row.rounds, row.pauses
				cfg.Store, cfg.Service = store, service
				cfg.Program, _ = model.ParseProgram(row.program)
				b, err := newJudgesBench(cfg)
				if err != nil {
					t.Fatal(err)
				}
				n, err := b.every()
				if err != nil {
					t.Fatalf("%+v: %v", cfg, err)
				}
				total += n
				if store == "plain" && service == "majority" && n != row.schedules {
					t.Errorf("%+v: %d schedules, want %d", cfg, n, row.schedules)
				}
			}
		}
	}
	t.Logf("%d schedules", total)
}

// TestJudgesAgreeOnRandomSchedules walks through larger worlds.
func TestJudgesAgreeOnRandomSchedules(t *testing.T) {
	t.Parallel()
	const seed = 20161
	var g errgroup.Group
	var total atomic.Int64
	for worker := range 4 {
		g.Go(func() error {
			r := rand.New(rand.NewPCG(seed, uint64(worker)))
			for range randomWorlds / 4 {
				cfg := randomConfig(r)
				b, err := newJudgesBench(cfg)
				if err != nil {
					return err
				}
				for range 50 {
					total.Add(1)
					if err := b.random(r, 60); err != nil {
						return fmt.Errorf("%+v: %w", cfg, err)
					}
				}
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d schedules", total.Load())
}

// randomConfig draws a small world, twins of services and stores included.
func randomConfig(r *rand.Rand) model.Config {
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	cfg := model.Config{
		Clients: 1 + r.IntN(4), Ticks: 4 + r.IntN(30), TTL: 1 + r.IntN(6), Servers: 1 + r.IntN(5),
		Rounds: 1 + r.IntN(3), Pauses: r.IntN(3), MaxPause: model.NoBound,
		Store:   pick("plain", "fenced", "strict", "claimed", "amnesiac", "lagging", "torn", "loyal"),
		Service: pick("majority", "majority", "forgetful", "repeating", "greedy"),
	}
	if r.IntN(3) == 0 {
		cfg.MaxPause = 1 + r.IntN(8)
	}
	if r.IntN(4) == 0 {
		cfg.Ticks = model.NoBound
	}
	cfg.Program, _ = model.ParseProgram(randomProgram(r))
	if r.IntN(2) == 0 {
		randomAxes(r, &cfg)
	}
	return cfg
}

// randomAxes turns some axes on, a little.
func randomAxes(r *rand.Rand, cfg *model.Config) {
	all := model.Axes()
	cfg.Servers = min(cfg.Servers, 3) // sets of servers multiply
	if r.IntN(2) == 0 {
		cfg.Servers = 1 // several axes are about one record
	}
	if cfg.Ticks == model.NoBound {
		cfg.Ticks = 12 // some axes want a bound
	}
	// What an axis needs to have an effect.
	needs := map[string][]string{
		"duplicates": {"delayed-writes 1"}, "client-jumps": {"deadline 2", "expiry observed", "expiry absolute"},
		"restart-delay": {"restarts 1"}, "restart-forgets": {"restarts 1"}, "serial": {"delayed-writes 1"},
	}
	for range 1 + r.IntN(5) {
		a := all[r.IntN(len(all))]
		before := *cfg
		if n := needs[a.Name]; n != nil {
			field, value, _ := strings.Cut(n[r.IntN(len(n))], " ")
			if err := cfg.Set(model.Setting{Field: field, Value: value}); err != nil {
				panic(err)
			}
		}
		a.Set(cfg, 1+r.IntN(min(a.Max, 3)))
		if cfg.Validate() != nil {
			*cfg = before // it goes with none of the others
		}
	}
}

func randomProgram(r *rand.Rand) string {
	if r.IntN(2) == 0 {
		return "acquire, read, write, release"
	}
	steps := []string{"acquire"}
	for range r.IntN(4) {
		steps = append(steps, []string{"read", "write", "check", "claim", "work 2", "read 2", "write 2", "claim 2"}[r.IntN(8)])
	}
	return strings.Join(append(steps, "release"), ", ")
}
