package explore

import (
	"fmt"
	"testing"
)

func BenchmarkTwoPhase(b *testing.B) {
	for _, rms := range []int{3, 6, 8, 9} {
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("rms=%d/workers=%d", rms, workers), func(b *testing.B) {
				report(b, twoPhase{rms: rms}, Options{Workers: workers})
			})
		}
	}
}

func report(b *testing.B, sys System, opts Options) {
	b.ReportAllocs()
	var g *Graph
	cpu := cpuSeconds()
	for b.Loop() {
		g = mustRun(b, sys, opts)
	}
	s := (cpuSeconds() - cpu) / float64(b.N)
	b.ReportMetric(float64(g.States())/s/1e6, "Mstates/cpu-s")
	b.ReportMetric(float64(g.Transitions())/s/1e6, "Mtrans/cpu-s")
	b.ReportMetric(float64(g.Bytes())/float64(g.States()), "bytes/state")
}
