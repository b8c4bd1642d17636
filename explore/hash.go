package explore

import "math/bits"

// A state's hash decides four things, from bits that are not shared:
//
//	bits 63…58  the shard that owns the state
//	bits 57…26  its home slot in the shard's table (the upper ones of these)
//	            and its tag there (the lower ones): see table.go
//	bits 15…0   its place in a worker's cache: see recent.go
//
// The hash orders the shards, hence the IDs, hence which of several nearest
// paths is the one reported. Changing a constant here changes recorded
// answers everywhere. For the same reason nothing random goes in, as
// hash/maphash would have it: equal questions have equal answers, on every
// machine.
const (
	shardBits = 6
	shards    = 1 << shardBits

	seed  = 0x9e3779b97f4a7c15 // 2^64 divided by the golden ratio
	mixer = 0xd6e8feb86659fd93 // odd, about half its bits set
	final = 0xa0761d6478bd642f
)

// hash multiplies to 128 bits and folds the halves onto each other, once a
// word: low bits travel up in the lower half of the product, high bits
// travel down in the upper. A last round spreads words that differ in a few
// bits only, as packed states do.
func hash(words []uint64) uint64 {
	h := uint64(seed)
	for _, w := range words {
		hi, lo := bits.Mul64(h^w, mixer)
		h = hi ^ lo
	}
	hi, lo := bits.Mul64(h, final)
	return hi ^ lo
}

// hash1 and hash2 are hash for states of one and two words.
func hash1(a uint64) uint64 {
	hi, lo := bits.Mul64(seed^a, mixer)
	hi, lo = bits.Mul64(hi^lo, final)
	return hi ^ lo
}

func hash2(a, b uint64) uint64 {
	hi, lo := bits.Mul64(seed^a, mixer)
	hi, lo = bits.Mul64(hi^lo^b, mixer)
	hi, lo = bits.Mul64(hi^lo, final)
	return hi ^ lo
}

// owner is the shard of a hash.
func owner(h uint64) uint64 { return h >> (64 - shardBits) }

// place is the part of a hash that its shard's table uses.
func place(h uint64) uint32 { return uint32(h >> (32 - shardBits)) }

// hashOf has those parts of a hash that owner and place give, and no others.
func hashOf(shard int, place uint32) uint64 {
	return uint64(shard)<<(64-shardBits) | uint64(place)<<(32-shardBits)
}
