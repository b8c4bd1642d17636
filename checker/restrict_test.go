package checker

import (
	"context"
	"fmt"
	"testing"

	"dlcheck/model"
	"dlcheck/traces"
	"dlcheck/traces/script"
)

// everyOrder runs a schedule of two clients in every order within its ticks,
// and calls yield with each trace. Only ticks in which both do something, or
// one waits for the other, are worth two orders.
func everyOrder(s *script.Schedule, yield func(*traces.Trace)) (runs int, err error) {
	swapped := map[int]bool{}
	var from func(tick int) error
	from = func(tick int) error {
		r, err := s.RunInOrder(func(t int) []int {
			if swapped[t] {
				return []int{1, 0}
			}
			return []int{0, 1}
		})
		if err != nil {
			return err
		}
		contested := -1
		acts := map[int]map[int]bool{}
		note := func(t, c int) {
			if acts[t] == nil {
				acts[t] = map[int]bool{}
			}
			acts[t][c] = true
		}
		for _, e := range r.Trace.Events {
			if e.Kind != model.Tick {
				note(e.Tick, e.Client)
			}
		}
		for _, d := range r.Denied {
			note(d.Tick, d.Client)
		}
		for t, who := range acts {
			if t >= tick && len(who) == 2 && (contested < 0 || t < contested) {
				contested = t
			}
		}
		if contested < 0 {
			runs++
			yield(r.Trace)
			return nil
		}
		for _, swap := range []bool{false, true} {
			swapped[contested] = swap
			if err := from(contested + 1); err != nil {
				return err
			}
		}
		delete(swapped, contested)
		return nil
	}
	return runs, from(0)
}

// TestExhaustiveAgainstScripted: in each cell of a grid, the explorer that is
// held to the schedule finds a violation exactly if the scripted run breaks the
// property in one of the orders within its ticks.
func TestExhaustiveAgainstScripted(t *testing.T) {
	properties := []string{"stale-overwrite", "lost-update", "unlocked-write", "mutual-exclusion", "token-order"}
	broken := map[string]int{}
	cells, runs := 0, 0
	for _, name := range []string{"dlock", "dlock-unfenced", "dlock-recheck-5-unfenced"} {
		base, _, err := script.Builtin(name)
		if err != nil {
			t.Fatal(err)
		}
		for ttl := 1; ttl <= 8; ttl++ {
			for pause := 0; pause <= 9; pause++ {
				for _, arrives := range []int{1, 3, 6} {
					s := base.Clone()
					for param, v := range map[string]int{"ttl": ttl, "pause": pause, "arrives": arrives, "servers": 1} {
						if err := s.Set(param, v); err != nil {
							t.Fatal(err)
						}
					}
					cells++
					scripted := map[string]bool{}
					n, err := everyOrder(s, func(tr *traces.Trace) {
						found, err := Audit(tr, properties...)
						if err != nil {
							t.Fatal(err)
						}
						for _, f := range found {
							scripted[f.Property] = scripted[f.Property] || f.Remark != nil
						}
					})
					if err != nil {
						t.Fatal(err)
					}
					runs += n
					explored, err := Scripted(context.Background(), s, properties...)
					if err != nil {
						t.Fatal(err)
					}
					for _, p := range properties {
						if explored[p] != scripted[p] {
							t.Errorf("%s, ttl %d, pause %d, arrives %d: %s: explored %v, scripted %v", name, ttl, pause, arrives, p, explored[p], scripted[p])
						}
						if explored[p] {
							broken[name+" "+p]++
						}
					}
				}
			}
		}
	}
	t.Logf("%d cells, %d runs, %v", cells, runs, broken)
	for _, want := range []string{"dlock lost-update", "dlock-unfenced stale-overwrite", "dlock-recheck-5-unfenced stale-overwrite"} {
		if broken[want] == 0 || broken[want] == cells/3 {
			t.Errorf("%s in %d of %d cells: nothing to tell apart", want, broken[want], cells/3)
		}
	}
}

// TestScriptedRefuses: what the explorer cannot be asked about a script.
func TestScriptedRefuses(t *testing.T) {
	once, _, _ := script.Builtin("lesson")
	poll, _, _ := script.Builtin("dlock")
	for want, f := range map[string]func() error{
		"Aishwarya asks once: whether it is denied depends on the order within a tick, which is left open here": func() error {
			_, err := Scripted(context.Background(), once, "lost-update")
			return err
		},
		"progress is not judged transition by transition, and cannot be asked of a script's orders": func() error {
			_, err := Scripted(context.Background(), poll, "progress")
			return err
		},
	} {
		if err := f(); fmt.Sprint(err) != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
