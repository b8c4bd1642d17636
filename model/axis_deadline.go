package model

// Stop is a client that goes by its own clock: too much time has passed since it
// was granted the lock, or last renewed it, and it gives up.
var Stop = NewKind("stop")

// The deadline is what a holder believes: the renewDeadline of Kubernetes'
// client-go (tools/leaderelection), the validity of a Redlock (Redis
// documentation, "Distributed Locks with Redis"). A client looks at its clock
// before each step, and a pause still fits between the look and the step.
var _ = NewAxis(Axis{
	Name: "deadline", Max: MaxTicks,
	Doc:      "a client stops so many ticks of its own clock after it was granted the lock or last renewed it; 0: it goes on until it is told",
	Conflict: withoutLock,
	Build: func(w *World, l *Layout) Hooks {
		w.deadline = w.axis("deadline")
		l.EachClient(&w.clients.belief, "belief", w.deadline, Countdown)
		return Hooks{}
	},
})

// Deadline is how many ticks of its own clock a client goes on after a grant or
// a renewal; 0 if it goes on until it is told.
func (c *Config) Deadline() int { return valueOf(c, "deadline") }

// tooLate says whether client c, which looks at its clock before the step in
// front of it, finds its lease over.
func (w *World) tooLate(s State, c, at int) bool {
	k := &w.clients
	return w.deadline > 0 && k.belief[c].Get(s) == 0 && k.paused[c].Get(s) == 0 && at < len(w.program[c])-1
}

// stop appends that client c goes to its release.
func (w *World) stop(s State, c, at int, out *Steps) {
	n := out.Fork(s, Action{Kind: Stop, Client: int8(c), OK: true})
	w.advance(n, c, at, false)
}

// believe starts the clock of client c, if it is inside its program.
func (w *World) believe(n State, c, ticks int) {
	if at := w.clients.phase[c].Get(n); at > 0 && at < len(w.program[c])-1 {
		w.clients.belief[c].Set(n, max(0, min(ticks, w.deadline)))
	}
}
