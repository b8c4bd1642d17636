package checker

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"dlcheck/model"
	"dlcheck/traces"
)

// explained are tiny worlds that break a property.
var explained = []struct {
	property string
	settings string // field value ...
}{
	{"stale-overwrite", "store plain clients 2 ttl 2 ticks 6"},
	{"stale-overwrite", "store plain clients 3 ttl 1 ticks 4"},
	{"lost-update", "store fenced clients 2 ttl 2 ticks 6"},
	{"linearizable-sections", "store fenced clients 2 ttl 2 ticks 6"},
	{"unlocked-write", "store claimed clients 2 ttl 2 ticks 4"},
	{"mutual-exclusion", "store plain clients 2 ttl 3 ticks 4 restarts 1"},
	{"lost-update", "store plain clients 2 ttl 3 ticks 4 restarts 1 crashes 1"},
	{"mutual-exclusion", "store plain clients 2 ttl 2 ticks 3 restarts 1 clock-jumps 1"},
	{"stale-overwrite", "store plain clients 2 ttl 2 ticks 5 restarts 1"},
	{"mutual-exclusion", "store plain clients 2 ttl 3 ticks 4 clock-jumps 3"},
	{"stale-overwrite", "store claimed clients 2 ttl 1 ticks 3 servers 3 lost-requests 3"},
}

// exampleOf is the counterexample of such a world, or nil.
func exampleOf(t *testing.T, property, settings string) *traces.Trace {
	t.Helper()
	cfg := configOf(t, settings)
	return ask(t, cfg, model.AllReductions(), Steps, property).Verdicts[0].Trace
}

// configOf is the usual world with other settings.
func configOf(t *testing.T, settings string) model.Config {
	t.Helper()
	cfg := model.DefaultConfig()
	words := strings.Fields(settings)
	for i := 0; i+1 < len(words); i += 2 {
		if err := cfg.Set(model.Setting{Field: words[i], Value: words[i+1]}); err != nil {
			t.Fatal(err)
		}
	}
	if err := cfg.Validate(); err != nil {
		t.Fatal(err)
	}
	return cfg
}

// TestNecessityAgainstEverySchedule: for each action and role, the answer is
// that of taking every schedule of the unreduced world from the state before the
// action, one by one, and judging each by the retrospective audit.
func TestNecessityAgainstEverySchedule(t *testing.T) {
	answers := map[Role]map[Answer]int{}
	for _, w := range explained {
		tr := exampleOf(t, w.property, w.settings)
		if tr == nil {
			t.Errorf("%s is not broken: %s", w.property, w.settings)
			continue
		}
		needs, err := Necessity(context.Background(), tr, Limits{})
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range needs {
			if answers[n.Role] == nil {
				answers[n.Role] = map[Answer]int{}
			}
			answers[n.Role][n.Answer]++
			b := &bruteForce{of: tr, at: n.At, role: n.Role, audit: findAudit(w.property)}
			ticks, steps, broken := b.nearest(t)
			if want := map[bool]Answer{true: Unnecessary, false: Necessary}[broken]; n.Answer != want {
				t.Errorf("%s, %s: action %d as %s: %s, and every schedule (%d) says %s", w.property, w.settings, n.At+1, n.Role, n.Answer, b.schedules, want)
				continue
			}
			if broken && (n.Other.Ticks() != ticks || n.Other.Steps() != steps || n.Other.Remark.At != steps-1) {
				t.Errorf("%s, %s: action %d as %s: another schedule has %s, the nearest %d steps and %d ticks",
					w.property, w.settings, n.At+1, n.Role, n.Other.Summary(), steps, ticks)
			}
		}
	}
	t.Log(answers)
	for _, role := range []Role{Fault, Pause, Choice, AnyFault, AnyPause} {
		if answers[role][Necessary] == 0 && role != AnyFault || answers[role][Unnecessary] == 0 && role != AnyPause {
			t.Errorf("%s: %v: nothing to tell apart", role, answers[role])
		}
	}
}

// bruteForce takes every schedule without an action.
type bruteForce struct {
	of        *traces.Trace
	at        int
	role      Role
	audit     *audit
	schedules int
	ticks     int // of the nearest that breaks the property
	steps     int // 0: none does
}

func (b *bruteForce) nearest(t *testing.T) (ticks, steps int, broken bool) {
	p, err := traces.NewPlayer(b.of.Config)
	if err != nil {
		t.Fatal(err)
	}
	for i := range b.at {
		if _, err := p.Do(b.of.Events[i].Call()); err != nil {
			t.Fatal(err)
		}
	}
	b.walk(p)
	return b.ticks, b.steps, b.steps > 0
}

func (b *bruteForce) walk(p *traces.Player) {
	if n := len(p.Trace.Events); n > b.at && b.audit.retrospect(&p.Trace) != nil {
		b.schedules++
		if b.steps == 0 || p.Tick < b.ticks || p.Tick == b.ticks && n < b.steps {
			b.ticks, b.steps = p.Tick, n
		}
		return
	}
	var out model.Steps
	p.World.Next(p.State, &out)
	if len(out.Actions) == 0 {
		b.schedules++
	}
	for _, a := range out.Actions {
		if b.gone(p, a) {
			continue
		}
		next := *p
		next.State = slices.Clone(p.State)
		next.Trace.Events = slices.Clone(p.Trace.Events)
		if _, err := next.Do(traces.CallOf(a)); err != nil {
			panic(err)
		}
		b.walk(&next)
	}
}

