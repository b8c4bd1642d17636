package explore

import "testing"

// The counts are those of TLC, which counts the initial state as generated;
// orbits are counted under all permutations of the resource managers.
func TestTwoPhaseCommit(t *testing.T) {
	for _, want := range []struct {
		rms                 int
		states, transitions uint64
		steps               int
		orbits              uint64
	}{
		{3, 288, 1146, 10, 80},
		{4, 1568, 8258, 13, 166},
		{5, 8832, 58146, 16, 314},
		{6, 50816, 402306, 19, 553},
		{7, 296448, 2744706, 22, 920},
	} {
		g := mustRun(t, twoPhase{rms: want.rms}, Options{})
		buckets := g.Buckets()
		steps := buckets[len(buckets)-1].P
		if g.States() != want.states || g.Transitions()+1 != want.transitions || steps != want.steps {
			t.Errorf("%d resource managers: %d states, %d transitions, %d steps, want %+v",
				want.rms, g.States(), g.Transitions()+1, steps, want)
		}
		g = mustRun(t, twoPhase{rms: want.rms, symmetric: true}, Options{})
		if g.States() != want.orbits {
			t.Errorf("%d resource managers: %d orbits, want %d", want.rms, g.States(), want.orbits)
		}
	}
}
