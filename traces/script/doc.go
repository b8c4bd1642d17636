// Package script runs schedules that someone wrote down: who arrives when, who
// stalls from when to when, in which order they act within a tick. A schedule
// is a small YAML file. It is run on the same model that is explored, action
// by action, and gives a trace like any other; what a log would have beside
// it, attempts to acquire that were denied and the text that the store ends up
// with, is in the Result.
//
// A script leaves nothing open. In each tick the clients act in the order of
// the file, each as soon as it can: who is inside its program takes its step,
// or pauses where the file says so; who has arrived asks for the lock, and a
// client that polls asks again in every tick until it has it.
package script
