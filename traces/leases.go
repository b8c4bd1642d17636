package traces

import (
	"fmt"
	"math"

	"dlcheck/model"
)

// Lease is one lease of one server by the record of grants: the half-open
// interval [Start, End) in ticks. A lease granted at tick 0 with ttl 10 covers
// the ticks 0 to 9; the next one may start at 10 without overlapping it. A
// release cuts the interval short, so that the record says what was, not what
// was meant.
type Lease struct {
	Server, Client int
	Start, End     int
	Token          int
	At             int // index of the event that granted it
	Term           int // the End that it would have without a release
	Released       int // index of the event that released it before its term, or -1
}

// Overlaps says whether a lease that was granted later begins before this one
// is over: before its term or, if it was released by then, its release. Within
// a tick the order of events decides.
func (l *Lease) Overlaps(later *Lease) bool {
	end := l.Term
	if l.Released >= 0 && l.Released < later.At {
		end = l.End
	}
	return later.Start < end
}

// LeaseEnd is the tick at which the lease is over that an event begins or makes
// longer, if it is not released.
func (t *Trace) LeaseEnd(e *Event) int {
	if t.Config.Endless() || t.Config.Lapses() {
		return math.MaxInt
	}
	return e.Tick + e.Lasts
}

// EndText is the end of a lease, to be read: a tick, or "for ever".
func EndText(end int) string {
	if end == math.MaxInt {
		return "for ever"
	}
	return fmt.Sprintf("to tick %d", end)
}

// Text writes the lease as a half-open interval, such as [0,10).
func (l *Lease) Text() string {
	if l.End == math.MaxInt {
		return fmt.Sprintf("[%d,for ever)", l.Start)
	}
	return fmt.Sprintf("[%d,%d)", l.Start, l.End)
}

// lasting finds the lease of a server that a renewal makes longer, if there is one.
func lasting(all []Lease, server int, e *Event) *Lease {
	if e.IsGrant() {
		return nil
	}
	for i := len(all) - 1; i >= 0; i-- {
		if l := &all[i]; l.Server == server && l.Client == e.Client && l.Released < 0 && e.Tick < l.End {
			return l
		}
	}
	return nil
}

// Leases reads the record of grants out of the trace, in order of grants. A lease
// that was renewed while it lasted is one, with its last end; renewed later, or
// taken again by a renewal, it is another.
func (t *Trace) Leases() []Lease {
	var out []Lease
	for i := range t.Events {
		e := &t.Events[i]
		switch {
		case e.IsLease():
			for _, s := range e.Granted {
				end := t.LeaseEnd(e)
				if l := lasting(out, s, e); l != nil {
					l.End, l.Term = end, end
					continue
				}
				out = append(out, Lease{
					Server: s, Client: e.Client, Start: e.Tick, End: end, Token: e.Token,
					At: i, Term: end, Released: -1,
				})
			}
		case e.Kind == model.Lapse, e.Kind == model.Release && t.Config.Releases():
			for k := range out {
				if l := &out[k]; l.Client == e.Client && e.Tick < l.End {
					l.End, l.Released = e.Tick, i
				}
			}
		}
	}
	return out
}
