package main

import (
	"runtime"
	"runtime/debug"
)

// version tells what is running, from what the Go toolchain left in the
// binary: nobody has to pass -ldflags. The name of the program stands before
// it where it is printed.
func version() string {
	v, revision, modified := "(unknown)", "", false
	if info, ok := debug.ReadBuildInfo(); ok {
		v = info.Main.Version
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				revision = s.Value
			case "vcs.modified":
				modified = s.Value == "true"
			}
		}
	}
	if v == "" {
		v = "(devel)"
	}
	out := v
	if revision != "" {
		out += ", revision " + revision
		if modified {
			out += " with changes"
		}
	}
	return out + ", " + runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH
}
