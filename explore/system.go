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

// Dated is a System that can promise that a state tells its date: that all paths
// from initial states to one state have equally many slow transitions. A clock that
// every slow transition moves on, and no other, makes it so. In the terms of the
// sweep-line method, the number of slow transitions is then a measure of progress
// that no transition lowers (Christensen, Kristensen and Mailund, A Sweep-Line Method
// for State Space Exploration, TACAS 2001).
//
// A search in SlowFirst needs to compare a state with those of its own P only, as no
// other can be equal; its tables have no others, and are small. All states are kept,
// and the graph is the same to the letter.
//
// The promise is not checked. If it is false, a state is found again when other numbers
// of slow transitions lead to it, and gets another ID each time. None is lost, but how
// many there are more can depend on the number of workers; and a cycle over a slow
// transition would be gone round for ever. So the search looks for one old state in
// each P, and ends with an error if it meets it: that stops it, if the system is
// finite, but a false promise need not show before.
type Dated interface {
	System
	// Dated says whether it promises that.
	Dated() bool
}

// Many is a Worker that can take the steps of several states at a time, which may be
// faster.
type Many interface {
	Worker
	// NextOfMany appends the successors of len(ends) states, in the order in which they
	// lie in states, of each as Next does, and writes to ends how many successors there
	// are in the batch up to each state's last.
	NextOfMany(states []uint64, out *Batch, ends []int)
}

// oneByOne is a Worker that is no Many.
type oneByOne struct{ Worker }

func (w oneByOne) NextOfMany(states []uint64, out *Batch, ends []int) {
	width := len(states) / len(ends)
	for i := range ends {
		w.Next(states[i*width:(i+1)*width:(i+1)*width], out)
		ends[i] = len(out.Notes)
	}
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
