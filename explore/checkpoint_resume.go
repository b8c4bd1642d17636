package explore

import (
	"math/bits"
)

// heldBack are candidates of a shard in the order in which they were held back:
// those with the numbers from to next.
type heldBack struct {
	records    []uint64
	from, next uint32
}

// resume makes the search what it was at the border where it was saved, when all
// files are taken up. It says what is wrong, or "".
func (x *search) resume(p *lastPart, closed bool) string {
	x.now, x.open, x.complete, x.any = p.now, p.open, p.complete, p.any != 0
	x.expanded, x.transitions, x.found, x.held = p.expanded, p.transitions, p.found, p.held
	x.saver.closed = closed
	x.later, x.passed = p.later, int(p.passed)
	if x.dated && x.later != kept {
		return "it looks up what it holds back, and none of that can be known"
	}
	for i := range x.shards {
		x.shards[i].asked, x.shards[i].kept = p.asked[i], p.kept[i]
	}

	var sum [shards]uint64
	if p.next > uint64(len(x.rows)) || p.next == 0 || p.slices == 0 || p.first >= p.slices || p.slices > x.rows[p.next-1].states ||
		p.expanded == 0 || p.transitions > 1<<56 || beyond(p.open) {
		return "it stands at no border"
	}
	x.next, x.first, x.bucket.slices = int(p.next), int(p.first), int(p.slices)
	var expanded, last uint64
	for i := range x.rows {
		if i == x.next-1 {
			x.bucket.from = narrow(&sum)
		}
		for s, n := range x.of(i) {
			sum[s] += uint64(n)
		}
		if i == x.next-1 {
			x.bucket.to = narrow(&sum)
		}
		if i < x.next {
			expanded += x.rows[i].states
			last = x.rows[i].states
		}
	}
	for s := range sum {
		if sum[s] > uint64(x.shards[s].n) || x.rows[len(x.rows)-1].cost >= x.open && sum[s] != uint64(x.shards[s].n) {
			return "its ledger has other states than its arenas"
		}
	}
	if x.sealed = narrow(&sum); x.rows[x.next-1].cost != x.now || x.first == 0 && x.expanded != expanded ||
		x.first > 0 && (x.expanded > expanded || x.expanded < expanded-last) {
		return "its ledger and its counts differ"
	}
	if wrong := x.checkParents(); wrong != "" {
		return wrong
	}
	if wrong := x.fillTables(); wrong != "" {
		return wrong
	}
	return x.resumeQueues(p)
}

// beyond says that no path costs so much.
func beyond(c cost) bool { return c.p() >= 1<<31 || c.q() >= 1<<31 }

func narrow(wide *[shards]uint64) (c counts) {
	for s, n := range wide {
		c[s] = uint32(min(n, maxStates))
	}
	return c
}

// fillTables puts the states into the tables, in the order in which they were found.
// In a dated search those of each P go through the tables too, as they did then: so the
// tables come to be as large as they were, and no P has a state twice.
func (x *search) fillTables() string {
	const twice = "it has a state twice"
	all := x.counts()
	defer func() {
		for s := range x.shards {
			x.shards[s].n = all[s]
		}
	}()
	for s := range x.shards {
		x.shards[s].n = 0
	}
	if x.dated {
		var to counts
		last := len(x.rows) - 1
		if p := x.open.p(); p != x.now.p() || p != x.rows[last].cost.p() {
			return "it stands at no border"
		}
		for i, r := range x.rows[:last] {
			for s, n := range x.of(i) {
				to[s] += n
			}
			if r.cost.p() == x.rows[i+1].cost.p() {
				continue
			}
			if !x.again(&to) {
				return twice
			}
			for s := range x.shards {
				x.shards[s].begin()
			}
		}
	}
	if !x.again(&all) {
		return twice
	}
	return ""
}

// again puts states of the arenas into the tables.
func (x *search) again(to *counts) bool {
	for s := range x.shards {
		if !x.shards[s].again(to[s]) {
			return false
		}
	}
	return true
}

// checkParents sees that each parent is of a bucket before that of its child, so
// that every path has an end, and that findings leave states that are there.
func (x *search) checkParents() string {
	var from, to counts
	for i := 0; i <= len(x.rows); i++ {
		if i < len(x.rows) {
			for s, n := range x.of(i) {
				to[s] += n
			}
		} else { // those that are in no bucket of the ledger yet
			for s := range to {
				to[s] = x.shards[s].n
			}
		}
		for s := range to {
			for k := from[s]; k < to[s]; k++ {
				p := x.shards[s].parent(k)
				if p != None && uint32(p>>shardBits) >= from[p%shards] {
					return "a parent comes after its child"
				}
			}
		}
		from = to
	}
	for m := x.found.found; m != 0; m &= m - 1 {
		f := &x.found.list[bits.TrailingZeros64(uint64(m))]
		if f.from != None && uint32(f.from>>shardBits) >= x.shards[f.from%shards].n {
			return "a finding leaves a state that is not there"
		}
	}
	return ""
}

// resumeQueues gives what is held back its shape again: what is taken from the
// memory that a search is given must be what it was.
func (x *search) resumeQueues(p *lastPart) string {
	var due [shards]uint64
	for i := range x.held.rows {
		for s, n := range x.held.of(i) {
			due[s] += uint64(n)
		}
	}
	for s := range x.shards {
		h, shape := &x.resuming[s], &p.queues[s]
		waiting := shape.pushed - shape.popped
		if h.next != shape.pushed && waiting > 0 || waiting > 0 && shape.popped-h.from > h.next-h.from || due[s] != uint64(p.logged[s]-shape.popped) || due[s] > uint64(waiting) || x.first == 0 && due[s] < uint64(waiting) {
			return "what it holds back is not what waits"
		}
		var records []uint64
		if waiting > 0 {
			records = h.records[int(shape.popped-h.from)*(x.width+1):]
		}
		q, ok := shape.queue(records, x.width+1)
		if !ok {
			return "what it holds back has no shape"
		}
		x.shards[s].held = q
		x.logged[s] = p.logged[s]
		for k := x.width; k < len(records); k += x.width + 1 {
			parent := ID(records[k])
			if parent != None && uint32(parent>>shardBits) >= x.shards[parent%shards].n {
				return "what it holds back has a parent that is not there"
			}
		}
		*h = heldBack{}
	}
	return ""
}
