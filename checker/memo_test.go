package checker

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"dlcheck/explore"
	"dlcheck/model"
)

// twoMinds takes each step by the rules and by heart, and complains where they
// differ.
type twoMinds struct {
	*product
	memo *memo
}

func (p *twoMinds) Worker() explore.Worker {
	return &twoMindsWorker{rules: stepper{p: p.product, counts: new(counter)}, memo: p.memo}
}

type twoMindsWorker struct {
	rules   stepper
	memo    *memo
	byHeart explore.Batch
	ends    []int
}

// NextOfMany has the memo take the steps of one state after another, and of all at
// once, as a search does.
func (k *twoMindsWorker) NextOfMany(states []uint64, out *explore.Batch, ends []int) {
	at, note, width := len(out.States), len(out.Notes), k.memo.width
	for i := range ends {
		k.Next(states[i*width:][:width:width], out)
		ends[i] = len(out.Notes)
	}
	k.byHeart.Reset()
	k.byHeart.States = append(k.byHeart.States, out.States[:at]...) // it must not touch what is there
	k.byHeart.Notes = append(k.byHeart.Notes, out.Notes[:note]...)
	k.ends = append(k.ends[:0], ends...)
	for i := range k.ends {
		k.ends[i] = -1
	}
	k.memo.NextOfMany(states, &k.byHeart, k.ends)
	k.compare(out, 0, 0)
	if !slices.Equal(k.ends, ends) {
		panic(fmt.Errorf("%d states: by heart their transitions end at %d, by the rules at %d", len(ends), k.ends, ends))
	}
}

func (k *twoMindsWorker) Next(s []uint64, out *explore.Batch) {
	at, note := len(out.States), len(out.Notes)
	k.rules.Next(s, out)
	k.byHeart.Reset()
	k.memo.Next(s, &k.byHeart)
	k.compare(out, at, note)
}

func (k *twoMindsWorker) compare(out *explore.Batch, at, note int) {
	if !slices.Equal(k.byHeart.States, out.States[at:]) || !slices.Equal(k.byHeart.Notes, out.Notes[note:]) {
		panic(fmt.Errorf("by heart %x %x, by the rules %x %x", k.byHeart.States, k.byHeart.Notes, out.States[at:], out.Notes[note:]))
	}
}

// watchAll is a world with all monitors that it can have.
func watchAll(cfg model.Config, reduce model.Reductions) (*product, error) {
	var watched []*audit
	for _, name := range Properties() {
		if a := findAudit(name.Name); a != nil && a.monitor != nil && slices.Contains(askable(&cfg), name.Name) {
			watched = append(watched, a)
		}
	}
	return watch(watched, cfg, reduce)
}

// compareMemo goes through a world with both, and gives the memo as it is then.
func compareMemo(cfg model.Config, reduce model.Reductions) (*memo, error) {
	p, err := watchAll(cfg, reduce)
	if err != nil {
		return nil, err
	}
	both := &twoMinds{p, newMemo(p)}
	_, err = explore.Run(context.Background(), both, explore.Options{Workers: 1, Order: explore.SlowFirst, MaxBytes: 4 << 20})
	return both.memo, err
}

func TestMemoKnowsTheRules(t *testing.T) {
	t.Parallel()
	core := model.DefaultConfig()
	core.Store = "claimed"
	for _, reduce := range []model.Reductions{{}, model.AllReductions()} {
		m, err := compareMemo(core, reduce)
		if err != nil {
			t.Fatal(err)
		}
		hits, misses := 0, 0
		for _, u := range m.units {
			hits, misses = hits+u.hits, misses+u.misses
		}
		if hits < 9*misses {
			t.Errorf("reduced: %v: %d asked again and %d for the first time: it is not worth it", reduce.Time, hits, misses)
		}
	}
	r := rand.New(rand.NewPCG(4, 711))
	worlds, many := randomCombinations/4, 0
	for n := range worlds {
		cfg := smallWorld(r)
		reduce := model.Reductions{}
		switch n % 4 {
		case 0: // two words, and mostly nobody but clients and the clock: see NextOfMany
			cfg.Clients = 3 + r.IntN(2)
			reduce.Dead, reduce.Time = r.IntN(2) == 0, r.IntN(3) == 0
		case 1, 3:
			reduce = model.AllReductions()
			fallthrough
		default:
			randomAxes(r, &cfg)
		}
		m, err := compareMemo(cfg, reduce)
		var tooWide *model.SizeError
		if err != nil && !errors.As(err, &tooWide) {
			t.Fatalf("world %d, %s, %+v: %v", n, cfg.AxesText(), cfg, err)
		}
		if m != nil && m.pairs != nil {
			many++
		}
	}
	if t.Logf("in %d of %d worlds many states were asked of at once", many, worlds); many < worlds/20 {
		t.Error("next to none had the steps of many states taken at once")
	}
}

