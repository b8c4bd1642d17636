package model

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestCounts are the numbers that everyone who writes this system down has to
// find, before anything is made faster.
func TestCounts(t *testing.T) {
	for _, row := range []struct {
		clients, ticks int
		reduce         Reductions
		states, trans  int
	}{
		{2, 30, Reductions{}, 21_718, 37_156},
		{3, 30, Reductions{}, 210_960, 434_775},
		{3, NoBound, Reductions{}, 25_932, 58_928},
		{3, NoBound, Reductions{Time: true}, 25_932, 58_928},
		{3, NoBound, Reductions{Clients: true}, 4_585, 10_345},
	} {
		cfg := DefaultConfig()
		cfg.Clients, cfg.Ticks, cfg.Store = row.clients, row.ticks, "claimed"
		states, trans := count(mustNew(t, cfg, Options{Reduce: row.reduce}))
		if states != row.states || trans != row.trans {
			t.Errorf("%d clients, %d ticks, %v: %d states, %d transitions, want %d, %d", row.clients, row.ticks, row.reduce.Names(), states, trans, row.states, row.trans)
		}
	}
}

// manyStates is where a row of counts.txt is left to the real search.
const manyStates = 400_000

// TestForeignCounts asks for the numbers of crosscheck/counts.txt, on which
// two foreign checkers agree, without those checkers.
func TestForeignCounts(t *testing.T) {
	text, err := os.ReadFile("crosscheck/counts.txt")
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for i, line := range strings.Split(string(text), "\n") {
		if line == "" || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "store ") {
			continue
		}
		rows++
		t.Run(fmt.Sprintf("line %d", i+1), func(t *testing.T) {
			cfg := DefaultConfig()
			var ticks, orbits, stale, lost string
			var states, trans int
			if _, err := fmt.Sscan(line, &cfg.Store, &cfg.Clients, &cfg.Servers, &ticks, &cfg.TTL, &cfg.Rounds, &cfg.Pauses,
				&states, &trans, &orbits, &stale, &lost); err != nil {
				t.Fatal(err)
			}
			if states > manyStates || raceEnabled && states > manyStates/4 {
				return // left to the real search, which make crosscheck compares
			}
			cfg.Ticks = NoBound
			if ticks != "unlimited" {
				if _, err := fmt.Sscan(ticks, &cfg.Ticks); err != nil {
					t.Fatal(err)
				}
			}
			w := mustNew(t, cfg, Options{})
			got := []any{}
			s, n := count(w)
			got = append(got, s, n)
			if orbits == "-" {
				got = append(got, "-")
			} else {
				s, n := count(mustNew(t, cfg, Options{Reduce: Reductions{Clients: true}}))
				got = append(got, fmt.Sprintf("%d/%d", s, n))
			}
			got = append(got, shortest(w, staleOverwrite), shortest(w, lostUpdate))
			if want := []any{states, trans, orbits, stale, lost}; fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%s\n%d clients: got %v, want %v", line, cfg.Clients, got, want)
			}
		})
	}
	if rows < 20 {
		t.Errorf("only %d rows", rows)
	}
}

func staleOverwrite(w *World, s State, a Action) bool {
	return a.Kind == Write && a.OK && w.Grant(s, int(a.Client)) < w.Applied(s)
}

func lostUpdate(w *World, s State, a Action) bool {
	return a.Kind == Write && a.OK && w.Stale(s, int(a.Client), int(a.Object))
}

// shortest is the length, as events+ticks, of the shortest schedule that ends
// in a bad action; of equally long ones, of one with the fewest ticks.
func shortest(w *World, bad func(*World, State, Action) bool) string {
	type length struct{ steps, ticks int }
	init := w.Init()
	at := map[string]length{key(init): {}}
	var found *length
	for todo := []State{init}; len(todo) > 0; todo = todo[1:] {
		s := todo[0]
		here := at[key(s)]
		if found != nil && here.steps >= found.steps {
			break
		}
		var out Steps
		w.Next(s, &out)
		for i, a := range out.Actions {
			there := length{here.steps + 1, here.ticks}
			if a.Kind == Tick {
				there.ticks++
			}
			if bad(w, s, a) && (found == nil || there.ticks < found.ticks) {
				found = &there
			}
			n := after(&out, i)
			was, seen := at[key(n)]
			if !seen {
				todo = append(todo, n)
			}
			// A state is left after all states of its level are, so that it
			// is not too late to come to it with fewer ticks.
			if !seen || was.steps == there.steps && there.ticks < was.ticks {
				at[key(n)] = there
			}
		}
	}
	if found == nil {
		return "holds"
	}
	return fmt.Sprintf("%d+%d", found.steps-found.ticks, found.ticks)
}
