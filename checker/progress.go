package checker

import (
	"fmt"
	"math/bits"

	"dlcheck/explore"
	"dlcheck/model"
	"dlcheck/traces"
)

func init() {
	addAudit(&audit{
		Property: Property{Name: "progress", Doc: "from every reachable state, each client that still wants the lock can get it"},
		rank:     90,
		decide:   func(c *check) error { return c.decideProgress(nil) },
	})
}

// decideProgress asks, for each reachable state and each client that is idle
// with a round left, whether some continuation grants it the lock. How far
// such a continuation goes is not bounded by the horizon that was asked for,
// so it is looked for in the closed set of a world without a clock: s, if that
// is one. Its states within the bound are those that the question is about.
//
// It goes through the graph again and again, at random, so the graph is always
// one in memory. With the states of the monitors on disk it is that of the world
// alone.
func (c *check) decideProgress(s *search) error {
	if s == nil || s.memory == nil || !c.closed(s) {
		reduce := c.closing()
		if c.q.Config.Ticks != model.NoBound && !c.q.Config.Sound(reduce).Time {
			c.verdicts["progress"] = &Verdict{Property: "progress", Result: Incomplete, Bound: -1,
				Scope: "progress is about what can follow at any tick, and this world cannot be explored without a clock"}
			return nil
		}
		p, err := newLearnedProduct(c.q.Config, reduce, model.Needs{}, nil)
		if err != nil {
			return err
		}
		if s, err = c.exploreTicks("progress", p, nil, 0, nil); err != nil {
			return err
		}
	}
	a := findAudit("progress")
	v := &Verdict{Property: a.Name, Bound: -1}
	c.verdicts[a.Name] = v
	if s.graph.Ended() != explore.Closed {
		v.Result = Incomplete
		c.note(s)
		v.Scope = fmt.Sprintf("progress is judged on the closed set of states, and a search of its own had not closed it after %s", states(s.graph))
		if c.run.Stopped == "" {
			v.Scope += "; past the ticks that were asked for it goes on only as long as that is cheap: ask with --ticks unlimited, or with more reductions"
		}
		if c.folder != nil {
			v.Scope += "; that search is one in memory, whatever is on disk"
		}
		return nil
	}
	can := c.reachGrant(s)
	if can == nil {
		v.Result = Incomplete
		c.run.Stopped = c.cause()
		v.Scope = fmt.Sprintf("the search back from the grants was cut short (%s)", c.run.Stopped)
		return nil
	}
	if stuck := firstStuck(s, can); stuck == nil {
		v.Result = Holds
		v.Scope = fmt.Sprintf("from every state of the closed set (%s) each client that still wants the lock has a way to get it, so this is true at every horizon", states(s.graph))
		return nil
	}
	return c.stuckVerdict(v, s, can)
}

// closing are the reductions asked for, and those without which no set closes: the
// clock is no part of the state and, where rounds have no bound, neither is how many
// tokens there were.
func (c *check) closing() model.Reductions {
	reduce := c.q.Reduce
	reduce.Time = true
	reduce.Tokens = reduce.Tokens || c.q.Config.Rounds == model.NoBound
	return reduce
}

// clientSet is a set of clients, by their names in a reduced state.
type clientSet uint16

// wanting are the clients that are idle with a round left.
func wanting(w *model.World, s model.State) (set clientSet) {
	for c := range w.Config.Clients {
		if w.Phase(s, c) == 0 && w.RoundsLeft(s, c) > 0 {
			set |= 1 << c
		}
	}
	return set
}

// reachGrant computes for each state who can still get the lock: a least
// fixpoint, backwards through the graph until nothing changes. Steps are taken
// again, not kept. It returns nil when it is interrupted.
func (c *check) reachGrant(s *search) *explore.Side[clientSet] {
	g, p := s.memory, s.product
	can := explore.NewSide[clientSet](g)
	words := g.Words()
	var steps model.Steps
	looked := 0
	for changed := true; changed; {
		changed = false
		for id, state := range g.Backward() {
			if looked++; looked%4096 == 0 {
				if c.ctx.Err() != nil {
					return nil
				}
				c.tell("progress", s.graph)
			}
			at := can.At(id)
			missing := wanting(p.world, state) &^ *at
			if missing == 0 {
				continue
			}
			steps.Reset()
			p.world.Next(state, &steps)
			var gained clientSet
			for k, a := range steps.Actions {
				if p.world.Fault(a) {
					continue // nobody can be asked to wait for a fault
				}
				if a.Kind == model.Acquire || a.Kind == model.Adopt {
					gained |= 1 << a.Client & missing
				}
				n := steps.States[k*words : (k+1)*words]
				p.judge(state, a, n)
				var names [model.MaxClients]int
				p.world.CanonicalNames(n, &names)
				next, ok := g.Lookup(n)
				if !ok {
					panic("checker: a closed set lacks a successor of one of its states")
				}
				there := *can.At(next)
				for m := range p.world.Config.Clients {
					if missing>>m&1 != 0 && there>>names[m]&1 != 0 {
						gained |= 1 << m
					}
				}
			}
			if gained != 0 {
				*at |= gained
				changed = true
			}
		}
	}
	return can
}

