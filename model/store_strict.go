package model

func init() {
	Stores.Add(Entry[Store]{
		Name: "strict",
		Doc:  "accepts only a write whose token is greater than the highest accepted (SQL: fence < $2)",
		New:  func(w *World, l *Layout) Store { return strict{newHighest(w, l)} },
	})
}

// strict lets a token write once: the second write of one lease is refused,
// and so is a write after a claim.
type strict struct{ *highest }

func (f strict) Write(s State, r Request) bool { return f.Claim(s, r.Object, r.Token) }

func (f strict) Claim(s State, object, token int) bool {
	h := f.of(object)
	if token <= h.Get(s) {
		return false
	}
	h.Set(s, token)
	return true
}
