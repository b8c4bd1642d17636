package matrix

import (
	"fmt"
	"slices"
	"strings"

	"dlcheck/checker/systems"
	"dlcheck/model"
)

// Words for sets of faults.
const (
	None = "none" // pauses only
	Each = "each" // each fault of the system alone
	All  = "all"  // all of them together, where there are several
)

// CheckFaults says which of the words for sets of faults means nothing to those
// systems. The error is one line for the user.
func CheckFaults(all []*systems.System, words []string) error {
	for _, word := range words {
		if word != None && word != Each && word != All && !slices.ContainsFunc(all, func(s *systems.System) bool {
			return slices.ContainsFunc(s.Faults, named(word))
		}) {
			return fmt.Errorf("no system has a fault %q; there are %s, and the words %s, %s and %s", word, strings.Join(FaultNames(all), ", "), None, Each, All)
		}
	}
	return nil
}

// rows makes a row per system and set of faults that is asked for, in the order
// of the systems: no fault, single ones, all together.
func rows(q *Question) ([]Row, error) {
	if err := CheckFaults(q.Systems, q.Faults); err != nil {
		return nil, err
	}
	var all []Row
	for _, s := range q.Systems {
		var sets [][]systems.Fault
		if slices.Contains(q.Faults, None) {
			sets = append(sets, nil)
		}
		for _, f := range s.Faults {
			if slices.ContainsFunc(q.Faults, func(word string) bool { return word == Each || named(word)(f) }) {
				sets = append(sets, []systems.Fault{f})
			}
		}
		if slices.Contains(q.Faults, All) && len(s.Faults) > 1 {
			sets = append(sets, s.Faults)
		}
		base, err := world(s, nil, q.Scope)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.Name, err)
		}
		for _, set := range sets {
			r := Row{System: s, Faults: set, Base: base}
			if r.Config, err = world(s, set, q.Scope); err != nil {
				return nil, fmt.Errorf("%s: %w", s.Name, err)
			}
			if err := r.Config.Validate(); err != nil {
				r.Refused = err.Error()
			}
			all = append(all, r)
		}
	}
	return all, nil
}

// named says of a fault whether that is its name or a setting's field in it.
func named(word string) func(systems.Fault) bool {
	return func(f systems.Fault) bool {
		return f.Name == word || slices.ContainsFunc(f.Settings, func(s model.Setting) bool { return s.Field == word })
	}
}

// FaultNames lists the names of the faults of those systems, each once.
func FaultNames(all []*systems.System) (names []string) {
	for _, s := range all {
		for _, f := range s.Faults {
			if !slices.Contains(names, f.Name) {
				names = append(names, f.Name)
			}
		}
	}
	return names
}
