//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"dlcheck/checker"
)

// process prepares dlcheck as a process of its own: this test binary.
func process(args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), "BE_DLCHECK=1")
	return cmd
}

// large takes many minutes.
var large = strings.Fields("--clients 8 --rounds 3 --store claimed,fenced --reduce none --property mutual-exclusion,lease-overlap --memory 2GiB")

func TestInterrupt(t *testing.T) {
	for _, sig := range []os.Signal{syscall.SIGINT, syscall.SIGTERM} {
		cmd := process(large...)
		var out, errOut bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errOut
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(1500 * time.Millisecond) // longer than progress waits
		sent := time.Now()
		if err := cmd.Process.Signal(sig); err != nil {
			t.Fatal(err)
		}
		var exit *exec.ExitError
		if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != exitIncomplete {
			t.Errorf("%v: %v", sig, err)
		}
		if d := time.Since(sent); d > 5*time.Second { // a second, and room for slow machines
			t.Errorf("%v: it took %v to end", sig, d)
		}
		if errOut.Len() > 0 {
			t.Errorf("%v: off a terminal stderr has %q", sig, errOut.String())
		}
		if n := strings.Count(out.String(), "incomplete"); n != 4 || !strings.Contains(out.String(), "interrupted") {
			t.Errorf("%v: %d rows are incomplete\n%s", sig, n, out.String())
		}
	}
}

// TestInterruptLeavesNoCertificate: the search was cut short, and proves nothing.
func TestInterruptLeavesNoCertificate(t *testing.T) {
	dir := t.TempDir()
	args := strings.Fields(strings.Replace(strings.Join(large, " "), "claimed,fenced", "claimed", 1))
	cmd := process(append(args, "--quiet", "--certificate", filepath.Join(dir, "c.cert"))...)
	var errOut bytes.Buffer
	cmd.Stderr = &errOut
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(500 * time.Millisecond)
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != exitIncomplete {
		t.Error(err)
	}
	if names := leaves(t, dir); len(names) != 0 || !strings.Contains(errOut.String(), "No certificate is written: the search was cut short (interrupted).") {
		t.Errorf("it leaves %q, and says %q", names, errOut.String())
	}
}

// TestSecondInterrupt: who presses Ctrl-C twice is not asked to wait, and two signals
// that come together are one.
func TestSecondInterrupt(t *testing.T) {
	c := newCommand(nil, &bytes.Buffer{}, &bytes.Buffer{})
	var did []string
	c.exitNow = func(status int) { did = append(did, fmt.Sprint("exit ", status)) }
	signals, done, ended := make(chan os.Signal), make(chan struct{}), make(chan struct{})
	at := time.Unix(1_800_000_000, 0)
	clock := make(chan time.Time, 1) // what it is when the next signal comes
	go func() {
		c.follow(signals, done, func() { did = append(did, "cancel") }, func() time.Time { return <-clock })
		close(ended)
	}()
	for _, after := range []time.Duration{0, time.Millisecond, sameSignal - 1, sameSignal} {
		clock <- at.Add(after)
		signals <- os.Interrupt
	}
	close(done)
	<-ended
	if want := []string{"cancel", "exit 130"}; !slices.Equal(did, want) {
		t.Errorf("it did %q, want %q", did, want)
	}
}

// TestInterruptIsHeard: a signal to the process cancels the check.
func TestInterruptIsHeard(t *testing.T) {
	c := newCommand(nil, &bytes.Buffer{}, &bytes.Buffer{})
	c.check = func(ctx context.Context, q checker.Question) (*checker.Run, error) {
		if err := syscall.Kill(os.Getpid(), syscall.SIGINT); err != nil {
			t.Error(err)
		}
		<-ctx.Done()
		if context.Cause(ctx) != errInterrupted {
			t.Errorf("the cause is %v", context.Cause(ctx))
		}
		return &checker.Run{Config: q.Config}, nil
	}
	c.run(context.Background(), []string{"--store", "plain"})
}

// TestClosedPipe: when the reader goes away, dlcheck goes too, in silence.
func TestClosedPipe(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	cmd := process("--store", "claimed")
	var errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = w, &errOut
	err = cmd.Run()
	w.Close()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || errOut.Len() > 0 {
		t.Errorf("%v, stderr %q", err, errOut.String())
	}
}

// TestDiskLeavesNothing ends searches on disk in all ways: by themselves is the
// one that other tests try.
func TestDiskLeavesNothing(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGKILL} {
		dir := t.TempDir()
		cmd := process(append(large, "--memory", "4MiB", "--quiet", "--disk", dir)...)
		var out bytes.Buffer
		cmd.Stdout = &out
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		if err := cmd.Process.Signal(sig); err != nil {
			t.Fatal(err)
		}
		var exit *exec.ExitError
		if err := cmd.Wait(); !errors.As(err, &exit) {
			t.Errorf("%v: %v", sig, err)
		} else if killed := exit.ExitCode() < 0; killed != (sig == syscall.SIGKILL) || !killed && (exit.ExitCode() != exitIncomplete || strings.Count(out.String(), "incomplete") != 4) {
			t.Errorf("%v: status %d, %s", sig, exit.ExitCode(), out.String())
		}
		if names := leaves(t, dir); len(names) != 0 {
			t.Errorf("%v leaves %q", sig, names)
		}
	}
}
