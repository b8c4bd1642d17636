// Package certificate writes down what a search has seen, so that others can
// check it without searching.
//
// # The argument
//
// A set of states that holds the initial state, and with each state every
// successor of it, holds every state that can be reached. If no transition out
// of it breaks a property, no reachable transition does. A search finds the
// smallest such set, and needs a frontier, parents, workers and an order for
// it. To check one needs nothing of the kind: each state is looked at once, in
// any order, and each successor looked up. Whoever does not trust the search
// need trust only this package, the rules in package model, the monitors, and,
// where reductions are in force, model.World.Canonical. This package does not
// import the explorer, nor anything that does; a test sees to it.
//
// Any set that is closed in this way will do. One with more states than can be
// reached is as good a proof, so that nobody has to ask whether it is smallest.
//
// # What it is about
//
// Where the clock is no part of a state, a closed set is closed at every
// horizon. Where it is, the model makes no tick past the bound: the set closes
// because time ends, and says something about schedules with as many ticks at
// most. Which of the two a certificate claims follows from its world and
// reductions, so it cannot claim the wrong one. A search without a clock that
// was cut off at a bound has successors outside of what it saw; no certificate
// is made of it.
//
// # The file
//
// Three parts, one after another, and nothing behind them:
//
//	header    one line of JSON: see Header
//	states    deflated: the states in rising order, each as its difference to
//	          the one before
//	checksum  32 bytes: SHA-256 of the header and the deflated states
//
// A state is a vector of words, compared word by word. A word is written as an
// unsigned varint: as long as all words before it are those of the state
// before, as what it has more than there, and else as it is. The state before
// the first is all zeros, but the first may be that one itself.
//
// The checksum is there to tell a damaged file from a wrong one, and is no
// proof of anything: who changes a file can make a new one. That the claim is
// true is found by checking it.
package certificate
