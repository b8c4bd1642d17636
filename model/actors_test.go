package model

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestReadiness walks at random through random worlds: the table must say of each client
// what its gates say, and whether a tick may pass must be told by what is read without
// the rules wherever the clock is free.
func TestReadiness(t *testing.T) {
	tables, apart, free, last := 0, 0, 0, 0
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 31))
		cfg := randomConfig(r)
		if cfg.Ticks = r.IntN(14); seed%10 == 0 {
			cfg.Ticks = NoBound
		}
		if r.IntN(4) == 0 {
			cfg.Clients, cfg.Programs = 1+r.IntN(7), nil
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
		w, err := New(cfg, Options{Reduce: reduce, Needs: Needs{Tokens: r.IntN(2) == 0, Snapshots: r.IntN(2) == 0}})
		if err != nil {
			continue // it is too wide, or there is no such world
		}
		table := w.Readiness()
		if table.Table != nil {
			tables++
			if table.At[0].Word != table.At[cfg.Clients-1].Word {
				apart++
			}
		}
		s, list := clone(w.Init()), make([]uint64, cfg.Clients)
		var out Steps
		for range 100 {
			n, quiet := w.Ready(s, list)
			var told []uint64
			awake := uint8(0)
			for c, at := range table.At {
				entry := table.Table[s[at.Word]>>at.Shift&table.Last]
				if awake |= entry & IsAwake; entry&IsReady != 0 {
					told = append(told, uint64(c*w.Stages())+uint64(entry&StageBits))
				}
			}
			if table.Table != nil && (!slices.Equal(told, list[:n]) || quiet != (awake == 0)) {
				t.Fatalf("seed %d, %s, %+v: in state %x the table has %d, %v ready and %v awake, the gates %d, quiet %v",
					seed, cfg.AxesText(), cfg, s, len(told), told, awake, list[:n], quiet)
			}
			out.Reset()
			w.Next(s, &out)
			ticks := len(out.Actions) > 0 && out.Actions[len(out.Actions)-1].Kind == Tick
			word, mask, value := w.LastTick()
			if s[word]&mask == value {
				last++
			}
			if w.ClockIsFree() {
				free++
				if ticks != (quiet && s[word]&mask != value) {
					t.Fatalf("seed %d, %s, %+v: in state %x a tick passes: %v", seed, cfg.AxesText(), cfg, s, ticks)
				}
			}
			if len(out.Actions) == 0 {
				break
			}
			s = clone(after(&out, r.IntN(len(out.Actions))))
			w.Canonical(s)
		}
	}
	if t.Logf("%d worlds have a table, %d of them clients in several words; %d states with a free clock, %d at the last tick", tables, apart, free, last); tables == 0 || apart == 0 || free == 0 || last == 0 {
		t.Error("there was nothing to compare")
	}
}
