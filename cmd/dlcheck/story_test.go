package main

import (
	"context"
	"strings"
	"testing"

	"dlcheck/checker"
	"dlcheck/model"
	"dlcheck/traces"
)

// TestWideStories: a row of a story is told to the blank, however wide it is.
func TestWideStories(t *testing.T) {
	const a = 0
	tick := traces.Call{Client: model.Nobody, Kind: model.Tick}
	calls := []traces.Call{{Client: a, Kind: model.Acquire}, tick, {Client: a, Kind: model.Read}, tick, {Client: a, Kind: model.Check}, tick, {Client: a, Kind: model.Write}}
	for _, c := range []struct {
		name string
		ttl  int
		want string
	}{
		{"check", 10, `  tick  who  what                                  answer                              holds the lock
  0     A    acquires the lock                     granted, token 1, lease to tick 10  A
  1     A    reads                                 version 0                           A
  2     A    asks whether it still holds the lock  yes                                 A
> 3     A    writes with token 1                   accepted, version 1                 A
`},
		{"large ttl", 1_000_000_000, `  tick  who  what                                  answer                                      holds the lock
  0     A    acquires the lock                     granted, token 1, lease to tick 1000000000  A
  1     A    reads                                 version 0                                   A
  2     A    asks whether it still holds the lock  yes                                         A
> 3     A    writes with token 1                   accepted, version 1                         A
`},
	} {
		cfg := model.DefaultConfig()
		cfg.TTL, cfg.Program = c.ttl, model.Program{model.OpAcquire, model.OpRead, model.OpCheck, model.OpWrite, model.OpRelease}
		trace, err := traces.Play(cfg, calls)
		if err != nil {
			t.Fatal(err)
		}
		trace.Remark = &traces.Remark{Property: "lost-update", At: len(trace.Events) - 1, Reason: strings.Repeat("a long reason ", 8) + "ends here."}
		check := func(_ context.Context, q checker.Question) (*checker.Run, error) {
			return &checker.Run{Config: q.Config, Verdicts: []checker.Verdict{{Property: "lost-update", Result: checker.Violated, Bound: -1, Trace: trace}}}, nil
		}
		got := dlcheckWith(check, "", "--store", "fenced").out
		prose := "\n> " + strings.Repeat("a long reason ", 6) + "a long reason\n  a long reason ends here.\n"
		if want := c.want + prose; !strings.Contains(got, want) {
			t.Errorf("%s: printed\n%swithout\n%s", c.name, got, want)
		}
	}
}
