package checker

import (
	"testing"

	"dlcheck/model"
)

// Broken twins: services and stores with one fault each. Every property has
// one that breaks it, so that no check is a check that cannot fail.

func init() {
	services := map[string]func(m *model.Majority, w *model.World) model.Service{
		// Lets a lease go when half of it is over, as after a restart
		// without its memory.
		"forgetful": func(m *model.Majority, w *model.World) model.Service { return forgetful{m, w} },
		// Grants the same token for ever.
		"repeating": func(m *model.Majority, w *model.World) model.Service { return repeating{m} },
		// Never lets a lease go, not even at a release.
		"greedy": func(m *model.Majority, w *model.World) model.Service { return greedy{m} },
	}
	for name, wrap := range services {
		model.Services.Add(model.Entry[model.Service]{Name: name, New: func(w *model.World, l *model.Layout) model.Service {
			return wrap(model.NewMajority(w, l), w)
		}})
	}
	addStore := func(name, like string, f func(w *model.World, l *model.Layout, s model.Store) model.Store) {
		registers[name] = registers[like]
		model.Stores.Add(model.Entry[model.Store]{Name: name, New: func(w *model.World, l *model.Layout) model.Store {
			base, err := model.Stores.Find(like)
			if err != nil {
				panic(err)
			}
			return f(w, l, base.New(w, l))
		}})
	}
	// Applies a write in two halves: until the next tick a read gets a mix of
	// the old content and the new, which nobody wrote.
	addStore("torn", "plain", func(w *model.World, l *model.Layout, s model.Store) model.Store {
		w.KeepVersions()
		t := &torn{Store: s, w: w, half: make([]model.Field, w.Config.Objects())}
		for i := range t.half {
			l.Global(&t.half[i], "torn.half", 1, model.Plain)
		}
		return t
	})
	// Answers reads from a copy that is brought up to date once per tick.
	addStore("lagging", "plain", func(w *model.World, l *model.Layout, s model.Store) model.Store {
		w.KeepVersions()
		t := &lagging{Store: s, w: w, copy: make([]model.Field, w.Config.Objects())}
		for i := range t.copy {
			l.Global(&t.copy[i], "lagging.copy", w.MaxVersion(), model.Plain)
		}
		return t
	})
	// Forgets at each tick which token it has seen.
	addStore("amnesiac", "fenced", func(w *model.World, l *model.Layout, s model.Store) model.Store {
		t := &amnesiac{Store: s}
		l.Global(&t.seen, "amnesiac.seen", w.MaxToken(), model.Token)
		return t
	})
	// Wants the very token that it saw first.
	addStore("loyal", "plain", func(w *model.World, l *model.Layout, s model.Store) model.Store {
		t := &loyal{Store: s}
		l.Global(&t.first, "loyal.first", w.MaxToken(), model.Token)
		return t
	})
}

type forgetful struct {
	*model.Majority
	w *model.World
}

func (f forgetful) Expire(s model.State) (servers uint64) {
	for i, left := range f.Left {
		if left.Get(s) <= f.w.Config.TTL/2 && f.Holder[i].Get(s) != 0 {
			left.Set(s, 0)
		}
	}
	return f.Majority.Expire(s)
}

type repeating struct{ *model.Majority }

func (r repeating) Grant(s model.State, c int) (int, uint64) {
	_, servers := r.Majority.Grant(s, c)
	for _, f := range r.Counter {
		f.Set(s, 1)
	}
	return 1, servers
}

type greedy struct{ *model.Majority }

func (greedy) Release(model.State, int) uint64 { return 0 }
func (greedy) Expire(model.State) uint64       { return 0 }

type torn struct {
	model.Store
	w    *model.World
	half []model.Field
}

func (t *torn) Write(s model.State, r model.Request) bool { t.half[r.Object].Set(s, 1); return true }
func (t *torn) Tick(s model.State) {
	for _, f := range t.half {
		f.Set(s, 0)
	}
}
func (t *torn) Read(s model.State, object, _ int) (int, bool) {
	if t.half[object].Get(s) != 0 {
		return t.w.MaxVersion() + 1, true
	}
	return t.w.Content(s, object), true
}

