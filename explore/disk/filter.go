package disk

import "math/bits"

// A filter says of a state that a run does not have it, or that it may have it:
// a Bloom filter. Most states that are looked up are new, and a filter saves
// reading the block where they would be.
//
// Each block has a piece of the filter to itself, and a state's bits lie in one
// word of it. States are looked up by rising order, so the pieces are gone
// through in their order too, and seldom miss the cache. (One filter for a run
// as a whole took a third of the time of a search.)
//
// With 10 bits a state, some 3 % of the states that a run does not have are
// looked up in vain; with 5 bits some 15 %.
type filter struct {
	bits   int // of a state; 0: there is no filter
	words  []uint64
	starts []uint32 // of a block's piece, and of what comes after the last
}

const (
	filterBits = 10 // where memory allows
	filterLow  = 4  // below this a filter says too little
)

// newFilter makes a filter for so many states at most, of about so many bytes;
// an empty one if that is too little.
func newFilter(states uint64, most int64) filter {
	n := min(max(most, 0)*8/int64(max(states, 1)), filterBits)
	if n < filterLow {
		return filter{}
	}
	return filter{bits: int(n), starts: []uint32{0}}
}

func (f *filter) bytes() int64 { return 8*int64(cap(f.words)) + 4*int64(cap(f.starts)) }

// hash mixes the words of a state: it rests on nothing but speed.
func hash(s []uint64) uint64 {
	h := uint64(0x9e3779b97f4a7c15)
	for _, w := range s {
		hi, lo := bits.Mul64(h^w, 0xd6e8feb86659fd93)
		h = hi ^ lo
	}
	hi, lo := bits.Mul64(h, 0xa0761d6478bd642f)
	return hi ^ lo
}

// bitsOf are the bits of a hash in its word.
func bitsOf(h uint64) uint64 {
	return 1<<(h&63) | 1<<(h>>6&63) | 1<<(h>>12&63) | 1<<(h>>18&63)
}

// block adds the piece of a block: the hashes of its states.
func (f *filter) block(hashes []uint64) {
	from := len(f.words)
	n := max(1, len(hashes)*f.bits/64)
	for range n {
		f.words = append(f.words, 0)
	}
	piece := f.words[from:]
	for _, h := range hashes {
		at, _ := bits.Mul64(h, uint64(n))
		piece[at] |= bitsOf(h)
	}
	f.starts = append(f.starts, uint32(len(f.words)))
}

// has says whether a block may have a state with that hash.
func (f *filter) has(block int, h uint64) bool {
	from, to := f.starts[block], f.starts[block+1]
	at, _ := bits.Mul64(h, uint64(to-from))
	mask := bitsOf(h)
	return f.words[uint64(from)+at]&mask == mask
}
