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

// TestQueueUsesAgain: of the chunks of a queue that was filled and emptied half are kept,
// and are the first to be filled again; the memory of the others is not counted any more.
func TestQueueUsesAgain(t *testing.T) {
	const records = 12_345
	q, words := queue{record: 3}, [2]uint64{1, 2}
	fill := func() {
		for i := range uint64(records) {
			q.push(unsafe.Pointer(&words), i)
		}
	}
	fill()
	full := len(q.chunks)
	for left := uint32(records); left > 0; {
		_, took := q.pop(left)
		left -= took
		checkQueueMemory(t, &q)
	}
	kept := len(q.spares)
	if len(q.chunks) > 0 || full < 12 || kept != (full+1)/2 {
		t.Fatalf("of %d chunks %d are left and %d are kept", full, len(q.chunks), kept)
	}
	again := map[*uint64]bool{}
	for _, c := range q.spares {
		again[unsafe.SliceData(c)] = true
	}
	last := unsafe.SliceData(q.spares[kept-1])
	fill()
	checkQueueMemory(t, &q)
	if unsafe.SliceData(q.chunks[0]) != last {
		t.Error("the chunk that was kept last is not the first to be filled again")
	}
	for i, c := range q.chunks {
		if again[unsafe.SliceData(c)] != (i < kept) {
			t.Errorf("chunk %d of %d: it was there before: %v; %d were kept", i, len(q.chunks), i >= kept, kept)
		}
	}
}