type lagging struct {
	model.Store
	w    *model.World
	copy []model.Field
}

func (t *lagging) Tick(s model.State) {
	for i, f := range t.copy {
		f.Set(s, t.w.Content(s, i))
	}
}
func (t *lagging) Read(s model.State, object, _ int) (int, bool) { return t.copy[object].Get(s), true }

type amnesiac struct {
	model.Store
	seen model.Field
}

func (t *amnesiac) Judges() bool       { return true }
func (t *amnesiac) Tick(s model.State) { t.seen.Set(s, 0) }
func (t *amnesiac) Write(s model.State, r model.Request) bool {
	if r.Token < t.seen.Get(s) {
		return false
	}
	t.seen.Set(s, r.Token)
	return true
}

type loyal struct {
	model.Store
	first model.Field
}

func (t *loyal) Judges() bool { return true }
func (t *loyal) Write(s model.State, r model.Request) bool {
	if f := t.first.Get(s); f != 0 {
		return f == r.Token
	}
	t.first.Set(s, r.Token)
	return true
}

// TestEveryPropertyBites shows for each property a world that breaks it, with
// the length of the shortest counterexample, and beside it the sound world
// that does not.
func TestEveryPropertyBites(t *testing.T) {
	for _, row := range []struct {
		property, service, store string
		steps, events, ticks     int
		soundStore               string
	}{
		{"lease-overlap", "forgetful", "plain", 6, 3, 3, "plain"},
		{"mutual-exclusion", "forgetful", "plain", 6, 3, 3, "plain"},
		{"token-order", "repeating", "fenced", 8, 5, 3, "fenced"},
		{"progress", "greedy", "plain", 1, 1, 0, "plain"},
		{"stale-overwrite", "majority", "plain", 14, 7, 7, "fenced"},
		{"stale-overwrite", "majority", "amnesiac", 15, 7, 8, "fenced"},
		{"stale-overwrite", "repeating", "fenced", 14, 7, 7, "fenced"},
		{"lost-update", "majority", "fenced", 14, 7, 7, "claimed"},
		{"lost-update", "majority", "lagging", 14, 7, 7, "claimed"},
		{"linearizable-sections", "majority", "fenced", 14, 7, 7, "claimed"},
		{"linearizable-sections", "majority", "lagging", 14, 7, 7, "claimed"},
		{"linearizable", "majority", "torn", 12, 6, 6, "plain"},
		{"linearizable", "majority", "lagging", 12, 6, 6, "plain"},
		{"linearizable", "majority", "loyal", 12, 7, 5, "fenced"},
		{"fair-refusal", "majority", "loyal", 12, 7, 5, "fenced"},
		{"unlocked-write", "majority", "claimed", 9, 4, 5, ""},
	} {
		t.Run(row.property+"/"+row.service+"/"+row.store, func(t *testing.T) {
			cfg := model.DefaultConfig()
			cfg.Clients, cfg.TTL, cfg.Ticks = 2, 5, 16
			cfg.Store, cfg.Service = row.store, row.service
			v := ask(t, cfg, model.AllReductions(), Steps, row.property).Verdicts[0]
			if v.Result != Violated || v.Trace == nil {
				t.Fatalf("%s under %s and %s: %s, want violated", row.property, row.service, row.store, v.Result)
			}
			if s, e, k := v.Trace.Steps(), v.Trace.Actions(), v.Trace.Ticks(); s != row.steps || e != row.events || k != row.ticks {
				t.Errorf("shortest has %d steps, %d events, %d ticks; want %d, %d, %d", s, e, k, row.steps, row.events, row.ticks)
			}
			if row.soundStore != "" {
				cfg.Store, cfg.Service = row.soundStore, "majority"
				if v := ask(t, cfg, model.AllReductions(), Steps, row.property).Verdicts[0]; v.Result != Holds {
					t.Errorf("%s in the sound world: %s, want holds", row.property, v.Result)
				}
			}
		})
	}
}
