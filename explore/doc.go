// Package explore walks through the states of a transition system, nearest
// first, and keeps every state it has seen.
//
// # Words
//
// A transition system has some initial states, and each state has
// successors; the step from a state to a successor is a transition. A state
// is a vector of 64-bit words here, and what they mean is the system's own
// affair: equal words are the same state. All that can be reached from the
// initial states is the reachability graph.
//
// To expand a state is to generate its successors. The visited set holds the
// states found so far, and those of them that wait to be expanded are the
// frontier. The parent of a state is the one from which it was found first;
// parents make a tree, and going up that tree gives a path, a nearest one.
//
// A transition may be slow, and it may carry marks; the system says so with a
// [Note]. Slow ones are counted apart, for systems where taking a step and
// letting time pass are different things, or a step and a mishap. A mark says
// that something of interest happens there; the nearest transition with each
// mark is a finding.
//
// Nearest can mean three things, the [Order]s. In each, a path has a cost of
// two numbers (P, Q), compared like words in a dictionary: fewest steps, and
// fewest slow ones among those; or fewest slow steps, and fewest steps among
// those; or fewest that are not slow. The states whose nearest path has the
// same cost make a bucket.
//
//	order        P           Q
//	StepsFirst   steps       slow steps
//	SlowFirst    slow steps  steps
//	FastFirst    fast steps  steps
//
// Where that leaves several nearest paths, [Graph.Toward] knows them all, and can
// tell those that have fewest transitions with a note: a third measure.
//
// # How it works
//
// Buckets are expanded by rising cost, and states are put into the visited
// set by rising cost, so the first path that finds a state is a nearest one.
// In a plain breadth-first search that comes by itself. With two measures,
// some successors must be held back until nothing cheaper can find them:
// order.go has the argument.
//
// The visited set has 64 shards, and a state's hash tells which one owns it.
// A shard is an arena, where states lie in the order in which they were
// found, and a hash table of indices into it:
//
//	table    [ . 3 . . 1 . 4 . 2 . . ]
//	arena    | s1 s2 | s3 s4 s5 | s6 ...
//	parents  |  -  - |  1  1  2 |  3 ...
//	           done    expanding  frontier
//
// States never move, so the arena is three things in one: what the table
// refers to, the frontier (a bucket is a range of indices), and with the
// parents the tree of paths.
//
// Where a state tells how many slow transitions lead to it, as when a clock is part of
// it, it can only be equal to states of the same P. In the order SlowFirst the table
// then has no others: it is emptied when the P is done, and the arena keeps all. That
// is the sweep-line method, without forgetting states: see [Dated].
//
// A bucket is expanded in waves. Workers expand states, some at a time, and sort the
// successors by parts of the shards. Each part is one worker's, who puts them into
// their shards in the order of the states they come from, whoever expanded these. At
// no time do two goroutines write to the same memory, so no state waits for a lock, and
// nothing depends on who was first. One worker alone sorts nothing: it puts successors
// into their shards as it goes, in the same order.
//
// # What it promises
//
// It is exact: states are kept whole and compared whole. It believes a system that
// promises to be [Dated].
//
// It is deterministic: states, IDs, parents, buckets and findings are the same
// with any number of workers, on any machine, also when the search is ended by
// [Options].Until, OnBucket or MaxBytes. Only a cancelled context ends it at a
// place of chance.
//
// It can be saved as it goes, and go on in another process, as if nothing had been:
// [Checkpoint].
//
// It says how it ended. [Closed] alone means that the whole graph was seen;
// after anything else, [Graph.Complete] tells how far it is known.
//
// # What it cannot do
//
// It sees paths, not cycles: that something happens eventually, on every
// infinite path, is no question for it, though the graph may be used to
// answer it. It does not store transitions, only one parent; who wants to
// know what happened between two states takes the steps again. It holds all
// states in memory, a table of 64 times 2^26 at most; package disk is for more.
// And it knows nothing of symmetry: a system that wants one state for many
// returns that one.
package explore
