package disk

import (
	"os"

	"golang.org/x/sys/unix"
)

// nameless makes a file in a folder that never has a name, so that nothing is left
// of it whenever the process is killed. Not every file system can.
func nameless(dir string) (*os.File, error) {
	return os.OpenFile(dir, os.O_RDWR|unix.O_TMPFILE, 0o600)
}
