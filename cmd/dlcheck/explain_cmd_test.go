package main

import (
	"bytes"
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// explained are counterexamples, each by the check that finds it.
var explained = []struct {
	name, check, file string
	status            int
}{
	{"plain-stale-overwrite", "--store plain --property stale-overwrite", "plain-stale-overwrite.json", 0},
	{"fenced-lost-update", "--store fenced --property lost-update", "fenced-lost-update.json", 0},
	{"redlock", "--clients 2 --servers 3 --ttl 3 --ticks 12 --store claimed --property stale-overwrite --lost-requests 3", "claimed-stale-overwrite.json", 0},
	{"progress", "--clients 2 --store plain --property progress --expiry never --crashes 1", "plain-progress.json", 0},
	{"restart", "--clients 2 --ttl 4 --store plain --property mutual-exclusion --restarts 1 --clock-jumps 4 --release blind", "plain-mutual-exclusion.json", 0},
}

// exampleFile writes the counterexample of a check into a file.
func exampleFile(t *testing.T, check, file string) string {
	t.Helper()
	dir := t.TempDir()
	if got := dlcheck(append(strings.Fields(check), "--quiet", "--trace-dir", dir)...); got.status != exitViolated {
		t.Fatalf("%s: %+v", check, got)
	}
	return filepath.Join(dir, file)
}

func TestExplain(t *testing.T) {
	schema := explanationSchema(t)
	for _, c := range explained {
		file := exampleFile(t, c.check, c.file)
		got := dlcheck("explain", file)
		if got.status != c.status || got.errOut != "" {
			t.Errorf("%s: %+v", c.name, got)
		}
		golden(t, "explain/"+c.name+".txt", "$ dlcheck explain "+c.file+"\n"+got.out)
		got = dlcheck("explain", file, "--format", "json")
		if err := validate(schema, got.out); err != nil || got.status != c.status || got.errOut != "" {
			t.Errorf("%s in JSON: %v, status %d, %s", c.name, err, got.status, got.errOut)
		}
		if one := dlcheck("explain", file, "--format", "json", "--workers", "1"); one != got {
			t.Errorf("%s: one worker says something else", c.name)
		}
		tracesComeBack(t, got.out)
	}
}

// tracesComeBack gives every trace of an explanation back to dlcheck.
func tracesComeBack(t *testing.T, doc string) {
	t.Helper()
	var j struct {
		Necessity []struct {
			Other json.RawMessage `json:"other"`
		} `json:"necessity"`
		Cures []struct {
			Schedule *struct {
				Trace json.RawMessage `json:"trace"`
			} `json:"schedule"`
		} `json:"cures"`
	}
	if err := json.Unmarshal([]byte(doc), &j); err != nil {
		t.Fatal(err)
	}
	var all []json.RawMessage
	for _, n := range j.Necessity {
		if string(n.Other) != "null" {
			all = append(all, n.Other)
		}
	}
	for _, k := range j.Cures {
		if k.Schedule != nil {
			all = append(all, k.Schedule.Trace)
		}
	}
	for _, data := range all {
		if got := dlcheckWith(nil, string(data), "trace", "-"); got.status != 0 || got.errOut != "" {
			t.Errorf("%s: %+v", data, got)
		}
	}
}

func explanationSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	for _, word := range []string{"trace", "report", "explain"} {
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(dlcheck("schema", word).out))
		if err != nil {
			t.Fatal(err)
		}
		if err := c.AddResource("urn:dlcheck:"+word+":v1", doc); err != nil {
			t.Fatal(err)
		}
	}
	return c.MustCompile("urn:dlcheck:explain:v1")
}

// TestExplanationSchemaBites: the schema refuses what an explanation is not.
func TestExplanationSchemaBites(t *testing.T) {
	schema := explanationSchema(t)
	good := dlcheck("explain", exampleFile(t, explained[1].check, explained[1].file), "--format", "json").out
	for _, c := range []struct{ old, new string }{
		{`"answer": "unnecessary"`, `"answer": "necessary"`},
		{`"answer": "unnecessary"`, `"answer": "maybe"`},
		{`"role": "choice"`, `"role": "chance"`},
		{`"best": "store claimed"`, `"best": 3`},
		{`"broken": false`, `"brokn": false`},
		{`"stopped": ""`, `"stopped": "interrupted"`},
		{`"verdict": "holds"`, `"verdict": "fine"`},
	} {
		bad := strings.Replace(good, c.old, c.new, 1)
		if bad == good || validate(schema, bad) == nil {
			t.Errorf("%s in place of %s: changed %v, and it passes", c.new, c.old, bad != good)
		}
	}
}

