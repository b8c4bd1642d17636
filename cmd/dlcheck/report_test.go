package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"dlcheck/checker"
	"dlcheck/model"
	"dlcheck/traces"
)

// aTrace is a schedule that every store allows.
func aTrace(t *testing.T, store string) *traces.Trace {
	t.Helper()
	cfg := model.DefaultConfig()
	cfg.Store = store
	const a = 0
	trace, err := traces.Play(cfg, []traces.Call{
		{Client: a, Kind: model.Acquire}, {Client: model.Nobody, Kind: model.Tick},
		{Client: a, Kind: model.Read}, {Client: model.Nobody, Kind: model.Tick}, {Client: a, Kind: model.Write},
	})
	if err != nil {
		t.Fatal(err)
	}
	trace.Remark = &traces.Remark{Property: "lost-update", At: 4, Reason: "A sentence.", Minimal: true}
	return trace
}

// everyVerdict is a check that finds everything that can be found.
func everyVerdict(t *testing.T) checkFunc {
	return func(_ context.Context, q checker.Question) (*checker.Run, error) {
		trace := aTrace(t, q.Config.Store)
		rough := *trace
		rough.Remark = &traces.Remark{Property: "token-order", At: 2, Reason: "Another sentence."}
		return &checker.Run{
			Minimize: checker.Steps,
			Config:   q.Config, Reductions: q.Reduce.Names(), States: 12_345_678, Transitions: 123_456_789,
			Elapsed: 123 * time.Second, Stopped: "out of memory",
			Notes: []string{"a warning that is long enough to need more than one line on a page of a hundred columns, as some are"},
			Verdicts: []checker.Verdict{
				{Property: "lease-overlap", Result: checker.Holds, Bound: -1, Scope: "everything was seen"},
				{Property: "stale-overwrite", Result: checker.HoldsToBound, Bound: 30, Scope: "30 ticks were seen"},
				{Property: "linearizable", Result: checker.Incomplete, Bound: -1, Scope: "memory was used up"},
				{Property: "lost-update", Result: checker.Violated, Bound: -1, Trace: trace},
				{Property: "token-order", Result: checker.HoldsToBound, Bound: 30, BeyondAt: 34, Trace: &rough, Scope: "30 ticks were seen"},
				{Property: "unlocked-write", Result: checker.Violated, Bound: -1, ReportOnly: true, Trace: trace},
			},
		}, nil
	}
}

// TestEveryVerdict shows each verdict in each form of output.
func TestEveryVerdict(t *testing.T) {
	for _, c := range []struct {
		file string
		args []string
	}{
		{"verdicts.txt", []string{"--store", "plain,claimed"}},
		{"verdicts-events.txt", []string{"--store", "plain", "--minimize", "events", "--reduce", "none", "--ticks", "unlimited", "--max-pause", "7"}},
		{"verdicts-quiet.txt", []string{"--store", "plain,claimed", "--quiet"}},
		{"verdicts.json", []string{"--store", "plain", "--json"}},
	} {
		got := dlcheckWith(everyVerdict(t), "", c.args...)
		noted := ""
		if slices.Contains(c.args, "--quiet") {
			noted = "dlcheck: note: plain, claimed: a warning that is long enough to need more than one line on a page of a hundred columns, as some are\n"
		}
		if got.status != exitViolated || got.errOut != noted {
			t.Errorf("%v: status %d, stderr %q", c.args, got.status, got.errOut)
		}
		golden(t, c.file, got.out)
		if !strings.HasSuffix(c.file, ".json") {
			tidy(t, got.out)
		}
	}
}

// TestMainJob pins what a newcomer sees first.
func TestMainJob(t *testing.T) {
	got := dlcheckWith(untimed, "", "--clients", "3", "--ticks", "30")
	if got.status != exitViolated || got.errOut != "" {
		t.Errorf("status %d, stderr %q", got.status, got.errOut)
	}
	tidy(t, got.out)
	golden(t, "main-job.txt", got.out)
}

