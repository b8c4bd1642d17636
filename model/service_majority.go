package model

func init() {
	Services.Add(Entry[Service]{
		Name: "majority",
		Doc:  "lock servers with one clock; a grant needs a majority of them, a lease ends by itself",
		New:  func(w *World, l *Layout) Service { return NewMajority(w, l) },
	})
}

// Majority is a number of lock servers that a client asks all at once. Each
// grants a lease when it has none outstanding. The token is the largest of the
// granted counters. Where no axis makes them drift, every request reaches every
// server, so they stay in step and the token only grows.
type Majority struct {
	w       *World
	Holder  []Field // whose lease it is
	Left    []Field // ticks left; half-open: granted at t, over at t+ttl
	Counter []Field // grants so far
	quorum  int
	weight  int // how many servers each copy stands for
	// shut has for each server variables that keep it from granting while
	// they are not 0.
	shut     [][]Field
	releases int // a choice of the axis release
}

// NewMajority claims the variables of the servers.
func NewMajority(w *World, l *Layout) *Majority {
	m := &Majority{w: w, releases: release.Of(&w.Config), quorum: w.Config.Servers/2 + 1, weight: w.Config.Servers / l.Servers}
	w.servers = m
	l.EachServer(&m.Holder, "server.holder", w.Config.Clients, ClientRef)
	l.EachServer(&m.Left, "server.left", w.Config.TTL, w.LeaseScale())
	if w.needs.Tokens {
		l.EachServer(&m.Counter, "server.counter", w.MaxToken(), Token)
	} else {
		m.Counter = make([]Field, l.Servers)
	}
	return m
}

// bits stands for the servers that copy i stands for.
func (m *Majority) bits(i int) uint64 {
	return (^uint64(0) >> (64 - m.weight)) << (i * m.weight)
}

// copyOf is the copy that stands for a server.
func (m *Majority) copyOf(server int) int { return server / m.weight }

// open says whether server i would grant a lease.
func (m *Majority) open(s State, i int) bool {
	if m.Holder[i].Get(s) != 0 {
		return false
	}
	for _, shut := range m.shut {
		if shut[i].Get(s) != 0 {
			return false
		}
	}
	return true
}

// free is the set of copies that would grant a lease.
func (m *Majority) free(s State) (copies uint64) {
	for i := range m.Holder {
		if m.open(s, i) {
			copies |= 1 << i
		}
	}
	return copies
}

// Free wants a majority of servers that would grant a lease.
func (m *Majority) Free(s State, _ int) bool {
	free := 0
	for i := range m.Holder {
		if m.open(s, i) {
			free += m.weight
		}
	}
	return free >= m.quorum
}

// Grant takes the lease of every free server. The token is the largest of
// their counters.
func (m *Majority) Grant(s State, c int) (token int, servers uint64) {
	for i := range m.Holder {
		if m.open(s, i) {
			token = max(token, m.GrantOne(s, c, i))
			servers |= m.bits(i)
		}
	}
	return token, servers
}

// GrantOne gives the lease of server i to client c.
func (m *Majority) GrantOne(s State, c, i int) (token int) {
	token = m.Counter[i].Get(s) + 1
	m.Counter[i].Set(s, token)
	m.Holder[i].Set(s, c+1)
	m.Left[i].Set(s, m.w.Config.TTL)
	return token
}

// Release frees every server that c still holds, and only those; see the axis
// release for other ways. The answer has those that were c's.
func (m *Majority) Release(s State, c int) (servers uint64) {
	if m.releases == releaseNever {
		return 0
	}
	for i, h := range m.Holder {
		switch holder := h.Get(s); {
		case holder == c+1:
			servers |= m.bits(i)
			m.freeOne(s, i)
		case m.releases == releaseBlind:
			m.freeOne(s, i)
		}
	}
	return servers
}

// freeOne ends the lease of server i.
func (m *Majority) freeOne(s State, i int) {
	m.Holder[i].Set(s, 0)
	m.Left[i].Set(s, 0)
}

// Holds counts the unexpired leases of c.
func (m *Majority) Holds(s State, c int) bool {
	n := 0
	for _, h := range m.Holder {
		if h.Get(s) == c+1 {
			n += m.weight
		}
	}
	return n >= m.quorum
}

// Expire frees a server when nothing is left of its lease.
func (m *Majority) Expire(s State) (servers uint64) {
	for i, left := range m.Left {
		if left.Get(s) == 0 && m.Holder[i].Get(s) != 0 {
			m.Holder[i].Set(s, 0)
			servers |= m.bits(i)
		}
	}
	return servers
}

// Leases lists what each server has outstanding.
func (m *Majority) Leases(s State, yield func(server, client, left int)) {
	for i, h := range m.Holder {
		for k := range m.weight {
			yield(i*m.weight+k, h.Get(s)-1, m.Left[i].Get(s))
		}
	}
}
