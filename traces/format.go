package traces

import (
	"fmt"
	"io"
	"sort"
	"strings"
)

// Format is a way to write a trace.
type Format struct {
	Name string
	Ext  string // of a file, with its dot
	Doc  string
	// Write writes the whole trace; its error is that of w.
	Write func(w io.Writer, t *Trace) error
}

var formats []Format

func addFormat(f Format) {
	formats = append(formats, f)
	sort.Slice(formats, func(i, j int) bool { return formats[i].Name < formats[j].Name })
}

// Formats lists the formats there are, by name.
func Formats() []Format { return formats }

// FindFormat finds a format by name; its error lists the names there are.
func FindFormat(name string) (Format, error) {
	var names []string
	for _, f := range formats {
		if f.Name == name {
			return f, nil
		}
		names = append(names, f.Name)
	}
	return Format{}, fmt.Errorf("there is no format %q; there are %s", name, strings.Join(names, ", "))
}
