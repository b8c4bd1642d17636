package explore

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestPick: of candidates of each width, those that are picked come to the part that their
// shard is in, in order, with their hash and their parent; and nothing else does.
func TestPick(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 17))
	for width := 1; width <= 5; width++ {
		for _, parts := range []int{1, 4, 8, 28, shards} {
			p := newParted(width, parts)
			type candidate struct {
				words  []uint64
				hash   uint64
				parent ID
			}
			twin := make([][]candidate, parts)
			for range 3 { // what was picked before stays
				c := candidates{width: width}
				var picked []uint32
				for i := range 500 {
					for range width {
						c.words = append(c.words, r.Uint64()>>r.IntN(64))
					}
					c.parents = append(c.parents, ID(r.Uint32()))
					if r.IntN(3) > 0 {
						picked = append(picked, uint32(i))
					}
				}
				c.hash()
				if len(c.hashes) != 500 {
					t.Fatalf("%d words: %d hashes of 500 states", width, len(c.hashes))
				}
				r.Shuffle(len(picked), func(i, j int) { picked[i], picked[j] = picked[j], picked[i] })
				for _, i := range picked {
					words := c.words[int(i)*width:][:width]
					h := hash(words)
					part := int(h>>(64-shardBits)) * parts / shards
					twin[part] = append(twin[part], candidate{slices.Clone(words), h, c.parents[i]})
				}
				p.pick(&c, picked)
			}
			for part, want := range twin {
				var got []candidate
				for i, h := range p[part].hashes {
					got = append(got, candidate{p[part].state(i), h, p[part].parents[i]})
				}
				if !slices.EqualFunc(got, want, func(a, b candidate) bool {
					return slices.Equal(a.words, b.words) && a.hash == b.hash && a.parent == b.parent
				}) || len(p[part].words) != width*len(want) || len(p[part].parents) != len(want) {
					t.Fatalf("%d words, part %d of %d: %v, want %v", width, part, parts, got, want)
				}
				if len(want) == 0 {
					t.Errorf("%d words: nothing for part %d of %d", width, part, parts)
				}
			}
			if bytes := p.bytes(); bytes < int64(1000*(8*width+8+4)) {
				t.Errorf("%d words: about a thousand were picked, in %d bytes", width, bytes)
			}
			p.reset()
			if slices.ContainsFunc(p, func(c candidates) bool { return len(c.words)+len(c.hashes)+len(c.parents) > 0 }) {
				t.Error("something is left")
			}
		}
	}
}
