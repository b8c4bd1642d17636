package checker

import (
	"fmt"
	"slices"

	"dlcheck/explore"
	"dlcheck/traces"
)

// Front is the counterexamples of a property that none beats in both ticks and
// events, among those within the ticks that matter: fewer ticks cost events, and
// fewer events ticks.
type Front struct {
	// Points rise in ticks and fall in events.
	Points []Point
	// Incomplete says why there may be more points than these; empty if there
	// are none. Those that are there are on the front in any case.
	Incomplete string
}

// Point is one way to trade ticks for events, with a counterexample that was
// replayed and judged again.
type Point struct {
	Ticks, Events int
	Trace         *traces.Trace
}

// front finds every point, from the one with the fewest events downwards in
// ticks.
//
// Among paths of at most T ticks, a search in the order of events whose states
// keep a clock that ends at T finds one with the fewest events E and, since ties
// go to fewer steps, with the fewest ticks t among those with E. That is a point
// of the front: a path that beats it has at most t ticks, which is within T, and
// so at least E events, and with E of them at least t ticks.
//
// Each point that is still missing has fewer than t ticks: with t to T it has at
// least E events, and is this one or beaten by it, and those with more than T
// were found before. So the next T is t-1, and so on until t is the least number
// of ticks that any violation needs, which the first search of Check knows. There
// is one search for each point; only the first may take two, as it is tried
// without a clock.
func (c *check) front(b *broken, assemble assembler) error {
	f := &Front{}
	c.verdicts[b.audit.Name].Front = f
	limit := c.limit(b)
	if !b.nearest.Final {
		f.Incomplete = b.why
		return nil
	}
	for {
		var s *search
		var err error
		if len(f.Points) == 0 {
			s, err = c.explorePaths(Events, assemble, c.folder, c.q.Config, c.q.Reduce, explore.Mark(b.mark))
		} else {
			s, err = c.clocked(Events, b.mark, assemble, limit)
		}
		if err != nil {
			return err
		}
		w, why, err := c.within(Events, s, b.mark, assemble, limit)
		if err != nil {
			return err
		}
		if w == nil {
			f.Incomplete = why
			return nil
		}
		c.hurried(w.toward == nil)
		t, err := c.judged(b.audit, w.calls, false)
		if err != nil {
			return err
		}
		s.graph.Close()
		w.search.graph.Close()
		f.Points = slices.Insert(f.Points, 0, Point{t.Ticks(), t.Actions(), t})
		if t.Ticks() < b.nearest.P {
			return fmt.Errorf("bug in dlcheck: %s is broken within %d ticks, and no violation was found within fewer than %d", b.audit.Name, t.Ticks(), b.nearest.P)
		}
		if t.Ticks() == b.nearest.P {
			return nil
		}
		limit = t.Ticks() - 1
	}
}
