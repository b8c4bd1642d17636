package model

// Send is a write that is under way: the store judges it at any later time, which
// is Arrive. Until then its client waits, or gives up on it, goes to its release,
// and the write still arrives.
var (
	Send   = NewFault("send")
	Arrive = NewKind("arrive")
	GiveUp = NewKind("give-up")
)

var _ = NewAxis(Axis{
	Name: "delayed-writes", Max: 63,
	Doc:   "so many writes in the whole schedule are under way for any time; the client waits, or gives up, and the write still arrives",
	Needs: Needs{PerClient: 1},
	Build: func(w *World, l *Layout) Hooks { return w.flights.hooks(l) },
})

// flights are the writes that are under way, one of each client at most.
type flights struct {
	w     *World
	most  int
	used  Field
	state []Field // a flight constant
	basis []Field // a basis constant
	token []Field
	grant []Field
	nth   []Field // serial number
	// object is what the write replaces the content of.
	object []Field

	copies int // budget of duplicates
	copied Field
}

// Is a write under way, and does its client wait for the answer?
const (
	flightNone = iota
	flightAwaited
	flightForgotten
)

// What a write was computed from.
const (
	basisNone  = iota // nothing that was read, or nothing any more
	basisFresh        // what was read is still there
	basisStale        // it was replaced
	// The same, of a copy of a write that was applied and is the content still:
	// to apply it again changes nothing.
	basisNoneApplied
	basisFreshApplied
	basisStaleApplied
)

func newFlights(w *World, l *Layout) *flights {
	f := &flights{w: w, most: w.axis("delayed-writes"), copies: w.axis("duplicates")}
	none := func() []Field { return make([]Field, w.Config.Clients) }
	f.token, f.grant, f.nth = none(), none(), none()
	l.EachClient(&f.object, "flight.object", w.Config.Objects()-1, Plain)
	l.Global(&f.used, "delayed", f.most, Plain)
	l.Global(&f.copied, "copies", f.copies, Plain)
	l.EachClient(&f.state, "flight", flightForgotten, Plain)
	l.EachClient(&f.basis, "flight.basis", basisStaleApplied, Plain)
	if w.needs.Tokens {
		l.EachClient(&f.token, "flight.token", w.MaxToken(), Token)
	}
	if w.needs.Grants {
		l.EachClient(&f.grant, "flight.grant", w.maxGrants(), Grant)
	}
	if w.axis("serial") != 0 {
		most := 0
		for _, p := range w.program {
			most = max(most, p.Count(OpWrite))
		}
		l.EachClient(&f.nth, "flight.serial", most, Plain)
	}
	return f
}

func (f *flights) hooks(l *Layout) Hooks {
	f.w.needsWaiting(l)
	return Hooks{Client: f.send, Wait: f.giveUp, Next: func(s State, out *Steps) {
		for c := range f.state {
			if f.state[c].Get(s) == flightNone {
				continue
			}
			f.arrive(s, c, Arrive, out)
			if f.copied.Get(s) < f.copies {
				f.arrive(s, c, ArriveTwice, out)
			}
		}
	}}
}

func (f *flights) send(s State, c, at int, out *Steps) {
	w := f.w
	if w.program[c][at].Base() != OpWrite || f.used.Get(s) == f.most || f.state[c].Get(s) != flightNone {
		return
	}
	r := w.request(s, c, at)
	n := out.Fork(s, Action{Kind: Send, Client: int8(c), OK: true, Token: int32(r.Token), Object: int8(r.Object)})
	f.used.Set(n, f.used.Get(s)+1)
	f.state[c].Set(n, flightAwaited)
	basis := basisNone
	if w.live[c].snapshot[r.Object][at] {
		if basis = basisFresh; r.Stale {
			basis = basisStale
		}
	}
	f.basis[c].Set(n, basis)
	f.token[c].Set(n, r.Token)
	f.grant[c].Set(n, w.history.grant[c].Get(s))
	f.nth[c].Set(n, r.Serial)
	f.object[c].Set(n, r.Object)
	w.clients.waiting[c].Set(n, 1)
	w.endStep(n, c)
}

func (f *flights) giveUp(s State, c, at int, out *Steps) {
	if f.state[c].Get(s) != flightAwaited {
		return
	}
	n := out.Fork(s, Action{Kind: GiveUp, Client: int8(c), OK: true})
	f.state[c].Set(n, flightForgotten)
	f.w.clients.waiting[c].Set(n, 0)
	f.w.advance(n, c, at, false)
}

// arrive appends that the store judges the write of client c that is under way.
// Of an ArriveTwice a copy is still under way.
func (f *flights) arrive(s State, c int, kind Kind, out *Steps) {
	w := f.w
	basis := f.basis[c].Get(s)
	r := Request{Client: c, Token: f.token[c].Get(s), Grant: f.grant[c].Get(s), Object: f.object[c].Get(s), Serial: f.nth[c].Get(s)}
	// The version that it was computed from is gone too when it was applied itself.
	r.Stale = basis != basisNone && basis != basisFresh && basis != basisNoneApplied
	n := out.Fork(s, Action{Kind: kind, Client: int8(c), Token: int32(r.Token), Object: int8(r.Object)})
	ok := w.store.Write(n, r)
	awaited := f.state[c].Get(s) == flightAwaited
	grant := f.grant[c].Get(s)
	for _, v := range []Field{f.state[c], f.basis[c], f.token[c], f.grant[c], f.nth[c], f.object[c]} {
		if kind == Arrive {
			v.Set(n, 0)
		}
	}
	if kind == ArriveTwice {
		f.copied.Set(n, f.copied.Get(s)+1)
		f.state[c].Set(n, flightForgotten)
	}
	a := out.last()
	a.OK = ok
	switch {
	case ok && basis >= basisNoneApplied:
		a.Value = int32(w.Content(n, r.Object))
	case ok:
		a.Value = w.accepted(n, c, r.Object, grant, awaited)
		if kind == ArriveTwice {
			f.basis[c].Set(n, basis+basisNoneApplied)
		}
	}
	if awaited {
		w.clients.waiting[c].Set(n, 0)
		w.advance(n, c, w.clients.phase[c].Get(s), ok)
	}
}

// replaced notes that what writes under way were computed from is no longer the
// content.
func (f *flights) replaced(n State, object int) {
	for c := range f.basis {
		if f.object[c].Get(n) != object {
			continue
		}
		switch f.basis[c].Get(n) {
		case basisFresh, basisFreshApplied, basisStaleApplied:
			f.basis[c].Set(n, basisStale)
		case basisNoneApplied:
			f.basis[c].Set(n, basisNone)
		}
	}
}

// WriteFacts is what a write, of one of the kinds Writes, is judged by.
type WriteFacts struct {
	Grant   int  // that it belongs to
	Stale   bool // what it was computed from was replaced
	Awaited bool // its client waits for the answer
	Changes bool // it is not the copy of the very write whose content is there
}

// WriteFacts says that of a write that is taken in s.
func (w *World) WriteFacts(s State, a Action) WriteFacts {
	c := int(a.Client)
	if f := w.flights; f != nil && a.Kind != Write {
		basis := f.basis[c].Get(s)
		return WriteFacts{f.grant[c].Get(s), basis == basisStale, f.state[c].Get(s) == flightAwaited, basis < basisNoneApplied}
	}
	return WriteFacts{w.Grant(s, c), w.Stale(s, c, int(a.Object)), true, true}
}
