package disk

import (
	"slices"
	"sync"
)

// pending has the candidates of the buckets to come, each bucket's by itself:
// those in memory as they came, others as sorted runs.
type pending struct {
	*space
	mu    sync.Mutex
	costs []cost // of buckets, rising
	of    map[cost]*due
	words int // in memory
	spare [][]uint64
}

// due are the candidates of one bucket.
type due struct {
	chunks [][]uint64
	words  int
	runs   []*run
}

// A chunk grows with the bucket; what does not make a whole state at its end is
// left free.
const (
	firstChunk = 64
	chunkWords = 1 << 15
)

// put adds candidates. It may be called by several goroutines.
func (p *pending) put(c cost, states []uint64) {
	if len(states) == 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	d := p.of[c]
	if d == nil {
		d = &due{}
		p.of[c] = d
		i, _ := slices.BinarySearch(p.costs, c)
		p.costs = slices.Insert(p.costs, i, c)
	}
	p.words += len(states)
	d.words += len(states)
	for len(states) > 0 {
		last := len(d.chunks) - 1
		if last < 0 || cap(d.chunks[last])-len(d.chunks[last]) < p.width {
			d.chunks = append(d.chunks, p.chunk(d.words))
			last++
		}
		room := cap(d.chunks[last]) - len(d.chunks[last])
		n := min(len(states), room/p.width*p.width)
		d.chunks[last] = append(d.chunks[last], states[:n]...)
		states = states[n:]
	}
}

// chunk is memory for more of a bucket that has so many words.
func (p *pending) chunk(words int) []uint64 {
	n := min(max(words, firstChunk), chunkWords)
	if k := len(p.spare); n == chunkWords && k > 0 {
		c := p.spare[k-1]
		p.spare = p.spare[:k-1]
		return c[:0]
	}
	return make([]uint64, 0, n)
}

// recycle takes chunks back.
func (p *pending) recycle(d *due) {
	for _, c := range d.chunks {
		if cap(c) == chunkWords && len(p.spare) < p.sizes.candidates/32/chunkWords {
			p.spare = append(p.spare, c)
		}
	}
	p.words -= d.words
	d.chunks, d.words = nil, 0
}

// least is the least cost that candidates wait for.
func (p *pending) least() cost {
	if len(p.costs) == 0 {
		return never
	}
	return p.costs[0]
}

// take removes the candidates of the cheapest bucket.
func (p *pending) take() *due {
	c := p.costs[0]
	p.costs = p.costs[1:]
	d := p.of[c]
	delete(p.of, c)
	return d
}

// relieve makes room when the memory for candidates is used up: the bucket that
// has most of it is sorted and, if that is not enough, written to disk.
func (p *pending) relieve() error {
	for 8*p.words > p.sizes.candidates {
		var most *due
		for _, c := range p.costs {
			if d := p.of[c]; most == nil || d.words > most.words {
				most = d
			}
		}
		if err := p.shrink(most); err != nil {
			return err
		}
	}
	return nil
}

func (p *pending) shrink(d *due) error {
	parts, err := p.sorted(d.chunks, d.words, nil)
	if err != nil {
		return err
	}
	before := d.words
	n := 0
	for _, part := range parts {
		n += len(part)
	}
	p.recycle(d)
	if 2*n <= before && 8*(p.words+n) <= p.sizes.candidates/4*3 {
		// Most were the same.
		for _, part := range parts {
			d.fill(p, part)
		}
		return nil
	}
	w, err := p.newRun(filter{})
	if err != nil {
		return err
	}
	for _, part := range parts {
		if err := w.add(part); err != nil {
			w.drop()
			return err
		}
	}
	r, err := w.done()
	if err != nil {
		return err
	}
	if d.runs = append(d.runs, r); len(d.runs) < mostRuns {
		return nil
	}
	// Many files, each with its buffer, are not wanted.
	if w, err = p.newRun(filter{}); err != nil {
		return err
	}
	if err := p.merge(w, d.cursors(p.space)); err != nil {
		return err
	}
	if r, err = w.done(); err != nil {
		return err
	}
	d.close()
	d.runs = append(d.runs, r)
	return nil
}

// mostRuns is how many runs of candidates a bucket has at most.
const mostRuns = 12

// fill puts sorted states back into memory.
func (d *due) fill(p *pending, states []uint64) {
	for len(states) > 0 {
		c := p.chunk(chunkWords)
		n := min(len(states), cap(c)/p.width*p.width)
		d.chunks = append(d.chunks, append(c, states[:n]...))
		d.words += n
		p.words += n
		states = states[n:]
	}
}

// cursors go through the runs.
func (d *due) cursors(s *space) (all []source) {
	for _, r := range d.runs {
		all = append(all, newCursor(r, s.sizes.read))
	}
	return all
}

func (d *due) close() {
	for _, r := range d.runs {
		r.close()
	}
	d.runs = nil
}

func (p *pending) bytes() int64 {
	n := 8*int64(p.words) + 8*chunkWords*int64(len(p.spare))
	for _, d := range p.of {
		for _, r := range d.runs {
			n += r.bytes()
		}
	}
	return n
}

func (p *pending) drop() {
	for _, d := range p.of {
		d.close()
	}
	p.of, p.costs, p.spare, p.words = nil, nil, nil, 0
}
