package traces

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"dlcheck/model"
)

// TestStory: which ticks are told, and how.
func TestStory(t *testing.T) {
	for _, row := range []struct{ name, schedule, want string }{
		{"nothing happened", "", ""},
		{"a tick between two actions is not told", "A acquire, tick, A read",
			"0-0 A acquires the lock | granted, token 1, lease to tick 3 | A\n" +
				"1-1 A reads | version 0 | A\n"},
		{"a tick at the end is", "A acquire, tick",
			"0-0 A acquires the lock | granted, token 1, lease to tick 3 | A\n" +
				"0-1  time passes |  | A\n"},
		{"two ticks are one line", "tick .., A acquire",
			"0-2  time passes |  | nobody\n" +
				"2-2 A acquires the lock | granted, token 1, lease to tick 5 | A\n"},
		{"a single tick is told when a lease runs out", "A acquire, tick, A read, tick, A write, tick, A release",
			"0-0 A acquires the lock | granted, token 1, lease to tick 3 | A\n" +
				"1-1 A reads | version 0 | A\n" +
				"2-2 A writes with token 1 | accepted, version 1 | A\n" +
				"2-3  time passes | A's lease runs out at tick 3 | nobody\n" +
				"3-3 A releases the lock | nothing left to free | nobody\n"},
		{"a stretch ends where a lease runs out", "A acquire, tick, A pause, tick ....., B acquire",
			"0-0 A acquires the lock | granted, token 1, lease to tick 3 | A\n" +
				"1-1 A pauses |  | A\n" +
				"1-3  time passes | A's lease runs out at tick 3 | nobody\n" +
				"3-6  time passes |  | nobody\n" +
				"6-6 B acquires the lock | granted, token 2, lease to tick 9 | B\n"},
		{"waking is told once", "A acquire, tick, A pause, tick, A read, tick, A write",
			"0-0 A acquires the lock | granted, token 1, lease to tick 3 | A\n" +
				"1-1 A pauses |  | A\n" +
				"2-2 A wakes, reads | version 0 | A\n" +
				"2-3  time passes | A's lease runs out at tick 3 | nobody\n" +
				"3-3 A writes with token 1 | accepted, version 1 | nobody\n"},
	} {
		var calls []Call
		if row.schedule != "" {
			calls = schedule(t, row.schedule)
		}
		tr, err := Play(twoClients("fenced", 3), calls)
		if err != nil {
			t.Fatalf("%s: %v", row.name, err)
		}
		got := ""
		for _, l := range tr.Story() {
			got += fmt.Sprintf("%d-%d %s %s | %s | %s\n", l.From, l.To, l.Who, l.What, l.Answer, l.Holder)
		}
		if got != row.want {
			t.Errorf("%s:\n%swant\n%s", row.name, got, row.want)
		}
	}
}

// TestStoryIsWhole: every action has its line, in order, and time runs on
// without a gap or a step back.
func TestStoryIsWhole(t *testing.T) {
	for seed := range uint64(1000) {
		tr := randomTrace(t, seed)
		told, tick, next := 0, 0, 0
		for _, l := range tr.Story() {
			if l.From < tick || l.From > tick+1 || l.To < l.From {
				t.Fatalf("seed %d: from tick %d to a line at %d-%d", seed, tick, l.From, l.To)
			}
			tick = l.To
			for ; next <= l.Index; next++ {
				e := &tr.Events[next]
				switch {
				case e.Kind == model.Tick:
				case l.To > l.From && e.Kind == model.Work && strings.Contains(l.Who, Name(e.Client)):
					told++ // in a stretch of work
				case next == l.Index && Name(e.Client) == l.Who && e.Tick == l.From:
					told++
				default:
					t.Fatalf("seed %d: %+v does not tell of %+v", seed, l, *e)
				}
			}
		}
		if told != tr.Actions() || tick != tr.Ticks() || next != tr.Steps() {
			t.Fatalf("seed %d: %d actions of %d, %d ticks of %d", seed, told, tr.Actions(), tick, tr.Ticks())
		}
	}
}

