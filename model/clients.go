package model

// What a client does.
var (
	Acquire = NewKind("acquire")
	Read    = NewKind("read")
	Write   = NewKind("write")
	Release = NewKind("release")
	Check   = NewKind("check")
	Claim   = NewKind("claim")
	Work    = NewKind("work")
	Pause   = NewKind("pause")
)

// clients are the variables of every client.
type clients struct {
	// phase is 0 when idle or done, else the index of the program's step
	// that the client has in front of it.
	phase  []Field
	rounds []Field // rounds left; 0 and idle is done
	token  []Field
	stale  [][]Field // by object: its snapshot was replaced by another client's write
	paused []Field
	moved  []Field // took its step in this tick
	pauses []Field // pauses used in this round
	asleep []Field // ticks of the present pause, kept only under a bound

	// of axes
	cut     []Field // cut off from the lock service
	belief  []Field // ticks of its own clock for which it still takes itself for the holder
	waiting []Field // inside its program, and waits for an answer
}

func (k *clients) claim(w *World, l *Layout) {
	cfg := &w.Config
	longest := 0
	for _, p := range w.program {
		longest = max(longest, len(p))
	}
	l.EachClient(&k.phase, "phase", longest-1, Plain)
	if cfg.Rounds == NoBound {
		l.EachClient(&k.rounds, "rounds", 1, Plain) // and it stays 1
	} else {
		l.EachClient(&k.rounds, "rounds", cfg.Rounds, Plain)
	}
	if w.needs.Tokens {
		l.EachClient(&k.token, "token", w.MaxToken(), Token)
	}
	k.stale = make([][]Field, cfg.Objects())
	for i := range k.stale {
		if k.stale[i] = make([]Field, cfg.Clients); w.needs.Snapshots {
			l.EachClient(&k.stale[i], "stale", 1, Plain)
		}
	}
	l.EachClient(&k.paused, "paused", min(1, cfg.Pauses), Plain)
	l.EachClient(&k.moved, "moved", 1, Plain)
	l.EachClient(&k.pauses, "pauses", cfg.Pauses, Plain)
	if cfg.MaxPause != NoBound && cfg.Pauses > 0 {
		l.EachClient(&k.asleep, "asleep", cfg.MaxPause, Plain)
	}
	for _, f := range []*[]Field{&k.token, &k.asleep, &k.cut, &k.belief, &k.waiting} {
		if *f == nil {
			*f = make([]Field, cfg.Clients)
		}
	}
}

// kindOf is the kind of action that each step of a program is.
var kindOf = map[Op]Kind{OpAcquire: Acquire, OpRead: Read, OpWrite: Write, OpRelease: Release, OpCheck: Check, OpClaim: Claim, OpWork: Work}

// Kind is the kind of action that the step is.
func (o Op) Kind() Kind { return kindOf[o.Base()] }

// StepKind is the kind of the step that client c has in front of it: Acquire
// when it is idle.
func (w *World) StepKind(s State, c int) Kind { return w.program[c][w.Phase(s, c)].Kind() }

// clientSteps appends what client c can do in s: the step it has in front of
// it, and, inside its program, a pause instead.
func (w *World) clientSteps(s State, c int, out *Steps) {
	k := &w.clients
	at := w.stage(s, c)
	if at < 0 {
		return
	}
	if at == 0 {
		w.idleSteps(s, c, out)
		return
	}
	if k.waiting[c].Get(s) != 0 {
		for _, wait := range w.waits {
			wait(s, c, at, out)
		}
		return
	}
	if w.tooLate(s, c, at) {
		w.stop(s, c, at, out)
		return
	}
	switch op := w.program[c][at]; op.Base() {
	case OpRead:
		w.read(s, c, at, out)
	case OpWrite:
		w.write(s, c, at, out)
	case OpRelease:
		w.release(s, c, out)
	case OpCheck:
		// Who gets no answer has to take it for a no.
		holds := w.service.Holds(s, c) && k.cut[c].Get(s) == 0
		n := out.Fork(s, Action{Kind: Check, Client: int8(c), OK: holds})
		w.advance(n, c, at, holds)
	case OpClaim:
		tok := w.shown(s, c)
		n := out.Fork(s, Action{Kind: Claim, Client: int8(c), Token: int32(tok), Object: int8(op.Object())})
		ok := w.store.Claim(n, op.Object(), tok)
		out.last().OK = ok
		w.advance(n, c, at, ok)
	case OpWork:
		n := out.Fork(s, Action{Kind: Work, Client: int8(c), OK: true})
		w.advance(n, c, at, true)
	}
	if k.paused[c].Get(s) == 0 && k.pauses[c].Get(s) < w.Config.Pauses {
		n := out.Fork(s, Action{Kind: Pause, Client: int8(c), OK: true})
		k.paused[c].Set(n, 1)
		k.moved[c].Set(n, 1)
		k.pauses[c].Set(n, k.pauses[c].Get(n)+1)
	}
	for _, other := range w.alternatives {
		other(s, c, at, out)
	}
}

