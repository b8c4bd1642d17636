package explore

import "sync"

// A pool hands out memory for states and tables, cut from blocks of some
// megabytes that the kernel is asked to back with huge pages: without them a
// search of a million states begins with some ten thousand page faults, which
// took 8 % of its time. Shards cut off what they need, and give back the tables
// they have outgrown, so that nearly nothing is left to the garbage collector.
type pool struct {
	mu    sync.Mutex
	block []uint64   // what is left of the newest block
	spare [][]uint64 // given back
	taken int        // words of all blocks
}

const (
	firstBlock = 1 << 13 // words
	mostBlock  = 1 << 19
)

// take hands out some words. What they hold is undefined.
func (p *pool) take(words int) []uint64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.spare); n > 0 {
		if last := p.spare[n-1]; len(last) >= words {
			p.spare[n-1] = last[words:]
			return last[:words:words]
		}
		p.spare = p.spare[:n-1]
	}
	if len(p.block) < words {
		// What is left is lost: less than one piece of an eighth of all.
		p.block = make([]uint64, max(words, min(mostBlock, max(firstBlock, p.taken/8))))
		p.taken += len(p.block)
		hugePages(p.block)
	}
	piece := p.block[:words:words]
	p.block = p.block[words:]
	return piece
}

// give takes memory back.
func (p *pool) give(words []uint64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.spare = append(p.spare, words)
}
