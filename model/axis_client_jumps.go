package model

// Gain is a client's clock that jumps ahead. One that runs fast is one that
// jumps again and again.
var Gain = NewFault("gain")

// Client jumps matter where clients judge by clocks of their own
// (ShedLock #231, kubernetes #125761).
var _ = NewAxis(Axis{
	Name: "client-jumps", Max: MaxTicks,
	Doc:      "clients' clocks jump ahead, so many ticks in the whole schedule; it matters where they judge an expiry or a deadline by them",
	Conflict: clientJumpsConflict,
	Forgets:  ever,
	Build: func(w *World, l *Layout) Hooks {
		var gained Field
		most := w.axis("client-jumps")
		l.Global(&gained, "gained", most, Plain)
		k, e := &w.clients, &w.servers.expiry
		return Hooks{Next: func(s State, out *Steps) {
			budget := most - gained.Get(s)
			for c := range w.Config.Clients {
				by := min(budget, max(e.watch[c].Get(s), k.belief[c].Get(s)))
				if e.rule == expiryAbsolute && k.rounds[c].Get(s) > 0 {
					by = budget
				}
				for ; by > 0; by-- {
					n := out.Fork(s, Action{Kind: Gain, Client: int8(c), OK: true, Value: int32(by)})
					gained.Set(n, gained.Get(s)+by)
					e.gain(n, c, by)
					k.belief[c].Set(n, max(0, k.belief[c].Get(s)-by))
				}
			}
		}}
	},
})

func clientJumpsConflict(c *Config) string {
	switch valueOf(c, "expiry") {
	case expiryObserved, expiryAbsolute:
		return withoutLock(c)
	}
	if valueOf(c, "deadline") > 0 {
		return ""
	}
	return "it has no effect where no client goes by its own clock; ask for expiry observed or absolute, or for a deadline"
}
