package model

import (
	"fmt"
	"strings"
	"testing"
)

func TestCatalog(t *testing.T) {
	c := Catalog[int]{what: "fruit"}
	if got := fmt.Sprint(c.Names()); got != "[]" {
		t.Error(got)
	}
	c.Add(Entry[int]{Name: "plum"})
	c.Add(Entry[int]{Name: "apple", Doc: "round"})
	if got := fmt.Sprint(c.Names()); got != "[apple plum]" {
		t.Error(got)
	}
	if e, err := c.Find("apple"); err != nil || e.Doc != "round" {
		t.Error(e, err)
	}
	if _, err := c.Find("pear"); fmt.Sprint(err) != `there is no fruit "pear"; there are apple, plum` {
		t.Error(err)
	}
	panics(t, "model: two kinds of fruit named plum", func() { c.Add(Entry[int]{Name: "plum"}) })
}

// TestCatalogs: everything that can be named has one line of doc, and is the
// lower case word that flags and traces use.
func TestCatalogs(t *testing.T) {
	for _, name := range Stores.Names() {
		e, _ := Stores.Find(name)
		checkEntry(t, e.Name, e.Doc)
	}
	for _, name := range Services.Names() {
		e, _ := Services.Find(name)
		checkEntry(t, e.Name, e.Doc)
	}
}

func checkEntry(t *testing.T, name, doc string) {
	t.Helper()
	if name != strings.ToLower(name) || strings.ContainsAny(name, " ,\n") {
		t.Errorf("%q is not a word", name)
	}
	if doc == "" || len(doc) > 100 || strings.Contains(doc, "\n") {
		t.Errorf("%s: %q is not a line", name, doc)
	}
}

func TestKinds(t *testing.T) {
	for k := range kinds {
		if again, ok := KindByName(Kind(k).String()); !ok || again != Kind(k) {
			t.Errorf("%s is %d and found as %d", Kind(k), k, again)
		}
	}
	if k, ok := KindByName("sleep"); ok {
		t.Errorf("sleep is %v", k)
	}
	before := len(kinds)
	panics(t, "model: two kinds of action named acquire", func() { NewKind("acquire") })
	if len(kinds) != before {
		t.Error("a kind that was refused is there")
	}
}

func panics(t *testing.T, want string, f func()) {
	t.Helper()
	defer func() {
		t.Helper()
		if got := recover(); got != want {
			t.Errorf("panics with %v, want %s", got, want)
		}
	}()
	f()
}
