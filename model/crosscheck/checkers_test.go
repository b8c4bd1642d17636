//go:build crosscheck

package crosscheck_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// A world is one configuration of the core system, each field written as in
// counts.txt and on dlcheck's command line.
type world struct {
	store   string
	clients int
	servers int
	ticks   int // unlimited: no bound
	ttl     int
	rounds  int
	pauses  int
}

const unlimited = -1

// name is the name of the world's subtest: the columns of counts.txt.
func (w world) name() string {
	return fmt.Sprintf("%s-%d-%d-%s-%d-%d-%d",
		w.store, w.clients, w.servers, w.ticksText(), w.ttl, w.rounds, w.pauses)
}

func (w world) ticksText() string {
	if w.ticks == unlimited {
		return "unlimited"
	}
	return strconv.Itoa(w.ticks)
}

// The properties that both models judge, in the order of the columns. The empty
// one stands for counting: nothing is judged and nothing ends the search.
const (
	counting       = ""
	staleOverwrite = "stale-overwrite"
	lostUpdate     = "lost-update"
)

// A count is the size of what is reachable.
type count struct{ states, transitions int }

func (c count) String() string {
	return fmt.Sprintf("%d states, %d transitions", c.states, c.transitions)
}

// A trace is the length of a counterexample. The zero trace is none: no
// counterexample has no events.
type trace struct{ events, ticks int }

func (t trace) steps() int { return t.events + t.ticks }

func (t trace) String() string {
	if t == (trace{}) {
		return "holds"
	}
	return fmt.Sprintf("%d+%d", t.events, t.ticks)
}

// An answer is all that one checker says of one world.
type answer struct {
	count
	stale, lost trace
}

func (a answer) String() string {
	return fmt.Sprintf("%v; %s %v; %s %v", a.count, staleOverwrite, a.stale, lostUpdate, a.lost)
}

// A foreign checker is a shell command, and a way to read what it prints. The
// command is also what a failure prints: what the test ran and what the reader
// is told to run cannot differ.
type foreign struct {
	name    string
	command func(w world, property string) string
	read    func(output string) (count, trace, error)
}

// spin counts depth-first, and breadth-first looks for a shortest violation.
// -m is room for the stack of the depth-first search, which is untouched memory
// for as long as no schedule is that long; should one be, read says so.
var spin = foreign{
	name: "spin",
	command: func(w world, property string) string {
		if property == counting {
			return pan(w, counting, "-O1") + " && ./pan -E -n -w20 -m1000000"
		}
		return pan(w, property, "-O1 -DBFS") + " && ./pan -E -n -w20" +
			" && if [ -e core.pml.trail ]; then ./pan -r -S; fi"
	},
	read: readSpin,
}

// pan is the command that makes ./pan, Spin's checker of one world. The model is
// copied first: pan puts its trail where its model lies.
func pan(w world, property, gccFlags string) string {
	flags := ""
	for _, d := range w.defines() {
		switch {
		case d.name != "BOUNDED":
			flags += fmt.Sprintf(" -D%s=%d", d.name, d.value)
		case d.value == 0:
			flags += " -DUNLIMITED"
		}
	}
	flags += " -DSTORE=" + strings.ToUpper(w.store)
	if property != counting {
		flags += " -DPROPERTY=" + strings.ToUpper(strings.ReplaceAll(property, "-", "_"))
	}
	return "cp " + here("core.pml") + " . && spin -o2 -a" + flags + " core.pml && gcc " + gccFlags +
		" -DSAFETY -DNOREDUCE -o pan pan.c"
}

var (
	panErrors      = regexp.MustCompile(`errors: (\d+)`)
	panStates      = regexp.MustCompile(`(?m)^\s*(\d+) states, stored`)
	panTransitions = regexp.MustCompile(`(?m)^\s*(\d+) transitions`)
	panAction      = regexp.MustCompile(`(?m)^(acquire|read|write|release|pause) \d`)
	panTick        = regexp.MustCompile(`(?m)^tick$`)
)

