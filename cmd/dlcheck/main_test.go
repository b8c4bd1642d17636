package main

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dlcheck/checker"
)

var update = flag.Bool("update", false, "rewrite the golden files under testdata")

// TestMain lets the test binary be dlcheck, for tests that need a process.
func TestMain(m *testing.M) {
	if os.Getenv("BE_DLCHECK") != "" {
		main()
	}
	os.Exit(m.Run())
}

// call is what a user sees of one call of dlcheck.
type call struct {
	status      int
	out, errOut string
}

// dlcheck calls the command in this process.
func dlcheck(args ...string) call { return dlcheckWith(checker.Check, "", args...) }

type checkFunc = func(context.Context, checker.Question) (*checker.Run, error)

func dlcheckWith(check checkFunc, stdin string, args ...string) call {
	var out, errOut bytes.Buffer
	c := newCommand(strings.NewReader(stdin), &out, &errOut)
	c.check = check
	c.version = "v0, a test"
	status := c.run(context.Background(), args)
	return call{status, out.String(), errOut.String()}
}

// untimed is checker.Check without what differs from run to run.
func untimed(ctx context.Context, q checker.Question) (*checker.Run, error) {
	run, err := checker.Check(ctx, q)
	if err == nil {
		run.Elapsed = 0 * time.Second
		run.PeakBytes = 0
	}
	return run, err
}

// golden compares with a file under testdata, or rewrites it.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s is out of date; go test ./cmd/dlcheck -update rewrites it.\ngot:\n%s\nwant:\n%s", path, got, want)
	}
}

// tidy checks what is true of everything that is printed off a terminal.
func tidy(t *testing.T, text string) {
	t.Helper()
	for i, line := range strings.Split(text, "\n") {
		switch {
		case len(line) > width:
			t.Errorf("line %d has %d columns: %q", i+1, len(line), line)
		case strings.TrimRight(line, " \t") != line:
			t.Errorf("line %d ends in blanks: %q", i+1, line)
		}
		for _, r := range line {
			if r < ' ' || r > '~' {
				t.Errorf("line %d has %q: %q", i+1, r, line)
			}
		}
	}
}