// TestExplainChooses: one trace of a report, or a property of a trace that
// names none.
func TestExplainChooses(t *testing.T) {
	report := dlcheck("--json", "--clients", "2", "--store", "plain,fenced", "--property", "stale-overwrite,lost-update").out
	schedule := aTrace(t, "plain")
	schedule.Remark = nil
	harmless, err := schedule.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	silent := dlcheck("run", "dlock-unfenced", "--format", "json").out
	for _, c := range []struct {
		input, args string
		status      int
		out, errOut string
	}{
		{report, "--store fenced", 0, "lost-update: ", ""},
		{report, "--store plain --property stale-overwrite", 0, "stale-overwrite: ", ""},
		{report, "", 2, "", "standard input: it has 3 traces, and one is explained: choose with --store and --property; there are plain stale-overwrite; plain lost-update; fenced lost-update\n"},
		{report, "--store claimed", 2, "", "the report has no such trace"},
		{silent, "", 0, "stale-overwrite: ", ""},
		{silent, "--property lost-update", 0, "lost-update: ", ""},
		{silent, "--property unlocked-write", 0, "unlocked-write: ", ""},
		{silent, "--property mutual-exclusion", 2, "", "standard input: the schedule breaks not mutual-exclusion: there is nothing to explain\n"},
		{string(harmless), "", 2, "", "standard input: the schedule breaks no property: there is nothing to explain\n"},
		{string(harmless), "--property progress", 2, "", "there is nothing to explain"},
		{"", "", 2, "", "standard input: "},
		{"{}", "", 2, "", "its schema is"},
	} {
		got := dlcheckFrom(c.input, append([]string{"explain", "-"}, strings.Fields(c.args)...)...)
		if got.status != c.status || !strings.HasPrefix(got.out, c.out) || c.out == "" && got.out != "" ||
			!strings.Contains(got.errOut, c.errOut) || c.status == 2 && strings.Count(got.errOut, "\n") != 1 {
			t.Errorf("%s: status %d, stdout %.100q, stderr %q", c.args, got.status, got.out, got.errOut)
		}
	}
}

// dlcheckFrom calls dlcheck with a standard input.
func dlcheckFrom(stdin string, args ...string) call { return dlcheckWith(untimed, stdin, args...) }

// TestExplainLeavesOpen: an interrupt and a lack of states leave questions
// open, and what is known is said all the same.
func TestExplainLeavesOpen(t *testing.T) {
	schema := explanationSchema(t)
	file := exampleFile(t, explained[0].check, explained[0].file)
	got := dlcheck("explain", file, "--states", "50")
	if got.status != exitIncomplete || got.errOut != "" || !strings.Contains(got.out, "?          not decided") || !strings.Contains(got.out, "yes        not broken at any horizon") ||
		!strings.Contains(oneLine(got.out), "one question may take 50.") || !strings.Contains(got.out, "incomplete") {
		t.Errorf("%+v", got)
	}
	golden(t, "explain/states.txt", "$ dlcheck explain plain-stale-overwrite.json --states 50\n"+got.out)
	for _, args := range [][]string{{"--states", "50"}, {}} {
		ctx, cancel := context.WithCancel(context.Background())
		if len(args) == 0 {
			cancel()
		}
		var out, errOut bytes.Buffer
		c := newCommand(nil, &out, &errOut)
		if status := c.run(ctx, append([]string{"explain", file, "--format", "json"}, args...)); status != exitIncomplete || errOut.Len() > 0 {
			t.Errorf("%v: status %d, %s", args, status, errOut.String())
		}
		if err := validate(schema, out.String()); err != nil || !strings.Contains(out.String(), `"exit_status": 3`) {
			t.Errorf("%v: %v", args, err)
		}
		cancel()
	}
}

// TestExplainNamesAreKept: a schedule whose clients have names is told with
// them.
func TestExplainNamesAreKept(t *testing.T) {
	got := dlcheckFrom(dlcheck("run", "lesson-longer-pause", "--format", "json").out, "explain", "-")
	if got.status != 0 || strings.Contains(got.out, " A ") || !strings.Contains(got.out, "Katrina pauses") || !strings.Contains(got.out, "Katrina's write, tick") {
		t.Errorf("%+v", got)
	}
}

// TestExplainIsOfTheCheck: the verdict on a cured world is that of the check
// with the cure's settings.
func TestExplainIsOfTheCheck(t *testing.T) {
	for _, c := range explained {
		var j struct {
			Property string `json:"property"`
			Cures    []struct {
				Settings map[string]string        `json:"settings"`
				World    struct{ Verdict string } `json:"world"`
			} `json:"cures"`
		}
		if err := json.Unmarshal([]byte(dlcheck("explain", exampleFile(t, c.check, c.file), "--format", "json").out), &j); err != nil {
			t.Fatal(err)
		}
		for _, k := range j.Cures {
			args := append(strings.Fields(c.check), "--json")
			if k.Settings["store"] != "" {
				args = slices.DeleteFunc(args, func(a string) bool { return a == "--store" || a == strings.Split(c.file, "-")[0] })
			}
			for field, v := range k.Settings {
				args = append(args, "--"+field, v)
			}
			var report struct {
				Runs []struct{ Verdicts []struct{ Verdict string } }
			}
			got := dlcheck(args...)
			if err := json.Unmarshal([]byte(got.out), &report); err != nil {
				t.Fatalf("%v: %v, %s", args, err, got.errOut)
			}
			if v := report.Runs[0].Verdicts[0].Verdict; v != k.World.Verdict {
				t.Errorf("%v: %s, explained as %s", args, v, k.World.Verdict)
			}
		}
	}
}