func readSpin(output string) (count, trace, error) {
	errs, err := number(panErrors, output)
	if err != nil {
		return count{}, trace{}, err
	}
	if errs > 0 {
		t := trace{len(panAction.FindAllString(output, -1)), len(panTick.FindAllString(output, -1))}
		if t.events == 0 {
			return count{}, trace{}, errors.New("pan found an error and its trail shows no action")
		}
		return count{}, t, nil
	}
	for _, bad := range []string{"too small", "Search not completed", "out of memory"} {
		if strings.Contains(output, bad) {
			return count{}, trace{}, fmt.Errorf("pan's search is not complete: %q", bad)
		}
	}
	states, err := number(panStates, output)
	if err != nil {
		return count{}, trace{}, err
	}
	arrivals, err := number(panTransitions, output)
	if err != nil {
		return count{}, trace{}, err
	}
	// pan counts arrivals at states; at the initial one nobody stepped. core.pml
	// has no init step, for which there would be more to correct.
	return count{states, arrivals - 1}, trace{}, nil
}

// rumur searches breadth-first always; one thread, so that the first violation
// found is a shortest. Its "rules fired" are the transitions.
var rumur = foreign{
	name:    "rumur",
	command: func(w world, property string) string { return rumurCommand(w, property, "off") },
	read:    readRumur,
}

// orbits is rumur with interchangeable clients: of states that differ only in
// who is who, one is kept. Exhaustive, since rumur's cheaper way may keep more
// than one, and then the count means nothing.
var orbits = foreign{
	name:    "orbits",
	command: func(w world, property string) string { return rumurCommand(w, property, "exhaustive") },
	read:    readRumur,
}

func rumurCommand(w world, property, symmetry string) string {
	return murphi(w, property, symmetry, "-O1") + " && ./m"
}

// murphi is the command that makes ./m, Rumur's checker of one world.
func murphi(w world, property, symmetry, gccFlags string) string {
	stores := map[string]int{"plain": 0, "fenced": 1, "strict": 2, "claimed": 3}
	properties := map[string]int{counting: 0, staleOverwrite: 1, lostUpdate: 2}
	constants := append(w.defines(),
		define{"STORE", stores[w.store]}, define{"PROPERTY", properties[property]})
	c := "sed"
	for _, d := range constants {
		c += fmt.Sprintf(" -e 's/^  %[1]s: [0-9]*;/  %[1]s: %[2]d;/'", d.name, d.value)
	}
	return c + " " + here("core.murphi") + " > m.m && rumur --quiet --deadlock-detection=off --symmetry-reduction=" +
		symmetry + " --threads=1 --output m.c m.m && gcc " + gccFlags + " -march=native -mcx16 -o m m.c -lpthread"
}

var (
	rumurCount  = regexp.MustCompile(`(\d+) states, (\d+) rules fired in`)
	rumurAction = regexp.MustCompile(`(?m)^Rule "(acquire|read|write|release|pause)", c: \d+ fired\.`)
	rumurTick   = regexp.MustCompile(`(?m)^Rule "tick" fired\.`)
)

func readRumur(output string) (count, trace, error) {
	if strings.Contains(output, "Assertion failed") {
		t := trace{len(rumurAction.FindAllString(output, -1)), len(rumurTick.FindAllString(output, -1))}
		if t.events == 0 {
			return count{}, trace{}, errors.New("rumur found an error and its trace shows no action")
		}
		return count{}, t, nil
	}
	m := rumurCount.FindStringSubmatch(output)
	if m == nil || !strings.Contains(output, "No error found") {
		return count{}, trace{}, errors.New("rumur did not finish")
	}
	states, err := strconv.Atoi(m[1])
	if err != nil {
		return count{}, trace{}, err
	}
	fired, err := strconv.Atoi(m[2])
	if err != nil {
		return count{}, trace{}, err
	}
	return count{states, fired}, trace{}, nil
}

// A define is a number that both models take under the same name.
type define struct {
	name  string
	value int
}

