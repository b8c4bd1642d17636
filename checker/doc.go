// Package checker decides whether promises are kept. It knows both the world
// of locks and the explorer of graphs, and nobody else does.
//
// A property is an audit (see audit.go): one file each, with its name, what it
// says, and its judges. A monitor watches transitions while they are explored
// and may claim history variables; a retrospective audit looks at a finished
// trace as one would look at the log of a real system. Both must always say
// the same, and a counterexample is only reported when they do.
//
// Check explores the product of a world and the monitors that are asked for,
// first in the order of ticks, to know what is reached within the bound and
// whether the set closes past it, then once more in the order of the measure
// that is to be minimized, until each violated property has its shortest
// counterexample. Where more is asked for, it finds the front of ticks against
// events, and counts all that are shortest. Properties that no single transition can break have a
// decide function of their own: progress, which is about what can follow, and
// the two of porcupine, which are about the store's whole history.
//
// A verdict never says more than was explored; see Result.
package checker
