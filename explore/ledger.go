package explore

import "math/bits"

// counts has a number for each shard.
type counts [shards]uint32

// A ledger says, for a series of buckets, how much each shard has of each.
// There can be millions of buckets with a state or two, so only the shards
// that have any are written down.
type ledger struct {
	rows  []row
	sizes []uint32
}

type row struct {
	cost   cost
	states uint64
	in     uint64 // set of shards that have some
	first  int    // in sizes: one for each member of the set, ascending
}

// add writes what came between two readings of the shards' counts, if
// anything did.
func (l *ledger) add(c cost, before, after *counts) {
	r := row{cost: c, first: len(l.sizes)}
	for s := range after {
		if n := after[s] - before[s]; n != 0 {
			r.in |= 1 << s
			r.states += uint64(n)
			l.sizes = append(l.sizes, n)
		}
	}
	if r.in != 0 {
		l.rows = append(l.rows, r)
	}
}

// of returns what each shard has of row i.
func (l *ledger) of(i int) (c counts) {
	r := l.rows[i]
	for k, in := r.first, r.in; in != 0; in &= in - 1 {
		c[bits.TrailingZeros64(in)] = l.sizes[k]
		k++
	}
	return c
}

// drop forgets the first n rows.
func (l *ledger) drop(n int) {
	if n == len(l.rows) {
		l.rows, l.sizes = l.rows[:0], l.sizes[:0]
		return
	}
	base := l.rows[n].first
	l.sizes = append(l.sizes[:0], l.sizes[base:]...)
	l.rows = append(l.rows[:0], l.rows[n:]...)
	for i := range l.rows {
		l.rows[i].first -= base
	}
}
