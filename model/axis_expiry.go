package model

// The expiry says who ends a lease that is not released.
var _ = NewAxis(Axis{
	Name: "expiry",
	Doc: "who ends a lease that is not released: the server's clock (server); nobody (never, as with flock); each contender's own clock, a ttl after it saw the " +
		"record change (observed, as in Kubernetes and DynamoDB's lock client); a time that the holder wrote, on the contender's clock (absolute); or any moment (any), which is every ttl at once",
	Choices:  []string{"server", "never", "observed", "absolute", "any"},
	Conflict: expiryConflict,
})

const (
	expiryServer = iota
	expiryNever
	expiryObserved
	expiryAbsolute
	expiryAny
)

func expiryConflict(c *Config) string {
	if valueOf(c, "expiry") == expiryObserved && c.Servers > 1 {
		return "contenders watch one record; ask for 1 server"
	}
	if c.Lapses() {
		if c.Servers > 1 {
			return "servers in step are as good as one; ask for 1 server"
		}
		for _, name := range []string{"renewal", "adopt"} {
			if valueOf(c, name) != 0 {
				return "a lease that may end at any moment has no time left to speak of; leave " + name + " out"
			}
		}
	}
	return withoutLock(c)
}

// withoutServersClock is the conflict of axes that are about the servers' clocks.
func withoutServersClock(c *Config) string {
	if valueOf(c, "expiry") != expiryServer {
		return "it has no effect where no server's clock ends a lease"
	}
	return withoutLock(c)
}

// Endless says whether a lease lasts until it is released.
func (c *Config) Endless() bool { return valueOf(c, "expiry") == expiryNever }

// Lapses says whether a lease may end at any moment.
func (c *Config) Lapses() bool { return valueOf(c, "expiry") == expiryAny }

// Observed says whether contenders go by how long they have not seen the record
// change. No tick ends a lease then: it is over when another is granted.
func (c *Config) Observed() bool { return valueOf(c, "expiry") == expiryObserved }

// LeaseScale is the scale of a variable that has what is left of a lease.
func (w *World) LeaseScale() Scale {
	if w.Config.Endless() || w.Config.Lapses() {
		return Plain // the clock leaves it alone
	}
	return Countdown
}

// Lapse is the end of a lease that may end at any moment. A world in which all may
// has the schedules of every ttl.
var Lapse = NewKind("lapse")

// Look is a contender that looks at the lock's record, which someone holds,
// sees that it has changed, and starts its own clock.
var Look = NewKind("look")

// expiryRule is how the clients, where it is they who judge, see the leases of a
// Majority.
type expiryRule struct {
	rule int
	m    *Majority
	// seen says that a client has seen the record as it is; watch is for how
	// many more ticks of its clock it must stay so to be taken for dead.
	seen, watch []Field
	// ahead is by how many ticks a client's clock is ahead of the right time.
	// What is left of a lease is kept as a clock that is right sees it.
	ahead []Field
}

func (e *expiryRule) claim(w *World, l *Layout, m *Majority) {
	e.rule, e.m = w.axis("expiry"), m
	none := make([]Field, w.Config.Clients)
	e.seen, e.watch, e.ahead = none, none, none
	most := w.Config.TTL
	switch e.rule {
	case expiryObserved:
		l.EachClient(&e.seen, "seen", 1, Plain)
		l.EachClient(&e.watch, "watch", w.Config.TTL, Countdown)
	case expiryAbsolute:
		jumps := w.axis("client-jumps")
		l.EachClient(&e.ahead, "ahead", jumps, Plain)
		w.atEnd = append(w.atEnd, e.ahead)
		most += jumps
	}
	if e.rule == expiryAny {
		m.Left = make([]Field, l.Servers) // nothing counts
		return
	}
	l.EachServer(&m.Left, "server.left", most, w.LeaseScale())
}

// lapses appends that a lease ends, where any may at any moment.
func (e *expiryRule) lapses(s State, out *Steps) {
	for i, h := range e.m.Holder {
		if h.Get(s) == 0 {
			continue
		}
		c := h.Get(s) - 1
		n := out.Fork(s, Action{Kind: Lapse, Client: int8(c), OK: true, Servers: e.m.bits(i)})
		e.m.freeOne(n, i)
		e.m.w.history.lease[c].Set(n, 0)
	}
}

// over says whether client c takes the lease of server i for over.
func (e *expiryRule) over(s State, c, i int) bool {
	switch e.rule {
	case expiryObserved:
		return e.seen[c].Get(s) != 0 && e.watch[c].Get(s) == 0
	case expiryAbsolute:
		return e.m.Left[i].Get(s) <= e.ahead[c].Get(s)
	}
	return false
}

// written is what is left, on a clock that is right, of a lease that c writes
// down by its own.
func (e *expiryRule) written(s State, c, ticks int) int { return ticks + e.ahead[c].Get(s) }

// changed makes the record one that nobody has seen yet.
func (e *expiryRule) changed(s State) {
	if e.rule != expiryObserved {
		return
	}
	for c := range e.seen {
		e.forget(s, c)
	}
}

// forget clears what c, which contends no longer, has seen.
func (e *expiryRule) forget(s State, c int) {
	e.seen[c].Set(s, 0)
	e.watch[c].Set(s, 0)
}

// look appends a contender's look at the record.
func (e *expiryRule) look(s State, c int, out *Steps) {
	if e.rule != expiryObserved || e.m.Holder[0].Get(s) == 0 || e.seen[c].Get(s) != 0 {
		return
	}
	w := e.m.w
	n := out.Fork(s, Action{Kind: Look, Client: int8(c), OK: true})
	e.seen[c].Set(n, 1)
	e.watch[c].Set(n, w.Config.TTL)
	w.endStep(n, c)
}

// gain puts c's clock ahead.
func (e *expiryRule) gain(n State, c, by int) {
	e.watch[c].Set(n, max(0, e.watch[c].Get(n)-by))
	e.ahead[c].Set(n, e.ahead[c].Get(n)+by)
}
