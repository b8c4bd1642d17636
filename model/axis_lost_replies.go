package model

// Unheard is an acquire that was granted, and the client never hears of it: it
// does not know that it holds the lock, the mirror of one that does not know
// that it lost it.
var Unheard = NewFault("unheard")

var lostReplies = NewAxis(Axis{
	Name: "lost-replies", Max: 63,
	Doc: "so many grants in the whole schedule are never heard by the client; the servers hold the lease all the same",
	Build: func(w *World, l *Layout) Hooks {
		var lost Field
		most := w.axis("lost-replies")
		l.Global(&lost, "lost", most, Plain)
		return Hooks{Answer: func(s State, c int, granted, reached uint64, out *Steps) {
			if lost.Get(s) == most {
				return
			}
			n := w.grantBy(s, c, Unheard, granted, reached, out)
			lost.Set(n, lost.Get(s)+1)
			w.history.granted(n, c, false, int(out.last().Lasts))
			w.endStep(n, c)
		}}
	},
})
