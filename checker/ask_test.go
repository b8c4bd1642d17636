package checker

import (
	"context"
	"testing"

	"dlcheck/model"
)

// ask runs Check and fails the test on an error, which a disagreement of the
// two judges is too.
func ask(t *testing.T, cfg model.Config, reduce model.Reductions, m Measure, properties ...string) *Run {
	t.Helper()
	r, err := Check(context.Background(), Question{Config: cfg, Properties: properties, Minimize: m, Reduce: reduce})
	if err != nil {
		t.Fatalf("%+v, reductions %v: %v", cfg, reduce.Names(), err)
	}
	return r
}
