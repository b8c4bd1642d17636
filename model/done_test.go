package model

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// outlive are variables that a client can have when it is done: what it sent and
// started is still there.
var outlive = []string{"flight", "task", "grant.newest"}

// TestNothingIsKeptOfWhoIsDone: a client that has no rounds left and is not inside
// its program is like any other such client.
func TestNothingIsKeptOfWhoIsDone(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for range 150 {
		cfg := DefaultConfig()
		cfg.Clients, cfg.TTL, cfg.Ticks, cfg.Pauses = 2, 2, 6, r.IntN(2)
		for range 1 + r.IntN(4) {
			a := axes[r.IntN(len(axes))]
			before := cfg
			if a.Set(&cfg, 1+r.IntN(min(a.Max, 2))); cfg.Validate() != nil {
				cfg = before
			}
		}
		w := mustNew(t, cfg, Options{Reduce: Reductions{Dead: true}})
		seen := map[string]bool{}
		todo := []State{w.Init()}
		for len(todo) > 0 && len(seen) < 20_000 {
			s := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			key := string(bytesOf(s))
			if seen[key] {
				continue
			}
			seen[key] = true
			for c := range cfg.Clients {
				if w.Phase(s, c) != 0 || w.RoundsLeft(s, c) != 0 {
					continue
				}
				for _, v := range w.Layout.Vars {
					if v.PerClient && v.Fields[c].Get(s) != 0 && !outlives(v.Name) {
						t.Fatalf("%s: client %d is done, and its %s is %d", cfg.AxesText(), c, v.Name, v.Fields[c].Get(s))
					}
				}
			}
			var out Steps
			w.Next(s, &out)
			for i := range out.Actions {
				todo = append(todo, append(State(nil), out.state(i, len(s))...))
			}
		}
	}
}

func outlives(name string) bool {
	for _, o := range outlive {
		if strings.HasPrefix(name, o) {
			return true
		}
	}
	return false
}

func bytesOf(s State) []byte {
	var b []byte
	for _, w := range s {
		for i := range 8 {
			b = append(b, byte(w>>(8*i)))
		}
	}
	return b
}
