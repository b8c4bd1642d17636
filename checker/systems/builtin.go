package systems

import (
	"embed"
	"fmt"
	"path"
	"strings"
)

//go:embed builtin/*.yaml
var builtin embed.FS

// Names lists the systems that come with dlcheck, sorted.
func Names() []string {
	files, err := builtin.ReadDir("builtin")
	if err != nil {
		panic(err)
	}
	var names []string
	for _, f := range files {
		names = append(names, strings.TrimSuffix(f.Name(), ".yaml"))
	}
	return names
}

// Builtin gives a system that comes with dlcheck, and the text of its file. The
// error is one line for the user.
func Builtin(name string) (*System, []byte, error) {
	file := name + ".yaml"
	data, err := builtin.ReadFile(path.Join("builtin", file))
	if err != nil {
		return nil, nil, fmt.Errorf("there is no system %q; there are %s", name, strings.Join(Names(), ", "))
	}
	s, err := Read(file, data, "")
	return s, data, err
}
