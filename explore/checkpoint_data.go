package explore

import (
	"math/bits"
	"unsafe"
)

// A file of data has, all numbers little-endian:
//
//	magic
//	arenas   for each shard: how many states there were before, and how many
//	         come now; their words; their parents
//	ledger   how many rows come now; for each its cost, its set of shards, and
//	         its sizes
//	held     for each shard: how many candidates were ever held back before
//	         those that come now, and how many come; their words and parents
//	beside   how many pieces come now; for each its length and its bytes
//	last     what changes from border to border and is small: see lastPart
//
// The last part of the last file is the one that counts.
const dataMagic = "dlcheck\x00"

// markNow is how far the search has come.
func (x *search) markNow() (m savedMark) {
	for i := range x.shards {
		m.states[i], m.pushed[i] = x.shards[i].n, x.shards[i].held.pushed
	}
	m.rows, m.expanded = len(x.rows), x.expanded
	return m
}

// encode writes what has come since a mark, and gives the next.
func (x *search) encode(e *encoder, m savedMark, beside [][]byte) savedMark {
	e.buf = append(e.buf, dataMagic...)
	for i := range x.shards {
		s := &x.shards[i]
		e.u32(m.states[i])
		e.u32(s.n - m.states[i])
		for k := m.states[i]; k < s.n; k++ {
			e.words(s.at(k))
		}
		for k := m.states[i]; k < s.n; k++ {
			e.u32(uint32(s.parent(k)))
		}
	}
	x.encodeRows(e, &x.ledger, m.rows)
	for i := range x.shards {
		q := &x.shards[i].held
		skip := m.pushed[i] - q.popped() // of those that wait: they were written before
		if skip > q.waiting() {
			skip = 0 // they were not, and others are gone
		}
		e.u32(q.popped() + skip)
		e.u32(q.waiting() - skip)
		q.each(func(r []uint64) {
			if skip > 0 {
				skip--
				return
			}
			e.words(r[:x.width])
			e.u32(uint32(r[x.width]))
		})
	}
	e.u64(uint64(len(beside)))
	for _, b := range beside {
		e.bytes(b)
	}
	x.encodeLast(e)
	return x.markNow()
}

// lastPart is what a search is at a border beside its arenas, its ledger, what is
// held back, and what follows from those.
type lastPart struct {
	now, open             cost
	expanded, transitions uint64
	complete              cost
	any                   uint32
	next                  uint64 // row of the ledger
	first, slices         uint64 // of the bucket in expansion; first is 0 between buckets
	found                 findings
	held                  ledger // rows that wait
	later                 fate
	passed                uint64
	asked, kept           counts
	logged                counts
	queues                [shards]queueShape
}

func (x *search) encodeRows(e *encoder, l *ledger, from int) {
	e.u64(uint64(len(l.rows) - from))
	for i := from; i < len(l.rows); i++ {
		r := l.rows[i]
		e.u64(uint64(r.cost))
		e.u64(r.in)
		for k := range bits.OnesCount64(r.in) {
			e.u32(l.sizes[r.first+k])
		}
	}
}

// decodeRows appends rows to a ledger.
func (d *decoder) decodeRows(l *ledger) {
	n := d.u64()
	for range n {
		if !d.fits(1, 20) {
			return
		}
		r := row{cost: cost(d.u64()), in: d.u64(), first: len(l.sizes)}
		for range bits.OnesCount64(r.in) {
			size := d.u32()
			if d.ok() && size == 0 {
				d.fail("a row of its ledger has an empty place")
			}
			r.states += uint64(size)
			l.sizes = append(l.sizes, size)
		}
		if last := len(l.rows) - 1; d.ok() && (r.in == 0 || last >= 0 && r.cost <= l.rows[last].cost || beyond(r.cost)) {
			d.fail("the rows of its ledger are in no order")
		}
		l.rows = append(l.rows, r)
	}
}

func (x *search) encodeLast(e *encoder) {
	e.u64(uint64(x.now))
	e.u64(uint64(x.open))
	e.u64(x.expanded)
	e.u64(x.transitions)
	e.u64(uint64(x.complete))
	any := uint32(0)
	if x.any {
		any = 1
	}
	e.u32(any)
	e.u64(uint64(x.next))
	e.u64(uint64(x.first))
	e.u64(uint64(x.bucket.slices))
	e.u64(uint64(x.found.found))
	e.u64(uint64(x.found.final))
	for m := x.found.found; m != 0; m &= m - 1 {
		f := &x.found.list[bits.TrailingZeros64(uint64(m))]
		e.u64(uint64(f.cost))
		e.u32(uint32(f.from))
		e.words(f.to)
	}
	x.encodeRows(e, &x.held, x.due)
	e.u32(uint32(x.later))
	e.u64(uint64(x.passed))
	for i := range x.shards {
		shape := x.shards[i].held.shape()
		e.u32(shape.pushed)
		e.u32(shape.popped)
		e.u32(shape.head)
		e.u32(x.logged[i])
		e.u32(x.shards[i].asked)
		e.u32(x.shards[i].kept)
		for _, list := range [][]uint32{shape.caps, shape.spares} {
			e.u64(uint64(len(list)))
			for _, c := range list {
				e.u32(c)
			}
		}
	}
}

