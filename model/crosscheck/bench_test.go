//go:build crosscheck

package crosscheck_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"text/tabwriter"
	"time"
)

// BenchmarkBeside lets dlcheck, Spin and Rumur do the same work on the same
// machine, taking turns, so that a busy machine is as unkind to all, and prints
// one table: what each can do, the ratio, and the ratio that was aimed at.
//
//	go test -tags crosscheck -run '^$' -bench Beside -benchtime 3x -timeout 40m ./model/crosscheck
//
// There are as many turns as -benchtime says, and some more of what is short; what
// takes a minute or more is run in the first alone. Each run is checked: who counts other states fails.
//
// Spin is given its best: gcc -O3, no partial order reduction (it would have
// nothing to gain with one process), nothing to judge, and a hash table of about
// one slot for each state. Larger ones are as fast in the search, but cost memory
// and the time to have it zeroed; smaller ones are slower. Without its checks of
// array bounds, or with states stored as they are (-DNOBOUNDCHECK, -DNOCOMP), it
// is not measurably faster. dlcheck judges three properties meanwhile.
func BenchmarkBeside(b *testing.B) {
	need(b, "spin", "rumur", "gcc", "sed")
	dlcheck, err := buildDlcheck(b)
	if err != nil {
		b.Fatal(err)
	}
	m := &meeting{dlcheck: dlcheck, explore: testBinary(b, "explore"), checker: testBinary(b, "checker")}
	m.hold(b, "core", func(b *testing.B) *contest {
		return m.core(b, world{store: "claimed", clients: 4, servers: 1, ticks: 30, ttl: 10, rounds: 1, pauses: 1}, 20, 5)
	})
	m.hold(b, "core-rounds", func(b *testing.B) *contest {
		return m.core(b, world{store: "claimed", clients: 3, servers: 1, ticks: 20, ttl: 4, rounds: 2, pauses: 2}, 21, 5)
	})
	m.hold(b, "core-large", func(b *testing.B) *contest {
		return m.core(b, world{store: "claimed", clients: 4, servers: 1, ticks: 42, ttl: 10, rounds: 1, pauses: 1}, 23, 2)
	})
	m.hold(b, "two-phase", func(b *testing.B) *contest { return m.twoPhase(b, 9, 23) })
	m.hold(b, "two-phase-alone", func(*testing.B) *contest { return m.twoPhaseAlone(10, 61_515_776) })
	for clients := 4; clients <= 6; clients++ {
		m.hold(b, fmt.Sprintf("proof-%d", clients), func(b *testing.B) *contest { return m.proof(b, clients) })
	}
	m.hold(b, "disk", func(*testing.B) *contest { return m.onDisk() })
	m.hold(b, "steps", func(*testing.B) *contest { return m.steps() })
	if err := m.print(b); err != nil {
		b.Fatal(err)
	}
}

// A meeting is all that is measured in one run.
type meeting struct {
	dlcheck, explore, checker string // programs
	contests                  []*contest
	turns                     int
	compiled                  []string // what was compiled, and how long that took
}

// A contest is some programs that do the same work.
type contest struct {
	programs []*program
	times    int // in each turn, as they are short; 0 is one
	lines    func() (title string, lines []line)
}

// hold lets the programs of a contest take turns, as a benchmark of its own:
// -bench 'Beside/^core$' is that alone.
func (m *meeting) hold(b *testing.B, name string, make func(*testing.B) *contest) {
	b.Run(name, func(b *testing.B) {
		c := make(b)
		for turn := 0; b.Loop(); turn++ {
			for range max(1, c.times) {
				for _, p := range c.programs {
					if turn == 0 || !p.once {
						p.turn(b)
					}
				}
			}
		}
		m.turns = b.N
		m.contests = append(m.contests, c)
	})
}

// A line of the table.
type line struct {
	what, ours, theirs string
	ratio              float64 // 0: none
	more               bool    // the ratio is more than that
	target             string
	reached            bool
}

// faster is a line on how much of something each does in the same time.
func faster(what string, ours, theirs, target float64) line {
	r := ours / theirs
	return line{what, millions(ours), millions(theirs), r, false, fmt.Sprintf("at least %g x", target), r >= target}
}

// smaller is a line on bytes, of which ours should be few.
func smaller(what string, ours, theirs, target float64) line {
	return line{what, fmt.Sprintf("%.1f B", ours), fmt.Sprintf("%.1f B", theirs), ours / theirs, false,
		fmt.Sprintf("at most %g B", target), ours <= target}
}

