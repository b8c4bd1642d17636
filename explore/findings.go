package explore

import "math/bits"

// findings has the nearest transition found so far for each mark.
type findings struct {
	list [MaxMarks]struct {
		cost cost
		from ID
		to   []uint64
	}
	found, final Note
}

// wanted says which marks would be news on a transition of such cost.
func (f *findings) wanted(c cost) Note {
	want := ^f.found &^ Slow
	for m := f.found; m != 0; m &= m - 1 {
		if i := bits.TrailingZeros64(uint64(m)); c < f.list[i].cost {
			want |= Mark(i)
		}
	}
	return want
}

func (f *findings) note(h hit, c cost) {
	for m := h.marks; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(uint64(m))
		if x := &f.list[i]; f.found&Mark(i) == 0 || c < x.cost {
			x.cost, x.from, x.to = c, h.from, h.to
			f.found |= Mark(i)
		}
	}
}

// settle makes those findings final that cost no more than anything to come.
func (f *findings) settle(least cost) {
	for m := f.found &^ f.final; m != 0; m &= m - 1 {
		if i := bits.TrailingZeros64(uint64(m)); f.list[i].cost <= least {
			f.final |= Mark(i)
		}
	}
}
