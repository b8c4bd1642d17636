package checker

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"strings"
	"testing"

	"dlcheck/explore/checkpoint/checkpointtest"
	"dlcheck/model"
)

// checkpointed are questions whose answers take every kind of search.
func checkpointed(t *testing.T) map[string]Question {
	t.Helper()
	all := map[string]Question{}
	add := func(name string, set string, change func(*Question)) {
		q := Question{Config: model.DefaultConfig(), Properties: []string{"all"}, Minimize: Steps, Reduce: model.AllReductions(), List: 3}
		q.Config.Clients, q.Config.TTL, q.Config.Ticks = 2, 3, 9
		for _, s := range strings.Fields(set) {
			name, value, _ := strings.Cut(s, "=")
			if err := q.Config.Set(model.Setting{Field: name, Value: value}); err != nil {
				t.Fatal(err)
			}
		}
		if change != nil {
			change(&q)
		}
		properties, err := Expand(q.Properties)
		if err != nil {
			t.Fatal(err)
		}
		q.Properties = properties
		all[name] = q
	}
	add("everything", "store=plain", func(q *Question) { q.Stats, q.Front, q.AllMinimal = true, true, true })
	add("holds", "store=claimed", func(q *Question) { q.Stats = true })
	add("ticks", "store=fenced", func(q *Question) { q.Minimize, q.AllMinimal = Ticks, true })
	add("events past the bound", "store=fenced ttl=6 ticks=4", func(q *Question) { q.Minimize, q.Front = Events, true })
	add("faults", "store=claimed restarts=1", func(q *Question) { q.Minimize, q.AllMinimal = Faults, true })
	add("with a clock", "store=fenced ticks=5", func(q *Question) { q.Reduce, q.Stats = model.Reductions{}, true })
	add("stuck", "store=fenced release=never expiry=never ticks=4", func(q *Question) { q.Properties = []string{"progress"} })
	add("past the bound", "store=claimed ttl=14 ticks=3", func(q *Question) { q.MaxStates, q.Stats = 150, true })
	add("out of memory", "store=fenced", func(q *Question) { q.MaxBytes = 300_000 })
	return all
}

// runOf is a run without its time.
func runOf(t *testing.T, q Question) *Run {
	t.Helper()
	run, err := Check(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	run.Elapsed = 0
	return run
}

func open(t *testing.T, disk *checkpointtest.Faulty, resume bool, q Question) Question {
	t.Helper()
	k, err := openCheckpoint(disk, Keeping{Dir: "dir", Resume: resume, By: "a test"}, []Question{q})
	if err != nil {
		t.Fatal(err)
	}
	q.Checkpoint = k
	return q
}

// TestResumedAnswer kills checks in the midst of what they do to the disk, and again
// where they have been resumed, each time with another number of workers: their
// answers are those of undisturbed runs, in everything.
func TestResumedAnswer(t *testing.T) {
	for name, q := range checkpointed(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want := runOf(t, q)
			dir := checkpointtest.Memory{}
			undisturbed := &checkpointtest.Faulty{Memory: dir, Op: "rename"}
			if got := runOf(t, open(t, undisturbed, false, q)); !reflect.DeepEqual(got, want) {
				t.Fatalf("saved it is\n%+v, want\n%+v", got, want)
			}
			if got := runOf(t, open(t, undisturbed, true, q)); !reflect.DeepEqual(got, want) {
				t.Errorf("resumed when all was done it is\n%+v, want\n%+v", got, want)
			}
			ops := -undisturbed.After // renames in all
			for i, step := 2, 1+ops/6; i < ops; i += step {
				dir := checkpointtest.Memory{}
				kills := 0
				for {
					q := q
					q.Workers = 1 + (i+kills)%3
					var got *Run
					func() {
						defer func() {
							if v := recover(); v != nil && v != any(checkpointtest.Killed{}) {
								panic(v)
							}
						}()
						disk := &checkpointtest.Faulty{Memory: dir, Op: "rename", After: i, Times: 1, Kill: true}
						got = runOf(t, open(t, disk, kills > 0, q))
					}()
					if got == nil {
						kills++
						continue
					}
					if !reflect.DeepEqual(got, want) {
						t.Errorf("killed %d times after %d renames it is\n%+v, want\n%+v", kills, i, got, want)
					}
					break
				}
				if kills == 0 {
					t.Errorf("after %d of %d renames: never killed", i, ops)
				}
			}
		})
	}
}

