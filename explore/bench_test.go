//go:build unix

package explore

import (
	"fmt"
	"syscall"
	"testing"
)

// Benchmarks report per CPU-second, as other work on the machine and the
// number of workers change less in that than in elapsed time. Note that the
// steps of the system itself are included.

func BenchmarkTwoPhase(b *testing.B) {
	for _, rms := range []int{3, 4, 5, 6, 8, 9, 10} {
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("rms=%d/workers=%d", rms, workers), func(b *testing.B) {
				bench(b, twoPhase{rms: rms}, Options{Workers: workers})
			})
		}
	}
}

// A random graph has no locality at all: the worst case for every cache.
func BenchmarkRandom(b *testing.B) {
	for _, width := range []int{1, 2, 4, 8} {
		b.Run(fmt.Sprintf("words=%d", width), func(b *testing.B) {
			bench(b, scattered{width, 1 << 20}, Options{Workers: 1})
		})
	}
}

func BenchmarkOrder(b *testing.B) {
	for name, order := range map[string]Order{"steps": StepsFirst, "slow": SlowFirst, "fast": FastFirst} {
		b.Run(name, func(b *testing.B) { bench(b, walkers{5, 14}, Options{Workers: 1, Order: order}) })
	}
}

// scattered has eight random successors for each state, cheaply drawn.
type scattered struct {
	width int
	nodes uint64
}

func (s scattered) Words() int     { return s.width }
func (s scattered) Worker() Worker { return s }

func (s scattered) Init(out *Batch) {
	out.Notes = append(out.Notes, 0)
	out.States = append(out.States, make([]uint64, s.width)...)
}

func (s scattered) Next(state []uint64, out *Batch) {
	x := state[0]*0x9e3779b97f4a7c15 + 1
	for range 8 {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		out.Notes = append(out.Notes, 0)
		for i := range s.width {
			out.States = append(out.States, x%s.nodes+uint64(i))
		}
	}
}

// walkers count up, each by one with every step, and all are reset to where
// they are modulo 4 by a slow one.
type walkers struct{ n, top int }

func (w walkers) Words() int      { return 1 }
func (w walkers) Worker() Worker  { return w }
func (w walkers) Init(out *Batch) { out.Add(0, 0) }

func (w walkers) Next(state []uint64, out *Batch) {
	s := state[0]
	for i := range w.n {
		if s>>(8*i)&0xff < uint64(w.top) {
			out.Add(0, s+1<<(8*i))
		}
	}
	out.Add(Slow, s&0x0303030303030303)
}

func bench(b *testing.B, sys System, opts Options) {
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
	b.ReportMetric(float64(g.States()), "states")
	b.ReportMetric(float64(g.Transitions()), "transitions")
}

func cpuSeconds() float64 {
	var r syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &r) != nil {
		return 0
	}
	return float64(r.Utime.Nano()+r.Stime.Nano()) / 1e9
}
