package explore

// Candidates are states on their way into the visited set, each with its hash and
// its parent.
type candidates struct {
	width   int
	words   []uint64 // width words a state
	hashes  []uint64
	parents []ID
}

func (c *candidates) reset() {
	c.words, c.hashes, c.parents = c.words[:0], c.hashes[:0], c.parents[:0]
}

func (c *candidates) state(i int) []uint64 {
	return c.words[i*c.width : (i+1)*c.width : (i+1)*c.width]
}

func (c *candidates) add(words []uint64, hash uint64, parent ID) {
	c.words = append(c.words, words...)
	c.hashes = append(c.hashes, hash)
	c.parents = append(c.parents, parent)
}

// hash hashes all of them. In one loop the multiplications of one state need not
// wait for those of the other.
func (c *candidates) hash() {
	c.hashes = c.hashes[:0]
	switch words := c.words; c.width {
	case 1:
		for _, w := range words {
			c.hashes = append(c.hashes, hash1(w))
		}
	case 2:
		for ; len(words) >= 2; words = words[2:] {
			c.hashes = append(c.hashes, hash2(words[0], words[1]))
		}
	default:
		for ; len(words) > 0; words = words[c.width:] {
			c.hashes = append(c.hashes, hash(words[:c.width]))
		}
	}
}

func (c *candidates) bytes() int64 {
	return 8*int64(cap(c.words)+cap(c.hashes)) + 4*int64(cap(c.parents))
}

// A candidate travels between goroutines, and waits, as a record: its words, then
// one more with its place in the upper half and its parent in the lower.
func meta(h uint64, parent ID) uint64 { return uint64(place(h))<<32 | uint64(parent) }

// open reads records that are for one shard, no more than lookahead of them, and
// returns the others.
func (c *candidates) open(mail []uint64, shard int) (left []uint64) {
	record := c.width + 1
	n := min(len(mail), lookahead*record)
	c.reset()
	for i := 0; i < n; i += record {
		m := mail[i+c.width]
		c.add(mail[i:i+c.width], hashOf(shard, uint32(m>>32)), ID(m))
	}
	return mail[n:]
}
