package model

func init() {
	Stores.Add(Entry[Store]{
		Name: "plain",
		Doc:  "accepts every write; looks at no token",
		New:  func(w *World, _ *Layout) Store { return plain{w} },
	})
}

type plain struct{ w *World }

func (plain) Write(State, Request) bool                 { return true }
func (p plain) Read(s State, object, _ int) (int, bool) { return p.w.Content(s, object), true }
func (plain) Claim(State, int, int) bool                { return true }
func (plain) Judges() bool                              { return false }
func (plain) Tick(State)                                {}
