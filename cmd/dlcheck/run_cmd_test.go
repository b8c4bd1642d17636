package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dlcheck/traces"
	"dlcheck/traces/script"
)

// TestTranscripts pins what every schedule that comes with dlcheck prints, and
// that each ends as its file expects.
func TestTranscripts(t *testing.T) {
	for _, name := range script.Builtins() {
		got := dlcheck("run", name)
		if got.status != 0 || got.errOut != "" || !strings.HasSuffix(got.out, "\nAs expected.\n") {
			t.Errorf("%s: %+v", name, got)
		}
		golden(t, "run/"+name+".txt", got.out)
	}
	golden(t, "run/list.txt", dlcheck("run", "--list").out)
}

// TestLesson: what the lesson prints, by the transcripts.
func TestLesson(t *testing.T) {
	for _, c := range []struct {
		args, has string
	}{
		{"lesson", "acquires the lock           granted, token 1"},
		{"lesson", "1.5s   Aishwarya  acquires the lock           granted, token 2"},
		{"lesson", "2s     Katrina    wakes, writes with token 1  refused"},
		{"lesson", `The store is left with "timetable v2".`},
		{"lesson-unfenced", "2s     Katrina    wakes, writes with token 1  accepted"},
		{"lesson-unfenced", `The store is left with "timetable v1".`},
		{"lesson-long-lease", "Aishwarya  asks for the lock           denied: Katrina holds 1 of 1 server for 15 ticks more; gives up"},
		{"lesson-long-lease", `The store is left with "timetable v1".`},
		{"lesson-longer-pause", "stale-overwrite        VIOLATED"},
		{"lesson-worst-order", "dipika     writes with token 3         accepted"},
		{"lesson-worst-order", "aishwarya  wakes, writes with token 2  refused"},
		{"lesson-worst-order", "katrina    wakes, writes with token 1  refused"},
		{"lesson-worst-order", `The store is left with "dipika timetable".`},
		{"lesson-worst-order-unfenced", `The store is left with "katrina timetable".`},
	} {
		if out := dlcheck("run", c.args).out; !strings.Contains(out, c.has) {
			t.Errorf("%s does not print %q:\n%s", c.args, c.has, out)
		}
	}
}

// TestFencingChangesNothingAboutTheLock: the fenced and the unfenced run differ
// in the answer to the late write alone.
func TestFencingChangesNothingAboutTheLock(t *testing.T) {
	story := func(name string) []string {
		_, after, _ := strings.Cut(dlcheck("run", name).out, "\n\n")
		table, _, _ := strings.Cut(after, "\n\n")
		var lines []string
		for _, l := range strings.Split(table, "\n") {
			lines = append(lines, oneLine(l))
		}
		return lines
	}
	fenced, plain := story("dlock"), story("dlock-unfenced")
	var differ []string
	for i := range fenced {
		if fenced[i] != plain[i] {
			differ = append(differ, fenced[i]+" | "+plain[i])
		}
	}
	want := "16 A wakes, writes with token 1 refused nobody | 16 A wakes, writes with token 1 accepted, version 2 nobody"
	if len(fenced) != len(plain) || strings.Join(differ, "\n") != want {
		t.Errorf("they differ in\n%s", strings.Join(differ, "\n"))
	}
}

// TestRunIsATrace: the JSON of a run is a trace like any other; dlcheck trace
// takes it back with every program and name.
func TestRunIsATrace(t *testing.T) {
	_, schema := schemas(t)
	for _, name := range script.Builtins() {
		got := dlcheck("run", name, "--format", "json")
		if got.status != 0 || got.errOut != "" {
			t.Errorf("%s: %+v", name, got)
		}
		if err := validate(schema, got.out); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if again := dlcheckWith(nil, got.out, "trace", "-", "--format", "json"); again != got {
			t.Errorf("%s: given to dlcheck trace: %+v", name, again)
		}
		s, _, err := script.Builtin(name)
		if err != nil {
			t.Fatal(err)
		}
		tr, err := traces.ReadJSON([]byte(got.out))
		if err != nil {
			t.Fatal(err)
		}
		for c, a := range s.Clients {
			if tr.Name(c) != a.Name || tr.Config.ProgramOf(c).String() != s.Config.ProgramOf(c).String() {
				t.Errorf("%s: client %d came back as %s with %s", name, c, tr.Name(c), tr.Config.ProgramOf(c))
			}
		}
		if m := dlcheck("run", name, "--format", "mermaid"); m.status != 0 || !strings.HasPrefix(m.out, "sequenceDiagram\n") {
			t.Errorf("%s: %+v", name, m)
		}
	}
}

// TestShow: what --show prints is a file that runs as the built-in does.
func TestShow(t *testing.T) {
	for _, name := range script.Builtins() {
		file := dlcheck("run", name, "--show")
		if file.status != 0 || !strings.HasPrefix(file.out, "name: "+name+"\n") {
			t.Errorf("%s: %+v", name, file)
		}
		if got, want := dlcheckWith(nil, file.out, "run", "-"), dlcheck("run", name); got != want {
			t.Errorf("%s from the standard input: %+v", name, got)
		}
		path := filepath.Join(t.TempDir(), "mine.yaml")
		if err := os.WriteFile(path, []byte(file.out), 0o666); err != nil {
			t.Fatal(err)
		}
		if got, want := dlcheck("run", path), dlcheck("run", name); got != want {
			t.Errorf("%s from a file: %+v", name, got)
		}
	}
}

