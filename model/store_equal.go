package model

func init() {
	Stores.Add(Entry[Store]{
		Name: "equal",
		Doc:  "accepts only the token that it saw first, as when a fence is compared with a lease id for equality",
		New: func(w *World, l *Layout) Store {
			e := &equal{plain: plain{w}}
			l.Global(&e.first, "store.first", w.MaxToken(), Token)
			return e
		},
	})
}

// equal refuses every later holder (etcd #11788).
type equal struct {
	plain
	first Field
}

func (e *equal) forget(s State) bool {
	had := e.first.Get(s) != 0
	e.first.Set(s, 0)
	return had
}

func (e *equal) Judges() bool { return true }

func (e *equal) Write(s State, r Request) bool { return e.Claim(s, r.Token) }

func (e *equal) Claim(s State, token int) bool {
	if first := e.first.Get(s); first != 0 {
		return token == first
	}
	e.first.Set(s, token)
	return true
}
