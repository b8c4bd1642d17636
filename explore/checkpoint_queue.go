package explore

// A queue is saved by its records and its shape: how they lie in chunks shows in
// the memory that it takes.

// queueShape is a queue without its records; all are counts of records.
type queueShape struct {
	pushed, popped uint32
	head           uint32   // of the first chunk that were popped
	caps           []uint32 // of the chunks
	spares         []uint32 // of those that are kept to be used again
}

// waiting is how many records were pushed and not popped.
func (q *queue) waiting() uint32 {
	words := -q.head
	for _, c := range q.chunks {
		words += len(c)
	}
	return uint32(words / q.record)
}

func (q *queue) popped() uint32 { return q.pushed - q.waiting() }

// each yields the records that wait, in order.
func (q *queue) each(see func(record []uint64)) {
	head := q.head
	for _, c := range q.chunks {
		for c = c[head:]; len(c) > 0; c = c[q.record:] {
			see(c[:q.record])
		}
		head = 0
	}
}

func (q *queue) shape() queueShape {
	s := queueShape{pushed: q.pushed, popped: q.popped(), head: uint32(q.head / q.record)}
	for _, c := range q.chunks {
		s.caps = append(s.caps, uint32(cap(c)/q.record))
	}
	for _, c := range q.spares {
		s.spares = append(s.spares, uint32(cap(c)/q.record))
	}
	return s
}

// queue makes a queue of that shape. It is false if the records do not fit it.
func (s *queueShape) queue(records []uint64, record int) (queue, bool) {
	q := queue{record: record, pushed: s.pushed, head: int(s.head) * record}
	room := func(n uint32) []uint64 {
		q.size += int64(n) * int64(record)
		return make([]uint64, 0, int(n)*record)
	}
	spare := uint64(0)
	for _, n := range s.spares {
		// Spare chunks have had records, all of them at a time.
		if spare += uint64(n); n == 0 || n > queueChunk || spare > uint64(s.pushed)+queueChunk {
			return q, false
		}
		q.spares = append(q.spares, room(n))
	}
	left := s.head
	for i, n := range s.caps {
		if n == 0 || n > queueChunk || i == 0 && s.head >= n {
			return q, false
		}
		c := room(n)
		c = append(c, make([]uint64, int(left)*record)...) // popped
		take := min(len(records), cap(c)-len(c))
		if c = append(c, records[:take]...); take == 0 || i < len(s.caps)-1 && len(c) < cap(c) {
			return q, false
		}
		records, left = records[take:], 0
		q.chunks = append(q.chunks, c)
	}
	return q, len(records) == 0 && (len(s.caps) > 0 || s.head == 0)
}
