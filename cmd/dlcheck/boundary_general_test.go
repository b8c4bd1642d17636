//go:build !race

package main

import (
	"strings"
	"testing"
)

// The race detector looks for races, and would take minutes over these cells.

// TestBoundaryGeneral: the form with B's arrival, its gap and A's read, over
// 115,200 cells for each store.
func TestBoundaryGeneral(t *testing.T) {
	got := dlcheck("boundary", "--general")
	golden(t, "sweep/boundary-general.txt", got.out)
	for _, want := range []string{
		"115,200 cells",
		"pause > max(ttl, arrives) + gap - read\n",
		"max(ttl, arrives) - read < pause <= max(ttl, arrives) + gap - read\n",
	} {
		if !strings.Contains(got.out, want) {
			t.Errorf("it does not print %q", want)
		}
	}
}
