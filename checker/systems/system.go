// Package systems describes the lock systems that people run: each is a
// configuration of the model, the faults that can befall it, and its own words.
package systems

import "dlcheck/model"

// System is a lock service and a store as people run them.
type System struct {
	Name  string // as --system has it
	About string // one line
	// The rules, one line each, as the system's own documents state them.
	Clock   string // who decides that a lease is over, on which clock
	Belief  string // what a holder goes by
	Token   string // what can serve as a fencing token, and whether it only grows
	Release string // what a release frees
	Checked string // where a token is checked
	Sources []string
	// Words are what traces of it say instead of the model's words.
	Words map[string]string
	// Config is the system with no fault but pauses.
	Config model.Config
	Faults []Fault
}

// Fault is something that can befall a system: settings on top of its
// configuration.
type Fault struct {
	Name     string // a few words
	Settings []model.Setting
}
