package model

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// TestStatesTellTheTick walks at random through random worlds, with any axes: where the
// clock is part of the state, each tick moves it on by one, and nothing else does, be it
// a jump of some other clock; canonical forms keep it. So all paths to a state have as
// many ticks as it tells, which a search may rely on.
func TestStatesTellTheTick(t *testing.T) {
	worlds := 1000
	if raceEnabled {
		worlds = 100
	}
	dated, met := 0, map[string]bool{}
	for seed := range uint64(worlds) {
		r := rand.New(rand.NewPCG(seed, 29))
		ticks := 4 + r.IntN(12)
		if seed%10 == 0 {
			ticks = NoBound
		}
		w, err := anyWorld(r, ticks)
		if err != nil {
			continue // it is too wide
		}
		cfg := w.Config
		if want := !w.Reduce.Time && cfg.Ticks != NoBound; w.Dated() != want {
			t.Fatalf("seed %d: dated: %v, want %v", seed, w.Dated(), want)
		}
		if w.Dated() {
			dated++
			for _, a := range axes {
				met[a.Name] = met[a.Name] || a.On(&cfg)
			}
		}
		for range 4 {
			walkByTheClock(t, seed, w, r)
		}
	}
	if dated < worlds/3 {
		t.Errorf("only %d of %d worlds were dated", dated, worlds)
	}
	for _, a := range axes {
		if !met[a.Name] && !raceEnabled {
			t.Errorf("no dated world had the axis %s", a.Name)
		}
	}
}

// anyWorld is a random world with any axes and any reductions. Its error is that it is
// too wide.
func anyWorld(r *rand.Rand, ticks int) (*World, error) {
	cfg := randomConfig(r)
	cfg.Ticks = ticks
	if cfg.Programs == nil && r.IntN(6) == 0 {
		cfg.Clients, cfg.Servers = 4+r.IntN(5), 1 // more than one word has room for
	}
	switch {
	case cfg.Programs != nil:
	case r.IntN(4) == 0:
		cfg.Program, _ = ParseProgram("acquire, read 2, write, write 2, release")
	case r.IntN(8) == 0:
		cfg.Program, _ = ParseProgram(fmt.Sprintf("acquire, work %d, write, release", 1+r.IntN(80)))
	}
	for range r.IntN(6) {
		before, a := cfg, axes[r.IntN(len(axes))]
		if a.Set(&cfg, 1+r.IntN(min(a.Max, 3))); cfg.Validate() != nil {
			cfg = before // it goes with none of the others
		}
	}
	var reduce Reductions
	for _, row := range reductionTable {
		*row.of(&reduce) = r.IntN(2) == 0
	}
	return New(cfg, Options{Reduce: reduce})
}

// walkByTheClock takes random steps, and looks at all that could have been taken.
func walkByTheClock(t *testing.T, seed uint64, w *World, r *rand.Rand) {
	t.Helper()
	s := clone(w.Init())
	w.Canonical(s)
	ticks := w.Now(s)
	if ticks != 0 {
		t.Fatalf("seed %d: it begins at tick %d", seed, ticks)
	}
	var out Steps
	for range 300 {
		out.Reset()
		if w.Next(s, &out); len(out.Actions) == 0 {
			return
		}
		for i, a := range out.Actions {
			want, n := ticks, after(&out, i)
			if a.Kind == Tick && w.Dated() {
				want++
			}
			if told := w.Now(n); told != want {
				t.Fatalf("seed %d, %s, %+v: after %+v at tick %d it is tick %d", seed, w.Config.AxesText(), w.Config, a, ticks, told)
			}
			if w.Canonical(n); w.Now(n) != want {
				t.Fatalf("seed %d, %s, %+v: a canonical form has tick %d, and the state %d", seed, w.Config.AxesText(), w.Config, w.Now(n), want)
			}
		}
		i := r.IntN(len(out.Actions))
		s = clone(after(&out, i))
		w.Canonical(s)
		ticks = w.Now(s)
	}
}
