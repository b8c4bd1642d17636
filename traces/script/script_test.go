package script

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"dlcheck/model"
	"dlcheck/traces"
	"dlcheck/traces/yamlfile"
)

func TestBuiltins(t *testing.T) {
	for _, name := range Builtins() {
		s, data, err := Builtin(name)
		if err != nil {
			t.Error(err)
			continue
		}
		if s.Name != name || s.About == "" || len(data) == 0 {
			t.Errorf("%s calls itself %q: %q", name, s.Name, s.About)
		}
		r, err := s.Run()
		if err != nil {
			t.Error(name, err)
			continue
		}
		// What the audits say is compared in package main, which knows them.
		s.Expect.Properties = nil
		for _, u := range r.Unexpected(nil) {
			t.Error(name, u)
		}
	}
	if _, _, err := Builtin("nope"); err == nil || !strings.Contains(err.Error(), "there are dlock, dlock-late") {
		t.Error(err)
	}
}

// parse reads a schedule that is well.
func parse(t *testing.T, text string) *Schedule {
	t.Helper()
	s, err := Parse("test.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestUnexpected(t *testing.T) {
	s := parse(t, `
ttl: 10
clients:
  - name: A
  - {name: B, arrives: 1}
expect:
  final: BA
  leases: ["A [0,4)"]
  writes: ["A at 2: refused"]
  tokens: [A 2]
  denied: {B: 7}
  properties: {lost-update: violated, stale-overwrite: holds, token-order: holds}
`)
	r, err := s.Run()
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Join(r.Unexpected(map[string]bool{"token-order": true, "lost-update": false}), "\n")
	want := `expected the store to be left with "BA", and there was "AB"
expected leases A [0,4), and there was A [0,3), B [3,6)
expected writes A at 2: refused, and there was A at 2: accepted, B at 5: accepted
expected tokens A 2, and there was A 1, B 2
expected B to be denied 7 times, and there was 2
expected lost-update to be violated, and there was holds
expected stale-overwrite to be holds, and there was no such property that a run can show
expected token-order to be holds, and there was violated`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestSet: what each parameter does to the schedule.
func TestSet(t *testing.T) {
	for _, c := range []struct {
		schedule, set string
		want          string // programs, pauses and arrivals
	}{
		{"dlock", "", "A 0 acquire, read, write, release [{2 16}] B 12 acquire, read, write, release []"},
		{"dlock", "ttl=3", "ttl 3"},
		{"dlock", "servers=7", "servers 7"},
		{"dlock", "pause=3", "A 0 acquire, read, write, release [{2 5}] B 12 acquire, read, write, release []"},
		{"dlock", "pause=0", "A 0 acquire, read, write, release [{2 2}] B 12 acquire, read, write, release []"},
		{"dlock", "A.pause=20", "A 0 acquire, read, write, release [{2 22}] B 12 acquire, read, write, release []"},
		{"dlock", "arrives=5", "A 0 acquire, read, write, release [{2 16}] B 5 acquire, read, write, release []"},
		{"dlock", "A.arrives=5", "A 5 acquire, read, write, release [{7 21}] B 12 acquire, read, write, release []"},
		{"dlock", "read=1", "A 0 acquire, read, write, release [{2 16}] B 12 acquire, read, write, release []"},
		{"dlock", "read=3", "A 0 acquire, work 2, read, write, release [{4 18}] B 12 acquire, read, write, release []"},
		{"dlock", "read=3 read=2", "A 0 acquire, work, read, write, release [{3 17}] B 12 acquire, read, write, release []"},
		{"dlock", "read=3 read=1", "A 0 acquire, read, write, release [{2 16}] B 12 acquire, read, write, release []"},
		{"dlock", "gap=3", "A 0 acquire, read, write, release [{2 16}] B 12 acquire, read, work 2, write, release []"},
		{"dlock", "gap=3 gap=1", "A 0 acquire, read, write, release [{2 16}] B 12 acquire, read, write, release []"},
		{"dlock", "B.read=2 gap=2", "A 0 acquire, read, write, release [{2 16}] B 12 acquire, work, read, work, write, release []"},
		{"dlock-recheck-5", "pause=1", "A 0 acquire, read, check, write, release [{2 3} {4 14}] B 12 acquire, read, write, release []"},
		{"dlock-recheck-5", "gap=2", "A 0 acquire, read, check, write, release [{2 5} {6 16}] B 12 acquire, read, work, write, release []"},
	} {
		s, _, err := Builtin(c.schedule)
		if err != nil {
			t.Fatal(err)
		}
		before := tell(s)
		copied := s.Clone()
		for _, word := range strings.Fields(c.set) {
			param, value, _ := strings.Cut(word, "=")
			n := 0
			fmt.Sscan(value, &n)
			if err := copied.Set(param, n); err != nil {
				t.Errorf("%s: %v", c.set, err)
			}
		}
		got := tell(copied)
		switch {
		case strings.HasPrefix(c.want, "ttl"):
			got = fmt.Sprint("ttl ", copied.Config.TTL)
		case strings.HasPrefix(c.want, "servers"):
			got = fmt.Sprint("servers ", copied.Config.Servers)
		}
		if got != c.want {
			t.Errorf("%s %s: got %s, want %s", c.schedule, c.set, got, c.want)
		}
		if tell(s) != before {
			t.Errorf("%s %s: the original changed with its copy", c.schedule, c.set)
		}
		if _, err := copied.Run(); err != nil {
			t.Errorf("%s %s: %v", c.schedule, c.set, err)
		}
	}
}

func tell(s *Schedule) string {
	var parts []string
	for c, a := range s.Clients {
		parts = append(parts, fmt.Sprint(a.Name, " ", a.Arrives, " ", s.Config.Programs[c], " ", a.Pauses))
	}
	return strings.Join(parts, " ")
}

// TestSetRefuses: parameters that a schedule does not have, and numbers that
// cannot be.
func TestSetRefuses(t *testing.T) {
	for _, c := range []struct {
		schedule, param string
		value           int
		want            string
	}{
		{"dlock", "tll", 1, `there is no parameter "tll"`},
		{"dlock", "C.pause", 1, `there is no parameter "C.pause"`},
		{"dlock", "A.ttl", 1, `there is no parameter "A.ttl"`},
		{"dlock", "", 1, `there is no parameter ""`},
		{"dlock", ".", 1, `there is no parameter "."`},
		{"dlock", "ttl", 0, "ttl 0 is not within"},
		{"dlock", "servers", 65, "servers 65 is not within"},
		{"dlock", "pause", -1, "pause -1 is not within 0"},
		{"dlock", "read", 0, "read 0 is not within 1"},
		{"dlock", "gap", 0, "gap 0 is not within 1"},
		{"dlock", "arrives", model.MaxTicks + 1, "is not within"},
		{"dlock", "B.pause", 1, "B has no pause"},
		{"lesson", "gap", 1, "Aishwarya does not read and then write"},
		{"lesson", "read", 1, "Katrina does not read"},
		{"dlock-two-writes-fenced", "pause", 1, `there is no parameter "pause" in this schedule`},
	} {
		s, _, err := Builtin(c.schedule)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Set(c.param, c.value); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s=%d: %v, want %s", c.schedule, c.param, c.value, err, c.want)
		}
	}
}

// TestRefused: what the model does not allow, with the action and why.
func TestRefused(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"ttl: 5\nclients: [{name: A, pauses: [{from: 0, to: 3}]}]",
			"action 3 at tick 0, A: pause: the model does not allow it: it took another step in that tick, or none"},
		{"ttl: 5\nclients: [{name: A, pauses: [{from: 9, to: 12}]}]",
			"action 8 at tick 9, A: pause: the model does not allow it: A is done by then, at tick 3"},
		{"ttl: 5\nclients: [{name: A, arrives: 4, pauses: [{from: 2, to: 6}]}]",
			"action 3 at tick 2, A: pause: the model does not allow it: A is not inside its program: it has to acquire first"},
	} {
		_, err := parse(t, c.text).Run()
		var no *traces.NotAllowed
		if !errors.As(err, &no) || err.Error() != c.want {
			t.Errorf("%s\ngot  %v\nwant %s", c.text, err, c.want)
		}
	}
	// Past the end that the file names, and for one who gave up, a pause is
	// left out with everything else.
	for _, text := range []string{
		"ttl: 5\nuntil: 8\nclients: [{name: A, pauses: [{from: 9, to: 12}]}]",
		"ttl: 5\nclients: [{name: A}, {name: B, asks: once, pauses: [{from: 2, to: 4}]}]",
	} {
		if _, err := parse(t, text).Run(); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestTimes: numbers of ticks and durations.
func TestTimes(t *testing.T) {
	s := parse(t, "tick: 500ms\nttl: 3s\nclients: [{name: A, arrives: 1m, pauses: [{from: 62s, to: 140}]}]")
	if s.Config.TTL != 6 || s.Clients[0].Arrives != 120 || s.Clients[0].Pauses[0] != (Stretch{124, 140}) {
		t.Errorf("%+v", s)
	}
}

// FuzzParse: whatever a file holds, it is refused in one line or it is a
// schedule that can be copied, set and, if it is short, run.
func FuzzParse(f *testing.F) {
	for _, name := range Builtins() {
		_, data, err := Builtin(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(data))
	}
	for _, text := range []string{
		"", "null", "[]", "ttl: 1", "{ttl: 1, clients: [{name: A}]}", "ttl: [", "ttl: 1\nttl: 1", "a: &a [*a]", "? ", "- - -",
		"tick: 1ns\nttl: 1s\nclients: [{name: A}]", "ttl: 1e3", "ttl: -1", "clients: [{}]", "expect: {final: 3}",
		"ttl: 1\nclients: [{name: A, pauses: [{from: 0, to: 1000000000}]}]", "!!binary x", "%YAML 1.2\n---\n", "ttl: \"1\nclients", "<<: 1",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Parse("fuzz.yaml", []byte(text))
		if err != nil {
			var at *yamlfile.Error
			if !errors.As(err, &at) || at.Line < 0 || at.Line > strings.Count(text, "\n")+strings.Count(text, "\r")+1 || at.Reason == "" {
				t.Fatalf("%q: %#v", text, err)
			}
			return
		}
		c := s.Clone()
		for _, param := range []string{"ttl", "servers", "arrives", "pause", "read", "gap"} {
			c.Set(param, 3) // may have no such parameter
		}
		if s.Config.Clients > 4 || s.Config.Servers > 8 || s.Horizon() > 2000 {
			return
		}
		for _, s := range []*Schedule{s, c} {
			if r, err := s.Run(); err == nil {
				r.Unexpected(nil)
				r.Lines()
			}
		}
	})
}