// sooner is a line on how long each takes for the same.
func sooner(what string, ours, theirs time.Duration, more bool, target float64) line {
	l := line{what: what, ours: seconds(ours), theirs: seconds(theirs), target: fmt.Sprintf("at least %g x", target)}
	l.ratio, l.more = theirs.Seconds()/ours.Seconds(), more
	if l.more {
		l.theirs = "over " + l.theirs
	}
	l.reached = l.ratio >= target
	return l
}

// extra is a line that has no target.
func extra(what string, ours, theirs time.Duration) line {
	return line{what: what, ours: seconds(ours), theirs: seconds(theirs), ratio: theirs.Seconds() / ours.Seconds()}
}

func millions(x float64) string      { return fmt.Sprintf("%.2f M/s", x/1e6) }
func seconds(d time.Duration) string { return fmt.Sprintf("%.2f s", d.Seconds()) }
func (w world) title() string {
	return fmt.Sprintf("core, %d clients, %s ticks", w.clients, w.ticksText())
}

// compile makes a foreign checker in a directory of its own, which it returns.
func (m *meeting) compile(b *testing.B, what, command string) (dir string) {
	dir = b.TempDir()
	build := exec.CommandContext(b.Context(), "sh", "-c", command)
	build.Dir = dir
	began := time.Now()
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s\n%s", err, repeat(command), out)
	}
	m.compiled = append(m.compiled, fmt.Sprintf("%s %.1f s", what, time.Since(began).Seconds()))
	return dir
}

// core counts the core system as the rules write it, and compares two workers
// with one, so many times each turn. Spin has a table of 2^slots.
func (m *meeting) core(b *testing.B, w world, slots, times int) *contest {
	var counted count
	dir := m.compile(b, "spin, "+w.title(), pan(w, counting, "-O3"))
	spin := &program{
		command: []string{filepath.Join(dir, "pan"), "-E", "-n", fmt.Sprint("-w", slots), "-m1000000"},
		check: func(out string) (err error) {
			counted, _, err = readSpin(out)
			return err
		},
	}
	workers := func(n string) *program {
		return &program{
			command: append(append([]string{m.dlcheck}, dlcheckArgs(w)...), "--workers", n),
			mayExit: 1,
			check: func(out string) error {
				d, err := readDlcheck([]byte(out), w)
				if err == nil && d.count != counted {
					err = fmt.Errorf("not the same world: spin has %v", counted)
				}
				return err
			},
		}
	}
	one, two := workers("1"), workers("2")
	c := &contest{programs: []*program{spin, one, two}, times: times}
	c.lines = func() (string, []line) {
		n := counted.states
		return fmt.Sprintf("%s: %s states", w.title(), grouped(n)), []line{
			faster("states in a CPU-second, beside Spin", one.perSecond(n), spin.perSecond(n), 4),
			smaller("memory of a state, beside Spin", one.bytes(n), spin.bytes(n), 24),
			sooner("elapsed, two workers beside one", two.elapsed, one.elapsed, false, 1.7),
			extra("CPU, two workers beside one", two.cpu, one.cpu),
		}
	}
	return c
}

// twoPhase counts two-phase commit with the explorer, in memory and with the
// search on disk that has memory enough.
func (m *meeting) twoPhase(b *testing.B, rms, slots int) *contest {
	states := 0
	dir := m.compile(b, fmt.Sprintf("spin, two-phase commit, N = %d", rms), twoPhasePan(rms, "-O3"))
	spin := &program{
		command: []string{filepath.Join(dir, "pan"), "-E", "-n", fmt.Sprint("-w", slots), "-m1000000"},
		check: func(out string) (err error) {
			if strings.Contains(out, "too small") || !strings.Contains(out, "errors: 0") {
				return errors.New("pan's search is not complete")
			}
			states, err = number(panStates, out) // transitions are printed to eight figures only
			return err
		},
	}
	explorer := func(name string, sub ...string) *program {
		return m.explorer(&states, name, append([]string{fmt.Sprint("rms=", rms)}, sub...)...)
	}
	one, two := explorer("TwoPhase", "workers=1"), explorer("TwoPhase", "workers=2")
	sorted := explorer("OnDisk", "MiB=1024", "workers=1")
	c := &contest{programs: []*program{spin, one, sorted, two}}
	c.lines = func() (string, []line) {
		return fmt.Sprintf("two-phase commit, N = %d: %s states", rms, grouped(states)), []line{
			faster("states in a CPU-second, beside Spin", one.perSecond(states), spin.perSecond(states), 4),
			faster("the same with --disk's search, all in memory", sorted.perSecond(states), spin.perSecond(states), 4),
			smaller("memory of a state, beside Spin", one.bytes(states), spin.bytes(states), 24),
			smaller("the same with --disk's search, all in memory", sorted.bytes(states), spin.bytes(states), 24),
			sooner("elapsed, two workers beside one", two.elapsed, one.elapsed, false, 1.7),
			extra("CPU, two workers beside one", two.cpu, one.cpu),
		}
	}
	return c
}

