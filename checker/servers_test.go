package checker

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"golang.org/x/sync/errgroup"

	"dlcheck/model"
)

// drifters are axes with which servers do not stay in step.
var drifters = []string{"lost-requests", "restarts", "clock-jumps"}

// TestServersChangeNoAnswer draws worlds whose servers differ, and asks each
// question without reductions, with servers interchangeable alone, with clients,
// and with all: verdicts are the same, and shortest counterexamples to the letter.
func TestServersChangeNoAnswer(t *testing.T) {
	t.Parallel()
	const groups = 4
	var g errgroup.Group
	g.SetLimit(2)
	var asked, violated [groups]int
	for group := range groups {
		g.Go(func() error {
			r := rand.New(rand.NewPCG(321, uint64(group)))
			for n := range randomCombinations / 10 / groups {
				cfg := smallWorld(r)
				randomAxes(r, &cfg)
				cfg.Servers, cfg.Rounds, cfg.Ticks = 2+r.IntN(4), 1, min(cfg.Ticks, 4)
				if cfg.Servers < 4 && r.IntN(3) == 0 {
					cfg.Clients, cfg.Pauses, cfg.Ticks = 3, 0, 3
				}
				for range 1 + r.IntN(2) {
					if a, _ := model.FindAxis(drifters[r.IntN(len(drifters))]); !a.On(&cfg) {
						a.Set(&cfg, 1+r.IntN(2))
					}
				}
				if cfg.Validate() != nil {
					continue // an axis among them is about one server
				}
				q := Question{Config: cfg, Properties: askable(&cfg), Minimize: []Measure{Steps, Ticks, Events, Faults}[r.IntN(4)], Workers: 1}
				if q.Minimize == Faults {
					q.Properties = slices.DeleteFunc(q.Properties, func(p string) bool { return p == "progress" })
				}
				q.MaxBytes = 16 << 20
				none, err := Check(context.Background(), q)
				if err != nil {
					return err
				}
				if none.Stopped != "" {
					continue // too large for a test
				}
				q.MaxBytes *= 4
				asked[group]++
				for _, v := range none.Verdicts {
					if v.Result == Violated {
						violated[group]++
					}
				}
				for _, text := range []string{"servers", "clients,servers", "auto"} {
					if q.Reduce, err = model.ParseReductions(text); err != nil {
						return err
					}
					some, err := Check(context.Background(), q)
					if err == nil {
						err = sameAnswer(none, some)
					}
					if err != nil {
						return fmt.Errorf("group %d, world %d, --reduce %s, minimize %s, %s, %+v: %w", group, n, text, q.Minimize, cfg.AxesText(), cfg, err)
					}
				}
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		t.Fatal(err)
	}
	t.Logf("asked %v, violations %v", asked, violated)
	if randomCombinations >= 1000 && (slices.Min(asked[:]) == 0 || slices.Min(violated[:]) == 0) {
		t.Error("nothing was compared")
	}
}
