// Package checkpointtest has file systems on which checkpoints are tested: one in
// memory, and one on it that fails.
package checkpointtest

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"slices"

	"dlcheck/explore/checkpoint"
)

// Memory is a file system without a disk: to sync one takes longer than these
// searches do.
type Memory map[string][]byte

func (m Memory) MkdirAll(string) error { return nil }
func (m Memory) SyncDir(string) error  { return nil }

func (m Memory) ReadDir(dir string) (names []string, err error) {
	for path := range m {
		if filepath.Dir(path) == dir {
			names = append(names, filepath.Base(path))
		}
	}
	slices.Sort(names)
	return names, nil
}

func (m Memory) Create(path string) (checkpoint.File, error) {
	m[path] = nil
	return file{m, path}, nil
}

func (m Memory) Open(path string) (io.ReadCloser, error) {
	if text, ok := m[path]; ok {
		return io.NopCloser(bytes.NewReader(text)), nil
	}
	return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
}

func (m Memory) Rename(from, to string) error {
	m[to] = m[from]
	delete(m, from)
	return nil
}

func (m Memory) Remove(path string) error {
	delete(m, path)
	return nil
}

// Lock lets everyone in.
func (m Memory) Lock(string) (func(), error) { return func() {}, nil }

type file struct {
	m    Memory
	path string
}

func (f file) Write(p []byte) (int, error) {
	f.m[f.path] = append(f.m[f.path], p...)
	return len(p), nil
}

func (file) Sync() error  { return nil }
func (file) Close() error { return nil }

// Faulty is a file system whose operations fail after some that do not, so many times.
type Faulty struct {
	Memory
	Op     string // that fails: mkdir, create, write, sync, close, rename, syncdir, open, read; or "" for each that writes
	After  int    // so many of them
	Times  int
	Failed int
	// Kill, if it is set, makes what fails the last thing that happens: by a panic.
	Kill bool
}

// Killed is that panic.
type Killed struct{}

// ErrDisk is why an operation failed.
var ErrDisk = errors.New("no space left on device")

func (f *Faulty) fails(op string) bool {
	if f.Op != op && (f.Op != "" || op == "open" || op == "read") {
		return false
	}
	if f.After--; f.After < 0 && f.Times > 0 {
		f.Times--
		f.Failed++
		if f.Kill && op != "write" {
			panic(Killed{})
		}
		return true
	}
	return false
}

func (f *Faulty) MkdirAll(path string) error {
	if f.fails("mkdir") {
		return ErrDisk
	}
	return f.Memory.MkdirAll(path)
}

func (f *Faulty) Create(path string) (checkpoint.File, error) {
	if f.fails("create") {
		return nil, ErrDisk
	}
	file, err := f.Memory.Create(path)
	return &faultyWriter{file, f}, err
}

func (f *Faulty) Rename(from, to string) error {
	if f.fails("rename") {
		return ErrDisk
	}
	return f.Memory.Rename(from, to)
}

func (f *Faulty) SyncDir(path string) error {
	if f.fails("syncdir") {
		return ErrDisk
	}
	return f.Memory.SyncDir(path)
}

func (f *Faulty) Open(path string) (io.ReadCloser, error) {
	if f.fails("open") {
		return nil, ErrDisk
	}
	in, err := f.Memory.Open(path)
	return &faultyReader{in, f}, err
}

type faultyWriter struct {
	checkpoint.File
	f *Faulty
}

func (w *faultyWriter) Write(p []byte) (int, error) {
	if w.f.fails("write") {
		n, _ := w.File.Write(p[:len(p)/2])
		if w.f.Kill {
			panic(Killed{})
		}
		return n, ErrDisk
	}
	return w.File.Write(p)
}

func (w *faultyWriter) Sync() error {
	if w.f.fails("sync") {
		return ErrDisk
	}
	return w.File.Sync()
}

func (w *faultyWriter) Close() error {
	err := w.File.Close()
	if w.f.fails("close") {
		return ErrDisk
	}
	return err
}

type faultyReader struct {
	io.ReadCloser
	f *Faulty
}

func (r *faultyReader) Read(p []byte) (int, error) {
	if r.f.fails("read") {
		return 0, ErrDisk
	}
	return r.ReadCloser.Read(p)
}
