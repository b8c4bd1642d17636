package traces

import (
	"bytes"
	"flag"
	"os"
	"strings"
	"testing"

	"dlcheck/model"
)

var update = flag.Bool("update", false, "write the golden files in testdata anew")

// golden compares with a file in testdata.
func golden(t *testing.T, file string, got []byte) {
	t.Helper()
	path := "testdata/" + file
	if *update {
		if err := os.WriteFile(path, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not what is written now; to accept it: go test ./traces -update\n%s", path, got)
	}
}

// schedule reads "A acquire, tick 2, B acquire".
func schedule(t testing.TB, text string) []Call {
	t.Helper()
	var calls []Call
	for _, part := range strings.Split(text, ",") {
		words := strings.Fields(part)
		c := Call{Client: model.Nobody, Kind: model.Tick}
		times := 1
		if words[0] == "tick" {
			if len(words) == 2 {
				times = len(words[1]) // "tick ...": three ticks
			}
		} else {
			kind, ok := model.KindByName(words[1])
			if !ok {
				t.Fatalf("there is no action %q", words[1])
			}
			c = Call{Client: int(words[0][0] - 'A'), Kind: kind}
		}
		for range times {
			calls = append(calls, c)
		}
	}
	return calls
}

func play(t testing.TB, cfg model.Config, text string) *Trace {
	t.Helper()
	tr, err := Play(cfg, schedule(t, text))
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

func twoClients(store string, ttl int) model.Config {
	cfg := model.DefaultConfig()
	cfg.Clients, cfg.Store, cfg.TTL = 2, store, ttl
	return cfg
}

// lostUpdate is the tale that everyone should know: the fenced store sees
// tokens in order, and A's acknowledged write is gone.
func lostUpdate(t testing.TB) *Trace {
	tr := play(t, twoClients("fenced", 10),
		"A acquire, tick, A read, tick, A pause, tick ........, B acquire, tick, B read, A write, tick, B write")
	tr.Remark = &Remark{Property: "lost-update", At: len(tr.Events) - 1, Reason: "B writes from version 0, and version 1 is gone", Minimal: true}
	return tr
}

func TestGolden(t *testing.T) {
	for _, row := range []struct {
		file  string
		trace *Trace
	}{
		{"lost_update", lostUpdate(t)},
		{"nothing", play(t, twoClients("plain", 3), "tick")},
		{"every_action", everyAction(t)},
		{"refused", refused(t)},
	} {
		for _, f := range Formats() {
			var b bytes.Buffer
			if err := f.Write(&b, row.trace); err != nil {
				t.Fatal(err)
			}
			golden(t, row.file+f.Ext, b.Bytes())
		}
	}
}

// everyAction has claims, checks, work, and a refused read.
func everyAction(t testing.TB) *Trace {
	cfg := twoClients("claimed", 4)
	cfg.Servers, cfg.MaxPause, cfg.Rounds = 3, 20, 2
	cfg.Program = model.Program{model.OpAcquire, model.OpClaim, model.OpWork, model.OpCheck, model.OpRead, model.OpWrite, model.OpRelease}
	return play(t, cfg, `
		A acquire, tick, A pause, tick ..., B acquire, tick,
		B claim, A claim, tick, B work, A release, tick, B check, tick,
		B read, A acquire, tick, B write, A claim, tick, B release, A work, tick, A check, tick,
		A pause, B acquire, tick, B claim, A read, tick, A release, B pause, tick ..,
		B work, tick, B check, tick, B release`)
}

// refused is the fenced store at its best.
func refused(t testing.TB) *Trace {
	return play(t, twoClients("fenced", 4), `
		A acquire, tick, A read, tick, A pause, tick ..,
		B acquire, tick, B read, tick, B write, A write, tick, B release, A release`)
}
