package checker

import (
	"context"
	"fmt"

	"dlcheck/model"
)

// Saving is the search of a world under one set of reductions.
type Saving struct {
	Reductions  model.Reductions
	States      uint64
	Transitions uint64
	Bits        int  // of a state
	Closed      bool // nothing new would appear at any horizon
	// Stopped says why the search was cut short; empty if it was not. The
	// figures are then of what was seen.
	Stopped string
}

// Savings searches the world of a question, with the monitors of its properties,
// under no reduction, each of those that are exact there alone, all but each, and
// all: so it can be seen what each saves by itself, and what in company. Reduce of
// the question has those that are looked at. Progress, if it is not nil, is told
// which set is searched.
func Savings(ctx context.Context, q Question) ([]Saving, error) {
	names, err := Expand(q.Properties)
	if err != nil {
		return nil, err
	}
	var watched []*audit
	for _, n := range names {
		if a := findAudit(n); a.monitor != nil {
			watched = append(watched, a)
		}
	}
	if len(watched) == 0 {
		return nil, fmt.Errorf("none of the properties is judged transition by transition, and nothing is to be searched for them")
	}
	var all []Saving
	for _, reduce := range reductionSets(&q.Config, q.Reduce) {
		p, err := watch(watched, q.Config, reduce)
		if err != nil {
			return nil, err
		}
		q.Reduce = reduce
		c := &check{ctx: ctx, q: q, names: names, verdicts: map[string]*Verdict{}, run: &Run{Config: q.Config}}
		s, err := c.exploreTicks("reductions", p, nil, 0, nil)
		if err != nil {
			return nil, err
		}
		all = append(all, Saving{
			Reductions: reduce, States: s.graph.States(), Transitions: s.graph.Transitions(),
			Bits: p.world.Layout.Bits(), Closed: c.closed(s), Stopped: c.run.Stopped,
		})
	}
	return all, nil
}

// reductionSets lists none, each alone, all but each, and all, as far as they are exact
// in a world: some only with another. Each set is there once.
func reductionSets(cfg *model.Config, asked model.Reductions) (sets []model.Reductions) {
	sound := cfg.Sound(asked)
	seen := map[model.Reductions]bool{}
	add := func(r model.Reductions) {
		if r = cfg.Sound(r); !seen[r] {
			seen[r] = true
			sets = append(sets, r)
		}
	}
	add(model.Reductions{})
	for _, name := range sound.Names() {
		add(only(name))
	}
	for _, name := range sound.Names() {
		add(sound.Without(name))
	}
	add(sound)
	return sets
}

// only is one reduction alone.
func only(name string) model.Reductions {
	r, err := model.ParseReductions(name)
	if err != nil {
		panic(err) // Names gave it
	}
	return r
}
