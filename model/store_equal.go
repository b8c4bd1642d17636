package model

func init() {
	Stores.Add(Entry[Store]{
		Name: "equal",
		Doc:  "accepts only the token that it saw first, as when a fence is compared with a lease id for equality",
		New: func(w *World, l *Layout) Store {
			return &equal{plain{w}, w.fences(l, "store.first")}
		},
	})
}

// equal refuses every later holder (etcd #11788).
type equal struct {
	plain
	first []Field
}

func (e *equal) forget(s State) bool { return forget(s, e.first) }

func (e *equal) Judges() bool { return true }

func (e *equal) Write(s State, r Request) bool { return e.Claim(s, r.Object, r.Token) }

func (e *equal) Claim(s State, object, token int) bool {
	f := e.first[min(object, len(e.first)-1)]
	if first := f.Get(s); first != 0 {
		return token == first
	}
	f.Set(s, token)
	return true
}
