// Package yamlfile reads the YAML that people write by hand: strictly, and with
// faults of one line that say where they are. It does not know what a file is
// about.
package yamlfile

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"unicode"

	"github.com/goccy/go-yaml"
)

// Error is a fault in a file.
type Error struct {
	File   string
	Line   int // from 1; 0 if the fault has no line
	Reason string
	// Given stands where only one of Allowed can, if that is the fault: whoever
	// talks to people may say which of them is spelled like it.
	Given   string
	Allowed []string
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", e.File, e.Reason)
	}
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Reason)
}

// Decode reads YAML of a known form into v, which must have a place for every
// key there is. The error is an *Error; name stands for the file in it.
func Decode(name string, data []byte, v any) error {
	data, err := fit(name, data)
	if err != nil {
		return err
	}
	err = safely(func() error { return yaml.UnmarshalWithOptions(data, v, yaml.Strict()) })
	if err != nil {
		return plain(name, err)
	}
	return nil
}

// safely calls what reads YAML. The package that does so panics on some files
// that are none (FuzzParse has them).
func safely(read func() error) (err error) {
	defer func() {
		if recover() != nil {
			err = errors.New("it is no YAML that can be read")
		}
	}()
	return read()
}

// plain makes the error of the YAML package, which draws the place, into one
// line.
func plain(name string, err error) *Error {
	var y yaml.Error
	if !errors.As(err, &y) {
		return &Error{File: name, Reason: err.Error()}
	}
	line := 0
	if tok := y.GetToken(); tok != nil && tok.Position != nil {
		line = tok.Position.Line
	}
	return &Error{File: name, Line: line, Reason: strings.Map(printable, plainly(err, y.GetMessage()))}
}

// printable keeps out of a terminal what a message quotes from the file.
func printable(r rune) rune {
	if unicode.IsPrint(r) {
		return r
	}
	return ' '
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

// LineOf finds the line of a YAML path, such as $.expect.final, or of the nearest
// thing around it; 0 if there is none.
func LineOf(data []byte, path string) (line int) {
	defer func() {
		if recover() != nil { // as in safely
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
