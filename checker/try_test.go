package checker

import (
	"context"
	"os"
	"testing"

	"dlcheck/model"
	"dlcheck/traces"
)

func TestTry(t *testing.T) {
	for _, st := range []string{"plain", "fenced", "claimed"} {
		for _, red := range []model.Reductions{model.AllReductions(), {}} {
			cfg := model.DefaultConfig()
			cfg.Store = st
			r, err := Check(context.Background(), Question{Config: cfg, Properties: []string{"all"}, Reduce: red})
			if err != nil {
				t.Fatal(err)
			}
			t.Log(st, r.Reductions, r.States, r.Transitions, r.DepthSteps, r.DepthTicks, r.Closed, r.Complete, r.Elapsed, r.PeakBytes, r.StateBits)
			f, _ := traces.FindFormat("text")
			for _, v := range r.Verdicts {
				t.Log(v.Property, v.Result, v.Scope)
				if v.Trace != nil {
					t.Log(v.Trace.Summary())
					if red.Time {
						f.Write(os.Stdout, v.Trace)
					}
				}
			}
		}
	}
}
