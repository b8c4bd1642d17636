package script

import (
	"embed"
	"fmt"
	"path"
	"slices"
	"strings"
)

//go:embed builtin/*.yaml
var builtin embed.FS

// Builtins lists the schedules that come with dlcheck, by name.
func Builtins() []string {
	files, err := builtin.ReadDir("builtin")
	if err != nil {
		panic(err)
	}
	var names []string
	for _, f := range files {
		names = append(names, strings.TrimSuffix(f.Name(), ".yaml"))
	}
	slices.Sort(names) // dlock before dlock-late, which is not the order of the files
	return names
}

// Builtin gives a schedule that comes with dlcheck, and the text of its file.
func Builtin(name string) (*Schedule, []byte, error) {
	data, err := builtin.ReadFile(path.Join("builtin", name+".yaml"))
	if err != nil {
		return nil, nil, fmt.Errorf("there is no schedule %q; there are %s", name, strings.Join(Builtins(), ", "))
	}
	s, err := Parse(name+".yaml", data)
	return s, data, err
}
