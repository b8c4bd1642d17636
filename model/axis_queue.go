package model

// Enqueue is a client that cannot have the lock yet and waits in line: it opens a
// session of its own, of a ttl, and gets its token there and then, as a key's
// create revision in etcd, or a czxid in ZooKeeper.
var Enqueue = NewKind("enqueue")

// In a queue the next in line is granted the lock when nobody is before it, and
// what is left of its session is its lease. Who trusts its place does not ask
// whether its own session ran out while it waited (etcd #11456).
var _ = NewAxis(Axis{
	Name: "queue",
	Doc: "how clients wait for the lock: each asks again (none); in line, and who is next is judged by its session (judged), or told that it holds the " +
		"lock even if its own session ran out in the queue (trusting)",
	Choices:  []string{"none", "judged", "trusting"},
	Conflict: queueConflict,
	Needs:    Needs{Tokens: true, PerClient: 1}, // the order of the queue is that of tokens
	Forgets:  func(v int) bool { return v == queueTrusting },
	Build:    func(w *World, l *Layout) Hooks { return newLine(w, l).hooks() },
})

const (
	queueNone = iota
	queueJudged
	queueTrusting
)

func queueConflict(c *Config) string {
	switch {
	case c.Servers > 1:
		return "there is one queue; ask for 1 server"
	case valueOf(c, "expiry") != expiryServer:
		return "sessions are judged by the server's clock; ask for expiry server"
	case valueOf(c, "token") == tokenNone:
		return "places in the queue are tokens; ask for another token than none"
	}
	return withoutLock(c)
}

// line is the queue.
type line struct {
	w       *World
	rule    int
	place   []Field // token of a client that waits, 0 for none
	session []Field // ticks left of its session
}

func newLine(w *World, l *Layout) *line {
	q := &line{w: w, rule: w.axis("queue")}
	l.EachClient(&q.place, "queue.place", w.MaxToken(), Token)
	l.EachClient(&q.session, "queue.session", w.Config.TTL, Countdown)
	return q
}

func (q *line) hooks() Hooks {
	h := Hooks{Acquire: q.acquire}
	if q.rule == queueJudged {
		// Who finds out that its session is gone gives up that round.
		h.Tick = func(n State) {
			rounds := q.w.clients.rounds
			for c, session := range q.session {
				if q.place[c].Get(n) > 0 && session.Get(n) == 0 {
					q.place[c].Set(n, 0)
					rounds[c].Set(n, q.w.nextRound(n, c))
				}
			}
		}
	}
	return h
}

// next says whether nobody whose session lives is before that place.
func (q *line) next(s State, place int) bool {
	for o, session := range q.session {
		if at := q.place[o].Get(s); session.Get(s) > 0 && at < place {
			return false
		}
	}
	return true
}

func (q *line) acquire(s State, c int, out *Steps) {
	w, m := q.w, q.w.servers
	place := q.place[c].Get(s)
	if place == 0 {
		if w.service.Free(s, c) && q.next(s, w.MaxToken()+1) {
			w.acquireFrom(s, c, 1, 0, out)
			return
		}
		n := out.Fork(s, Action{Kind: Enqueue, Client: int8(c), OK: true})
		q.place[c].Set(n, m.count(n, c, 0))
		out.last().Token = int32(q.place[c].Get(n))
		q.session[c].Set(n, w.Config.TTL)
		w.endStep(n, c)
		return
	}
	if !m.open(s, c, 0) || !q.next(s, place) {
		return
	}
	left := q.session[c].Get(s)
	n := out.Fork(s, Action{Kind: Acquire, Client: int8(c), OK: true, Token: int32(place), Lasts: int32(left)})
	if left > 0 {
		m.lease(n, c, 0, left)
		m.grant[0].Set(n, w.NewestGrant(s)+1)
		out.last().Servers = m.bits(0)
	}
	q.place[c].Set(n, 0)
	q.session[c].Set(n, 0)
	w.begin(n, c, place)
	if left > 0 {
		w.believe(n, c, w.deadline-(w.Config.TTL-left)) // it knows since when its session has lasted
	}
	w.history.granted(n, c, w.live[c].token[1], left)
}
