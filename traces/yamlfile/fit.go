package yamlfile

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// Bounds of a file. The parser takes memory and time that grow with the square
// of the depth, so that a file of brackets could take a machine down.
const (
	// MaxBytes is how long a file may be.
	MaxBytes = 256 << 10
	maxDepth = 50
)

// fit says whether data can be handed to the parser, and gives it without a byte
// order mark. The error is an *Error.
func fit(name string, data []byte) ([]byte, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if len(data) > MaxBytes {
		return nil, &Error{File: name, Reason: fmt.Sprintf("the file has %d bytes, and %d are allowed", len(data), MaxBytes)}
	}
	if !utf8.Valid(data) {
		line := 1
		for rest := data; ; {
			r, n := utf8.DecodeRune(rest)
			if r == utf8.RuneError && n == 1 {
				break
			}
			if r == '\n' {
				line++
			}
			rest = rest[n:]
		}
		return nil, &Error{File: name, Line: line, Reason: "here is a byte that is no UTF-8"}
	}
	if line := tooDeep(data); line > 0 {
		return nil, &Error{File: name, Line: line, Reason: fmt.Sprintf("it is nested deeper than %d here", maxDepth)}
	}
	return data, nil
}

// tooDeep is the line on which more brackets are open than may be, be they in
// quotes, or that is indented by more lists and maps than may be; 0 if there is
// none.
func tooDeep(data []byte) int {
	open, line, indent, inIndent := 0, 1, 0, true
	for _, c := range data {
		switch c {
		case '\n':
			line, indent, inIndent = line+1, 0, true
			continue
		case '[', '{':
			open++
		case ']', '}':
			open = max(0, open-1)
		}
		// "- - - x" is a list of lists.
		if inIndent = inIndent && (c == ' ' || c == '-' || c == '?'); inIndent && c != ' ' {
			indent++
		}
		if open > maxDepth || indent > maxDepth {
			return line
		}
	}
	return 0
}