func TestSummaryAndWorld(t *testing.T) {
	tr := lostUpdate(t)
	if got := tr.Summary(); got != "19 steps (7 events, 12 ticks)" {
		t.Error(got)
	}
	tr.Config.Pauses, tr.Config.MaxPause, tr.Config.Servers = 2, 1, 3
	if got := tr.World(); got != "store fenced, 2 clients, 3 lock servers, ttl 10, 1 round, 2 pauses, of at most 1 tick, program acquire, read, write, release" {
		t.Error(got)
	}
}

func TestName(t *testing.T) {
	if got := Name(0) + Name(model.MaxClients-1) + Name(model.Nobody); got != "APnobody" {
		t.Error(got)
	}
}

// TestNotAllowed: the player says what cannot be and why, and then nothing
// has happened.
func TestNotAllowed(t *testing.T) {
	p, err := NewPlayer(twoClients("fenced", 3))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range schedule(t, "A acquire, tick") {
		if _, err := p.Do(c); err != nil {
			t.Fatal(err)
		}
	}
	for _, row := range []struct {
		call Call
		want string
	}{
		{Call{Client: 0, Kind: model.Write}, "action 3 at tick 1, A: write: the model does not allow it: A has read in front of it"},
		{Call{Client: 1, Kind: model.Acquire}, "action 3 at tick 1, B: acquire: the model does not allow it: B is denied: A holds 1 of 1 server for 2 ticks more"},
		{Call{Client: model.Nobody, Kind: model.Tick}, "action 3 at tick 1, the clock: tick: the model does not allow it: A is awake inside its program and must take its step (read) or pause before the clock may advance"},
		{Call{Client: 0, Kind: model.Tick}, "action 3 at tick 1, A: tick: the model does not allow it: only the clock ticks"},
		{Call{Client: model.Nobody, Kind: model.Read}, "action 3 at tick 1, the lock: read: the model does not allow it: there is no such client; the world has 2"},
		{Call{Client: 7, Kind: model.Read}, "action 3 at tick 1, H: read: the model does not allow it: there is no such client; the world has 2"},
	} {
		_, err := p.Do(row.call)
		var no *NotAllowed
		if !errors.As(err, &no) || err.Error() != row.want {
			t.Errorf("got  %v\nwant %s", err, row.want)
		} else if no.Index != 2 || no.Tick != 1 || no.Call != row.call {
			t.Errorf("%+v", no)
		}
	}
	if len(p.Trace.Events) != 2 || p.Tick != 1 {
		t.Errorf("%d events, tick %d", len(p.Trace.Events), p.Tick)
	}
	if _, err := p.Do(Call{Client: 0, Kind: model.Read}); err != nil {
		t.Error(err)
	}
}

func TestFormats(t *testing.T) {
	var names []string
	for _, f := range Formats() {
		names = append(names, f.Name+f.Ext)
		if again, err := FindFormat(f.Name); err != nil || again.Ext != f.Ext || f.Doc == "" {
			t.Error(f.Name, err)
		}
	}
	if got := strings.Join(names, " "); got != "json.json mermaid.mmd text.txt" {
		t.Error(got)
	}
	if _, err := FindFormat("yaml"); fmt.Sprint(err) != `there is no format "yaml"; there are json, mermaid, text` {
		t.Error(err)
	}
}

// TestWriteErrors: a format that cannot write says so.
func TestWriteErrors(t *testing.T) {
	full := errors.New("disk full")
	for _, f := range Formats() {
		for room := range 5 {
			if err := f.Write(&small{room * 40, full}, lostUpdate(t)); !errors.Is(err, full) {
				t.Errorf("%s, room for %d bytes: %v", f.Name, room*40, err)
			}
		}
	}
}

// small is a file on a disk with room for so many bytes.
type small struct {
	room int
	err  error
}

func (s *small) Write(b []byte) (int, error) {
	if len(b) > s.room {
		return 0, s.err
	}
	s.room -= len(b)
	return len(b), nil
}
