package model

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// renamedServers is the state in which server i is called names[i].
func renamedServers(w *World, s State, names []int) State {
	n := clone(s)
	for _, v := range w.Layout.Vars {
		if v.PerServer {
			for i, f := range v.Fields {
				v.Fields[names[i]].Set(n, f.Get(s))
			}
		}
	}
	return n
}

// sameProgram lists the orders of clients that leave everyone with its own program.
func sameProgram(cfg *Config) [][]int {
	return slices.DeleteFunc(permutations(cfg.Clients), func(p []int) bool {
		return slices.ContainsFunc(p, func(c int) bool { return cfg.ProgramOf(c).String() != cfg.ProgramOf(p[c]).String() })
	})
}

// orbits tells orbits apart by brute force: of each the least state stands for it.
type orbits struct {
	w                *World
	clients, servers [][]int
	formOf, leastOf  map[string]string
}

func newOrbits(w *World) *orbits {
	o := &orbits{w: w, formOf: map[string]string{}, leastOf: map[string]string{}}
	identity := func(n int) []int {
		p := make([]int, n)
		for i := range p {
			p[i] = i
		}
		return p
	}
	o.clients, o.servers = [][]int{identity(w.Config.Clients)}, [][]int{identity(w.Layout.Servers)}
	if w.Reduce.Clients {
		o.clients = sameProgram(&w.Config)
	}
	if w.Reduce.Servers {
		o.servers = permutations(w.Layout.Servers)
	}
	return o
}

// check demands that the canonical form of a state is one of its orbit, the same
// for all of that, and of no other.
func (o *orbits) check(t *testing.T, s State, r *rand.Rand) {
	t.Helper()
	w := o.w
	var names [MaxClients]int
	form := clone(s)
	w.CanonicalNames(form, &names)
	least, inOrbit := key(s), false
	for _, p := range o.clients {
		s := renamed(w, s, p)
		for _, q := range o.servers {
			k := key(renamedServers(w, s, q))
			least = min(least, k)
			inOrbit = inOrbit || k == key(form) && slices.Equal(p, names[:len(p)])
		}
	}
	if !inOrbit {
		t.Fatalf("%s becomes %s with names %v, which no exchange of names gives", show(w, s), show(w, form), names[:w.Config.Clients])
	}
	other := renamedServers(w, renamed(w, s, o.clients[r.IntN(len(o.clients))]), o.servers[r.IntN(len(o.servers))])
	otherForm := clone(other)
	if w.Canonical(otherForm); key(otherForm) != key(form) {
		t.Fatalf("%s becomes %s, and %s, which is the same with other names, %s", show(w, s), show(w, form), show(w, other), show(w, otherForm))
	}
	if was, ok := o.leastOf[key(form)]; ok && was != least {
		t.Fatalf("%s stands for two orbits", show(w, form))
	}
	if was, ok := o.formOf[least]; ok && was != key(form) {
		t.Fatalf("the orbit of %s has two forms", show(w, s))
	}
	o.leastOf[key(form)], o.formOf[least] = least, key(form)
}

// driftingConfig is a small world of several servers that do not stay in step,
// with any of the other axes.
func driftingConfig(r *rand.Rand) Config {
	for {
		cfg := randomConfig(r)
		cfg.Ticks, cfg.Servers, cfg.Rounds, cfg.TTL = 2+r.IntN(3), 2+r.IntN(3), 1, 1+r.IntN(2)
		if cfg.Servers == 4 && r.IntN(2) == 0 {
			cfg.Servers, cfg.Clients, cfg.Programs = 5, 2, nil
		}
		for range 1 + r.IntN(5) {
			a := axes[r.IntN(len(axes))]
			before := cfg
			if a.Set(&cfg, 1+r.IntN(min(a.Max, 3))); cfg.Validate() != nil {
				cfg = before
			}
		}
		if !cfg.InStep() {
			return cfg
		}
	}
}

