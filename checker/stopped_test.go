package checker

import (
	"context"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"dlcheck/model"
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
	for _, row := range []struct{ world, property string }{
		{"store plain; ticks 14; ttl 4", "all"},
		{"store fenced; restarts 1; restart-forgets counter; lost-replies 1", "all"},
		{"store plain; expiry never; crashes 1; ttl 4; ticks 14", "all"},
		{"store plain; renewal outlives; rounds 2; ttl 4; ticks 14", "progress"},
	} {
		for _, measure := range []Measure{Steps, Ticks, Events, Faults} {
			world := row.world
			q := Question{Config: settings(t, world), Properties: []string{row.property}, Minimize: measure, Workers: 1, AllMinimal: true, List: 1, Front: measure == Events}
			whole, err := Check(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			late, hurried := 0, 0 // stopped when everything had been explored; told another path
			for asked := int64(0); ; asked += 1 + asked/10 {
				ctx := newCountdown(t.Context(), asked)
				run, err := Check(ctx, q)
				ctx.cancel()
				if err != nil {
					t.Fatal(err)
				}
				if run.Stopped != "" && run.Complete {
					late++
				}
				if slices.ContainsFunc(run.Notes, func(n string) bool { return strings.Contains(n, "no time") }) {
					if hurried++; run.Stopped == "" || !slices.ContainsFunc(run.Verdicts, func(v Verdict) bool { return v.Trace != nil && v.Trace.Remark.Minimal }) {
						t.Errorf("%s, fewest %s, interrupted when asked %d times: there was no time, stopped is %q, and nothing minimal may be told", world, measure, asked, run.Stopped)
					}
				}
				for i := range run.Verdicts {
					v := &run.Verdicts[i]
					if v.All != nil && (v.All.Incomplete == "") != (v.All.Schedules != nil) {
						t.Errorf("%s, fewest %s, interrupted when asked %d times: %s: incomplete %q, and %v schedules", world, measure, asked, v.Property, v.All.Incomplete, v.All.Schedules)
					}
				}
				if run.Stopped == "" && !reflect.DeepEqual(run.Verdicts, whole.Verdicts) {
					t.Errorf("%s, fewest %s, interrupted when asked %d times: it says nothing of that, and has other answers", world, measure, asked)
				}
				if ctx.left.Load() >= 0 {
					break
				}
			}
			t.Logf("%s, fewest %s: %d interrupted after the search, %d told another path", world, measure, late, hurried)
			if late < 3 || measure == Faults && hurried > 0 || measure != Faults && hurried < 3 {
				t.Errorf("%s, fewest %s: %d were interrupted after the search, %d told another path: want some, and with fewest faults no other path", world, measure, late, hurried)
			}
		}
	}
}

// TestClaimSaysWhatStoppedIt interrupts a proof of what is false at any moment: where
// there is no counterexample, it says why.
func TestClaimSaysWhatStoppedIt(t *testing.T) {
	t.Parallel()
	cfg := settings(t, "store plain")
	stopped := 0
	for asked := int64(0); ; asked += 1 + asked/16 {
		ctx := newCountdown(t.Context(), asked)
		claims, err := Prove(ctx, cfg, []string{"lost-update"}, 1, 0)
		ctx.cancel()
		if err != nil {
			t.Fatal(err)
		}
		switch c := &claims[0]; {
		case c.Proved:
			t.Fatalf("interrupted when asked %d times: it is proved", asked)
		case c.Abstract.Result == Incomplete:
		case (c.Concrete == nil) != (c.Stopped != ""):
			t.Errorf("interrupted when asked %d times: counterexample %v, stopped %q", asked, c.Concrete, c.Stopped)
		case c.Stopped != "":
			stopped++
		}
		if ctx.left.Load() >= 0 {
			break
		}
	}
	if stopped < 5 {
		t.Errorf("only %d searches for a counterexample were stopped", stopped)
	}
}

// TestProgressSaysHowToGoOn: its search can end past the bound, though nothing has cut it
// short.
func TestProgressSaysHowToGoOn(t *testing.T) {
	q := Question{Config: settings(t, "store claimed; clients 3; ticks 3"), Properties: []string{"progress"}, MaxStates: 500}
	run, err := Check(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	if v := run.Verdicts[0]; v.Result != Incomplete || run.Stopped != "" || !strings.Contains(v.Scope, "ask with --ticks unlimited") {
		t.Errorf("%s, stopped %q: %s", v.Result, run.Stopped, v.Scope)
	}
	stop, cancel := context.WithCancel(t.Context())
	cancel()
	if run, err = Check(stop, q); err != nil || strings.Contains(run.Verdicts[0].Scope, "--ticks") {
		t.Errorf("interrupted: %v, %s", err, run.Verdicts[0].Scope)
	}
}

// TestCertificateInAHurry: a certificate does not fall because there was no time to tell
// of what it does not vouch for, and that it could not be written is not hidden by that.
func TestCertificateInAHurry(t *testing.T) {
	t.Parallel()
	for _, measure := range []Measure{Steps, Ticks} {
		stopped, ended := 0, false
		for asked := int64(0); !ended; asked += 1 + asked/16 {
			for _, full := range []bool{false, true} {
				ctx := newCountdown(t.Context(), asked)
				run, err := Check(ctx, Question{
					Config: settings(t, "store claimed"), Properties: []string{"lost-update", "unlocked-write"}, Minimize: measure, Reduce: model.AllReductions(), Workers: 1,
					Certificate: writerFunc(func(p []byte) (int, error) {
						if full {
							return 0, os.ErrInvalid
						}
						return len(p), nil
					}),
				})
				ctx.cancel()
				if err != nil {
					t.Fatal(err)
				}
				made := run.Certified
				switch {
				case !run.Closed || made.Refused == "the writing was cut short (interrupted)":
					continue
				case full && (made.Unwritten == nil || made.Refused != ""), !full && (made.Header == nil || made.Refused != ""):
					t.Errorf("fewest %s, interrupted when asked %d times, full disk %v: %+v", measure, asked, full, made)
				}
				if run.Stopped != "" {
					stopped++
				}
				ended = ctx.left.Load() >= 0
			}
		}
		if stopped < 10 {
			t.Errorf("fewest %s: only %d were stopped", measure, stopped)
		}
	}
}
