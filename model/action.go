package model

import "slices"

// Kind is the kind of an action. Kinds are declared beside the rule that
// takes them. Their numbers depend on the order of declaration and are never
// written down; names are.
type Kind uint8

var kinds []string

// NewKind declares a kind of action under the name that traces show.
// It panics when the name is taken.
func NewKind(name string) Kind {
	if _, taken := KindByName(name); taken {
		panic("model: two kinds of action named " + name)
	}
	kinds = append(kinds, name)
	return Kind(len(kinds) - 1)
}

var faults []Kind

// NewFault declares a kind of action that is a fault: nobody can be asked to
// wait for it.
func NewFault(name string) Kind {
	k := NewKind(name)
	faults = append(faults, k)
	return k
}

// Grants are the kinds of action that grant the lock, be it that the client
// does not hear of it, or only later.
func Grants() []Kind { return []Kind{Acquire, Unheard, Late} }

// Leases are the kinds of action that begin a lease or make it longer.
func Leases() []Kind { return append(Grants(), Renew, Recreate) }

// Writes are the kinds of action with which the store judges a write.
func Writes() []Kind { return []Kind{Write, Arrive, ArriveTwice} }

// Fault says whether an action is a fault: one of the kinds, or a request that
// does not reach every server.
func (w *World) Fault(a Action) bool { return w.Config.fault(a) }

func (c *Config) fault(a Action) bool {
	if slices.Contains(faults, a.Kind) {
		return true
	}
	all := ^uint64(0) >> (64 - c.Servers)
	return a.Reached != 0 && a.Reached != all
}

// Mishap says whether an action is a fault or a pause: what has to go wrong, with
// the network, the servers or a client itself.
func (c *Config) Mishap(a Action) bool { return a.Kind == Pause || c.fault(a) }

// KindByName finds a kind by the name that String gives.
func KindByName(name string) (Kind, bool) {
	for i, k := range kinds {
		if k == name {
			return Kind(i), true
		}
	}
	return 0, false
}

// Kinds lists the names of all kinds.
func Kinds() []string { return slices.Clone(kinds) }

func (k Kind) String() string { return kinds[k] }

// Action is the label of a transition: one indivisible thing that one actor
// does, and what it was answered.
type Action struct {
	Kind   Kind
	Client int8 // the client that acts, or Nobody
	OK     bool // granted, accepted, or answered yes
	// Object is the object of the store that the action is about, from 0.
	Object int8
	Token  int32
	// Value is the version of the store's content that a read answered, or
	// that an accepted write made; 0 where the world keeps no versions.
	Value int32
	// Lasts is for how many ticks the lease that this action began or made
	// longer lasts from now, if it is not released; else 0.
	Lasts int32
	// Servers has a bit for each server (from 0) whose lease this action
	// began, made longer, gave up, or saw run out.
	Servers uint64
	// Reached has a bit for each server that a request reached, where some
	// can be missed; else 0.
	Reached uint64
}

// Nobody is the actor of what no client does, such as the tick of the clock.
const Nobody = -1

// Steps takes the transitions out of one state. States lie one after another
// so that a search can take them without copying.
type Steps struct {
	States  []uint64
	Actions []Action
}

// Reset empties the list and keeps its memory.
func (b *Steps) Reset() { b.States, b.Actions = b.States[:0], b.Actions[:0] }

// Fork appends a copy of s as the state after the action and returns it to be
// edited; everything that is not edited stays as it was.
func (b *Steps) Fork(s State, a Action) State {
	n := len(b.States)
	b.States = append(b.States, s...)
	b.Actions = append(b.Actions, a)
	return b.States[n:len(b.States):len(b.States)]
}

// drop takes back the state that Fork appended last; see World.undo.
func (b *Steps) drop(words int) {
	b.States = b.States[:len(b.States)-words]
	b.Actions = b.Actions[:len(b.Actions)-1]
}

// state is the i-th state.
func (b *Steps) state(i, words int) State { return b.States[i*words : (i+1)*words : (i+1)*words] }

// last is the action that Fork appended last, to note what was answered.
func (b *Steps) last() *Action { return &b.Actions[len(b.Actions)-1] }
