package certificate

import (
	"fmt"
	"strings"

	"dlcheck/model"
	"dlcheck/traces"
)

// Fault is a way in which a certificate can be wrong.
type Fault string

// The faults.
const (
	NoInitial   Fault = "initial state missing"
	NoState     Fault = "no state"
	NoSuccessor Fault = "successor missing"
	Objection   Fault = "property broken"
)

// Wrong is the first place where a certificate is wrong.
type Wrong struct {
	Fault    Fault
	State    uint64 // which one, counted from 1; 0 if none is to blame
	From     string // its variables
	Odd      string // of NoState: why it is none
	Action   string // the transition out of it
	To       string // the variables of what that leads to
	Property string // of Objection
}

func (v *verifier) wrong(fault Fault, from model.State, a *model.Action, to model.State) *Wrong {
	w := &Wrong{Fault: fault}
	if from != nil {
		w.From = values(v.world.Layout, from)
	}
	if a != nil {
		w.Action = told(a)
	}
	if to != nil {
		w.To = values(v.world.Layout, to)
	}
	return w
}

// Sentence says it for people.
func (w *Wrong) Sentence() string {
	switch w.Fault {
	case NoInitial:
		return fmt.Sprintf("the initial state (%s) is not among its states", w.To)
	case NoState:
		return fmt.Sprintf("its state %d (%s) is none of this world: %s", w.State, w.From, w.Odd)
	case NoSuccessor:
		return fmt.Sprintf("in its state %d (%s) %s, and the state that this leads to (%s) is not among its states", w.State, w.From, w.Action, w.To)
	}
	return fmt.Sprintf("in its state %d (%s) %s, and that breaks %s", w.State, w.From, w.Action, w.Property)
}

// told says what an action is, in the words that traces have for it.
func told(a *model.Action) string {
	who := "the clock"
	switch {
	case a.Client != model.Nobody:
		who = traces.Name(int(a.Client))
	case a.Kind != model.Tick:
		who = "the lock"
	}
	text := fmt.Sprintf("%s takes the action %s", who, a.Kind)
	var with []string
	if a.Object > 0 {
		with = append(with, fmt.Sprintf("object %d", a.Object+1))
	}
	if a.Token > 0 {
		with = append(with, fmt.Sprintf("token %d", a.Token))
	}
	if !a.OK {
		with = append(with, "refused")
	}
	if len(with) > 0 {
		text += " (" + strings.Join(with, ", ") + ")"
	}
	return text
}

// values lists the variables that are not 0: of a client under its name, of a
// server under its number.
func values(l *model.Layout, s model.State) string {
	var out []string
	for _, v := range l.Vars {
		for i, f := range v.Fields {
			n := f.Get(s)
			if n == 0 {
				continue
			}
			name := v.Name
			switch {
			case v.PerClient:
				name = traces.Name(i) + "." + name
			case len(v.Fields) > 1:
				name += fmt.Sprintf("[%d]", i+1)
			}
			out = append(out, fmt.Sprintf("%s=%d", name, n))
		}
	}
	if out == nil {
		return "all 0"
	}
	return strings.Join(out, " ")
}
