package disk

import "sort"

// A run is a sorted set of states in a file: blocks, one after the other.
type run struct {
	width  int
	blob   *blob
	states uint64
	// Of block i: where it begins (and one more: the end of the last), and its
	// first state.
	at     []int64
	firsts []uint64
	filter filter // may be empty
}

func (r *run) blocks() int { return len(r.at) - 1 }

// bytes is what it takes in memory.
func (r *run) bytes() int64 {
	return 8*int64(cap(r.at)+cap(r.firsts)) + r.filter.bytes()
}

func (r *run) close() { r.blob.close() }

// runWriter makes a run.
type runWriter struct {
	*packer
	run    *run
	out    []byte
	size   int      // of a write
	hashes []uint64 // of the states of the block in the making, if there is a filter
}

// newRun begins a run. filter is for what is looked up in it; it may be empty.
func (s *space) newRun(filter filter) (*runWriter, error) {
	b, err := s.folder.newBlob()
	if err != nil {
		return nil, err
	}
	w := &runWriter{run: &run{width: s.width, blob: b, at: []int64{0}, filter: filter}, size: s.sizes.write}
	w.packer = newPacker(s.width, s.sizes.block, w.block)
	return w, nil
}

func (w *runWriter) block(block []byte, first []uint64, n int) error {
	if len(w.out) > 0 && len(w.out)+len(block) > w.size {
		if err := w.write(); err != nil {
			return err
		}
	}
	w.out = append(w.out, block...)
	r := w.run
	r.at = append(r.at, r.at[len(r.at)-1]+int64(len(block)))
	r.firsts = append(r.firsts, first...)
	r.states += uint64(n)
	if r.filter.bits > 0 {
		r.filter.block(w.hashes[:n])
		w.hashes = w.hashes[:copy(w.hashes, w.hashes[n:])]
	}
	return nil
}

func (w *runWriter) write() error {
	err := w.run.blob.append(w.out)
	w.out = w.out[:0]
	return err
}

// add writes states, not so many at once that their hashes need much memory.
func (w *runWriter) add(states []uint64) error {
	if w.run.filter.bits == 0 {
		return w.packer.add(states)
	}
	for len(states) > 0 {
		n := min(len(states), 1<<10*w.width)
		for at := 0; at < n; at += w.width {
			w.hashes = append(w.hashes, hash(states[at:at+w.width]))
		}
		if err := w.packer.add(states[:n]); err != nil {
			return err
		}
		states = states[n:]
	}
	return nil
}

// done ends the run.
func (w *runWriter) done() (*run, error) {
	err := w.flush()
	if err == nil && len(w.out) > 0 {
		err = w.write()
	}
	if err != nil {
		w.drop()
		return nil, err
	}
	return w.run, nil
}

// drop ends a run that will not be.
func (w *runWriter) drop() { w.run.close() }

// cursor goes through a run, forwards.
type cursor struct {
	run    *run
	block  int      // where it is; -1 before the first
	states []uint64 // of the block, once they are wanted
	pos    int      // a state of it
	// chunk has the blocks from … to, not unpacked.
	chunk    []byte
	from, to int
	ahead    int // how many bytes to read at once
	most     int // and at most
}

func newCursor(r *run, most int) *cursor { return &cursor{run: r, block: -1, most: most} }

// load unpacks a block. Where one block after the other is wanted, more and
// more are read at once.
func (c *cursor) load(block int) error {
	r := c.run
	if block < c.from || block >= c.to {
		if block == c.to && c.to > 0 {
			c.ahead = min(2*c.ahead, c.most)
		} else {
			c.ahead = 0
		}
		c.from, c.to = block, block+1
		for c.to < r.blocks() && r.at[c.to+1]-r.at[block] <= int64(c.ahead) {
			c.to++
		}
		n := int(r.at[c.to] - r.at[block])
		c.ahead = max(c.ahead, n)
		if cap(c.chunk) < n {
			c.chunk = make([]byte, n, max(n, min(c.most, 2*n)))
		}
		c.chunk = c.chunk[:n]
		if err := r.blob.read(c.chunk, r.at[block]); err != nil {
			c.to = c.from
			return err
		}
	}
	base := r.at[c.from]
	var err error
	c.states, err = unpack(c.states[:0], c.chunk[r.at[block]-base:r.at[block+1]-base], r.width)
	c.block, c.pos = block, 0
	if err != nil {
		c.block = -1
		return r.blob.folder.damaged(r.at[block], err)
	}
	return nil
}

// find goes to the block where a state would be, and says whether there is one;
// states are asked for by rising order.
func (c *cursor) find(s []uint64) bool {
	r, w := c.run, c.run.width
	if c.block >= 0 && (c.block+1 == r.blocks() || compare(r.firsts[(c.block+1)*w:(c.block+2)*w], s) > 0) {
		return true
	}
	// The last block that does not begin after s.
	i := seek(r.firsts, max(c.block, 0), s)
	if i == r.blocks() || compare(r.firsts[i*w:(i+1)*w], s) > 0 {
		i--
	}
	if i >= 0 && i != c.block {
		c.block, c.pos = i, 0
		c.states = c.states[:0]
	}
	return i >= 0
}

