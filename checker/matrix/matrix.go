// Package matrix asks one question of many lock systems at once: which
// property holds in which system under which faults, and what the smallest
// change is that cures what breaks.
package matrix

import (
	"context"
	"runtime"

	"dlcheck/checker"
	"dlcheck/checker/systems"
	"dlcheck/model"
)

// Question is what Run is asked.
type Question struct {
	Systems    []*systems.System
	Properties []string        // names; see checker.Expand for groups
	Faults     []string        // None, Each, Variants, All, or a name or field of faults and variants
	Scope      []model.Setting // of every world, in place of what its system has; see world
	Workers    int             // worlds that are asked at once; 0: one per processor
	MaxBytes   int64           // memory for the states of one world; 0: no bound
	// Check answers for one world; nil is checker.Check. Several are asked at once.
	Check func(context.Context, checker.Question) (*checker.Run, error)
	// Progress is told how many worlds of how many were asked. The second number
	// grows with what is found: pairs of cures are tried where no single one does.
	// It may be called by several workers at once.
	Progress func(done, all int)
}

// Matrix is a row per system and set of faults, and a cell in it per property.
type Matrix struct {
	Systems    []*systems.System
	Properties []checker.Property
	Scope      []model.Setting
	MaxBytes   int64
	Rows       []Row
}

// Row is one world.
type Row struct {
	System  *systems.System
	Faults  []systems.Change // none, one, or all of the system
	Variant *systems.Change  // another way to use it; then there are no faults
	// Config is the world that was explored: the system with its faults or as the
	// variant, in the scope. Base is the same without them.
	Config, Base model.Config
	// AsNoFault says that every cell is that of the row without faults, where
	// there is one and this is another.
	AsNoFault bool
	// Refused says why there is no such world; "" if there is. Then there are no
	// cells.
	Refused string
	States  uint64
	Stopped string // why cells are incomplete; see checker.Run
	Notes   []string
	Cells   []Cell // in the order of Matrix.Properties
	Cure    Remedy // of all that is violated

	noWrite bool // see checker.Run
}

// Name names a row for people.
func (r *Row) Name() string { return r.System.Name + ", " + r.Text() }

// Text says which faults can befall the system, or how it is used.
func (r *Row) Text() string {
	switch {
	case r.Variant != nil:
		return r.Variant.Name
	case len(r.Faults) == 0:
		return "no fault"
	case len(r.Faults) == 1:
		return r.Faults[0].Name
	}
	return "all of them"
}

// changes are the faults or the variant.
func (r *Row) changes() []systems.Change {
	if r.Variant != nil {
		return []systems.Change{*r.Variant}
	}
	return r.Faults
}

// Cell is the verdict on one property in one world, without its trace, of which
// it has the length.
type Cell struct {
	checker.Verdict
	// Steps, Events and Ticks are the length of the counterexample, the one
	// with fewest steps if Shortest. They are 0 if there is none.
	Steps, Events, Ticks int
	Shortest             bool
	Cure                 Remedy // of this property alone, by a single cure
}

// Kept says whether the property is known to hold, to every horizon or to the
// bound that was asked for.
func (c *Cell) Kept() bool {
	return !c.Failed() && (c.Result == checker.Holds || c.Result == checker.HoldsToBound)
}

// Failed says whether any property is violated.
func (r *Row) Failed() bool {
	for i := range r.Cells {
		if r.Cells[i].Failed() {
			return true
		}
	}
	return false
}

// CutShort says whether a search ended before it had its answer. A property
// that a world has no answer to, such as progress in one that cannot be
// explored without its clock, is no such case.
func (m *Matrix) CutShort() bool {
	for i := range m.Rows {
		r := &m.Rows[i]
		for k := range r.Cells {
			if r.Stopped != "" && r.Cells[k].Result == checker.Incomplete || r.Cells[k].Cure.State == Unknown {
				return true
			}
		}
		if r.Cure.State == Unknown {
			return true
		}
	}
	return false
}

// Run fills the matrix. When the context ends, what is known stays and what is
// left is incomplete. No result depends on the number of workers. An error is
// one line for the user.
func Run(ctx context.Context, q Question) (*Matrix, error) {
	names, err := checker.Expand(q.Properties)
	if err != nil {
		return nil, err
	}
	m := &Matrix{Systems: q.Systems, Scope: q.Scope, MaxBytes: q.MaxBytes}
	for _, p := range checker.Properties() {
		for _, n := range names {
			if p.Name == n {
				m.Properties = append(m.Properties, p)
			}
		}
	}
	if m.Rows, err = rows(&q); err != nil {
		return nil, err
	}
	if q.Workers <= 0 {
		q.Workers = runtime.GOMAXPROCS(0)
	}
	if q.Check == nil {
		q.Check = checker.Check
	}
	a := &asker{q: &q, properties: names}
	if err := a.judge(ctx, m.Rows); err != nil {
		return nil, err
	}
	compare(m.Rows)
	if err := a.cure(ctx, m.Rows); err != nil {
		return nil, err
	}
	return m, nil
}
