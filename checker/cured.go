package checker

import (
	"dlcheck/model"
	"dlcheck/traces"
)

// Cured is what a cure does to a counterexample and to its world.
type Cured struct {
	Cure
	Config model.Config // the cured world
	// Schedule is the counterexample taken on the cured world, and Parts where
	// that differs. Both are nil for a property that no single trace can show.
	Schedule *traces.Adapted
	Parts    *traces.Difference
	// Run has the verdict on the cured world, for whoever has asked for it.
	Run *Run
}

// Broken says whether the schedule still breaks the property.
func (c *Cured) Broken() bool { return c.Schedule != nil && c.Schedule.Trace.Remark != nil }

// Verdict is that on the cured world.
func (c *Cured) Verdict() *Verdict { return &c.Run.Verdicts[0] }

// holds says whether the property holds in the whole cured world, as far as
// was asked.
func (c *Cured) holds() bool {
	v := c.Verdict()
	return v.Result == Holds || v.Result == HoldsToBound && v.BeyondAt == 0
}

// Treat takes the schedule of a counterexample under a cure and judges it again.
func Treat(t *traces.Trace, cure Cure) (*Cured, error) {
	c := &Cured{Cure: cure}
	var err error
	if c.Config, err = cure.Apply(&t.Config); err != nil {
		return nil, err
	}
	a := findAudit(t.Remark.Property)
	if a.retrospect == nil {
		return c, nil
	}
	if c.Schedule, err = traces.Adapt(t, c.Config); err != nil {
		return nil, err
	}
	c.Parts = c.Schedule.Parts(t)
	if f := a.retrospect(c.Schedule.Trace); f != nil {
		c.Schedule.Trace.Remark = &traces.Remark{Property: a.Name, At: f.at, Reason: f.reason}
	}
	return c, nil
}

// Best is the cure under which the property holds in the whole world with the
// fewest settings, the first of those, or nil. One in whose world no write is
// ever accepted any more is better than none.
func Best(all []*Cured) (best *Cured) {
	for _, c := range all {
		if !c.holds() {
			continue
		}
		if best == nil || best.Run.NoWrite && !c.Run.NoWrite ||
			best.Run.NoWrite == c.Run.NoWrite && len(c.Settings) < len(best.Settings) {
			best = c
		}
	}
	return best
}
