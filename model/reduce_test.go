package model

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// project brings a state of the unreduced world into the form that the reduced
// one gives it, variable by variable, as Reductions says it in words. It shares
// only Canonical's order of clients with the model.
func project(from *World, s State, to *World) State {
	n := make(State, to.Layout.Words())
	vars := map[string]*Var{}
	for _, v := range from.Layout.Vars {
		vars[v.Name] = v
	}
	var ofScale [8][]Field
	var values [8][]int
	for _, v := range to.Layout.Vars {
		for i, f := range v.Fields {
			x := vars[v.Name].Fields[i].Get(s)
			if v.Name == "moved" && to.Reduce.Dead && from.RoundsLeft(s, i) == 0 {
				x = 0
			}
			if f.Claimed() {
				ofScale[v.Scale] = append(ofScale[v.Scale], f)
				values[v.Scale] = append(values[v.Scale], x)
			}
		}
	}
	for scale, fields := range ofScale {
		if to.Reduce.Tokens && (Scale(scale) == Token || Scale(scale) == Grant) {
			values[scale] = slowRank(values[scale])
		}
		for i, f := range fields {
			f.Set(n, values[scale][i])
		}
	}
	w := *to
	w.canon.tokens, w.canon.grants = nil, nil // ranked already, by the slow twin
	w.Canonical(n)
	return n
}

// labels counts the transitions of one state: what happens, how it is
// answered, and where it leads. The actor and the numbers that a reduction
// leaves out do not count.
func labels(words int, out *Steps, form func(State) State) map[string]int {
	m := map[string]int{}
	for i, a := range out.Actions {
		m[fmt.Sprint(a.Kind, a.OK, key(form(out.States[i*words:(i+1)*words])))]++
	}
	return m
}

// checkReduction explores both worlds and demands that the reduced one is
// exactly the image of the other, states and transitions.
func checkReduction(cfg Config, opt Options) error {
	full, err := New(cfg, Options{Needs: Needs{Versions: opt.Needs.Versions, Leases: opt.Needs.Leases, grantIDs: opt.Needs.grantIDs}})
	if err != nil {
		return err
	}
	reduced, err := New(cfg, opt)
	if err != nil {
		return err
	}
	image := map[string]bool{}
	var bad error
	textbook(full, func(s State, out *Steps) {
		p := project(full, s, reduced)
		image[key(p)] = true
		if bad != nil {
			return
		}
		var fast Steps
		reduced.Next(p, &fast)
		want := labels(full.Layout.Words(), out, func(n State) State { return project(full, n, reduced) })
		got := labels(reduced.Layout.Words(), &fast, func(n State) State { n = clone(n); reduced.Canonical(n); return n })
		if !maps.Equal(got, want) {
			bad = fmt.Errorf("the transitions differ\nof   %s\n and %s", show(full, s), show(reduced, p))
		}
	})
	if bad != nil {
		return bad
	}
	reached := map[string]bool{}
	for _, s := range textbook(reduced, func(State, *Steps) {}) {
		reached[key(s)] = true
	}
	if !maps.Equal(image, reached) {
		return fmt.Errorf("%d states are reached, and the image has %d", len(reached), len(image))
	}
	return nil
}

var allNeeds = Needs{Tokens: true, Grants: true, Snapshots: true, Versions: true}

// TestReductions: each reduction alone and all together, with everything
// observed and with nothing.
func TestReductions(t *testing.T) {
	var each []Reductions
	for _, row := range reductionTable {
		var r Reductions
		*row.of(&r) = true
		each = append(each, r)
	}
	each = append(each, AllReductions())
	for _, cfg := range []Config{
		{Clients: 3, Ticks: NoBound, TTL: 3, Servers: 1, Rounds: 1, Pauses: 1, MaxPause: NoBound, Program: DefaultProgram(), Store: "claimed", Service: "majority"},
		{Clients: 3, Ticks: NoBound, TTL: 1, Servers: 3, Rounds: 1, Pauses: 1, MaxPause: 2, Program: DefaultProgram(), Store: "plain", Service: "majority"},
		{Clients: 2, Ticks: NoBound, TTL: 2, Servers: 2, Rounds: 3, Pauses: 1, MaxPause: NoBound, Program: DefaultProgram(), Store: "fenced", Service: "majority"},
		{Clients: 2, Ticks: NoBound, TTL: 3, Servers: 1, Rounds: 2, Pauses: 1, MaxPause: NoBound, Program: Program{OpAcquire, OpClaim, OpRead, OpCheck, OpWrite, OpWrite, OpRelease}, Store: "strict", Service: "majority"},
	} {
		for _, r := range each {
			for _, needs := range []Needs{{}, allNeeds} {
				if err := checkReduction(cfg, Options{Reduce: r, Needs: needs}); err != nil {
					t.Errorf("%+v\n%v, needs %+v: %v", cfg, r.Names(), needs, err)
				}
			}
		}
	}
}