// TestMemoKeepsQuestionsApart teaches a table steps that use ever more bits: first in
// the last of three words, so that it is turned to where the second word comes to lie
// later, and in the end more than there is room for in a key. What is in the table
// must be what came of a state with equal bits.
func TestMemoKeepsQuestionsApart(t *testing.T) {
	t.Parallel()
	const width = 3
	u := unit{}
	u.clear(firstBits)
	m := &memo{width: width, used: make([]uint64, width), units: []unit{u}, where: make(map[string]uint32)}
	// The lowest bits of a state say what else is used.
	more := [][width]uint64{{0, 0, 0xff}, {0, 0xff, 0}, {0xff0, 0, 0}, {0, 0xff00, 0xf000000}, {^uint64(0), ^uint64(0), 0}}
	r := rand.New(rand.NewPCG(8, 15))
	hits := 0
	for n := range 200_000 {
		s := []uint64{0, r.Uint64N(4), r.Uint64N(4)}
		s[0] = 1<<r.IntN(1+n*len(more)/200_000) | r.Uint64N(4)<<12
		copy(m.used, []uint64{0x1f, 0, 0})
		for i, bits := range more {
			if s[0]>>i&1 != 0 {
				for k := range m.used {
					m.used[k] |= bits[k]
				}
			}
		}
		next, note := slices.Clone(s), explore.Note(0)
		for k, bits := range m.used {
			note |= explore.Note(s[k]&bits&0x3f) << (6 * k)
		}
		next[1] ^= uint64(note) & m.used[1]
		known := &m.units[0]
		if known.find(known.key(s)) == nil {
			if !known.off {
				m.learn(known, s, next, []explore.Note{note})
			}
			continue
		}
		var out explore.Batch
		m.grow(&out, 1)
		m.ask(known, s, s, &out)
		if hits++; !slices.Equal(out.States, next) || out.Notes[0] != note {
			t.Fatalf("of state %x it says %x %x, and it should be %x %x", s, out.States, out.Notes, next, note)
		}
	}
	if t.Logf("%d answers", hits); hits < 10_000 || !m.units[0].off {
		t.Error("it had nothing to mistake")
	}
}

// In a wide world a client comes to use more bits than fit into one key. From then on
// the rules are asked, and what the table had must not be taken for an answer.
func TestMemoGivesUp(t *testing.T) {
	t.Parallel()
	cfg := model.DefaultConfig()
	cfg.Store, cfg.Clients, cfg.Servers, cfg.Rounds, cfg.Ticks, cfg.TTL = "guarded", 4, 4, 3, 61, 16
	cfg.Program, _ = model.ParseProgram("acquire, read 2, write, write 2, release")
	for _, s := range []model.Setting{{Field: "adopt", Value: "yes"}, {Field: "renewal", Value: "outlives"}, {Field: "restarts", Value: "2"}} {
		if err := cfg.Set(s); err != nil {
			t.Fatal(err)
		}
	}
	m, err := compareMemo(cfg, model.AllReductions())
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(m.units, func(u unit) bool { return u.off }) {
		t.Error("it did not give up")
	}
}

// sly is a monitor that goes by bits of a state instead of variables, so that
// nobody notices what it looks at.
type sly struct{}

func (sly) claim(*model.Layout) {}
func (sly) kinds() []model.Kind { return []model.Kind{model.Write} }
func (sly) watch(prev model.State, _ model.Action, _ model.State) bool {
	return bits.OnesCount64(prev[0])%2 == 1
}

// What is used and not noted makes a memo wrong, and the comparison must see it.
func TestMemoNeedsEveryUse(t *testing.T) {
	p, err := newLearnedProduct(model.DefaultConfig(), model.Reductions{}, model.Needs{}, []func(*model.World) monitor{
		func(*model.World) monitor { return sly{} },
	})
	if err != nil {
		t.Fatal(err)
	}
	var caught *explore.PanicError
	if _, err = explore.Run(t.Context(), &twoMinds{p, newMemo(p)}, explore.Options{Workers: 1}); !errors.As(err, &caught) {
		t.Errorf("a memo that knows nothing of what a monitor looks at is as good as the rules: %v", err)
	}
}
