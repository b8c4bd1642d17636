package checker

import (
	"dlcheck/model"
	"dlcheck/traces"
)

// record is the log of a trace up to some event, kept event by event.
type record struct {
	t      *traces.Trace
	grants int         // grants so far
	under  map[int]int // client -> number of its newest grant
	holds  map[int]span
}

// span is for how long a client's majority lasts, by the record.
type span struct{ start, end int }

func newRecord(t *traces.Trace) *record {
	return &record{t: t, under: map[int]int{}, holds: map[int]span{}}
}

// see takes the next event.
func (r *record) see(e *traces.Event) {
	switch e.Kind {
	case model.Acquire, model.Unheard:
		r.grants++
		if e.Kind == model.Acquire {
			r.under[e.Client] = r.grants
		}
		if len(e.Granted) > r.t.Config.Servers/2 {
			r.holds[e.Client] = span{e.Tick, r.t.LeaseEnd(e.Tick)}
		}
	case model.Release:
		if r.t.Config.Releases() {
			delete(r.holds, e.Client)
		}
	}
}

// holdsLock says whether the client holds a majority at that tick, by the
// record of grants.
func (r *record) holdsLock(client, tick int) bool {
	s, ok := r.holds[client]
	return ok && s.start <= tick && tick < s.end
}
