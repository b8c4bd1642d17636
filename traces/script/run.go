package script

import (
	"fmt"
	"slices"

	"dlcheck/model"
	"dlcheck/traces"
)

// Denied is an attempt to acquire that was denied.
type Denied struct {
	Tick   int
	Client int
	// Why is empty if it is as in the tick before: the same one holds the lock.
	Why string
	// Before is the index of the event that came next, or would have.
	Before int
}

// Result is what a run saw.
type Result struct {
	Schedule *Schedule
	Trace    *traces.Trace
	Denied   []Denied
	// Content is the text that the store ended up with.
	Content string
	// CutOff says that the file ended the run before everyone was done.
	CutOff bool
	// GaveUp lists the clients that were denied and did not ask again.
	GaveUp []int
}

// mostTicks is where a run ends that nothing else ends.
const mostTicks = 1_000_000

// Run takes the schedule on the model. An action that the model does not
// allow is a *traces.NotAllowed.
func (s *Schedule) Run() (*Result, error) {
	return s.RunInOrder(func(int) []int { return s.Order })
}

// RunInOrder runs the schedule with another order of the clients in each tick.
func (s *Schedule) RunInOrder(order func(tick int) []int) (*Result, error) {
	p, err := traces.NewPlayer(s.Config)
	if err != nil {
		return nil, err
	}
	r := &runner{s: s, p: p, res: &Result{Schedule: s}, gaveUp: make([]bool, len(s.Clients)), paused: make([]int, len(s.Clients)), denied: make([]denial, len(s.Clients))}
	for i, a := range s.Clients {
		r.denied[i].tick = -2 // never
		p.Trace.Names = append(p.Trace.Names, a.Name)
	}
	end := mostTicks
	if s.Until != model.NoBound {
		end = s.Until
	}
	for {
		if err := r.tick(order(p.Tick)); err != nil {
			return nil, err
		}
		if r.over() || p.Tick >= end {
			break
		}
		if _, err := p.Do(traces.Call{Client: model.Nobody, Kind: model.Tick}); err != nil {
			return nil, err
		}
	}
	if s.Until == model.NoBound && !r.over() {
		return nil, fmt.Errorf("after %d ticks the schedule is not over; add a line such as until: 100", mostTicks)
	}
	if err := r.everyPause(); err != nil {
		return nil, err
	}
	r.res.CutOff = !r.over()
	r.res.Trace = &p.Trace
	r.res.Content = content(s, &p.Trace)
	return r.res, nil
}

type runner struct {
	s      *Schedule
	p      *traces.Player
	res    *Result
	gaveUp []bool
	paused []int // pauses begun, by client
	denied []denial
}

// denial is when a client was denied last, and who held the lock.
type denial struct{ tick, holder int }

// over says whether nobody will do anything more.
func (r *runner) over() bool {
	for c := range r.s.Clients {
		if !r.gaveUp[c] && (r.p.World.Phase(r.p.State, c) != 0 || r.p.World.RoundsLeft(r.p.State, c) > 0) {
			return false
		}
	}
	return true
}

// everyPause looks for a pause that never began since its client was done before.
// One that lies past the end that the file names is left out with everything
// else there, and who gave up has nothing to pause in.
func (r *runner) everyPause() error {
	for c, a := range r.s.Clients {
		left := a.Pauses[min(r.paused[c], len(a.Pauses)):]
		if r.p.World.Paused(r.p.State, c) {
			left = left[1:]
		}
		i := slices.IndexFunc(left, func(p Stretch) bool {
			return p.From != p.To && !r.gaveUp[c] && (r.s.Until == model.NoBound || p.From < r.s.Until)
		})
		if i >= 0 {
			return &traces.NotAllowed{Index: len(r.p.Trace.Events), Tick: left[i].From, Who: a.Name, Call: traces.Call{Client: c, Kind: model.Pause},
				Reason: fmt.Sprintf("%s is done by then, at tick %d", a.Name, r.p.Tick)}
		}
	}
	return nil
}

