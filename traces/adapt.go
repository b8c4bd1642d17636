package traces

import (
	"errors"

	"dlcheck/model"
)

// Adapted is a schedule of one world taken on another, as far as that goes.
type Adapted struct {
	Trace *Trace // what was done there
	// Of has for each event of Trace the event that it is in the original, or
	// -1: a step that a client takes since its program says so.
	Of []int
	// Left are the events of the original that the other world does not allow.
	Left []Left
	// Carried is how many events of Trace come of the original; in those after
	// them clients carry on to their release.
	Carried int
}

// Left is an event that was left out.
type Left struct {
	Of     int // event of the original
	At     int // how many events there were of the new trace
	Tick   int // of the new trace
	Reason string
}

// Adapt takes the actions of t on the world of cfg, which has as many clients
// and servers. An action that this world does not allow is left out; but a
// client that is somewhere else in its program, such as before its release since
// it was refused, then takes the step that it has in front of it. Nobody who is
// awake inside its program is left standing when the clock ticks. After the last
// action the clients that are awake carry on to their release, and no other
// begins.
func Adapt(t *Trace, cfg model.Config) (*Adapted, error) {
	longest := 0
	for c := range cfg.Clients {
		longest = max(longest, len(cfg.ProgramOf(c)))
	}
	bound := cfg.Ticks
	if bound != model.NoBound {
		cfg.Ticks = min(model.MaxTicks, bound+longest) // to carry on in
	}
	p, err := NewPlayer(cfg)
	if err != nil {
		return nil, err
	}
	p.Trace.Names, p.Trace.Words = t.Names, t.Words
	a := &adapter{Adapted: Adapted{Trace: &p.Trace}, p: p}
	for i := range t.Events {
		a.take(i, &t.Events[i])
	}
	a.Carried = len(p.Trace.Events)
	for range longest {
		a.stepOn(func(c int) bool { return !p.World.Paused(p.State, c) })
		if !a.onTheirWay() {
			break
		}
		tick := Call{Client: model.Nobody, Kind: model.Tick}
		if a.do(tick, -1) != nil {
			if a.renewAll(); a.do(tick, -1) != nil {
				break
			}
		}
	}
	if bound != model.NoBound {
		p.Trace.Config.Ticks = max(bound, p.Trace.Ticks())
	}
	return &a.Adapted, nil
}

type adapter struct {
	Adapted
	p *Player
}

// do takes an action that stands for event i of the original, or for none.
func (a *adapter) do(c Call, i int) error {
	_, err := a.p.Do(c)
	if err == nil {
		a.Of = append(a.Of, i)
	}
	return err
}

// take takes event i of the original, or what comes in its place.
func (a *adapter) take(i int, e *Event) {
	err := a.do(e.Call(), i)
	if err == nil {
		return
	}
	w, s := a.p.World, a.p.State
	switch {
	case e.Kind == model.Tick:
		// Who has got out of step with the original is awake, or at the end of
		// its longest pause.
		a.stepOn(func(c int) bool { return !w.Paused(s, c) })
		if err = a.do(e.Call(), i); err != nil {
			a.renewAll()
			err = a.do(e.Call(), i)
		}
		if err != nil {
			a.stepOn(func(int) bool { return true })
			err = a.do(e.Call(), i)
		}
	case e.Client != model.Nobody && w.Phase(s, e.Client) > 0 && e.Kind != model.Pause && !w.Fault(model.Action{Kind: e.Kind}):
		if a.step(e.Client) == nil {
			return
		}
	}
	if err != nil {
		left := Left{Of: i, At: len(a.Trace.Events), Tick: a.p.Tick, Reason: err.Error()}
		var no *NotAllowed
		if errors.As(err, &no) {
			left.Reason = no.Reason
		}
		a.Left = append(a.Left, left)
	}
}

// step takes the step that a client has in front of it, or what comes in its
// place: its clock tells it to stop, or it hears what it waits for.
func (a *adapter) step(c int) error {
	err := a.do(Call{Client: c, Kind: a.p.World.StepKind(a.p.State, c)}, -1)
	for _, instead := range []model.Kind{model.Stop, model.Hear, model.Arrive} {
		if err != nil && a.do(Call{Client: c, Kind: instead}, -1) == nil {
			return nil
		}
	}
	return err
}

// renewAll has the background tasks renew what would run out in the next tick,
// which they do in time.
func (a *adapter) renewAll() {
	for c := range a.p.World.Config.Clients {
		_ = a.do(Call{Client: c, Kind: model.Renew}, -1) // if there is anything to renew
	}
}

// stepOn has the clients inside their program that have not moved in this tick
// take their step.
func (a *adapter) stepOn(who func(c int) bool) {
	for c := range a.p.World.Config.Clients {
		if s := a.p.State; a.p.World.Phase(s, c) > 0 && !a.p.World.Moved(s, c) && who(c) {
			a.step(c) // where it cannot, the tick says so
		}
	}
}

// onTheirWay says whether anyone is awake inside its program.
func (a *adapter) onTheirWay() bool {
	for c := range a.p.World.Config.Clients {
		if a.p.World.Phase(a.p.State, c) > 0 && !a.p.World.Paused(a.p.State, c) {
			return true
		}
	}
	return false
}

// Difference is where an adapted schedule parts from the original.
type Difference struct {
	Refused bool
	Event   int   // of the new trace; -1 if it is Left
	Left    *Left // or the event that was left out
}

// Parts finds the first action that was refused and was not in the original
// t: a call that was answered with no, or an action that is not allowed. If there
// is none, it is the first that was answered otherwise or is another one; nil
// if there is no such either.
func (a *Adapted) Parts(t *Trace) *Difference {
	var first *Difference
	left := a.Left
	for k := range a.Trace.Events {
		if len(left) > 0 && left[0].At <= k {
			return &Difference{Refused: true, Event: -1, Left: &left[0]}
		}
		e, of := &a.Trace.Events[k], a.Of[k]
		if of < 0 {
			if !e.OK && e.Kind != model.Release && e.Kind != model.Attempt {
				return &Difference{Refused: true, Event: k}
			}
			if first == nil && k < a.Carried {
				first = &Difference{Event: k}
			}
			continue
		}
		o := &t.Events[of]
		if o.OK && !e.OK && e.Kind != model.Release {
			return &Difference{Refused: true, Event: k}
		}
		if first == nil && (o.OK != e.OK || o.Token != e.Token || o.Value != e.Value) {
			first = &Difference{Event: k}
		}
	}
	if len(left) > 0 {
		return &Difference{Refused: true, Event: -1, Left: &left[0]}
	}
	return first
}
