package checkpoint

import (
	"errors"
	"os"
	"path/filepath"
)

// LockName is the file that the process holds which writes to a folder.
const LockName = "lock"

// errHeld says that another process holds the lock.
var errHeld = errors.New("held")

// Lock keeps other processes out of a folder, until it is unlocked or the process
// ends, however it ends. The file stays: to remove it would let in two who have
// opened it before and after.
func (f *Folder) Lock() (unlock func(), err error) {
	file, err := os.OpenFile(filepath.Join(f.Path, LockName), os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	if err := lock(file); err != nil {
		file.Close()
		if errors.Is(err, errHeld) {
			return nil, f.Refuse(LockName, "wait until that ends, or choose another folder", "another dlcheck is at work in this folder")
		}
		return nil, err
	}
	return func() { file.Close() }, nil
}
