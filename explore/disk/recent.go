package disk

import "math/bits"

// recent remembers some of the states that a worker has lately sent off, as a
// direct-mapped cache, and drops them when they are sent again. What it forgets
// is found out when candidates are sorted, so it shows in nothing but time.
type recent struct {
	mask  uint64
	words []uint64
}

func newRecent(words, width int) recent {
	places := max(2, 1<<(bits.Len(uint(words/width))-1))
	r := recent{uint64(places - 1), make([]uint64, width*places)}
	// All places hold the zero state, and its own must not.
	own := hash(r.words[:width]) & r.mask
	other := r.words[int(own)*width:][:width]
	for other[0] = 1; hash(other)&r.mask == own; other[0]++ {
	}
	return r
}

func (r recent) has(h uint64, s []uint64) bool {
	at := int(h&r.mask) * len(s)
	for i, w := range s {
		if r.words[at+i] != w {
			return false
		}
	}
	return true
}

func (r recent) put(h uint64, s []uint64) {
	copy(r.words[int(h&r.mask)*len(s):], s)
}
