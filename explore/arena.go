package explore

import "unsafe"

// An arena holds the states of one shard in order of discovery, each with
// its parent. It is the visited set's memory, the frontier and the parent
// tree in one: states are never moved, changed or removed, so an index is a
// name for life, and the states found in one bucket are a range of indices.
//
// Memory comes in chunks of equal length. One growing slice would be copied
// again and again, and at its last doubling take three times what it holds.
// Only the first chunk starts small and doubles, since a search of a hundred
// states should not have to pay for a million.
//
// A chunk of states is a bare pointer. To look a state up is then two loads, of
// which the first is from memory that stays in the cache, and one check, that there
// is such a chunk: indices come from the shard's own table and from IDs that were
// given out. Slices took three loads and three checks.
type arena struct {
	chunks  []unsafe.Pointer // to chunkLen states each
	width   uintptr          // words of a state
	n       uint32
	first   uint32 // states that the first chunk has room for
	parents [][]ID // by chunk
	pool    *pool
	// The newest chunk, to which all is added.
	last        unsafe.Pointer // to its states
	lastParents unsafe.Pointer // to theirs
}

const (
	chunkBits  = 10
	chunkLen   = 1 << chunkBits
	firstChunk = 32
)

// where is where state number i lies.
func (a *arena) where(i uint32) unsafe.Pointer { return whereIn(a.chunks, a.width, i) }

func whereIn(chunks []unsafe.Pointer, width uintptr, i uint32) unsafe.Pointer {
	return unsafe.Add(chunks[i>>chunkBits], uintptr(i%chunkLen)*width*8)
}

// at returns the words of state number i.
func (a *arena) at(i uint32) []uint64 {
	return unsafe.Slice((*uint64)(a.where(i)), a.width)
}

// hash is the hash of state number i.
func (a *arena) hash(i uint32) uint64 {
	if a.width == 2 {
		words := (*[2]uint64)(a.where(i))
		return hash2(words[0], words[1])
	}
	return hash(a.at(i))
}

// differs is 0 if state number i has those words. It has no branches that depend on
// them. (A pointer that is moved on from word to word would come to point past the
// last chunk of a block, which is not allowed even if nobody looks there.)
func (a *arena) differs(i uint32, words unsafe.Pointer) uint64 {
	at := a.where(i)
	d := *(*uint64)(at) ^ *(*uint64)(words)
	for k := uintptr(1); k < a.width; k++ {
		d |= *(*uint64)(unsafe.Add(at, 8*k)) ^ *(*uint64)(unsafe.Add(words, 8*k))
	}
	return d
}

func (a *arena) parent(i uint32) ID { return a.parents[i>>chunkBits][i%chunkLen] }

// add appends a state.
func (a *arena) add(words unsafe.Pointer, parent ID) {
	if a.room() == 0 {
		a.extend()
	}
	a.write(words, parent)
}

// room is how many states can be added before there has to be another chunk.
func (a *arena) room() uint32 {
	if a.n < chunkLen {
		return a.first - a.n
	}
	return -a.n % chunkLen
}

// write appends a state, for which there is room.
func (a *arena) write(words unsafe.Pointer, parent ID) {
	i := uintptr(a.n % chunkLen)
	a.n++
	*(*ID)(unsafe.Add(a.lastParents, 4*i)) = parent
	at := unsafe.Add(a.last, 8*i*a.width)
	*(*uint64)(at) = *(*uint64)(words)
	for k := uintptr(1); k < a.width; k++ {
		*(*uint64)(unsafe.Add(at, 8*k)) = *(*uint64)(unsafe.Add(words, 8*k))
	}
}

func (a *arena) extend() {
	if a.n > 0 && a.n < chunkLen {
		words, parents := a.chunks[0], a.parents[0]
		a.first *= 2
		// Who has looked at where states lie, may still look there.
		a.chunks, a.parents = []unsafe.Pointer{a.words(a.first)}, [][]ID{make([]ID, a.first)}
		copy(unsafe.Slice((*uint64)(a.chunks[0]), uintptr(a.n)*a.width), unsafe.Slice((*uint64)(words), uintptr(a.n)*a.width))
		copy(a.parents[0], parents)
		a.toLast()
		return
	}
	size := uint32(chunkLen)
	if a.n == 0 {
		size = firstChunk
		a.first = firstChunk
	}
	a.chunks = append(a.chunks, a.words(size))
	a.parents = append(a.parents, make([]ID, size))
	a.toLast()
}

// toLast lets what is added go to the last chunk.
func (a *arena) toLast() {
	last := len(a.chunks) - 1
	a.last, a.lastParents = a.chunks[last], unsafe.Pointer(unsafe.SliceData(a.parents[last]))
}

// words is memory for some states.
func (a *arena) words(states uint32) unsafe.Pointer {
	return unsafe.Pointer(unsafe.SliceData(a.pool.take(int(states) * int(a.width))))
}

func (a *arena) bytes() int64 {
	if len(a.chunks) == 0 {
		return 0
	}
	states := int64(a.first) + int64(len(a.chunks)-1)*chunkLen
	return states * int64(8*a.width+4)
}
