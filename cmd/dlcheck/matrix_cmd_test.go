package main

import (
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dlcheck/checker"
	"dlcheck/checker/matrix"
	"dlcheck/checker/systems"
)

// smallMatrix has a row that nothing breaks, one that a single change cures, one
// that none does, and a promise that is broken past the bound.
var smallMatrix = []string{"matrix", "--system", "flock,redis,chubby", "--faults", "none,crashes,failover,release,lock-delay of 0",
	"--property", "stale-overwrite,mutual-exclusion,lost-update,token-order,progress,unlocked-write"}

func TestMatrixFormats(t *testing.T) {
	for _, f := range matrixFormats {
		got := dlcheck(append(smallMatrix, "--format", f.name)...)
		if got.status != 0 || got.errOut != "" {
			t.Errorf("%s: %+v", f.name, got)
		}
		if f.name == "text" {
			tidy(t, got.out)
		}
		golden(t, "matrix/small."+f.name, got.out)
	}
	if dlcheck(append(smallMatrix, "--format", "json", "--workers", "1")...) != dlcheck(append(smallMatrix, "--format", "json", "--workers", "3")...) {
		t.Error("one worker prints something else than three")
	}
}

// TestMatrixText has two properties by their names, a world that there is none
// of, and one that has no answer.
func TestMatrixText(t *testing.T) {
	for file, args := range map[string]string{
		"refused.txt":   "--system dlock --ticks unlimited --property stale-overwrite,progress --faults lost-requests",
		"no-answer.txt": "--system dlock --ticks 6 --property stale-overwrite,progress --faults none,lost-requests",
		"memory.txt":    "--system redis --property lost-update --memory 1B",
	} {
		got := dlcheck(append([]string{"matrix"}, strings.Fields(args)...)...)
		tidy(t, got.out)
		golden(t, "matrix/"+file, "$ dlcheck matrix "+args+"\n"+got.out)
		if want := map[string]int{"memory.txt": exitIncomplete}[file]; got.status != want || got.errOut != "" {
			t.Errorf("%s: %+v", args, got)
		}
	}
}

// TestMatrixCureCutShort: cells that are known stay, and nothing is said to have
// no cure.
func TestMatrixCureCutShort(t *testing.T) {
	check := func(ctx context.Context, q checker.Question) (*checker.Run, error) {
		run, err := checker.Check(ctx, q)
		if q.Minimize == checker.Any { // a cure is tried
			run.Stopped = "out of memory"
			for i := range run.Verdicts {
				run.Verdicts[i] = checker.Verdict{Property: run.Verdicts[i].Property, Result: checker.Incomplete, Bound: -1}
			}
		}
		return run, err
	}
	got := dlcheckWith(check, "", "matrix", "--system", "sql", "--faults", "none", "--property", "lost-update")
	tidy(t, got.out)
	for _, want := range []string{"? incomplete: the search was cut short", "no fault 13 ? ", "are broken in 1; a cure was found for 0 of those, and the search for one was cut short for 1."} {
		if got.status != exitIncomplete || !strings.Contains(oneLine(got.out), want) {
			t.Errorf("%q is not in %+v", want, got)
		}
	}
}

// TestMatrixJSON: it is as its schema says, finished or not.
func TestMatrixJSON(t *testing.T) {
	schema := schemaOf(t, "matrix")
	for _, more := range [][]string{
		{},
		{"--memory", "0", "--clients", "1"},
		{"--memory", "1B"},
		{"--time-limit", "1ns"},
		{"--system", "dlock", "--ticks", "unlimited", "--faults", "each,all"},
	} {
		got := dlcheck(append(append(slices.Clone(smallMatrix), "--format", "json"), more...)...)
		if err := validate(schema, got.out); err != nil {
			t.Errorf("%v: %v", more, err)
		}
		var j jsonMatrix
		if err := json.Unmarshal([]byte(got.out), &j); err != nil || j.ExitStatus != got.status {
			t.Errorf("%v: %v, status %d, and it says %d", more, err, got.status, j.ExitStatus)
		}
	}
}

