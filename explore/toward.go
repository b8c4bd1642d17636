package explore

import (
	"context"
	"slices"
)

// Toward knows all nearest paths to a finding or a state, where a search keeps
// one or none. A caller that prefers some paths to others walks from an initial
// state and takes at each state the step it likes best among those that stay on
// one.
//
// A third measure can choose among nearest paths: how many of their transitions
// carry a note, the tie. Toward then knows those that have fewest of them. That
// costs no search: each step of a nearest path raises the cost, so going
// backwards through the buckets every state comes after those it leads to, and
// its fewest is the least, over its steps, of theirs.
type Toward struct {
	rule   rule
	mark   Note     // what the last transition carries, or 0
	to     []uint64 // where it leads, or nil
	tie    Note     // what transitions should carry least often, or 0
	target cost
	on     func(p, q int, state []uint64) (left uint32, ok bool)
	// total is how many ties a path has that has fewest; of no account without
	// a tie.
	total uint32
}

// At is a place on a path: what it has cost so far. The zero value is the
// place of an initial state.
type At struct {
	cost cost
	ties uint32
}

// NewToward is for searches that keep their states elsewhere. The last
// transition carries mark and costs (p, q) with the path to it. on says of a
// state whose nearest path costs (p, q) whether it is on a nearest path to the
// target, and with how many ties at least from there on; ties is how many the
// whole path has at least.
func NewToward(o Order, mark, tie Note, p, q int, ties uint32, on func(p, q int, state []uint64) (left uint32, ok bool)) *Toward {
	return &Toward{rule: ruleOf(o), mark: mark, tie: tie, target: cost(p)<<32 | cost(q), total: ties, on: on}
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

// onPath has the states of a graph that are on nearest paths.
type onPath struct {
	g *Graph
	// row is, of a state on a nearest path, the bucket it lies in, plus 1.
	row *Side[uint32]
	// left is, of such a state, how many ties are still to come at least; nil
	// without a tie.
	left *Side[uint32]
}

func (o *onPath) has(p, q int, state []uint64) (left uint32, ok bool) {
	id, known := o.g.Lookup(state)
	if !known {
		return 0, false
	}
	row := *o.row.At(id)
	if row == 0 || o.g.rows[row-1].cost != cost(p)<<32|cost(q) {
		return 0, false
	}
	if o.left != nil {
		left = *o.left.At(id)
	}
	return left, true
}

func (g *Graph) toward(ctx context.Context, sys System, t *Toward) *Toward {
	o := &onPath{g: g, row: NewSide[uint32](g)}
	t.rule, t.on = g.rule, o.has
	if t.tie != 0 {
		o.left, t.total = NewSide[uint32](g), 1<<32-1
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
			left, _, ok := t.stays(c, note, out.States[k*g.width:(k+1)*g.width])
			if !ok {
				continue
			}
			known := *o.row.At(id) > 0
			*o.row.At(id) = uint32(row) + 1
			if o.left == nil {
				break
			}
			left += t.ties(note)
			if x := o.left.At(id); !known || left < *x {
				*x = left
			}
		}
		if c == 0 && o.left != nil && *o.row.At(id) > 0 {
			t.total = min(t.total, *o.left.At(id))
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
// path, how many ties come after it, and whether it is the last one of the path.
func (t *Toward) stays(from cost, note Note, to []uint64) (left uint32, end, ok bool) {
	c := t.rule.costs(from)[t.rule.kind(note)]
	if c == t.target {
		return 0, true, note&t.mark == t.mark && (t.to == nil || slices.Equal(t.to, to))
	}
	if c > t.target {
		return 0, false, false
	}
	left, ok = t.on(c.p(), c.q(), to)
	return left, false, ok
}

// Step says whether a transition to a state stays on a nearest path, one with
// the fewest ties, where it leads, and whether it is the last one of the path.
func (t *Toward) Step(from At, note Note, to []uint64) (next At, end, ok bool) {
	next = At{t.rule.costs(from.cost)[t.rule.kind(note)], from.ties + t.ties(note)}
	left, end, ok := t.stays(from.cost, note, to)
	if ok && t.tie != 0 {
		ok = next.ties+left == t.total
	}
	return next, end, ok
}

// Stays is Step for whoever goes backwards and looks for the states that are on
// a path: it says how many ties there are at least from the state at (p, q)
// over this transition to the end.
func (t *Toward) Stays(p, q int, note Note, to []uint64) (ties uint32, ok bool) {
	left, _, ok := t.stays(cost(p)<<32|cost(q), note, to)
	return left + t.ties(note), ok
}