// end makes client c one that is done for ever, wherever it stands.
func (w *World) end(n State, c int) {
	k := &w.clients
	for _, f := range []Field{
		k.phase[c], k.rounds[c], k.token[c], k.paused[c], k.pauses[c], k.asleep[c],
		k.cut[c], k.belief[c], k.waiting[c], w.history.grant[c],
	} {
		f.Set(n, 0)
	}
	for _, stale := range k.stale {
		stale[c].Set(n, 0)
	}
	w.forgetClient(n, c)
	k.moved[c].Set(n, 1)
	if w.Reduce.Dead {
		k.moved[c].Set(n, 0)
	}
}

// nextRound is how many rounds client c has left when it is done with one.
func (w *World) nextRound(s State, c int) int {
	left := w.clients.rounds[c].Get(s)
	if w.Config.Rounds != NoBound {
		left--
	}
	return left
}

// forgetClient clears what axes remember of a client that is gone.
func (w *World) forgetClient(n State, c int) {
	for _, f := range w.atEnd {
		f[c].Set(n, 0)
	}
}

// idleSteps appends what client c can do that wants the lock.
func (w *World) idleSteps(s State, c int, out *Steps) {
	if len(w.acquires) == 0 && w.service.Free(s, c) {
		w.acquire(s, c, out)
		for _, answer := range w.answers {
			answer(s, c, w.servers.free(s, c), 0, out)
		}
	}
	for _, acquire := range w.acquires {
		acquire(s, c, out)
	}
	for _, other := range w.idle {
		other(s, c, out)
	}
	w.servers.expiry.look(s, c, out)
}

// acquire appends the grant of the lock to c. A denied attempt changes
// nothing and is no transition.
func (w *World) acquire(s State, c int, out *Steps) {
	n := out.Fork(s, Action{Kind: Acquire, Client: int8(c), OK: true})
	tok, servers := w.service.Grant(n, c)
	a := out.last()
	a.Token, a.Servers, a.Lasts = int32(tok), servers, w.lasts()
	w.begin(n, c, tok)
	w.history.granted(n, c, w.live[c].token[1], int(a.Lasts))
}

// lasts is for how long a lease lasts from its grant.
func (w *World) lasts() int32 {
	if !w.servers.leases {
		return 0
	}
	return int32(w.Config.TTL)
}

// begin puts client c, which was granted the lock, before the first step
// after acquiring.
func (w *World) begin(n State, c, tok int) {
	k := &w.clients
	k.phase[c].Set(n, 1)
	if w.live[c].token[1] {
		k.token[c].Set(n, tok)
	}
	w.believe(n, c, w.deadline)
	for _, told := range w.began {
		told(n, c)
	}
	w.endStep(n, c)
}

