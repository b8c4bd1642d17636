package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"dlcheck/checker"
	"dlcheck/traces"
)

// writeTraces puts each counterexample into a file of the directory, as JSON
// and as a story. Files of an earlier call that have other names stay.
func writeTraces(dir string, runs []*checker.Run) error {
	for _, r := range runs {
		for _, v := range r.Verdicts {
			if v.Trace == nil {
				continue
			}
			for _, name := range []string{"json", "text"} {
				f, err := traces.FindFormat(name)
				if err != nil {
					return err
				}
				path := filepath.Join(dir, r.Config.Store+"-"+v.Property+f.Ext)
				if err := writeWhole(path, f, v.Trace); err != nil {
					return fmt.Errorf("--trace-dir: %w", err)
				}
			}
		}
	}
	return nil
}

// writeWhole writes beside the file and renames, so that whoever looks, and
// whatever goes wrong, the file is an old one or a new one and never a part.
func writeWhole(path string, f traces.Format, t *traces.Trace) (err error) {
	tmp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(tmp.Name())
		}
	}()
	// CreateTemp makes files for the owner alone; these are to be shared.
	err = errors.Join(f.Write(tmp, t), tmp.Chmod(0o644), tmp.Close())
	if err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}
