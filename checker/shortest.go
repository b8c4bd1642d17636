package checker

import (
	"slices"

	"dlcheck/explore"
	"dlcheck/explore/disk"
	"dlcheck/model"
	"dlcheck/traces"
)

// orders says which order of search gives the shortest path in a measure.
var orders = map[Measure]explore.Order{
	Steps:  explore.StepsFirst,
	Ticks:  explore.SlowFirst,
	Events: explore.FastFirst,
	Faults: explore.SlowFirst, // where faults are what is slow
}

// broken is an audit with the violation of it that needs the fewest ticks.
type broken struct {
	audit   *audit
	search  *search
	mark    int // of the audit in that search
	nearest explore.Finding
	why     string        // if nearest is not final: why the search ended
	calls   []traces.Call // a schedule that breaks it
}

// way is a nearest path to a finding, and what it was found with.
type way struct {
	search *search
	toward *explore.Toward // nil if there was no time to find it
	calls  []traces.Call
}

// schedule finds the actions of a nearest path to a finding: the one that
// reads best, if there is time to look for it.
func (c *check) schedule(s *search, mark int) (*way, error) {
	toward, err := s.graph.Toward(c.ctx, s.product, mark, s.product.tie())
	if err != nil {
		return nil, err
	}
	w := &way{search: s, toward: toward}
	if toward == nil {
		w.calls, err = c.anySchedule(s, mark)
		return w, err
	}
	p, err := s.product.walk(w.toward)
	w.calls = p.calls
	return w, err
}

// hurried says in the report that a path is told of which nobody knows whether it reads
// best, if it is so and the reason is that there was no time to look for that.
func (c *check) hurried(so bool) {
	if !so || c.ctx.Err() == nil {
		return
	}
	c.run.Stopped = c.cause()
	const note = "there was no time to look for the counterexample that reads best: one of the same length is told"
	if !slices.Contains(c.run.Notes, note) {
		c.run.Notes = append(c.run.Notes, note)
	}
}

// anySchedule finds the actions of some nearest path: in memory of the one that
// the search keeps.
func (c *check) anySchedule(s *search, mark int) ([]traces.Call, error) {
	states, err := s.graph.Trace(s.product, mark)
	if err != nil {
		return nil, err
	}
	p, err := s.product.label(states, explore.Mark(mark))
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
	// be kept beside the next. Only one on disk is kept: no memory is won by
	// letting it go, and to find a path takes about as long as the search.
	var until explore.Note
	for i := range all {
		b := &all[i]
		until |= explore.Mark(b.mark)
		if err := c.first(b); err != nil {
			return err
		}
		if b.why = c.cutShort(b.search); b.search.memory != nil {
			b.search = nil
		}
	}
	if err := c.shortestPaths(all, until, assemble); err != nil || !c.q.Front {
		return err
	}
	for i := range all {
		if err := c.front(&all[i], assemble); err != nil {
			return err
		}
	}
	return nil
}

// first asks the first search for a schedule that breaks an audit, and for all
// there is to know of it where ticks are the measure.
func (c *check) first(b *broken) (err error) {
	if c.q.Minimize != Ticks {
		if b.search.memory != nil {
			b.calls, err = c.anySchedule(b.search, b.mark)
		}
		return err
	}
	w, err := c.schedule(b.search, b.mark)
	if err != nil {
		return err
	}
	b.calls = w.calls
	if !b.nearest.Final {
		return c.all(b, nil, c.cutShort(b.search))
	}
	c.hurried(w.toward == nil)
	return c.all(b, w, c.cause())
}

