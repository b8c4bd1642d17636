package model

import "math/bits"

// The lock-delay is Consul's and Chubby's: after a lease has run out, and not after
// a release, the lock stays closed for a while. (Consul, "Sessions"; Burrows
// 2006, section 2.4.)
var _ = NewAxis(Axis{
	Name: "lock-delay", Max: MaxTicks,
	Doc:      "after a lease ran out, and not after a release, a server stays closed for so many ticks",
	Conflict: withoutServersClock,
	Build: func(w *World, l *Layout) Hooks {
		var delay []Field
		ticks := w.axis("lock-delay")
		l.EachServer(&delay, "server.delay", ticks, Countdown)
		w.servers.shut = append(w.servers.shut, delay)
		return Hooks{Expired: func(n State, servers uint64) {
			for e := servers; e != 0; e &= e - 1 {
				delay[w.servers.copyOf(bits.TrailingZeros64(e))].Set(n, ticks)
			}
		}}
	},
})