func (w world) defines() []define {
	bounded, ticks := 1, w.ticks
	if w.ticks == unlimited {
		bounded, ticks = 0, 0
	}
	return []define{
		{"CLIENTS", w.clients}, {"SERVERS", w.servers}, {"BOUNDED", bounded}, {"TICKS", ticks},
		{"TTL", w.ttl}, {"ROUNDS", w.rounds}, {"PAUSES", w.pauses},
	}
}

// ask puts one question to the checker, in a directory of its own.
func (f foreign) ask(ctx context.Context, dir string, w world, property string) (count, trace, error) {
	cmd := exec.CommandContext(ctx, "sh", "-c", f.command(w, property))
	cmd.Dir = dir
	output, runErr := cmd.CombinedOutput()
	c, t, err := f.read(string(output))
	// Rumur's exit status tells of a violation as well as of a failure. If the
	// output made sense, the violation is what it was.
	if err == nil && runErr != nil && t == (trace{}) {
		err = runErr
	}
	if err != nil {
		return count{}, trace{}, fmt.Errorf("%s: %w\n%s\n%s", f.name, err, repeat(f.command(w, property)), output)
	}
	return c, t, nil
}

// answer asks the checker everything about one world.
func (f foreign) answer(tb testing.TB, w world) (answer, error) {
	c, _, err := f.ask(tb.Context(), tb.TempDir(), w, counting)
	if err != nil {
		return answer{}, err
	}
	stale, err := f.shortest(tb, w, staleOverwrite, c)
	if err != nil {
		return answer{}, err
	}
	lost, err := f.shortest(tb, w, lostUpdate, c)
	return answer{c, stale, lost}, err
}

// shortest is the shortest counterexample and, among the equally short, one
// with the fewest ticks. A breadth-first search ends at any of the short ones;
// so we ask again, for one with fewer ticks, until there is none as short.
//
// Where the property holds, the search has seen every state, and must have
// counted what the counting run counted: judging does not change the system.
func (f foreign) shortest(tb testing.TB, w world, property string, counted count) (trace, error) {
	c, best, err := f.ask(tb.Context(), tb.TempDir(), w, property)
	if err != nil || best == (trace{}) {
		if err == nil && c != counted {
			err = fmt.Errorf("%s: judging %s changes the count: %v, and %v without\n%s",
				f.name, property, c, counted, repeat(f.command(w, property)))
		}
		return trace{}, err
	}
	for best.ticks > 0 {
		w.ticks = best.ticks - 1
		_, t, err := f.ask(tb.Context(), tb.TempDir(), w, property)
		if err != nil {
			return trace{}, err
		}
		if t == (trace{}) || t.steps() > best.steps() {
			break
		}
		best = t
	}
	return best, nil
}

// repeat makes a command one that can be pasted into a shell anywhere: it
// litters a new directory.
func repeat(command string) string { return "  (cd $(mktemp -d) && " + command + ")" }

// dlcheckArgs asks dlcheck the same: nothing reduced, both properties, and a
// third that always holds here. A search ends as soon as each property has its
// verdict, and the counts are those of the whole set only if one holds.
func dlcheckArgs(w world) []string {
	return []string{
		"--reduce", "none", "--json",
		"--clients", strconv.Itoa(w.clients), "--servers", strconv.Itoa(w.servers),
		"--ticks", w.ticksText(), "--ttl", strconv.Itoa(w.ttl),
		"--rounds", strconv.Itoa(w.rounds), "--pauses", strconv.Itoa(w.pauses),
		"--store", w.store, "--property", staleOverwrite, "--property", lostUpdate, "--property", "token-order",
	}
}

func dlcheckCommand(w world) string {
	return "(cd " + here("../..") + " && go run ./cmd/dlcheck " + strings.Join(dlcheckArgs(w), " ") + ")"
}

// buildDlcheck builds the command from the sources around this folder.
func buildDlcheck(tb testing.TB) (string, error) {
	bin := filepath.Join(tb.TempDir(), "dlcheck")
	build := exec.CommandContext(tb.Context(), "go", "build", "-o", bin, "./cmd/dlcheck")
	build.Dir = here("../..")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build ./cmd/dlcheck: %w\n%s", err, out)
	}
	return bin, nil
}

