package explore

import (
	"context"
	"slices"
)

// Toward knows all nearest paths to a finding or a state, where a Graph keeps
// one. A caller that prefers some paths to others walks from an initial state
// and takes at each state the step it likes best among those that stay on one.
type Toward struct {
	g      *Graph
	mark   Note     // what the last transition carries, or 0
	to     []uint64 // where it leads, or nil
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
	return g.toward(ctx, sys, &Toward{mark: Mark(i), target: g.found.list[i].cost})
}

// TowardState finds the nearest paths to a state that is not an initial one, as
// Toward does.
func (g *Graph) TowardState(ctx context.Context, sys System, id ID) *Toward {
	for row, at := range g.backward() {
		if at == id {
			return g.toward(ctx, sys, &Toward{to: g.State(id), target: g.rows[row].cost})
		}
	}
	return nil
}

func (g *Graph) toward(ctx context.Context, sys System, t *Toward) *Toward {
	t.g, t.row = g, NewSide[uint32](g)
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
// leads, and whether it is the last one of the path.
func (t *Toward) Step(from At, note Note, to []uint64) (next At, end, ok bool) {
	next.cost = t.g.rule.costs(from.cost)[t.g.rule.kind(note)]
	if next.cost == t.target {
		return next, true, note&t.mark == t.mark && (t.to == nil || slices.Equal(t.to, to))
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
