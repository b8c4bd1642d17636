package explore

import "slices"

// twoPhase is the two-phase commit of Gray and Lamport, "Consensus on
// Transaction Commit" (2006), as in its TLA+ module TwoPhase, with rms
// resource managers. Its counts are known from TLC.
//
// A state is one word: of each resource manager four bits, namely its state
// (two), whether the transaction manager has noted it as prepared, and
// whether its Prepared message was sent; above them the transaction
// manager's state (two bits) and the messages Commit and Abort.
type twoPhase struct {
	rms int
	// symmetric keeps the records of the resource managers sorted, which
	// makes each state stand for its orbit.
	symmetric bool
}

// States of a resource manager, and of the transaction manager (working is
// its "init").
const (
	working = iota
	prepared
	committed
	aborted
)

const (
	tmNoted  = 1 << 2
	sentPrep = 1 << 3

	tmShift    = 48
	sentCommit = 1 << 50
	sentAbort  = 1 << 51
)

func (t twoPhase) Words() int      { return 1 }
func (t twoPhase) Init(out *Batch) { out.Add(0, 0) }
func (t twoPhase) Worker() Worker  { return t }

func (t twoPhase) Next(state []uint64, out *Batch) {
	s := state[0]
	tm := s >> tmShift & 3
	all := true
	for r := range t.rms {
		all = all && s>>(4*r)&tmNoted != 0
	}
	if tm == working && all {
		t.add(out, s|committed<<tmShift|sentCommit) // TMCommit
	}
	if tm == working {
		t.add(out, s|aborted<<tmShift|sentAbort) // TMAbort
	}
	for r := range t.rms {
		rm := s >> (4 * r) & 15
		become := func(to uint64) { t.add(out, s&^(15<<(4*r))|to<<(4*r)) }
		if tm == working && rm&sentPrep != 0 {
			become(rm | tmNoted) // TMRcvPrepared
		}
		if rm&3 == working {
			become(rm | prepared | sentPrep) // RMPrepare
			become(rm | aborted)             // RMChooseToAbort
		}
		if s&sentCommit != 0 {
			become(rm&^3 | committed) // RMRcvCommitMsg
		}
		if s&sentAbort != 0 {
			become(rm&^3 | aborted) // RMRcvAbortMsg
		}
	}
}

func (t twoPhase) add(out *Batch, s uint64) {
	if t.symmetric {
		var rm [12]uint64
		for r := range t.rms {
			rm[r] = s >> (4 * r) & 15
		}
		slices.Sort(rm[:t.rms])
		s = s >> tmShift << tmShift
		for r := range t.rms {
			s |= rm[r] << (4 * r)
		}
	}
	out.Add(0, s)
}
