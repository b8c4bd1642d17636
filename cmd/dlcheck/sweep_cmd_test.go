package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"dlcheck/checker"
)

// Values of the classic grid of 140 cells: the leases and pauses that are
// talked about, and pauses between them. It steps over each cell in which the
// pause is just as long as max(ttl, 12).
const (
	classicTTL   = "ttl=1,10,13,15,17,25,1000"
	classicPause = "pause=2,5,8,10,11,14,16,18,20,22,23,24,26,28,30,32,35,40,45,50"
)

// TestClassicTables computes the tables of the classic commentary again.
func TestClassicTables(t *testing.T) {
	for _, c := range []struct{ file, args string }{
		{"servers", "--x servers=1,3,5,7,21,51 --metric lease-overlap,stale-overwrite,lost-update,unlocked-write,final,blocked"},
		{"ttl", "--x ttl=1,2,5,8,10,11..20,25,1000"},
		{"ttl-plain-pause", "--x " + classicTTL + " --y " + classicPause + " --metric stale-overwrite,lost-update,blocked,final"},
		{"ttl-fenced-pause", "dlock --x " + classicTTL + " --y " + classicPause + " --metric stale-overwrite,lost-update"},
		{"late", "--x arrives=12,14..20,100 --metric stale-overwrite,lost-update,unlocked-write,final,blocked"},
		{"staircase", "--x ttl=1..40 --y pause=0..45"},
		{"staircase-fenced", "dlock --x ttl=1..40 --y pause=0..45"},
		{"everything", "--x ttl=1..40 --y pause=10..30:10 --metric stale-overwrite,lost-update,unlocked-write,blocked,final"},
		{"names", "lesson-longer-pause --x ttl=10..40:5 --y Katrina.pause=5..45:10 --metric stale-overwrite,final,blocked"},
		{"too-wide", "--x ttl=1..200 --y pause=0..3"},
		{"model", "--model --x ttl=1..12 --y clients=1..3"},
		{"model-ttl", "--model --x ttl=10,20,60,100 --metric lost-update,unlocked-write --set clients=2 --store plain"},
		{"model-pause", "--model --x max-pause=5..12 --y ttl=5..10 --set clients=2"},
	} {
		got := dlcheck(append([]string{"sweep"}, strings.Fields(c.args)...)...)
		if got.status != 0 || got.errOut != "" {
			t.Errorf("%s: %+v", c.args, got)
		}
		tidy(t, got.out)
		golden(t, "sweep/"+c.file+".txt", "$ dlcheck sweep "+c.args+"\n"+got.out)
	}
}

// TestClassicRuns: the re-check before the write, and two writes under one
// lease, as tables over built-in schedules.
func TestClassicRuns(t *testing.T) {
	var all strings.Builder
	for _, name := range []string{
		"dlock-unfenced", "dlock", "dlock-late-unfenced", "dlock-late",
		"dlock-recheck-2-unfenced", "dlock-recheck-5-unfenced", "dlock-recheck-9-unfenced", "dlock-recheck-16-unfenced",
		"dlock-recheck-2", "dlock-recheck-5", "dlock-recheck-9", "dlock-recheck-16",
		"dlock-two-writes-fenced", "dlock-two-writes-strict",
	} {
		out := dlcheck("run", name).out
		var says []string
		for _, line := range strings.Split(out, "\n") {
			f := strings.Fields(line)
			if len(f) > 1 && slices.Contains([]string{"stale-overwrite", "lost-update", "fair-refusal", "unlocked-write"}, f[0]) {
				says = append(says, f[0]+" "+strings.Trim(f[1], ".:"))
			}
		}
		fmt.Fprintf(&all, "%-26s left with %-5s %s\n", name, leftWith(out), strings.Join(says, ", "))
	}
	golden(t, "sweep/runs.txt", all.String())
}

// leftWith is the content of the store in a transcript.
func leftWith(out string) string {
	_, after, _ := strings.Cut(out, "The store is left with ")
	text, _, _ := strings.Cut(after, ".\n")
	return text
}

// TestServersChangeNothing: one lock server or fifty-one, every column is the
// same.
func TestServersChangeNothing(t *testing.T) {
	for _, name := range []string{"dlock", "dlock-unfenced", "dlock-late", "dlock-recheck-16", "lesson-longer-pause"} {
		got := dlcheck("sweep", name, "--x", "servers=1,3,5,7,21,51", "--csv", "-", "--metric", "lease-overlap,stale-overwrite,lost-update,unlocked-write,token-order,blocked,final")
		rows := readCSV(t, got.out)
		if len(rows) != 7 {
			t.Fatalf("%s: %+v", name, got)
		}
		for _, r := range rows[2:] {
			if !slices.Equal(r[1:8], rows[1][1:8]) {
				t.Errorf("%s: %v and %v", name, r, rows[1])
			}
		}
	}
}

