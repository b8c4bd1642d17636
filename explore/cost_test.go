package explore

import (
	"math"
	"testing"
)

// Memory is taken in chunks and for tables, never for a state.
func TestAllocations(t *testing.T) {
	var states float64
	allocs := testing.AllocsPerRun(2, func() {
		states = float64(mustRun(t, twoPhase{rms: 7}, Options{Workers: 1}).States())
	})
	if allocs > states/50 {
		t.Errorf("%.0f allocations for %.0f states", allocs, states)
	}
	small := testing.AllocsPerRun(2, func() { mustRun(t, twoPhase{rms: 3}, Options{Workers: 1}) })
	if small > 1500 {
		t.Errorf("%.0f allocations for 288 states", small)
	}
}

func TestBytes(t *testing.T) {
	for _, c := range []struct {
		sys System
		max float64 // bytes a state
	}{
		{random{seed: 1, width: 2, nodes: 300000, degree: 9}, 36},
		{random{seed: 1, width: 4, nodes: 300000, degree: 9}, 54},
		{twoPhase{rms: 7}, 29},
	} {
		g := mustRun(t, c.sys, Options{})
		if b := float64(g.Bytes()) / float64(g.States()); b > c.max {
			t.Errorf("%T: %.1f bytes a state, want at most %.0f", c.sys, b, c.max)
		}
	}
	if g := mustRun(t, twoPhase{rms: 3}, Options{}); g.Bytes() > 100_000 {
		t.Errorf("%d bytes for 288 states", g.Bytes())
	}
}

// Packed states differ in a few bits, low ones or high ones, in one word or
// in another. Each such family must fill shards and home slots evenly.
func TestHashSpreads(t *testing.T) {
	families := map[string]func(i uint64) []uint64{
		"low":     func(i uint64) []uint64 { return []uint64{i} },
		"high":    func(i uint64) []uint64 { return []uint64{i << 48} },
		"middle":  func(i uint64) []uint64 { return []uint64{i << 24} },
		"second":  func(i uint64) []uint64 { return []uint64{7, i << 40} },
		"first":   func(i uint64) []uint64 { return []uint64{i << 16, 7, 7, 7} },
		"both":    func(i uint64) []uint64 { return []uint64{i & 255, i >> 8 << 56} },
		"nibbles": func(i uint64) []uint64 { return []uint64{i&15 | i>>4&15<<20 | i>>8&15<<40 | i>>12&15<<60} },
	}
	const n = 1 << 16
	for name, f := range families {
		// 64 shards of 1024 homes; as many states as homes.
		var homes [n]int
		for i := range uint64(n) {
			h := hash(f(i))
			homes[owner(h)<<10|uint64(place(h)>>22)]++
		}
		// The sum of squares of a Poisson distribution with mean 1 is 2n,
		// with a standard deviation of some 3 √n.
		sum := 0
		for _, c := range homes {
			sum += c * c
		}
		if d := math.Abs(float64(sum)-2*n) / math.Sqrt(n); d > 12 {
			t.Errorf("%s: sum of squares is off by %.1f √n", name, d)
		}
	}
}
