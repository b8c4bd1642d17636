package explore

import (
	"runtime"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// A crew is the goroutines that share the work of a search. They stay from the
// first shared job to the end of the search, and each waits for the next job awake,
// for a short while, before it goes to sleep: a search has thousands of jobs of some
// tenths of a millisecond, and to wake a sleeping thread takes a good part of
// that: with two workers, one was at work for a quarter less than the other.
type crew struct {
	group errgroup.Group
	size  int // the caller is one of them
	spins int // how often to look before going to sleep

	// The job. It is written before jobs is raised, and read after; and nobody is at
	// it any more when the next one is written, since share waits until none is busy.
	do    func(worker, i int)
	parts int           // at most 64
	taken atomic.Uint64 // set of them
	busy  atomic.Int64  // members, but the caller, that are not done with it
	jobs  atomic.Uint64 // how many there were
	quit  atomic.Bool   // may come in the middle of a job, if that does not return to the caller

	mu   sync.Mutex
	job  sync.Cond // there is another one
	done sync.Cond // nobody is busy
}

// mostSpins is a few tenths of a millisecond.
const mostSpins = 1 << 18

// newCrew starts all members but one, who is the caller of share.
func newCrew(size int) *crew {
	c := &crew{size: size}
	c.job.L, c.done.L = &c.mu, &c.mu
	if size <= runtime.GOMAXPROCS(0) {
		c.spins = mostSpins
	}
	for worker := 1; worker < size; worker++ {
		c.group.Go(func() error {
			c.work(worker)
			return nil
		})
	}
	return c
}

// share calls do with each number below parts, of which there are at most 64. It
// returns when all is done. Each member begins with a share that is always its own, so
// that what belongs to these parts is mostly in its cache. Of as many parts as there are
// members each takes one, unless it comes so late that others are done with theirs.
// If do ends the goroutine of a member, that part was not done, and share must not be
// called again.
func (c *crew) share(parts int, do func(worker, i int)) {
	c.do, c.parts = do, parts
	c.taken.Store(0)
	c.call()
	c.take(0)
	if !c.soon(func() bool { return c.busy.Load() == 0 }) {
		c.mu.Lock()
		for c.busy.Load() != 0 {
			c.done.Wait()
		}
		c.mu.Unlock()
	}
}

// dismiss ends the crew.
func (c *crew) dismiss() {
	c.quit.Store(true)
	c.call()
	_ = c.group.Wait() // they have no errors
}

// call has everybody look at the job.
func (c *crew) call() {
	c.busy.Store(int64(c.size - 1))
	c.mu.Lock() // or a member might miss it who is going to sleep
	c.jobs.Add(1)
	c.job.Broadcast()
	c.mu.Unlock()
}

// work is what a member does.
func (c *crew) work(worker int) {
	for seen := uint64(0); ; {
		if !c.soon(func() bool { return c.jobs.Load() != seen }) {
			c.mu.Lock()
			for c.jobs.Load() == seen {
				c.job.Wait()
			}
			c.mu.Unlock()
		}
		seen++
		if c.quit.Load() {
			return
		}
		func() {
			defer c.finish() // even if the job ends this goroutine
			c.take(worker)
		}()
	}
}

// finish says that a member is done with the job.
func (c *crew) finish() {
	if c.busy.Add(-1) == 0 {
		c.mu.Lock() // or the caller might miss it who is going to sleep
		c.done.Signal()
		c.mu.Unlock()
	}
}

// take does parts of the job as long as there are any.
func (c *crew) take(worker int) {
	first := worker * c.parts / c.size
	for k := range c.parts {
		i := (first + k) % c.parts
		if c.taken.Load()>>i&1 == 0 && c.taken.Or(1<<i)>>i&1 == 0 {
			c.do(worker, i)
		}
	}
}

// soon waits awake.
func (c *crew) soon(ready func() bool) bool {
	for range c.spins {
		if ready() {
			return true
		}
	}
	return ready()
}
