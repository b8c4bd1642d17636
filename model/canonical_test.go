package model

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// small worlds, in which every permutation of the clients can be tried.
func symmetricWorlds(t *testing.T) []*World {
	var worlds []*World
	for _, cfg := range []Config{
		{Clients: 3, Ticks: NoBound, TTL: 2, Servers: 1, Rounds: 1, Pauses: 1, MaxPause: NoBound, Program: DefaultProgram(), Store: "claimed", Service: "majority"},
		{Clients: 3, Ticks: 5, TTL: 2, Servers: 2, Rounds: 1, Pauses: 1, MaxPause: 1, Program: Program{OpAcquire, OpRead, OpWrite, OpCheck, OpRelease}, Store: "plain", Service: "majority"},
		{Clients: 4, Ticks: 4, TTL: 1, Servers: 1, Rounds: 1, Pauses: 1, MaxPause: NoBound, Program: DefaultProgram(), Store: "fenced", Service: "majority"},
		{Clients: 2, Ticks: NoBound, TTL: 2, Servers: 3, Rounds: 2, Pauses: 1, MaxPause: NoBound, Program: DefaultProgram(), Store: "strict", Service: "majority"},
		{Clients: 3, Ticks: NoBound, TTL: 2, Servers: 1, Rounds: 1, Pauses: 1, MaxPause: NoBound, Store: "plain", Service: "majority",
			Programs: []Program{DefaultProgram(), {OpAcquire, OpWrite, OpRelease}, DefaultProgram()}},
	} {
		worlds = append(worlds, mustNew(t, cfg, Options{Reduce: Reductions{Clients: true}}))
	}
	return worlds
}

// renamed is the state in which client c is called names[c], made without
// the layout's planes, variable by variable.
func renamed(w *World, s State, names []int) State {
	n := clone(s)
	for _, v := range w.Layout.Vars {
		for i, f := range v.Fields {
			switch {
			case v.Scale == ClientRef && f.Get(s) > 0:
				f.Set(n, names[f.Get(s)-1]+1)
			case v.PerClient:
				v.Fields[names[i]].Set(n, f.Get(s))
			}
		}
	}
	return n
}

func permutations(n int) [][]int {
	if n == 0 {
		return [][]int{{}}
	}
	var all [][]int
	for _, p := range permutations(n - 1) {
		for at := range n {
			q := append(append(append([]int{}, p[:at]...), n-1), p[at:]...)
			all = append(all, q)
		}
	}
	return all
}

// TestCanonicalIsExact: two states have the same canonical form exactly when
// some renaming of the clients maps one to the other. All renamings of every
// state that can be reached without the reduction are tried.
func TestCanonicalIsExact(t *testing.T) {
	for _, w := range symmetricWorlds(t) {
		var all [][]int // that leave everyone with its own program
		for _, p := range permutations(w.Config.Clients) {
			if !slices.ContainsFunc(p, func(c int) bool { return w.Config.ProgramOf(c).String() != w.Config.ProgramOf(p[c]).String() }) {
				all = append(all, p)
			}
		}
		plain := mustNew(t, w.Config, Options{})
		orbitOf, orbits := map[string]string{}, 0 // by canonical form
		states := textbook(plain, func(State, *Steps) {})
		for _, s := range states {
			var names [MaxClients]int
			form := clone(s)
			w.CanonicalNames(form, &names)
			if got := renamed(w, s, names[:w.Config.Clients]); key(got) != key(form) {
				t.Fatalf("names %v map %s to %s, not to %s", names[:w.Config.Clients], show(w, s), show(w, got), show(w, form))
			}
			// The least of all renamings stands for the orbit.
			least := key(s)
			for _, p := range all {
				r := renamed(w, s, p)
				least = min(least, key(r))
				w.Canonical(r)
				if key(r) != key(form) {
					t.Fatalf("renamed by %v, %s becomes %s and not %s", p, show(w, s), show(w, r), show(w, form))
				}
			}
			if was, ok := orbitOf[key(form)]; ok && was != least {
				t.Fatalf("%s stands for two orbits", show(w, form))
			} else if !ok {
				orbits++
			}
			orbitOf[key(form)] = least
		}
		reduced := textbook(w, func(State, *Steps) {})
		if len(reduced) != orbits {
			t.Errorf("%d states are reached with the reduction, and there are %d orbits", len(reduced), orbits)
		}
		t.Logf("%d clients: %d states, %d orbits", w.Config.Clients, len(states), orbits)
	}
}

// TestManyRefs: with all servers there are, each is a reference of its own.
func TestManyRefs(t *testing.T) {
	cfg := DefaultConfig()
	cfg.Clients, cfg.Servers = 4, MaxServers
	w := mustNew(t, cfg, Options{Reduce: Reductions{Clients: true}})
	r := rand.New(rand.NewPCG(1, 1))
	for range 2000 {
		s := w.Init()
		for i := range MaxServers {
			if r.IntN(20) == 0 {
				w.service.(*Majority).Holder[i].Set(s, r.IntN(5))
			}
		}
		form := clone(s)
		w.Canonical(form)
		o := renamed(w, s, r.Perm(4))
		w.Canonical(o)
		if key(o) != key(form) {
			t.Fatalf("%s has two forms", show(w, s))
		}
	}
}

// slowRank is rank as one would explain it: the new number of a value is how
// many different values, other than 0, are not larger.
func slowRank(vals []int) []int {
	ranks := make([]int, len(vals))
	for i, v := range vals {
		smaller := map[int]bool{}
		for _, u := range vals {
			if u != 0 && u <= v {
				smaller[u] = true
			}
		}
		ranks[i] = len(smaller)
	}
	return ranks
}

// TestRank: rank agrees with its slow twin, and doing it twice changes nothing.
func TestRank(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for _, n := range []int{1, 2, 5, 63, 64, 65, 100} { // 64 is where its buffer ends
		l := &Layout{Clients: 1, Servers: n}
		var fields []Field
		l.EachServer(&fields, "v", 255, Token)
		if n > 100 || l.seal() != nil {
			t.Fatal("no layout")
		}
		for range 300 {
			s := make(State, l.Words())
			vals := make([]int, n)
			top := 1 + r.IntN(255)
			for i, f := range fields {
				vals[i] = r.IntN(top + 1)
				f.Set(s, vals[i])
			}
			want := slowRank(vals)
			for range 2 {
				rank(s, fields)
				for i, f := range fields {
					vals[i] = f.Get(s)
				}
				if fmt.Sprint(vals) != fmt.Sprint(want) {
					t.Fatalf("ranks %v, want %v", vals, want)
				}
			}
		}
	}
}
