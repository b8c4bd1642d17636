package explore

import "math/bits"

// recent remembers, exactly, some of the states that a worker has lately
// sent off to be put into the visited set at once. To send one of them again
// would change nothing, since the shards will read the earlier mail first.
// So what a worker remembers, and which worker it is, shows in nothing but
// time.
//
// It is a direct-mapped cache: each state has one place, where the latest
// comer stays. An empty place holds a state that belongs elsewhere.
//
// Interleavings make this worth while: two steps in either order lead to the
// same state, and the two states between lie near each other in their
// bucket. Of two-phase commit's transitions 84 % (6 resource managers) to
// 64 % (9) stop here, and the search takes a quarter less CPU time. The size
// is what a level-2 cache allows: 2^10 places gave 23 million transitions a
// CPU-second, 2^12 26, 2^16 30 (BenchmarkTwoPhase/rms=8/workers=1).
type recent struct {
	mask  uint64 // of a hash: its lowest bits, which nothing else uses
	words []uint64
}

// recentWords is the size of the cache, half a megabyte.
const recentWords = 1 << 16

func newRecent(width int) recent {
	places := max(2, recentWords>>bits.Len(uint(width-1)))
	r := recent{uint64(places - 1), make([]uint64, width*places)}
	// All places hold the zero state, and its own must not.
	own := hash(r.words[:width]) & r.mask
	other := r.words[int(own)*width:][:width]
	for other[0] = 1; hash(other)&r.mask == own; other[0]++ {
	}
	return r
}

func (r recent) has(h uint64, words []uint64) bool {
	at := int(h&r.mask) * len(words)
	for i, w := range words {
		if r.words[at+i] != w {
			return false
		}
	}
	return true
}

func (r recent) put(h uint64, words []uint64) {
	at := int(h&r.mask) * len(words)
	for i, w := range words {
		r.words[at+i] = w
	}
}
