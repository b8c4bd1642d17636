package model

// Restart is a lock server that stops and comes back without its memory.
var Restart = NewFault("restart")

var _ = NewAxis(Axis{
	Name: "restarts", Max: 63,
	Doc:     "so many times a lock server restarts and has forgotten whom it granted a lease",
	Drifts:  true,
	Forgets: ever,
	Build: func(w *World, l *Layout) Hooks {
		m := w.servers
		most, delay, counter := w.axis("restarts"), w.axis("restart-delay"), w.axis("restart-forgets") == 1
		var used Field
		var down []Field
		l.Global(&used, "restarts", most, Plain)
		if delay > 0 {
			l.EachServer(&down, "server.down", delay, Countdown)
			m.shut = append(m.shut, down)
		}
		return Hooks{Next: func(s State, out *Steps) {
			if used.Get(s) == most {
				return
			}
			for i := range m.Holder {
				// A server that has nothing to forget might as well not restart.
				if m.Holder[i].Get(s) == 0 && (!counter || m.Counter[i].Get(s) == 0) {
					continue
				}
				n := out.Fork(s, Action{Kind: Restart, Client: Nobody, OK: true, Reached: m.bits(i)})
				used.Set(n, used.Get(s)+1)
				m.freeOne(n, i)
				if counter {
					m.Counter[i].Set(n, 0)
					m.last[i].Set(n, 0)
				}
				if down != nil {
					down[i].Set(n, delay)
				}
			}
		}}
	},
})

// restart-forgets says what is not on disk.
var _ = NewAxis(Axis{
	Name:    "restart-forgets",
	Doc:     "what a server that restarts has forgotten: its lease, or its lease and its counter",
	Choices: []string{"lease", "counter"},
	// A counter that starts again gives tokens that are not larger than all.
	Not:      Reductions{Tokens: true},
	Needs:    Needs{Tokens: true},
	Conflict: withoutRestarts,
})

var _ = NewAxis(Axis{
	Name: "restart-delay", Max: MaxTicks,
	Doc:      "a server that restarts grants nothing for so many ticks; with as many as the ttl a forgotten lease is over by then",
	Conflict: withoutRestarts,
})

func withoutRestarts(c *Config) string {
	if valueOf(c, "restarts") == 0 {
		return "it has no effect without restarts"
	}
	return ""
}
