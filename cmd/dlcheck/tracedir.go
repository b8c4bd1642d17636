package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"dlcheck/checker"
	"dlcheck/traces"
)

// kept says what a run did in its trace directory.
type kept struct {
	dir            string
	written, stale int // counterexamples; each has two files
}

func (k *kept) sentence() string {
	s := "No counterexample to write to " + k.dir
	if k.written > 0 {
		s = fmt.Sprintf("%s written to %s, as .json and .txt", count(k.written, "counterexample"), k.dir)
	}
	if k.stale > 0 {
		s += fmt.Sprintf("; %s of an earlier run removed", count(k.stale, "counterexample"))
	}
	return s + "."
}

// keepTraces puts each counterexample into files of the directory, as JSON
// and as a story. Where a property that was asked for has none, files of
// their name are left from another question, and go. All other files stay.
func keepTraces(dir string, runs []*checker.Run) (*kept, error) {
	k := &kept{dir: dir}
	for _, r := range runs {
		for _, v := range r.Verdicts {
			stale := false
			for _, name := range []string{"json", "text"} {
				f, err := traces.FindFormat(name)
				if err != nil {
					return nil, err
				}
				path := filepath.Join(dir, r.Config.Store+"-"+v.Property+f.Ext)
				if v.Trace != nil {
					err = writeOut(path, func(w io.Writer) error { return f.Write(w, v.Trace) })
				} else {
					var was bool
					was, err = removeFile(path)
					stale = stale || was
				}
				if err != nil {
					return nil, fmt.Errorf("--trace-dir: %w", err)
				}
			}
			if v.Trace != nil {
				k.written++
			} else if stale {
				k.stale++
			}
		}
	}
	return k, nil
}

// removeFile removes a regular file if it is there, and nothing else: dlcheck
// makes no directories or links of such a name.
func removeFile(path string) (was bool, err error) {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
		return false, nil
	}
	if err == nil {
		err = os.Remove(path)
	}
	return err == nil, err
}