// TestMatrixOfAFile: a system of a user is asked about with its own faults,
// variants and limits, and its commands name the file.
func TestMatrixOfAFile(t *testing.T) {
	t.Chdir(t.TempDir())
	file := "store: plain\nfaults: {dies: {crashes: 1}}\nvariants: {checked: {store: fenced}}\n"
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile("mine.yaml", []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	ask := func() jsonMatrix {
		t.Helper()
		got := dlcheck("matrix", "--config", "mine.yaml", "--property", "lost-update", "--format", "json")
		var j jsonMatrix
		if err := json.Unmarshal([]byte(got.out), &j); err != nil || got.errOut != "" || len(j.Rows) != 3 {
			t.Fatalf("%v: %+v", err, got)
		}
		return j
	}
	write(file)
	j := ask()
	if r := j.Rows[1]; r.System != "mine" || r.Faults[0].Name != "dies" || !r.AsNoFault || j.Rows[2].Variant.Name != "checked" {
		t.Errorf("%+v", j.Rows)
	}
	const want = "dlcheck --config mine.yaml --store fenced --clients 2 --ticks 16 --ttl 4 --property lost-update"
	if got := j.Rows[2].Cells[0].Command; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	cure := j.Rows[0].Cure.Settings
	write(file + "cannot: {store " + cure["store"] + ": not here}\n")
	if got := ask().Rows[0].Cure.Settings; cure["store"] == "" || got["store"] == cure["store"] {
		t.Errorf("%v, and then %v", cure, got)
	}
	write("ttl: 4\n")
	if got := dlcheck("matrix", "--config", "mine.yaml"); got.errOut != "dlcheck: mine.yaml names no store, and the matrix asks about one; add a line such as store: plain\n" {
		t.Errorf("%+v", got)
	}
}

// TestMatrixCellsComeBack takes the command of every cell and of every cure.
func TestMatrixCellsComeBack(t *testing.T) {
	var j jsonMatrix
	got := dlcheck("matrix", "--system", "redis,redlock,qjm,consul,flock,chubby", "--faults", "each,none,variants", "--format", "json",
		"--property", "stale-overwrite,lost-update,fair-refusal,linearizable-sections,progress,unlocked-write")
	if err := json.Unmarshal([]byte(got.out), &j); err != nil {
		t.Fatal(err)
	}
	type report struct {
		Runs []struct {
			Verdicts []struct {
				Property       string
				Verdict        checker.Result
				ReportOnly     bool `json:"report_only"`
				ViolatedAtTick *int `json:"violated_at_tick"`
				Trace          *struct{ Steps, Events, Ticks int }
			}
		}
	}
	ask := func(command string) report {
		words, ok := shellWords(command)
		if !ok || words[0] != "dlcheck" {
			t.Fatalf("%s", command)
		}
		var r report
		out := dlcheck(append(words[1:], "--json")...)
		if err := json.Unmarshal([]byte(out.out), &r); err != nil || len(r.Runs) != 1 {
			t.Fatalf("%s: %v, %+v", command, err, out)
		}
		return r
	}
	cells, cures := 0, 0
	for _, row := range j.Rows {
		for _, c := range row.Cells {
			cells++
			again := ask(c.Command).Runs[0].Verdicts
			if len(again) != 1 || again[0].Property != c.Property || again[0].Verdict != c.Verdict || !same(again[0].ViolatedAtTick, c.ViolatedAtTick) {
				t.Errorf("%s: %+v, and the cell says %+v", c.Command, again, c)
			}
			if trace := again[0].Trace; (trace != nil) != (c.Steps != nil) || trace != nil && (trace.Steps != *c.Steps || trace.Events != *c.Events || trace.Ticks != *c.Ticks) {
				t.Errorf("%s: %+v, and the cell says %+v", c.Command, trace, c)
			}
		}
		if row.Cure.Command == nil {
			continue
		}
		cures++
		for i, v := range ask(*row.Cure.Command).Runs[0].Verdicts {
			if was := row.Cells[i].Verdict; !v.ReportOnly && was != checker.Incomplete && v.Verdict != checker.Holds && (v.Verdict != checker.HoldsToBound || v.ViolatedAtTick != nil) {
				t.Errorf("%s: %s is %s", *row.Cure.Command, v.Property, v.Verdict)
			}
		}
	}
	if cells < 150 || cures < 10 {
		t.Errorf("only %d cells and %d cures", cells, cures)
	}
}

func same(a, b *int) bool { return (a == nil) == (b == nil) && (a == nil || *a == *b) }

// TestMatrixFlagsInText: the flags above a table and under a row make the same
// world as the command in the other formats.
func TestMatrixFlagsInText(t *testing.T) {
	text := dlcheck(smallMatrix...).out
	var j jsonMatrix
	if err := json.Unmarshal([]byte(dlcheck(append(smallMatrix, "--format", "json")...).out), &j); err != nil {
		t.Fatal(err)
	}
	base, commands := "", map[string]bool{}
	for _, line := range strings.Split(text, "\n") {
		switch words := strings.TrimSpace(line); {
		case strings.HasPrefix(words, "dlcheck --system"):
			base = words
			commands[base] = true
		case strings.HasPrefix(words, "--"):
			commands[base+" "+words] = true
		}
	}
	worlds := map[string]bool{}
	for command := range commands {
		words, _ := shellWords(command)
		out := dlcheck(append(words[1:], "--property", "lost-update", "--json")...).out
		_, world, _ := strings.Cut(out, `"store"`)
		world, _, _ = strings.Cut(world, `"reductions"`)
		worlds[world] = true
	}
	for _, row := range j.Rows {
		words, _ := shellWords(row.Cells[0].Command)
		out := dlcheck(append(words[1:], "--json")...).out
		_, world, _ := strings.Cut(out, `"store"`)
		world, _, _ = strings.Cut(world, `"reductions"`)
		if !worlds[world] {
			t.Errorf("no line of the text makes the world of %s", row.Cells[0].Command)
		}
	}
}

// TestMatrixOut: the file has what would be printed, and is whole or not there.
func TestMatrixOut(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "m.html")
	args := append(slices.Clone(smallMatrix), "--property", "lost-update")
	want := dlcheck(append(args, "--format", "html")...).out
	if got := dlcheck(append(args, "--format", "html", "--out", file)...); got.status != 0 || got.out != "" || got.errOut != "" || read(t, file) != want {
		t.Errorf("%+v", got)
	}
	failing := func(context.Context, checker.Question) (*checker.Run, error) { return nil, errors.New("no") }
	if got := dlcheckWith(failing, "", append(args, "--out", filepath.Join(dir, "other"))...); got.status != exitUsage || !strings.HasSuffix(got.errOut, ": no\n") {
		t.Errorf("%+v", got)
	}
	if files, _ := os.ReadDir(dir); len(files) != 1 {
		t.Errorf("left behind: %v", files)
	}
	if got := dlcheck(append(args, "--out", filepath.Join(dir, "none", "m"))...); got.status != exitUsage || !strings.HasPrefix(got.errOut, "dlcheck: --out: ") {
		t.Errorf("%+v", got)
	}
}

