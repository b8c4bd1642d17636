package explore

// An arena holds the states of one shard in order of discovery, each with
// its parent. It is the visited set's memory, the frontier and the parent
// tree in one: states are never moved, changed or removed, so an index is a
// name for life, and the states found in one bucket are a range of indices.
//
// Memory comes in chunks of equal length. One growing slice would be copied
// again and again, and at its last doubling take three times what it holds.
// Only the first chunk starts small and doubles, since a search of a hundred
// states should not have to pay for a million.
type arena struct {
	width  int
	n      uint32
	chunks []chunk
}

type chunk struct {
	words   []uint64 // width words a state
	parents []ID
}

const (
	chunkBits  = 10
	chunkLen   = 1 << chunkBits
	firstChunk = 32
)

// at returns the words of state number i.
func (a *arena) at(i uint32) []uint64 {
	at := int(i%chunkLen) * a.width
	return a.chunks[i>>chunkBits].words[at : at+a.width : at+a.width]
}

func (a *arena) parent(i uint32) ID {
	return a.chunks[i>>chunkBits].parents[i%chunkLen]
}

// add appends a state.
func (a *arena) add(words []uint64, parent ID) {
	i := int(a.n % chunkLen)
	if i == 0 || a.n < chunkLen && i == len(a.chunks[0].parents) {
		a.extend()
	}
	c := &a.chunks[a.n>>chunkBits]
	copy(c.words[i*a.width:(i+1)*a.width], words)
	c.parents[i] = parent
	a.n++
}

func (a *arena) extend() {
	switch {
	case a.n == 0:
		a.chunks = append(a.chunks, newChunk(firstChunk, a.width))
	case a.n < chunkLen:
		small := a.chunks[0]
		a.chunks[0] = newChunk(2*len(small.parents), a.width)
		copy(a.chunks[0].words, small.words)
		copy(a.chunks[0].parents, small.parents)
	default:
		a.chunks = append(a.chunks, newChunk(chunkLen, a.width))
	}
}

func newChunk(n, width int) chunk {
	return chunk{make([]uint64, n*width), make([]ID, n)}
}

func (a *arena) bytes() int64 {
	if len(a.chunks) == 0 {
		return 0
	}
	states := len(a.chunks[0].parents) + (len(a.chunks)-1)*chunkLen
	return int64(states) * int64(8*a.width+4)
}
