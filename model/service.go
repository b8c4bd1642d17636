package model

// servers are the variables of the lock servers.
type servers struct {
	holder  []Field // whose lease it is
	left    []Field // ticks left of the lease; half-open: granted at t, over at t+ttl
	counter []Field // grants so far
}

func (v *servers) claim(w *World, l *Layout) {
	l.EachServer(&v.holder, "server.holder", w.Config.Clients, ClientRef)
	l.EachServer(&v.left, "server.left", w.Config.TTL, Countdown)
	if w.needs.Tokens {
		l.EachServer(&v.counter, "server.counter", w.maxToken(), Token)
	} else {
		v.counter = make([]Field, l.Servers)
	}
}

// acquire appends the grant of the lock to c, if a majority of the servers
// is free. A denied attempt changes nothing and is no transition.
func (w *World) acquire(s State, c int, out *Steps) {
	v := &w.servers
	free := 0
	for _, h := range v.holder {
		if h.Get(s) == 0 {
			free += w.weight
		}
	}
	if free < w.quorum {
		return
	}
	n := out.Fork(s, Action{Kind: Acquire, Client: int8(c), OK: true})
	tok := 0
	for i, h := range v.holder {
		if h.Get(n) == 0 {
			count := v.counter[i].Get(n) + 1
			v.counter[i].Set(n, count)
			h.Set(n, c+1)
			v.left[i].Set(n, w.Config.TTL)
			tok = max(tok, count)
		}
	}
	k := &w.clients
	k.phase[c].Set(n, 1)
	if w.live.token[1] {
		k.token[c].Set(n, tok)
	}
	w.history.granted(n, c, w.live.token[1])
	out.last().Token = int32(tok)
	w.endStep(n, c)
}

// release appends the end of c's round: every server that c still holds
// becomes free, and only those.
func (w *World) release(s State, c int, out *Steps) {
	v, k := &w.servers, &w.clients
	n := out.Fork(s, Action{Kind: Release, Client: int8(c)})
	for i, h := range v.holder {
		if h.Get(n) == c+1 {
			h.Set(n, 0)
			v.left[i].Set(n, 0)
			out.last().OK = true
		}
	}
	k.phase[c].Set(n, 0)
	k.pauses[c].Set(n, 0)
	rounds := k.rounds[c].Get(n) - 1
	k.rounds[c].Set(n, rounds)
	w.endStep(n, c)
	if rounds == 0 && w.Reduce.Dead {
		// A client that is done takes no more steps: that it took one in
		// this tick is of no use to anyone.
		k.moved[c].Set(n, 0)
	}
}

// Holds says whether client c holds a majority of unexpired leases in s.
func (w *World) Holds(s State, c int) bool {
	n := 0
	for _, h := range w.servers.holder {
		if h.Get(s) == c+1 {
			n += w.weight
		}
	}
	return n >= w.quorum
}

// Holder is the client that holds a majority of unexpired leases, or Nobody.
func (w *World) Holder(s State) int {
	for c := range w.Config.Clients {
		if w.Holds(s, c) {
			return c
		}
	}
	return Nobody
}
