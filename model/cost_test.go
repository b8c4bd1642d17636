package model

import (
	"os/exec"
	"strings"
	"testing"
	"unsafe"
)

// TestNextAllocatesNothing: a search that owns its buffer pays for no memory
// per state, in no world.
func TestNextAllocatesNothing(t *testing.T) {
	for _, store := range Stores.Names() {
		for _, reduce := range []Reductions{{}, AllReductions()} {
			cfg := DefaultConfig()
			cfg.Store, cfg.Ticks, cfg.TTL, cfg.Servers, cfg.MaxPause = store, 20, 3, 3, 4
			cfg.Program = Program{OpAcquire, OpClaim, OpRead, OpWork, OpCheck, OpWrite, OpRelease}
			if reduce.Time {
				cfg.Ticks = NoBound
			}
			cfg.Clients = 2
			w := mustNew(t, cfg, Options{Reduce: reduce, Needs: Needs{Tokens: true, Grants: true, Snapshots: true, Versions: true}})
			states := textbook(w, func(State, *Steps) {})
			out := Steps{States: make([]uint64, 0, 1032), Actions: make([]Action, 0, 64)}
			i := 0
			if n := testing.AllocsPerRun(len(states), func() {
				out.Reset()
				w.Next(states[i%len(states)], &out)
				for j := range out.Actions {
					w.Canonical(after(&out, j))
				}
				i++
			}); n != 0 {
				t.Errorf("%s, %v: %v allocations for one state", store, reduce.Names(), n)
			}
		}
	}
}

// TestSizeOfAction: labels are copied for every transition.
func TestSizeOfAction(t *testing.T) {
	if n := unsafe.Sizeof(Action{}); n != 32 {
		t.Errorf("an action has %d bytes", n)
	}
	if n := unsafe.Sizeof(Field{}); n != 16 {
		t.Errorf("a field has %d bytes", n)
	}
}

// TestFieldIsInlined: Get and Set stand behind every line of every rule.
func TestFieldIsInlined(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "go", "build", "-gcflags=-m", ".").CombinedOutput()
	if err != nil {
		t.Fatalf("go build -gcflags=-m: %v\n%s", err, out)
	}
	for _, name := range []string{"Field.Get", "Field.Set", "Field.Claimed", "Field.get64", "Field.set64", "(*Steps).last"} {
		if !strings.Contains(string(out), "can inline "+name) {
			t.Errorf("%s is not inlined", name)
		}
	}
}
