package checker

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"dlcheck/explore"
	"dlcheck/model"
	"dlcheck/traces"
)

// log makes a history into the trace that a log of the store alone would
// give, so that the retrospective audit can judge it: a client's new round
// begins with an acquire.
func (h history) log(store string) *traces.Trace {
	t := &traces.Trace{Config: model.Config{Store: store, Clients: model.MaxClients}}
	round := map[int]int{}
	for i, o := range h {
		if r, seen := round[o.client]; !seen || r != o.round {
			t.Events = append(t.Events, traces.Event{Tick: i, Kind: model.Acquire, Client: o.client, OK: true})
			round[o.client] = o.round
		}
		t.Events = append(t.Events, traces.Event{Tick: i, Kind: o.kind, Client: o.client, Object: o.object, OK: o.ok, Token: o.token, Value: o.value})
	}
	return t
}

// everIllegal says whether porcupine refuses the sections of the history or
// of a part of it up to some operation.
func (h history) everIllegal() bool {
	for n := 1; n <= len(h); n++ {
		if !sectionsLinearizable(h[:n]) {
			return true
		}
	}
	return false
}

// stickyLost remembers in the state that the lost-update monitor objected.
type stickyLost struct {
	lostUpdate
	lost  model.Field
	check func(next model.State, lost bool) bool
}

func (m *stickyLost) claim(l *model.Layout) { l.Global(&m.lost, "lost", 1, model.Plain) }

func (m *stickyLost) kinds() []model.Kind { return storeKinds() }

func (m *stickyLost) watch(prev model.State, a model.Action, next model.State) bool {
	if slices.Contains(m.lostUpdate.kinds(), a.Kind) && m.lostUpdate.watch(prev, a, next) {
		m.lost.Set(next, 1)
	}
	return m.check(next, m.lost.Get(next) == 1)
}

// TestSectionsEqualLostUpdate compares, on every history of some worlds, what
// porcupine says of whole sections with what the lost-update monitor saw on the
// way there and with what the retrospective audit says of the history alone.
func TestSectionsEqualLostUpdate(t *testing.T) {
	for _, row := range []struct {
		clients, ttl, rounds int
		program              string
		histories            map[string]int
		axes                 []model.Setting
	}{
		{3, 10, 1, "acquire, read, write, release", map[string]int{"plain": 46, "fenced": 238, "strict": 238, "claimed": 94, "lagging": 82}, nil},
		{2, 2, 2, "acquire, read, write, release", nil, nil},
		{2, 3, 1, "acquire, read, write, write, release", nil, nil},
		{2, 4, 1, "acquire, read, write, read, write, release", nil, nil},
		{2, 3, 1, "acquire, claim, read, write, release", nil, nil},
		{2, 2, 2, "acquire, write, read, write, release", nil, nil},
		{3, 2, 1, "acquire, write, release", nil, nil},
		{2, 3, 1, "acquire, write, write, read, check, write, release", nil, nil},
		{2, 3, 1, "acquire, read, read 2, write, write 2, release", nil, nil},
		{2, 3, 1, "acquire, read, write, read 2, write 2, release", nil, []model.Setting{{Field: "fences", Value: "each"}}},
		{2, 2, 2, "acquire, read, write, release", nil, []model.Setting{{Field: "delayed-writes", Value: "2"}}},
		{2, 3, 1, "acquire, read, write, write, release", nil, []model.Setting{{Field: "delayed-writes", Value: "2"}, {Field: "duplicates", Value: "2"}}},
		{2, 3, 1, "acquire, read, write, write, release", nil, []model.Setting{{Field: "delayed-writes", Value: "2"}, {Field: "duplicates", Value: "2"}, {Field: "serial", Value: "on"}}},
		{2, 3, 1, "acquire, write, read, write, release", nil, []model.Setting{{Field: "delayed-writes", Value: "1"}, {Field: "duplicates", Value: "1"}}},
	} {
		for _, store := range []string{"plain", "fenced", "strict", "claimed", "lagging"} {
			t.Run(fmt.Sprintf("%d/%s/%s/%v", row.clients, store, row.program, row.axes), func(t *testing.T) {
				cfg := model.DefaultConfig()
				cfg.Clients, cfg.TTL, cfg.Rounds, cfg.Ticks, cfg.Store = row.clients, row.ttl, row.rounds, model.NoBound, store
				var err error
				if cfg.Program, err = model.ParseProgram(row.program); err != nil {
					t.Fatal(err)
				}
				for _, a := range row.axes {
					if err := cfg.Set(a); err != nil {
						t.Fatal(err)
					}
				}
				lost, legal := 0, 0
				all := &histories{store: sequentialOf(&cfg), met: map[string]judged{}}
				illegal := map[string]bool{}
				all.keep = func(h history, _ judged) {
					bad := h.everIllegal()
					// The log of a store does not say when a write was sent.
					if audit := staleSnapshotWritten(h.log(store)) != nil; audit != bad && row.axes == nil {
						t.Errorf("on %v the audit of lost-update says %v, porcupine says %v", h, audit, bad)
					}
					illegal[h.key()] = bad
					if bad {
						lost++
					} else {
						legal++
					}
				}
				var r *recorder
				p, err := newProduct(cfg, model.AllReductions(), model.Needs{Versions: true, Snapshots: true, TokenVars: historyTokens(&cfg)},
					[]func(*model.World) monitor{
						func(w *model.World) monitor { r = newRecorder(w, all); return r },
						func(w *model.World) monitor {
							return &stickyLost{lostUpdate: lostUpdate{w: w}, check: func(next model.State, lost bool) bool {
								h := r.history(next)
								all.judge(h)
								return lost != illegal[h.normal().key()]
							}}
						},
					})
				if err != nil {
					t.Fatal(err)
				}
				g, err := explore.Run(context.Background(), p, explore.Options{Workers: 1, Until: explore.Mark(1)})
				if err != nil {
					t.Fatal(err)
				}
				if f, differ := g.Found(1); differ {
					t.Errorf("monitor and porcupine differ on the history %v", r.history(f.To))
				}
				if g.Ended() != explore.Closed {
					t.Errorf("ended: %v", g.Ended())
				}
				if want := row.histories[store]; want > 0 && lost+legal != want {
					t.Errorf("%d histories, want %d", lost+legal, want)
				}
				if legal == 0 || lost == 0 && (store == "plain" || store == "lagging") && strings.Contains(row.program, "read, write") {
					t.Errorf("%d histories lose an update and %d do not: the comparison has nothing to bite on", lost, legal)
				}
				t.Logf("%d histories, %d of them lose an update; %d states", lost+legal, lost, g.States())
			})
		}
	}
}

// TestHistoryCountsDoNotDependOnReductions: histories are counted up to names,
// so the same ones are met with every reduction and with none.
func TestHistoryCountsDoNotDependOnReductions(t *testing.T) {
	cfg := model.DefaultConfig()
	cfg.Clients, cfg.TTL, cfg.Ticks = 3, 2, 12
	for _, store := range []string{"plain", "fenced", "strict", "claimed"} {
		cfg.Store = store
		auto := ask(t, cfg, model.AllReductions(), Steps, "linearizable")
		none := ask(t, cfg, model.Reductions{}, Steps, "linearizable")
		if auto.Histories != none.Histories || auto.Histories < 40 {
			t.Errorf("%s: %d histories with all reductions, %d with none", store, auto.Histories, none.Histories)
		}
	}
}
