//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package checkpoint

import "os"

// lock holds nothing here: who starts two searches in one folder is not warned.
func lock(*os.File) error { return nil }
