package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dlcheck/model"
)

// TestEveryAxisHasAGroup: and docs/faults.md has it in the same one.
func TestEveryAxisHasAGroup(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "faults.md"))
	if err != nil {
		t.Fatal(err)
	}
	text := strings.ToLower(string(page))
	var headings []int // where each group begins in the page
	for g, h := range axisHeadings {
		_, words, _ := strings.Cut(h, ": ")
		at := strings.Index(text, words)
		if at < 0 || g > 0 && at < headings[g-1] {
			t.Fatalf("docs/faults.md does not have %q in its place", words)
		}
		headings = append(headings, at)
	}
	headings = append(headings, strings.Index(text, "\n## "))
	for _, a := range model.Axes() {
		g, ok := axisGroups[a.Name]
		if !ok {
			t.Errorf("%s has no group; see axisGroups", a.Name)
		} else if !strings.Contains(text[headings[g]:headings[g+1]], "--"+a.Name) {
			t.Errorf("docs/faults.md does not have --%s under %q", a.Name, axisHeadings[g])
		}
	}
}

// TestEveryFieldIsSaidShortly: what a setting means fits into a line.
func TestEveryFieldIsSaidShortly(t *testing.T) {
	for _, f := range model.Fields() {
		values := []string{"1"}
		if a, err := model.FindAxis(f); err == nil && a.Choices != nil {
			values = a.Choices
		} else if f == "store" {
			values = model.Stores.Names()
		}
		for _, v := range values {
			if doc := docOf(model.Setting{Field: f, Value: v}); doc == "" || f != "store" && len(doc) > 90 {
				t.Errorf("%s %s: %q", f, v, doc)
			}
		}
	}
}
