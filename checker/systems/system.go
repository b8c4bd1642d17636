// Package systems describes the lock systems that people run: each is a
// configuration of the model, the faults that can befall it, other ways to use
// it, and its own words. Each is a file under builtin, in the form in which users
// write their own.
package systems

import (
	"slices"

	"dlcheck/model"
)

// System is a lock service and a store as people run them.
type System struct {
	Name  string // as --system has it
	File  string // of a user; empty of a system that comes with dlcheck
	About string // one line
	// Rules has those of Rules, by key, one line each, as the system's own
	// documents state them.
	Rules   map[string]string
	Sources []string
	// Differs says in sentences where the model is another than the system.
	Differs []string
	// Words are what traces of it say instead of the model's words; see
	// traces.WordKeys.
	Words map[string]string
	// Config is the system with no fault but pauses.
	Config model.Config
	// AnyStore says that its file names no store and starts from no system that
	// does: then the store of Config is only the default.
	AnyStore bool
	Faults   []Change // what can befall it
	Variants []Change // other ways to use it, cures among them
	Cannot   []Limit  // what it cannot be changed to
}

// Change is a set of settings on top of a system's configuration.
type Change struct {
	Name     string // a few words
	Settings []model.Setting
}

// Limit is a setting that a system cannot have, or with no value a field of
// which it can have no other value than its own.
type Limit struct {
	Setting model.Setting
	Why     string // a sentence
}

// Text is a limit as a file has it.
func (l *Limit) Text() string {
	if l.Setting.Value == "" {
		return l.Setting.Field
	}
	return l.Setting.Field + " " + l.Setting.Value
}

// Can says whether the system could be changed to have those settings.
func (s *System) Can(settings []model.Setting) bool {
	return !slices.ContainsFunc(settings, func(set model.Setting) bool {
		return slices.ContainsFunc(s.Cannot, func(l Limit) bool {
			return l.Setting.Field == set.Field && (l.Setting.Value == "" || l.Setting.Value == set.Value)
		})
	})
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

// In is the configuration of the system with a change.
func (f *Change) In(s *System) (model.Config, error) {
	c := s.Config
	for _, set := range f.Settings {
		if err := c.Set(set); err != nil {
			return c, err
		}
	}
	return c, c.Validate()
}
