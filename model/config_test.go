package model

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

func TestDefaultConfigIsGood(t *testing.T) {
	cfg := DefaultConfig()
	if err := cfg.Validate(); err != nil {
		t.Error(err)
	}
}

func TestValidate(t *testing.T) {
	for _, row := range []struct {
		change func(*Config)
		want   string // empty: good
	}{
		{func(c *Config) { c.Clients = 0 }, "clients 0 is not within 1 to 16 (two are enough for most counterexamples)"},
		{func(c *Config) { c.Clients = -1 }, "clients -1 is not within 1 to 16 (two are enough for most counterexamples)"},
		{func(c *Config) { c.Clients = 17 }, "clients 17 is not within 1 to 16 (two are enough for most counterexamples)"},
		{func(c *Config) { c.Clients = 1 }, ""},
		{func(c *Config) { c.Clients = 16 }, ""},
		{func(c *Config) { c.Ticks = -2 }, `ticks -2 is not within 0 to 1000000000 (or "unlimited")`},
		{func(c *Config) { c.Ticks = 1_000_000_001 }, `ticks 1000000001 is not within 0 to 1000000000 (or "unlimited")`},
		{func(c *Config) { c.Ticks = 0 }, ""},
		{func(c *Config) { c.Ticks = NoBound }, ""},
		{func(c *Config) { c.TTL = 0 }, "ttl 0 is not within 1 to 1000000000 (a lease of 0 ticks would be over before it began)"},
		{func(c *Config) { c.TTL = NoBound }, "ttl -1 is not within 1 to 1000000000 (a lease of 0 ticks would be over before it began)"},
		{func(c *Config) { c.TTL = MaxTicks }, ""},
		{func(c *Config) { c.Servers = 0 }, "servers 0 is not within 1 to 64 (a grant needs a majority of them)"},
		{func(c *Config) { c.Servers = 65 }, "servers 65 is not within 1 to 64 (a grant needs a majority of them)"},
		{func(c *Config) { c.Servers = 64 }, ""},
		{func(c *Config) { c.Rounds = 0 }, "rounds 0 is not within 1 to 1000000 (or \"unlimited\"; each round is one run of the program)"},
		{func(c *Config) { c.Rounds = 1_000_001 }, "rounds 1000001 is not within 1 to 1000000 (or \"unlimited\"; each round is one run of the program)"},
		{func(c *Config) { c.Pauses = -1 }, "pauses -1 is not within 0 to 1000000000 (0 is a world where nobody stalls)"},
		{func(c *Config) { c.Pauses = 0 }, ""},
		{func(c *Config) { c.MaxPause = 0 }, `max-pause 0 is not within 1 to 1000000000 (or "unlimited"; for no pauses at all set pauses to 0)`},
		{func(c *Config) { c.MaxPause = -2 }, `max-pause -2 is not within 1 to 1000000000 (or "unlimited"; for no pauses at all set pauses to 0)`},
		{func(c *Config) { c.MaxPause = 1 }, ""},
		{func(c *Config) { c.Store = "" }, `there is no store ""; there are claimed, conditional, equal, fenced, guarded, plain, strict, two-step`},
		{func(c *Config) { c.Store = "Fenced" }, `there is no store "Fenced"; there are claimed, conditional, equal, fenced, guarded, plain, strict, two-step`},
		{func(c *Config) { c.Service = "single" }, `there is no lock service "single"; there are majority`},
		{func(c *Config) { c.Program = nil }, `program "" must begin with acquire and end with release; ` + programHelp},
		{func(c *Config) { c.Programs = []Program{DefaultProgram()} }, "there are 1 programs for 3 clients"},
		{func(c *Config) { c.Programs = []Program{c.Program, c.Program, {OpRead}} }, `program "read" must begin with acquire and end with release; ` + programHelp},
		{func(c *Config) { c.Programs, c.Program = []Program{c.Program, c.Program, c.Program}, nil }, ""},
	} {
		cfg := DefaultConfig()
		row.change(&cfg)
		got := ""
		if err := cfg.Validate(); err != nil {
			got = err.Error()
		}
		if got != row.want {
			t.Errorf("got  %s\nwant %s", got, row.want)
		}
		if _, err := New(cfg, Options{Reduce: AllReductions()}); (err != nil) != (row.want != "") {
			t.Errorf("New disagrees with %q: %v", row.want, err)
		}
	}
}

func TestGoodPrograms(t *testing.T) {
	for _, row := range []struct{ text, again string }{
		{"acquire, read, write, release", ""},
		{"acquire,release", "acquire, release"},
		{"  acquire ,\tread,\n write , release ", "acquire, read, write, release"},
		{"acquire, claim, read, check, write, release", ""},
		{"acquire, work, release", ""},
		{"acquire, work 1, release", "acquire, work, release"},
		{"acquire, work 3, release", ""},
		{"acquire, work 2, work, work 4, read, work, release", "acquire, work 7, read, work, release"},
		{"acquire, work 3998, release", ""},
		{"acquire, read, read, write, write, release", ""},
	} {
		p, err := ParseProgram(row.text)
		if err != nil {
			t.Error(err)
			continue
		}
		if row.again == "" {
			row.again = row.text
		}
		if p.String() != row.again {
			t.Errorf("%q becomes %q, want %q", row.text, p, row.again)
		}
	}
	if got := DefaultProgram().String(); got != "acquire, read, write, release" {
		t.Error(got)
	}
}