// gone says in its own words what a role takes away.
func (b *bruteForce) gone(p *traces.Player, a model.Action) bool {
	e := &b.of.Events[b.at]
	missing := func(n int) bool { return n > 0 && n < b.of.Config.Servers }
	misses := a.Client != model.Nobody && missing(len(serverList(a.Reached)))
	kindsOfFaults := []string{"crash", "restart", "jump"}
	switch b.role {
	case Pause:
		return a.Kind == model.Pause && int(a.Client) == e.Client
	case AnyPause:
		return a.Kind == model.Pause
	case AnyFault:
		return misses || slices.Contains(kindsOfFaults, a.Kind.String())
	case Fault:
		if slices.Contains(kindsOfFaults, e.Kind.String()) {
			return a.Kind == e.Kind
		}
		return misses
	}
	for i := b.at; i < len(p.Trace.Events); i++ {
		if p.Trace.Events[i].Kind == model.Tick {
			return false
		}
	}
	return a.Kind == e.Kind && int(a.Client) == e.Client && slices.Equal(serverList(a.Reached), e.Reached)
}

// TestNecessityIsDeterministic: the same with one worker and with several.
func TestNecessityIsDeterministic(t *testing.T) {
	for _, w := range explained {
		tr := exampleOf(t, w.property, w.settings)
		one, err := Necessity(context.Background(), tr, Limits{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		many, err := Necessity(context.Background(), tr, Limits{Workers: 5})
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(one, many) {
			t.Errorf("%s, %s: one worker %+v, five %+v", w.property, w.settings, one, many)
		}
	}
}

// TestNecessityLeavesOpen: what it was not given the means for, it says.
func TestNecessityLeavesOpen(t *testing.T) {
	tr := exampleOf(t, "stale-overwrite", "store plain clients 2 ttl 5 ticks 20")
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	for _, c := range []struct {
		ctx    context.Context
		limits Limits
		why    string
	}{
		{ended, Limits{}, "interrupted"},
		{context.Background(), Limits{MaxStates: 2}, outOfStates},
		{context.Background(), Limits{MaxBytes: 1}, "out of memory"},
	} {
		needs, err := Necessity(c.ctx, tr, c.limits)
		if err != nil {
			t.Fatal(err)
		}
		open := 0
		for _, n := range needs {
			if n.Answer == Undecided {
				open++
				if n.Stopped != c.why {
					t.Errorf("%+v, want %s", n, c.why)
				}
			}
		}
		if open == 0 {
			t.Errorf("%s: nothing is open", c.why)
		}
	}
	tr.Remark.Property = "progress"
	if _, err := Necessity(context.Background(), tr, Limits{}); !errors.Is(err, ErrNotJudged) {
		t.Errorf("progress: %v", err)
	}
}

func serverList(set uint64) (list []int) {
	for i := range 64 {
		if set>>i&1 != 0 {
			list = append(list, i)
		}
	}
	return list
}

// TestNecessityKnowsServersByName: with servers renamed a counterexample is still
// one, and what is necessary of it is the same. An action is taken away with the
// servers that it reaches, so the renaming must not get lost.
func TestNecessityKnowsServersByName(t *testing.T) {
	t.Parallel()
	for _, w := range []struct{ property, settings string }{
		{"token-order", "store claimed clients 2 ttl 2 ticks 3 servers 3 pauses 0 lost-requests 3"},
		{"stale-overwrite", "store claimed clients 2 ttl 1 ticks 3 servers 3 lost-requests 3"},
		{"mutual-exclusion", "store plain clients 2 ttl 2 ticks 3 servers 3 restarts 2"},
		{"lease-overlap", "store plain clients 2 ttl 2 ticks 3 servers 3 restarts 1 lost-requests 1"},
		{"mutual-exclusion", "store plain clients 2 ttl 2 ticks 3 servers 3 clock-jumps 3 lost-requests 1"},
	} {
		tr := exampleOf(t, w.property, w.settings)
		if tr == nil {
			t.Errorf("%s is not broken: %s", w.property, w.settings)
			continue
		}
		var calls []traces.Call
		for i := range tr.Events {
			c := tr.Events[i].Call()
			reached := c.Reached
			c.Reached = 0
			for server := range tr.Config.Servers {
				c.Reached |= reached >> server & 1 << (tr.Config.Servers - 1 - server)
			}
			calls = append(calls, c)
		}
		mirrored, err := traces.Play(tr.Config, calls)
		if err != nil {
			t.Fatal(err)
		}
		mirrored.Remark = tr.Remark
		if a, b := needsOf(t, tr), needsOf(t, mirrored); !slices.Equal(a, b) {
			t.Errorf("%s, %s:\n%v, with servers renamed\n%v", w.property, w.settings, a, b)
		}
	}
}

// needsOf is what Necessity says of a trace, less which other trace it is.
func needsOf(t *testing.T, tr *traces.Trace) (all []string) {
	t.Helper()
	needs, err := Necessity(context.Background(), tr, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range needs {
		text := fmt.Sprint(n.At, " ", n.Role, " ", n.Answer, " ", n.Always)
		if n.Other != nil {
			text += " " + n.Other.Summary()
		}
		all = append(all, text)
	}
	return all
}
