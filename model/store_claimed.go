package model

func init() {
	Stores.Add(Entry[Store]{
		Name: "claimed",
		Doc:  "as fenced, and takes the token with every read too, before it answers",
		New:  func(w *World, l *Layout) Store { return claimed{newHighest(w, l)} },
	})
}

// claimed learns of a new holder before that holder has read anything, so
// that nobody older can write between its read and its write. It is the rule
// of the HDFS journal (qjournal Journal.java, newEpoch before recovery) and of
// Hazelcast's set_fence.
type claimed struct{ *highest }

func (f claimed) Write(s State, r Request) bool         { return f.atLeast(s, r.Object, r.Token) }
func (f claimed) Claim(s State, object, token int) bool { return f.atLeast(s, object, token) }
func (f claimed) Read(s State, object, token int) (int, bool) {
	if !f.atLeast(s, object, token) {
		return 0, false
	}
	return f.w.Content(s, object), true
}
