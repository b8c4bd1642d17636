package model

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestStories plays the stories in testdata/stories on the unreduced model.
// Stories are separated by empty lines. Each begins with its title, a line
// with #; its world is the default of 2 clients, changed by lines such as
//
//	world ttl=3 store=strict
//	program acquire, read, write, release
//
// and then, line by line:
//
//	A acquire               happens, and must be possible
//	A write no              and is answered yes or no
//	tick 3                  the clock ticks, here three times
//	A cannot read           is not possible now
//	A cannot read: why      and WhyNot says this
//	cannot tick             of the clock
//	B token = 2             a variable of a client
//	server.left[1] = 3      any other variable; [0] may be left out
//	states differ in now    … alone from where "remember" was said
func TestStories(t *testing.T) {
	files, err := filepath.Glob("testdata/stories/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no stories: ", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			line := 1
			for _, tale := range strings.Split(string(text), "\n\n") {
				title, _, _ := strings.Cut(tale, "\n")
				t.Run(strings.Trim(title, "# "), func(t *testing.T) {
					s := story{t: t, cfg: DefaultConfig()}
					s.cfg.Clients = 2
					for i, l := range strings.Split(tale, "\n") {
						if l = strings.TrimSpace(l); l != "" && l[0] != '#' {
							s.where = fmt.Sprintf("%s:%d: %s", file, line+i, l)
							s.tell(l)
						}
					}
				})
				line += strings.Count(tale, "\n") + 2
			}
		})
	}
}

// story is a world and the state in which the story is.
type story struct {
	t          *testing.T
	where      string
	cfg        Config
	w          *World // nil before the first action
	now        State
	remembered State
}

func (p *story) fail(format string, args ...any) {
	p.t.Helper()
	p.t.Fatalf("%s\n\t%s\n\tin %s", p.where, fmt.Sprintf(format, args...), p.print(p.now))
}

func (p *story) tell(l string) {
	words := strings.Fields(l)
	switch words[0] {
	case "world":
		for _, arg := range words[1:] {
			p.set(arg)
		}
		return
	case "program":
		var err error
		if p.cfg.Program, err = ParseProgram(strings.TrimPrefix(l, "program ")); err != nil {
			p.fail("%v", err)
		}
		return
	}
	if p.w == nil {
		p.w = mustNew(p.t, p.cfg, Options{Needs: Needs{Versions: true}})
		p.now = p.w.Init()
	}
	line, reason, _ := strings.Cut(l, ": ")
	words = strings.Fields(line)
	client := Nobody
	if len(words[0]) == 1 {
		client = int(words[0][0] - 'A')
		words = words[1:]
	}
	switch {
	case words[0] == "remember":
		p.remembered = clone(p.now)
	case words[0] == "states":
		p.differ(words[3:])
	case words[0] == "cannot":
		kind := p.kind(words[1])
		if _, _, ok := take(p.w, p.now, client, kind); ok {
			p.fail("the model allows it")
		}
		if why := p.w.WhyNot(p.now, client, kind, letter); reason != "" && why != reason {
			p.fail("the model says: %s", why)
		}
	case len(words) == 3 && words[1] == "=":
		if got := p.value(words[0], client); strconv.Itoa(got) != words[2] {
			p.fail("it is %d", got)
		}
	default:
		p.act(client, p.kind(words[0]), words[1:])
	}
}

func (p *story) kind(name string) Kind {
	k, ok := KindByName(name)
	if !ok {
		p.fail("what is %q?", name)
	}
	return k
}

func (p *story) act(client int, kind Kind, rest []string) {
	times := 1
	if kind == Tick && len(rest) > 0 {
		times, _ = strconv.Atoi(rest[0])
	}
	for range times {
		a, n, ok := take(p.w, p.now, client, kind)
		if !ok {
			p.fail("the model does not allow it: %s", p.w.WhyNot(p.now, client, kind, letter))
		}
		if kind != Tick && len(rest) > 0 && (rest[0] == "yes") != a.OK {
			p.fail("it is answered %v", a.OK)
		}
		p.now = n
	}
}

// take does what client does next, if it can do that.
func take(w *World, s State, client int, kind Kind) (Action, State, bool) {
	var out Steps
	w.Next(s, &out)
	for i, a := range out.Actions {
		if a.Kind == kind && int(a.Client) == client {
			return a, after(&out, i), true
		}
	}
	return Action{}, nil, false
}

func letter(client int) string { return string(rune('A' + client)) }

func (p *story) set(arg string) {
	name, value, _ := strings.Cut(arg, "=")
	n, _ := strconv.Atoi(value)
	if value == "unlimited" {
		n = NoBound
	}
	switch name {
	case "store":
		p.cfg.Store = value
	default:
		at, ok := map[string]*int{
			"clients": &p.cfg.Clients, "servers": &p.cfg.Servers, "ttl": &p.cfg.TTL, "rounds": &p.cfg.Rounds,
			"pauses": &p.cfg.Pauses, "max-pause": &p.cfg.MaxPause, "ticks": &p.cfg.Ticks,
		}[name]
		if !ok {
			p.fail("what is %q?", name)
		}
		*at = n
	}
}

// value reads a variable by its name in the layout.
func (p *story) value(name string, client int) int {
	i := max(0, client)
	if base, index, ok := strings.Cut(name, "["); ok {
		name = base
		i, _ = strconv.Atoi(strings.TrimSuffix(index, "]"))
	}
	for _, v := range p.w.Layout.Vars {
		if v.Name == name {
			return v.Fields[i].Get(p.now)
		}
	}
	p.fail("there is no variable %s", name)
	return 0
}

func (p *story) differ(names []string) {
	for _, v := range p.w.Layout.Vars {
		for _, f := range v.Fields {
			if was, is := f.Get(p.remembered), f.Get(p.now); was != is && !slices.Contains(names, v.Name) {
				p.fail("%s was %d and is %d", v.Name, was, is)
			}
		}
	}
}

// print shows the variables of s that are not 0.
func (p *story) print(s State) string {
	if s == nil {
		return "no state yet"
	}
	return show(p.w, s)
}

func show(w *World, s State) string {
	var parts []string
	for _, v := range w.Layout.Vars {
		for i, f := range v.Fields {
			if n := f.Get(s); n != 0 {
				parts = append(parts, fmt.Sprintf("%s[%d]=%d", v.Name, i, n))
			}
		}
	}
	return strings.Join(parts, " ")
}