func TestStatus(t *testing.T) {
	for _, c := range []struct {
		args   string
		status int
	}{
		{"--store claimed", exitHolds},
		{"--store fenced --property seed", exitHolds},
		{"--store fenced --property lost-update --ticks 5 --reduce none", exitHolds},
		{"--store fenced --property lost-update", exitViolated},
		{"--store fenced --property unlocked-write", exitHolds}, // reported, never a failure
		{"--store claimed --property mutual-exclusion --time-limit 1ns", exitIncomplete},
		{"--store claimed --property mutual-exclusion --memory 1B", exitIncomplete},
	} {
		got := dlcheck(strings.Fields(c.args)...)
		if got.status != c.status || got.errOut != "" {
			t.Errorf("%s: status %d, want %d; stderr %q\n%s", c.args, got.status, c.status, got.errOut, got.out)
		}
	}
}

func TestStatusOf(t *testing.T) {
	run := func(vs ...checker.Verdict) *checker.Run { return &checker.Run{Verdicts: vs} }
	holds := checker.Verdict{Result: checker.Holds}
	bound := checker.Verdict{Result: checker.HoldsToBound}
	beyond := checker.Verdict{Result: checker.HoldsToBound, BeyondAt: 34}
	violated := checker.Verdict{Result: checker.Violated}
	possible := checker.Verdict{Result: checker.Violated, ReportOnly: true}
	incomplete := checker.Verdict{Result: checker.Incomplete}
	for i, c := range []struct {
		runs   []*checker.Run
		status int
	}{
		{nil, exitHolds},
		{[]*checker.Run{run(holds, bound, possible)}, exitHolds},
		{[]*checker.Run{run(holds), run(violated)}, exitViolated},
		{[]*checker.Run{run(beyond)}, exitViolated},
		{[]*checker.Run{run(incomplete), run(holds)}, exitIncomplete},
		{[]*checker.Run{run(incomplete), run(violated)}, exitViolated},
		{[]*checker.Run{run(violated), run(incomplete)}, exitViolated},
	} {
		if got := statusOf(c.runs); got != c.status {
			t.Errorf("case %d: status %d, want %d", i, got, c.status)
		}
	}
}

// TestStatusInReport: whoever has only the report knows the exit status.
func TestStatusInReport(t *testing.T) {
	for _, args := range []string{"--store claimed", "--store fenced", "--store claimed --time-limit 1ns"} {
		got := dlcheck(append(strings.Fields(args), "--json")...)
		var report struct {
			Dlcheck string `json:"dlcheck"`
			Status  int    `json:"exit_status"`
		}
		if err := json.Unmarshal([]byte(got.out), &report); err != nil || report.Status != got.status || report.Dlcheck != "v0, a test" {
			t.Errorf("%s: status %d, in the report %+v, %v", args, got.status, report, err)
		}
	}
}

// TestNotes: what a verdict does not say is said beside it.
func TestNotes(t *testing.T) {
	args := strings.Fields("--clients 2 --store strict --property lost-update --program acquire,claim,read,write,release")
	const note = "strict: no write is ever accepted in this world"
	if got := dlcheck(args...); got.status != 0 || got.errOut != "" || !strings.Contains(got.out, "\n\nnote: "+note) {
		t.Errorf("%+v", got)
	}
	if got := dlcheck(append(args, "--quiet")...); got.out != "strict  lost-update  holds\n" || !strings.HasPrefix(got.errOut, "dlcheck: note: "+note) || strings.Count(got.errOut, "\n") != 1 {
		t.Errorf("%+v", got)
	}
	if got := dlcheck("--store", "fenced", "--property", "lost-update"); strings.Contains(got.out, "note:") {
		t.Errorf("a note without a reason: %s", got.out)
	}
	// Of these no tick ends a lease, and clients are late all the same.
	if got := dlcheck("--system", "kubernetes", "--property", "mutual-exclusion", "--quiet"); got.errOut != "" {
		t.Errorf("a note without a reason: %s", got.errOut)
	}
	if got := dlcheck("--system", "kafka", "--property", "mutual-exclusion", "--quiet"); !strings.HasPrefix(got.errOut, "dlcheck: note: fenced: there is no lock in this world") || strings.Count(got.errOut, "\n") != 1 {
		t.Errorf("%s", got.errOut)
	}
	if got := dlcheck("--system", "redis", "--ttl", "5", "--property", "mutual-exclusion", "--quiet"); !strings.HasPrefix(got.errOut, "dlcheck: note: plain: the deadline is 10 and the ttl 5: ") {
		t.Errorf("no note: %+v", got)
	}
}