func readCSV(t *testing.T, text string) [][]string {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// TestCellsComeBack takes the command of every cell and compares what the run
// prints with what the cell says.
func TestCellsComeBack(t *testing.T) {
	mine := filepath.Join(t.TempDir(), "my schedule.yaml")
	if err := os.WriteFile(mine, []byte(dlcheck("run", "dlock-recheck-9-unfenced", "--show").out), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"--x", "ttl=5..20:3", "--y", "pause=10..18"},
		{"dlock", "--x", "read=1..4", "--y", "gap=1..4", "--set", "pause=13", "--set", "ttl=12"},
		{"dlock", "--store", "claimed", "--x", "arrives=2..20:3"},
		{"lesson-longer-pause", "--x", "Aishwarya.arrives=0..40:5", "--y", "ttl=5..45:10"},
		{mine, "--x", "ttl=3..15:3", "--y", "A.pause=0..8:2"},
	} {
		got := dlcheck(append([]string{"sweep", "--csv", "-", "--metric", "stale-overwrite,lost-update,unlocked-write,blocked,final"}, args...)...)
		if got.status != 0 || got.errOut != "" {
			t.Fatalf("%v: %+v", args, got)
		}
		rows := readCSV(t, got.out)
		head := rows[0]
		column := func(row []string, name string) string { return row[slices.Index(head, name)] }
		for _, row := range rows[1:] {
			command := column(row, "command")
			words, ok := shellWords(command)
			if !ok || words[0] != "dlcheck" {
				t.Fatalf("%s", command)
			}
			again := dlcheck(words[1:]...)
			if again.status != 0 {
				t.Errorf("%s: %+v", command, again)
			}
			if want := fmt.Sprintf("%q", column(row, "final")); leftWith(again.out) != want {
				t.Errorf("%s: left with %s, want %s", command, leftWith(again.out), want)
			}
			for _, p := range []string{"stale-overwrite", "lost-update", "unlocked-write"} {
				says := map[string]string{"violated": "VIOLATED.", "holds": "holds", "possible": "possible:", "none": "none"}[column(row, p)]
				if !strings.Contains(oneLine(again.out)+" ", " "+p+" "+says+" ") {
					t.Errorf("%s: %s is not %s:\n%s", command, p, says, again.out)
				}
			}
		}
	}
}

// shellWords splits a command as a shell would that knows single quotes.
func shellWords(command string) (words []string, ok bool) {
	word, quote, any := "", false, false
	for _, r := range command {
		switch {
		case r == '\'':
			quote, any = !quote, true
		case r == ' ' && !quote:
			if any {
				words = append(words, word)
			}
			word, any = "", false
		default:
			word, any = word+string(r), true
		}
	}
	return append(words, word), !quote
}

// TestModelCellsComeBack does the same with cells of the explored model.
func TestModelCellsComeBack(t *testing.T) {
	got := dlcheck("sweep", "--model", "--x", "ttl=2,10,40", "--y", "pauses=0..1", "--set", "clients=2", "--metric", "stale-overwrite,lost-update", "--store", "plain", "--csv", "-")
	rows := readCSV(t, got.out)
	if len(rows) != 7 {
		t.Fatalf("%+v", got)
	}
	seen := map[string]bool{}
	for _, row := range rows[1:] {
		words, _ := shellWords(row[4])
		quiet := dlcheck(append(words[1:], "--quiet")...)
		for i, line := range strings.Split(strings.TrimSpace(quiet.out), "\n") {
			says := row[2+i]
			seen[says] = true
			said, _, _ := strings.Cut(strings.Join(strings.Fields(line)[2:], " "), " (")
			if says != said {
				t.Errorf("%s: %s; the cell says %s", row[4], line, says)
			}
		}
	}
	if len(seen) < 4 {
		t.Errorf("only %v", seen)
	}
}

// TestModelParametersAreFlags: the command of a cell is built from their names.
func TestModelParametersAreFlags(t *testing.T) {
	c := newCommand(nil, nil, nil)
	root := c.root()
	for _, p := range modelParams {
		if root.Flags().Lookup(p.name) == nil {
			t.Errorf("there is no flag --%s", p.name)
		}
	}
}

