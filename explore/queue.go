package explore

// A queue keeps candidates that must wait for their bucket: a list of
// records, first in, first out, in chunks that are dropped once read.
type queue struct {
	record int // words a record
	chunks [][]uint64
	head   int // words of the first chunk that were popped
	pushed uint32
	size   int64 // words in chunks
	spare  []uint64
}

const (
	firstQueue = 32   // records in a queue's first chunk
	queueChunk = 1024 // and at most in any
)

func (q *queue) push(words []uint64, meta uint64) {
	last := len(q.chunks) - 1
	if last < 0 || len(q.chunks[last]) == cap(q.chunks[last]) {
		c := q.spare
		if q.spare = nil; c == nil {
			c = make([]uint64, 0, q.record*min(queueChunk, firstQueue<<min(last+1, 10)))
			q.size += int64(cap(c))
		}
		q.chunks = append(q.chunks, c)
		last++
	}
	q.chunks[last] = append(append(q.chunks[last], words...), meta)
	q.pushed++
}

// pop takes up to n records, all in one piece of memory that is good until
// the next push, and says how many it took.
func (q *queue) pop(n uint32) ([]uint64, uint32) {
	first := q.chunks[0][q.head:]
	took := min(n, uint32(len(first)/q.record))
	words := int(took) * q.record
	if q.head += words; q.head == cap(q.chunks[0]) || len(q.chunks) == 1 && words == len(first) {
		if q.spare != nil {
			q.size -= int64(cap(q.spare))
		}
		q.spare, q.head = q.chunks[0][:0], 0
		q.chunks[0] = nil
		if q.chunks = q.chunks[1:]; len(q.chunks) == 0 {
			q.chunks = nil
		}
	}
	return first[:words], took
}

func (q *queue) bytes() int64 { return 8 * q.size }
