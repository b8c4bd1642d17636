package checker

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"dlcheck/explore"
	"dlcheck/explore/disk"
	"dlcheck/model"
	"dlcheck/traces"
)

// ErrTimeLimit as the cause of a cancelled context makes a run say that it
// ran out of time, not that it was interrupted.
var ErrTimeLimit = errors.New("out of time")

// pastBound is how many states a search may add past the bound that was
// asked for, to see whether the set closes: as many as the bounded part took,
// and at least these, which take about a second. It is a number of states
// and not of seconds, so that the same question has the same answer.
const pastBound = 2_000_000

// Check answers the question for one world. An interrupted search is not an
// error: its verdicts are Incomplete. An error is one line for the user.
func Check(ctx context.Context, q Question) (*Run, error) {
	start := time.Now()
	names, err := Expand(q.Properties)
	if err != nil {
		return nil, err
	}
	switch q.Minimize {
	case Steps, Ticks, Events, Faults, Any:
	case "":
		q.Minimize = Steps
	default:
		return nil, fmt.Errorf("there is no measure %q to minimize; there are %s, %s, %s, %s", q.Minimize, Steps, Ticks, Events, Faults)
	}
	if q.AllMinimal && q.Minimize == Any {
		return nil, fmt.Errorf("all shortest counterexamples are asked for, and no measure to be shortest in")
	}
	// A counterexample will be replayed on the unreduced world, which has to
	// fit too.
	if _, err := traces.NewPlayer(q.Config); err != nil {
		return nil, err
	}
	c := &check{ctx: ctx, q: q, names: names, verdicts: map[string]*Verdict{}, run: &Run{Config: q.Config, Minimize: q.Minimize, Reductions: q.Config.Sound(q.Reduce).Names()}}
	if q.Disk != "" {
		if c.folder, err = disk.Open(q.Disk); err != nil {
			return nil, err
		}
		// Searches of histories are given three quarters.
		if need := disk.Least(q.Workers) / 3 * 4; q.MaxBytes > 0 && q.MaxBytes < need {
			return nil, fmt.Errorf("a memory of %d KiB is too little for the buffers of a search on disk; it takes %d KiB at least, and more is faster", q.MaxBytes>>10, (need+1023)>>10)
		}
		if q.Certificate != nil {
			return nil, errors.New("a certificate is written from states in memory, and those of this search are on disk")
		}
		if q.Checkpoint != nil {
			return nil, errors.New("a checkpoint is of states in memory, and those of this search are on disk")
		}
	}
	defer c.closeAll()
	var watched []*audit
	for _, n := range names {
		if a := findAudit(n); a.monitor != nil {
			watched = append(watched, a)
		}
	}
	if err := c.decide(watched); err != nil {
		return nil, err
	}
	for _, n := range names {
		if a := findAudit(n); a.decide != nil && c.verdicts[n] == nil {
			if err := a.decide(c); err != nil {
				return nil, err
			}
		}
	}
	for _, n := range names {
		c.run.Verdicts = append(c.run.Verdicts, *c.verdicts[n])
	}
	c.settleCertificate()
	if k := q.Checkpoint; k != nil && k.Trouble() != "" {
		c.run.Notes = append(c.run.Notes, k.Trouble())
	}
	c.run.Elapsed = time.Since(start)
	return c.run, nil
}

// check is one run of Check.
type check struct {
	ctx      context.Context
	q        Question
	names    []string // of the properties asked for
	run      *Run
	verdicts map[string]*Verdict
	folder   *disk.Folder  // of searches on disk; nil: there are none
	onDisk   []*disk.Graph // that were made
}

// search is one exploration and what it means in ticks.
type search struct {
	product *product
	graph   graph
	memory  *explore.Graph // the same, where it is in memory; else nil
	log     bool           // its states have histories of the store
	tick    int            // deepest tick fully explored, -1 if none
	full    bool           // what is remembered beside the graph has outgrown its share
	spent   bool           // the states that it was given are used up
	atBound bool           // everything within the bound asked for was explored
	// budget is how many states it may come to past the bound, once it is there.
	budget uint64
}

// exploreTicks explores a product in the order of ticks: all that is reached
// within the bound asked for, and, where the clock is not part of the state,
// past it for as long as that is cheap. It ends early when each of the marks
// has its nearest transition. all, if it is not nil, are the histories that are kept
// beside the graph: they may take a quarter of the memory. The states go into the
// folder, or stay in memory if there is none.
func (c *check) exploreTicks(phase string, p *product, on *disk.Folder, until explore.Note, all *histories) (*search, error) {
	s := &search{product: p, tick: -1}
	bound := c.q.Config.Ticks
	most := c.q.MaxBytes
	if all != nil {
		s.log = true
		most -= most / 4
	}
	saving := c.checkpoint(phase, p, explore.SlowFirst, until)
	s.keep(saving, all)
	err := c.explore(s, on, explore.Options{
		Workers:    c.q.Workers,
		Order:      explore.SlowFirst,
		Until:      until,
		MaxBytes:   most,
		Checkpoint: saving,
		Progress:   c.progress(phase),
		OnBucket: func(g explore.Progress) bool {
			if g.Last {
				s.tick = g.P
			}
			if all != nil && c.q.MaxBytes > 0 && all.bytes() > c.q.MaxBytes/4 {
				s.full = true
				return false
			}
			if bound == model.NoBound || s.tick < bound {
				s.spent = c.spent(g)
				return !s.spent
			}
			if !s.atBound {
				s.atBound = true
				s.budget = g.States + max(g.States, pastBound)
				if c.q.MaxStates > 0 {
					s.budget = min(s.budget, c.q.MaxStates)
				}
			}
			return g.States <= s.budget
		},
	})
	if all != nil {
		all.log = nil
	}
	if errors.Is(err, explore.ErrTooMany) {
		s.full, err = true, nil
	}
	if err != nil {
		return nil, err
	}
	c.run.PeakBytes = max(c.run.PeakBytes, s.graph.Bytes())
	defer c.describe(s)
	if s.graph.Ended() == explore.Closed {
		s.atBound = true
	}
	return s, nil
}