// TestMatrixPage: every element is closed, and nothing that a system says is
// taken for HTML.
func TestMatrixPage(t *testing.T) {
	s, err := findSystem("redis")
	if err != nil {
		t.Fatal(err)
	}
	odd := *s
	odd.Name, odd.About = `"><script>alert(1)</script>`, "<b>&amp;"
	odd.Faults = []systems.Change{{Name: "<i>", Settings: s.Faults[0].Settings}}
	odd.Variants = []systems.Change{{Name: "<u>", Settings: s.Variants[0].Settings}}
	m, err := matrix.Run(context.Background(), matrix.Question{Systems: []*systems.System{&odd}, Properties: []string{"stale-overwrite", "lost-update"}, Faults: []string{matrix.None, matrix.Each, matrix.Variants}})
	if err != nil {
		t.Fatal(err)
	}
	var page strings.Builder
	if err := newCommand(nil, nil, nil).matrixHTML(&page, m); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"<script", "<b>", "<i>", "<u>", "http:", "https:"} {
		if strings.Contains(page.String(), bad) {
			t.Errorf("the page has %s", bad)
		}
	}
	d := xml.NewDecoder(strings.NewReader(page.String()))
	d.Strict, d.AutoClose, d.Entity = false, []string{"meta", "br"}, xml.HTMLEntity
	open, cells := 0, 0
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			open++
			if e.Name.Local == "details" {
				cells++
			}
		case xml.EndElement:
			open--
		}
	}
	for _, want := range []string{`<a href="#%22%3e`, "other ways to use it", "19 steps"} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if open != 0 || cells < 4 {
		t.Errorf("%d elements are open at the end; %d cells", open, cells)
	}
}

