package traces

import (
	"fmt"
	"math/bits"

	"dlcheck/model"
)

// Call names an action: who does what.
type Call struct {
	Client int // or model.Nobody for what no client does
	Kind   model.Kind
	// Reached has the servers that the action reaches or befalls, where it
	// need not be all; By is by how much. Both are 0 for most actions.
	Reached uint64
	By      int
}

// CallOf names an action of the model.
func CallOf(a model.Action) Call { return callOf(int(a.Client), a.Kind, a.Reached, int(a.Value)) }

// Call names the action of an event.
func (e *Event) Call() Call {
	var reached uint64
	for _, s := range e.Reached {
		reached |= 1 << s
	}
	return callOf(e.Client, e.Kind, reached, e.Value)
}

func callOf(client int, kind model.Kind, reached uint64, value int) Call {
	c := Call{Client: client, Kind: kind, Reached: reached}
	if byTicks(kind) {
		c.By = value
	}
	return c
}

// byTicks says whether the Value of such an action is by how many ticks a clock
// jumps.
func byTicks(k model.Kind) bool { return k == model.Jump || k == model.Gain }

// NotAllowed says that a schedule takes an action that the model refuses.
type NotAllowed struct {
	Index  int // of the action in the schedule, from 0
	Tick   int
	Who    string // the actor's name
	Call   Call
	Reason string
}

func (e *NotAllowed) Error() string {
	return fmt.Sprintf("action %d at tick %d, %s: %s: the model does not allow it: %s", e.Index+1, e.Tick, e.Who, e.Call.Kind, e.Reason)
}

// Player takes actions on the model, unreduced, and keeps the trace.
type Player struct {
	World *model.World
	State model.State
	Trace Trace
	Tick  int
	steps model.Steps
}

// NewPlayer stands at the initial state of the world.
func NewPlayer(cfg model.Config) (*Player, error) {
	w, err := model.New(cfg, model.Options{Needs: model.Needs{Versions: true}})
	if err != nil {
		return nil, err
	}
	return &Player{World: w, State: w.Init(), Trace: Trace{Config: cfg}}, nil
}

// Do takes one action. Its error is a *NotAllowed, and then nothing has
// happened.
func (p *Player) Do(c Call) (Event, error) {
	p.steps.Reset()
	p.World.Next(p.State, &p.steps)
	words := p.World.Layout.Words()
	for i, a := range p.steps.Actions {
		if CallOf(a) == c {
			e := p.record(a, p.steps.States[i*words:(i+1)*words])
			return e, nil
		}
	}
	who := "the clock"
	if c.Client != model.Nobody {
		who = p.Trace.Name(c.Client)
	} else if c.Kind != model.Tick {
		who = "the lock"
	}
	return Event{}, &NotAllowed{len(p.Trace.Events), p.Tick, who, c, p.World.WhyNot(p.State, c.Client, c.Kind, p.Trace.Name)}
}

// record moves to the next state and notes what was seen.
func (p *Player) record(a model.Action, next model.State) Event {
	w := p.World
	e := Event{Tick: p.Tick, Kind: a.Kind, Client: int(a.Client), OK: a.OK, Object: int(a.Object), Token: int(a.Token), Value: int(a.Value), Lasts: int(a.Lasts), Holder: w.Holder(next)}
	e.Reached = serversOf(a.Reached)
	if servers := serversOf(a.Servers); e.IsLease() || a.Kind == model.Attempt {
		e.Granted = servers
	} else {
		e.Freed = servers
	}
	copy(p.State, next)
	if a.Kind == model.Tick {
		p.Tick++
	}
	p.Trace.Events = append(p.Trace.Events, e)
	return e
}

// serversOf lists the members of a set of servers.
func serversOf(set uint64) (list []int) {
	for ; set != 0; set &= set - 1 {
		list = append(list, bits.TrailingZeros64(set))
	}
	return list
}

// Play takes a whole schedule.
func Play(cfg model.Config, calls []Call) (*Trace, error) {
	p, err := NewPlayer(cfg)
	if err != nil {
		return nil, err
	}
	for _, c := range calls {
		if _, err := p.Do(c); err != nil {
			return nil, err
		}
	}
	return &p.Trace, nil
}
