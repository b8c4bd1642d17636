package model

func init() {
	Stores.Add(Entry[Store]{
		Name: "two-step",
		Doc:  "judges a token when it is claimed and applies a write without asking again: check, then act",
		New:  func(w *World, l *Layout) Store { return twoStep{newHighest(w, l)} },
	})
}

// twoStep is SELECT fence, then UPDATE, in the application: a program for it has
// a claim before its write, and a pause fits between.
type twoStep struct{ *highest }

func (t twoStep) Claim(s State, object, token int) bool { return t.atLeast(s, object, token) }
func (twoStep) Write(State, Request) bool               { return true }
