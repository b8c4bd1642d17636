package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestDevFull(t *testing.T) {
	disk, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer disk.Close()
	cmd := process("--store", "claimed")
	var errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = disk, &errOut
	var exit *exec.ExitError
	if err := cmd.Run(); !errors.As(err, &exit) || exit.ExitCode() != exitUsage || strings.Count(errOut.String(), "\n") != 1 {
		t.Errorf("%v, stderr %q", err, errOut.String())
	}
}

// TestCertificateOnFullDisk: a shell lets no file grow past its limit, as a disk
// that is full would not.
func TestCertificateOnFullDisk(t *testing.T) {
	dir := t.TempDir()
	cmd := process()
	cmd.Path, cmd.Args = "/bin/sh", []string{"sh", "-c", `ulimit -f 1; trap "" XFSZ; exec "$0" "$@"`, os.Args[0],
		"--store", "claimed", "--reduce", "none", "--property", "lost-update", "--certificate", filepath.Join(dir, "c.cert")}
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	var exit *exec.ExitError
	if err := cmd.Run(); !errors.As(err, &exit) || exit.ExitCode() != exitUsage || !strings.Contains(errOut.String(), "the certificate cannot be written") {
		t.Errorf("%v, stderr %q", err, errOut.String())
	}
	if !strings.Contains(out.String(), "claimed: the promise kept to tick 30.") {
		t.Errorf("the verdict is not said:\n%s", &out)
	}
	if names := leaves(t, dir); len(names) != 0 {
		t.Errorf("it leaves %q", names)
	}
}

// TestDiskIsFull: what was found before stands, and the rest is incomplete.
func TestDiskIsFull(t *testing.T) {
	dir := t.TempDir()
	cmd := process()
	cmd.Path, cmd.Args = "/bin/sh", []string{"sh", "-c", `ulimit -f 200; trap "" XFSZ; exec "$0" "$@"`, os.Args[0],
		"--store", "fenced", "--clients", "3", "--rounds", "2", "--reduce", "none", "--property", "lost-update,mutual-exclusion", "--memory", "1MiB", "--workers", "1", "--disk", dir}
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	var exit *exec.ExitError
	if err := cmd.Run(); !errors.As(err, &exit) || exit.ExitCode() != exitViolated || errOut.Len() > 0 {
		t.Errorf("%v, %s", err, errOut.String())
	}
	for _, want := range []string{"VIOLATED", "incomplete", "out of disk space", "no room is left in " + dir} {
		if !strings.Contains(strings.Join(strings.Fields(out.String()), " "), want) {
			t.Errorf("it does not say %q:\n%s", want, out.String())
		}
	}
	if names := leaves(t, dir); len(names) != 0 {
		t.Errorf("it leaves %q", names)
	}
}

// TestCheckpointOnFullDisk: the search goes on, says so, and has its answer.
func TestCheckpointOnFullDisk(t *testing.T) {
	for _, mode := range []string{"--quiet", "--json"} {
		dir := filepath.Join(t.TempDir(), "run")
		cmd := process()
		// The question fits into four blocks of 512 bytes, and the states do not.
		cmd.Path, cmd.Args = "/bin/sh", []string{"sh", "-c", `ulimit -f 4; trap "" XFSZ; exec "$0" "$@"`, os.Args[0],
			"--store", "claimed", "--reduce", "none", "--property", "lost-update", "--checkpoint", dir, "--checkpoint-every", "0", mode}
		var out, errOut bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errOut
		if err := cmd.Run(); err != nil {
			t.Errorf("%s: %v", mode, err)
		}
		lines := strings.Split(errOut.String(), "\n")
		if len(lines) != 3 || !strings.HasPrefix(lines[0], "dlcheck: note: the checkpoint in "+dir+" could not be saved (") ||
			!strings.Contains(lines[0], "file too large); the search goes on, and saving is tried again") ||
			!strings.Contains(lines[1], ": saving in "+dir+" failed ") {
			t.Errorf("%s: stderr %q", mode, errOut.String())
		}
		if mode == "--json" != strings.Contains(out.String(), "saving in "+dir+" failed ") || !strings.Contains(out.String(), "holds") {
			t.Errorf("%s: %s", mode, out.String())
		}
	}
}
