package script

import "dlcheck/model"

// Horizon is a number of ticks after which nothing of the schedule is left to
// happen: everyone has come, every pause is over, every lease has run out for
// everyone who waits, and every program is done.
func (s *Schedule) Horizon() int {
	if s.Until != model.NoBound {
		return s.Until
	}
	last := 0
	for _, a := range s.Clients {
		last = max(last, a.Arrives)
		for _, p := range a.Pauses {
			last = max(last, p.To)
		}
	}
	for _, p := range s.Config.Programs {
		last += len(p) + s.Config.TTL
	}
	return last
}

// Allows says whether the schedule has room for a transition out of a state of
// a world whose clock is part of the state. It says nothing about the order of
// actions within a tick.
func (s *Schedule) Allows(w *model.World, st model.State, a model.Action) bool {
	now := w.Now(st)
	if a.Kind == model.Tick {
		for c := range s.Clients {
			if s.mustAct(w, st, c, now) {
				return false
			}
		}
		return true
	}
	c := int(a.Client)
	if c == model.Nobody {
		return true // a fault, about which a schedule says nothing
	}
	if a.Kind == model.Acquire {
		return now >= s.Clients[c].Arrives
	}
	return (a.Kind == model.Pause) == s.pausedAt(c, now)
}

// mustAct says whether a client still has something to do in this tick.
func (s *Schedule) mustAct(w *model.World, st model.State, c, now int) bool {
	if w.Moved(st, c) {
		return false
	}
	if w.Phase(st, c) == 0 {
		return w.RoundsLeft(st, c) > 0 && now >= s.Clients[c].Arrives && w.Free(st, c)
	}
	// In a pause there is nothing to do, but to begin it.
	return !s.pausedAt(c, now) || !w.Paused(st, c)
}

// pausedAt says whether the tick lies in a pause of the client.
func (s *Schedule) pausedAt(c, now int) bool {
	for _, p := range s.Clients[c].Pauses {
		if p.From <= now && now < p.To {
			return true
		}
	}
	return false
}
