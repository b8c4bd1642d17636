package checker

import (
	"io"
	"time"

	"dlcheck/model"
	"dlcheck/traces"
)

// Result is the answer for one property.
type Result string

// The four answers. Only Holds says something about every horizon; only
// Violated comes without any scope, since a counterexample is its own proof; its Scope
// says whether it is the shortest.
const (
	Violated     Result = "violated"
	HoldsToBound Result = "holds-to-bound"
	Holds        Result = "holds"
	Incomplete   Result = "incomplete"
)

// Verdict is what was found about one property.
type Verdict struct {
	Property string
	Result   Result
	// ReportOnly says that the property is worth knowing and never a
	// failure: its Violated means "this can happen".
	ReportOnly bool
	// Scope says in one sentence what the result rests on, and of Holds why
	// it holds at every horizon.
	Scope string
	// Bound is the number of ticks up to which it holds; set with
	// HoldsToBound and, if some tick was fully explored, with Incomplete
	// (else -1).
	Bound int
	// BeyondAt is the tick of the nearest violation that lies past the bound
	// that was asked for, 0 if none is known. The trace is then of that one.
	BeyondAt int
	// Trace is a counterexample that was replayed from the initial state and
	// judged again by the retrospective audit, or nil. Its Remark says where
	// and why.
	Trace *traces.Trace
	// Front and All are about a property that is violated, where the question
	// asked for them; else nil.
	Front *Front
	All   *All
}

// Failed says whether the verdict is a counterexample against a property
// that is meant to hold.
func (v *Verdict) Failed() bool {
	return !v.ReportOnly && (v.Result == Violated || v.BeyondAt > 0)
}

// Run is what was found in one world.
type Run struct {
	Config     model.Config
	Minimize   Measure  // in which no counterexample that is minimal can be beaten
	Reductions []string // names of those that were on
	// States, Transitions, DepthSteps and DepthTicks describe the search that
	// the verdicts of the monitors rest on or, where no property with a monitor
	// was asked for, the first search there was. DepthTicks is the tick after
	// which nothing new appeared.
	States, Transitions    uint64
	DepthSteps, DepthTicks int
	Closed                 bool   // nothing is left to explore at any horizon
	Complete               bool   // each property has its verdict, or everything within the bound asked for was explored
	Stopped                string // why a search, or the telling of what it found, was cut short: "interrupted", "out of memory", "out of time", "out of disk space", "out of the states it was given"; else empty
	Elapsed                time.Duration
	PeakBytes              int64  // memory of the largest search: states, tables, frontier
	PeakDiskBytes          int64  // that the files of searches on disk took at most
	Histories              uint64 // distinct store histories that porcupine checked
	HistoriesComplete      bool
	StateBits              int // bits of one packed state
	// NoWrite says that no write is ever accepted, where all within the bound
	// was explored by the monitors.
	NoWrite bool
	// Notes warn of verdicts that say less than they seem to.
	Notes    []string
	Verdicts []Verdict
	// Saw is what the search of the monitors saw, if the question asked for it.
	Saw *Saw
	// Certified is set if the question asked for a certificate.
	Certified *Certified
}

// Question is what Check is asked about one world.
type Question struct {
	Config     model.Config
	Words      map[string]string // what counterexamples say; see traces.WordKeys
	Properties []string          // names; see Expand for groups
	Minimize   Measure
	// Front asks, for each violated property, for every way to trade ticks for
	// events; AllMinimal for every shortest counterexample, of which List
	// stories are told.
	Front, AllMinimal bool
	List              int
	Reduce            model.Reductions
	Workers           int   // 0: one per processor
	MaxBytes          int64 // memory for states, tables and frontier; 0: no bound
	// Disk is a folder for states and frontier. MaxBytes is then for the buffers,
	// and ends no search but that of progress, whose graph is in memory. Empty: all
	// graphs are in memory.
	Disk string
	// MaxStates is how many states a search may come to; the bucket in which it
	// has more is its last. 0: no bound.
	MaxStates uint64
	// Certificate, if it is not nil, gets a certificate of the properties with a
	// monitor that hold. Run.Certified says whether what it got is one.
	Certificate io.Writer
	// Stats asks for Run.Saw.
	Stats bool
	// Checkpoint, if it is not nil, is where searches are saved and found again.
	Checkpoint *Checkpoint
	// Progress is called now and then from the goroutine that called Check.
	Progress func(Progress)
	// undated keeps from searches that states tell the tick, where they do, so that
	// tests can compare.
	undated bool
}

// Progress says where a running check is.
type Progress struct {
	Store  string
	Phase  string // what is being searched: "states", "shortest counterexample", "all shortest", "progress", "histories"
	Ticks  int    // of the states being explored
	States uint64
	Bytes  int64
}

// Measure says what a shortest counterexample has fewest of; ties go to the
// others, in the order steps, ticks, events.
type Measure string

// The measures.
const (
	Steps  Measure = "steps"
	Ticks  Measure = "ticks"
	Events Measure = "events"
	// Faults are what nobody can be asked to wait for, and pauses, which are a
	// client's faults.
	Faults Measure = "faults"
	// Any is none: the counterexample by which a verdict was found will do, and
	// no search for a shorter one is made. It is for questions whose answer is
	// the verdict.
	Any Measure = "any"
)
