package checkpoint

import (
	"errors"
	"os"
)

// LockName is the file that the process holds which writes to a folder.
const LockName = "lock"

// ErrLocked says that another process holds the lock.
var ErrLocked = errors.New("another process holds the lock")

// Lock keeps other processes out of a folder, until it is unlocked or the process
// ends, however it ends. The file stays: to remove it would let in two who have
// opened it before and after.
func (f *Folder) Lock() (unlock func(), err error) {
	unlock, err = f.fs.Lock(f.path(LockName))
	if errors.Is(err, ErrLocked) {
		return nil, f.Refuse(LockName, "wait until that ends, or choose another folder", "another dlcheck is at work in this folder")
	}
	return unlock, err
}

// Lock locks a file, which it makes if it is missing.
func (OS) Lock(path string) (unlock func(), err error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	if err := lock(file); err != nil {
		file.Close()
		return nil, err
	}
	return func() { file.Close() }, nil
}