// TestSetSaysWhatCannotBe: a parameter is what it was set to, or there is an
// error and nothing has moved.
func TestSetSaysWhatCannotBe(t *testing.T) {
	for _, c := range []struct {
		program, param string
		value          int
		want           string
	}{
		{"acquire, check, read, write, release", "read", 1, "read: other steps than work stand before A's read, and it cannot come sooner"},
		{"acquire, read, check, write, release", "gap", 1, "gap: other steps than work stand before A's write, and it cannot come sooner"},
		{"acquire, read, write, release", "gap", 1_000_000_000, "gap: A's program would have 1000000003 steps, and 4000 fit"},
	} {
		s := parse(t, "ttl: 9\nclients: [{name: A, program: '"+c.program+"', pauses: [{from: 3, to: 9}]}]")
		before := tell(s)
		if err := s.Set(c.param, c.value); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.program, err, c.want)
		}
		if got := tell(s); got != before {
			t.Errorf("%s: %s became %s", c.program, before, got)
		}
	}
	if _, err := Parse("x.yaml", []byte("ttl: 9\nuntil: 40000000\nclients: [{name: A}]")); err == nil || err.Error() != "x.yaml:2: until 40000000 is more than 1000000 ticks" {
		t.Error(err)
	}
}

// TestContent: who has read appends, who has not replaces.
func TestContent(t *testing.T) {
	for program, want := range map[string]string{
		"acquire, write, write, release":       "A",
		"acquire, read, write, write, release": "AA",
		"acquire, write, read, write, release": "AA",
	} {
		r, err := parse(t, "ttl: 9\nclients: [{name: A, program: '"+program+"'}]").Run()
		if err != nil || r.Content != want {
			t.Errorf("%s: %q, %v; want %q", program, r.Content, err, want)
		}
	}
}

// TestCutOff: a run that the file ends early says so.
func TestCutOff(t *testing.T) {
	for until, want := range map[string]bool{"2": true, "9": false} {
		r, err := parse(t, "ttl: 9\nuntil: "+until+"\nclients: [{name: A}]").Run()
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if err := r.Write(&b); err != nil {
			t.Fatal(err)
		}
		if said := strings.Contains(b.String(), "The file ends the run at tick "+until+", before everyone is done."); r.CutOff != want || said != want {
			t.Errorf("until %s: %v\n%s", until, r.CutOff, b.String())
		}
	}
}