// tick lets everyone act. Whoever waits for the lock gets it as soon as it is
// free, so those who were denied are asked again after all others.
func (r *runner) tick(order []int) error {
	for _, c := range order {
		if err := r.act(c); err != nil {
			return err
		}
	}
	for _, c := range order {
		if !r.waits(c) {
			continue
		}
		if r.free(c) {
			if err := r.do(c, model.Acquire); err != nil {
				return err
			}
			continue
		}
		r.deny(c)
		if r.s.Clients[c].Once {
			r.gaveUp[c] = true
			r.res.GaveUp = append(r.res.GaveUp, c)
		}
	}
	return nil
}

// deny notes that a client was denied. A client that polls under one and the
// same holder is denied for one and the same reason, which is said once: sweeps
// have millions of attempts.
func (r *runner) deny(c int) {
	d := Denied{Tick: r.p.Tick, Client: c, Before: len(r.p.Trace.Events)}
	holder := r.p.World.Holder(r.p.State)
	if was := r.denied[c]; was.tick != d.Tick-1 || was.holder != holder || holder == model.Nobody {
		d.Why = r.p.World.WhoBlocks(r.p.State, r.p.Trace.Name)
	}
	r.denied[c] = denial{d.Tick, holder}
	r.res.Denied = append(r.res.Denied, d)
}

// waits says whether a client has arrived and wants the lock.
func (r *runner) waits(c int) bool {
	w, s := r.p.World, r.p.State
	return w.Phase(s, c) == 0 && w.RoundsLeft(s, c) > 0 && !w.Moved(s, c) && !r.gaveUp[c] && r.p.Tick >= r.s.Clients[c].Arrives
}

func (r *runner) free(c int) bool { return r.p.World.Free(r.p.State, c) }

func (r *runner) do(c int, k model.Kind) error {
	_, err := r.p.Do(traces.Call{Client: c, Kind: k})
	return err
}

// act takes the one action of a client in this tick, if it has one.
func (r *runner) act(c int) error {
	w, s, a := r.p.World, r.p.State, &r.s.Clients[c]
	if r.gaveUp[c] {
		return nil // and has nothing to pause in
	}
	if r.waits(c) && r.free(c) {
		return r.do(c, model.Acquire)
	}
	for n := r.paused[c]; n < len(a.Pauses) && a.Pauses[n].From == a.Pauses[n].To; n++ {
		r.paused[c]++ // a pause without length, as a sweep can make it
	}
	var now *Stretch
	if n := r.paused[c]; n < len(a.Pauses) && a.Pauses[n].From <= r.p.Tick {
		now = &a.Pauses[n]
	}
	if now != nil && !w.Paused(s, c) {
		// The model says no if the client is not inside its program.
		if now.From < r.p.Tick {
			return &traces.NotAllowed{Index: len(r.p.Trace.Events), Tick: now.From, Who: a.Name, Call: traces.Call{Client: c, Kind: model.Pause},
				Reason: "it took another step in that tick, or none"}
		}
		return r.do(c, model.Pause)
	}
	if w.Phase(s, c) == 0 || w.Moved(s, c) {
		return nil
	}
	if now != nil {
		if r.p.Tick < now.To {
			return nil
		}
		r.paused[c]++
	}
	return r.do(c, w.StepKind(s, c))
}

// content follows the text of the store through a trace.
func content(s *Schedule, t *traces.Trace) string {
	versions := []string{""}
	local, read := make([]string, len(s.Clients)), make([]bool, len(s.Clients))
	for i := range t.Events {
		e := &t.Events[i]
		switch {
		case e.Kind == model.Acquire:
			local[e.Client], read[e.Client] = "", false
		case e.Kind == model.Read && e.OK:
			local[e.Client], read[e.Client] = versions[e.Value], true
		case e.Kind == model.Write && e.OK:
			if !read[e.Client] {
				local[e.Client] = ""
			}
			local[e.Client] += s.Clients[e.Client].Writes
			versions = append(versions, local[e.Client])
		}
	}
	return versions[len(versions)-1]
}