// TestPropertyCodes: initials tell properties apart.
func TestPropertyCodes(t *testing.T) {
	seen := map[string]string{}
	for _, p := range checker.Properties() {
		code := initials(p.Name)
		if seen[code] != "" {
			t.Errorf("%s and %s are both %s", p.Name, seen[code], code)
		}
		seen[code] = p.Name
	}
}

func TestMatrixUsage(t *testing.T) {
	for args, want := range map[string]string{
		"x":                         `matrix takes no argument, and "x" was given`,
		"--system nope":             `there is no system "nope"`,
		"--system etc":              "did you mean etcd?",
		"--system redis --faults x": `--faults: no system has a fault or variant "x"; there are crash, `,
		"--faults crahs":            "; did you mean crash?",
		"--faults eech":             "; did you mean each?",
		"--config nofile.yaml":      "there is no file nofile.yaml",
		"--config x --system redis": "--config and --system exclude each other; ",
		"--format pdf":              "give one of text, markdown, html, csv, json",
		"--clients 99":              "--clients 99 is not within 1 to 16",
		"--property nope":           `there is no property "nope"`,
		"--system flock --out=":     "give the name of a file",
	} {
		got := dlcheckWith(nil, "", append([]string{"matrix"}, strings.Fields(args)...)...)
		if got.status != exitUsage || got.out != "" || !strings.Contains(got.errOut, want) || strings.Count(got.errOut, "\n") != 1 {
			t.Errorf("%s: %+v", args, got)
		}
	}
	for args, want := range map[string]string{
		"--format ":         "markdown\t",
		"--faults no":       "none\t",
		"--faults each,cra": "each,crash\t",
		"--system redis,fl": "redis,flock\t",
		"--ticks ":          "unlimited\t",
		"--property stale":  "stale-overwrite\t",
	} {
		got := dlcheckWith(nil, "", append([]string{"__complete", "matrix"}, strings.Split(args, " ")...)...)
		if !strings.Contains(got.out, want) {
			t.Errorf("%s: %+v", args, got)
		}
	}
	got := dlcheck("matrix", "--system", "sql", "--property", "lost-update", "--faults", "SELECT and then UPDATE", "--faults", "none", "--format", "csv")
	if rows := readCSV(t, got.out); len(rows) != 3 || rows[2][1] != "variants" || rows[2][2] != "SELECT and then UPDATE" {
		t.Errorf("%+v", got)
	}
}

// TestWholeMatrix: every system is in it, and nothing is cut short. All
// properties would take twenty times as long.
func TestWholeMatrix(t *testing.T) {
	got := dlcheck("matrix", "--format", "csv", "--property", "lost-update,progress")
	if got.status != 0 || got.errOut != "" {
		t.Fatalf("%+v", got)
	}
	seen := map[string]bool{}
	for _, row := range readCSV(t, got.out)[1:] {
		seen[row[0]] = true
	}
	if len(seen) != len(systems.Names()) {
		t.Errorf("only %d systems", len(seen))
	}
}