// explorer is a benchmark of the explorer's tests as a program, which must see so
// many states.
func (m *meeting) explorer(states *int, name string, sub ...string) *program {
	return &program{
		command: append([]string{m.explore}, onlyBenchmark(name, sub...)...),
		check: func(out string) error {
			c, err := readBenchmark(out)
			if err == nil && c.states != *states {
				err = fmt.Errorf("%d states, and it should be %d", c.states, *states)
			}
			return err
		},
	}
}

// twoPhaseAlone counts a two-phase commit of which Stateright has published the
// count.
func (m *meeting) twoPhaseAlone(rms, published int) *contest {
	table := m.explorer(&published, "TwoPhase", fmt.Sprint("rms=", rms), "workers=2")
	sorted := m.explorer(&published, "OnDisk", fmt.Sprint("rms=", rms), "MiB=1024", "workers=2")
	table.once, sorted.once = true, true
	c := &contest{programs: []*program{table, sorted}}
	c.lines = func() (string, []line) {
		n := grouped(published)
		return fmt.Sprintf("two-phase commit, N = %d, two workers", rms), []line{
			{what: "states, beside what Stateright has published", ours: n, theirs: n, ratio: 1, target: "the same", reached: true},
			extra("elapsed, beside --disk's search, all in memory", table.elapsed, sorted.elapsed),
			extra("CPU, beside --disk's search, all in memory", table.cpu, sorted.cpu),
		}
	}
	return c
}

// rumurLimit is how much processor time Rumur may take for a proof.
const rumurLimit = time.Minute

// proof asks for a proof without a horizon, with one thread each: Rumur may take
// clients for one another, dlcheck may use all of its reductions. What is compared
// is processor time, which is that of one thread: Rumur has one turn where it needs
// minutes, and the machine may have other work just then.
func (m *meeting) proof(b *testing.B, clients int) *contest {
	w := world{store: "claimed", clients: clients, servers: 1, ticks: unlimited, ttl: 10, rounds: 1, pauses: 1}
	ours := &program{
		command: []string{m.dlcheck, "--json", "--store", w.store, "--clients", strconv.Itoa(clients), "--ticks", "unlimited",
			"--property", staleOverwrite, "--workers", "1"},
		check: func(out string) error {
			var r report
			if err := json.Unmarshal([]byte(out), &r); err != nil {
				return err
			}
			if len(r.Runs) != 1 || len(r.Runs[0].Verdicts) != 1 || r.Runs[0].Verdicts[0].Verdict != "holds" {
				return errors.New("it does not say that it holds")
			}
			return nil
		},
	}
	c := &contest{programs: []*program{ours}}
	theirs := map[string]*program{}
	symmetries := []string{"heuristic", "exhaustive"}
	for _, symmetry := range symmetries {
		dir := m.compile(b, fmt.Sprintf("rumur, %s, %d clients", symmetry, clients), murphi(w, staleOverwrite, symmetry, "-O3"))
		theirs[symmetry] = &program{
			command: []string{filepath.Join(dir, "m")}, once: clients > 4, limit: rumurLimit,
			check: func(out string) error {
				_, t, err := readRumur(out)
				if err == nil && t != (trace{}) {
					err = errors.New("it does not say that it holds")
				}
				return err
			},
		}
		c.programs = append(c.programs, theirs[symmetry])
	}
	c.lines = func() (string, []line) {
		var all []line
		for _, symmetry := range symmetries {
			all = append(all, sooner("CPU, beside Rumur with its "+symmetry+" symmetry",
				ours.cpu, theirs[symmetry].cpu, theirs[symmetry].timedOut, 50))
		}
		return fmt.Sprintf("proof without a horizon, %d clients", clients), all
	}
	return c
}

