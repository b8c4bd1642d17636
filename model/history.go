package model

// history are variables that no rule reads: they exist only to judge.
type history struct {
	grants  Field   // number of the newest grant
	grant   []Field // the grant that a client works under
	newest  []Field // the newest grant to a client, where it may go on under it
	applied Field   // newest grant of which the store has applied a write
	version []Field // accepted writes so far: the version of the content, by object
	// lease is what is left of the majority that a client was granted, by
	// the record of grants, whatever the servers remember of it. All leases of
	// one grant begin at the same tick of one clock, so they end together and
	// one number is enough.
	lease []Field
}

func (h *history) claim(w *World, l *Layout) {
	h.grant, h.newest = make([]Field, w.Config.Clients), make([]Field, w.Config.Clients)
	if w.needs.Grants {
		l.Global(&h.grants, "grants", w.maxGrants(), Grant)
		l.EachClient(&h.grant, "grant", w.maxGrants(), Grant)
		if w.axis("adopt") != 0 || w.needs.grantIDs {
			l.EachClient(&h.newest, "grant.newest", w.maxGrants(), Grant)
			w.atEnd = append(w.atEnd, h.newest)
		}
		l.Global(&h.applied, "store.applied", w.maxGrants(), Grant)
	}
	h.lease = make([]Field, w.Config.Clients)
	if w.needs.Leases {
		l.EachClient(&h.lease, "lease.left", w.Config.TTL, w.LeaseScale())
	}
	h.version = make([]Field, w.Config.Objects())
	if w.needs.Versions {
		for i := range h.version {
			l.Global(&h.version[i], "store.version", w.MaxVersion(), Plain)
		}
	}
}

func (h *history) granted(n State, c int, live bool, lasts int) {
	h.lease[c].Set(n, lasts)
	g := h.grants.Get(n) + 1
	h.grants.Set(n, g)
	h.newest[c].Set(n, g)
	if live {
		h.grant[c].Set(n, g)
	}
}

func (h *history) apply(n State, grant int) {
	h.applied.Set(n, max(h.applied.Get(n), grant))
}

func (h *history) replaceContent(n State, object int) int {
	f := h.version[object]
	f.Set(n, f.Get(n)+1)
	return f.Get(n)
}

// HasLease says whether client c holds a majority of unexpired leases by the
// record of grants: granted, not run out, and not released. A server that
// forgets a lease does not change what was granted.
func (w *World) HasLease(s State, c int) bool { return w.history.lease[c].Get(s) > 0 }

// MaxVersion bounds the versions of the content of an object.
func (w *World) MaxVersion() int { return w.Config.Count(OpWrite) + w.axis("duplicates") }

// Content is the version of the content of an object, from 0: how many writes
// it has accepted. It is 0 in a world that keeps no versions.
func (w *World) Content(s State, object int) int { return w.history.version[object].Get(s) }

// Grant is the number, in true grant order, of the grant that client c works
// under; 0 when it has none that it will still use.
func (w *World) Grant(s State, c int) int { return w.history.grant[c].Get(s) }

// NewestGrant is the number of the newest grant.
func (w *World) NewestGrant(s State) int { return w.history.grants.Get(s) }

// Applied is the newest grant of which a write was accepted.
func (w *World) Applied(s State) int { return w.history.applied.Get(s) }

// Stale says whether client c works from a snapshot of that object that another
// client's accepted write has replaced.
func (w *World) Stale(s State, c, object int) bool { return w.clients.stale[object][c].Get(s) != 0 }

// Token is the token that client c will still show to the store, or 0.
func (w *World) Token(s State, c int) int { return w.clients.token[c].Get(s) }

// Phase is the index in the program of the step that client c has in front
// of it, 0 when it is idle or done.
func (w *World) Phase(s State, c int) int { return w.clients.phase[c].Get(s) }

// RoundsLeft is how many rounds client c has not finished.
func (w *World) RoundsLeft(s State, c int) int { return w.clients.rounds[c].Get(s) }

// Paused says whether client c is in a pause.
func (w *World) Paused(s State, c int) bool { return w.clients.paused[c].Get(s) != 0 }

// Moved says whether client c took its step in this tick.
func (w *World) Moved(s State, c int) bool { return w.clients.moved[c].Get(s) != 0 }
