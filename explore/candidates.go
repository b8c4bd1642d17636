package explore

import (
	"slices"
	"unsafe"
)

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

// at points to the words of a candidate.
func (c *candidates) at(i uint32) unsafe.Pointer {
	return unsafe.Add(unsafe.Pointer(unsafe.SliceData(c.words)), 8*uintptr(i)*uintptr(c.width))
}

func (c *candidates) state(i int) []uint64 {
	return c.words[i*c.width : (i+1)*c.width : (i+1)*c.width]
}

// hash hashes all of them. In one loop the multiplications of one state need not
// wait for those of the other.
func (c *candidates) hash() {
	n := len(c.words) / c.width
	c.hashes = slices.Grow(c.hashes[:0], n)[:n]
	words := c.words
	switch c.width {
	case 1:
		for i := range c.hashes {
			c.hashes[i] = hash1(words[i])
		}
	case 2:
		for i := range c.hashes {
			pair := (*[2]uint64)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(words)), 16*i))
			c.hashes[i] = hash2(pair[0], pair[1])
		}
	default:
		for i := range c.hashes {
			c.hashes[i] = hash(words[i*c.width:][:c.width])
		}
	}
}

func (c *candidates) bytes() int64 {
	return 8*int64(cap(c.words)+cap(c.hashes)) + 4*int64(cap(c.parents))
}

// A candidate waits in a queue as a record: its words, then one more with its place in
// the upper half and its parent in the lower.
func meta(h uint64, parent ID) uint64 { return uint64(place(h))<<32 | uint64(parent) }

// open reads records that are for one shard, no more than lookahead of them, and
// returns the others.
func (c *candidates) open(records []uint64, shard int) (left []uint64) {
	record := c.width + 1
	n := min(len(records)/record, lookahead)
	c.reset()
	c.words = slices.Grow(c.words, n*c.width)[:n*c.width]
	c.hashes = slices.Grow(c.hashes, n)[:n]
	c.parents = slices.Grow(c.parents, n)[:n]
	if c.width == 2 {
		for i := range n {
			r := (*[3]uint64)(records[3*i:])
			c.words[2*i], c.words[2*i+1] = r[0], r[1]
			c.hashes[i], c.parents[i] = hashOf(shard, uint32(r[2]>>32)), ID(r[2])
		}
	} else {
		for i := range n {
			r := records[record*i:][:record]
			copy(c.words[c.width*i:], r[:c.width])
			c.hashes[i], c.parents[i] = hashOf(shard, uint32(r[c.width]>>32)), ID(r[c.width])
		}
	}
	return records[record*n:]
}

// Parted candidates lie apart by the part of the shards that their own is in. Each part
// is a run of neighbouring shards.
type parted []candidates

func newParted(width, parts int) parted {
	p := make(parted, parts)
	for i := range p {
		p[i].width = width
	}
	return p
}

func (p parted) reset() {
	for i := range p {
		p[i].reset()
	}
}

func (p parted) bytes() (n int64) {
	for i := range p {
		n += p[i].bytes()
	}
	return n
}

// pick adds some of other candidates.
func (p parted) pick(of *candidates, picked []uint32) {
	parts := uint64(len(p))
	for _, i := range picked {
		h := of.hashes[i]
		c := &p[owner(h)*parts/shards]
		switch w := of.state(int(i)); len(w) { // append of a slice costs a call
		case 1:
			c.words = append(c.words, w[0])
		case 2:
			c.words = append(c.words, w[0], w[1])
		case 3:
			c.words = append(c.words, w[0], w[1], w[2])
		default:
			c.words = append(c.words, w...)
		}
		c.hashes = append(c.hashes, h)
		c.parents = append(c.parents, of.parents[i])
	}
}
