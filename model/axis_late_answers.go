package model

// Late is an acquire that was granted at once and is answered late; Hear is its
// answer. A client with a deadline then looks at how much of it is left, as
// Redlock wants it and node-redlock did not (#296).
var (
	Late = NewFault("late")
	Hear = NewKind("hear")
)

var _ = NewAxis(Axis{
	Name: "late-answers", Max: 63,
	Doc: "so many grants in the whole schedule are answered late, at any later tick; a client without a deadline does not mind",
	Build: func(w *World, l *Layout) Hooks {
		var used Field
		most := w.axis("late-answers")
		l.Global(&used, "late", most, Plain)
		w.needsWaiting(l)
		k := &w.clients
		return Hooks{
			Answer: func(s State, c int, granted, reached uint64, out *Steps) {
				if used.Get(s) == most {
					return
				}
				n := w.grantBy(s, c, Late, granted, reached, out)
				used.Set(n, used.Get(s)+1)
				a := *out.last()
				w.begin(n, c, int(a.Token))
				w.history.granted(n, c, w.live[c].token[1], int(a.Lasts))
				k.waiting[c].Set(n, 1)
			},
			Wait: func(s State, c, at int, out *Steps) {
				if !w.unanswered(s, c) {
					return // it is another answer that it waits for
				}
				inTime := w.deadline == 0 || k.belief[c].Get(s) > 0
				n := out.Fork(s, Action{Kind: Hear, Client: int8(c), OK: inTime})
				k.waiting[c].Set(n, 0)
				if inTime {
					w.endStep(n, c)
				} else {
					w.advance(n, c, at, false)
				}
			},
		}
	},
})

// unanswered says whether client c waits for the answer to its acquire.
func (w *World) unanswered(s State, c int) bool {
	return w.clients.waiting[c].Get(s) != 0 && (w.flights == nil || w.flights.state[c].Get(s) != flightAwaited)
}

// needsWaiting claims that clients can wait for an answer.
func (w *World) needsWaiting(l *Layout) {
	if !w.waitingClaimed {
		w.waitingClaimed = true
		l.EachClient(&w.clients.waiting, "waiting", 1, Plain)
	}
}
