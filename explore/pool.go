package explore

import (
	"slices"
	"sync"
)

// A pool hands out memory for states and tables, cut from blocks that grow with the
// search. Shards cut off what they need, and give back the tables they have
// outgrown, so that nearly nothing is left to the garbage collector, which would
// else be at work a dozen times in a search of a million states. (To ask the kernel
// for huge pages, by madvise, halved the time it takes for page faults, and gained
// nothing in all: 12.1 and 11.7, 14.1 and 14.0 CPU seconds for 24 million states.)
type pool struct {
	mu    sync.Mutex
	block []uint64   // what is left of the newest block
	spare [][]uint64 // given back
	taken int        // words of all blocks
}

const (
	firstBlock = 1 << 13 // words
	mostBlock  = 1 << 22
)

// take hands out some words. What they hold is undefined.
func (p *pool) take(words int) []uint64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := len(p.spare) - 1; i >= max(0, len(p.spare)-8); i-- {
		if piece := p.spare[i]; len(piece) >= words {
			p.spare = slices.Delete(p.spare, i, i+1)
			p.put(piece[words:])
			return piece[:words:words]
		}
	}
	if len(p.block) < words {
		p.put(p.block)
		p.block = make([]uint64, max(words, min(mostBlock, max(firstBlock, p.taken/16))))
		p.taken += len(p.block)
	}
	piece := p.block[:words:words]
	p.block = p.block[words:]
	return piece
}

// give takes memory back.
func (p *pool) give(words []uint64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.put(words)
}

// put keeps a piece for later, unless it is too short for anything.
func (p *pool) put(piece []uint64) {
	if len(piece) >= chunkLen {
		p.spare = append(p.spare, piece)
	}
}