func TestBadPrograms(t *testing.T) {
	for _, row := range []struct{ text, want string }{
		{"", `program "" has an empty step; ` + programHelp},
		{"acquire,,release", `program "acquire,,release" has an empty step; ` + programHelp},
		{"acquire, release,", `program "acquire, release," has an empty step; ` + programHelp},
		{"acquire, sleep, release", `program "acquire, sleep, release": there is no step "sleep"; ` + programHelp},
		{"acquire, Read, release", `program "acquire, Read, release": there is no step "Read"; ` + programHelp},
		{"acquire", `program "acquire" must begin with acquire and end with release; ` + programHelp},
		{"release", `program "release" must begin with acquire and end with release; ` + programHelp},
		{"read, write, release", `program "read, write, release" must begin with acquire and end with release; ` + programHelp},
		{"acquire, read", `program "acquire, read" must begin with acquire and end with release; ` + programHelp},
		{"acquire, read, acquire, release", `program "acquire, read, acquire, release" has acquire in the middle; a round is one lease: ask for more rounds instead`},
		{"acquire, release, release", `program "acquire, release, release" has release in the middle; a round is one lease: ask for more rounds instead`},
		{"acquire, work 0, release", `program "acquire, work 0, release": work "0" is not a number of ticks from 1 to 4000`},
		{"acquire, work -1, release", `program "acquire, work -1, release": work "-1" is not a number of ticks from 1 to 4000`},
		{"acquire, work x, release", `program "acquire, work x, release": work "x" is not a number of ticks from 1 to 4000`},
		{"acquire, work 99999999999999999999, release", `program "acquire, work 99999999999999999999, release": work "99999999999999999999" is not a number of ticks from 1 to 4000`},
		{"acquire, read 9, release", `program "acquire, read 9, release": read "9" is not the number of an object, 1 to 8`},
		{"acquire, check 2, release", `program "acquire, check 2, release": step "check 2" has a word too many: steps are separated by commas, and only work, read, write and claim take a number; ` + programHelp},
		{"acquire read release", `program "acquire read release": step "acquire read release" has a word too many: steps are separated by commas, and only work, read, write and claim take a number; ` + programHelp},
		{"acquire, work 3999, release", `program has more than 4000 steps; try less work`},
		{"acquire" + strings.Repeat(", work 4000", 100) + ", release", `program has more than 4000 steps; try less work`},
	} {
		if _, err := ParseProgram(row.text); fmt.Sprint(err) != row.want {
			t.Errorf("%q\ngot  %v\nwant %s", row.text, err, row.want)
		}
	}
}

// TestLongProgram: a short text must not ask for much memory.
func TestLongProgram(t *testing.T) {
	text := "acquire" + strings.Repeat(", work 4000", 10_000) + ", release"
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := ParseProgram(text)
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; err == nil || n > 1<<21 {
		t.Errorf("a text of %d bytes takes %d bytes", len(text), n)
	}
}

func TestReductionNames(t *testing.T) {
	for _, row := range []struct {
		text, names, err string
	}{
		{"auto", "time clients dead tokens servers", ""},
		{" auto ", "time clients dead tokens servers", ""},
		{"none", "", ""},
		{"time", "time", ""},
		{"servers, time", "time servers", ""},
		{"clients,clients", "clients", ""},
		{"time,clients,dead,tokens,servers", "time clients dead tokens servers", ""},
		{"", "", `--reduce "": there is no reduction ""; use auto, none, or a list of time, clients, dead, tokens, servers`},
		{"time,", "", `--reduce "time,": there is no reduction ""; use auto, none, or a list of time, clients, dead, tokens, servers`},
		{"auto,time", "", `--reduce "auto,time": there is no reduction "auto"; use auto, none, or a list of time, clients, dead, tokens, servers`},
		{"Time", "", `--reduce "Time": there is no reduction "Time"; use auto, none, or a list of time, clients, dead, tokens, servers`},
	} {
		r, err := ParseReductions(row.text)
		if row.err != "" {
			if fmt.Sprint(err) != row.err {
				t.Errorf("%q\ngot  %v\nwant %s", row.text, err, row.err)
			}
			continue
		}
		if got := strings.Join(r.Names(), " "); err != nil || got != row.names {
			t.Errorf("%q is %q (%v), want %q", row.text, got, err, row.names)
		}
	}
}

func FuzzParseProgram(f *testing.F) {
	for _, text := range []string{"acquire, read, work 3, write, release", "acquire, check, claim, release", "acquire,,", "acquire, work -1, release", "work 4000, work 4000"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := ParseProgram(text)
		if err != nil {
			return
		}
		cfg := DefaultConfig()
		cfg.Program = p
		if err := cfg.Validate(); err != nil {
			t.Fatalf("%q is read, and then refused: %v", text, err)
		}
		if again, err := ParseProgram(p.String()); err != nil || again.String() != p.String() || len(again) != len(p) {
			t.Fatalf("%q becomes %q, and that %q (%v)", text, p, again, err)
		}
	})
}

func FuzzParseReductions(f *testing.F) {
	for _, text := range []string{"auto", "none", "time,clients", " dead , tokens", ","} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, err := ParseReductions(text)
		if err != nil || r == (Reductions{}) {
			return
		}
		if again, err := ParseReductions(strings.Join(r.Names(), ",")); err != nil || again != r {
			t.Fatalf("%q becomes %v, and that %v (%v)", text, r, again, err)
		}
	})
}
