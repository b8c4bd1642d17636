package checker

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"dlcheck/model"
	"dlcheck/traces"
)

// TestCures pins which cures apply where.
func TestCures(t *testing.T) {
	for _, c := range []struct{ settings, want string }{
		{"store plain", "store fenced: store=fenced; store strict: store=strict; store claimed: store=claimed; " +
			"claim before reading: store=fenced program=acquire, claim, read, write, release; store guarded: store=guarded; store conditional: store=conditional; " +
			"check before writing: program=acquire, read, check, write, release; lock-delay of a ttl: lock-delay=10"},
		{"store fenced", "store strict: store=strict; store claimed: store=claimed; claim before reading: program=acquire, claim, read, write, release; " +
			"store guarded: store=guarded; store conditional: store=conditional; check before writing: program=acquire, read, check, write, release; lock-delay of a ttl: lock-delay=10"},
		{"store claimed ttl 4 restarts 1 restart-forgets counter release blind lock-delay 4", "store fenced: store=fenced; store strict: store=strict; " +
			"store guarded: store=guarded; store conditional: store=conditional; check before writing: program=acquire, read, check, write, release; " +
			"restart-delay of a ttl: restart-delay=4; release compare: release=compare; restart-forgets lease: restart-forgets=lease"},
		{"store guarded expiry never program acquire,check,write,release", "store fenced: store=fenced; store strict: store=strict; store claimed: store=claimed; " +
			"store conditional: store=conditional; expiry server: expiry=server"},
	} {
		cfg := configOf(t, c.settings)
		var got []string
		for _, k := range Cures(&cfg) {
			var set []string
			for _, s := range k.Settings {
				set = append(set, s.String())
			}
			got = append(got, k.Name+": "+strings.Join(set, " "))
			cured, err := k.Apply(&cfg)
			if err != nil || cured.Validate() != nil || reflect.DeepEqual(cured, cfg) || k.Doc == "" {
				t.Errorf("%s: %s makes %+v, %v", c.settings, k.Name, cured, err)
			}
		}
		if s := strings.Join(got, "; "); s != c.want {
			t.Errorf("%s: %s\nwant %s", c.settings, s, c.want)
		}
	}
	// Clients that have programs of their own keep them.
	cfg := model.DefaultConfig()
	cfg.Programs = []model.Program{cfg.Program, cfg.Program, cfg.Program}
	for _, k := range Cures(&cfg) {
		if cured, err := k.Apply(&cfg); err != nil || cured.Programs == nil {
			t.Errorf("%s: %+v, %v", k.Name, cured, err)
		}
	}
}

// TestTreat: under each cure, what is told of the schedule is a schedule of the
// cured world, every action of the original has become of something, and where
// the property holds in the whole world the schedule does not break it.
func TestTreat(t *testing.T) {
	var fates [2]int
	for _, w := range explained {
		tr := exampleOf(t, w.property, w.settings)
		for _, cure := range Cures(&tr.Config) {
			k, err := Treat(tr, cure)
			if err != nil {
				t.Fatal(err)
			}
			k.Run = ask(t, k.Config, model.AllReductions(), Steps, w.property)
			where := fmt.Sprintf("%s, %s: %s", w.property, w.settings, cure.Name)
			if k.holds() && k.Broken() {
				t.Errorf("%s: it holds in the whole world, and this schedule breaks it", where)
			}
			s := k.Schedule
			var calls []traces.Call
			for i := range s.Trace.Events {
				calls = append(calls, s.Trace.Events[i].Call())
			}
			again, err := traces.Play(s.Trace.Config, calls)
			if err != nil || !reflect.DeepEqual(again.Events, s.Trace.Events) {
				t.Errorf("%s: it cannot be taken again: %v", where, err)
			}
			last, left := -1, map[int]bool{}
			for _, l := range s.Left {
				left[l.Of] = true
			}
			for i, of := range s.Of {
				switch {
				case of < 0:
				case of <= last || left[of] || tr.Events[of].Call() != s.Trace.Events[i].Call():
					t.Errorf("%s: event %d is said to be event %d of the original", where, i, of)
				default:
					last = of
				}
			}
			if s.Carried > len(s.Trace.Events) || len(s.Of) != len(s.Trace.Events) {
				t.Errorf("%s: %d events, %d carried, %d of the original", where, len(s.Trace.Events), s.Carried, len(s.Of))
			}
			if refused := k.Parts != nil && k.Parts.Refused; refused {
				fates[0]++
			} else if fates[1]++; !k.Broken() {
				t.Errorf("%s: nothing is refused, and the schedule breaks nothing", where)
			}
		}
	}
	if fates[0] == 0 || fates[1] == 0 {
		t.Errorf("%d schedules with a refusal, %d without", fates[0], fates[1])
	}
}

