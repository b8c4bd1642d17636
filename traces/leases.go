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

// LeaseEnd is the tick at which a lease that is granted at a tick is over, if
// it is not released.
func (t *Trace) LeaseEnd(tick int) int {
	if t.Config.Endless() {
		return math.MaxInt
	}
	return tick + t.Config.TTL
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

// Leases reads the record of grants out of the trace, in order of grants.
func (t *Trace) Leases() []Lease {
	var out []Lease
	for i := range t.Events {
		e := &t.Events[i]
		switch e.Kind {
		case model.Acquire, model.Unheard:
			for _, s := range e.Granted {
				out = append(out, Lease{
					Server: s, Client: e.Client, Start: e.Tick, End: t.LeaseEnd(e.Tick), Token: e.Token,
					At: i, Term: t.LeaseEnd(e.Tick), Released: -1,
				})
			}
		case model.Release:
			if !t.Config.Releases() {
				continue
			}
			for k := range out {
				if l := &out[k]; l.Client == e.Client && e.Tick < l.End {
					l.End, l.Released = e.Tick, i
				}
			}
		}
	}
	return out
}
