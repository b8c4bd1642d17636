package disk

import (
	"os"
	"syscall"
)

// tmpFile is O_TMPFILE of open(2), which the syscall package does not have.
const tmpFile = 0x400000 | syscall.O_DIRECTORY

// nameless makes a file in a folder that never has a name, so that nothing is left
// of it whenever the process is killed. Not every file system can.
func nameless(dir string) (*os.File, error) {
	return os.OpenFile(dir, os.O_RDWR|tmpFile, 0o600)
}
