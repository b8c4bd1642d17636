package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// writeOut writes beside the file and renames, so that whoever looks, and whatever
// goes wrong, the file is an old one or a new one and never a part. What is no
// regular file, such as a pipe, is written to as it is.
func writeOut(file string, write func(io.Writer) error) (err error) {
	if info, err := os.Stat(file); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		f, err := os.OpenFile(file, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		w := &stickyWriter{w: f}
		if err := write(w); err != nil {
			return errors.Join(err, f.Close())
		}
		return errors.Join(w.err, f.Close())
	}
	tmp, err := os.CreateTemp(filepath.Dir(file), "."+filepath.Base(file)+".*")
	var no *fs.PathError
	if errors.As(err, &no) { // it names a file that nobody has heard of
		return fmt.Errorf("%s: %w", file, no.Err)
	}
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(tmp.Name())
		}
	}()
	w := bufio.NewWriter(tmp)
	if err = errors.Join(write(w), w.Flush(), tmp.Chmod(0o644), tmp.Close()); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), file)
}

// makeDir makes a directory if it is missing, and looks whether a file can be made
// in it.
func makeDir(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	probe, err := os.CreateTemp(dir, ".dlcheck.*")
	var at *fs.PathError
	if errors.As(err, &at) { // it names a file that nobody has heard of
		return fmt.Errorf("no file can be made in %s: %w", dir, at.Err)
	}
	if err != nil {
		return err
	}
	return errors.Join(probe.Close(), os.Remove(probe.Name()))
}
