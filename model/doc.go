// Package model is the world of locks: clients that run a program under a
// lease, servers that grant it, a store that judges tokens, and a clock. It is
// a transition system and no more: it does not know that anyone searches it.
//
// Time is a number of ticks. A lease granted at tick t with ttl n is the
// half-open interval [t, t+n): it is over at t+n and can be granted again at
// that tick. Within a tick actors may act in any order, and every order is a
// schedule of its own.
//
// A client is idle until it acquires, which is never urgent. From then on it
// is inside its program and takes one step per tick; the clock may not advance
// past a client that is awake inside its program and has not taken its step.
// It may pause instead. A paused client does nothing, time passes freely, and
// it resumes by taking the step it had in front of it with everything it knew:
// it is never told that it was paused.
//
// The store's judgement of a token and what it does then are one step.
//
// # How a state is written down
//
// Each part of the world claims its variables from a Layout, by name and
// range, and gets Fields back; see Layout. History variables (see history) are
// claimed in the same way and read by no rule: they exist to judge.
//
// # Where to add things
//
// A lock service is a file service_NAME.go with a row for Services; a store
// policy is a file store_NAME.go with a row for Stores. A fault or another rule is
// a file axis_NAME.go that declares an Axis. A kind of action is declared beside
// the rule that takes it; see NewKind.
package model
