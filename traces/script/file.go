package script

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/goccy/go-yaml"

	"dlcheck/model"
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

// FileError is a fault in a schedule file.
type FileError struct {
	File   string
	Line   int // from 1; 0 if the fault has no line
	Reason string
}

func (e *FileError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", e.File, e.Reason)
	}
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Reason)
}

// Parse reads a schedule. name stands for the file in errors, which are
// *FileError.
func Parse(name string, data []byte) (*Schedule, error) {
	var f File
	if err := decode(data, &f); err != nil {
		return nil, yamlError(name, err)
	}
	s, err := f.Schedule()
	if err != nil {
		var at *placeError
		if errors.As(err, &at) {
			return nil, &FileError{name, LineOf(data, at.path), at.Error()}
		}
		return nil, &FileError{name, 0, err.Error()}
	}
	return s, nil
}

// decode reads the YAML. The package that does so panics on some files that
// are none (FuzzParse has them).
func decode(data []byte, f *File) (err error) {
	defer func() {
		if recover() != nil {
			err = errors.New("it is no YAML that can be read")
		}
	}()
	return yaml.UnmarshalWithOptions(data, f, yaml.Strict())
}

// yamlError makes the error of the YAML package, which draws the place, into
// one line.
func yamlError(name string, err error) error {
	var y yaml.Error
	if !errors.As(err, &y) {
		return &FileError{name, 0, err.Error()}
	}
	line := 0
	if tok := y.GetToken(); tok != nil && tok.Position != nil {
		line = tok.Position.Line
	}
	return &FileError{name, line, plainly(err, y.GetMessage())}
}

// plainly says that a value has the wrong type without the names of Go types;
// other messages stay as they are.
func plainly(err error, message string) string {
	var wrong *yaml.TypeError
	if !errors.As(err, &wrong) {
		return message
	}
	want := map[reflect.Kind]string{
		reflect.Int: "a whole number", reflect.String: "a text", reflect.Slice: "a list", reflect.Struct: "a map", reflect.Map: "a map",
	}[wrong.DstType.Kind()]
	if want == "" {
		return message
	}
	return "the value here should be " + want
}

// placeError is a fault at a YAML path.
type placeError struct {
	path string // such as $.clients[0].program
	err  error
}

func (e *placeError) Error() string { return e.err.Error() }
func (e *placeError) Unwrap() error { return e.err }

// LineOf finds the line of a YAML path, such as $.expect.final, or of the nearest
// thing around it; 0 if there is none.
func LineOf(data []byte, path string) (line int) {
	defer func() {
		if recover() != nil { // as in decode
			line = 0
		}
	}()
	for path != "$" && path != "" {
		if p, err := yaml.PathString(path); err == nil {
			if node, err := p.ReadNode(strings.NewReader(string(data))); err == nil && node != nil {
				if tok := node.GetToken(); tok != nil && tok.Position != nil {
					return tok.Position.Line
				}
			}
		}
		path = path[:max(strings.LastIndexAny(path, ".["), 0)]
	}
	return 0
}
