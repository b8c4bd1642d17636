// Package traces tells what happened: a trace is a schedule of a world
// together with what each action was answered, in real clients and real
// ticks, as a log of the real system would hold it. A Player makes one by
// taking the actions on the model one after another, so that no trace exists
// that the model does not allow. Formats write a trace as text, as JSON that
// can be read back, or as a Mermaid sequence diagram. A trace can be told in the words
// of the system that it is of (see WordKeys).
//
// The package does not know how a schedule was found or whether it is good or
// bad; who judges a trace can leave a Remark on it.
package traces
