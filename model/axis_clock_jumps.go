package model

// Jump is a server's clock that jumps ahead, so that its lease is over sooner.
var Jump = NewFault("jump")

// Clock jumps are for lock servers that measure leases with a clock that can be
// set, as Redis did. (Kleppmann 2016; Redis documentation on SET PX.)
var _ = NewAxis(Axis{
	Name: "clock-jumps", Max: MaxTicks,
	Doc:      "servers' clocks jump ahead while they have a lease out, so many ticks in the whole schedule",
	Drifts:   true,
	Forgets:  ever,
	Conflict: withoutServersClock,
	Build: func(w *World, l *Layout) Hooks {
		m := w.servers
		var jumped Field
		most := w.axis("clock-jumps")
		l.Global(&jumped, "jumped", most, Plain)
		return Hooks{Next: func(s State, out *Steps) {
			budget := most - jumped.Get(s)
			for i := range m.Holder {
				left := m.Left[i].Get(s)
				if m.Holder[i].Get(s) == 0 {
					continue
				}
				for by := 1; by <= min(budget, left); by++ {
					n := out.Fork(s, Action{Kind: Jump, Client: Nobody, OK: true, Value: int32(by), Reached: m.bits(i)})
					jumped.Set(n, jumped.Get(s)+by)
					m.Left[i].Set(n, left-by)
					if by == left {
						m.freeOne(n, i)
						out.last().Servers = m.bits(i)
						w.tellExpired(n, m.bits(i))
					}
				}
			}
		}}
	},
})
