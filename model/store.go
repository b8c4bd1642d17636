package model

// Store is what the lock protects. Each call is one atomic judgement of the
// token that comes with it: it may change the variables that the store has
// claimed, and says whether the operation is accepted.
type Store interface {
	// Write judges a write. The world then replaces the content.
	Write(s State, r Request) bool
	// Read judges a read of an object, and gives the version of the content it
	// answers with, which for an honest store is World.Content.
	Read(s State, object, token int) (version int, ok bool)
	// Claim judges a token that comes without an operation.
	Claim(s State, object, token int) bool
	// Judges says whether the store looks at tokens at all.
	Judges() bool
	// Tick is called when time passes, before leases are lowered.
	Tick(s State)
}

// Request is a write as it comes to the store.
type Request struct {
	Client, Token int
	Grant         int // that it belongs to, where the world numbers them
	Object        int // that it replaces the content of, from 0
	// Stale says that it was computed from a snapshot that another accepted
	// write has replaced since.
	Stale bool
	// Serial is the place of the request among the writes of its grant, from 1.
	Serial int
}

// Stores are the policies there are.
var Stores = Catalog[Store]{what: "store"}

// highest is what the fencing stores remember and share: the highest token
// accepted so far, of the store or of each of its objects.
type highest struct {
	w *World
	f []Field
}

func newHighest(w *World, l *Layout) *highest {
	return &highest{w, w.fences(l, "store.highest")}
}

// of is the variable that guards an object.
func (h *highest) of(object int) Field { return h.f[min(object, len(h.f)-1)] }

// atLeast accepts a token that is not smaller than the highest.
func (h *highest) atLeast(s State, object, token int) bool {
	f := h.of(object)
	if token < f.Get(s) {
		return false
	}
	f.Set(s, token)
	return true
}

func (h *highest) Read(s State, object, _ int) (int, bool) { return h.w.Content(s, object), true }
func (h *highest) Judges() bool                            { return true }
func (h *highest) Tick(State)                              {}

// Judges says whether the world's store looks at tokens at all.
func (w *World) Judges() bool { return w.store.Judges() }
