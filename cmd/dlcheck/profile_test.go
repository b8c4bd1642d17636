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

// TestAnswerIsNotKeptBack: what cannot be written beside the answer is no reason to
// keep that back, in any form.
func TestAnswerIsNotKeptBack(t *testing.T) {
	dir := t.TempDir()
	// A directory stands where a file should go: the rename fails.
	for _, name := range []string{"cpu.pprof", "plain-lost-update.json"} {
		if err := os.MkdirAll(filepath.Join(dir, name, "x"), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for _, flag := range []string{"--profile", "--trace-dir"} {
		for form, want := range map[string]string{
			"":        "Exit status 2.",
			"--quiet": "plain  lost-update  VIOLATED",
			"--json":  `"exit_status": 2`,
		} {
			args := []string{"--store", "plain", "--property", "lost-update", flag, dir}
			if form != "" {
				args = append(args, form)
			}
			r := dlcheck(args...)
			if r.status != exitUsage || !strings.Contains(r.out, want) || !strings.HasPrefix(r.errOut, "dlcheck: "+flag+": ") || strings.Count(r.errOut, "\n") != 1 {
				t.Errorf("%s %s: exit status %d, and it prints\n%s%s", flag, form, r.status, r.out, r.errOut)
			}
		}
	}
}

// TestNoPlaceForWhatIsWritten: it is said before the search.
func TestNoPlaceForWhatIsWritten(t *testing.T) {
	if _, err := os.Stat("/proc/self"); err != nil {
		return // no folder in which nobody can make a file
	}
	for _, flag := range []string{"--profile", "--trace-dir"} {
		r := dlcheck("--store", "claimed", "--quiet", flag, "/proc/self")
		if r.status != exitUsage || r.out != "" || !strings.HasPrefix(r.errOut, "dlcheck: "+flag+": no file can be made in /proc/self: ") {
			t.Errorf("exit status %d, and it prints\n%s%s", r.status, r.out, r.errOut)
		}
	}
}
