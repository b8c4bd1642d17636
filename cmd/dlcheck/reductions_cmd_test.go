package main

import (
	"strings"
	"testing"

	"dlcheck/model"
)

func TestReductionsCommand(t *testing.T) {
	got := dlcheck("reductions", "--clients", "3", "--store", "claimed")
	if got.status != exitHolds || got.errOut != "" {
		t.Errorf("status %d, %q", got.status, got.errOut)
	}
	golden(t, "reductions.txt", got.out)
	if got := dlcheck("reductions", "--memory", "100KiB"); got.status != exitIncomplete || strings.Contains(got.out, "%") {
		t.Errorf("status %d\n%s", got.status, got.out)
	}
}

// TestEveryCoreFieldHasADoc, or its flag would say nothing.
func TestEveryCoreFieldHasADoc(t *testing.T) {
	for _, field := range model.Fields() {
		if _, err := model.FindAxis(field); err != nil && coreFieldDocs[field] == "" {
			t.Errorf("%s has no doc", field)
		}
	}
}
