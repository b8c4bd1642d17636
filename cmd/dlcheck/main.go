// Command dlcheck explores every schedule of clients that share a store under
// a lease, and says which promises hold, which break, and how.
//
// This package is the conversation with the user: flags, tables, exit
// statuses. It knows no rule of locks; it asks package checker a question per
// store and prints the answers. It is the only package that imports cobra and
// pflag.
package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"dlcheck/checker"
)

func main() {
	os.Exit(run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is the whole command with everything it touches handed in, so that
// tests can be the user. It gives the exit status.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return newCommand(stdin, stdout, stderr).run(ctx, args)
}

// The exit statuses; the help of the root command explains them.
const (
	exitHolds      = 0
	exitViolated   = 1
	exitUsage      = 2
	exitIncomplete = 3
)

// command is one call of dlcheck.
type command struct {
	stdin      io.Reader
	stdout     *stickyWriter
	stderr     io.Writer
	colours    palette
	progressOn bool
	check      func(context.Context, checker.Question) (*checker.Run, error)
	version    string
	status     int
	options    options
	flagGroups []flagGroup
	exitNow    func(status int)
}

func newCommand(stdin io.Reader, stdout, stderr io.Writer) *command {
	return &command{
		stdin: stdin, stdout: &stickyWriter{w: stdout}, stderr: stderr,
		colours:    palette{on: isTerminal(stdout) && coloursWanted()},
		progressOn: isTerminal(stderr),
		check:      checker.Check,
		version:    version(),
		exitNow:    os.Exit,
	}
}

func (c *command) run(ctx context.Context, args []string) int {
	root := c.root()
	root.SetArgs(append([]string{}, args...)) // of nil cobra makes os.Args
	err := root.ExecuteContext(ctx)
	if c.stdout.err != nil {
		err = fmt.Errorf("the output cannot be written: %w", c.stdout.err)
	}
	if err != nil {
		fmt.Fprintf(c.stderr, "dlcheck: %s\n", shortened(oneLine(err.Error())))
		return exitUsage
	}
	return c.status
}

// stickyWriter remembers its first error, so that whoever prints need not
// look at each write: a full disk is reported once, at the end. (A reader
// that went away, as in "dlcheck | head", ends the process by SIGPIPE, as it
// does other Unix commands.)
type stickyWriter struct {
	w   io.Writer
	err error
}

func (s *stickyWriter) Write(p []byte) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	n, err := s.w.Write(p)
	s.err = err
	return n, err
}
