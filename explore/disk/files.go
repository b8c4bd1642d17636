package disk

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
)

// Folder is where searches keep their files. The files have no names: each is
// taken out of the folder when it is made, and its room is free again as soon as
// it is closed, or its process ends, however it ends. So there is nothing to be
// cleared away, not even after a kill.
type Folder struct {
	path       string
	fs         fileSystem
	used, peak atomic.Int64
}

// fileSystem is what a Folder asks of the system; tests have one that fails.
type fileSystem interface {
	// create makes a file that has no name any more.
	create(dir string) (file, error)
}

type file interface {
	ReadAt(p []byte, off int64) (int, error)
	WriteAt(p []byte, off int64) (int, error)
	Close() error
}

// Open looks whether files can be made in dir, which is made if it is missing.
// Its error is one line for the user.
func Open(dir string) (*Folder, error) { return openOn(system{}, dir) }

func openOn(fs fileSystem, dir string) (*Folder, error) {
	d := &Folder{path: dir, fs: fs}
	f, err := fs.create(dir)
	if err != nil {
		return nil, fmt.Errorf("no file can be made in %s: %w", dir, cause(err))
	}
	if _, err := f.WriteAt([]byte{0}, 0); err != nil {
		f.Close()
		return nil, fmt.Errorf("nothing can be written in %s: %w", dir, cause(err))
	}
	return d, f.Close()
}

// Peak is how many bytes the files have taken at most at a time.
func (d *Folder) Peak() int64 { return d.peak.Load() }

// Used is how many bytes they take now.
func (d *Folder) Used() int64 { return d.used.Load() }

// cause takes the name of a file away, which nobody has chosen.
func cause(err error) error {
	var at *os.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

type system struct{}

const namePattern = "dlcheck-*.states"

func (system) create(dir string) (file, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	if f, err := nameless(dir); err == nil {
		return f, nil
	}
	return unnamed(dir)
}

// unnamed makes a file and takes its name away at once.
func unnamed(dir string) (file, error) {
	f, err := os.CreateTemp(dir, namePattern)
	if err != nil {
		return nil, err
	}
	if err := os.Remove(f.Name()); err != nil {
		f.Close()
		os.Remove(f.Name())
		return nil, fmt.Errorf("a file that is open cannot be taken out of its folder on this system (%w)", cause(err))
	}
	return f, nil
}

// FullError says that there was no room for more.
type FullError struct {
	Dir  string
	Used int64 // bytes that the files of the run take
	Err  error
}

func (e *FullError) Error() string {
	return fmt.Sprintf("no room is left in %s when the files have %d bytes: %v", e.Dir, e.Used, e.Err)
}

func (e *FullError) Unwrap() error { return e.Err }

// blob is a file that is written from its beginning to its end, read anywhere,
// and counted.
type blob struct {
	folder *Folder
	f      file
	size   int64
}

func (d *Folder) newBlob() (*blob, error) {
	f, err := d.fs.create(d.path)
	if err != nil {
		return nil, d.failed("a file cannot be made", err)
	}
	return &blob{folder: d, f: f}, nil
}

func (d *Folder) failed(what string, err error) error {
	if full(err) {
		return &FullError{d.path, d.Used(), cause(err)}
	}
	return fmt.Errorf("%s in %s: %w", what, d.path, cause(err))
}

func (b *blob) append(p []byte) error {
	n, err := b.f.WriteAt(p, b.size)
	if err == nil && n < len(p) {
		err = errors.New("only a part was written")
	}
	if err != nil {
		return b.folder.failed("a file cannot be written", err)
	}
	b.size += int64(n)
	used := b.folder.used.Add(int64(n))
	for {
		peak := b.folder.peak.Load()
		if used <= peak || b.folder.peak.CompareAndSwap(peak, used) {
			return nil
		}
	}
}

func (b *blob) read(p []byte, off int64) error {
	if n, err := b.f.ReadAt(p, off); n < len(p) {
		return b.folder.failed("a file cannot be read", err)
	}
	return nil
}

func (b *blob) close() {
	if b != nil && b.f != nil {
		b.f.Close() // nothing in it is wanted any more
		b.folder.used.Add(-b.size)
		b.f = nil
	}
}

// damaged says where a block is not what was written.
func (d *Folder) damaged(off int64, err error) error {
	return fmt.Errorf("what was written to %s cannot be read again (at byte %d of a file): %w", filepath.Clean(d.path), off, err)
}