// TestErrorOfTheCheck: what package checker refuses is one line and status 2.
func TestErrorOfTheCheck(t *testing.T) {
	refuse := func(context.Context, checker.Question) (*checker.Run, error) {
		return nil, errors.New("a state needs 2000 bits\nand 1024 fit")
	}
	got := dlcheckWith(refuse, "")
	if got.status != exitUsage || got.errOut != "dlcheck: a state needs 2000 bits and 1024 fit\n" || got.out != "" {
		t.Errorf("%+v", got)
	}
}

// TestQuestion: what the flags say arrives.
func TestQuestion(t *testing.T) {
	var asked []checker.Question
	record := func(_ context.Context, q checker.Question) (*checker.Run, error) {
		asked = append(asked, q)
		return &checker.Run{Config: q.Config}, nil
	}
	got := dlcheckWith(record, "", "--store", "strict", "--store", "plain,strict", "--property", "seed", "--property", "lost-update",
		"--clients", "4", "--ticks", "unlimited", "--ttl", "5", "--servers", "3", "--rounds", "2", "--pauses", "0", "--max-pause", "7",
		"--program", "acquire,work 2,release", "--minimize", "ticks", "--reduce", "dead, time", "--workers", "3", "--memory", "1KiB")
	if got.status != 0 || len(asked) != 2 {
		t.Fatalf("%+v, asked %d", got, len(asked))
	}
	q := asked[0]
	q.Progress = nil // functions cannot be compared
	world := model.DefaultConfig()
	world.Clients, world.Ticks, world.TTL, world.Servers, world.Rounds, world.Pauses, world.MaxPause = 4, model.NoBound, 5, 3, 2, 0, 7
	world.Store, world.Program = "strict", model.Program{model.OpAcquire, model.OpWork, model.OpWork, model.OpRelease}
	want := checker.Question{Config: world, Minimize: checker.Ticks, Reduce: model.Reductions{Time: true, Dead: true}, Workers: 3, MaxBytes: 1024,
		Properties: []string{"lease-overlap", "stale-overwrite", "linearizable", "lost-update"}}
	if !reflect.DeepEqual(q, want) {
		t.Errorf("asked %+v\nwant  %+v", q, want)
	}
	if asked[1].Config.Store != "plain" {
		t.Errorf("second store %q", asked[1].Config.Store)
	}
}

// schemas compiles the schemas that dlcheck schema prints.
func schemas(t *testing.T) (report, trace *jsonschema.Schema) {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	for _, word := range []string{"trace", "report"} {
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(dlcheck("schema", word).out))
		if err != nil {
			t.Fatal(err)
		}
		if err := c.AddResource("urn:dlcheck:"+word+":v1", doc); err != nil {
			t.Fatal(err)
		}
	}
	return c.MustCompile("urn:dlcheck:report:v1"), c.MustCompile("urn:dlcheck:trace:v1")
}

func validate(s *jsonschema.Schema, doc string) error {
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(doc))
	if err != nil {
		return err
	}
	return s.Validate(v)
}

