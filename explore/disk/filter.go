package disk

import "math/bits"

// A filter says of a state that a run does not have it, or that it may have it:
// a Bloom filter whose bits for a state lie in one word, so that a look costs one
// cache miss. Most states that are looked up are new, and a filter saves
// reading the block where they would be.
//
// With 10 bits a state, 2 to 3 % of the states that a run does not have are
// looked up in vain; with 5 bits some 15 %.
type filter []uint64

const (
	filterBits = 10 // of a state, where memory allows
	filterLow  = 4  // below this a filter says too little
)

// newFilter makes a filter for so many states, of at most so many bytes; empty
// if that is too little.
func newFilter(states uint64, most int64) filter {
	if states == 0 || most < 8 {
		return nil
	}
	words := min(states*filterBits/64+1, uint64(most)/8)
	if words*64 < states*filterLow {
		return nil
	}
	return make(filter, words)
}

func (f filter) bytes() int64 { return 8 * int64(len(f)) }

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

// spot is the word for a hash, and its bits there.
func (f filter) spot(h uint64) (at, mask uint64) {
	at, _ = bits.Mul64(h, uint64(len(f)))
	return at, 1<<(h&63) | 1<<(h>>6&63) | 1<<(h>>12&63) | 1<<(h>>18&63)
}

func (f filter) put(states []uint64, width int) {
	if len(f) == 0 {
		return
	}
	for ; len(states) > 0; states = states[width:] {
		at, mask := f.spot(hash(states[:width]))
		f[at] |= mask
	}
}

func (f filter) has(h uint64) bool {
	if len(f) == 0 {
		return true
	}
	at, mask := f.spot(h)
	return f[at]&mask == mask
}