// has says whether the run has a state with that hash; states are asked for by
// rising order.
func (c *cursor) has(s []uint64, h uint64) (bool, error) {
	if !c.find(s) || c.run.filter.bits > 0 && !c.run.filter.has(c.block, h) {
		return false, nil
	}
	if len(c.states) == 0 {
		if err := c.load(c.block); err != nil {
			return false, err
		}
	}
	c.pos = seek(c.states, c.pos, s)
	at := c.pos * len(s)
	return at < len(c.states) && compare(c.states[at:at+len(s)], s) == 0, nil
}

// next gives the states that come next, nil after the last.
func (c *cursor) next() ([]uint64, error) {
	if c.block+1 == c.run.blocks() {
		return nil, nil
	}
	err := c.load(c.block + 1)
	return c.states, err
}

// A source gives sorted states piece by piece, nil after the last.
type source interface{ next() ([]uint64, error) }

// list is a sorted list as a source.
type list struct{ states []uint64 }

func (l *list) next() ([]uint64, error) {
	s := l.states
	l.states = nil
	return s, nil
}

// merger merges sources into one, without what is twice there.
type merger struct {
	width   int
	sources []source
	heads   [][]uint64 // what is left of the current piece of each
	heap    []int      // of sources, the one with the least head on top
	out     []uint64
	size    int
}

// newMerger merges; pieces have some size states.
func newMerger(width, size int, sources []source) (*merger, error) {
	m := &merger{width: width, sources: sources, size: size * width, heads: make([][]uint64, len(sources))}
	for i := range sources {
		if err := m.fill(i); err != nil {
			return nil, err
		}
		if len(m.heads[i]) > 0 {
			m.heap = append(m.heap, i)
		}
	}
	sort.Slice(m.heap, func(i, j int) bool { return m.less(m.heap[i], m.heap[j]) })
	return m, nil
}

func (m *merger) fill(i int) (err error) {
	m.heads[i], err = m.sources[i].next()
	return err
}

func (m *merger) less(i, j int) bool {
	if m.width == 1 {
		return m.heads[i][0] < m.heads[j][0]
	}
	return compare(m.heads[i][:m.width], m.heads[j][:m.width]) < 0
}

func (m *merger) next() ([]uint64, error) {
	w, out := m.width, m.out[:0]
	for len(m.heap) > 0 && len(out) < m.size {
		top := m.heap[0]
		h := m.heads[top]
		if len(m.heap) == 1 {
			// Nothing is in between.
			if len(out) > 0 && compare(out[len(out)-w:], h[:w]) == 0 {
				h = h[w:]
			}
			n := min(len(h), max(m.size-len(out), w))
			out = append(out, h[:n]...)
			m.heads[top] = h[n:]
		} else {
			// All that is not greater than the next of the others.
			other := m.heap[1]
			if len(m.heap) > 2 && m.less(m.heap[2], other) {
				other = m.heap[2]
			}
			o := m.heads[other]
			k := 0
			if w == 1 {
				last := ^uint64(0)
				if len(out) > 0 {
					last = out[len(out)-1]
				} else {
					last = h[0] - 1 // another
				}
				for k < len(h) && h[k] <= o[0] && len(out) < m.size {
					if h[k] != last {
						last = h[k]
						out = append(out, last)
					}
					k++
				}
			} else {
				for k < len(h) && compare(h[k:k+w], o[:w]) <= 0 && len(out) < m.size {
					if len(out) == 0 || compare(out[len(out)-w:], h[k:k+w]) != 0 {
						out = append(out, h[k:k+w]...)
					}
					k += w
				}
			}
			m.heads[top] = h[k:]
		}
		if err := m.refill(); err != nil {
			return nil, err
		}
	}
	// What was given last time may be there once more.
	m.out = out
	if len(out) == 0 {
		return nil, nil
	}
	for len(m.heap) > 0 {
		top := m.heap[0]
		if compare(m.heads[top][:w], out[len(out)-w:]) != 0 {
			break
		}
		m.heads[top] = m.heads[top][w:]
		if err := m.refill(); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// refill puts the heap in order when its top has another head: more of its states,
// where those that were read are used up, or none, and then it is gone.
func (m *merger) refill() error {
	if top := m.heap[0]; len(m.heads[top]) == 0 {
		if err := m.fill(top); err != nil {
			return err
		}
		if len(m.heads[top]) == 0 {
			last := len(m.heap) - 1
			m.heap[0] = m.heap[last]
			m.heap = m.heap[:last]
		}
	}
	m.sift()
	return nil
}

// sift puts the top of the heap where it belongs.
func (m *merger) sift() {
	h := m.heap
	for i := 0; ; {
		k := 2*i + 1
		if k >= len(h) {
			return
		}
		if k+1 < len(h) && m.less(h[k+1], h[k]) {
			k++
		}
		if !m.less(h[k], h[i]) {
			return
		}
		h[i], h[k] = h[k], h[i]
		i = k
	}
}