// TestServersAreInterchangeable counts orbits by brute force, over all names of
// clients and of servers, in worlds of all axes: canonical forms are one for each
// orbit and, where the world is small enough to be walked whole, as many are
// reached with the reduction as there are, by the transitions that there are.
func TestServersAreInterchangeable(t *testing.T) {
	worlds, most := 150, 1500
	if raceEnabled {
		worlds = 20
	}
	met, whole, states, forms := map[string]int{}, 0, 0, 0
	for seed := range uint64(worlds) {
		r := rand.New(rand.NewPCG(seed, 8))
		cfg := driftingConfig(r)
		needs := Needs{Tokens: r.IntN(2) == 0, Grants: r.IntN(2) == 0, Snapshots: r.IntN(2) == 0, Leases: r.IntN(2) == 0, grantIDs: r.IntN(3) == 0}
		plain, err := New(cfg, Options{Needs: needs})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		w := mustNew(t, cfg, Options{Needs: needs, Reduce: Reductions{Servers: true, Clients: r.IntN(3) > 0}})
		o := newOrbits(w)
		reached := some(plain, most)
		for _, s := range reached {
			o.check(t, s, r)
		}
		states, forms = states+len(reached), forms+len(o.leastOf)
		for _, a := range axes {
			if a.On(&cfg) {
				met[a.Name]++
			}
		}
		if len(reached) == most {
			continue
		}
		whole++
		if n := len(some(w, most)); n != len(o.leastOf) {
			t.Errorf("seed %d: %+v %s: %d states are reached with the reduction, and there are %d orbits", seed, cfg, cfg.AxesText(), n, len(o.leastOf))
		}
		if err := checkReduction(cfg, Options{Needs: needs, Reduce: w.Reduce}); err != nil {
			t.Errorf("seed %d: %+v %s: %v", seed, cfg, cfg.AxesText(), err)
		}
	}
	t.Logf("%d worlds, %d of them whole, %d states, %d orbits, axes %v", worlds, whole, states, forms, met)
	if whole == 0 || forms == 0 {
		t.Error("nothing was compared")
	}
}

// some is textbook that stops at so many states.
func some(w *World, most int) []State {
	init := w.Init()
	w.Canonical(init)
	reached, seen := []State{init}, map[string]bool{key(init): true}
	for i := 0; i < len(reached) && len(reached) < most; i++ {
		var out Steps
		w.Next(reached[i], &out)
		for j := range out.Actions {
			n := after(&out, j)
			if w.Canonical(n); !seen[key(n)] && len(reached) < most {
				seen[key(n)] = true
				reached = append(reached, n)
			}
		}
	}
	return reached
}

// wildWorld has servers that name up to three clients each.
func wildWorld(t *testing.T, clients, servers int) *World {
	cfg := DefaultConfig()
	cfg.Clients, cfg.Servers, cfg.TTL, cfg.Ticks = clients, servers, 3, 9
	cfg = with(t, cfg, "restarts 1", "token per-holder")
	return mustNew(t, cfg, Options{
		Reduce: Reductions{Clients: true, Servers: true},
		Claim: func(w *World, l *Layout) {
			var of []Field
			l.EachServer(&of, "granted.of", w.Config.Clients, ClientRef)
		},
	})
}

// wild is any state at all, be it that none of the kind can be reached: each
// server names whom it likes, and few values differ.
func wild(w *World, r *rand.Rand) State {
	s := w.Init()
	most, plain := 1+r.IntN(w.Config.Clients), r.IntN(3)
	for _, v := range w.Layout.Vars {
		for _, f := range v.Fields {
			switch {
			case v.Scale == ClientRef:
				f.Set(s, r.IntN(most+1))
			case v.PerServer && r.IntN(3) < plain:
				f.Set(s, r.IntN(2))
			case v.Name == "paused" && r.IntN(3) < plain:
				f.Set(s, r.IntN(2))
			}
		}
	}
	return s
}

// TestAnyStateHasOneForm tries states in which clients are hard to tell apart.
func TestAnyStateHasOneForm(t *testing.T) {
	for _, row := range []struct{ clients, servers, states int }{{3, 3, 1500}, {4, 3, 400}, {5, 3, 100}, {4, 4, 100}, {3, 5, 50}} {
		w := wildWorld(t, row.clients, row.servers)
		r := rand.New(rand.NewPCG(uint64(row.clients), uint64(row.servers)))
		o := newOrbits(w)
		for range row.states {
			o.check(t, wild(w, r), r)
		}
	}
	for _, row := range []struct{ clients, servers, states int }{{2, MaxServers, 300}, {4, MaxServers, 300}, {6, 7, 1000}, {MaxClients, 7, 300}} {
		w := wildWorld(t, row.clients, row.servers)
		r := rand.New(rand.NewPCG(uint64(row.clients), uint64(row.servers)))
		for range row.states {
			s := wild(w, r)
			other := renamedServers(w, renamed(w, s, r.Perm(row.clients)), r.Perm(row.servers))
			form := clone(s)
			w.Canonical(form)
			w.Canonical(other)
			if key(form) != key(other) {
				t.Fatalf("%s has two forms", show(w, s))
			}
			again := clone(form)
			if w.Canonical(again); key(again) != key(form) {
				t.Fatalf("%s is not a form of its own", show(w, form))
			}
		}
	}
}
