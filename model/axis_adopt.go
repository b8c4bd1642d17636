package model

// Adopt is a client that asks who holds the lock, finds that it does itself, and
// goes on under the grant of which it never heard: the cure of a lost reply
// (Hudi 412).
var Adopt = NewKind("adopt")

var _ = NewAxis(Axis{
	Name: "adopt",
	Doc:  "whether a client that finds itself named as the holder goes on as the holder", Choices: []string{"no", "yes"},
	Needs: Needs{PerClient: 1},
	Conflict: func(c *Config) string {
		if valueOf(c, "queue") != queueNone {
			return "in a queue a client waits behind its own key; leave one of the two out"
		}
		return withoutLock(c)
	},
	Build: func(w *World, _ *Layout) Hooks {
		m, h := w.servers, &w.history
		return Hooks{Idle: func(s State, c int, out *Steps) {
			if !m.majority(m.held(s, c)) {
				return
			}
			live := w.live[c].token[1]
			tok := m.newest(s, c)
			n := out.Fork(s, Action{Kind: Adopt, Client: int8(c), OK: true, Token: int32(tok)})
			w.begin(n, c, tok)
			w.believe(n, c, w.deadline-(w.Config.TTL-m.left(s, c)))
			m.expiry.forget(n, c)
			if live {
				h.grant[c].Set(n, h.newest[c].Get(n))
			}
		}}
	},
})