// report is the part of dlcheck's report that is compared.
type report struct {
	Schema string
	Runs   []struct {
		Store       string
		States      int
		Transitions int
		Verdicts    []struct {
			Property string
			Verdict  string
			Trace    *struct{ Steps, Events, Ticks int }
		}
	}
}

// askDlcheck runs the command. Its exit status is 0 when all holds and 1 when
// something is violated, and both are answers.
func askDlcheck(ctx context.Context, bin string, w world) (answer, error) {
	cmd := exec.CommandContext(ctx, bin, dlcheckArgs(w)...)
	var complaint strings.Builder
	cmd.Stderr = &complaint
	output, err := cmd.Output()
	if err != nil && cmd.ProcessState.ExitCode() != 1 {
		return answer{}, fmt.Errorf("dlcheck: %w\n%s", err, complaint.String())
	}
	a, err := readDlcheck(output, w)
	if err != nil {
		return answer{}, fmt.Errorf("dlcheck: %w\n%s%s", err, complaint.String(), output)
	}
	return a, nil
}

func readDlcheck(output []byte, w world) (answer, error) {
	var r report
	if err := json.Unmarshal(output, &r); err != nil {
		return answer{}, err
	}
	if r.Schema != "dlcheck/report/v1" {
		return answer{}, fmt.Errorf("schema %q, expected dlcheck/report/v1", r.Schema)
	}
	if len(r.Runs) != 1 || r.Runs[0].Store != w.store {
		return answer{}, fmt.Errorf("expected one run, of store %s", w.store)
	}
	run := r.Runs[0]
	a := answer{count: count{run.States, run.Transitions}}
	holds := "holds-to-bound"
	if w.ticks == unlimited {
		holds = "holds"
	}
	judged := map[string]bool{}
	for _, v := range run.Verdicts {
		var t trace
		switch {
		case v.Verdict == "violated" && v.Trace != nil:
			t = trace{v.Trace.Events, v.Trace.Ticks}
			if v.Trace.Steps != t.steps() || t.events == 0 {
				return answer{}, fmt.Errorf("%s: %d steps are not %d events and %d ticks",
					v.Property, v.Trace.Steps, v.Trace.Events, v.Trace.Ticks)
			}
		case v.Verdict == "holds" || v.Verdict == holds:
			// A bounded set may close within its bound: then it just holds.
		default:
			return answer{}, fmt.Errorf("%s: verdict %q (trace: %t), expected %q or \"violated\" with a trace",
				v.Property, v.Verdict, v.Trace != nil, holds)
		}
		switch v.Property {
		case staleOverwrite:
			a.stale = t
		case lostUpdate:
			a.lost = t
		default:
			continue
		}
		judged[v.Property] = true
	}
	for _, p := range []string{staleOverwrite, lostUpdate} {
		if !judged[p] {
			return answer{}, fmt.Errorf("no verdict on %s", p)
		}
	}
	return a, nil
}

// need fails when a foreign checker is missing. It does not skip: skipped looks
// like passed.
func need(tb testing.TB, programs ...string) {
	tb.Helper()
	for _, p := range programs {
		if _, err := exec.LookPath(p); err != nil {
			tb.Fatalf("no %s in PATH: `make crosscheck` installs spin, rumur and gcc", p)
		}
	}
}

// here is the absolute path of a file named relative to this folder, which is
// where go test runs its tests.
func here(name string) string {
	p, err := filepath.Abs(name)
	if err != nil {
		panic(fmt.Sprintf("crosscheck: the working directory is gone: %v", err))
	}
	return p
}

func number(re *regexp.Regexp, output string) (int, error) {
	m := re.FindStringSubmatch(output)
	if m == nil {
		return 0, fmt.Errorf("nothing like %q in the output", re)
	}
	return strconv.Atoi(m[1])
}
