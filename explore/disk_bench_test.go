//go:build unix

package explore_test

import (
	"fmt"
	"syscall"
	"testing"

	"dlcheck/explore"
)

// BenchmarkOnDisk is BenchmarkTwoPhase on disk, with memory for all candidates
// of a bucket and with less than that.
func BenchmarkOnDisk(b *testing.B) {
	for _, rms := range []int{8, 9, 10} {
		for _, memory := range []int64{8 << 20, 64 << 20, 1 << 30} {
			for _, workers := range []int{1, 2} {
				b.Run(fmt.Sprintf("rms=%d/MiB=%d/workers=%d", rms, memory>>20, workers), func(b *testing.B) {
					f := openFolder(b)
					cpu := cpuSeconds()
					var states, transitions uint64
					var bytes int64
					for b.Loop() {
						g := runOnDisk(b, f, explore.TwoPhase(rms), explore.Options{Workers: workers, MaxBytes: memory})
						states, transitions, bytes = g.States(), g.Transitions(), g.Bytes()
						g.Close()
					}
					s := (cpuSeconds() - cpu) / float64(b.N)
					b.ReportMetric(float64(states)/s/1e6, "Mstates/cpu-s")
					b.ReportMetric(float64(transitions)/s/1e6, "Mtrans/cpu-s")
					b.ReportMetric(float64(bytes)/(1<<20), "MiB")
					b.ReportMetric(float64(states), "states")
					b.ReportMetric(float64(transitions), "transitions")
					b.ReportMetric(float64(f.Peak())/float64(states), "disk-bytes/state")
				})
			}
		}
	}
}

func cpuSeconds() float64 {
	var r syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &r) != nil {
		return 0
	}
	return float64(r.Utime.Nano()+r.Stime.Nano()) / 1e9
}
