package explore

import (
	"math/bits"
	"unsafe"
)

// recent remembers, exactly, some of the states that a worker has lately
// sent off to be put into the visited set at once. To send one of them again
// would change nothing, since its shard gets the earlier one first.
// So what a worker remembers, and which worker it is, shows in nothing but
// time.
//
// It is a direct-mapped cache: each state has one place, where the latest
// comer stays. An empty place holds a state that belongs elsewhere.
//
// Interleavings make this worth while: two steps in either order lead to the
// same state, and the two states between lie near each other in their
// bucket. Of two-phase commit's transitions with 9 resource managers, but for loops,
// 58 % stop here. The size is what a level-2 cache allows beside what the system has
// there: with 2^10 places 23 million transitions a CPU-second, with 2^12 26, with 2^16 30
// (BenchmarkTwoPhase/rms=8/workers=1).
type recent struct {
	mask  uint64 // of a hash: its lowest bits, which nothing else uses
	words []uint64
}

// recentWords is the size of the cache, a quarter of a megabyte, if states have more
// than one word.
const recentWords = 1 << 15

func newRecent(width int) recent {
	places := max(2, recentWords>>bits.Len(uint(width-1)))
	if width == 1 {
		places *= 2 // so narrow a system hardly has tables of its own
	}
	r := recent{uint64(places - 1), make([]uint64, width*places)}
	// All places hold the zero state, and its own must not.
	own := hash(r.words[:width]) & r.mask
	other := r.words[int(own)*width:][:width]
	for other[0] = 1; hash(other)&r.mask == own; other[0]++ {
	}
	return r
}

// pass finds those of the picked candidates that it does not remember, and
// remembers them: it writes their numbers to the beginning of the list, and
// returns how many they are. No branch depends on what it remembers, since that
// cannot be foreseen.
func (r recent) pass(c *candidates, picked []uint32) (n int) {
	base := unsafe.Pointer(unsafe.SliceData(r.words))
	width := uintptr(c.width)
	for _, i := range picked {
		words, at := c.at(i), unsafe.Add(base, 8*width*uintptr(c.hashes[i]&r.mask))
		differ := *(*uint64)(at) ^ *(*uint64)(words)
		*(*uint64)(at) = *(*uint64)(words)
		for k := uintptr(1); k < width; k++ {
			words, at := (*uint64)(unsafe.Add(words, 8*k)), (*uint64)(unsafe.Add(at, 8*k))
			differ |= *at ^ *words
			*at = *words
		}
		picked[n] = i
		n += int((differ | -differ) >> 63)
	}
	return n
}
