package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestProfile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	r := dlcheck("--store", "claimed", "--profile", dir)
	if r.status != exitHolds || !strings.Contains(r.out, "cpu.pprof shows where the time went") {
		t.Errorf("exit status %d, and it prints\n%s%s", r.status, r.out, r.errOut)
	}
	for _, name := range []string{"cpu.pprof", "heap.pprof"} {
		// A profile is a compressed message; go tool pprof reads it.
		if b, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !bytes.HasPrefix(b, []byte{0x1f, 0x8b}) {
			t.Errorf("%s: %v, %d bytes", name, err, len(b))
		}
	}
	r = dlcheck("--store", "claimed", "--profile", filepath.Join(dir, "cpu.pprof"))
	if r.status != exitUsage || !strings.HasPrefix(r.errOut, "dlcheck: --profile: ") {
		t.Errorf("a file for a directory: exit status %d and %s", r.status, r.errOut)
	}
}
