// Package systems describes the lock systems that people run: each is a
// configuration of the model, the faults that can befall it, and its own words.
// Each is a file under builtin, in the form in which users write their own.
package systems

import "dlcheck/model"

// System is a lock service and a store as people run them.
type System struct {
	Name  string // as --system has it
	About string // one line
	// Rules has those of Rules, by key, one line each, as the system's own
	// documents state them.
	Rules   map[string]string
	Sources []string
	// Words are what traces of it say instead of the model's words; see
	// traces.WordKeys.
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

// Rule is something that a system says in its own documents.
type Rule struct{ Key, Doc string }

// Rules lists what is told of each system.
func Rules() []Rule {
	return []Rule{
		{"clock", "who decides that a lease is over, on which clock"},
		{"belief", "what a holder goes by"},
		{"token", "what can serve as a fencing token, and whether it only grows"},
		{"release", "what a release frees"},
		{"checked", "where a token is checked"},
	}
}

// In is the configuration of the system when a fault befalls it.
func (f *Fault) In(s *System) (model.Config, error) {
	c := s.Config
	for _, set := range f.Settings {
		if err := c.Set(set); err != nil {
			return c, err
		}
	}
	return c, c.Validate()
}
