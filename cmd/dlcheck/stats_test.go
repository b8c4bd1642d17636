package main

import (
	"strings"
	"testing"
)

// TestStats: the text is a golden file, and the JSON is as the schema says.
func TestStats(t *testing.T) {
	got := dlcheck(strings.Fields("--store claimed --clients 2 --ttl 4 --property lost-update --stats")...)
	_, saw, found := strings.Cut(got.out, "What the search of claimed saw\n")
	if !found || got.status != exitHolds {
		t.Fatalf("status %d\n%s", got.status, got.out)
	}
	golden(t, "stats.txt", saw)
	// A search that did not begin has not seen that anything never happens.
	if got := dlcheck(strings.Fields("--store claimed --property lost-update --stats --time-limit 1ns")...); !strings.Contains(got.out, "no step was taken") || strings.Contains(got.out, "never taken") {
		t.Errorf("status %d\n%s", got.status, got.out)
	}
	if got := dlcheck(strings.Fields("--store claimed --property lost-update --stats --json --time-limit 1ns")...); !strings.Contains(got.out, `"never_taken": []`) {
		t.Errorf("status %d\n%s", got.status, got.out)
	}
	schema, _ := schemas(t)
	for _, args := range []string{"--clients 2 --stats --json", "--clients 2 --stats --json --property progress", "--clients 2 --ticks 2 --ttl 4 --stats --json --reduce none"} {
		if got := dlcheck(strings.Fields(args)...); validate(schema, got.out) != nil {
			t.Errorf("%s: %v", args, validate(schema, got.out))
		}
	}
}