// onDisk fills a disk with states of two words, and says how many there would be
// in 20 GiB.
func (m *meeting) onDisk() *contest {
	const ticks, states = 42, 48_940_425
	var bits, disk int
	p := &program{
		command: []string{m.dlcheck, "--json", "--store", "claimed", "--clients", "5", "--ticks", strconv.Itoa(ticks), "--reduce", "none",
			"--property", lostUpdate, "--disk", ".", "--memory", "64MiB"},
		once: true,
		check: func(out string) error {
			var r struct {
				Runs []struct {
					States        int
					StateBits     int `json:"state_bits"`
					PeakDiskBytes int `json:"peak_disk_bytes"`
				}
			}
			if err := json.Unmarshal([]byte(out), &r); err != nil {
				return err
			}
			if len(r.Runs) != 1 || r.Runs[0].States != states {
				return fmt.Errorf("it has not the %d states that it should", states)
			}
			bits, disk = r.Runs[0].StateBits, r.Runs[0].PeakDiskBytes
			return nil
		},
	}
	c := &contest{programs: []*program{p}}
	c.lines = func() (string, []line) {
		each := float64(int64(disk)+p.rss) / states
		room := 20 * float64(1<<30) / each
		return fmt.Sprintf("on disk, 5 clients, %d ticks: %s states of %d bits", ticks, grouped(states), bits), []line{
			{what: "memory and disk of a state", ours: fmt.Sprintf("%.1f B", each)},
			{what: "states in 20 GiB at that rate", ours: grouped(int(room)), target: "at least 1,000,000,000", reached: room >= 1e9},
		}
	}
	return c
}

// steps asks what of a search is the visited set, and what is allocated to take
// steps.
func (m *meeting) steps() *contest {
	best := map[string]float64{}
	p := &program{
		command: append([]string{m.checker}, onlyBenchmark("Shares")...),
		check: func(out string) error {
			for _, unit := range []string{"visited-share", "allocs/state", "ns/step"} {
				x, err := metric(out, unit)
				if err != nil {
					return err
				}
				if old, any := best[unit]; !any || x < old {
					best[unit] = x
				}
			}
			return nil
		},
	}
	c := &contest{programs: []*program{p}, times: 3}
	c.lines = func() (string, []line) {
		allocs := best["allocs/state"]
		return "steps, core, 4 clients, 30 ticks", []line{
			{what: "allocations for the steps of a state", ours: fmt.Sprintf("%.4f", allocs), target: "0, but for tables", reached: allocs < 0.001},
			{what: "time for a step", ours: fmt.Sprintf("%.0f ns", best["ns/step"])},
			{what: "share of the visited set in a search", ours: fmt.Sprintf("%.0f %%", 100*best["visited-share"])},
		}
	}
	return c
}

func (m *meeting) print(b *testing.B) error {
	var text strings.Builder
	t := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "\tdlcheck\tbeside it\tratio\ttarget\treached")
	for _, c := range m.contests {
		title, lines := c.lines()
		fmt.Fprintf(t, "%s\t\t\t\t\t\n", title)
		for _, l := range lines {
			ratio, reached := "", ""
			if l.ratio != 0 {
				ratio = fmt.Sprintf("%.2f", l.ratio)
			}
			if l.more {
				ratio = "over " + ratio
			}
			if l.target != "" {
				reached = "no"
			}
			if l.reached {
				reached = "yes"
			}
			fmt.Fprintf(t, "  %s\t%s\t%s\t%s\t%s\t%s\n", l.what, l.ours, l.theirs, ratio, l.target, reached)
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Printf("\n%d cores, %s/%s, %s; %s; %s; turns: %d\n\n", runtime.NumCPU(), runtime.GOOS, runtime.GOARCH,
		runtime.Version(), firstLine(b, "spin", "-V"), firstLine(b, "rumur", "--version"), m.turns)
	for l := range strings.Lines(text.String()) {
		fmt.Println(strings.TrimRight(l, " \n"))
	}
	fmt.Printf("\nMemory is the peak of a process less %d MiB. Compiled before, and not counted:\n  %s\n\n",
		anyProcess>>20, strings.Join(m.compiled, "\n  "))
	return nil
}

func firstLine(b *testing.B, program ...string) string {
	out, err := exec.CommandContext(b.Context(), program[0], program[1:]...).CombinedOutput()
	if err != nil && len(out) == 0 {
		b.Fatal(program, err)
	}
	line, _, _ := strings.Cut(string(out), "\n")
	return strings.TrimSpace(line)
}

// grouped writes a number with commas.
func grouped(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
