package model

func init() {
	Stores.Add(Entry[Store]{
		Name: "conditional",
		Doc:  "accepts a write only on the version that its writer has read (If-Match); looks at no token",
		New: func(w *World, _ *Layout) Store {
			w.needs.Snapshots = true
			return conditional{plain{w}}
		},
	})
}

// conditional needs no lock to lose nothing. An older holder whose snapshot is
// fresh may write after a newer one, so stale-overwrite, which judges by grants,
// raises a false alarm here.
type conditional struct{ plain }

func (conditional) Write(_ State, r Request) bool { return !r.Stale }
