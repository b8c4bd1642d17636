package main

import (
	"bytes"
	"testing"
	"time"

	"dlcheck/checker"
)

func TestProgressLine(t *testing.T) {
	p := newProgress(nil, false)
	if got := p.line(time.Now()); got != "starting" {
		t.Errorf("got %q", got)
	}
	p.update(checker.Progress{Store: "fenced", Phase: "states", Ticks: 12, States: 3_000_000, Bytes: 64 << 20})
	p.started = p.since.Add(-time.Second)
	got := p.line(p.since.Add(2 * time.Second))
	if want := "fenced, states: tick 12, 3,000,000 states (1,500,000/s), 64 MiB, 3 s"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if len(got) > 80 {
		t.Errorf("%d columns", len(got))
	}
	p.stop()
}

// TestProgressOffTerminal: what is not a terminal sees nothing, even if
// someone switches progress on.
func TestProgressOffTerminal(t *testing.T) {
	var w bytes.Buffer
	p := newProgress(&w, true)
	p.update(checker.Progress{Store: "fenced", Phase: "states"})
	time.Sleep(progressAfter + 300*time.Millisecond)
	p.stop()
	if w.Len() > 0 {
		t.Errorf("wrote %q", w.String())
	}
}
