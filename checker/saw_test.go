package checker

import (
	"context"
	"reflect"
	"testing"

	"dlcheck/model"
)

// TestSaw adds up, and is the same for any number of workers.
func TestSaw(t *testing.T) {
	cfg := model.DefaultConfig()
	cfg.TTL, cfg.Store = 4, "claimed"
	var first *Saw
	for _, workers := range []int{1, 2, 7} {
		run, err := Check(context.Background(), Question{Config: cfg, Properties: []string{"lost-update"}, Reduce: model.AllReductions(), Workers: workers, Stats: true})
		if err != nil {
			t.Fatal(err)
		}
		s := run.Saw
		var states, transitions uint64
		for _, n := range s.ByTick {
			states += n
		}
		for _, a := range s.Actions {
			transitions += a.Yes + a.No
			if a.Kind == "read" && a.No == 0 {
				t.Error("no read is refused under claimed")
			}
		}
		var expanded, leaving uint64
		for i, n := range s.OutDegree {
			expanded += n
			leaving += uint64(i) * n
		}
		if expanded != run.States || leaving != run.Transitions {
			t.Errorf("%d states with %d transitions by out-degree; the run says %d, %d", expanded, leaving, run.States, run.Transitions)
		}
		bits := 0
		for _, f := range s.Fields {
			bits += f.Bits
		}
		if states != run.States || transitions != run.Transitions || bits != run.StateBits {
			t.Errorf("%d states, %d transitions, %d bits; the run says %d, %d, %d", states, transitions, bits, run.States, run.Transitions, run.StateBits)
		}
		if first == nil {
			first = s
		} else if !reflect.DeepEqual(first, s) {
			t.Errorf("%d workers: %+v, and one: %+v", workers, s, first)
		}
	}
}
