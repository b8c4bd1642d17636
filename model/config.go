package model

import (
	"fmt"
	"strings"
)

// NoBound stands for "without bound" in Config.Ticks, Config.Rounds and
// Config.MaxPause.
const NoBound = -1

// Config says which world is meant. DefaultConfig fills in every field.
type Config struct {
	Clients  int     // 1 to MaxClients
	Ticks    int     // how many ticks the clock may make, or NoBound
	TTL      int     // length of a lease in ticks, at least 1
	Servers  int     // lock servers, 1 to MaxServers; a grant needs a majority
	Rounds   int     // how often each client runs its program, at least 1, or NoBound
	Pauses   int     // pauses of one client in one round, at least 0
	MaxPause int     // longest pause in ticks, at least 1, or NoBound
	Program  Program // what a client does in a round
	// Programs, if it is not nil, has one program per client, and Program is
	// not looked at.
	Programs []Program
	Store    string // a name from the catalog Stores
	Service  string // a name from the catalog Services
	// Axes are the ways in which this world differs from the core.
	Axes AxisValues
}

// Limits of a Config. A configuration within them can still be too wide for
// a state; New then answers with a SizeError.
const (
	MaxClients = 16
	MaxServers = 64
	MaxTicks   = 1_000_000_000
	MaxRounds  = 1_000_000
)

// DefaultConfig is the world of the main job: 3 clients that read, modify and
// write once under a lease of 10 ticks of one server, with one pause each.
func DefaultConfig() Config {
	return Config{
		Clients: 3, Ticks: 30, TTL: 10, Servers: 1, Rounds: 1, Pauses: 1, MaxPause: NoBound,
		Program: DefaultProgram(), Store: "fenced", Service: "majority",
	}
}

// Validate checks everything but the width of the state. Its error is one
// line for the user.
func (c *Config) Validate() error {
	for _, n := range []struct {
		name       string
		v, lo, hi  int
		orNoBound  bool
		suggestion string
	}{
		{"clients", c.Clients, 1, MaxClients, false, "two are enough for most counterexamples"},
		{"ticks", c.Ticks, 0, MaxTicks, true, "or \"unlimited\""},
		{"ttl", c.TTL, 1, MaxTicks, false, "a lease of 0 ticks would be over before it began"},
		{"servers", c.Servers, 1, MaxServers, false, "a grant needs a majority of them"},
		{"rounds", c.Rounds, 1, MaxRounds, true, "or \"unlimited\"; each round is one run of the program"},
		{"pauses", c.Pauses, 0, MaxTicks, false, "0 is a world where nobody stalls"},
		{"max-pause", c.MaxPause, 1, MaxTicks, true, "or \"unlimited\"; for no pauses at all set pauses to 0"},
	} {
		if n.orNoBound && n.v == NoBound || n.v >= n.lo && n.v <= n.hi {
			continue
		}
		return fmt.Errorf("%s %d is not within %d to %d (%s)", n.name, n.v, n.lo, n.hi, n.suggestion)
	}
	if _, err := Stores.Find(c.Store); err != nil {
		return err
	}
	if _, err := Services.Find(c.Service); err != nil {
		return err
	}
	if err := c.checkAxes(); err != nil {
		return err
	}
	if c.Programs == nil {
		return c.Program.check()
	}
	if len(c.Programs) != c.Clients {
		return fmt.Errorf("there are %d programs for %d clients", len(c.Programs), c.Clients)
	}
	for _, p := range c.Programs {
		if err := p.check(); err != nil {
			return err
		}
	}
	return nil
}

// ProgramOf is what that client does in a round.
func (c *Config) ProgramOf(client int) Program {
	if c.Programs != nil {
		return c.Programs[client]
	}
	return c.Program
}

// Objects is how many objects the store has: as many as the programs know of.
func (c *Config) Objects() int {
	n := 1
	for k := range c.Clients {
		n = max(n, c.ProgramOf(k).Objects())
	}
	return n
}

// Count bounds how many steps of that kind all clients can take in all rounds.
func (c *Config) Count(op Op) int {
	n := 0
	for k := range c.Clients {
		n += c.ProgramOf(k).Count(op)
	}
	if n == 0 {
		return 0
	}
	return c.inAllRounds(n)
}

// uncounted is more of anything than a path that a machine can hold has.
const uncounted = 1 << 30

// inAllRounds bounds how often happens what happens n times if all clients run
// their programs once. Where rounds are not bounded the ticks bound it: a client
// takes one step in each at most.
func (c *Config) inAllRounds(n int) int {
	switch {
	case c.Rounds != NoBound:
		return n * c.Rounds
	case c.Ticks != NoBound:
		return min(uncounted, c.Clients*(c.Ticks+1))
	}
	return uncounted
}

// Reductions says which differences between states are left out of them
// because they cannot matter for any property. The zero value leaves out
// none: the state is then the one that the rules are written in.
type Reductions struct {
	Time    bool // now is not part of the state, only what is left of leases and pauses
	Clients bool // clients are interchangeable
	Dead    bool // variables that nothing will read are 0, or have no place at all
	Tokens  bool // of tokens and grant numbers only the order is kept
	Servers bool // servers that are in step are kept once, others are interchangeable
}

var reductionTable = []struct {
	name string
	of   func(*Reductions) *bool
}{
	{"time", func(r *Reductions) *bool { return &r.Time }},
	{"clients", func(r *Reductions) *bool { return &r.Clients }},
	{"dead", func(r *Reductions) *bool { return &r.Dead }},
	{"tokens", func(r *Reductions) *bool { return &r.Tokens }},
	{"servers", func(r *Reductions) *bool { return &r.Servers }},
}

// AllReductions is what --reduce auto means in a world where each is sound.
// In the core world, where every acquire reaches every server, all of them are.
func AllReductions() Reductions {
	var r Reductions
	for _, row := range reductionTable {
		*row.of(&r) = true
	}
	return r
}

// ParseReductions reads auto, none, or names separated by commas.
func ParseReductions(text string) (Reductions, error) {
	switch strings.TrimSpace(text) {
	case "auto":
		return AllReductions(), nil
	case "none":
		return Reductions{}, nil
	}
	var r Reductions
next:
	for _, name := range strings.Split(text, ",") {
		for _, row := range reductionTable {
			if row.name == strings.TrimSpace(name) {
				*row.of(&r) = true
				continue next
			}
		}
		return r, fmt.Errorf("--reduce %q: there is no reduction %q; use auto, none, or a list of %s", text, strings.TrimSpace(name), strings.Join(AllReductions().Names(), ", "))
	}
	return r, nil
}

// Without is the same without the one of that name.
func (r Reductions) Without(name string) Reductions {
	for _, row := range reductionTable {
		if row.name == name {
			*row.of(&r) = false
		}
	}
	return r
}

// Names lists the reductions that are on, in the order of the table.
func (r Reductions) Names() []string {
	names := []string{}
	for _, row := range reductionTable {
		if *row.of(&r) {
			names = append(names, row.name)
		}
	}
	return names
}
