package model

func init() {
	Stores.Add(Entry[Store]{
		Name: "fenced",
		Doc:  "refuses a write whose token is smaller than the highest accepted",
		New:  func(w *World, l *Layout) Store { return fenced{newHighest(w, l)} },
	})
}

// fenced compares with <, not <=: a token is unique to its grant, so a stale
// one is always strictly smaller, and a holder may write twice.
type fenced struct{ *highest }

func (f fenced) Write(s State, r Request) bool         { return f.atLeast(s, r.Object, r.Token) }
func (f fenced) Claim(s State, object, token int) bool { return f.atLeast(s, object, token) }
