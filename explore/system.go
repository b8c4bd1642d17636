package explore

// System is a transition system. A state is a vector of Words() 64-bit
// words; what the words mean is the system's own affair. Two states are the
// same state exactly when their words are equal.
type System interface {
	// Words is the width of every state, in 64-bit words, at least 1.
	Words() int
	// Init appends the initial states.
	Init(out *Batch)
	// Worker returns what one goroutine uses to take steps. It may own
	// scratch memory; it is never shared between goroutines.
	Worker() Worker
}

// Worker takes the steps of one goroutine.
type Worker interface {
	// Next appends the successors of s, one per transition, in an order
	// that depends on s alone. It must neither keep nor change s.
	Next(s []uint64, out *Batch)
}

// Note is what a system says of one transition beside the state it leads to.
type Note uint64

// Slow marks a transition that is counted apart. In a timed system these can be
// the ticks of the clock, or the faults, whichever should be few; in others there
// need be none.
const Slow Note = 1 << 63

// Mark is note number i, 0 ≤ i < MaxMarks: something of interest happens in
// this transition. The search keeps the nearest transition for each mark.
func Mark(i int) Note { return 1 << i }

// MaxMarks is how many different marks a system may use.
const MaxMarks = 63

// Batch takes states one after another, each with its note.
type Batch struct {
	// States holds len(Notes) states, Words() words each.
	States []uint64
	Notes  []Note
}

// Add appends one state.
func (b *Batch) Add(n Note, words ...uint64) {
	b.States = append(b.States, words...)
	b.Notes = append(b.Notes, n)
}

// Reset empties the batch and keeps its memory.
func (b *Batch) Reset() {
	b.States, b.Notes = b.States[:0], b.Notes[:0]
}
