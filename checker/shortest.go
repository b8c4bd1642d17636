package checker

import (
	"dlcheck/explore"
	"dlcheck/model"
	"dlcheck/traces"
)

// orders says which order of search gives the shortest path in a measure.
var orders = map[Measure]explore.Order{
	Steps:  explore.StepsFirst,
	Ticks:  explore.SlowFirst,
	Events: explore.FastFirst,
}

// broken is an audit with the violation of it that needs the fewest ticks.
type broken struct {
	audit   *audit
	search  *search
	mark    int // of the audit in that search
	nearest explore.Finding
	calls   []traces.Call // a schedule that breaks it
}

// schedule finds the actions of a nearest path to a finding: the one that
// reads best, if there is time to look for it.
func (c *check) schedule(s *search, mark int) ([]traces.Call, error) {
	if t := s.graph.Toward(c.ctx, s.product, mark); t != nil {
		p, err := s.product.walk(t)
		return p.calls, err
	}
	return c.anySchedule(s, mark)
}

// anySchedule finds the actions of the one nearest path that the search keeps.
func (c *check) anySchedule(s *search, mark int) ([]traces.Call, error) {
	f, _ := s.graph.Found(mark)
	p, err := s.product.label(s.graph.Trace(f), explore.Mark(mark))
	return p.calls, err
}

// shortest finds for each broken audit the shortest counterexample in the
// measure asked for, among those within the ticks that matter: the bound
// asked for or, where the nearest violation lies past it, the ticks it needs.
//
// Verdicts come from a search in the order of ticks, since without a clock in
// the state only that order says what is reached within a bound. Its paths
// have the fewest ticks. For another measure a second search runs until it
// has met each violation. Its path can need more ticks than matter; then a
// third search keeps the clock in the state, so that no path does.
//
// assemble makes the product that these audits are marks of.
func (c *check) shortest(all []broken, assemble assembler) error {
	if len(all) == 0 {
		return nil
	}
	// What the first search has to tell is asked of it now, so that it need not
	// be kept beside the next.
	var until explore.Note
	for i := range all {
		b := &all[i]
		until |= explore.Mark(b.mark)
		var err error
		if c.q.Minimize == Ticks {
			b.calls, err = c.schedule(b.search, b.mark)
		} else {
			b.calls, err = c.anySchedule(b.search, b.mark)
		}
		if err != nil {
			return err
		}
		b.search = nil
	}
	var second *search
	if c.q.Minimize != Ticks && c.q.Minimize != Any && c.ctx.Err() == nil {
		var err error
		if second, err = c.explorePaths(assemble, c.q.Config, c.q.Reduce, until); err != nil {
			return err
		}
	}
	for _, b := range all {
		minimal := c.q.Minimize == Ticks && b.nearest.Final
		if second != nil {
			limit := b.nearest.P
			if bound := c.q.Config.Ticks; bound != model.NoBound {
				limit = max(limit, bound)
			}
			short, ok, err := c.within(second, b.mark, assemble, limit)
			if err != nil {
				return err
			}
			if ok {
				b.calls, minimal = short, true
			}
		}
		if err := c.violated(b.audit, b.nearest.P, b.calls, minimal); err != nil {
			return err
		}
	}
	return nil
}

// within gives the shortest path of a mark that makes no more than limit
// ticks; ok is false if the search for it was cut short.
func (c *check) within(s *search, mark int, assemble assembler, limit int) (calls []traces.Call, ok bool, err error) {
	f, found := s.graph.Found(mark)
	if !found || !f.Final {
		return nil, false, nil
	}
	calls, err = c.schedule(s, mark)
	if err != nil || c.q.Config.Ticks == model.NoBound || ticksOf(calls) <= limit {
		return calls, err == nil, err
	}
	cfg, reduce := c.q.Config, c.q.Reduce
	cfg.Ticks, reduce.Time = limit, false
	third, err := c.explorePaths(assemble, cfg, reduce, explore.Mark(mark))
	if err != nil {
		return nil, false, err
	}
	f, found = third.graph.Found(mark)
	if !found || !f.Final {
		return nil, false, nil
	}
	calls, err = c.schedule(third, mark)
	return calls, err == nil, err
}

// assembler makes the same product for another world.
type assembler func(model.Config, model.Reductions) (*product, error)

// explorePaths explores in the order of the measure asked for, until each of
// the marks was met.
func (c *check) explorePaths(assemble assembler, cfg model.Config, reduce model.Reductions, until explore.Note) (*search, error) {
	p, err := assemble(cfg, reduce)
	if err != nil {
		return nil, err
	}
	g, err := explore.Run(c.ctx, p, explore.Options{
		Workers:  c.q.Workers,
		Order:    orders[c.q.Minimize],
		Until:    until,
		MaxBytes: c.q.MaxBytes,
		OnBucket: func(g explore.Progress) bool { return !c.spent(g) },
		Progress: c.progress("shortest counterexample"),
	})
	if err != nil {
		return nil, err
	}
	c.run.PeakBytes = max(c.run.PeakBytes, g.Bytes())
	return &search{product: p, graph: g, tick: -1}, nil
}

// marks is the set of the first n marks.
func marks(n int) explore.Note {
	var all explore.Note
	for i := range n {
		all |= explore.Mark(i)
	}
	return all
}

func ticksOf(calls []traces.Call) int {
	n := 0
	for _, k := range calls {
		if k.Kind == model.Tick {
			n++
		}
	}
	return n
}
