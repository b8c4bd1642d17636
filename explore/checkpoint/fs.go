package checkpoint

import (
	"errors"
	"io"
	"os"
	"runtime"
)

// FS is what a checkpoint asks of a file system. Tests have one that fails.
type FS interface {
	MkdirAll(path string) error
	ReadDir(path string) (names []string, err error)
	Create(path string) (File, error)
	Open(path string) (io.ReadCloser, error)
	Rename(from, to string) error
	Remove(path string) error
	// SyncDir sees that the names in a folder are on the disk.
	SyncDir(path string) error
	// Lock is ErrLocked if another process has locked the file.
	Lock(path string) (unlock func(), err error)
}

// File is a file that is being written.
type File interface {
	io.WriteCloser
	Sync() error
}

// OS is the file system of the machine.
type OS struct{}

func (OS) MkdirAll(path string) error              { return os.MkdirAll(path, 0o777) }
func (OS) Create(path string) (File, error)        { return os.Create(path) }
func (OS) Open(path string) (io.ReadCloser, error) { return os.Open(path) }
func (OS) Rename(from, to string) error            { return os.Rename(from, to) }
func (OS) Remove(path string) error                { return os.Remove(path) }

func (OS) ReadDir(path string) (names []string, err error) {
	entries, err := os.ReadDir(path)
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names, err
}

func (OS) SyncDir(path string) error {
	if runtime.GOOS == "windows" {
		return nil // a folder cannot be opened there; renaming is written through
	}
	dir, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}
