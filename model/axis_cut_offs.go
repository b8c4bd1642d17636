package model

// Cut is a client that is cut off from the lock service for ever, and not from
// the store (etcd #10811). It is told nothing: what it asks goes unanswered,
// its renewals and its release do not arrive, which is what Abandon is.
var (
	Cut     = NewFault("cut")
	Abandon = NewKind("abandon")
)

var _ = NewAxis(Axis{
	Name: "cut-offs", Max: MaxClients,
	Doc: "so many clients may be cut off from the lock service for ever, in the middle of their program, and still reach the store",
	Conflict: func(c *Config) string {
		if c.Store == "guarded" {
			return "data that is guarded by the lock's record lives with it, and who cannot reach the one cannot reach the other; ask for another store"
		}
		return withoutLock(c)
	},
	Build: func(w *World, l *Layout) Hooks {
		var used Field
		most := w.axis("cut-offs")
		l.Global(&used, "cuts", most, Plain)
		l.EachClient(&w.clients.cut, "cut", 1, Plain)
		return Hooks{Client: func(s State, c, at int, out *Steps) {
			if used.Get(s) == most || w.clients.cut[c].Get(s) != 0 {
				return
			}
			n := out.Fork(s, Action{Kind: Cut, Client: int8(c), OK: true})
			used.Set(n, used.Get(s)+1)
			w.clients.cut[c].Set(n, 1)
		}}
	},
})
