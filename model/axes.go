package model

import (
	"fmt"
	"strconv"
	"strings"
)

// Axis is one way in which a world can differ from the core: a fault with a
// budget, or another rule. Every axis is off (0) unless a configuration says
// otherwise, and one that is off has no variable in the state and no
// transition. An axis has a file axis_NAME.go of its own, which declares it.
type Axis struct {
	Name string // as flags and files have it
	Doc  string // one line
	// Choices names the values of an axis that is not a number, the first
	// being that of the core. It is nil where the value is a number.
	Choices []string
	Max     int // largest value of a number
	// Not has the reductions that are not exact where the axis is on, such as
	// Clients or Servers where it tells one of them from the others.
	Not Reductions
	// Drifts says that with it servers do not stay in step: some grant where
	// others do not. Then one does not stand for all, and with several of them
	// the order of tokens is not enough: a server's next token is its own counter
	// plus one, so how far apart two counters are decides what comes next.
	Drifts bool
	// Needs are values that the rules of the axis read, be it that nobody looks
	// on: what can happen must not depend on observers.
	Needs Needs
	// Forgets says whether with that value of the axis a lease can be let go of
	// that has not run out, and was not released by its holder.
	Forgets func(v int) bool
	// Conflict says why a configuration with the axis on cannot be, or would
	// be one in which it has no effect; "" if it can.
	Conflict func(c *Config) string
	// Build claims the variables of the axis and gives what it does. It is
	// called only where the axis is on, after clients and service are built.
	// It is nil for an axis that is a rule inside another part.
	Build func(w *World, l *Layout) Hooks

	id int
}

// Hooks are the places where an axis can take part. Each may be nil.
type Hooks struct {
	// Next appends transitions that no client takes.
	Next func(s State, out *Steps)
	// Client appends transitions of client c beside its step, when it is
	// inside its program with step at in front of it.
	Client func(s State, c, at int, out *Steps)
	// Acquire appends what can come of an attempt of client c to acquire, in
	// place of the service's plain grant.
	Acquire func(s State, c int, out *Steps)
	// Expired is told which servers' leases ran out in the tick that leads
	// to n.
	Expired func(n State, servers uint64)
	// Wait appends what can come while client c is inside its program, with
	// step at in front of it, and waits for an answer.
	Wait func(s State, c, at int, out *Steps)
	// Answer appends, beside a grant by those servers to a client that heard
	// of it at once, what else can come of its answer.
	Answer func(s State, c int, granted, reached uint64, out *Steps)
	// Idle appends what client c, which wants the lock and has not asked for
	// it, can do beside acquiring.
	Idle func(s State, c int, out *Steps)
	// Began is told that client c is inside its program.
	Began func(n State, c int)
	// AtEnd are variables of clients that are 0 for a client that is gone.
	AtEnd []Field
	// Tick is told that time has passed, after countdowns were lowered.
	Tick func(n State)
}

// maxAxes is how many axes there can be.
const maxAxes = 32

// AxisValues has the value of every axis.
type AxisValues [maxAxes]int32

var axes []*Axis

// NewAxis declares an axis. It panics when the name is taken.
func NewAxis(a Axis) *Axis {
	for _, b := range axes {
		if a.Name == b.Name {
			panic("model: two axes named " + a.Name)
		}
	}
	if a.id = len(axes); a.id == maxAxes {
		panic("model: too many axes")
	}
	if a.Choices != nil {
		a.Max = len(a.Choices) - 1
	}
	axes = append(axes, &a)
	return &a
}

// Axes lists the axes there are.
func Axes() []*Axis { return axes }

// FindAxis finds an axis by name; its error lists the names there are.
func FindAxis(name string) (*Axis, error) {
	var names []string
	for _, a := range axes {
		if a.Name == name {
			return a, nil
		}
	}
	for _, a := range axes {
		names = append(names, a.Name)
	}
	return nil, fmt.Errorf("there is no axis %q; there are %s", name, strings.Join(names, ", "))
}

// valueOf is the value of an axis that is known to exist, for whoever cannot
// name its variable without a cycle of declarations.
func valueOf(c *Config, name string) int {
	a, err := FindAxis(name)
	if err != nil {
		panic(err)
	}
	return a.Of(c)
}

