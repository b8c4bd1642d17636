package traces

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"
)

func toText(t testing.TB, tr *Trace) string {
	t.Helper()
	data, err := json.Marshal(tr)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestRoundTrip: what is written is what is read, for walks in all directions.
func TestRoundTrip(t *testing.T) {
	for seed := range uint64(3000) {
		tr := randomTrace(t, seed)
		text := toText(t, tr)
		again, err := ReadJSON([]byte(text))
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		if !reflect.DeepEqual(tr, again) {
			t.Fatalf("seed %d: wrote %+v, read %+v", seed, tr, again)
		}
	}
}

// TestGoldenFilesAreRead: what was written once can be read today.
func TestGoldenFilesAreRead(t *testing.T) {
	for _, name := range []string{"lost_update", "nothing", "every_action", "refused"} {
		data, err := os.ReadFile("testdata/" + name + ".json")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ReadJSON(data); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestReadRefuses: a lie anywhere in a file is found, and said in a sentence.
// Each row replaces a part of the story of the lost update.
func TestReadRefuses(t *testing.T) {
	good := toText(t, lostUpdate(t))
	const work = `"program":"acquire, work 4000, release"`
	for _, row := range []struct{ old, new, want string }{
		// Not a trace.
		{good, ``, `it is not a trace in JSON: EOF`},
		{good, `[]`, `line 1: it is not a trace in JSON: json: cannot unmarshal array into Go value of type traces.jsonTrace`},
		{good, `null`, `its schema is ""; this dlcheck reads "dlcheck/trace/v1"`},
		{good, "{\n\"schema\": \n?", `line 3: it is not a trace in JSON: invalid character '?' looking for beginning of value`},
		{good, good + good, `there is something after the trace: a file holds one`},
		{good, good + "x", `there is something after the trace: a file holds one`},
		{`"steps":19`, `"steps":19,"colour":1`, `it is not a trace in JSON: json: unknown field "colour"`},
		{`"ttl":10`, `"ttl":10,"colour":1`, `it is not a trace in JSON: json: unknown field "colour"`},
		{`"actor":"A"`, `"actor":"A","colour":1`, `it is not a trace in JSON: json: unknown field "colour"`},
		{`"ttl":10`, `"ttl":1.5`, `line 1: it is not a trace in JSON: json: cannot unmarshal number 1.5 into Go struct field World.world.ttl of type int`},
		{`trace/v1`, `trace/v2`, `its schema is "dlcheck/trace/v2"; this dlcheck reads "dlcheck/trace/v1"`},

		// A world that cannot be.
		{`"fenced"`, `"fence"`, `its world cannot be: there is no store "fence"; there are claimed, conditional, equal, fenced, guarded, plain, strict, two-step`},
		{`"clients":2`, `"clients":17`, `its world cannot be: clients 17 is not within 1 to 16 (two are enough for most counterexamples)`},
		{`"max_pause":null`, `"max_pause":0`, `its world cannot be: max-pause 0 is not within 1 to 1000000000 (or "unlimited"; for no pauses at all set pauses to 0)`},
		{`"program":"acquire, `, `"program":"`, `its world cannot be: program "read, write, release" must begin with acquire and end with release; `},
		{`"program":"acquire, read, write, release"`, work, `its world cannot be: program has more than 4000 steps; try less work`},

		// A schedule that cannot be.
		{`"action":"read"`, `"action":"sleep"`, `action 3: there is no action "sleep"`},
		{`"actor":"A"`, `"actor":"Q"`, `action 1: there is no actor "Q"; clients are A to P, and there is the clock`},
		{`"actor":"A"`, `"actor":"a"`, `action 1: there is no actor "a"; clients are A to P, and there is the clock`},
		{`"actor":"A"`, `"actor":"P"`, `action 1 at tick 0, P: acquire: the model does not allow it: there is no such client; the world has 2`},
		{`"action":"read"`, `"action":"write"`, `action 3 at tick 1, A: write: the model does not allow it: A has read in front of it`},
		{`"action":"read"`, `"action":"tick"`, `action 3 at tick 1, A: tick: the model does not allow it: only the clock ticks`},
		{`"ttl":10`, `"ttl":11`, `action 13 at tick 9, clock: tick: it is recorded as `},
		{`"pauses":1`, `"pauses":0`, `action 5 at tick 2, A: pause: the model does not allow it: A has no pause left in this round, of 0 pauses`},
		{`"max_pause":null`, `"max_pause":7`, `action 13 at tick 9, the clock: tick: the model does not allow it: A has been paused for 7 ticks, the longest pause there is, and must take its step`},
		{`"ticks":30`, `"ticks":3`, `action 7 at tick 3, the clock: tick: the model does not allow it: the clock stops after 3 ticks`},

		// An answer that the model does not give.
		{`"ok":true,"token":1`, `"ok":true,"token":2`, `action 1 at tick 0, A: acquire: it is recorded as {"tick":0,"actor":"A","action":"acquire","ok":true,"token":2,"granted":[0],"holder":"A"}, and the model answers {"tick":0,"actor":"A","action":"acquire","ok":true,"token":1,"granted":[0],"holder":"A"}`},
		{`"ok":true,"token":1,"value":0`, `"ok":false,"token":1,"value":0`, `action 3 at tick 1, A: read: it is recorded as `},
		{`"ok":true,"token":1,"value":0`, `"token":1,"value":0`, `action 3 at tick 1, A: read: it is recorded as `},
		{`"token":1,"value":0`, `"token":1,"value":1`, `action 3 at tick 1, A: read: it is recorded as `},
		{`"token":1,"value":0`, `"token":1`, `action 3 at tick 1, A: read: it is recorded as `},
		{`"granted":[0]`, `"granted":[0,1]`, `action 1 at tick 0, A: acquire: it is recorded as `},
		{`"granted":[0],`, ``, `action 1 at tick 0, A: acquire: it is recorded as `},
		{`"freed":[0],`, ``, `action 13 at tick 9, clock: tick: it is recorded as `},
		{`"holder":"A"`, `"holder":"B"`, `action 1 at tick 0, A: acquire: it is recorded as `},
		{`"holder":"A"`, `"holder":null`, `action 1 at tick 0, A: acquire: it is recorded as `},
		{`{"tick":1,`, `{"tick":2,`, `action 3 at tick 1, A: read: it is recorded as `},
		{`"action":"pause"`, `"action":"pause","ok":true`, `action 5 at tick 2, A: pause: it is recorded as `},

		// Sums, and the remark.
		{`"steps":19`, `"steps":18`, `it says 18 steps, 7 events, 12 ticks, and its actions make 19, 7, 12`},
		{`"events":7`, `"events":8`, `it says 19 steps, 8 events, 12 ticks, and its actions make 19, 7, 12`},
		{`"ticks":12`, `"ticks":13`, `it says 19 steps, 7 events, 13 ticks, and its actions make 19, 7, 12`},
		{`"broken_at":18`, `"broken_at":19`, `broken_at is 19, and there are 19 actions, counted from 0`},
		{`"broken_at":18`, `"broken_at":-1`, `broken_at is -1, and there are 19 actions, counted from 0`},
	} {
		if !strings.Contains(good, row.old) {
			t.Errorf("%q is not in the trace", row.old)
			continue
		}
		_, err := ReadJSON([]byte(strings.Replace(good, row.old, row.new, 1)))
		if got := fmt.Sprint(err); got != row.want && (!strings.HasPrefix(got, row.want) || row.want[len(row.want)-1] != ' ') {
			t.Errorf("%s → %s\ngot  %s\nwant %s", row.old, row.new, got, row.want)
		}
	}
}

// TestReadIsFrugal: no short file makes the reader work for long or take much
// memory, whatever numbers stand in it.
func TestReadIsFrugal(t *testing.T) {
	const world = `{"schema":"dlcheck/trace/v1","world":{"store":"claimed","clients":%d,"servers":%d,"ttl":1000000000,"rounds":1000000,` +
		`"pauses":%d,"max_pause":null,"ticks":null,"program":"acquire, %srelease"},"steps":0,"events":0,"ticks":0,"actions":[]}`
	for _, row := range []struct {
		clients, servers, pauses int
		program, want            string
	}{
		{16, 64, 1_000_000_000, "work 3998, ", "its world cannot be: a state of this configuration needs "},
		{16, 64, 1, "", "its world cannot be: a state of this configuration needs "},
		{16, 1, 1, strings.Repeat("write, ", 3998), "its world cannot be: variable store.version needs 36 bits"},
		{16, 1, 1, strings.Repeat("work 4000, ", 3998), "its world cannot be: program has more than 4000 steps; try less work"},
		{3, 8, 0, "work 3998, ", ""},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		start := time.Now()
		_, err := ReadJSON(fmt.Appendf(nil, world, row.clients, row.servers, row.pauses, row.program))
		runtime.ReadMemStats(&after)
		if got := fmt.Sprint(err); !strings.HasPrefix(got, row.want) || row.want == "" && err != nil {
			t.Errorf("got  %s\nwant %s", got, row.want)
		}
		if took, n := time.Since(start), after.TotalAlloc-before.TotalAlloc; n > 4<<20 || took > 5*time.Second {
			t.Errorf("%s…: %d bytes, %v", row.want, n, took)
		}
	}
	for _, deep := range []string{strings.Repeat("[", 1<<20), strings.Repeat(`{"world":`, 1<<17)} {
		if _, err := ReadJSON([]byte(deep)); err == nil {
			t.Error("a file with no end is read")
		}
	}
}

// FuzzReadJSON: the reader never panics, and what it accepts it also writes,
// and accepts again as the same trace.
func FuzzReadJSON(f *testing.F) {
	for seed := range uint64(20) {
		f.Add([]byte(toText(f, randomTrace(f, seed))))
	}
	f.Add([]byte(toText(f, lostUpdate(f))))
	f.Add([]byte(`{"schema":"dlcheck/trace/v1"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		tr, err := ReadJSON(data)
		if err != nil {
			return
		}
		again, err := ReadJSON([]byte(toText(t, tr)))
		if err != nil || !reflect.DeepEqual(tr, again) {
			t.Fatalf("%s is accepted, and then not: %v", data, err)
		}
		for _, format := range Formats() {
			if err := format.Write(new(strings.Builder), tr); err != nil {
				t.Fatal(err)
			}
		}
	})
}
