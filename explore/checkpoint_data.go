package explore

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"math/bits"
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

// encoder writes numbers, many at once.
type encoder struct {
	w   io.Writer
	buf []byte
	err error
}

func (e *encoder) room() {
	if len(e.buf) >= 1<<15 {
		e.flush()
	}
}

func (e *encoder) flush() {
	if e.err == nil {
		_, e.err = e.w.Write(e.buf)
	}
	e.buf = e.buf[:0]
}

func (e *encoder) u32(n uint32) {
	e.buf = binary.LittleEndian.AppendUint32(e.buf, n)
	e.room()
}

func (e *encoder) u64(n uint64) {
	e.buf = binary.LittleEndian.AppendUint64(e.buf, n)
	e.room()
}

func (e *encoder) words(words []uint64) {
	for _, w := range words {
		e.buf = binary.LittleEndian.AppendUint64(e.buf, w)
	}
	e.room()
}

func (e *encoder) bytes(b []byte) {
	e.u64(uint64(len(b)))
	e.flush()
	if e.err == nil {
		_, e.err = e.w.Write(b)
	}
}

func (e *encoder) end() error {
	e.flush()
	return e.err
}

// decoder reads them, from a file that may hold anything. After the first thing that
// is wrong it gives zeros. It never believes a length that the file is too short for.
type decoder struct {
	r     *bufio.Reader
	left  int64 // bytes of the file
	buf   [8]byte
	raw   [1 << 12]byte
	wrong string
	read  error // that the file gave

	states []uint64 // memory of decodeArena
}

func (d *decoder) ok() bool { return d.wrong == "" && d.read == nil }

func (d *decoder) fail(wrong string) {
	if d.ok() {
		d.wrong = wrong
	}
}

// fits says whether n things of so many bytes can still come.
func (d *decoder) fits(n uint64, each int) bool {
	if d.ok() && n > uint64(d.left)/uint64(each) {
		d.fail("it ends too soon")
	}
	return d.ok()
}

func (d *decoder) take(b []byte) bool {
	if !d.fits(uint64(len(b)), 1) {
		clear(b)
		return false
	}
	if _, err := io.ReadFull(d.r, b); err != nil {
		if d.read = err; errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			d.read, d.wrong = nil, "it ends too soon"
		}
		clear(b)
		return false
	}
	d.left -= int64(len(b))
	return true
}

func (d *decoder) u32() uint32 {
	d.take(d.buf[:4])
	return binary.LittleEndian.Uint32(d.buf[:4])
}

func (d *decoder) u64() uint64 {
	d.take(d.buf[:8])
	return binary.LittleEndian.Uint64(d.buf[:8])
}

func (d *decoder) words(words []uint64) {
	for len(words) > 0 {
		b := d.raw[:min(len(d.raw), 8*len(words))]
		if !d.take(b) {
			return
		}
		for ; len(b) > 0; b = b[8:] {
			words[0] = binary.LittleEndian.Uint64(b)
			words = words[1:]
		}
	}
}

func (d *decoder) bytes() []byte {
	n := d.u64()
	if !d.fits(n, 1) {
		return nil
	}
	b := make([]byte, n)
	d.take(b)
	return b
}

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
		e.u32(shape.spare)
		e.u32(x.logged[i])
		e.u32(x.shards[i].asked)
		e.u32(x.shards[i].kept)
		e.u64(uint64(len(shape.caps)))
		for _, c := range shape.caps {
			e.u32(c)
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
		q.pushed, q.popped, q.head, q.spare, p.logged[i] = d.u32(), d.u32(), d.u32(), d.u32(), d.u32()
		p.asked[i], p.kept[i] = d.u32(), d.u32()
		n := d.u64()
		if !d.fits(n, 4) {
			return p
		}
		for range n {
			q.caps = append(q.caps, d.u32())
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

// decodeArena puts states into a shard as the search did.
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
	const batch = 1 << 10
	w := &x.workers[0]
	for left := n; left > 0; {
		part := min(left, batch)
		w.inbox.reset()
		for range part {
			state := words[:x.width]
			h := hash(state)
			w.inbox.add(state, h, ID(d.u32()))
			if d.ok() && owner(h) != uint64(shard) {
				d.fail("a state lies in the wrong shard")
			}
			words = words[x.width:]
		}
		if !d.ok() {
			return
		}
		was := s.n
		if w.settle(x.shards, &w.inbox, due); s.n != was+part {
			d.fail("it has a state twice")
			return
		}
		left -= part
	}
}

// grown is memory that is used again, of that length.
func grown(b *[]uint64, n int) []uint64 {
	if cap(*b) < n {
		*b = make([]uint64, n)
	}
	return (*b)[:n]
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