// shortestPaths makes the second search and, where it must be, the third.
func (c *check) shortestPaths(all []broken, until explore.Note, assemble assembler) error {
	var second *search
	if c.q.Minimize != Ticks && c.q.Minimize != Any && c.ctx.Err() == nil {
		var err error
		if second, err = c.explorePaths(c.q.Minimize, assemble, c.folder, c.q.Config, c.q.Reduce, until); err != nil {
			return err
		}
		defer second.graph.Close()
	}
	for i := range all {
		b := &all[i]
		minimal := c.q.Minimize == Ticks && b.nearest.Final
		if c.q.Minimize != Ticks && c.q.Minimize != Any {
			w, why, err := c.within(c.q.Minimize, second, b.mark, assemble, c.limit(b))
			if err != nil {
				return err
			}
			if w != nil {
				b.calls, minimal = w.calls, true
				c.hurried(w.toward == nil)
			} else {
				c.run.Stopped = why
			}
			if err := c.all(b, w, why); err != nil {
				return err
			}
			if w != nil && w.search != second {
				w.search.graph.Close()
			}
		}
		if b.calls == nil {
			var err error
			if b.calls, err = c.anySchedule(b.search, b.mark); err != nil {
				return err
			}
		}
		if err := c.violated(b.audit, b.nearest.P, b.calls, minimal); err != nil {
			return err
		}
	}
	return nil
}

// limit is how many ticks matter: those of the bound asked for or, where the
// nearest violation lies past it, those that it needs.
func (c *check) limit(b *broken) int {
	if bound := c.q.Config.Ticks; bound != model.NoBound {
		return max(b.nearest.P, bound)
	}
	return model.NoBound
}

// within gives the shortest path of a mark that makes no more than limit
// ticks, or says why the search for it was cut short.
func (c *check) within(m Measure, s *search, mark int, assemble assembler, limit int) (w *way, why string, err error) {
	w, why, err = c.final(m, s, mark)
	if w == nil || err != nil || limit == model.NoBound || ticksOf(w.calls) <= limit {
		return w, why, err
	}
	if s, err = c.clocked(m, mark, assemble, limit); err != nil {
		return nil, "", err
	}
	return c.final(m, s, mark)
}

// clocked explores until a mark was met, with the clock in the state, so that no
// path makes more than limit ticks.
func (c *check) clocked(m Measure, mark int, assemble assembler, limit int) (*search, error) {
	cfg, reduce := c.q.Config, c.q.Reduce
	cfg.Ticks, reduce.Time = limit, false
	return c.explorePaths(m, assemble, c.folder, cfg, reduce, explore.Mark(mark))
}

// final is a nearest path of a mark; if a nearer one might be found, it is nil,
// and why says why no more is known. The path that a search keeps has the cost of
// a nearest one but not its ties, and may be labelled with a fault where
// something else leads to the same state: among fewest faults it is not good
// enough.
func (c *check) final(m Measure, s *search, mark int) (w *way, why string, err error) {
	if s == nil {
		return nil, c.cause(), nil // it was not even begun
	}
	if f, found := s.graph.Found(mark); !found || !f.Final {
		return nil, c.cutShort(s), nil
	}
	w, err = c.schedule(s, mark)
	if err != nil || w.toward == nil && m == Faults {
		return nil, c.cause(), err
	}
	return w, "", nil
}

// cutShort says why a search has not found all that it was to find.
func (c *check) cutShort(s *search) string {
	switch s.graph.Ended() {
	case explore.Interrupted:
		return c.cause()
	case explore.Stopped:
		return outOfStates
	case explore.OutOfDisk:
		return outOfDisk
	}
	return outOfMemory
}

// assembler makes the same product for another world.
type assembler func(model.Config, model.Reductions) (*product, error)

// explorePaths explores in the order of a measure, until each of the marks was
// met.
func (c *check) explorePaths(m Measure, assemble assembler, on *disk.Folder, cfg model.Config, reduce model.Reductions, until explore.Note) (*search, error) {
	p, err := assemble(cfg, reduce)
	if err != nil {
		return nil, err
	}
	if m == Faults {
		p.countFaults()
	}
	const phase = "shortest counterexample"
	s := &search{product: p, tick: -1}
	err = c.explore(s, on, explore.Options{
		Workers:    c.q.Workers,
		Order:      orders[m],
		Until:      until,
		MaxBytes:   c.q.MaxBytes,
		Checkpoint: c.checkpoint(phase, p, orders[m], until),
		OnBucket:   func(g explore.Progress) bool { return !c.spent(g) },
		Progress:   c.progress(phase),
	})
	if err != nil {
		return nil, err
	}
	c.run.PeakBytes = max(c.run.PeakBytes, s.graph.Bytes())
	if e := s.graph.Ended(); e != explore.Closed && e != explore.Found {
		c.run.Stopped = c.cutShort(s)
	}
	return s, nil
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
