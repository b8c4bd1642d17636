package traces

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"dlcheck/model"
)

// randomTrace is a random walk in a random small world, the same for the same
// seed.
func randomTrace(t testing.TB, seed uint64) *Trace {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 0))
	stores := model.Stores.Names()
	cfg := model.Config{
		Clients: 1 + r.IntN(4), Ticks: r.IntN(40) - 1, TTL: 1 + r.IntN(5), Servers: 1 + r.IntN(4), Rounds: 1 + r.IntN(3),
		Pauses: r.IntN(3), MaxPause: 1 + r.IntN(6), Store: stores[r.IntN(len(stores))], Service: "majority",
	}
	if cfg.MaxPause > 3 {
		cfg.MaxPause = model.NoBound
	}
	program := func() model.Program {
		p := model.Program{model.OpAcquire}
		for range r.IntN(6) {
			ops := []model.Op{model.OpRead, model.OpWrite, model.OpCheck, model.OpClaim, model.OpWork}
			p = append(p, ops[r.IntN(len(ops))])
		}
		return append(p, model.OpRelease)
	}
	cfg.Program = program()
	if r.IntN(3) == 0 {
		for range cfg.Clients {
			cfg.Programs = append(cfg.Programs, program())
		}
	}
	p, err := NewPlayer(cfg)
	if err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	for range r.IntN(60) {
		var out model.Steps
		p.World.Next(p.State, &out)
		if len(out.Actions) == 0 {
			break
		}
		a := out.Actions[r.IntN(len(out.Actions))]
		if _, err := p.Do(CallOf(a)); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
	tr := &p.Trace
	if n := len(tr.Events); n > 0 && r.IntN(2) == 0 {
		tr.Remark = &Remark{Property: "some-property", At: r.IntN(n), Reason: fmt.Sprintf("reason %d, \"<&>\" é", seed), Minimal: r.IntN(2) == 0}
	}
	return tr
}
