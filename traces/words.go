package traces

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// word is something that a system can call by a name of its own.
type word struct {
	key, usual, doc string
}

// wordList is closed: a word stands here when a story says it. In a usual phrase
// {lock} is what the lock is called.
var wordList = []word{
	{"token", "token", "the number that a grant carries and a store can judge"},
	{"lock", "lock", "what is held"},
	{"lease", "lease", "what runs out, and the lock with it"},
	{"server", "server", "who grants leases"},
	{"store", "store", "what the lock protects"},
	{"acquire", "acquires the {lock}", "what a client does that is granted the lock"},
	{"ask", "asks for the {lock}", "what a client does that is not, or does not hear of it"},
	{"check", "asks whether it still holds the {lock}", "what a client does to know whether it is still the holder"},
	{"release", "releases the {lock}", "what a client does that is done"},
}

// LongestWord is how many characters a word may have: a story is a table.
const LongestWord = 40

// WordKeys lists what Words can have.
func WordKeys() (keys []string) {
	for _, w := range wordList {
		keys = append(keys, w.key)
	}
	return keys
}

// WordDoc says what a word is for, and what is said without it.
func WordDoc(key string) (doc, usual string) {
	for _, w := range wordList {
		if w.key == key {
			return w.doc, strings.ReplaceAll(w.usual, "{lock}", "lock")
		}
	}
	return "", ""
}

// CheckWord says why a word cannot be. The error is one line for the user.
func CheckWord(key, text string) error {
	if doc, _ := WordDoc(key); doc == "" {
		return fmt.Errorf("there is no word %q; there are %s", key, strings.Join(WordKeys(), ", "))
	}
	switch {
	case strings.ContainsFunc(text, Unprintable):
		return fmt.Errorf("%.80q has a control character, which would reach a terminal", text)
	case text == "" || strings.TrimSpace(text) != text:
		return fmt.Errorf("the word %s is %q; it should have no blank at either end, and not be empty", key, text)
	case utf8.RuneCountInString(text) > LongestWord:
		return fmt.Errorf("the word %s has more than %d characters", key, LongestWord)
	}
	return nil
}

// Word is what this trace says for a key of WordKeys.
func (t *Trace) Word(key string) string {
	if text, own := t.Words[key]; own {
		return text
	}
	for _, w := range wordList {
		switch {
		case w.key != key:
		case strings.Contains(w.usual, "{lock}"):
			return strings.ReplaceAll(w.usual, "{lock}", t.Word("lock"))
		default:
			return w.usual
		}
	}
	panic("traces: no word " + key)
}