// TestSearchesAreTold: two questions that differ in anything share no search, however
// alike they are; and the same question has the same.
func TestSearchesAreTold(t *testing.T) {
	folders := func(q Question) map[string]bool {
		dir := checkpointtest.Memory{}
		runOf(t, open(t, &checkpointtest.Faulty{Memory: dir}, false, q))
		seen := map[string]bool{}
		for path := range dir {
			if parts := strings.Split(path, "/"); len(parts) == 3 {
				seen[parts[1]] = true
			}
		}
		return seen
	}
	base := checkpointed(t)["ticks"]
	base.Properties = []string{"stale-overwrite", "lost-update", "linearizable"}
	want := folders(base)
	if !reflect.DeepEqual(folders(base), want) {
		t.Error("two runs have other searches")
	}
	for name, change := range map[string]func(*Question){
		"ttl":        func(q *Question) { q.Config.TTL++ },
		"ticks":      func(q *Question) { q.Config.Ticks++ },
		"store":      func(q *Question) { q.Config.Store = "strict" },
		"program":    func(q *Question) { q.Config.Program, _ = model.ParseProgram("acquire, read, check, write, release") },
		"axis":       func(q *Question) { _ = q.Config.Set(model.Setting{Field: "crashes", Value: "1"}) },
		"reductions": func(q *Question) { q.Reduce.Clients = false },
		"states":     func(q *Question) { q.MaxStates = 1_000_000 },
	} {
		q := base
		change(&q)
		for folder := range folders(q) {
			if want[folder] {
				t.Errorf("%s: %s is a search of both", name, folder)
			}
		}
	}
	// What is only counted or watched decides the first search.
	for name, change := range map[string]func(*Question){
		"stats":    func(q *Question) { q.Stats = true },
		"property": func(q *Question) { q.Properties = append([]string{"lease-overlap"}, q.Properties...) },
	} {
		q := base
		change(&q)
		shared := maps.Clone(want)
		maps.DeleteFunc(shared, func(f string, _ bool) bool { return !strings.HasPrefix(f, "fenced-states-") })
		for folder := range folders(q) {
			if shared[folder] {
				t.Errorf("%s: %s is a search of both", name, folder)
			}
		}
	}
}

// TestCheckpointInTrouble: a disk that is full ends no check. It is said at once, and
// again at the end unless all went well after it.
func TestCheckpointInTrouble(t *testing.T) {
	q := checkpointed(t)["everything"]
	want := runOf(t, q)
	for _, c := range []struct {
		after, times int
		warned       bool
		note         string
	}{
		{8, 1 << 30, true, " UTC: saving in dir failed "},
		{1, 1 << 30, true, "nothing of this run is saved: saving in dir failed "},
		{8, 3, true, ""},
		{1 << 30, 0, false, ""},
	} {
		dir := checkpointtest.Memory{}
		q := open(t, &checkpointtest.Faulty{Memory: dir, Op: "write", After: c.after, Times: c.times}, false, q)
		var warnings []string
		q.Checkpoint.warn = func(w string) { warnings = append(warnings, w) }
		got := runOf(t, q)
		note := q.Checkpoint.Trouble()
		if (len(warnings) > 0) != c.warned || len(warnings) > 1 ||
			c.warned && warnings[0] != "the checkpoint in dir could not be saved (no space left on device); the search goes on, and saving is tried again" {
			t.Errorf("%+v: it warns %q", c, warnings)
		}
		if c.note == "" && note != "" || !strings.Contains(note, c.note) || c.note != "" && !strings.HasSuffix(note, " times since (no space left on device)") {
			t.Errorf("%+v: in the end it says %q", c, note)
		}
		notes := want.Notes
		if note != "" {
			notes = append(notes[:len(notes):len(notes)], note)
		}
		if !reflect.DeepEqual(got.Notes, notes) {
			t.Errorf("%+v: notes %q, want %q", c, got.Notes, notes)
		}
		got.Notes = want.Notes
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%+v: another answer", c)
		}
		q.Checkpoint = nil
		if got := runOf(t, open(t, &checkpointtest.Faulty{Memory: dir}, true, q)); !reflect.DeepEqual(got, want) {
			t.Errorf("%+v: another answer when resumed", c)
		}
	}
}