// stuckState is a state from which a client cannot get the lock.
type stuckState struct {
	id     explore.ID
	client int // its name in that state
}

// firstStuck is the nearest such state in the order of the search, or nil.
func firstStuck(s *search, can *explore.Side[clientSet]) *stuckState {
	for id, state := range s.memory.All() {
		if missing := wanting(s.product.world, state) &^ *can.At(id); missing != 0 {
			return &stuckState{id, bits.TrailingZeros16(uint16(missing))}
		}
	}
	return nil
}

// inState is why progress has one counterexample and no more.
const inState = "it is violated in a state, whatever comes, and not by a schedule"

// stuckVerdict tells the shortest way to a state from which someone cannot get
// the lock.
func (c *check) stuckVerdict(v *Verdict, s *search, can *explore.Side[clientSet]) error {
	nearest, hurried, err := c.stuckTrace(s, can)
	if err != nil {
		return err
	}
	t, minimal := nearest, c.q.Minimize == Ticks
	bound := c.q.Config.Ticks
	if !minimal && c.q.Minimize != Any {
		reduce := c.closing()
		again, err := c.explorePaths(c.q.Minimize, func(cfg model.Config, r model.Reductions) (*product, error) {
			return newLearnedProduct(cfg, r, model.Needs{}, nil)
		}, nil, c.q.Config, reduce, 0)
		if err != nil {
			return err
		}
		if again.graph.Ended() == explore.Closed {
			if can := c.reachGrant(again); can != nil {
				short, inHurry, err := c.stuckTrace(again, can)
				if err != nil {
					return err
				}
				switch {
				case inHurry && c.q.Minimize == Faults: // see final
					c.run.Stopped = c.cause()
				case bound == model.NoBound || short.Ticks() <= max(bound, nearest.Ticks()):
					t, minimal, hurried = short, true, inHurry
				}
			} else {
				c.run.Stopped = c.cause()
			}
		}
	}
	c.hurried(hurried && minimal)
	t.Remark.Minimal = minimal
	v.Trace = t
	if c.q.Front {
		v.Front = &Front{Incomplete: inState}
	}
	if c.q.AllMinimal {
		v.All = &All{Incomplete: inState}
	}
	c.setViolated(v, nearest.Ticks(), minimal)
	if !minimal && v.Result == Violated && c.ctx.Err() == nil {
		v.Scope = "a counterexample with the fewest ticks; one with fewer steps may need more ticks than the bound has"
	}
	return nil
}

// stuckTrace is the path to the first stuck state of a search; hurried, if it is just any
// of the nearest.
func (c *check) stuckTrace(s *search, can *explore.Side[clientSet]) (t *traces.Trace, hurried bool, err error) {
	stuck := firstStuck(s, can)
	p := path{end: s.product.world.Init()}
	if way := s.memory.Path(stuck.id); len(way) > 1 {
		if toward := s.memory.TowardState(c.ctx, s.product, stuck.id, s.product.tie()); toward != nil {
			p, err = s.product.walk(toward)
		} else {
			hurried = true
			p, err = s.product.label(way, 0)
		}
		if err != nil {
			return nil, false, err
		}
	}
	var names [model.MaxClients]int
	s.product.world.CanonicalNames(p.end, &names)
	who := ""
	for m := range s.product.world.Config.Clients {
		if names[m] == stuck.client {
			who = traces.Name(m)
		}
	}
	if t, err = c.replay(p.calls); err != nil {
		return nil, false, err
	}
	t.Remark = &traces.Remark{Property: "progress", At: len(t.Events) - 1,
		Reason: fmt.Sprintf("from here on %s, which still wants the %s, cannot get it, whatever anyone does.", who, t.Word("lock"))}
	return t, hurried, nil
}