// release appends the end of c's round.
func (w *World) release(s State, c int, out *Steps) {
	k := &w.clients
	n := out.Fork(s, Action{Kind: Release, Client: int8(c)})
	rounds := w.nextRound(n, c)
	if k.cut[c].Get(s) != 0 {
		out.last().Kind = Abandon
		k.cut[c].Set(n, 0)
		rounds = 0 // it will not reach the lock service again
		w.forgetClient(n, c)
	} else {
		servers := w.service.Release(n, c)
		a := out.last()
		a.OK, a.Servers = servers != 0, servers
		if w.servers.releases != releaseNever {
			w.history.lease[c].Set(n, 0)
		}
	}
	k.phase[c].Set(n, 0)
	k.pauses[c].Set(n, 0)
	k.rounds[c].Set(n, rounds)
	if rounds == 0 {
		// What only matters to one who will ask for the lock again.
		w.servers.expiry.ahead[c].Set(n, 0)
		if !w.needs.grantIDs {
			w.history.newest[c].Set(n, 0)
		}
	}
	w.endStep(n, c)
	if rounds == 0 && w.Reduce.Dead {
		// A client that is done takes no more steps: that it took one in
		// this tick is of no use to anyone.
		k.moved[c].Set(n, 0)
	}
}

func (w *World) read(s State, c, at int, out *Steps) {
	k := &w.clients
	tok := w.shown(s, c)
	object := w.program[c][at].Object()
	n := out.Fork(s, Action{Kind: Read, Client: int8(c), Token: int32(tok), Object: int8(object)})
	version, ok := w.store.Read(n, object, tok)
	a := out.last()
	a.OK = ok
	if ok {
		a.Value = int32(version)
		// An honest store answers with its content, and the snapshot is fresh.
		stale := 0
		if version != w.Content(n, object) {
			stale = 1
		}
		k.stale[object][c].Set(n, stale)
	}
	w.advance(n, c, at, ok)
}

func (w *World) write(s State, c, at int, out *Steps) {
	r := w.request(s, c, at)
	n := out.Fork(s, Action{Kind: Write, Client: int8(c), Token: int32(r.Token), Object: int8(r.Object)})
	ok := w.store.Write(n, r)
	a := out.last()
	a.OK = ok
	if ok {
		a.Value = w.accepted(n, c, r.Object, w.history.grant[c].Get(s), true)
	}
	w.advance(n, c, at, ok)
}

// request is the write that client c has in front of it.
func (w *World) request(s State, c, at int) Request {
	object := w.program[c][at].Object()
	return Request{Client: c, Token: w.shown(s, c), Grant: w.history.grant[c].Get(s), Object: object, Stale: w.Stale(s, c, object), Serial: w.serials[c][at]}
}

// accepted makes a write of client c under a grant the object's content, and
// gives its version. Snapshots of others are stale then; c's own is too, unless
// it knows of the write.
func (w *World) accepted(n State, c, object, grant int, known bool) (version int32) {
	k := &w.clients
	version = int32(w.history.replaceContent(n, object))
	w.history.apply(n, grant)
	for o := range w.Config.Clients {
		if (o != c || !known) && w.live[o].snapshot[object][k.phase[o].Get(n)] {
			k.stale[object][o].Set(n, 1)
		}
	}
	if w.flights != nil {
		w.flights.replaced(n, object)
	}
	return version
}

// advance ends a step of client c: on to the next step, or to release when
// it was refused or told that its lease is gone. Values that no later step
// uses are zeroed.
func (w *World) advance(n State, c, at int, ok bool) {
	k := &w.clients
	next := at + 1
	if !ok {
		next = len(w.program[c]) - 1
	}
	k.phase[c].Set(n, next)
	if !w.live[c].token[next] {
		k.token[c].Set(n, 0)
		w.history.grant[c].Set(n, 0)
	}
	for object, live := range w.live[c].snapshot {
		if !live[next] {
			k.stale[object][c].Set(n, 0)
		}
	}
	if next == len(w.program[c])-1 {
		k.belief[c].Set(n, 0)
	}
	w.endStep(n, c)
}

// endStep notes that client c took its step in this tick. Taking a step is
// how a paused client wakes.
func (w *World) endStep(n State, c int) {
	k := &w.clients
	k.moved[c].Set(n, 1)
	k.paused[c].Set(n, 0)
	k.asleep[c].Set(n, 0)
}
