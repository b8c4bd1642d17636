package disk

import "sync"

// visited is the set of states that have a bucket: sorted lists in memory, and
// runs on disk. No two of them have a state in common, and in both the sizes
// fall from the oldest to the newest, so that adding to them costs a logarithm
// of merges.
type visited struct {
	*space
	lists [][]uint64
	words int // in lists
	runs  []*run
	size  int64      // in memory, when it was last changed
	done  chan error // of what was put off, or nil
}

// add takes sorted states that are new; it keeps the list.
func (v *visited) add(states []uint64) error {
	v.lists = append(v.lists, states)
	v.words += len(states)
	for {
		n := len(v.lists)
		if n < 2 || 2*len(v.lists[n-1]) < len(v.lists[n-2]) {
			break
		}
		a, b := v.lists[n-2], v.lists[n-1]
		v.lists = append(v.lists[:n-2], merge(make([]uint64, 0, len(a)+len(b)), a, b, v.width))
		v.lists[:n][n-1] = nil
	}
	if 8*v.words <= v.sizes.lists {
		return nil
	}
	return v.spill()
}

// spill makes a run of the lists.
func (v *visited) spill() error {
	var sources []source
	for _, l := range v.lists {
		sources = append(sources, &list{l})
	}
	w, err := v.newRun(v.filterFor(uint64(v.words / v.width)))
	if err != nil {
		return err
	}
	if err := v.merge(w, sources); err != nil {
		return err
	}
	v.lists, v.words = nil, 0
	return v.addRun(w)
}

// addRun takes a run that is written.
func (v *visited) addRun(w *runWriter) error {
	r, err := w.done()
	if err != nil {
		return err
	}
	v.runs = append(v.runs, r)
	first := len(v.runs) - 1
	for sum := r.states; first > 0 && v.runs[first-1].states <= sum; first-- {
		sum += v.runs[first-1].states
	}
	if len(v.runs)-first < tier {
		return nil
	}
	old := v.runs[first:]
	var sources []source
	n := uint64(0)
	for _, r := range old {
		r.filter = filter{} // nothing is looked up until they are one
		n += r.states
		sources = append(sources, newCursor(r, v.sizes.read))
	}
	if w, err = v.newRun(v.filterFor(n)); err != nil {
		return err
	}
	if err := v.merge(w, sources); err != nil {
		return err
	}
	if r, err = w.done(); err != nil {
		return err
	}
	for _, r := range old {
		r.close()
	}
	v.runs = append(v.runs[:first], r)
	return nil
}

// tier is how many runs of about one size are merged.
const tier = 4

// filterFor makes a filter of what the memory for filters has left.
func (v *visited) filterFor(states uint64) filter {
	left := int64(v.sizes.filters)
	for _, r := range v.runs {
		left -= r.filter.bytes()
	}
	return newFilter(states, left)
}

// later does something to the set while nobody looks into it: while a bucket is
// expanded, if there is more than one worker.
func (v *visited) later(do func() error) error {
	if v.workers == 1 {
		err := do()
		v.size = v.bytes()
		return err
	}
	v.done = make(chan error, 1)
	go func() {
		err := do()
		v.size = v.bytes()
		v.done <- err
	}()
	return nil
}

// wait ends what was put off.
func (v *visited) wait() (err error) {
	if v.done != nil {
		err, v.done = <-v.done, nil
	}
	return err
}

// merge writes sources into a run.
func (s *space) merge(w *runWriter, sources []source) error {
	err := s.pieces(sources, w.add)
	if err != nil {
		w.drop()
	}
	return err
}

// pieces merges sources and hands over what comes of them piece by piece; a
// piece may be changed. If there is more than one worker, the next piece is made
// at the same time.
func (s *space) pieces(sources []source, f func(states []uint64) error) error {
	m, err := newMerger(s.width, s.sizes.piece, sources)
	if err != nil {
		return err
	}
	type piece struct {
		states []uint64
		err    error
	}
	produce := func() piece {
		if err := s.stopped(); err != nil {
			return piece{err: err}
		}
		states, err := m.next()
		return piece{states, err}
	}
	next := produce
	if s.workers > 1 {
		// Of two pieces of memory one is filled while the other is used: a piece
		// is taken over when the one before it is done with.
		made, enough := make(chan piece), make(chan struct{})
		var group sync.WaitGroup
		group.Go(func() {
			var other []uint64
			for {
				p := produce()
				select {
				case made <- p:
				case <-enough:
					return
				}
				if p.err != nil || len(p.states) == 0 {
					return
				}
				m.out, other = other, m.out
			}
		})
		defer group.Wait()
		defer close(enough)
		next = func() piece { return <-made }
	}
	for {
		p := next()
		if p.err != nil || len(p.states) == 0 {
			return p.err
		}
		if err := f(p.states); err != nil {
			return err
		}
	}
}

// lookup is one goroutine's way through the runs.
type lookup struct{ cursors []*cursor }

// reset begins anew with the states that there are now.
func (l *lookup) reset(v *visited) {
	for i, r := range v.runs {
		if i < len(l.cursors) && l.cursors[i].run == r {
			l.cursors[i].block = -1
			continue
		}
		if l.cursors = l.cursors[:min(i, len(l.cursors))]; i == len(l.cursors) {
			l.cursors = append(l.cursors, newCursor(r, v.sizes.read))
		}
	}
	l.cursors = l.cursors[:len(v.runs)]
}

// subtract drops those of some sorted states that were visited. Between two
// resets of the lookup states rise.
func (v *visited) subtract(states []uint64, l *lookup) ([]uint64, error) {
	w := v.width
	for i := len(v.lists) - 1; i >= 0; i-- {
		states = without(states, v.lists[i], w)
	}
	if len(v.runs) == 0 {
		return states, nil
	}
	k := 0
	for at := 0; at < len(states); at += w {
		s := states[at : at+w]
		h, known := hash(s), false
		for i := len(v.runs) - 1; i >= 0 && !known; i-- {
			var err error
			if known, err = l.cursors[i].has(s, h); err != nil {
				return nil, err
			}
		}
		if !known {
			copy(states[k:k+w], s)
			k += w
		}
	}
	return states[:k], nil
}

func (v *visited) bytes() (n int64) {
	for _, r := range v.runs {
		n += r.bytes()
	}
	for _, l := range v.lists {
		n += 8 * int64(cap(l))
	}
	return n
}

// drop lets everything go.
func (v *visited) drop() {
	v.wait() // whatever came of it
	for _, r := range v.runs {
		r.close()
	}
	v.runs, v.lists, v.words = nil, nil, 0
}
