package model

// Service is what grants the lock. It claims variables of its own, those of a
// Majority among them, into which axes reach.
type Service interface {
	// Free says whether an attempt by client c would be granted in s.
	Free(s State, c int) bool
	// Grant gives the lock to client c, which Free allowed: the token, and a
	// bit for each server that granted a lease.
	Grant(s State, c int) (token int, servers uint64)
	// Release gives up what client c holds: a bit for each server freed.
	Release(s State, c int) (servers uint64)
	// Holds says whether client c holds the lock in s.
	Holds(s State, c int) bool
	// Expire is called in each tick, after countdowns were lowered: a bit
	// for each server whose lease ran out.
	Expire(s State) (servers uint64)
	// Leases lists for each server the client that holds its lease, or
	// Nobody, and for how many more ticks.
	Leases(s State, yield func(server, client, left int))
}

// Services are the lock services there are.
var Services = Catalog[Service]{what: "lock service"}

// Holds says whether client c holds the lock in s.
func (w *World) Holds(s State, c int) bool { return w.service.Holds(s, c) }

// Holder is the client that holds the lock in s, or Nobody.
func (w *World) Holder(s State) int {
	for c := range w.Config.Clients {
		if w.service.Holds(s, c) {
			return c
		}
	}
	return Nobody
}

// Leases lists for each server the client that holds its lease, or Nobody,
// and for how many more ticks.
func (w *World) Leases(s State, yield func(server, client, left int)) { w.service.Leases(s, yield) }

// Free says whether an attempt by client c to acquire would be granted in s.
func (w *World) Free(s State, c int) bool { return w.service.Free(s, c) }
