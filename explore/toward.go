package explore

import "context"

// Toward knows all nearest paths to a finding, where a Graph keeps one. A
// caller that prefers some paths to others walks from an initial state and
// takes at each state the step it likes best among those that stay on one.
type Toward struct {
	g      *Graph
	mark   Note
	target cost
	// row is, of a state on a nearest path, the bucket it lies in, plus 1.
	row *Side[uint32]
}

// At is a place on a path: what it has cost so far. The zero value is the
// place of an initial state.
type At struct{ cost cost }

// Toward finds the nearest paths to the finding of Mark(i), going backwards
// through the buckets and taking every step again: it costs about as much as
// the search did. It returns nil when there is no such finding, when it is
// not final, or when the context is cancelled first.
func (g *Graph) Toward(ctx context.Context, sys System, i int) *Toward {
	if g.found.final&Mark(i) == 0 {
		return nil
	}
	t := &Toward{g: g, mark: Mark(i), target: g.found.list[i].cost, row: NewSide[uint32](g)}
	w := sys.Worker()
	var out Batch
	for row, id := range g.backward() {
		c := g.rows[row].cost
		if c >= t.target {
			continue
		}
		if ctx.Err() != nil {
			return nil
		}
		out.Reset()
		w.Next(g.State(id), &out)
		for k, note := range out.Notes {
			if _, _, ok := t.Step(At{c}, note, out.States[k*g.width:(k+1)*g.width]); ok {
				*t.row.At(id) = uint32(row) + 1
				break
			}
		}
	}
	return t
}

// Step says whether a transition to a state stays on a nearest path, where it
// leads, and whether it is the one with the mark, at the end of the path.
func (t *Toward) Step(from At, note Note, to []uint64) (next At, end, ok bool) {
	next.cost = t.g.rule.costs(from.cost)[t.g.rule.kind(note)]
	if next.cost == t.target {
		return next, true, note&t.mark != 0
	}
	if next.cost > t.target {
		return next, false, false
	}
	id, known := t.g.Lookup(to)
	if !known {
		return next, false, false
	}
	row := *t.row.At(id)
	return next, false, row > 0 && t.g.rows[row-1].cost == next.cost
}
