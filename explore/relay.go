package explore

import (
	"slices"
	"sync"
	"sync/atomic"
)

// A relay lets workers share a wave. Each has a role: a part of the shards that is its
// own. It expands segments, whichever is the next that nobody has begun, and between
// two of them hands those that are done to its part, in their order, its own like all
// others. So it puts states only where nobody else does, nobody waits until a whole wave is
// expanded, and what was generated is soon read, while it is in a cache: with all
// segments expanded first, and absorbed then, a search of six million states took an
// eighth more time with two workers.
type relay struct {
	roles []role
	crew  *crew

	// The wave.
	of       *[shards]shard
	first    int // number of its first slice
	slices   int
	begun    atomic.Int64                         // how many of them
	done     [maxSegments]atomic.Pointer[segment] // by slice, as soon as it is expanded
	outcomes [maxSegments]outcome                 // by slice, when done says so
	broken   atomic.Bool                          // a role was left before its end
	sleepers atomic.Int64
	mu       sync.Mutex
	changed  sync.Cond // something is done or free, or it is broken
}

// A role is what belongs to a part of the shards: segments that whoever plays the role
// expands, and can use again when all parts have had them.
type role struct {
	segments [segmentsEach]segment
	_        [64]byte
}

// segmentsEach is how many a role has: one that is expanded, one that is absorbed, and
// some for parts that are late.
const segmentsEach = 4

func newRelay(width, workers int, crew *crew) *relay {
	r := &relay{crew: crew, roles: make([]role, min(workers, shards))}
	r.changed.L = &r.mu
	for i := range r.roles {
		for k := range r.roles[i].segments {
			g := &r.roles[i].segments[k]
			g.quick, g.late = newParted(width, len(r.roles)), newParted(width, len(r.roles))
		}
	}
	return r
}

// begin sets the wave.
func (r *relay) begin(of *[shards]shard, first, slices int) {
	r.of, r.first, r.slices = of, first, slices
	r.begun.Store(0)
	for i := range r.done {
		r.done[i].Store(nil)
	}
	for i := range r.roles {
		for k := range r.roles[i].segments {
			r.roles[i].segments[k].wanted.Store(0)
		}
	}
}

// play plays a role to the end of the wave, or up to the first segment that was not
// expanded to its end. expand expands a segment.
//
// It waits only for a segment that somebody is expanding, or for a part that is behind
// and has all it needs to go on, or until somebody has left: so it does not wait for ever.
// Segments are begun in ascending order: what a worker has sent lately must come before
// what it sends now.
func (r *relay) play(me int, w *worker, expand func(g *segment, slice int)) {
	left := true // by a panic or runtime.Goexit
	defer func() {
		if left {
			r.broken.Store(true)
			r.wake()
		}
	}()
	for next, more := 0, true; next < r.slices && !r.broken.Load(); {
		if g := r.done[next].Load(); g != nil {
			if g.failed() {
				break
			}
			w.settle(r.of, &g.quick[me], due)
			w.settle(r.of, &g.late[me], g.later)
			next++
			if g.wanted.Add(-1) == 0 {
				r.wake()
			}
		} else if g := r.free(me); g != nil && more {
			slice := int(r.begun.Add(1)) - 1
			if more = slice < r.slices; !more {
				continue
			}
			g.wanted.Store(int32(len(r.roles))) // before anybody sees that it is done
			expand(g, r.first+slice)
			r.outcomes[slice] = g.outcome
			r.done[slice].Store(g)
			r.wake()
		} else {
			r.wait(func() bool { return r.done[next].Load() != nil || more && r.free(me) != nil || r.broken.Load() })
		}
	}
	left = false
}

// free is a segment of a role that no part wants any more, or nil.
func (r *relay) free(me int) *segment {
	for i := range r.roles[me].segments {
		if g := &r.roles[me].segments[i]; g.wanted.Load() == 0 {
			return g
		}
	}
	return nil
}

// wait waits awake for a while, and then asleep.
func (r *relay) wait(ready func() bool) {
	if r.crew.soon(ready) {
		return
	}
	r.mu.Lock()
	r.sleepers.Add(1) // before it looks again: see wake
	for !ready() {
		r.changed.Wait()
	}
	r.sleepers.Add(-1)
	r.mu.Unlock()
}

// wake is called when there is something new. Who does not see the sleeper, it has not
// looked again yet, and will see what is new.
func (r *relay) wake() {
	if r.sleepers.Load() > 0 {
		r.mu.Lock()
		r.changed.Broadcast()
		r.mu.Unlock()
	}
}

// results are the outcomes of the wave's slices, up to the first that was not expanded to
// its end.
func (r *relay) results() []outcome {
	all := r.outcomes[:r.slices]
	if i := slices.IndexFunc(all, func(o outcome) bool { return o.failed() }); i >= 0 {
		return all[:i+1]
	}
	return all
}

// failure is the error of a slice that was not expanded to its end, if any.
func (r *relay) failure() error {
	for i := range r.slices {
		if g := r.done[i].Load(); g != nil && r.outcomes[i].err != nil {
			return r.outcomes[i].err
		}
	}
	return nil
}

func (r *relay) bytes() (n int64) {
	for i := range r.roles {
		for k := range r.roles[i].segments {
			n += r.roles[i].segments[k].bytes()
		}
	}
	return n
}
