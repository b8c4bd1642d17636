package matrix

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"dlcheck/checker"
	"dlcheck/model"
)

// Remedy is the smallest change, of those that the system can have, that makes
// violated properties hold.
type Remedy struct {
	State State
	Cures []checker.Cure // one, or two of them together
}

// State says what came of the search for a remedy.
type State string

// The states of a remedy. A single cure is smaller than two; then the one with
// fewer settings is, and of those the first in the order of checker.Cures.
const (
	NotNeeded State = ""        // nothing is violated
	Found     State = "found"   // it was tried: see Row.effect
	NoneFound State = "none"    // each was tried, and none does
	Unknown   State = "unknown" // the search was cut short before it had the smallest
)

// Settings are those of all its cures.
func (m *Remedy) Settings() (all []model.Setting) {
	for _, c := range m.Cures {
		all = append(all, c.Settings...)
	}
	return all
}

// Apply gives the cured world.
func (m *Remedy) Apply(cfg model.Config) (model.Config, error) { return apply(cfg, m.Cures) }

func apply(cfg model.Config, cures []checker.Cure) (model.Config, error) {
	for i := range cures {
		var err error
		if cfg, err = cures[i].Apply(&cfg); err != nil {
			return cfg, fmt.Errorf("cure %q: %w", cures[i].Name, err)
		}
	}
	return cfg, nil
}

// trial is a change and what became of the row's world.
type trial struct {
	cures []checker.Cure
	got   *answer // nil: the change heals nothing, or there is no such world
	cut   bool    // it was not asked about
}

// effect is what a change does for violated properties.
type effect int

const (
	fails effect = iota
	heals
	undecided // cut short
)

// cure looks for the remedies of rows: first each single cure, all of which are
// tried since each property may have another, then pairs, where no single one
// heals the row.
func (a *asker) cure(ctx context.Context, rows []Row) error {
	type place struct{ row, trial int }
	var places []place
	singles := make([][]trial, len(rows))
	for i := range rows {
		if !rows[i].Failed() {
			continue
		}
		cures := slices.DeleteFunc(checker.Cures(&rows[i].Config), func(c checker.Cure) bool { return !rows[i].System.Can(c.Settings) })
		slices.SortStableFunc(cures, func(x, y checker.Cure) int { return cmp.Compare(len(x.Settings), len(y.Settings)) })
		for k, c := range cures {
			singles[i] = append(singles[i], trial{cures: []checker.Cure{c}})
			places = append(places, place{i, k})
		}
	}
	err := a.each(ctx, len(places), func(ctx context.Context, i int) error {
		p := places[i]
		return a.try(ctx, &rows[p.row], &singles[p.row][p.trial], nil)
	})
	if err != nil {
		return err
	}
	for i := range rows {
		r := &rows[i]
		if !r.Failed() {
			continue
		}
		for k := range r.Cells {
			if c := &r.Cells[k]; c.Failed() {
				c.Cure = smallest(singles[i], func(t *trial) effect { return r.effect(t, c) })
			}
		}
		r.Cure = smallest(singles[i], func(t *trial) effect { return r.effect(t, nil) })
		if r.Cure.State != NoneFound {
			continue
		}
		if r.Cure, err = a.pair(ctx, r, singles[i]); err != nil {
			return err
		}
	}
	return nil
}

// try asks about the row's world with a change. Where hardest is given, all
// other properties are asked about only if that one holds.
func (a *asker) try(ctx context.Context, r *Row, t *trial, hardest *Cell) error {
	if ctx.Err() != nil {
		t.cut = true
		return nil
	}
	cfg, err := apply(r.Config, t.cures)
	if err != nil {
		return err
	}
	if cfg.Validate() != nil {
		return nil // two changes that exclude each other
	}
	if hardest != nil {
		got, err := a.ask(ctx, cfg, []string{hardest.Property}, checker.Any)
		if err != nil {
			return t.refused(r, err)
		}
		if got.cells[0].Failed() {
			return nil
		}
	}
	if t.got, err = a.ask(ctx, cfg, a.properties, checker.Any); err != nil {
		return t.refused(r, err)
	}
	return nil
}

// refused is nil where the change makes a world that is too wide for a state: then
// it is none that heals.
func (t *trial) refused(r *Row, err error) error {
	var wide *model.SizeError
	if errors.As(err, &wide) {
		return nil
	}
	var names []string
	for _, c := range t.cures {
		names = append(names, c.Name)
	}
	return fmt.Errorf("%s with %s: %w", r.Name(), strings.Join(names, " and "), err)
}

// effect says whether a change heals a row: of what was violated (or only the
// cell of, if it is not nil) all holds, what held still holds, and writes are
// accepted if they were, since where no write is accepted none is lost.
func (r *Row) effect(t *trial, of *Cell) effect {
	switch {
	case t.cut:
		return undecided
	case t.got == nil, t.got.noWrite && !r.noWrite:
		return fails
	}
	worst := heals
	for k := range r.Cells {
		was, is := &r.Cells[k], &t.got.cells[k]
		wanted := was.Kept() || was.Failed() && (of == nil || of == was)
		if was.ReportOnly || !wanted || is.Kept() {
			continue
		}
		if is.Failed() || t.got.stopped == "" {
			return fails
		}
		worst = undecided
	}
	return worst
}

// smallest is the first trial that heals.
func smallest(trials []trial, effect func(*trial) effect) Remedy {
	for i := range trials {
		switch effect(&trials[i]) {
		case heals:
			return Remedy{Found, trials[i].cures}
		case undecided:
			return Remedy{State: Unknown}
		}
	}
	return Remedy{State: NoneFound}
}

// pair tries two cures together that change different fields, the pairs with
// fewer settings first.
func (a *asker) pair(ctx context.Context, r *Row, singles []trial) (Remedy, error) {
	var trials []trial
	for i := range singles {
		for k := range singles[i+1:] {
			first, second := singles[i].cures[0], singles[i+1+k].cures[0]
			if !meet(first, second) {
				trials = append(trials, trial{cures: []checker.Cure{first, second}})
			}
		}
	}
	size := func(t trial) int { return len(t.cures[0].Settings) + len(t.cures[1].Settings) }
	slices.SortStableFunc(trials, func(x, y trial) int { return cmp.Compare(size(x), size(y)) })
	hardest := r.hardest(singles)
	err := a.each(ctx, len(trials), func(ctx context.Context, i int) error { return a.try(ctx, r, &trials[i], hardest) })
	if err != nil {
		return Remedy{}, err
	}
	return smallest(trials, func(t *trial) effect { return r.effect(t, nil) }), nil
}

// meet says whether two cures change the same field.
func meet(x, y checker.Cure) bool {
	return slices.ContainsFunc(x.Settings, func(s model.Setting) bool {
		return slices.ContainsFunc(y.Settings, func(o model.Setting) bool { return s.Field == o.Field })
	})
}

// hardest is the violated property that the fewest single cures heal. Most pairs
// fail on it, and to ask about one property is cheaper.
func (r *Row) hardest(singles []trial) (hardest *Cell) {
	least := len(singles) + 1
	for k := range r.Cells {
		c, n := &r.Cells[k], 0
		if !c.Failed() {
			continue
		}
		for i := range singles {
			if got := singles[i].got; got != nil && got.cells[k].Kept() {
				n++
			}
		}
		if n < least {
			hardest, least = c, n
		}
	}
	return hardest
}
