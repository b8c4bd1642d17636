package matrix

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"dlcheck/checker"
	"dlcheck/model"
)

// judge fills the cells of the rows.
func (a *asker) judge(ctx context.Context, rows []Row) error {
	return a.each(ctx, len(rows), func(ctx context.Context, i int) error {
		r := &rows[i]
		if r.Refused != "" {
			return nil
		}
		got, err := a.ask(ctx, r.Config, a.properties, checker.Steps)
		var wide *model.SizeError
		if errors.As(err, &wide) {
			r.Refused = err.Error()
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: %w", r.Name(), err)
		}
		r.States, r.Stopped, r.Notes, r.noWrite = got.states, got.stopped, got.notes, got.noWrite
		r.Cells = append(r.Cells, got.cells...) // a copy: another row may be the same world
		return nil
	})
}

// compare marks the rows that are as that of their system without faults.
func compare(rows []Row) {
	var plain *Row
	for i := range rows {
		switch r := &rows[i]; {
		case r.changes() == nil:
			plain = r
		case plain != nil && plain.System == r.System && r.Refused == "" && plain.Stopped == "" && r.Stopped == "":
			r.AsNoFault = slices.EqualFunc(plain.Cells, r.Cells, func(x, y Cell) bool {
				return x.Result == y.Result && x.Bound == y.Bound && x.BeyondAt == y.BeyondAt && x.Steps == y.Steps && x.Shortest == y.Shortest
			})
		}
	}
}
