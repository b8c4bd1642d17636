//go:build unix

package checker

import (
	"runtime"
	"syscall"
	"testing"

	"dlcheck/explore"
)

// BenchmarkShares searches the core system and then takes every step of every
// state again without looking anything up, in the order in which they were found,
// and reports what share of the search is left for the visited set. Both by
// processor time; a memo that knows nothing yet is part of both, and what it and
// the batch allocate is reported for each state.
func BenchmarkShares(b *testing.B) {
	p := unreduced(b, 4)
	var search, steps float64
	var allocated, states, transitions uint64
	for b.Loop() {
		began := cpuSeconds()
		g, err := explore.Run(b.Context(), p, explore.Options{Workers: 1, Order: explore.SlowFirst})
		if err != nil || g.States() != 1_112_677 {
			b.Fatal(err, g.States())
		}
		search += cpuSeconds() - began

		var before, after runtime.MemStats
		var out explore.Batch
		runtime.ReadMemStats(&before)
		began = cpuSeconds()
		w := p.Worker().(explore.Many)
		n := 0
		inGroups(g, func(states []uint64, ends []int) {
			out.Reset()
			w.NextOfMany(states, &out, ends)
			n += len(out.Notes)
		})
		steps += cpuSeconds() - began
		runtime.ReadMemStats(&after)
		if uint64(n) != g.Transitions() {
			b.Fatalf("%d transitions out of all states, and the search had %d", n, g.Transitions())
		}
		allocated += after.Mallocs - before.Mallocs
		states, transitions = states+g.States(), transitions+g.Transitions()
	}
	b.ReportMetric(1-steps/search, "visited-share")
	b.ReportMetric(float64(allocated)/float64(states), "allocs/state")
	b.ReportMetric(steps/float64(transitions)*1e9, "ns/step")
}

// cpuSeconds is what this process took of processors so far.
func cpuSeconds() float64 {
	var r syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &r) != nil {
		return 0
	}
	return float64(r.Utime.Nano()+r.Stime.Nano()) / 1e9
}
