package explore

import "unsafe"

// A queue keeps candidates that must wait for their bucket: a list of records, first
// in, first out, in chunks. Chunks that were read are used again, the latest first: it is
// the most likely to be in the cache. Half of them are, when all was read: the memory of
// the others is for what comes of the candidates.
type queue struct {
	record int // words a record
	chunks [][]uint64
	head   int // words of the first chunk that were popped
	pushed uint32
	size   int64      // words in chunks and spares
	spares [][]uint64 // empty chunks
}

const (
	firstQueue = 32   // records in a queue's first chunk
	queueChunk = 1024 // and at most in any
)

func (q *queue) push(words unsafe.Pointer, meta uint64) {
	last := len(q.chunks) - 1
	if last < 0 || len(q.chunks[last]) == cap(q.chunks[last]) {
		q.chunks = append(q.chunks, q.empty())
		last++
	}
	c, k := &q.chunks[last], 0
	n := len(*c)
	*c = (*c)[:n+q.record]
	r := unsafe.Add(unsafe.Pointer(unsafe.SliceData(*c)), 8*n)
	for ; k < q.record-1; k++ {
		*(*uint64)(unsafe.Add(r, 8*k)) = *(*uint64)(unsafe.Add(words, 8*k))
	}
	*(*uint64)(unsafe.Add(r, 8*k)) = meta
	q.pushed++
}

// empty is a chunk without records.
func (q *queue) empty() (c []uint64) {
	if n := len(q.spares); n > 0 {
		c, q.spares = q.spares[n-1], q.spares[:n-1]
		return c
	}
	c = make([]uint64, 0, q.record*min(queueChunk, firstQueue<<min(len(q.chunks), 10)))
	q.size += int64(cap(c))
	return c
}

// pop takes up to n records, all in one piece of memory that is good until
// the next push, and says how many it took.
func (q *queue) pop(n uint32) ([]uint64, uint32) {
	first := q.chunks[0][q.head:]
	took := min(n, uint32(len(first)/q.record))
	words := int(took) * q.record
	if q.head += words; q.head == cap(q.chunks[0]) || len(q.chunks) == 1 && words == len(first) {
		empty := q.chunks[0][:0]
		q.chunks, q.head = append(q.chunks[:0], q.chunks[1:]...), 0
		if len(q.spares) <= len(q.chunks) {
			q.spares = append(q.spares, empty)
		} else {
			q.size -= int64(cap(empty))
		}
	}
	return first[:words], took
}

func (q *queue) bytes() int64 { return 8 * q.size }
