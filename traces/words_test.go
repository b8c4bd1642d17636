package traces

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// inWords is a story in which every word is said.
func inWords(t testing.TB) *Trace {
	t.Helper()
	tr := refused(t)
	tr.Words = map[string]string{}
	for _, key := range WordKeys() {
		tr.Words[key] = "own " + key + ";"
	}
	return tr
}

// TestWordsAreSaid pins how a story sounds in a system's own words; what is
// drawn for Mermaid keeps its own signs out of them.
func TestWordsAreSaid(t *testing.T) {
	tr := inWords(t)
	for _, f := range Formats() {
		var b strings.Builder
		if err := f.Write(&b, tr); err != nil {
			t.Fatal(err)
		}
		golden(t, "words"+f.Ext, []byte(b.String()))
	}
}

// TestWordsAsUsual: a word that is not given is the usual one, with what the
// lock is called in it.
func TestWordsAsUsual(t *testing.T) {
	tr := &Trace{Words: map[string]string{"lock": "Lease"}}
	for key, want := range map[string]string{
		"token": "token", "lock": "Lease", "acquire": "acquires the Lease", "check": "asks whether it still holds the Lease",
	} {
		if got := tr.Word(key); got != want {
			t.Errorf("%s is %q, want %q", key, got, want)
		}
	}
	for _, key := range WordKeys() {
		if doc, usual := WordDoc(key); doc == "" || (&Trace{}).Word(key) != usual {
			t.Errorf("%s: doc %q, usual %q", key, doc, usual)
		}
	}
}

// TestWordsRoundTrip: a trace file has its words in it, and no others.
func TestWordsRoundTrip(t *testing.T) {
	tr := inWords(t)
	text := toText(t, tr)
	again, err := ReadJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(tr, again) {
		t.Errorf("wrote %+v, read %+v", tr, again)
	}
	for _, c := range []struct{ old, new, want string }{
		{`"words":{`, `"words":{"colour":"red",`, `there is no word "colour"; there are token, lock, lease, server, store, acquire, ask, check, release`},
		{`"own token;"`, `""`, `the word token is ""; it should have no blank at either end, and not be empty`},
		{`"own token;"`, `" token"`, `the word token is " token"; it should have no blank at either end, and not be empty`},
		{`"own token;"`, `"` + strings.Repeat("x", LongestWord+1) + `"`, `the word token has more than 40 characters`},
		{`"own token;"`, `"\u001b[31m"`, `"\x1b[31m" has a control character, which would reach a terminal`},
	} {
		if _, err := ReadJSON([]byte(strings.Replace(text, c.old, c.new, 1))); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v", c.new, err)
		}
	}
	if _, err := ReadJSON([]byte(strings.Replace(text, `"steps":`, `"words":{},"steps":`, 1))); err == nil {
		t.Error("words that are there twice are read")
	}
	plain := toText(t, refused(t))
	if _, err := ReadJSON([]byte(strings.Replace(plain, `"steps":`, `"words":{},"steps":`, 1))); err == nil {
		t.Error("words that say nothing are read")
	}
}

// TestSchemaHasTheWords: the schema lists the same words.
func TestSchemaHasTheWords(t *testing.T) {
	var schema struct {
		Properties struct {
			Words struct {
				Properties map[string]any `json:"properties"`
			} `json:"words"`
		} `json:"properties"`
	}
	if err := json.Unmarshal(SchemaFile, &schema); err != nil {
		t.Fatal(err)
	}
	want := WordKeys()
	slices.Sort(want)
	if got := slices.Sorted(maps.Keys(schema.Properties.Words.Properties)); !slices.Equal(got, want) {
		t.Errorf("the schema has %v, and there are %v", got, want)
	}
}