// TestFileWinsOverName: a file that is there is meant, also if a schedule that
// comes with dlcheck has its name.
func TestFileWinsOverName(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("dlock", []byte("ttl: 3\nclients: [{name: Q}]\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if got := dlcheck("run", "dlock"); got.status != 0 || !strings.Contains(got.out, "Q    acquires the lock") {
		t.Errorf("%+v", got)
	}
}

func TestRunNotAsExpected(t *testing.T) {
	file := strings.Replace(dlcheck("run", "dlock", "--show").out, "final: B", "final: A", 1)
	file = strings.Replace(file, "lost-update: holds", "lost-update: violated", 1)
	got := dlcheckWith(nil, file, "run", "-")
	want := "\nNot as expected:\n" +
		"  expected the store to be left with \"A\", and there was \"B\"\n" +
		"  expected lost-update to be violated, and there was holds\n"
	if got.status != exitViolated || !strings.HasSuffix(got.out, want) || got.errOut != "" {
		t.Errorf("%+v", got)
	}
	got = dlcheckWith(nil, file, "run", "-", "--format", "json")
	if got.status != exitViolated || strings.Count(got.errOut, "\n") != 2 || !strings.HasPrefix(got.out, "{") {
		t.Errorf("%+v", got)
	}
	// Changed, it is another schedule.
	for _, args := range [][]string{{"--set", "pause=12"}, {"--store", "plain"}} {
		got := dlcheckWith(nil, file, append([]string{"run", "-"}, args...)...)
		if got.status != 0 || !strings.HasSuffix(got.out, "Not compared with what the file expects: it was changed by --set or --store.\n") {
			t.Errorf("%v: %+v", args, got)
		}
	}
	// A file that expects nothing is not compared, and says nothing of it.
	file, _, _ = strings.Cut(file, "expect:")
	if got := dlcheckWith(nil, file, "run", "-"); got.status != 0 || strings.Contains(got.out, "xpect") {
		t.Errorf("%+v", got)
	}
}

// TestScheduleFaults shows what is said of faulty files: the line, and what to
// write instead.
func TestScheduleFaults(t *testing.T) {
	dir := t.TempDir()
	bad := filepath.Join(dir, "bad.yaml")
	good := "ttl: 10\nclients:\n  - name: A\n    pauses: [{from: 2, to: 16}]\n  - name: B\n    arrives: 12\nexpect:\n  final: A\n"
	if got := dlcheckWith(nil, good, "run", "-"); got.status != exitViolated { // B refuses nothing
		t.Errorf("the good file: %+v", got)
	}
	var all strings.Builder
	for _, c := range []struct{ old, new string }{
		{"ttl: 10\n", ""},
		{"ttl: 10", "ttl: 0"},
		{"ttl: 10", "ttl: -1"},
		{"ttl: 10", "ttl: 1s"},
		{"ttl: 10", "tick: 300ms\nttl: 1s"},
		{"ttl: 10", "tick: soon\nttl: 10"},
		{"ttl: 10", "ttl: [10"},
		{"ttl: 10", "tll: 10"},
		{"ttl: 10", "ttl: 10\nttl: 12"},
		{"ttl: 10", "ttl: 10\nservers: 99"},
		{"ttl: 10", "ttl: 10\nservers: many"},
		{"ttl: 10", "ttl: 10\nstore: fence"},
		{"ttl: 10", "ttl: 10\nuntil: x"},
		{"clients:", "clints:"},
		{"name: B", "name: A"},
		{"  - name: B\n    arrives", "  - arrives"},
		{"arrives: 12", "arrives: noon"},
		{"arrives: 12", "program: acquire, reed, release"},
		{"arrives: 12", "asks: never"},
		{"arrives: 12", "writes: \"\\u001b[2J\""},
		{"from: 2, ", ""},
		{"from: 2", "from: 20"},
		{"to: 16}", "to: 16}, {from: 16, to: 18}"},
		{"from: 2", "from: 0"},
		{"to: 16}]", "to: 16}, {from: 30, to: 31}]"},
		{"final: A", "properties: {stale-overwrites: violated}"},
		{"final: A", "properties: {progress: holds}"},
		{"final: A", "properties: {lost-update: maybe}"},
		{"final: A", "denied: {C: 1}"},
		{"final: A", "final: [A]"},
	} {
		if !strings.Contains(good, c.old) {
			t.Fatalf("%q is not in the good file", c.old)
		}
		if err := os.WriteFile(bad, []byte(strings.Replace(good, c.old, c.new, 1)), 0o666); err != nil {
			t.Fatal(err)
		}
		got := dlcheckWith(nil, "", "run", bad)
		got.errOut = strings.ReplaceAll(got.errOut, dir+string(filepath.Separator), "")
		if got.status != exitUsage || got.out != "" || strings.Count(got.errOut, "\n") != 1 || !strings.HasPrefix(got.errOut, "dlcheck: bad.yaml:") {
			t.Errorf("%q: %+v", c.new, got)
		}
		fmt.Fprintf(&all, "%q for %q\n  %s", c.new, c.old, got.errOut)
	}
	golden(t, "run/faults.txt", all.String())
}
