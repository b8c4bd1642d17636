package checker

import (
	"dlcheck/model"
	"dlcheck/traces"
)

// record is the log of a trace up to some event, kept event by event.
type record struct {
	t      *traces.Trace
	grants int         // grants so far
	under  map[int]int // client -> number of the grant that it works under
	newest map[int]int // client -> number of its newest grant, heard of or not
	holds  map[int]span
	// sent has the writes that are under way, by client.
	sent map[int]sent
}

// sent is a write that is under way.
type sent struct {
	grant   int  // that it belongs to
	awaited bool // its client waits for the answer
}

// span is for how long a client's majority lasts, by the record.
type span struct{ start, end int }

func newRecord(t *traces.Trace) *record {
	return &record{t: t, under: map[int]int{}, newest: map[int]int{}, holds: map[int]span{}, sent: map[int]sent{}}
}

// see takes the next event.
func (r *record) see(e *traces.Event) {
	if e.IsGrant() {
		r.grants++
		r.newest[e.Client] = r.grants
		if e.Kind != model.Unheard {
			r.under[e.Client] = r.grants
		}
	}
	if r.majority(e) {
		r.holds[e.Client] = span{e.Tick, r.t.LeaseEnd(e)}
	}
	switch e.Kind {
	case model.Adopt:
		r.under[e.Client] = r.newest[e.Client]
	case model.Send:
		r.sent[e.Client] = sent{r.under[e.Client], true}
	case model.GiveUp:
		r.sent[e.Client] = sent{r.sent[e.Client].grant, false}
	case model.Lapse:
		delete(r.holds, e.Client)
	case model.Release:
		if r.t.Config.Releases() {
			delete(r.holds, e.Client)
		}
	}
}

// majority says whether an event begins the leases of a majority of servers, or
// makes them longer.
func (r *record) majority(e *traces.Event) bool {
	return e.IsLease() && len(e.Granted) > r.t.Config.Servers/2
}

// written is the grant that a write, be it of now or of then, belongs to, and
// whether its client waits for the answer. It has to be asked of each write once,
// and in order.
func (r *record) written(e *traces.Event) (grant int, awaited bool) {
	if e.Kind == model.Write {
		return r.under[e.Client], true
	}
	s := r.sent[e.Client]
	r.sent[e.Client] = sent{s.grant, false} // of a copy nobody knows
	return s.grant, s.awaited
}

// holdsLock says whether the client holds a majority at that tick, by the
// record of grants.
func (r *record) holdsLock(client, tick int) bool {
	s, ok := r.holds[client]
	return ok && s.start <= tick && tick < s.end
}