func TestReportSchema(t *testing.T) {
	report, _ := schemas(t)
	docs := map[string]string{
		"every verdict": dlcheckWith(everyVerdict(t), "", "--json").out,
		"main job":      dlcheck("--json").out,
		"all programs":  dlcheck("--json", "--store", "strict,fenced", "--clients", "2", "--program", "acquire, check, claim, read, work 2, write, write, release", "--max-pause", "4", "--servers", "3", "--ttl", "3").out,
		"minimal":       dlcheck("--json", "--store", "plain", "--clients", "2", "--ttl", "4", "--clock-jumps", "1", "--minimize", "faults", "--front", "--all-minimal", "--list", "2").out,
		"not minimal":   dlcheck("--json", "--store", "plain", "--ttl", "4", "--front", "--all-minimal", "--memory", "1B").out,
		"incomplete":    dlcheck("--json", "--time-limit", "1ns").out,
		"no bound":      dlcheck("--json", "--ticks", "unlimited", "--reduce", "none", "--clients", "2", "--ttl", "3").out,
	}
	for name, doc := range docs {
		if err := validate(report, doc); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	// The schema bites.
	good := docs["every verdict"]
	for _, change := range [][2]string{
		{`"store": "plain"`, `"store": "plain", "colour": "red"`},
		{`"verdict": "holds"`, `"verdict": "perhaps"`},
		{`"stopped": "out of memory"`, `"stopped": "tired"`},
		{`"bound": 30`, `"bound": null`},
		{`"states": 12345678`, `"states": -1`},
		{`"dlcheck": "v0, a test"`, `"dlcheck": ""`},
		{`"exit_status": 1`, `"exit_status": 4`},
		{`"notes": [`, `"notes": ["",`},
		{`"actor": "A"`, `"actor": "Z"`},
		{`"action": "read"`, `"action": "tick"`},
	} {
		bad := strings.Replace(good, change[0], change[1], 1)
		if bad == good {
			t.Errorf("the report has no %s", change[0])
		} else if validate(report, bad) == nil {
			t.Errorf("the schema accepts %s", change[1])
		}
	}
}

func TestTraceSchemaKnowsEveryAction(t *testing.T) {
	var s struct {
		Defs struct {
			Action struct {
				Properties struct {
					Action struct{ Enum []string }
				}
			}
		} `json:"$defs"`
	}
	if err := json.Unmarshal(traces.SchemaFile, &s); err != nil {
		t.Fatal(err)
	}
	for _, name := range s.Defs.Action.Properties.Action.Enum {
		if _, ok := model.KindByName(name); !ok {
			t.Errorf("the schema of traces has an action %q that the model does not have", name)
		}
	}
}

// full is a disk without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestFullDisk(t *testing.T) {
	for _, args := range []string{"--store claimed", "--json", "--quiet", "--help", "stores", "man", "schema trace", "--version", "completion bash", "help trace"} {
		var errOut bytes.Buffer
		status := run(context.Background(), strings.Fields(args), os.Stdin, full{}, &errOut)
		if status != exitUsage || !strings.HasPrefix(errOut.String(), "dlcheck: ") || !strings.HasSuffix(errOut.String(), "no space left on device\n") || strings.Count(errOut.String(), "\n") != 1 {
			t.Errorf("%s: status %d, stderr %q", args, status, errOut.String())
		}
	}
}

func TestColours(t *testing.T) {
	var out bytes.Buffer
	c := newCommand(nil, &out, os.Stderr)
	c.check, c.colours.on = everyVerdict(t), true
	if c.run(context.Background(), []string{"--store", "plain"}); !strings.Contains(out.String(), "\x1b[1;31mVIOLATED\x1b[0m") {
		t.Errorf("no red: %q", out.String())
	}
	t.Setenv("TERM", "xterm")
	t.Setenv("NO_COLOR", "1")
	if coloursWanted() {
		t.Error("NO_COLOR is not respected")
	}
	t.Setenv("NO_COLOR", "")
	if !coloursWanted() {
		t.Error("an empty NO_COLOR turns colours off")
	}
}
