package model

import "testing"

// textbook is the search that everything else is measured against.
func textbook(w *World) (states, transitions int) {
	key := func(s State) string {
		b := make([]byte, 0, 8*len(s))
		for _, x := range s {
			for i := 0; i < 64; i += 8 {
				b = append(b, byte(x>>i))
			}
		}
		return string(b)
	}
	init := w.Init()
	w.Canonical(init)
	seen := map[string]bool{key(init): true}
	todo := []State{init}
	for len(todo) > 0 {
		s := todo[0]
		todo = todo[1:]
		var out Steps
		w.Next(s, &out)
		for i := range out.Actions {
			n := out.States[i*len(s) : (i+1)*len(s)]
			transitions++
			w.Canonical(n)
			if !seen[key(n)] {
				seen[key(n)] = true
				todo = append(todo, n)
			}
		}
	}
	return len(seen), transitions
}

func TestCounts(t *testing.T) {
	for _, row := range []struct {
		clients, ticks int
		reduce         Reductions
		states, trans  int
	}{
		{2, 30, Reductions{}, 21_718, 37_156},
		{3, 30, Reductions{}, 210_960, 434_775},
		{3, NoBound, Reductions{}, 25_932, 58_928},
		{3, NoBound, Reductions{Clients: true}, 4_585, 10_345},
	} {
		cfg := DefaultConfig()
		cfg.Clients, cfg.Ticks, cfg.Store = row.clients, row.ticks, "claimed"
		w, err := New(cfg, Options{Reduce: row.reduce})
		if err != nil {
			t.Fatal(err)
		}
		states, trans := textbook(w)
		if states != row.states || trans != row.trans {
			t.Errorf("%d clients, %d ticks, %v: %d states, %d transitions, want %d, %d", row.clients, row.ticks, row.reduce.Names(), states, trans, row.states, row.trans)
		}
	}
}

func TestAuto(t *testing.T) {
	for _, st := range []string{"plain", "fenced", "claimed"} {
		cfg := DefaultConfig()
		cfg.Ticks, cfg.Store = NoBound, st
		for _, r := range []Reductions{{Clients: true}, {Clients: true, Dead: true}, AllReductions()} {
			for _, n := range []Needs{{}, {Tokens: true, Grants: true, Snapshots: true}} {
				w, err := New(cfg, Options{Reduce: r, Needs: n})
				if err != nil {
					t.Fatal(err)
				}
				a, b := textbook(w)
				t.Log(st, r.Names(), n, a, b, w.Layout.Bits(), w.Layout.Words())
			}
		}
	}
}
