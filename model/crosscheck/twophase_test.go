//go:build crosscheck

package crosscheck_test

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
)

// TestTwoPhase has Spin count two-phase commit, which the explorer is tested and
// measured on: it must be the same system.
func TestTwoPhase(t *testing.T) {
	need(t, "spin", "gcc")
	explore := testBinary(t, "explore")
	for rms := 3; rms <= 6; rms++ {
		t.Run(fmt.Sprint("rms=", rms), func(t *testing.T) {
			t.Parallel()
			command := twoPhasePan(rms, "-O1") + " && ./pan -E -n"
			spun := exec.CommandContext(t.Context(), "sh", "-c", command)
			spun.Dir = t.TempDir()
			out, err := spun.CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s\n%s", err, repeat(command), out)
			}
			want, _, err := readSpin(string(out))
			if err != nil {
				t.Fatalf("%v\n%s\n%s", err, repeat(command), out)
			}
			out, err = exec.CommandContext(t.Context(), explore, onlyBenchmark("TwoPhase", fmt.Sprint("rms=", rms), "workers=1")...).CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			got, err := readBenchmark(string(out))
			if err != nil {
				t.Fatal(err)
			}
			if got != want {
				t.Errorf("the explorer has %v, spin %v\n%s", got, want, repeat(command))
			}
		})
	}
}

// twoPhasePan is the command that makes ./pan for two-phase commit.
func twoPhasePan(rms int, gccFlags string) string {
	return fmt.Sprintf("cp %s . && spin -o2 -a -DRMS=%d twophase.pml && gcc %s -DSAFETY -DNOREDUCE -o pan pan.c",
		here("twophase.pml"), rms, gccFlags)
}

// testBinary builds the tests of a package of this module, whose benchmarks are
// then processes of their own.
func testBinary(tb testing.TB, pkg string) string {
	tb.Helper()
	bin := filepath.Join(tb.TempDir(), pkg+".test")
	build := exec.CommandContext(tb.Context(), "go", "test", "-c", "-o", bin, "./"+pkg)
	build.Dir = here("../..")
	if out, err := build.CombinedOutput(); err != nil {
		tb.Fatalf("go test -c ./%s: %v\n%s", pkg, err, out)
	}
	return bin
}

// onlyBenchmark has a test binary run one benchmark, once.
func onlyBenchmark(name string, sub ...string) []string {
	pattern := "^Benchmark" + name + "$"
	for _, s := range sub {
		pattern += "/^" + s + "$"
	}
	return []string{"-test.run=^$", "-test.bench=" + pattern, "-test.benchtime=1x"}
}

// readBenchmark reads the count that a benchmark reports.
func readBenchmark(output string) (count, error) {
	states, err := metric(output, "states")
	if err != nil {
		return count{}, err
	}
	transitions, err := metric(output, "transitions")
	return count{int(states), int(transitions)}, err
}

// metric reads what a benchmark reports in some unit.
func metric(output, unit string) (float64, error) {
	m := regexp.MustCompile(`(?m)\s([\d.e+-]+) ` + regexp.QuoteMeta(unit) + `(\s|$)`).FindStringSubmatch(output)
	if m == nil {
		return 0, fmt.Errorf("no benchmark reports %s:\n%s", unit, output)
	}
	return strconv.ParseFloat(m[1], 64)
}