func (d *decoder) decodeLast(width int) (p lastPart) {
	p.now, p.open = cost(d.u64()), cost(d.u64())
	p.expanded, p.transitions = d.u64(), d.u64()
	p.complete, p.any = cost(d.u64()), d.u32()
	p.next, p.first, p.slices = d.u64(), d.u64(), d.u64()
	p.found.found, p.found.final = Note(d.u64()), Note(d.u64())
	if p.found.found&Slow != 0 || p.found.final&^p.found.found != 0 {
		d.fail("its findings contradict each other")
	}
	for m := p.found.found; m != 0 && d.ok(); m &= m - 1 {
		f := &p.found.list[bits.TrailingZeros64(uint64(m))]
		f.cost, f.from, f.to = cost(d.u64()), ID(d.u32()), make([]uint64, width)
		d.words(f.to)
	}
	d.decodeRows(&p.held)
	p.later, p.passed = fate(d.u32()), d.u64()
	if p.later != sifted && p.later != kept {
		d.fail("it does not know what to do with what it holds back")
	}
	for i := range p.queues {
		q := &p.queues[i]
		q.pushed, q.popped, q.head, p.logged[i] = d.u32(), d.u32(), d.u32(), d.u32()
		p.asked[i], p.kept[i] = d.u32(), d.u32()
		for _, list := range []*[]uint32{&q.caps, &q.spares} {
			n := d.u64()
			if !d.fits(n, 4) {
				return p
			}
			for range n {
				*list = append(*list, d.u32())
			}
		}
	}
	if d.ok() && d.left > 0 {
		d.fail("it goes on after its end")
	}
	return p
}

// decode takes up what a file has. Of the candidates that were held back it keeps
// all, in queues that have not their shape yet: only the last file says which of
// them still wait.
func (x *search) decode(d *decoder) (last lastPart, beside [][]byte) {
	magic := make([]byte, len(dataMagic))
	if d.take(magic); string(magic) != dataMagic {
		d.fail("it does not begin as data does")
		return last, nil
	}
	for i := range x.shards {
		x.decodeArena(d, uint32(i))
	}
	if !d.ok() {
		return last, nil
	}
	d.decodeRows(&x.ledger)
	for i := range x.shards {
		x.decodeHeld(d, uint32(i))
	}
	for n := d.u64(); n > 0 && d.fits(n, 8); n-- {
		beside = append(beside, d.bytes())
	}
	last = d.decodeLast(x.width)
	return last, beside
}

// decodeArena appends states to a shard. Its table has to wait until the ledger is
// whole: see fillTables.
func (x *search) decodeArena(d *decoder, shard uint32) {
	s := &x.shards[shard]
	before, n := d.u32(), d.u32()
	if d.ok() && before != s.n {
		d.fail("states are missing before its own")
	}
	if d.ok() && n > s.most-s.n {
		d.fail("it has more states than there can be")
	}
	if n == 0 || !d.fits(uint64(n), 8*x.width+4) {
		return
	}
	// The parents come after all words, so the words have to wait for them.
	words := grown(&d.states, int(n)*x.width)
	d.words(words)
	for range n {
		state, parent := words[:x.width], ID(d.u32())
		if d.ok() && owner(hash(state)) != uint64(shard) {
			d.fail("a state lies in the wrong shard")
		}
		if !d.ok() {
			return
		}
		s.add(unsafe.Pointer(unsafe.SliceData(state)), parent)
		words = words[x.width:]
	}
}

// decodeHeld takes up candidates of a shard.
func (x *search) decodeHeld(d *decoder, shard uint32) {
	q := &x.resuming[shard]
	before, n := d.u32(), d.u32()
	if !d.fits(uint64(n), 8*x.width+4) {
		return
	}
	// What was popped before it could be saved is missing.
	if before-q.next > 1<<31 {
		d.fail("candidates come twice")
		return
	}
	if before != q.next {
		q.records, q.from = nil, before
	}
	q.next = before + n
	record := make([]uint64, x.width+1)
	for range n {
		d.words(record[:x.width])
		h := hash(record[:x.width])
		record[x.width] = meta(h, ID(d.u32()))
		if d.ok() && owner(h) != uint64(shard) {
			d.fail("a candidate waits in the wrong shard")
		}
		if !d.ok() {
			return
		}
		q.records = append(q.records, record...)
	}
}