// outOfMemory is why a search stopped that has used up Question.MaxBytes.
const outOfMemory = "out of memory"

// outOfStates is why a search stopped that has used up Question.MaxStates.
const outOfStates = "out of the states it was given"

// outOfDisk is why a search stopped for whose states there was no room on disk.
const outOfDisk = "out of disk space"

// spent says whether a search has used up the states that it was given.
func (c *check) spent(g explore.Progress) bool {
	return c.q.MaxStates > 0 && g.States > c.q.MaxStates
}

func (c *check) progress(phase string) func(explore.Progress) {
	if c.q.Progress == nil {
		return nil
	}
	return func(g explore.Progress) {
		c.q.Progress(Progress{Store: c.q.Config.Store, Phase: phase, Ticks: g.P, States: g.States, Bytes: g.Bytes})
	}
}

// tell reports that a finished graph is being gone through again.
func (c *check) tell(phase string, g graph) {
	if c.q.Progress != nil {
		c.q.Progress(Progress{Store: c.q.Config.Store, Phase: phase, Ticks: lastTick(g), States: g.States(), Bytes: g.Bytes()})
	}
}

// relative says whether the clock is no part of the state, so that a closed
// set is closed at every horizon.
func (c *check) relative() bool {
	return c.q.Config.Sound(c.q.Reduce).Time || c.q.Config.Ticks == model.NoBound
}

// closed says whether the search has seen all there is, at any horizon.
func (c *check) closed(s *search) bool {
	return s.graph.Ended() == explore.Closed && c.relative()
}

// decide gives the audits that have a monitor their verdicts.
func (c *check) decide(watched []*audit) error {
	if len(watched) == 0 {
		return nil
	}
	assemble := func(cfg model.Config, reduce model.Reductions) (*product, error) {
		return watch(watched, cfg, reduce)
	}
	p, err := assemble(c.q.Config, c.q.Reduce)
	if err != nil {
		return err
	}
	p.mark(acceptedWrite, model.Write, func(_ model.State, a model.Action, _ model.State) bool { return a.OK })
	p.mark(expiredLease, model.Tick, func(_ model.State, a model.Action, _ model.State) bool { return a.Servers != 0 })
	p.mark(stopped, model.Stop, func(model.State, model.Action, model.State) bool { return true })
	if c.q.Stats {
		p.counters = &counters{}
	}
	s, err := c.exploreTicks("states", p, c.folder, marks(len(watched)), nil)
	if err != nil {
		return err
	}
	if c.q.Stats {
		c.run.Saw = saw(p, s.graph)
	}
	c.remark(s)
	var found []broken
	for i, a := range watched {
		c.verdict(a, s)
		if f, ok := s.graph.Found(i); ok {
			found = append(found, broken{audit: a, search: s, mark: i, nearest: f})
		}
	}
	if err := c.certify(watched, s); err != nil {
		return err
	}
	if c.asked("progress") {
		// It can be judged on the same set, if that is closed; then the set is
		// let go, before another is explored.
		if err := c.decideProgress(s); err != nil {
			return err
		}
	}
	return c.shortest(found, assemble)
}

// Marks beside those of the audits, for what a world should be able to do at
// all: where it cannot, properties hold for want of anything that could break
// them.
const (
	acceptedWrite = explore.MaxMarks - 1
	expiredLease  = explore.MaxMarks - 2
	// tickedOn is not of interest for itself: see product.countFaults.
	tickedOn = explore.MaxMarks - 4
	stopped  = explore.MaxMarks - 3
)

// watch is the product of a world and these audits.
func watch(watched []*audit, cfg model.Config, reduce model.Reductions) (*product, error) {
	needs, monitors := monitorsOf(watched)
	return newLearnedProduct(cfg, reduce, needs, monitors)
}

// asked says whether a verdict on the property is wanted.
func (c *check) asked(name string) bool { return slices.Contains(c.names, name) }

// describe puts the figures of the first search into the report: that of the
// monitors, if any is asked for.
func (c *check) describe(s *search) {
	r, g := c.run, s.graph
	if r.States > 0 {
		return
	}
	r.States, r.Transitions = g.States(), g.Transitions()
	for _, b := range g.Buckets() {
		r.DepthTicks, r.DepthSteps = max(r.DepthTicks, b.P), max(r.DepthSteps, b.Q)
	}
	r.Closed = c.closed(s)
	r.Complete = s.atBound || g.Ended() == explore.Found
	r.StateBits = s.product.world.Layout.Bits()
	c.note(s)
}

// note says in the report that a search was cut short.
func (c *check) note(s *search) {
	if s.full {
		c.run.Stopped = outOfMemory
	}
	if s.spent {
		c.run.Stopped = outOfStates
	}
	switch s.graph.Ended() {
	case explore.Interrupted:
		c.run.Stopped = c.cause()
	case explore.OutOfMemory:
		c.run.Stopped = outOfMemory
	case explore.OutOfDisk:
		c.run.Stopped = outOfDisk
	}
}

// cause says why the context was cancelled.
func (c *check) cause() string { return causeOf(c.ctx) }

func causeOf(ctx context.Context) string {
	if errors.Is(context.Cause(ctx), ErrTimeLimit) {
		return ErrTimeLimit.Error()
	}
	return "interrupted"
}
