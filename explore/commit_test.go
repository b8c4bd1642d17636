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

// TestTwoPhaseOrbits holds sorted records to what they stand for. Each state that
// is kept stands for as many as its records can be ordered in: together these are
// the states of the system, which TLC and, of ten resource managers, Stateright
// have counted. And of few, where every order of every state can be tried, there
// are as many orbits.
func TestTwoPhaseOrbits(t *testing.T) {
	for _, want := range []struct {
		rms            int
		states, orbits uint64
	}{
		{3, 288, 80}, {4, 1_568, 166}, {5, 8_832, 314}, {6, 50_816, 553}, {7, 296_448, 920},
		{8, 1_745_408, 1_461}, {9, 10_340_352, 2_232}, {10, 61_515_776, 3_300},
	} {
		g := mustRun(t, twoPhase{rms: want.rms, symmetric: true}, Options{})
		states := uint64(0)
		for _, s := range g.Backward() {
			states += orderings(s[0], want.rms)
		}
		if g.States() != want.orbits || states != want.states {
			t.Errorf("%d resource managers: %d orbits of %d states, want %d of %d", want.rms, g.States(), states, want.orbits, want.states)
		}
		if want.rms > 5 {
			continue
		}
		least := map[uint64]bool{}
		for _, s := range mustRun(t, twoPhase{rms: want.rms}, Options{}).Backward() {
			least[leastOrdering(s[0], want.rms, 0)] = true
		}
		if uint64(len(least)) != want.orbits {
			t.Errorf("%d resource managers: %d orbits by brute force, want %d", want.rms, len(least), want.orbits)
		}
	}
}

// orderings is in how many ways the records of a state can be ordered: n! over
// the factorial of how often each is there.
func orderings(s uint64, rms int) uint64 {
	n := uint64(1)
	var times [16]uint64
	for r := range rms {
		rm := s >> (4 * r) & 15
		times[rm]++
		n = n * uint64(r+1) / times[rm]
	}
	return n
}

// leastOrdering is the least of all states that differ in the order of the
// records from the i-th on.
func leastOrdering(s uint64, rms, i int) uint64 {
	if i == rms {
		return s
	}
	least := ^uint64(0)
	for j := i; j < rms; j++ {
		differ := (s>>(4*i) ^ s>>(4*j)) & 15
		least = min(least, leastOrdering(s^differ<<(4*i)^differ<<(4*j), rms, i+1))
	}
	return least
}
