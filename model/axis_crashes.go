package model

// Crash is the end of a client, inside its program: it takes no step any
// more, and what it holds stays as it is. A client that crashes before it
// acquires is one that never comes, and needs no action.
var Crash = NewFault("crash")

var _ = NewAxis(Axis{
	Name: "crashes", Max: MaxClients,
	Doc: "so many clients may stop for ever, in the middle of their program",
	Build: func(w *World, l *Layout) Hooks {
		var used Field
		most := w.axis("crashes")
		l.Global(&used, "crashes", most, Plain)
		return Hooks{Client: func(s State, c, at int, out *Steps) {
			if used.Get(s) == most {
				return
			}
			n := out.Fork(s, Action{Kind: Crash, Client: int8(c), OK: true})
			used.Set(n, used.Get(s)+1)
			w.end(n, c)
		}}
	},
})
