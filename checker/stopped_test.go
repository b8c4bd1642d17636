package checker

import (
	"context"
	"reflect"
	"sync/atomic"
	"testing"
)

// countdown is a context that ends when it has been asked a number of times whether it
// has.
type countdown struct {
	context.Context
	cancel context.CancelFunc
	left   atomic.Int64
}

func newCountdown(ctx context.Context, asked int64) *countdown {
	c := new(countdown)
	c.Context, c.cancel = context.WithCancel(ctx)
	c.left.Store(asked)
	return c
}

func (c *countdown) Err() error {
	if c.left.Add(-1) < 0 {
		c.cancel()
	}
	return c.Context.Err()
}

// TestStoppedIsSaid interrupts checks at any moment, also when all was explored and only
// the telling is left. What does not say that it was stopped has the answers of a check
// that nobody interrupts, down to each counterexample.
func TestStoppedIsSaid(t *testing.T) {
	t.Parallel()
	for _, world := range []string{
		"store plain; ticks 14; ttl 4",
		"store fenced; restarts 1; restart-forgets counter; lost-replies 1",
		"store plain; expiry never; crashes 1; ttl 4; ticks 14",
	} {
		for _, measure := range []Measure{Steps, Ticks, Events, Faults} {
			q := Question{Config: settings(t, world), Properties: []string{"all"}, Minimize: measure, Workers: 1, MaxStates: 40_000}
			whole, err := Check(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			late := 0 // stopped when everything had been explored
			for asked := int64(0); ; asked += 1 + asked/16 {
				ctx := newCountdown(t.Context(), asked)
				run, err := Check(ctx, q)
				ctx.cancel()
				if err != nil {
					t.Fatal(err)
				}
				if run.Stopped != "" && run.Complete {
					late++
				}
				if run.Stopped == "" && !reflect.DeepEqual(run.Verdicts, whole.Verdicts) {
					t.Errorf("%s, fewest %s, interrupted when asked %d times: it says nothing of that, and has other answers", world, measure, asked)
				}
				if ctx.left.Load() >= 0 {
					break
				}
			}
			if t.Logf("%s, fewest %s: %d interrupted after the search", world, measure, late); late < 5 {
				t.Errorf("%s, fewest %s: only %d were interrupted after the search", world, measure, late)
			}
		}
	}
}
