package script

import (
	"fmt"
	"strings"
	"time"

	"dlcheck/model"
	"dlcheck/traces"
)

// Schedule is a schedule in ticks, ready to be run. It is plain data: a sweep
// copies one and changes its numbers.
type Schedule struct {
	Name, About string
	Tick        time.Duration // how long a tick is; 0 where it is just a tick
	Config      model.Config
	Until       int // where the run ends, or model.NoBound
	Clients     []Actor
	// Order has the clients in the order in which they act within a tick.
	Order  []int
	Expect Expect
}

// Actor is a client of a Schedule.
type Actor struct {
	Name    string
	Arrives int
	Once    bool // gives up when it is denied
	Pauses  []Stretch
	Writes  string
}

// Stretch is a pause in ticks: [From, To).
type Stretch struct{ From, To int }

// Schedule turns what is written into ticks.
func (f *File) Schedule() (*Schedule, error) {
	s := &Schedule{Name: f.Name, About: f.About, Until: model.NoBound, Expect: f.Expect}
	at := func(path string, err error) error {
		if err == nil {
			return nil
		}
		return &placeError{path, err}
	}
	if f.Tick != "" {
		var err error
		if s.Tick, err = time.ParseDuration(f.Tick); err != nil || s.Tick <= 0 {
			return nil, at("$.tick", fmt.Errorf("tick %q is no duration such as 500ms", f.Tick))
		}
	}
	ticks := func(path string, t Time, or int) (int, error) {
		if !t.given {
			return or, nil
		}
		n, err := t.in(s.Tick)
		return n, at(path, err)
	}

	cfg := model.DefaultConfig()
	cfg.Ticks, cfg.Pauses, cfg.Clients = model.NoBound, 0, len(f.Clients)
	if f.Servers != nil {
		cfg.Servers = *f.Servers
	}
	if f.Store != "" {
		cfg.Store = f.Store
	}
	var err error
	if !f.TTL.given {
		return nil, at("$", fmt.Errorf("it does not say how long a lease is; add a line such as ttl: 10"))
	}
	if cfg.TTL, err = ticks("$.ttl", f.TTL, 0); err != nil {
		return nil, err
	}
	if s.Until, err = ticks("$.until", f.Until, model.NoBound); err != nil {
		return nil, err
	}
	if s.Until > mostTicks {
		return nil, at("$.until", fmt.Errorf("until %d is more than %d ticks", s.Until, mostTicks))
	}
	if len(f.Clients) == 0 {
		return nil, at("$", fmt.Errorf("it has no clients; add a list of them, such as clients: [{name: A}]"))
	}
	names := map[string]bool{}
	for i := range f.Clients {
		c, path := &f.Clients[i], fmt.Sprintf("$.clients[%d]", i)
		writes := c.Name
		if c.Writes != nil {
			writes = *c.Writes
		}
		if c.Name == "" {
			return nil, at(path, fmt.Errorf("client %d has no name", i+1))
		}
		if strings.ContainsFunc(c.Name+writes, traces.Unprintable) {
			return nil, at(path+".name", fmt.Errorf("client %d: a name or text has a control character, which would reach a terminal", i+1))
		}
		if names[c.Name] {
			return nil, at(path+".name", fmt.Errorf("two clients are called %s", c.Name))
		}
		names[c.Name] = true
		a := Actor{Name: c.Name, Writes: writes}
		if a.Arrives, err = ticks(path+".arrives", c.Arrives, 0); err != nil {
			return nil, err
		}
		switch c.Asks {
		case "", "poll":
		case "once":
			a.Once = true
		default:
			return nil, at(path+".asks", fmt.Errorf("asks %q is neither poll (in every tick) nor once", c.Asks))
		}
		program := model.DefaultProgram()
		if c.Program != "" {
			if program, err = model.ParseProgram(c.Program); err != nil {
				return nil, at(path+".program", err)
			}
		}
		cfg.Programs = append(cfg.Programs, program)
		for k, p := range c.Pauses {
			path := fmt.Sprintf("%s.pauses[%d]", path, k)
			if !p.From.given || !p.To.given {
				return nil, at(path, fmt.Errorf("a pause needs from and to, such as {from: 2, to: 16}"))
			}
			var st Stretch
			if st.From, err = ticks(path+".from", p.From, 0); err != nil {
				return nil, err
			}
			if st.To, err = ticks(path+".to", p.To, 0); err != nil {
				return nil, err
			}
			if st.To <= st.From {
				return nil, at(path, fmt.Errorf("a pause from %d to %d has no length", st.From, st.To))
			}
			if k > 0 && st.From <= a.Pauses[k-1].To {
				return nil, at(path, fmt.Errorf("a pause from %d begins before the step that ends the pause before it, at %d", st.From, a.Pauses[k-1].To))
			}
			a.Pauses = append(a.Pauses, st)
		}
		cfg.Pauses = max(cfg.Pauses, len(a.Pauses))
		s.Clients = append(s.Clients, a)
		s.Order = append(s.Order, i)
	}
	s.Config = cfg
	if err := cfg.Validate(); err != nil {
		// The error begins with what is wrong, and that may have a line.
		what, _, _ := strings.Cut(err.Error(), " ")
		if _, none := model.Stores.Find(cfg.Store); none != nil {
			what = "store"
		}
		return nil, at("$."+what, err)
	}
	return s, s.checkExpect(at)
}

// checkExpect looks for names that cannot be in what is expected.
func (s *Schedule) checkExpect(at func(string, error) error) error {
	for name := range s.Expect.Denied {
		known := false
		for _, a := range s.Clients {
			known = known || a.Name == name
		}
		if !known {
			return at("$.expect.denied", fmt.Errorf("there is no client %s to be denied", name))
		}
	}
	for name, v := range s.Expect.Properties {
		if v != "holds" && v != "violated" {
			return at("$.expect.properties", fmt.Errorf("%s: %q is neither holds nor violated", name, v))
		}
	}
	return nil
}

// Clone is a copy whose numbers can be changed.
func (s *Schedule) Clone() *Schedule {
	c := *s
	c.Clients = append([]Actor(nil), s.Clients...)
	for i := range c.Clients {
		c.Clients[i].Pauses = append([]Stretch(nil), s.Clients[i].Pauses...)
	}
	c.Config.Programs = append([]model.Program(nil), s.Config.Programs...)
	c.Order = append([]int(nil), s.Order...)
	return &c
}
