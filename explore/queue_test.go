package explore

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"
)

// slowQueue is a queue as one would write it down: what waits, in order.
type slowQueue [][]uint64

// TestQueue pushes and pops at random, ever more and ever less: what comes out went in, in
// order, in pieces that are not empty, and what is counted is what all chunks take.
func TestQueue(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 12))
	var spares, partly, whole int
	for _, width := range []int{1, 2, 3, 5} {
		for range 20 {
			q, n := queue{record: width + 1}, uint64(0)
			var twin slowQueue
			for range 40 {
				for range r.IntN([]int{20, 200, 5000}[r.IntN(3)]) {
					record := make([]uint64, width+1)
					for k := range record {
						record[k] = n<<8 | uint64(k)
					}
					q.push(unsafe.Pointer(&record[0]), record[width])
					twin = append(twin, record)
					n++
				}
				left := uint32(r.IntN(len(twin) + 1))
				if r.IntN(3) == 0 {
					left = uint32(len(twin))
				}
				for left > 0 {
					words, took := q.pop(left)
					if took == 0 || took > left || !slices.Equal(words, slices.Concat(twin[:took]...)) {
						t.Fatalf("%d words: %d records of %d come out, and they are not what went in", width, took, left)
					}
					twin, left = twin[took:], left-took
				}
				if uint64(q.pushed) != n || int(q.waiting()) != len(twin) {
					t.Fatalf("%d pushed, %d wait, want %d, %d", q.pushed, q.waiting(), n, len(twin))
				}
				checkQueueMemory(t, &q)
				if spares += len(q.spares); len(twin) == 0 {
					whole++
				} else if q.head > 0 {
					partly++
				}
			}
		}
	}
	if spares == 0 || whole == 0 || partly == 0 {
		t.Errorf("%d spares, %d queues were empty, and of %d a chunk was read in part: it was not tried", spares, whole, partly)
	}
}

// checkQueueMemory counts all chunks, of which none may be there twice, and those that
// are to be used again must be empty.
func checkQueueMemory(t *testing.T, q *queue) {
	t.Helper()
	words, seen := 0, map[*uint64]bool{}
	for _, c := range slices.Concat(q.chunks, q.spares) {
		at := unsafe.SliceData(c)
		if seen[at] {
			t.Fatal("a chunk is there twice")
		}
		seen[at] = true
		words += cap(c)
	}
	if q.size != int64(words) || q.bytes() != 8*int64(words) {
		t.Fatalf("%d words are counted, and there are %d", q.size, words)
	}
	for _, c := range q.spares {
		if len(c) > 0 {
			t.Fatalf("a spare chunk has %d words", len(c))
		}
	}
}

// TestQueueUsesAgain: who was filled once and emptied is filled again without memory of
// its own, the chunk that was read last first.
func TestQueueUsesAgain(t *testing.T) {
	const records = 12_345
	q, words := queue{record: 3}, [2]uint64{1, 2}
	fill := func() {
		for i := range uint64(records) {
			q.push(unsafe.Pointer(&words), i)
		}
	}
	empty := func() {
		for left := uint32(records); left > 0; {
			_, took := q.pop(left)
			left -= took
		}
	}
	fill()
	size := q.size
	last := unsafe.SliceData(q.chunks[len(q.chunks)-1])
	empty()
	if len(q.chunks) > 0 || q.size != size || size < 3*records {
		t.Fatalf("%d chunks are left, %d words are counted, before %d", len(q.chunks), q.size, size)
	}
	q.push(unsafe.Pointer(&words), 0)
	if unsafe.SliceData(q.chunks[0]) != last {
		t.Error("the chunk that was read last is not the first to be used again")
	}
	q.pop(1)
	if n := testing.AllocsPerRun(3, func() { fill(); empty() }); n > 0 || q.size != size {
		t.Errorf("%.0f allocations, and %d words, to fill it again; before %d words", n, q.size, size)
	}
	checkQueueMemory(t, &q)
}
