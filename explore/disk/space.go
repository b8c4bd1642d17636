package disk

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"dlcheck/explore"
)

// sizes say how the memory is shared out. All are in bytes, but piece.
type sizes struct {
	candidates int // of the buckets to come; up to three times that while they are sorted
	lists      int // of what was visited lately; twice that while they are merged
	filters    int
	tail       int // of the journal
	recent     int // a worker's two caches, each
	block      int // of a run: about what is read at a time
	write      int // of a run: what is written at a time
	read       int // of a run: what is read ahead
	send       int // what a worker gathers before it sends it off
	piece      int // states that a merge gives at a time
}

// Least is how little memory a search of states of any width can do with.
func Least(workers int) int64 {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	return least(workers, 16)
}

// least is how little memory a search can do with.
func least(workers, width int) int64 {
	return int64(64<<10 + workers*(32<<10) + width*(16<<10))
}

// sharesOf cuts up so many bytes.
func sharesOf(memory int64, workers, width int) sizes {
	m := int(min(memory, 1<<40))
	between := func(low, n, high int) int { return max(low, min(n, high)) }
	return sizes{
		candidates: m / 6,
		lists:      m / 8,
		filters:    m / 8,
		tail:       m / 32,
		recent:     between(1<<10, m/32/workers, 1<<19),
		block:      between(1<<8, m>>14, 1<<12),
		write:      between(1<<12, m>>9, 1<<20),
		read:       between(1<<11, m>>11, 1<<17),
		send:       between(1<<10, m>>12, 1<<15),
		piece:      between(64, m>>12/width, 1<<14),
	}
}

// space is what the parts of a search share.
type space struct {
	folder  *Folder
	width   int
	sizes   sizes
	workers int
	// cancelled follows the context: looking at it often is next to free.
	cancelled atomic.Bool

	scratch []uint64   // where candidates are sorted
	temps   [][]uint64 // of each worker, for sorting
	parts   [][]uint64
}

// stopped is the context's error.
func (s *space) stopped() error {
	if s.cancelled.Load() {
		return context.Canceled
	}
	return nil
}

// share has the workers call f with each number below n, rising for each worker,
// until one of them fails or has ended its goroutine (explore.ErrLeft).
func (s *space) share(n int, f func(worker, i int) error) error {
	if n == 1 || s.workers == 1 {
		for i := range n {
			if err := f(0, i); err != nil {
				return err
			}
		}
		return nil
	}
	var next, returned atomic.Int64
	var group errgroup.Group
	var failed atomic.Bool
	workers := min(s.workers, n)
	for w := range workers {
		group.Go(func() error {
			var err error
			for i := int(next.Add(1)) - 1; i < n && err == nil && !failed.Load(); i = int(next.Add(1)) - 1 {
				err = f(w, i)
			}
			if err != nil {
				failed.Store(true)
			}
			returned.Add(1)
			return err
		})
	}
	err := group.Wait()
	if panicked := (*explore.PanicError)(nil); returned.Load() < int64(workers) && !errors.As(err, &panicked) {
		return explore.ErrLeft // which no lack of room, and nobody's interrupt, may hide
	}
	return err
}

// partDigit is how many bits the first digit has, by which candidates are cut
// into parts for the workers.
const partDigit = 10

// sorted sorts candidates and drops those that are twice there. They come in
// parts, sorted, each greater than the one before; a worker hands each to each,
// if that is not nil, which may drop more. The parts are good until the next
// call.
func (s *space) sorted(chunks [][]uint64, words int, each func(worker int, part []uint64) ([]uint64, error)) ([][]uint64, error) {
	if cap(s.scratch) < words {
		s.scratch = make([]uint64, words+words/4)
	}
	all := s.scratch[:words]
	s.parts = s.parts[:0]
	if words == 0 {
		return s.parts, nil
	}
	var ends []int
	if words < 1<<12 || words > 1<<31 {
		at := 0
		for _, c := range chunks {
			at += copy(all[at:], c)
		}
		ends = append(ends, words)
	} else {
		ends = s.deal(all, chunks)
	}
	s.parts = append(s.parts, make([][]uint64, len(ends))...)
	err := s.share(len(ends), func(worker, i int) (err error) {
		from := 0
		if i > 0 {
			from = ends[i-1]
		}
		part := all[from:ends[i]]
		if len(part) == 0 {
			return s.stopped()
		}
		if cap(s.temps[worker]) < len(part) {
			s.temps[worker] = make([]uint64, len(part)+len(part)/4)
		}
		part = sortStates(part, s.temps[worker], s.width)
		if each != nil {
			part, err = each(worker, part)
		}
		s.parts[i] = part
		return err
	})
	if err != nil {
		return nil, err
	}
	return s.parts, nil
}

// deal copies states to all, by their first digit, and says where each digit's
// end.
func (s *space) deal(all []uint64, chunks [][]uint64) (ends []int) {
	width := s.width
	diff := make([]uint64, width)
	first := chunks[0][:width]
	for _, c := range chunks {
		if width == 1 {
			var d uint64
			for _, w := range c {
				d |= w ^ first[0]
			}
			diff[0] |= d
			continue
		}
		for at := 0; at < len(c); at += width {
			for i := range diff {
				diff[i] |= c[at+i] ^ first[i]
			}
		}
	}
	sp := spreadOf(diff)
	if sp.word == width { // all are equal
		copy(all, first)
		return []int{width}
	}
	d := sp.digit(partDigit)
	to := make([]int, 1<<partDigit+1)
	for _, c := range chunks {
		for at := d.word; at < len(c); at += width {
			to[1+c[at]>>d.shift&d.mask] += width
		}
	}
	for i := 1; i < len(to); i++ {
		to[i] += to[i-1]
	}
	for _, c := range chunks {
		if width == 1 {
			for _, w := range c {
				x := w >> d.shift & d.mask
				all[to[x]] = w
				to[x]++
			}
			continue
		}
		for at := 0; at < len(c); at += width {
			x := c[at+d.word] >> d.shift & d.mask
			copy(all[to[x]:to[x]+width], c[at:at+width])
			to[x] += width
		}
	}
	return to[:d.mask+1]
}

// tooLittle says what a search needs at least.
func tooLittle(memory int64, workers, width int) error {
	if n := least(workers, width); memory > 0 && memory < n {
		return fmt.Errorf("a memory of %d bytes is too little: with %d workers and states of %d words a search on disk takes at least %d", memory, workers, width, n)
	}
	return nil
}
