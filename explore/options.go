package explore

// Order says what "nearest" means: the two measures (P, Q) by which buckets
// are numbered and compared, P first.
type Order int

const (
	// StepsFirst: P counts transitions, Q the slow ones among them.
	StepsFirst Order = iota
	// SlowFirst: P counts slow transitions, Q all transitions.
	SlowFirst
	// FastFirst: P counts transitions that are not slow, Q all transitions.
	FastFirst
)

// Options of a search. The zero value walks the whole graph, fewest steps
// first, with all processors.
type Options struct {
	// Workers is how many goroutines share the work; 0 means GOMAXPROCS.
	// It changes how long the answer takes, and nothing in the answer.
	Workers int
	// Order decides which path to a state is the nearest.
	Order Order
	// Until ends the search (Found) as soon as each of these marks has a
	// finding that nothing still to come can beat. 0 means never.
	Until Note
	// OnBucket is called after each expanded bucket; false ends the search
	// (Stopped).
	OnBucket func(Progress) bool
	// Progress is called between waves, from the goroutine that called Run.
	// It is called often; throttling is up to the callee.
	Progress func(Progress)
	// MaxBytes ends the search (OutOfMemory) at the end of the wave in which
	// arenas, tables and held-back candidates have outgrown it. 0 means no
	// bound.
	MaxBytes int64
	// Checkpoint, if it is not nil, is where the search is saved, and from where
	// it goes on if it was.
	Checkpoint *Checkpoint
}

// Progress says where a search stands.
type Progress struct {
	// P and Q name the bucket being expanded, or just expanded.
	P, Q int
	// Last says that the bucket is done and no other with its P will come.
	Last bool
	// States counts distinct states found, Frontier those of them that are
	// not yet expanded, Transitions the successors of those that are.
	States, Frontier, Transitions uint64
	// Found has the marks with a finding, Final those whose finding
	// cannot be beaten any more.
	Found, Final Note
	// Bytes is what the search takes: states, parents, tables, and candidates,
	// those that are held back and those on their way between workers.
	Bytes int64
}

// Bucket counts the states whose nearest path costs exactly (P, Q).
type Bucket struct {
	P, Q   int
	States uint64
}

// Finding is the nearest transition that carries a mark.
type Finding struct {
	// From is the state it leaves, or None if To is an initial state.
	From ID
	// To is the state it leads to.
	To []uint64
	// P and Q are the cost of the path through From to To.
	P, Q int
	// Final says that no other path can be nearer. It is false only in a
	// search that was cut short.
	Final bool
}

// Reason says why a search ended.
type Reason int

const (
	Closed      Reason = iota // every reachable state was expanded
	Found                     // Options.Until is satisfied
	Stopped                   // Options.OnBucket said so
	Interrupted               // the context was cancelled
	OutOfMemory               // Options.MaxBytes was reached
	OutOfDisk                 // there is no room for more on disk: of package disk
)

func (r Reason) String() string {
	return [...]string{"closed", "found", "stopped", "interrupted", "out of memory", "out of disk"}[r]
}
