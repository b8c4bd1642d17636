//go:build crosscheck

package crosscheck_test

import (
	"fmt"
	"os/exec"
	"runtime"
	"syscall"
	"testing"
	"time"
)

// A program is one side of a comparison: a process that is run some times, in
// turns with the others.
type program struct {
	command []string
	mayExit int  // beside 0
	once    bool // it takes a minute or more: the first turn alone
	// limit is how much processor time the program may take; 0 is all it likes.
	limit time.Duration
	// check reads the output and says what is wrong with it.
	check func(output string) error

	runs     int
	cpu      time.Duration // user and system, of all threads: of the best run
	elapsed  time.Duration // of the best run
	rss      int64         // bytes: of the largest run
	timedOut bool
}

// turn runs the program once. The best of several runs is what it can do: all that
// a busy machine does is to make it slower, in processor time too, as caches and
// cores are shared.
//
// The kernel counts a child as never smaller than the process it was forked from,
// here a few tens of MB of this test: below that, rss says nothing.
func (p *program) turn(b *testing.B) {
	command := p.command
	if p.limit > 0 {
		command = append([]string{"sh", "-c", fmt.Sprintf(`ulimit -t %.0f && exec "$0" "$@"`, p.limit.Seconds())}, command...)
	}
	cmd := exec.CommandContext(b.Context(), command[0], command[1:]...)
	cmd.Dir = b.TempDir()
	began := time.Now()
	out, err := cmd.Output()
	elapsed := time.Since(began)
	if cmd.ProcessState == nil {
		b.Fatalf("%q: %v", command, err)
	}
	cpu := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	// The kernel kills it by a clock that is a little other than the one it reports.
	p.timedOut = p.limit > 0 && cmd.ProcessState.ExitCode() == -1 && cpu > p.limit/2
	if err != nil && cmd.ProcessState.ExitCode() == p.mayExit {
		err = nil
	}
	if err == nil {
		err = p.check(string(out))
	}
	if err != nil && !p.timedOut {
		b.Fatalf("%q: %v\n%s", command, err, out)
	}
	usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		b.Fatalf("no resource usage on %s", runtime.GOOS)
	}
	if p.runs == 0 {
		p.cpu, p.elapsed = cpu, elapsed
	}
	p.runs++
	p.cpu, p.elapsed = min(p.cpu, cpu), min(p.elapsed, elapsed)
	p.rss = max(p.rss, usage.Maxrss*1024) // Linux counts in kB
}

// perSecond is how many of n states a second of processor time is good for.
func (p *program) perSecond(n int) float64 { return float64(n) / p.cpu.Seconds() }

// bytes is what one of n states takes of memory, beyond what any process takes.
func (p *program) bytes(n int) float64 { return float64(p.rss-anyProcess) / float64(n) }

// anyProcess is what is taken off the memory of each process: its code, its
// runtime, and buffers that do not grow.
const anyProcess = 32 << 20