// TestTreatWithNothing: on its own world a schedule goes as it went.
func TestTreatWithNothing(t *testing.T) {
	for _, w := range explained {
		tr := exampleOf(t, w.property, w.settings)
		k, err := Treat(tr, Cure{Name: "nothing"})
		if err != nil {
			t.Fatal(err)
		}
		s := k.Schedule
		if k.Parts != nil || len(s.Left) > 0 || s.Carried != len(tr.Events) || !reflect.DeepEqual(s.Trace.Events[:s.Carried], tr.Events) {
			t.Errorf("%s, %s: %+v, left %+v", w.property, w.settings, k.Parts, s.Left)
		}
		if r := s.Trace.Remark; r == nil || r.At != tr.Remark.At || r.Reason != tr.Remark.Reason {
			t.Errorf("%s, %s: judged %+v, was %+v", w.property, w.settings, r, tr.Remark)
		}
	}
}

// TestTreatKeepsTheClock: under rules that add steps of their own the schedule
// still gets to its end.
func TestTreatKeepsTheClock(t *testing.T) {
	tr := exampleOf(t, "stale-overwrite", "store plain ttl 4 clients 2")
	for _, settings := range [][]model.Setting{
		{{Field: "deadline", Value: "4"}},
		{{Field: "renewal", Value: "own"}},
		{{Field: "deadline", Value: "2"}, {Field: "renewal", Value: "own"}},
	} {
		k, err := Treat(tr, Cure{Name: "rules", Settings: settings})
		if err != nil {
			t.Fatal(err)
		}
		if k.Schedule.Trace.Ticks() < tr.Ticks() {
			t.Errorf("%v: the clock stops after %d of %d ticks; left %+v", settings, k.Schedule.Trace.Ticks(), tr.Ticks(), k.Schedule.Left)
		}
	}
}

// TestBest: the fewest settings win, a cure that stops all writes is the last resort.
func TestBest(t *testing.T) {
	cured := func(name string, settings int, r Result, beyond int, noWrite bool) *Cured {
		return &Cured{Cure: Cure{Name: name, Settings: make([]model.Setting, settings)},
			Run: &Run{NoWrite: noWrite, Verdicts: []Verdict{{Result: r, BeyondAt: beyond}}}}
	}
	for _, c := range []struct {
		all  []*Cured
		want string
	}{
		{nil, ""},
		{[]*Cured{cured("a", 1, Violated, 0, false), cured("b", 1, Incomplete, 0, false), cured("c", 1, HoldsToBound, 40, false)}, ""},
		{[]*Cured{cured("a", 2, Holds, 0, false), cured("b", 1, HoldsToBound, 0, false), cured("c", 1, Holds, 0, false)}, "b"},
		{[]*Cured{cured("a", 1, Holds, 0, true), cured("b", 2, Holds, 0, false)}, "b"},
		{[]*Cured{cured("a", 1, Holds, 0, true), cured("b", 2, Violated, 0, false)}, "a"},
	} {
		got := ""
		if b := Best(c.all); b != nil {
			got = b.Name
		}
		if got != c.want {
			t.Errorf("best of %d is %q, want %q", len(c.all), got, c.want)
		}
	}
}
