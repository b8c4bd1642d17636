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
}

func (k *twoMindsWorker) Next(s []uint64, out *explore.Batch) {
	at, note := len(out.States), len(out.Notes)
	k.rules.Next(s, out)
	k.byHeart.Reset()
	k.memo.Next(s, &k.byHeart)
	if !slices.Equal(k.byHeart.States, out.States[at:]) || !slices.Equal(k.byHeart.Notes, out.Notes[note:]) {
		panic(fmt.Errorf("by heart %x %x, by the rules %x %x", k.byHeart.States, k.byHeart.Notes, out.States[at:], out.Notes[note:]))
	}
}

// compareMemo goes through a world with both.
func compareMemo(cfg model.Config, reduce model.Reductions) (hits, misses int, err error) {
	var watched []*audit
	for _, name := range Properties() {
		if a := findAudit(name.Name); a != nil && a.monitor != nil && slices.Contains(askable(&cfg), name.Name) {
			watched = append(watched, a)
		}
	}
	p, err := watch(watched, cfg, reduce)
	if err != nil {
		return 0, 0, err
	}
	both := &twoMinds{p, newMemo(p)}
	_, err = explore.Run(context.Background(), both, explore.Options{Workers: 1, Order: explore.SlowFirst, MaxBytes: 4 << 20})
	for _, u := range both.memo.units {
		hits, misses = hits+u.hits, misses+u.misses
	}
	return hits, misses, err
}

func TestMemoKnowsTheRules(t *testing.T) {
	t.Parallel()
	core := model.DefaultConfig()
	core.Store = "claimed"
	for _, reduce := range []model.Reductions{{}, model.AllReductions()} {
		hits, misses, err := compareMemo(core, reduce)
		if err != nil {
			t.Fatal(err)
		}
		if hits < 9*misses {
			t.Errorf("reduced: %v: %d asked again and %d for the first time: it is not worth it", reduce.Time, hits, misses)
		}
	}
	r := rand.New(rand.NewPCG(4, 711))
	for n := range randomCombinations / 4 {
		cfg := smallWorld(r)
		randomAxes(r, &cfg)
		reduce := model.Reductions{}
		if n%2 == 1 {
			reduce = model.AllReductions()
		}
		var tooWide *model.SizeError
		if _, _, err := compareMemo(cfg, reduce); err != nil && !errors.As(err, &tooWide) {
			t.Fatalf("world %d, %s, %+v: %v", n, cfg.AxesText(), cfg, err)
		}
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
	if _, _, err := compareMemo(cfg, model.AllReductions()); err != nil {
		t.Error(err)
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
