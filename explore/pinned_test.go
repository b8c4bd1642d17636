package explore

import (
	"testing"
)

func mustRun(t testing.TB, sys System, opts Options) *Graph {
	t.Helper()
	g, err := Run(t.Context(), sys, opts)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestTwoPhaseCommit(t *testing.T) {
	for _, c := range []struct {
		rms                        int
		states, transitions, depth int
		orbits                     int
	}{
		{3, 288, 1146, 10, 80},
		{4, 1568, 8258, 13, 166},
		{5, 8832, 58146, 16, 314},
		{6, 50816, 402306, 19, 553},
		{7, 296448, 2744706, 22, 920},
	} {
		g := mustRun(t, twoPhase{rms: c.rms}, Options{})
		b := g.Buckets()
		t.Log(g.Ended(), g.States(), g.Transitions(), len(b), b[len(b)-1], g.Bytes())
		g = mustRun(t, twoPhase{rms: c.rms, symmetric: true}, Options{})
		t.Log(g.Ended(), g.States(), g.Transitions())
	}
}
