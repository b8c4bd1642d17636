package checker

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"dlcheck/model"
)

// A claim for every number of clients rests on two arguments.
//
// Few clients are enough. Take a schedule of any number of clients that breaks
// one of the provable properties. It does so by two of them: the writer, W, and
// the one whose write, or grant, was before, R. Keep of the schedule the last
// round of W and that round of R, up to the violation, and let every lease end by
// itself. What is left is a schedule too, with the same violation:
//
//   - An acquire finds the lock free, since of the leases that were there only
//     some are left. Tokens are fewer, in the same order.
//   - A store of a monotone policy has accepted less: its highest token is not
//     larger than it was, no snapshot is staler, and nobody else holds the lock
//     more. So what was accepted is accepted still. In the rounds that are kept
//     nothing was refused before the violation: who is refused goes to release.
//   - A client may pause before any step, so nobody has to act who did not.
//
// All times are in one world. A lease that may end at any moment ends, in some
// schedule, when one of any ttl would. A client that can pause before each of its
// steps can pause as often as any. And where rounds have no bound, earlier ones
// need not be cut away.
//
// So two clients, leases that may end at any moment, as many pauses as there are
// steps, and no bound on rounds and ticks have a violation if any world has; and
// the set of states closes. (The first argument is a cutoff in the sense of
// Emerson and Namjoshi, "Reasoning about rings", 1995; that real time is time with
// more schedules is Lamport's, "Real time is really simple", 2005.)

// monotone are the stores under which taking operations away refuses nothing
// that was accepted.
var monotone = []string{"plain", "fenced", "strict", "claimed", "guarded", "conditional"}

// provable are the properties that two clients break if any do.
var provable = []string{"stale-overwrite", "lost-update", "token-order"}

// Provable lists the properties of which there can be claims for every number of
// clients.
func Provable() []string { return slices.Clone(provable) }

// Claim is what is said of a property for every number of clients, of rounds and
// pauses, every ttl and every horizon.
type Claim struct {
	Property string
	Proved   bool
	// Abstract is the verdict in the world of two clients that has all times.
	Abstract *Verdict
	States   uint64 // of that world
	// Concrete is the counterexample of the smallest ttl that has one in a world
	// of two clients, if it is not proved; nil if none was found, which says that
	// nothing is known.
	Concrete *Verdict
	TTL      int    // of Concrete
	Stopped  string // why the search for Concrete was cut short; empty if it was not
}

// Prove makes the claims about a world; of its clients, ttl, ticks, rounds and
// pauses nothing is used. The error is one line for the user: a world or a
// property that the argument does not cover.
func Prove(ctx context.Context, cfg model.Config, properties []string, workers int, maxBytes int64) ([]Claim, error) {
	if err := covers(&cfg, properties); err != nil {
		return nil, err
	}
	abstract, err := abstraction(cfg)
	if err != nil {
		return nil, err
	}
	run, err := Check(ctx, Question{Config: abstract, Properties: properties, Reduce: model.AllReductions(), Workers: workers, MaxBytes: maxBytes})
	if err != nil {
		return nil, err
	}
	var claims []Claim
	for i := range run.Verdicts {
		v := &run.Verdicts[i]
		c := Claim{Property: v.Property, Abstract: v, States: run.States, Proved: v.Result == Holds}
		if v.Result == Violated {
			if err := c.concrete(ctx, cfg, workers, maxBytes); err != nil {
				return nil, err
			}
		}
		claims = append(claims, c)
	}
	return claims, nil
}

// covers says whether the argument covers a world and properties.
func covers(cfg *model.Config, properties []string) error {
	if !slices.Contains(monotone, cfg.Store) {
		return fmt.Errorf("store %s: the argument for every number of clients covers the stores %s", cfg.Store, strings.Join(monotone, ", "))
	}
	if on := cfg.AxesText(); len(on) > 0 {
		return fmt.Errorf("%s: the argument for every number of clients covers the lock without faults and other rules; leave it out, or ask dlcheck about a number of clients", on[0])
	}
	if cfg.Service != model.DefaultConfig().Service {
		return fmt.Errorf("lock service %s: the argument for every number of clients covers %s", cfg.Service, model.DefaultConfig().Service)
	}
	if cfg.Programs != nil {
		return fmt.Errorf("clients with programs of their own: the argument for every number of clients wants one program for all")
	}
	for _, p := range properties {
		if !slices.Contains(provable, p) {
			return fmt.Errorf("property %s: the argument for every number of clients covers %s", p, strings.Join(provable, ", "))
		}
	}
	return nil
}

// abstraction is the world of two clients that has all times.
func abstraction(cfg model.Config) (model.Config, error) {
	cfg.Clients, cfg.Servers = 2, 1
	cfg.TTL = 1 // which nothing reads
	cfg.Ticks, cfg.Rounds, cfg.MaxPause = model.NoBound, model.NoBound, model.NoBound
	cfg.Pauses = len(cfg.Program)
	err := cfg.Set(model.Setting{Field: "expiry", Value: "any"})
	return cfg, err
}

// LongestTTL is up to which ttl a counterexample is looked for: a program takes a
// tick for each of its steps, and a lease that is longer by a few differs from none
// that is longer still.
func LongestTTL(p model.Program) int { return len(p) + 2 }

// concrete looks for a counterexample of two clients and the smallest ttl that has
// one.
func (c *Claim) concrete(ctx context.Context, cfg model.Config, workers int, maxBytes int64) error {
	cfg.Clients, cfg.Servers, cfg.Ticks, cfg.Rounds, cfg.MaxPause = 2, 1, model.NoBound, 1, model.NoBound
	cfg.Pauses = len(cfg.Program)
	for cfg.TTL = 1; cfg.TTL <= LongestTTL(cfg.Program); cfg.TTL++ {
		run, err := Check(ctx, Question{Config: cfg, Properties: []string{c.Property}, Reduce: model.AllReductions(), Workers: workers, MaxBytes: maxBytes})
		if err != nil {
			return err
		}
		switch v := &run.Verdicts[0]; v.Result {
		case Violated:
			c.Concrete, c.TTL = v, cfg.TTL
			return nil
		case Incomplete:
			c.Stopped = run.Stopped
			return nil // a larger ttl would not be the smallest
		}
	}
	return nil
}
