package disk

import (
	"context"
	"slices"
	"sync/atomic"

	"dlcheck/explore"
)

// Parents are not kept. A path is found again backwards: the states of a bucket
// are read from the journal and expanded, and of those that have a transition to
// a state that is wanted one or all are wanted themselves.

// place are the states of a bucket that are on nearest paths, sorted, and for
// each how many ties are still to come at least.
type place struct {
	states []uint64
	left   []uint32
}

// Toward knows all nearest paths to the finding of Mark(i), and among them those
// on which tie is least often, if it is not 0: see explore.Toward. It goes
// backwards through the buckets, of which it needs those from which a state on a
// path can be reached, and takes every step there again. It is nil when there is
// no such finding, when it is not final, when the context is cancelled first, or
// when so many states are on nearest paths that they do not fit into the memory
// of the search.
func (g *Graph) Toward(ctx context.Context, sys explore.System, i int, tie explore.Note) (*explore.Toward, error) {
	if g.found.final&explore.Mark(i) == 0 {
		return nil, nil
	}
	target := g.found.list[i].cost
	on := map[cost]place{}
	look := func(p, q int, s []uint64) (uint32, bool) {
		l, ok := on[costOf(p, q)]
		if !ok {
			return 0, false
		}
		k := seek(l.states, 0, s)
		if at := k * g.width; at == len(l.states) || compare(l.states[at:at+g.width], s) != 0 {
			return 0, false
		}
		return l.left[k], true
	}
	paths := func(total uint32) *explore.Toward {
		return explore.NewToward(g.order, explore.Mark(i), tie, target.p(), target.q(), total, look)
	}
	rule, steps := ruleOf(g.order), paths(0)
	var total uint32
	var bytes int64
	for n := len(g.levels) - 1; n >= 0; n-- {
		l := &g.levels[n]
		if l.cost >= target {
			continue
		}
		near := false
		for _, c := range rule.costs {
			_, ok := on[l.cost+c]
			near = near || ok || l.cost+c == target
		}
		if !near {
			continue
		}
		found := make([]place, l.to-l.from)
		err := g.again(ctx, sys, l, func(block int, s []uint64, out *explore.Batch) bool {
			least, any := uint32(0), false
			for k, note := range out.Notes {
				ties, ok := steps.Stays(l.cost.p(), l.cost.q(), note, out.States[k*g.width:(k+1)*g.width])
				if ok && (!any || ties < least) {
					least, any = ties, true
				}
			}
			if any {
				f := &found[block-l.from]
				f.states, f.left = append(f.states, s...), append(f.left, least)
			}
			return true
		})
		if err != nil {
			if ctx.Err() != nil {
				return nil, nil
			}
			return nil, err
		}
		var all place
		for _, f := range found {
			all.states, all.left = append(all.states, f.states...), append(all.left, f.left...)
		}
		if len(all.left) > 0 {
			on[l.cost] = all
		}
		if bytes += int64(8*len(all.states) + 4*len(all.left)); bytes > g.memory {
			return nil, nil
		}
		if l.cost == 0 && len(all.left) > 0 {
			total = slices.Min(all.left)
		}
	}
	return paths(total), nil
}

// again takes the steps of a bucket once more: f gets each state with its
// successors, those of a block one after the other. Where it says no, the rest
// of the block and all blocks after it are of no interest.
func (g *Graph) again(ctx context.Context, sys explore.System, l *level, f func(block int, s []uint64, out *explore.Batch) bool) error {
	// A flag of its own: that of the search may still be set by the context that
	// ended the search, and a trace is to be found all the same.
	var cancelled atomic.Bool
	cancelled.Store(ctx.Err() != nil)
	defer context.AfterFunc(ctx, func() { cancelled.Store(true) })()
	type walker struct {
		explore.Worker
		out    explore.Batch
		reader reader
		done   bool
	}
	crew := make([]*walker, g.workers)
	return g.share(l.to-l.from, func(worker, i int) error {
		if crew[worker] == nil {
			crew[worker] = &walker{Worker: sys.Worker()}
		}
		w := crew[worker]
		if w.done {
			return nil // it has one in a block before
		}
		states, err := w.reader.read(g.journal, l.from+i, g.width)
		if err != nil {
			return err
		}
		for at := 0; at < len(states); at += g.width {
			if cancelled.Load() {
				return context.Canceled
			}
			s := states[at : at+g.width]
			w.out.Reset()
			w.Next(s, &w.out)
			if !f(l.from+i, s, &w.out) {
				w.done = true
				return nil
			}
		}
		return nil
	})
}

// Trace is a nearest path to the finding of Mark(i), final or not: the states
// from an initial one to the one that the marked transition leads to. It looks at
// every bucket that the path may have come through, until it has found the state
// there; it is not to be interrupted.
func (g *Graph) Trace(sys explore.System, i int) ([][]uint64, error) {
	f := &g.found.list[i]
	path := [][]uint64{f.to}
	if f.from == nil {
		return path, nil
	}
	rule := ruleOf(g.order)
	path = append(path, f.from)
	at, from := f.from, f.fromCost
	for n := len(g.levels) - 1; n >= 0 && from > 0; n-- {
		l := &g.levels[n]
		if l.cost+rule.costs[0] != from && l.cost+rule.costs[1] != from {
			continue
		}
		before := make([][]uint64, l.to-l.from)
		if err := g.again(context.Background(), sys, l, func(block int, s []uint64, out *explore.Batch) bool {
			for k, note := range out.Notes {
				if l.cost+rule.costs[rule.kind(note)] == from && slices.Equal(at, out.States[k*g.width:(k+1)*g.width]) {
					before[block-l.from] = slices.Clone(s)
					return false
				}
			}
			return true
		}); err != nil {
			return nil, err
		}
		for _, s := range before {
			if s != nil {
				at, from = s, l.cost
				path = append(path, s)
				break
			}
		}
	}
	slices.Reverse(path)
	return path, nil
}
