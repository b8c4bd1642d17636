package explore

// What the tests of package disk share with those here.
var (
	Worlds = worlds
	Tied   = func(s System) System { return tied{s} }
)

const TieMark = tieMark

// TwoPhase is two-phase commit with so many resource managers.
func TwoPhase(rms int) System { return twoPhase{rms: rms} }

// Endless is a system whose set never closes.
func Endless() System { return endless{} }