// TestRandomReductions is TestReductions for worlds that nobody thought of.
func TestRandomReductions(t *testing.T) {
	worlds := 300
	if raceEnabled {
		worlds = 60
	}
	for seed := range uint64(worlds) {
		r := rand.New(rand.NewPCG(seed, 3))
		cfg := randomConfig(r)
		var reduce Reductions
		for _, row := range reductionTable {
			*row.of(&reduce) = r.IntN(3) > 0
		}
		if !reduce.Time && r.IntN(2) == 0 {
			cfg.Ticks = r.IntN(8)
		}
		needs := Needs{Tokens: r.IntN(2) == 0, Grants: r.IntN(2) == 0, Snapshots: r.IntN(2) == 0, Versions: r.IntN(3) == 0}
		if err := checkReduction(cfg, Options{Reduce: reduce, Needs: needs}); err != nil {
			t.Fatalf("seed %d: %+v\n%v, needs %+v: %v", seed, cfg, reduce.Names(), needs, err)
		}
	}
}

// randomConfig is a world of a few thousand states at most, without a bound
// on ticks.
func randomConfig(r *rand.Rand) Config {
	cfg := Config{
		Clients: 1 + r.IntN(3), Ticks: NoBound, TTL: 1 + r.IntN(3), Servers: 1 + r.IntN(4), Rounds: 1,
		Pauses: r.IntN(2), MaxPause: NoBound, Store: Stores.Names()[r.IntN(len(Stores.Names()))], Service: "majority",
	}
	if r.IntN(2) == 0 {
		cfg.MaxPause = 1 + r.IntN(2)
	}
	if cfg.Clients < 3 {
		cfg.Rounds += r.IntN(2)
	}
	program := func() Program {
		p := Program{OpAcquire}
		for range r.IntN(7 - cfg.Clients - cfg.Rounds) {
			p = append(p, []Op{OpRead, OpWrite, OpRead, OpWrite, OpCheck, OpClaim, OpWork}[r.IntN(7)])
		}
		return append(p, OpRelease)
	}
	cfg.Program = program()
	if r.IntN(3) == 0 { // two kinds of clients
		for kinds := []Program{program(), program()}; len(cfg.Programs) < cfg.Clients; {
			cfg.Programs = append(cfg.Programs, kinds[r.IntN(2)])
		}
	}
	return cfg
}

// TestTimeReduction: leaving out the clock is exactly that. Without it, the
// states that can be reached in at most T ticks are those of the world that
// stops after T, less their clock.
func TestTimeReduction(t *testing.T) {
	for _, cfg := range []Config{
		{Clients: 2, Ticks: 12, TTL: 4, Servers: 1, Rounds: 1, Pauses: 1, MaxPause: NoBound, Program: DefaultProgram(), Store: "fenced", Service: "majority"},
		{Clients: 2, Ticks: 7, TTL: 2, Servers: 1, Rounds: 2, Pauses: 1, MaxPause: 3, Program: DefaultProgram(), Store: "claimed", Service: "majority"},
	} {
		bounded, timeless := mustNew(t, cfg, Options{}), mustNew(t, cfg, Options{Reduce: Reductions{Time: true}})
		want, got := map[string]bool{}, map[string]bool{}
		for _, s := range textbook(bounded, func(State, *Steps) {}) {
			want[key(project(bounded, s, timeless))] = true
		}
		layer := []State{timeless.Init()}
		for range cfg.Ticks + 1 {
			var next []State
			for len(layer) > 0 {
				s := layer[len(layer)-1]
				layer = layer[:len(layer)-1]
				if got[key(s)] {
					continue
				}
				got[key(s)] = true
				var out Steps
				timeless.Next(s, &out)
				for i, a := range out.Actions {
					if a.Kind == Tick {
						next = append(next, after(&out, i))
					} else {
						layer = append(layer, after(&out, i))
					}
				}
			}
			layer = next
		}
		if !maps.Equal(got, want) {
			t.Errorf("%+v: %d states within the bound, the image has %d", cfg, len(got), len(want))
		}
	}
}

// TestTokensDoNotGrow: of tokens only the order is kept, so that more rounds
// add no tokens, and the bits of a state do not grow with them.
func TestTokensDoNotGrow(t *testing.T) {
	var tokens []int
	for _, rounds := range []int{10, 1000, MaxRounds} {
		cfg := DefaultConfig()
		cfg.Rounds = rounds
		w := mustNew(t, cfg, Options{Reduce: AllReductions()})
		tokens = append(tokens, w.MaxToken())
	}
	// One per client, the counter, the highest accepted, the new one.
	if !slices.Equal(tokens, []int{6, 6, 6}) {
		t.Error(tokens)
	}
}

// TestTokenVarsAreCounted: an observer that keeps more tokens than it said is
// a mistake that shows at once.
func TestTokenVarsAreCounted(t *testing.T) {
	cfg := DefaultConfig()
	cfg.Rounds = 10
	claim := func(w *World, l *Layout) {
		var f []Field
		for range 6 {
			l.EachClient(&f, "mine", w.MaxToken(), Token)
		}
	}
	mustNew(t, cfg, Options{Reduce: AllReductions(), Needs: Needs{TokenVars: 18}, Claim: claim})
	defer func() {
		if got := fmt.Sprint(recover()); !strings.Contains(got, "Needs.TokenVars") {
			t.Errorf("panics with %s", got)
		}
	}()
	mustNew(t, cfg, Options{Reduce: AllReductions(), Claim: claim})
}
