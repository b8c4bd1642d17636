package model

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
)

// TestRandomLayouts: whatever is claimed, no two variables share a bit, each
// keeps what is written to it while all others are written to, and the
// records of all clients have the same shape.
func TestRandomLayouts(t *testing.T) {
	sealed := 0
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 0))
		l := &Layout{Clients: 1 + r.IntN(MaxClients), Servers: 1 + r.IntN(20)}
		widest := 1 + r.IntN(31)
		for i := range 1 + r.IntN(20) {
			top := r.IntN(1<<r.IntN(1+widest)) + r.IntN(2)
			name := fmt.Sprint("v", i)
			switch r.IntN(3) {
			case 0:
				l.Global(new(Field), name, top, Plain)
			case 1:
				l.EachClient(new([]Field), name, top, Plain)
			case 2:
				l.EachServer(new([]Field), name, top, Plain)
			}
		}
		var wide *SizeError
		if err := l.seal(); errors.As(err, &wide) {
			continue
		} else if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		sealed++
		if err := checkLayout(l, r); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
	t.Logf("%d layouts", sealed)
	if sealed < 1000 {
		t.Error("too many of these layouts are too wide to say anything")
	}
}

func checkLayout(l *Layout, r *rand.Rand) error {
	taken := map[[2]int]string{}
	for _, v := range l.Vars {
		for i, f := range v.Fields {
			who := fmt.Sprintf("%s[%d]", v.Name, i)
			if f.Claimed() != (v.Max > 0) || f.Max() < v.Max || f.Max() > 2*v.Max {
				return fmt.Errorf("%s holds up to %d, and was claimed for %d", who, f.Max(), v.Max)
			}
			for b := range v.Bits {
				at := [2]int{int(f.word), int(f.shift) + b}
				if at[0] >= l.Words() || at[1] > 63 {
					return fmt.Errorf("%s has bit %d of word %d, and there are %d words", who, at[1], at[0], l.Words())
				}
				if taken[at] != "" {
					return fmt.Errorf("%s and %s share a bit", who, taken[at])
				}
				taken[at] = who
			}
		}
		if v.PerClient && !sameShape(l, v) {
			return fmt.Errorf("%s is not at the same place in every record: %v", v.Name, v.Fields)
		}
	}
	if len(taken) != l.Bits() {
		return fmt.Errorf("%d bits, and %d are said to be used", len(taken), l.Bits())
	}

	s := make(State, l.Words())
	wrote := map[Field]int{}
	for range 2 {
		for _, v := range l.Vars {
			for _, f := range v.Fields {
				wrote[f] = 0
				if f.Claimed() {
					wrote[f] = r.IntN(v.Max + 1)
				}
				f.Set(s, wrote[f])
			}
		}
	}
	for f, n := range wrote {
		if got := f.Get(s); got != n {
			return fmt.Errorf("%v: wrote %d, read %d", f, n, got)
		}
	}
	return nil
}

// sameShape looks for the variable in the planes that make up the records.
func sameShape(l *Layout, v *Var) bool {
	if v.Max == 0 {
		return true
	}
	for _, p := range l.planes {
		d := int(v.Fields[0].shift) - int(p.at[0].shift)
		if v.Fields[0].word != p.at[0].word || d < 0 || d >= p.bits {
			continue
		}
		for c, f := range v.Fields {
			if f.word != p.at[c].word || int(f.shift)-int(p.at[c].shift) != d || d+v.Bits > p.bits {
				return false
			}
		}
		return true
	}
	return false
}

func TestUnclaimedField(t *testing.T) {
	s := State{^uint64(0)}
	var f Field
	f.Set(s, 1)
	if f.Get(s) != 0 || f.Claimed() || f.Max() != 0 || s[0] != ^uint64(0) {
		t.Errorf("reads %d, the state is %x", f.Get(s), s)
	}
}

// TestWidths pins how many words a state takes: 16 bytes for the worlds of the
// main job, and room for a large one.
func TestWidths(t *testing.T) {
	large := Config{Clients: 8, Ticks: 1000, TTL: 1000, Servers: 9, Rounds: 16, Pauses: 1, MaxPause: NoBound, Program: DefaultProgram(), Store: "claimed", Service: "majority"}
	three, four := DefaultConfig(), DefaultConfig()
	three.Store, four.Store, four.Clients = "claimed", "claimed", 4
	all := Needs{Tokens: true, Grants: true, Snapshots: true}
	for _, row := range []struct {
		name        string
		cfg         Config
		opt         Options
		bits, words int
	}{
		{"3 clients, as a check has them", three, Options{Reduce: AllReductions(), Needs: all}, 47, 1},
		{"4 clients, as a check has them", four, Options{Reduce: AllReductions(), Needs: all}, 71, 2},
		{"3 clients, unreduced", three, Options{}, 52, 1},
		{"4 clients, unreduced", four, Options{}, 76, 2},
		{"large", large, Options{Reduce: AllReductions(), Needs: all}, 182, 3},
		{"large, unreduced", large, Options{}, 448, 7},
		{"large, replayed", large, Options{Needs: Needs{Versions: true}}, 456, 8},
	} {
		w := mustNew(t, row.cfg, row.opt)
		if got := w.Layout; got.Bits() != row.bits || got.Words() != row.words {
			t.Errorf("%s: %d bits in %d words, want %d in %d", row.name, got.Bits(), got.Words(), row.bits, row.words)
		}
	}
}

// TestTooWide: a configuration that no state can hold is refused with its size.
func TestTooWide(t *testing.T) {
	cfg := DefaultConfig()
	cfg.Clients, cfg.Servers, cfg.TTL, cfg.Rounds = MaxClients, MaxServers, MaxTicks, MaxRounds
	_, err := New(cfg, Options{})
	var wide *SizeError
	if !errors.As(err, &wide) {
		t.Fatalf("%v is not a SizeError", err)
	}
	const want = `a state of this configuration needs 5037 bits in 90 words, and 16 words fit: now 1×5, store.highest 1×24, phase 16×2, rounds 16×20, token 16×24, stale 16×1, paused 16×1, moved 16×1, pauses 16×1, server.holder 64×5, server.left 64×30, server.counter 64×24, grants 1×24, grant 16×24, store.applied 1×24; try fewer clients, rounds or servers, or a smaller ttl`
	if err.Error() != want {
		t.Errorf("got  %s\nwant %s", err, want)
	}

	cfg = DefaultConfig()
	cfg.Rounds, cfg.Clients, cfg.Program = MaxRounds, MaxClients, Program{OpAcquire}
	for range MaxProgram - 2 {
		cfg.Program = append(cfg.Program, OpWrite)
	}
	cfg.Program = append(cfg.Program, OpRelease)
	_, err = New(cfg, Options{Needs: Needs{Versions: true}})
	if got := fmt.Sprint(err); got != "variable store.version needs 36 bits, a variable may have 32" {
		t.Error(got)
	}
}
