package checker

import (
	"dlcheck/model"
	"dlcheck/traces"
)

// lease is one lease of one server by the record of grants: the half-open
// interval [start, end). A lease granted at tick 0 with ttl 10 covers the ticks
// 0 to 9; the next one may start at 10 without overlapping it. A release cuts
// the interval short, so that the record says what was, not what was meant.
type lease struct {
	server, client int
	start, end     int
	grant          int // number of the grant it belongs to, from 1
	at             int // index of the event that granted it
}

func (l *lease) overlaps(m *lease) bool { return l.start < m.end && m.start < l.end }

// leasesOf reads the record of grants of a trace.
func leasesOf(t *traces.Trace) []lease {
	var out []lease
	grant := 0
	for i := range t.Events {
		e := &t.Events[i]
		switch e.Kind {
		case model.Acquire:
			grant++
			for _, s := range e.Granted {
				out = append(out, lease{s, e.Client, e.Tick, e.Tick + t.Config.TTL, grant, i})
			}
		case model.Release:
			for _, s := range e.Freed {
				// The newest lease of that server and client, if it still runs.
				for k := len(out) - 1; k >= 0; k-- {
					l := &out[k]
					if l.server == s && l.client == e.Client {
						l.end = min(l.end, e.Tick)
						break
					}
				}
			}
		}
	}
	return out
}

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
	case model.Acquire:
		r.grants++
		r.under[e.Client] = r.grants
		if len(e.Granted) > r.t.Config.Servers/2 {
			r.holds[e.Client] = span{e.Tick, e.Tick + r.t.Config.TTL}
		}
	case model.Release:
		delete(r.holds, e.Client)
	}
}

// holdsLock says whether the client holds a majority at that tick, by the
// record of grants.
func (r *record) holdsLock(client, tick int) bool {
	s, ok := r.holds[client]
	return ok && s.start <= tick && tick < s.end
}
