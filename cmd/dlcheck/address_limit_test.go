//go:build linux && !race

package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestLimitOfAddresses: a limit of the address space ends the search as little memory
// does, and not the process. The race detector has shadow memory for all addresses
// there are, and cannot live under such a limit.
func TestLimitOfAddresses(t *testing.T) {
	cmd := process()
	cmd.Path, cmd.Args = "/bin/sh", append([]string{"sh", "-c", `ulimit -v 2200000; GOMAXPROCS=2 exec "$0" "$@"`, os.Args[0],
		"--json", "--workers", "2", "--time-limit", "10m"}, strings.Fields("--clients 8 --rounds 3 --store claimed --reduce none --property mutual-exclusion")...)
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	var exit *exec.ExitError
	if err := cmd.Run(); !errors.As(err, &exit) || exit.ExitCode() != exitIncomplete || errOut.Len() > 0 || !strings.Contains(out.String(), `"stopped": "out of memory"`) {
		t.Errorf("%v, %.300s", err, errOut.String())
	}
}
