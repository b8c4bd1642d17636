package model

import (
	"encoding/binary"
	"testing"
)

// textbook is the search that everything else is measured against: all states
// that can be reached, in breadth-first order, each in its canonical form.
// visit sees every state with its transitions, which end in canonical states.
func textbook(w *World, visit func(s State, out *Steps)) []State {
	init := w.Init()
	w.Canonical(init)
	reached, seen := []State{init}, map[string]bool{key(init): true}
	for i := 0; i < len(reached); i++ {
		var out Steps
		w.Next(reached[i], &out)
		for j := range out.Actions {
			n := after(&out, j)
			w.Canonical(n)
			if !seen[key(n)] {
				seen[key(n)] = true
				reached = append(reached, n)
			}
		}
		visit(reached[i], &out)
	}
	return reached
}

// after is the state after action i.
func after(out *Steps, i int) State {
	words := len(out.States) / len(out.Actions)
	return out.States[i*words : (i+1)*words : (i+1)*words]
}

func key(s State) string {
	var b []byte
	for _, x := range s {
		b = binary.LittleEndian.AppendUint64(b, x)
	}
	return string(b)
}

func clone(s State) State { return append(State(nil), s...) }

// count is how many states and transitions there are.
func count(w *World) (states, transitions int) {
	states = len(textbook(w, func(_ State, out *Steps) { transitions += len(out.Actions) }))
	return states, transitions
}

// mustNew is New for a configuration that is known to be good.
func mustNew(t testing.TB, cfg Config, opt Options) *World {
	t.Helper()
	w, err := New(cfg, opt)
	if err != nil {
		t.Fatal(err)
	}
	return w
}
