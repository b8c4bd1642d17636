package checker

import (
	"math"
	"math/big"

	"dlcheck/traces"
)

// All is every shortest counterexample of a property: the shortest in the measure
// asked for and, among those, in the measures that ties go to, within the ticks
// that matter. Which client is which does not count among those that run the same
// program.
type All struct {
	// Schedules is how many there are, and Stories how many are left if those
	// that differ only in the order of independent neighbouring actions are
	// one; see schedules. Both are nil where they are not known.
	Schedules, Stories *big.Int
	// Told are the first stories, as many as were asked for.
	Told []Story
	// Incomplete says why the counts are not known; empty if they are.
	Incomplete string
}

// Story is one schedule of a story, replayed and judged again, and how many
// tell it.
type Story struct {
	Schedules *big.Int
	Trace     *traces.Trace
}

// all counts the shortest counterexamples of an audit, and tells the first
// stories, if that is asked for. w is the way to one of them, or nil, and then
// why says for want of what. A way can also lack what all are found by, for want of time.
func (c *check) all(b *broken, w *way, why string) error {
	if !c.q.AllMinimal {
		return nil
	}
	a := &All{}
	c.verdicts[b.audit.Name].All = a
	if w == nil || w.toward == nil {
		if a.Incomplete = why; why == "" {
			a.Incomplete = c.cause()
		}
		return nil
	}
	c.tell("all shortest", w.search.graph)
	room := int64(math.MaxInt64)
	if c.q.MaxBytes > 0 {
		room = max(0, c.q.MaxBytes-w.search.graph.Bytes())
	}
	g := newSchedules(c.ctx, w.search.product, w.toward, room)
	if g == nil || !g.count() {
		if a.Incomplete = outOfMemory; c.ctx.Err() != nil {
			a.Incomplete = c.cause()
			c.run.Stopped = a.Incomplete
		}
		return nil
	}
	a.Schedules, a.Stories = g.paths(0), g.stories(0, nil)
	for _, word := range g.tell(c.q.List) {
		var calls []traces.Call
		for _, m := range word {
			calls = append(calls, m.call)
		}
		t, err := c.judged(b.audit, calls, true)
		if err != nil {
			return err
		}
		a.Told = append(a.Told, Story{orderings(word), t})
	}
	return nil
}
