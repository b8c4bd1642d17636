package main

import (
	"strings"
	"testing"
)

// TestProve: the golden file has what is proved, what is broken and how, and why.
func TestProve(t *testing.T) {
	got := dlcheck("prove")
	if got.status != exitViolated || got.errOut != "" {
		t.Errorf("status %d, %q", got.status, got.errOut)
	}
	golden(t, "prove.txt", got.out)
	if got := dlcheck("prove", "--store", "claimed,guarded"); got.status != exitHolds || strings.Contains(got.out, "broken") {
		t.Errorf("status %d\n%s", got.status, got.out)
	}
}

// TestProveSaysWhatItLeavesOut: of a group some cannot be claimed.
func TestProveSaysWhatItLeavesOut(t *testing.T) {
	got := dlcheck("prove", "--store", "claimed", "--property", "seed")
	want := "dlcheck: note: nothing is claimed of lease-overlap, linearizable: the argument for every number of clients does not cover them\n"
	if got.status != exitHolds || got.errOut != want || !strings.HasPrefix(got.out, "claimed  stale-overwrite  proved") {
		t.Errorf("status %d, %q\n%s", got.status, got.errOut, got.out)
	}
}

func TestProveJSON(t *testing.T) {
	schema := schemaOf(t, "prove")
	for _, args := range []string{"", "--store claimed", "--store conditional --property stale-overwrite"} {
		got := dlcheck(append([]string{"prove", "--json"}, strings.Fields(args)...)...)
		if err := validate(schema, got.out); err != nil || got.errOut != "" {
			t.Errorf("%s: %v, %q\n%s", args, err, got.errOut, got.out)
		}
	}
}
