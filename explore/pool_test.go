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

// What a table has outgrown is used again, be it that what is asked for next does
// not fit into it: a table gives back half of what it takes.
func TestPoolUsesAgain(t *testing.T) {
	t.Parallel()
	var p pool
	first := p.take(1 << 14)
	p.give(first)
	p.take(1 << 15)
	if again := p.take(1 << 13); &again[0] != &first[0] {
		t.Error("what was given back is lost once something larger was asked for")
	}
	if rest := p.take(1 << 13); &rest[0] != &first[1<<13] {
		t.Error("the rest of what was given back is lost")
	}
}

// counting is a system of n states in a row.
type counting struct{ n uint64 }

func (counting) Words() int       { return 1 }
func (counting) Init(out *Batch)  { out.Add(0, 0) }
func (c counting) Worker() Worker { return c }
func (c counting) Next(s []uint64, out *Batch) {
	for next := 8*s[0] + 1; next <= 8*s[0]+8 && next < c.n; next++ {
		out.Add(0, next)
	}
}

// TestPoolHoldsWhatIsCounted compares what a search says it takes, which is what
// Options.MaxBytes is about, with the memory that was asked for it. Tables that were
// outgrown are as large as those that are used.
func TestPoolHoldsWhatIsCounted(t *testing.T) {
	t.Parallel()
	g, err := Run(t.Context(), counting{1_500_000}, Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	taken, counted := int64(8*g.shards[0].pool.taken), g.Bytes()-4*int64(g.States())
	if most := counted + counted/5; taken > most {
		t.Errorf("%d states without their parents are said to take %d bytes, and their pool has %d", g.States(), counted, taken)
	}
}
