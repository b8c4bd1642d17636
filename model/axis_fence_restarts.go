package model

// Forget is a store that restarts with its content and without its fence.
var Forget = NewFault("forget")

// forgetful is a store that keeps a fence.
type forgetful interface{ forget(s State) bool }

var _ = NewAxis(Axis{
	Name: "fence-restarts", Max: 63,
	Doc: "the store keeps its highest token in memory and restarts so many times (Oxia #87)",
	Build: func(w *World, l *Layout) Hooks {
		store, keeps := w.store.(forgetful)
		if !keeps {
			return Hooks{}
		}
		var used Field
		most := w.axis("fence-restarts")
		l.Global(&used, "fence.restarts", most, Plain)
		return Hooks{Next: func(s State, out *Steps) {
			if used.Get(s) == most {
				return
			}
			n := out.Fork(s, Action{Kind: Forget, Client: Nobody, OK: true})
			if !store.forget(n) {
				w.undo(s, out) // there was nothing to forget
				return
			}
			used.Set(n, used.Get(s)+1)
		}}
	},
})

func (h *highest) forget(s State) bool { return forget(s, h.f) }

// forget clears a fence and says whether there was something to forget.
func forget(s State, fence []Field) (had bool) {
	for _, f := range fence {
		had = had || f.Get(s) != 0
		f.Set(s, 0)
	}
	return had
}
