package traces

import "dlcheck/model"

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
}

// Overlaps says whether some tick lies in both.
func (l *Lease) Overlaps(m *Lease) bool { return l.Start < m.End && m.Start < l.End }

// Leases reads the record of grants out of the trace, in order of grants.
func (t *Trace) Leases() []Lease {
	var out []Lease
	for i := range t.Events {
		e := &t.Events[i]
		switch e.Kind {
		case model.Acquire:
			for _, s := range e.Granted {
				out = append(out, Lease{s, e.Client, e.Tick, e.Tick + t.Config.TTL, e.Token, i})
			}
		case model.Release:
			for _, s := range e.Freed {
				// The newest lease of that server and client, if it still runs.
				for k := len(out) - 1; k >= 0; k-- {
					if l := &out[k]; l.Server == s && l.Client == e.Client {
						l.End = min(l.End, e.Tick)
						break
					}
				}
			}
		}
	}
	return out
}
