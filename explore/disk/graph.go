package disk

import (
	"iter"

	"dlcheck/explore"
)

// Graph is what a search has reached. Its states are in the files of a Folder
// until it is closed.
type Graph struct {
	*space
	order   explore.Order
	memory  int64
	journal *journal
	levels  []level

	states, expanded, transitions uint64
	found                         findings
	complete                      cost
	any                           bool // complete means something
	ended                         explore.Reason
	full                          *FullError
	peak                          int64
}

// Close gives the room on disk back.
func (g *Graph) Close() {
	if g.journal != nil {
		g.journal.drop()
		g.journal = nil
	}
}

// Words is the width of every state.
func (g *Graph) Words() int { return g.width }

// States is how many distinct states were found, in buckets that were opened.
func (g *Graph) States() uint64 { return g.states }

// Expanded is how many of them were expanded.
func (g *Graph) Expanded() uint64 { return g.expanded }

// Transitions is how many successors the expanded states have.
func (g *Graph) Transitions() uint64 { return g.transitions }

// Ended says why the search ended.
func (g *Graph) Ended() explore.Reason { return g.ended }

// Full says how the disk got full, if that ended the search.
func (g *Graph) Full() *FullError { return g.full }

// Bytes is what the search took in memory at most.
func (g *Graph) Bytes() int64 { return g.peak }

// Complete is the last bucket that was expanded to its end.
func (g *Graph) Complete() (p, q int, ok bool) { return g.complete.p(), g.complete.q(), g.any }

// Buckets lists the buckets that hold states, in order.
func (g *Graph) Buckets() []explore.Bucket {
	list := make([]explore.Bucket, len(g.levels))
	for i, l := range g.levels {
		list[i] = explore.Bucket{P: l.cost.p(), Q: l.cost.q(), States: l.states}
	}
	return list
}

// All yields the states bucket by bucket, and those of a bucket by rising order.
// An error ends it.
func (g *Graph) All() iter.Seq2[[]uint64, error] {
	return func(yield func([]uint64, error) bool) {
		var r reader
		for block := range g.journal.blocks() {
			states, err := r.read(g.journal, block, g.width)
			if err != nil {
				yield(nil, err)
				return
			}
			for at := 0; at < len(states); at += g.width {
				if !yield(states[at:at+g.width], nil) {
					return
				}
			}
		}
	}
}

// Found returns the nearest transition that carries Mark(i). States have no IDs
// here, so From is explore.None.
func (g *Graph) Found(i int) (explore.Finding, bool) {
	f := &g.found.list[i]
	if g.found.found&explore.Mark(i) == 0 {
		return explore.Finding{}, false
	}
	return explore.Finding{From: explore.None, To: f.to, P: f.cost.p(), Q: f.cost.q(), Final: g.found.final&explore.Mark(i) != 0}, true
}

// findings has the nearest transition found so far for each mark.
type findings struct {
	list [explore.MaxMarks]struct {
		cost     cost
		from, to []uint64 // from is nil of an initial state
		fromCost cost
	}
	found, final explore.Note
}

// wanted says which marks would be news on a transition of such cost.
func (f *findings) wanted(c cost) explore.Note {
	want := ^explore.Note(0) &^ explore.Slow
	for i := range f.list {
		if f.found&explore.Mark(i) != 0 && c >= f.list[i].cost {
			want &^= explore.Mark(i)
		}
	}
	return want
}

func (f *findings) note(i int, c, fromCost cost, from, to []uint64) {
	if x := &f.list[i]; f.found&explore.Mark(i) == 0 || c < x.cost {
		x.cost, x.fromCost, x.from, x.to = c, fromCost, from, append([]uint64(nil), to...)
		f.found |= explore.Mark(i)
	}
}

// settle makes those findings final that cost no more than anything to come.
func (f *findings) settle(least cost) {
	for i := range f.list {
		if f.found&explore.Mark(i) != 0 && f.list[i].cost <= least {
			f.final |= explore.Mark(i)
		}
	}
}
