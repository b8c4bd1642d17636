package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTraceDir: each counterexample has a file, nothing half-written is left,
// and dlcheck takes each file back.
func TestTraceDir(t *testing.T) {
	_, schema := schemas(t)
	dir := filepath.Join(t.TempDir(), "new", "traces")
	if got := dlcheck("--store", "plain,fenced", "--property", "stale-overwrite,lost-update", "--quiet", "--trace-dir", dir); got.status != exitViolated || got.errOut != "" {
		t.Fatalf("%+v", got)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	want := "fenced-lost-update.json fenced-lost-update.txt plain-lost-update.json plain-lost-update.txt plain-stale-overwrite.json plain-stale-overwrite.txt"
	if got := strings.Join(names, " "); got != want {
		t.Fatalf("files %s, want %s", got, want)
	}
	for _, name := range names {
		path := filepath.Join(dir, name)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if filepath.Ext(name) != ".json" {
			continue
		}
		if err := validate(schema, string(data)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		story, err := os.ReadFile(strings.TrimSuffix(path, ".json") + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		if got := dlcheck("trace", path); got != (call{0, string(story), ""}) {
			t.Errorf("%s as text: %+v, want %s", name, got, story)
		}
		if got := dlcheckWith(nil, string(data), "trace", "-", "--format", "json"); got != (call{0, string(data), ""}) {
			t.Errorf("%s as JSON: %+v, want %s", name, got, data)
		}
		if got := dlcheck("trace", path, "--format", "mermaid"); got.status != 0 || !strings.HasPrefix(got.out, "sequenceDiagram\n") {
			t.Errorf("%s as Mermaid: %+v", name, got)
		}
	}
}

// TestTraceDirIsOfThisRun: files of what was asked and has no counterexample
// now go; all others stay.
func TestTraceDirIsOfThisRun(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{
		"fenced-stale-overwrite.json", "fenced-stale-overwrite.txt", "fenced-lease-overlap.txt", // asked, and they hold
		"plain-stale-overwrite.json", "fenced-token-order.json", "fenced-lost-update.md", "notes.txt", // not asked, not ours
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("old"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "fenced-linearizable.json"), 0o777); err != nil {
		t.Fatal(err)
	}
	got := dlcheck("--store", "fenced", "--property", "seed,lost-update", "--trace-dir", dir)
	want := "1 counterexample written to " + dir + ", as .json and .txt; 2 counterexamples of an earlier run removed."
	if got.status != exitViolated || !strings.HasSuffix(oneLine(got.out), want) {
		t.Errorf("%+v", got)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	want = "fenced-linearizable.json fenced-lost-update.json fenced-lost-update.md fenced-lost-update.txt fenced-token-order.json notes.txt plain-stale-overwrite.json"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("files %s, want %s", got, want)
	}
	got = dlcheck("--store", "claimed", "--property", "lost-update", "--trace-dir", dir)
	if want := "No counterexample to write to " + dir + "."; got.status != 0 || !strings.HasSuffix(oneLine(got.out), want) {
		t.Errorf("%+v", got)
	}
}

func TestTraceDirCannotBeWritten(t *testing.T) {
	dir := t.TempDir()
	// A directory stands where a file should go: the rename fails.
	if err := os.MkdirAll(filepath.Join(dir, "fenced-lost-update.json", "x"), 0o777); err != nil {
		t.Fatal(err)
	}
	got := dlcheck("--store", "fenced", "--property", "lost-update", "--trace-dir", dir)
	if got.status != exitUsage || strings.Count(got.errOut, "\n") != 1 || !strings.Contains(got.errOut, "--trace-dir") {
		t.Errorf("%+v", got)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("something was left behind: %v", entries)
	}
}

func TestTraceOfReport(t *testing.T) {
	report := dlcheck("--json", "--store", "plain,fenced", "--property", "stale-overwrite,lost-update").out
	for _, c := range []struct {
		args   string
		status int
		out    int // traces printed
		errOut string
	}{
		{"", 0, 3, ""},
		{"--store fenced", 0, 1, ""},
		{"--property lost-update", 0, 2, ""},
		{"--property lost-update --format json", 2, 0, "2 traces, and a JSON document is one"},
		{"--store fenced --format json", 0, 1, ""},
		{"--store fenced --property stale-overwrite", 2, 0, "it has plain stale-overwrite; plain lost-update; fenced lost-update"},
	} {
		got := dlcheckWith(nil, report, append([]string{"trace", "-"}, strings.Fields(c.args)...)...)
		n := strings.Count(got.out, "tick  who  what") + strings.Count(got.out, `"schema"`)
		if got.status != c.status || n != c.out || !strings.Contains(got.errOut, c.errOut) {
			t.Errorf("%s: status %d, %d traces, stderr %q", c.args, got.status, n, got.errOut)
		}
	}
	holds := dlcheck("--json", "--store", "claimed", "--property", "lost-update").out
	if got := dlcheckWith(nil, holds, "trace", "-"); got.status != 2 || !strings.Contains(got.errOut, "nothing in it is violated") {
		t.Errorf("%+v", got)
	}
}

// TestTraceRefused: what the model does not allow is refused, by name.
func TestTraceRefused(t *testing.T) {
	var good strings.Builder
	schedule := aTrace(t, "fenced")
	forged, err := schedule.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	// It says of itself that it loses an update, and it does not.
	if got := dlcheckWith(nil, string(forged), "trace", "-"); got.status != exitUsage || got.out != "" || !strings.Contains(got.errOut, "judged again it does not break it") {
		t.Errorf("a forged remark: %+v", got)
	}
	schedule.Remark = nil
	data, err := schedule.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	good.Write(data)
	for _, c := range []struct{ old, new, errOut string }{
		{"", "", ""},
		{`"action":"read"`, `"action":"write"`, "action 3 at tick 1, A: write: the model does not allow it"},
		{`"action":"read"`, `"action":"raed"`, `there is no action "raed"`},
		{`"token":1`, `"token":2`, "the model answers"},
		{`"actor":"A"`, `"actor":"Q"`, `there is no actor "Q"`},
		{`"steps":5`, `"steps":6`, "6 steps"},
		{`"store":"fenced"`, `"store":"nope"`, `there is no store "nope"`},
		{`"schema":"dlcheck/trace/v1"`, `"schema":"dlcheck/trace/v9"`, "dlcheck/trace/v9"},
		{`"schema":"dlcheck/trace/v1"`, `"schema":5`, "line 1: it is not a trace in JSON: schema is a number, and should be a string"},
		{`"clients":3`, `"clients":"3"`, "world.clients is a string, and should be a whole number"},
		{`"clients":3`, `"clients":1.5`, "world.clients is 1.5, and should be a whole number"},
		{`"actions":[`, `"actions":[7,`, "is a number, and should be an object"},
		{`"ok":true`, `"ok":"yes"`, "is a string, and should be true or false"},
		{`"steps"`, `"stepps"`, `"stepps"`},
		{`{"schema"`, `["schema"`, "not a trace in JSON"},
	} {
		bad := strings.Replace(good.String(), c.old, c.new, 1)
		got := dlcheckWith(nil, bad, "trace", "-")
		if c.errOut == "" {
			if got.status != 0 || got.errOut != "" {
				t.Errorf("the good trace: %+v", got)
			}
			continue
		}
		if got.status != exitUsage || got.out != "" || !strings.HasPrefix(got.errOut, "dlcheck: standard input: ") ||
			strings.Count(got.errOut, "\n") != 1 || !strings.Contains(got.errOut, c.errOut) {
			t.Errorf("%s: %+v", c.new, got)
		}
	}
	for _, empty := range []string{"", "null", "{}", "[]", "7", "x", `{"schema":"dlcheck/report/v1","runs":3}`, `{"schema":"dlcheck/report/v1","runs":[{"store":1}]}`} {
		if got := dlcheckWith(nil, empty, "trace", "-"); got.status != exitUsage || strings.Count(got.errOut, "\n") != 1 || strings.Contains(got.errOut, "Go ") {
			t.Errorf("%q: %+v", empty, got)
		}
	}
}
