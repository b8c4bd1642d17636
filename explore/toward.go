package explore

import (
	"context"
	"slices"
)

// Toward knows all nearest paths to a finding or a state, where a Graph keeps
// one. A caller that prefers some paths to others walks from an initial state
// and takes at each state the step it likes best among those that stay on one.
//
// A third measure can choose among nearest paths: how many of their transitions
// carry a note, the tie. Toward then knows those that have fewest of them. That
// costs no search: each step of a nearest path raises the cost, so going
// backwards through the buckets every state comes after those it leads to, and
// its fewest is the least, over its steps, of theirs.
type Toward struct {
	g      *Graph
	mark   Note     // what the last transition carries, or 0
	to     []uint64 // where it leads, or nil
	tie    Note     // what transitions should carry least often, or 0
	target cost
	// row is, of a state on a nearest path, the bucket it lies in, plus 1.
	row *Side[uint32]
	// left is, of such a state, how many ties are still to come at least; nil
	// without a tie.
	left *Side[uint32]
	// total is how many ties a path has that has fewest.
	total uint32
}

// At is a place on a path: what it has cost so far. The zero value is the
// place of an initial state.
type At struct {
	cost cost
	ties uint32
}

// Toward finds the nearest paths to the finding of Mark(i), and among them those
// on which tie is least often, if it is not 0. It goes backwards through the
// buckets and takes every step again: it costs about as much as the search did.
// It returns nil when there is no such finding, when it is not final, or when
// the context is cancelled first.
func (g *Graph) Toward(ctx context.Context, sys System, i int, tie Note) *Toward {
	if g.found.final&Mark(i) == 0 {
		return nil
	}
	return g.toward(ctx, sys, &Toward{mark: Mark(i), tie: tie, target: g.found.list[i].cost})
}

// TowardState finds the nearest paths to a state that is not an initial one, as
// Toward does.
func (g *Graph) TowardState(ctx context.Context, sys System, id ID, tie Note) *Toward {
	for row, at := range g.backward() {
		if at == id {
			return g.toward(ctx, sys, &Toward{to: g.State(id), tie: tie, target: g.rows[row].cost})
		}
	}
	return nil
}

func (g *Graph) toward(ctx context.Context, sys System, t *Toward) *Toward {
	t.g, t.row = g, NewSide[uint32](g)
	if t.tie != 0 {
		t.left, t.total = NewSide[uint32](g), 1<<32-1
	}
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
			next, end, ok := t.stays(c, note, out.States[k*g.width:(k+1)*g.width])
			if !ok {
				continue
			}
			known := *t.row.At(id) > 0
			*t.row.At(id) = uint32(row) + 1
			if t.left == nil {
				break
			}
			left := t.ties(note)
			if !end {
				left += *t.left.At(next)
			}
			if x := t.left.At(id); !known || left < *x {
				*x = left
			}
		}
		if c == 0 && t.left != nil && *t.row.At(id) > 0 {
			t.total = min(t.total, *t.left.At(id))
		}
	}
	return t
}

// ties is how many ties a transition with that note is.
func (t *Toward) ties(note Note) uint32 {
	if note&t.tie != 0 {
		return 1
	}
	return 0
}

// stays says whether a transition from a state of that cost stays on a nearest
// path, to which state of the graph, and whether it is the last one of the path.
func (t *Toward) stays(from cost, note Note, to []uint64) (next ID, end, ok bool) {
	c := t.g.rule.costs(from)[t.g.rule.kind(note)]
	if c == t.target {
		return None, true, note&t.mark == t.mark && (t.to == nil || slices.Equal(t.to, to))
	}
	if c > t.target {
		return None, false, false
	}
	id, known := t.g.Lookup(to)
	if !known {
		return None, false, false
	}
	row := *t.row.At(id)
	return id, false, row > 0 && t.g.rows[row-1].cost == c
}

// Step says whether a transition to a state stays on a nearest path, one with
// the fewest ties, where it leads, and whether it is the last one of the path.
func (t *Toward) Step(from At, note Note, to []uint64) (next At, end, ok bool) {
	next = At{t.g.rule.costs(from.cost)[t.g.rule.kind(note)], from.ties + t.ties(note)}
	id, end, ok := t.stays(from.cost, note, to)
	if ok && t.left != nil {
		left := uint32(0)
		if !end {
			left = *t.left.At(id)
		}
		ok = next.ties+left == t.total
	}
	return next, end, ok
}
