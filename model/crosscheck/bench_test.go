//go:build crosscheck

package crosscheck_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"text/tabwriter"
	"time"
)

// BenchmarkBesideSpin lets Spin and dlcheck count the same world, one after the
// other in one run, so that a busy machine is as unkind to both, and prints what
// a state cost each in processor time (user and system, of all threads) and in
// memory (the most that was resident, over the number of states).
//
// Spin is given its best: gcc -O3, no partial order reduction (it would have
// nothing to gain with one process), nothing to judge, and a hash table of 2^20
// slots, about one for each state. The default, 2^24, is as fast in the search
// but costs 128 MiB and the time to have them zeroed; 2^18 is slower.
// dlcheck judges two properties meanwhile.
func BenchmarkBesideSpin(b *testing.B) {
	need(b, "spin", "gcc")
	w := world{store: "claimed", clients: 4, servers: 1, ticks: 30, ttl: 10, rounds: 1, pauses: 1}

	dir := b.TempDir()
	build := exec.CommandContext(b.Context(), "sh", "-c", pan(w, counting, "-O3"))
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s\n%s", err, repeat(pan(w, counting, "-O3")), out)
	}
	dlcheck, err := buildDlcheck(b)
	if err != nil {
		b.Fatal(err)
	}

	var spinCost, dlcheckCost cost
	for b.Loop() {
		out := spinCost.run(b, 0, filepath.Join(dir, "pan"), "-E", "-n", "-w20")
		s, _, err := readSpin(out)
		if err != nil {
			b.Fatal(err)
		}
		out = dlcheckCost.run(b, 1, dlcheck, append(dlcheckArgs(w), "--workers", "1")...) // pan has one thread
		d, err := readDlcheck([]byte(out), w)
		if err != nil {
			b.Fatal(err)
		}
		if d.count != s {
			b.Fatalf("not the same world: spin has %v, dlcheck %v", s, d.count)
		}
		spinCost.states, dlcheckCost.states = s.states, d.states
	}

	b.ReportMetric(spinCost.perSecond(), "spin-states/cpu-s")
	b.ReportMetric(spinCost.bytes(), "spin-B/state")
	b.ReportMetric(dlcheckCost.perSecond(), "dlcheck-states/cpu-s")
	b.ReportMetric(dlcheckCost.bytes(), "dlcheck-B/state")

	fmt.Printf("\n%s, %d states, mean of %d\n", w.name(), spinCost.states, spinCost.runs)
	t := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "\tstates/CPU-s\tbytes/state\tCPU s\telapsed s\t")
	for _, c := range []struct {
		name string
		cost
	}{{"spin -O3", spinCost}, {"dlcheck", dlcheckCost}} {
		n := time.Duration(c.runs)
		fmt.Fprintf(t, "%s\t%.0f\t%.1f\t%.2f\t%.2f\t\n", c.name, c.perSecond(), c.bytes(),
			(c.cpu / n).Seconds(), (c.elapsed / n).Seconds())
	}
	fmt.Fprintf(t, "dlcheck / spin\t%.2f\t%.2f\t%.2f\t%.2f\t\n",
		dlcheckCost.perSecond()/spinCost.perSecond(), dlcheckCost.bytes()/spinCost.bytes(),
		dlcheckCost.cpu.Seconds()/spinCost.cpu.Seconds(), dlcheckCost.elapsed.Seconds()/spinCost.elapsed.Seconds())
	if err := t.Flush(); err != nil {
		b.Fatal(err)
	}
}

// A cost is what several runs of one program took.
type cost struct {
	runs    int
	states  int // of one run
	cpu     time.Duration
	elapsed time.Duration
	rss     int64 // bytes, of the largest run
}

func (c *cost) perSecond() float64 { return float64(c.states*c.runs) / c.cpu.Seconds() }
func (c *cost) bytes() float64     { return float64(c.rss) / float64(c.states) }

// run runs the program once and adds what it took. The kernel counts a child as
// never smaller than the process it was forked from, here a few tens of MB of
// this test: below that, rss says nothing.
func (c *cost) run(b *testing.B, mayExit int, program string, args ...string) string {
	cmd := exec.CommandContext(b.Context(), program, args...)
	cmd.Dir = b.TempDir()
	began := time.Now()
	out, err := cmd.Output()
	c.elapsed += time.Since(began)
	if err != nil && cmd.ProcessState.ExitCode() != mayExit {
		b.Fatalf("%s: %v\n%s", program, err, out)
	}
	usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		b.Fatalf("no resource usage on %s", runtime.GOOS)
	}
	c.runs++
	c.cpu += cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	c.rss = max(c.rss, usage.Maxrss*1024) // Linux counts in kB
	return string(out)
}
