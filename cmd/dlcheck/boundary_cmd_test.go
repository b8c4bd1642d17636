package main

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestBoundary(t *testing.T) {
	for _, c := range []struct {
		file, args string
		status     int
	}{
		{"boundary", "", 0},
		{"stops", "--over ttl=1,10,13,15,17,25,1000 --over pause=0..40 --store plain,fenced", 0},
		{"arrives", "dlock --over ttl=1..15 --over arrives=2..15 --over pause=0..25", 0},
		{"about-ttl", "dlock-unfenced --y ttl --over ttl=1..40 --over pause=0..30", 3},
		{"gaps", "dlock-unfenced --over ttl=1..40 --over pause=0..45:5", 0},
		{"named", "lesson-longer-pause --over ttl=1..30 --over Katrina.pause=0..40 --y Katrina.pause --metric stale-overwrite", 0},
		{"no-fit", "dlock --metric unlocked-write", 3},
	} {
		got := dlcheck(append([]string{"boundary"}, strings.Fields(c.args)...)...)
		if got.status != c.status || got.errOut != "" {
			t.Errorf("%s: %+v", c.args, got)
		}
		golden(t, "sweep/boundary-"+c.file+".txt", strings.TrimRight("$ dlcheck boundary "+c.args, " ")+"\n"+got.out)
	}
}

// TestBoundaryJSON: as its schema says, and every cell that it names comes
// back.
func TestBoundaryJSON(t *testing.T) {
	schema := schemaOf(t, "boundary")
	for _, args := range []string{
		"",
		"--over ttl=1,1000 --over pause=0..40",
		"dlock --metric unlocked-write,lost-update",
		"--workers 1",
	} {
		got := dlcheck(append([]string{"boundary", "--json"}, strings.Fields(args)...)...)
		if err := validate(schema, got.out); err != nil || got.errOut != "" {
			t.Errorf("%s: %v, %+v", args, err, got)
		}
		var j jsonBoundary
		if err := json.Unmarshal([]byte(got.out), &j); err != nil {
			t.Fatal(err)
		}
		for _, s := range j.Stores {
			if s.SilentLoss == nil {
				continue
			}
			run := dlcheck(strings.Fields(s.SilentLoss.Command)[1:]...)
			if !strings.Contains(run.out, "stale-overwrite        holds\n") || !strings.Contains(run.out, "lost-update            VIOLATED") {
				t.Errorf("%s: %s", s.SilentLoss.Command, run.out)
			}
		}
	}
	if a, b := dlcheck("boundary", "--json"), dlcheck("boundary", "--json", "--workers", "1"); a != b {
		t.Error("one worker finds something else")
	}
}
