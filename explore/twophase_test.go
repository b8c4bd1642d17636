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
	s, to, old := state[0], out.States, len(out.States)
	tm := s >> tmShift & 3
	noted := 0
	for r := range t.rms {
		rm := s >> (4 * r) & 15
		with := func(next uint64) uint64 { return s ^ (rm^next)<<(4*r) }
		if rm&tmNoted != 0 {
			noted++
		}
		if tm == working && rm&sentPrep != 0 {
			to = append(to, with(rm|tmNoted)) // TMRcvPrepared
		}
		if rm&3 == working {
			to = append(to, with(rm|prepared|sentPrep), with(rm|aborted)) // RMPrepare, RMChooseToAbort
		}
		if s&sentCommit != 0 {
			to = append(to, with(rm&^3|committed)) // RMRcvCommitMsg
		}
		if s&sentAbort != 0 {
			to = append(to, with(rm&^3|aborted)) // RMRcvAbortMsg
		}
	}
	if tm == working {
		to = append(to, s|aborted<<tmShift|sentAbort) // TMAbort
		if noted == t.rms {
			to = append(to, s|committed<<tmShift|sentCommit) // TMCommit
		}
	}
	if t.symmetric {
		for i, s := range to[old:] {
			to[old+i] = t.sorted(s)
		}
	}
	out.States = to
	for range to[old:] {
		out.Notes = append(out.Notes, 0)
	}
}

// sorted is s with the records of the resource managers in order.
func (t twoPhase) sorted(s uint64) uint64 {
	var rm [12]uint64
	for r := range t.rms {
		rm[r] = s >> (4 * r) & 15
	}
	slices.Sort(rm[:t.rms])
	s = s >> tmShift << tmShift
	for r := range t.rms {
		s |= rm[r] << (4 * r)
	}
	return s
}
