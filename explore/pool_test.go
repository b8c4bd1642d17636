package explore

import (
	"math/rand/v2"
	"testing"
)

// TestPool: no word is handed out twice as long as it is not given back, and little
// is lost.
func TestPool(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	var p pool
	var held [][]uint64
	used := 0
	for n := range 4000 {
		if k := len(held); k > 0 && r.IntN(8) == 0 {
			i := r.IntN(k)
			p.give(held[i])
			used -= len(held[i])
			held[i] = held[k-1]
			held = held[:k-1]
			continue
		}
		words := chunkLen * []int{1, 2, 2, 2, 2, 16}[r.IntN(6)]
		piece := p.take(words)
		if len(piece) != words || cap(piece) != words {
			t.Fatalf("%d words of %d asked for", len(piece), words)
		}
		for i := range piece {
			piece[i] = uint64(n)<<32 | uint64(i)
		}
		held, used = append(held, piece), used+words
	}
	for _, piece := range held {
		n := piece[0] >> 32
		for i, x := range piece {
			if x != n<<32|uint64(i) {
				t.Fatalf("word %d of piece %d was handed out again", i, n)
			}
		}
	}
	if p.taken > used*4/3 {
		t.Errorf("%d words taken for %d", p.taken, used)
	}
}
