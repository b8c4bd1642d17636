package model

import "math/bits"

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
	grant   []Field // number of the grant that its lease is of, where that decides
	last    []Field // who was granted its lease last, where that decides the token
	quorum  int
	weight  int // how many servers each copy stands for
	// shut has for each server variables that keep it from granting while
	// they are not 0.
	shut     [][]Field
	releases int // a choice of the axis release
	tokens   int // a choice of the axis token
	leases   bool
	expiry   expiryRule
}

// NewMajority claims the variables of the servers.
func NewMajority(w *World, l *Layout) *Majority {
	m := &Majority{
		w: w, quorum: w.Config.Servers/2 + 1, weight: w.Config.Servers / l.Servers,
		releases: release.Of(&w.Config), tokens: token.Of(&w.Config), leases: w.Config.Leases(),
	}
	w.servers = m
	l.EachServer(&m.Holder, "server.holder", w.Config.Clients, ClientRef)
	m.expiry.claim(w, l, m)
	m.Counter, m.last, m.grant = make([]Field, l.Servers), make([]Field, l.Servers), make([]Field, l.Servers)
	if w.needs.grantIDs {
		l.EachServer(&m.grant, "server.grant", w.maxGrants(), Grant)
	}
	if w.needs.Tokens && m.tokens != tokenNone {
		l.EachServer(&m.Counter, "server.counter", w.MaxToken(), Token)
		if m.tokens == tokenPerHolder {
			l.EachServer(&m.last, "server.last", w.Config.Clients, ClientRef)
		}
	}
	return m
}

// bits stands for the servers that copy i stands for.
func (m *Majority) bits(i int) uint64 {
	return (^uint64(0) >> (64 - m.weight)) << (i * m.weight)
}

// copyOf is the copy that stands for a server.
func (m *Majority) copyOf(server int) int { return server / m.weight }

// open says whether server i would grant client c a lease.
func (m *Majority) open(s State, c, i int) bool {
	if m.Holder[i].Get(s) != 0 && !m.expiry.over(s, c, i) {
		return false
	}
	for _, shut := range m.shut {
		if shut[i].Get(s) != 0 {
			return false
		}
	}
	return true
}

// free is the set of copies that would grant client c a lease.
func (m *Majority) free(s State, c int) (copies uint64) {
	for i := range m.Holder {
		if m.open(s, c, i) {
			copies |= 1 << i
		}
	}
	return copies
}

// Free wants a majority of servers that would grant a lease.
func (m *Majority) Free(s State, c int) bool {
	free := 0
	for i := range m.Holder {
		if m.open(s, c, i) {
			free += m.weight
		}
	}
	return free >= m.quorum
}

// Grant takes the lease of every free server. The token is the largest of
// their counters.
func (m *Majority) Grant(s State, c int) (token int, servers uint64) {
	for i := range m.Holder {
		if m.open(s, c, i) {
			token = max(token, m.GrantOne(s, c, i))
			if m.leases {
				servers |= m.bits(i)
			}
		}
	}
	return token, servers
}

// GrantOne gives the lease of server i to client c.
func (m *Majority) GrantOne(s State, c, i int) (token int) {
	token = m.count(s, c, i)
	if m.leases {
		m.lease(s, c, i, m.w.Config.TTL)
		m.grant[i].Set(s, m.w.NewestGrant(s)+1) // which is being made
	}
	return token
}

// count makes the token of a grant of server i to client c.
func (m *Majority) count(s State, c, i int) (token int) {
	if m.tokens == tokenNone {
		return 0
	}
	token = m.Counter[i].Get(s)
	if m.tokens != tokenPerHolder || m.last[i].Get(s) != c+1 || token == 0 {
		token++
	}
	m.Counter[i].Set(s, token)
	m.last[i].Set(s, c+1)
	return token
}

// lease writes into server i that its lease is c's for so many ticks.
func (m *Majority) lease(s State, c, i, ticks int) {
	m.Holder[i].Set(s, c+1)
	m.Left[i].Set(s, m.expiry.written(s, c, ticks))
	m.expiry.changed(s)
}

// newest is the largest counter of all servers, or only of those that c holds.
func (m *Majority) newest(s State, c int) (token int) {
	for i := range m.Counter {
		if c == Nobody || m.Holder[i].Get(s) == c+1 {
			token = max(token, m.Counter[i].Get(s))
		}
	}
	return token
}

// holdsGrant says whether a majority of servers remember a lease of that grant to
// client c.
func (m *Majority) holdsGrant(s State, c, grant int) bool {
	n := 0
	for i, h := range m.Holder {
		if h.Get(s) == c+1 && m.grant[i].Get(s) == grant {
			n += m.weight
		}
	}
	return n >= m.quorum
}

// left is for how many ticks c still has the first lease to run out of those that
// it holds.
func (m *Majority) left(s State, c int) (ticks int) {
	ticks = m.w.Config.TTL
	for i, h := range m.Holder {
		if h.Get(s) == c+1 {
			ticks = min(ticks, max(0, m.Left[i].Get(s)-m.expiry.ahead[c].Get(s)))
		}
	}
	return ticks
}

// held is the set of servers whose lease is c's, by what they remember.
func (m *Majority) held(s State, c int) (servers uint64) {
	for i, h := range m.Holder {
		if h.Get(s) == c+1 {
			servers |= m.bits(i)
		}
	}
	return servers
}

// majority says whether a set of servers is one.
func (m *Majority) majority(servers uint64) bool { return bits.OnesCount64(servers) >= m.quorum }

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
	m.grant[i].Set(s, 0)
	m.expiry.changed(s)
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

// Expire frees a server when nothing is left of its lease, if that is for it
// to judge.
func (m *Majority) Expire(s State) (servers uint64) {
	if m.expiry.rule == expiryObserved || m.expiry.rule == expiryAny {
		return 0
	}
	for i, left := range m.Left {
		if left.Get(s) == 0 && m.Holder[i].Get(s) != 0 {
			m.Holder[i].Set(s, 0)
			m.grant[i].Set(s, 0)
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
