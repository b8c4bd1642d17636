package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
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
