package script

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"dlcheck/model"
	"dlcheck/traces/yamlfile"
)

// File is a schedule as it is written. Times are numbers of ticks or, where
// Tick says how long one is, durations such as 1.5s.
type File struct {
	Name  string `yaml:"name"`
	About string `yaml:"about"`
	// Tick is how long a tick is, such as 500ms; empty where ticks are just
	// ticks.
	Tick    string   `yaml:"tick"`
	Servers *int     `yaml:"servers"` // 1 if not given
	TTL     Time     `yaml:"ttl"`     // length of a lease; must be given
	Store   string   `yaml:"store"`   // fenced if not given
	Until   Time     `yaml:"until"`   // where the run ends; else when all are done
	Clients []Client `yaml:"clients"`
	Expect  Expect   `yaml:"expect"`
}

// Client is one actor of a schedule.
type Client struct {
	Name    string `yaml:"name"`
	Arrives Time   `yaml:"arrives"`
	// Program is what the client does; the usual read-modify-write if empty.
	Program string `yaml:"program"`
	// Asks says what a client does that is denied: poll (ask again in every
	// tick; the default) or once (give up).
	Asks   string  `yaml:"asks"`
	Pauses []Pause `yaml:"pauses"`
	// Writes is the text that it writes. A client that has read appends it to
	// what it has read; one that has not replaces everything. The client's
	// name if not given.
	Writes *string `yaml:"writes"`
}

// Pause is a stretch in which a client does nothing: it pauses at From, in
// place of its step, and takes that step at To.
type Pause struct {
	From Time `yaml:"from"`
	To   Time `yaml:"to"`
}

// Expect is the outcome that makes a schedule a test. What is not given is not
// compared.
type Expect struct {
	// Final is the text that the store ends up with.
	Final *string `yaml:"final"`
	// Leases lists who held the lock when, such as "A [0,10)", in order.
	Leases []string `yaml:"leases"`
	// Writes lists the writes in order, such as "B at 14: accepted".
	Writes []string `yaml:"writes"`
	// Tokens lists the tokens granted, such as "A 1", in order.
	Tokens []string `yaml:"tokens"`
	// Denied is how often each client was denied.
	Denied map[string]int `yaml:"denied"`
	// Properties says of a property whether it is violated or holds.
	Properties map[string]string `yaml:"properties"`
}

// Time is a number of ticks, or a duration.
type Time struct {
	text  string
	given bool
}

// Ticks is the time that is so many ticks long.
func Ticks(n int) Time { return Time{strconv.Itoa(n), true} }

// UnmarshalYAML takes what is written as it stands; see in.
func (t *Time) UnmarshalYAML(b []byte) error {
	t.text, t.given = strings.Trim(strings.TrimSpace(string(b)), `"'`), true
	return nil
}

// MarshalYAML writes the time as it was written.
func (t Time) MarshalYAML() (any, error) { return t.text, nil }

// in gives the number of ticks, where tick is how long one is, or 0.
func (t Time) in(tick time.Duration) (int, error) {
	if n, err := strconv.Atoi(t.text); err == nil {
		if n < 0 || n > model.MaxTicks {
			return 0, fmt.Errorf("%d is not within 0 to %d", n, model.MaxTicks)
		}
		return n, nil
	}
	d, err := time.ParseDuration(t.text)
	switch {
	case err != nil || d < 0:
		return 0, fmt.Errorf("%q is neither a number of ticks, such as 12, nor a duration, such as 1.5s", t.text)
	case tick == 0:
		return 0, fmt.Errorf("%s is a duration, and the file does not say how long a tick is; add a line such as tick: 500ms, or give ticks", t.text)
	case d%tick != 0:
		return 0, fmt.Errorf("%s is no whole number of ticks of %s", t.text, tick)
	case d/tick > model.MaxTicks:
		return 0, fmt.Errorf("%s is more than %d ticks of %s", t.text, model.MaxTicks, tick)
	}
	return int(d / tick), nil
}

// Parse reads a schedule. name stands for the file in errors, which are
// *yamlfile.Error.
func Parse(name string, data []byte) (*Schedule, error) {
	var f File
	if err := yamlfile.Decode(name, data, &f); err != nil {
		return nil, err
	}
	s, err := f.Schedule()
	if err != nil {
		var at *placeError
		if errors.As(err, &at) {
			return nil, &yamlfile.Error{File: name, Line: yamlfile.LineOf(data, at.path), Reason: at.Error()}
		}
		return nil, &yamlfile.Error{File: name, Reason: err.Error()}
	}
	return s, nil
}

// placeError is a fault at a YAML path.
type placeError struct {
	path string // such as $.clients[0].program
	err  error
}

func (e *placeError) Error() string { return e.err.Error() }
func (e *placeError) Unwrap() error { return e.err }
