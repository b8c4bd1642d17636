package traces

import (
	"slices"

	"dlcheck/model"
)

// Event is one action of a trace and what was seen of it.
type Event struct {
	Tick   int // the clock when it happened; of a tick, the clock before
	Kind   model.Kind
	Client int // who acts, or model.Nobody for the clock
	// OK is what was answered: granted, accepted, or "yes, you still hold it".
	// Of a release it says whether the lease was still there to give up.
	OK bool
	// Object is the object of the store that the action is about, from 0.
	Object int
	// Token is the token granted or shown to the store, 0 if none.
	Token int
	// Value is the version of the content that a read was answered with, or
	// that an accepted write made. Version n is the content after the n-th
	// accepted write; 0 is the content at the start.
	Value int
	// Granted and Freed list the servers (from 0) whose lease this action
	// began or made longer, and gave up or, of a tick, saw run out.
	Granted, Freed []int
	// Lasts is for how many ticks the lease that this action began or made
	// longer lasts, if it is not released.
	Lasts int
	// Reached lists the servers that a request reached, where it can miss
	// some, or the server that a fault befalls; else nil.
	Reached []int
	// Holder is who holds a majority of unexpired leases after the action.
	Holder int
}

// IsGrant says whether the lock was granted, be it that nobody heard of it.
func (e *Event) IsGrant() bool { return slices.Contains(model.Grants(), e.Kind) }

// IsLease says whether a lease was begun or made longer.
func (e *Event) IsLease() bool { return slices.Contains(model.Leases(), e.Kind) }

// IsWrite says whether the store judged a write.
func (e *Event) IsWrite() bool { return slices.Contains(model.Writes(), e.Kind) }

// Remark points at the event of a trace that someone finds worth a sentence.
type Remark struct {
	Property string
	At       int // index of the event
	Reason   string
	// Minimal says that no trace with this remark is shorter in the measure
	// that was asked for.
	Minimal bool
}

// Trace is a schedule and what was seen of it.
type Trace struct {
	Config model.Config
	Names  []string // of the clients, if they are not just A, B, C …
	// Words are those of the system that the world is of, by the keys of
	// WordKeys; what it has no word for is called as usual.
	Words  map[string]string
	Events []Event
	Remark *Remark // nil when there is nothing to remark
}

// Ticks is how many ticks the clock made.
func (t *Trace) Ticks() int {
	n := 0
	for i := range t.Events {
		if t.Events[i].Kind == model.Tick {
			n++
		}
	}
	return n
}

// Steps is how many actions there are, ticks included.
func (t *Trace) Steps() int { return len(t.Events) }

// Actions is how many actions there are beside ticks.
func (t *Trace) Actions() int { return t.Steps() - t.Ticks() }

// Faults is how many actions are faults or pauses.
func (t *Trace) Faults() int {
	n := 0
	for i := range t.Events {
		if c := t.Events[i].Call(); t.Config.Mishap(model.Action{Kind: c.Kind, Reached: c.Reached}) {
			n++
		}
	}
	return n
}

// Name is what a client is called in this trace.
func (t *Trace) Name(client int) string {
	if client >= 0 && client < len(t.Names) {
		return t.Names[client]
	}
	return Name(client)
}

// Name is what a client is called that has no other name: A, B, … P.
func Name(client int) string {
	if client == model.Nobody {
		return "nobody"
	}
	return string(rune('A' + client))
}