// Forgets says whether a server can let go of a lease that has not run out and
// was not released by its holder. Only the service that is known not to is trusted.
func (c *Config) Forgets() bool {
	for _, a := range axes {
		if a.Forgets != nil && a.Forgets(a.Of(c)) {
			return true
		}
	}
	return c.Service != DefaultConfig().Service
}

// ever is for axes that make a lease be let go of whenever they are on.
func ever(v int) bool { return v != 0 }

// Of is the value of the axis in a configuration.
func (a *Axis) Of(c *Config) int { return int(c.Axes[a.id]) }

// On says whether the axis is anything but what the core has.
func (a *Axis) On(c *Config) bool { return c.Axes[a.id] != 0 }

// Set gives the axis a value in a configuration; Config.Validate judges it.
func (a *Axis) Set(c *Config, v int) { c.Axes[a.id] = int32(v) }

// Parse reads a value as people write it.
func (a *Axis) Parse(text string) (int, error) {
	if a.Choices != nil {
		for i, c := range a.Choices {
			if c == text {
				return i, nil
			}
		}
		return 0, fmt.Errorf("%s %q is none of %s", a.Name, text, strings.Join(a.Choices, ", "))
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > a.Max {
		return 0, fmt.Errorf("%s %q is not a number from 0 to %d", a.Name, text, a.Max)
	}
	return n, nil
}

// Text writes a value as Parse reads it.
func (a *Axis) Text(v int) string {
	if a.Choices != nil {
		return a.Choices[v]
	}
	return strconv.Itoa(v)
}

// AxesOn has the axes that are on, with their values as Parse reads them.
func (c *Config) AxesOn() map[string]string {
	on := map[string]string{}
	for _, a := range axes {
		if a.On(c) {
			on[a.Name] = a.Text(a.Of(c))
		}
	}
	return on
}

// AxesText lists the axes that are on, each as "lost-requests 3".
func (c *Config) AxesText() []string {
	var out []string
	for _, a := range axes {
		if a.On(c) {
			out = append(out, a.Name+" "+a.Text(a.Of(c)))
		}
	}
	return out
}

func (c *Config) checkAxes() error {
	for _, a := range axes {
		if v := a.Of(c); v < 0 || v > a.Max {
			return fmt.Errorf("%s %d is not within 0 to %d", a.Name, v, a.Max)
		}
	}
	for _, a := range axes {
		if a.On(c) && a.Conflict != nil {
			if why := a.Conflict(c); why != "" {
				return fmt.Errorf("%s %s: %s", a.Name, a.Text(a.Of(c)), why)
			}
		}
	}
	return nil
}

// buildAxes builds those that are on.
func (w *World) buildAxes(l *Layout) {
	for _, a := range axes {
		if !a.On(&w.Config) || a.Build == nil {
			continue
		}
		h := a.Build(w, l)
		add(&w.nexts, h.Next, h.Next != nil)
		add(&w.alternatives, h.Client, h.Client != nil)
		add(&w.acquires, h.Acquire, h.Acquire != nil)
		add(&w.expired, h.Expired, h.Expired != nil)
		add(&w.waits, h.Wait, h.Wait != nil)
		add(&w.answers, h.Answer, h.Answer != nil)
		add(&w.idle, h.Idle, h.Idle != nil)
		add(&w.began, h.Began, h.Began != nil)
		add(&w.ticks, h.Tick, h.Tick != nil)
		if h.AtEnd != nil {
			w.atEnd = append(w.atEnd, h.AtEnd)
		}
	}
}

// InStep says whether no two servers ever differ: each request reaches all of
// them, and nothing happens to one alone.
func (c *Config) InStep() bool {
	for _, a := range axes {
		if a.Drifts && a.On(c) {
			return false
		}
	}
	return true
}

// Sound leaves of the reductions those that are exact in that world.
func (c *Config) Sound(r Reductions) Reductions {
	for _, a := range axes {
		if !a.On(c) {
			continue
		}
		for _, row := range reductionTable {
			if *row.of(&a.Not) {
				*row.of(&r) = false
			}
		}
		if a.Drifts {
			r.Tokens = r.Tokens && c.Servers == 1
		}
	}
	if c.Rounds == NoBound && c.Ticks != NoBound && !r.Tokens {
		// Then only the clock bounds how many tokens there are.
		r.Time = false
	}
	return r
}

// add appends a hook that there is.
func add[F any](hooks *[]F, hook F, is bool) {
	if is {
		*hooks = append(*hooks, hook)
	}
}