// TestSweepFiles: the JSON is as its schema says, CSV and JSON agree, pictures
// are pictures, nothing half-written is left, and no result depends on the
// number of workers.
func TestSweepFiles(t *testing.T) {
	schema := schemaOf(t, "sweep")
	dir := t.TempDir()
	for i, args := range [][]string{
		{"--x", "ttl=1..20", "--y", "pause=0..25", "--metric", "stale-overwrite,lost-update,unlocked-write,blocked,final"},
		{"lesson-longer-pause", "--x", "ttl=1..50"},
		{"dlock", "--x", "ttl=5..15", "--y", "pause=10..20", "--metric", "final"},
		{"dlock", "--x", "ttl=5..15", "--y", "pause=10..20", "--metric", "blocked"},
		{"dlock", "--x", "servers=1,3,51", "--metric", "stale-overwrite"},
		{"--model", "--x", "ttl=1..4", "--metric", "lost-update,progress"},
		{"--model", "--x", "ttl=1..4", "--y", "clients=1..2"},
	} {
		name := func(ext string) string { return filepath.Join(dir, fmt.Sprint(i)+ext) }
		args := append([]string{"sweep"}, args...)
		got := dlcheck(append(args, "--csv", name(".csv"), "--json", name(".json"), "--plot", name(".png"))...)
		if got.status != 0 || got.errOut != "" || !strings.Contains(oneLine(got.out), "Written: "+name(".csv")+", "+name(".json")+", "+name(".png")+".") {
			t.Fatalf("%v: %+v", args, got)
		}
		doc := read(t, name(".json"))
		if err := validate(schema, doc); err != nil {
			t.Errorf("%v: %v", args, err)
		}
		if out := dlcheck(append(args, "--json", "-", "--workers", "1")...).out; out != doc {
			t.Errorf("%v: one worker writes other JSON", args)
		}
		if out := dlcheck(append(args, "--csv", "-", "--workers", "3")...).out; out != read(t, name(".csv")) {
			t.Errorf("%v: three workers write other CSV", args)
		}
		var j jsonSweep
		if err := json.Unmarshal([]byte(doc), &j); err != nil {
			t.Fatal(err)
		}
		if rows := readCSV(t, read(t, name(".csv"))); len(rows) != 1+len(j.Cells) || rows[len(rows)-1][len(rows[0])-1] != j.Cells[len(j.Cells)-1].Command {
			t.Errorf("%v: CSV and JSON differ", args)
		}
		f, err := os.Open(name(".png"))
		if err != nil {
			t.Fatal(err)
		}
		picture, err := png.Decode(f)
		f.Close()
		if err != nil || picture.Bounds().Dx() < 600 {
			t.Errorf("%v: %v", args, err)
		}
		if got := dlcheck(append(args, "--plot", name(".svg"))...); got.status != 0 {
			t.Errorf("%v: %+v", args, got)
		}
		svg := read(t, name(".svg"))
		if !strings.Contains(svg, "("+map[bool]string{true: "lock servers", false: "ticks"}[slices.Contains(args, "servers=1,3,51")]) || !strings.Contains(svg, "<path") {
			t.Errorf("%v: the axes have no units", args)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != 7*4 {
		t.Errorf("there are %d files: %v", len(entries), entries)
	}
}

// TestPlotSays: axes with units, a title, and a legend of what there is.
func TestPlotSays(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.svg")
	dlcheck("sweep", "--x", "ttl=1..40", "--y", "pause=0..45", "--plot", file)
	for _, word := range []string{"ttl (ticks)", "pause (ticks)", "What dlock-unfenced breaks (store plain)", "nothing broken", "> lost-update<", "stale-overwrite, lost-update"} {
		if svg := read(t, file); !strings.Contains(svg, word) {
			t.Errorf("the plot does not say %q", word)
		}
	}
	dlcheck("sweep", "lesson-longer-pause", "--x", "ttl=1..40", "--plot", file)
	for _, word := range []string{"ttl (ticks of 100ms)", "blocked (ticks of 100ms)", "how long the last client waits for the lock"} {
		if svg := read(t, file); !strings.Contains(svg, word) {
			t.Errorf("the plot does not say %q", word)
		}
	}
}

// TestPlotInTheDocuments: the picture is the one that its command draws.
func TestPlotInTheDocuments(t *testing.T) {
	file := filepath.Join(t.TempDir(), "boundary.png")
	dlcheck("sweep", "--x", "ttl=1..40", "--y", "pause=0..45", "--plot", file)
	want := filepath.Join("..", "..", "docs", "boundary.png")
	if *update {
		if err := os.WriteFile(want, []byte(read(t, file)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var pictures [2][]byte
	for i, name := range []string{file, want} {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		p, err := png.Decode(f)
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		// Edges may differ from machine to machine; the middle of tiles does not.
		b := p.Bounds()
		for y := 5; y < b.Dy(); y += 16 {
			for x := 5; x < b.Dx(); x += 16 {
				r, g, bl, _ := p.At(x, y).RGBA()
				pictures[i] = append(pictures[i], byte(r>>13), byte(g>>13), byte(bl>>13))
			}
		}
	}
	differ := 0
	for k := range pictures[0] {
		if k >= len(pictures[1]) || pictures[0][k] != pictures[1][k] {
			differ++
		}
	}
	if differ > len(pictures[0])/50 {
		t.Errorf("%s differs from what its command draws in %d of %d samples; go test ./cmd/dlcheck -update draws it again", want, differ, len(pictures[0]))
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func schemaOf(t *testing.T, word string) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(dlcheck("schema", word).out))
	if err != nil {
		t.Fatal(err)
	}
	id := "urn:dlcheck:" + word + ":v1"
	if err := c.AddResource(id, doc); err != nil {
		t.Fatal(err)
	}
	return c.MustCompile(id)
}

// TestSweepUsage shows ways to ask wrongly of the three commands.
func TestSweepUsage(t *testing.T) {
	t.Chdir(t.TempDir())
	var all strings.Builder
	for _, args := range [][]string{
		{"run"},
		{"run", "a", "b"},
		{"run", "dlokc"},
		{"run", "none.yaml"},
		{"run", "./dlock"},
		{"run", "dlock", "--set", "ttl"},
		{"run", "dlock", "--set", "ttl=ten"},
		{"run", "dlock", "--set", "ttl=0"},
		{"run", "dlock", "--set", "tll=5"},
		{"run", "dlock", "--set", "B.pause=5"},
		{"run", "dlock", "--set", "gap=0"},
		{"run", "lesson", "--set", "gap=2"},
		{"run", "lesson", "--set", "read=2"},
		{"run", "dlock", "--store", "plain,fenced"},
		{"run", "dlock", "--store", "fence"},
		{"run", "dlock", "--format", "yaml"},
		{"run", "dlock", "--list"},
		{"run", "dlock", "--show", "--set", "ttl=3"},
		{"sweep"},
		{"sweep", "--x", "ttl"},
		{"sweep", "--x", "ttl=1..x"},
		{"sweep", "--x", "ttl=1..3", "--x", "pause=1..3"},
		{"sweep", "--x", "ttl=9..1"},
		{"sweep", "--x", "ttl=0..3"},
		{"sweep", "--x", "tll=1..3"},
		{"sweep", "--x", "ttl=1..3", "--y", "ttl=1..3"},
		{"sweep", "--x", "ttl=1..3", "--metric", "lost-updates"},
		{"sweep", "--x", "ttl=1..3", "--metric", "progress"},
		{"sweep", "--x", "ttl=1..3", "--csv", "-", "--json", "-"},
		{"sweep", "--x", "ttl=1..3", "--csv", "none/x.csv"},
		{"sweep", "--x", "ttl=1..3", "--plot", "x.pdf"},
		{"sweep", "--x", "ttl=1..3", "--plot", "none/x.png"},
		{"sweep", "--x", "ttl=1..100000", "--y", "pause=1..100000"},
		{"sweep", "a", "b", "--x", "ttl=1..3"},
		{"sweep", "dlock", "--model", "--x", "ttl=1..3"},
		{"sweep", "--model", "--x", "pause=1..3"},
		{"sweep", "--model", "--x", "clients=0..3"},
		{"sweep", "--model", "--x", "ttl=1..3", "--metric", "final"},
		{"sweep", "--model", "--x", "ttl=1..3", "--set", "arrives=2"},
		{"boundary", "a", "b"},
		{"boundary", "--y", "gap"},
		{"boundary", "--general", "--over", "ttl=1..3"},
		{"boundary", "--over", "ttl=1..3", "--over", "ttl=4..5"},
		{"boundary", "--metric", "final"},
		{"boundary", "--metric", "lost"},
		{"boundary", "nope"},
	} {
		got := dlcheckWith(checker.Check, "", args...)
		if got.status != exitUsage || got.out != "" || strings.Count(got.errOut, "\n") != 1 {
			t.Errorf("%q: status %d, stdout %q, stderr %q", args, got.status, got.out, got.errOut)
		}
		fmt.Fprintf(&all, "$ dlcheck %s\n%s", shell(args), got.errOut)
	}
	if entries, _ := os.ReadDir("."); len(entries) > 0 {
		t.Errorf("something was left behind: %v", entries)
	}
	t.Chdir(here)
	golden(t, "sweep/usage.txt", all.String())
}

// here is where the tests begin.
var here, _ = os.Getwd()
