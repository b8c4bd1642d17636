package explore

// What the tests of package disk share with those here.
var (
	Worlds = worlds
	Tied   = func(s System) System { return tied{s} }
)

const TieMark = tieMark

// TwoPhase is two-phase commit with so many resource managers.
func TwoPhase(rms int) System { return twoPhase{rms: rms} }

// Large is a random graph that takes some buffers of a search on disk.
func Large() System {
	return random{seed: 9, width: 2, nodes: 60000, degree: 6, slow: 3, rare: 500}
}