// TestMoreMemoryGoesOn: a check that ran out of memory has the answer of one that had
// enough, when it is resumed with more. So it is where histories took it all.
func TestMoreMemoryGoesOn(t *testing.T) {
	for name, properties := range map[string][]string{"states": {"lost-update"}, "histories": {"linearizable"}} {
		q := checkpointed(t)["with a clock"]
		q.Config.Clients, q.Config.Store, q.Properties, q.Stats = 3, "claimed", properties, false
		want := runOf(t, q)
		cut := q
		cut.MaxBytes = want.PeakBytes / 2
		if name == "histories" { // a quarter is theirs
			cut.MaxBytes = 200_000
		}
		lacking := runOf(t, cut)
		if lacking.Stopped != outOfMemory {
			t.Fatalf("%s: stopped %q", name, lacking.Stopped)
		}
		dir := checkpointtest.Memory{}
		runOf(t, open(t, &checkpointtest.Faulty{Memory: dir}, false, cut))
		if got := runOf(t, open(t, &checkpointtest.Faulty{Memory: dir}, true, cut)); !reflect.DeepEqual(got, lacking) {
			t.Errorf("%s: resumed with as much\n%+v, want\n%+v", name, got, lacking)
		}
		if got := runOf(t, open(t, &checkpointtest.Faulty{Memory: dir}, true, q)); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: resumed with more\n%+v, want\n%+v", name, got, want)
		}
	}
}

// TestOpenCheckpoint: what is no place for one is refused, and a checkpoint of another
// question, with all that differs.
func TestOpenCheckpoint(t *testing.T) {
	q := checkpointed(t)["everything"]
	dir := checkpointtest.Memory{}
	open(t, &checkpointtest.Faulty{Memory: dir}, false, q)
	other := q
	other.Config.Clients, other.Front = 3, false
	other.Properties = []string{"progress"}
	for i, c := range []struct {
		disk   checkpointtest.Memory
		resume bool
		by     string
		q      Question
		want   string
	}{
		{dir, false, "a test", q, ErrCheckpointThere.Error()},
		{checkpointtest.Memory{}, true, "a test", q, ErrNoCheckpoint.Error()},
		{checkpointtest.Memory{"dir/thesis.tex": nil}, false, "a test", q, ErrNotEmpty.Error()},
		{checkpointtest.Memory{"dir/lock": nil, "dir/question.json.tmp": nil}, false, "a test", q, "<nil>"},
		{dir, true, "a test", q, "<nil>"},
		{dir, true, "v2", q, "dir/question.json: it was written by dlcheck a test, which can have other rules than this one, v2; resume with that, or begin anew in another folder"},
		{dir, true, "a test", other, fmt.Sprintf("dir/question.json: it is of another question: clients is 2 in it, and 3 here, front is true in it, and false here, property is %s in it, and progress here; ask what was asked then, or choose another folder", strings.Join(q.Properties, ","))},
	} {
		_, err := openCheckpoint(c.disk, Keeping{Dir: "dir", Resume: c.resume, By: c.by}, []Question{c.q})
		if fmt.Sprint(err) != c.want {
			t.Errorf("case %d: %v, want %s", i, err, c.want)
		}
	}
	if _, err := openCheckpoint(&checkpointtest.Faulty{Memory: checkpointtest.Memory{}, Op: "sync", Times: 1}, Keeping{Dir: "dir"}, []Question{q}); !errors.Is(err, checkpointtest.ErrDisk) {
		t.Errorf("a disk that fails before the search: %v", err)
	}
}

// TestInterruptedIsResumed: what a cancelled context ends goes on where it was.
func TestInterruptedIsResumed(t *testing.T) {
	q := checkpointed(t)["everything"]
	want := runOf(t, q)
	dir := checkpointtest.Memory{}
	for try := 0; ; try++ {
		ctx, cancel := context.WithCancel(t.Context())
		q := open(t, &checkpointtest.Faulty{Memory: dir}, try > 0, q)
		calls, most := 0, 40+20*try
		q.Progress = func(Progress) {
			if calls++; calls == most {
				cancel()
			}
		}
		run, err := Check(ctx, q)
		cancel()
		if err != nil {
			t.Fatal(err)
		}
		if calls >= most {
			continue
		}
		if run.Elapsed = 0; try < 3 || !reflect.DeepEqual(run, want) {
			t.Errorf("after %d tries\n%+v, want\n%+v", try, run, want)
		}
		break
	}
}
