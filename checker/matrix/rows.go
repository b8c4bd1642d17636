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
	None     = "none"     // pauses only
	Each     = "each"     // each fault of the system alone
	Variants = "variants" // each other way to use the system
	All      = "all"      // all faults together, where there are several
)

// Words lists them.
func Words() []string { return []string{None, Each, Variants, All} }

// UnknownError is about a word that means no set of faults.
type UnknownError struct {
	Word  string
	Known []string // the names there are
}

func (e *UnknownError) Error() string {
	words := Words()
	last := len(words) - 1
	return fmt.Sprintf("no system has a fault or variant %q; there are %s, and the words %s and %s", e.Word, strings.Join(e.Known, ", "), strings.Join(words[:last], ", "), words[last])
}

// CheckFaults says which of the words for sets of faults means nothing to those
// systems. The error is an *UnknownError.
func CheckFaults(all []*systems.System, words []string) error {
	for _, word := range words {
		if !slices.Contains(Words(), word) && !slices.ContainsFunc(all, func(s *systems.System) bool {
			return slices.ContainsFunc(slices.Concat(s.Faults, s.Variants), named(word))
		}) {
			return &UnknownError{word, Names(all)}
		}
	}
	return nil
}

// rows makes a row per system and set of faults that is asked for, in the order
// of the systems: no fault, single ones, all together, variants.
func rows(q *Question) ([]Row, error) {
	if err := CheckFaults(q.Systems, q.Faults); err != nil {
		return nil, err
	}
	asked := func(group string) func(systems.Change) bool {
		return func(c systems.Change) bool {
			return slices.ContainsFunc(q.Faults, func(word string) bool { return word == group || named(word)(c) })
		}
	}
	var all []Row
	for _, s := range q.Systems {
		var own []Row
		if slices.Contains(q.Faults, None) {
			own = append(own, Row{})
		}
		for _, f := range s.Faults {
			if asked(Each)(f) {
				own = append(own, Row{Faults: []systems.Change{f}})
			}
		}
		if slices.Contains(q.Faults, All) && len(s.Faults) > 1 {
			own = append(own, Row{Faults: s.Faults})
		}
		for i := range s.Variants {
			if asked(Variants)(s.Variants[i]) {
				own = append(own, Row{Variant: &s.Variants[i]})
			}
		}
		base, err := world(s, nil, q.Scope)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.Name, err)
		}
		for _, r := range own {
			r.System, r.Base = s, base
			if r.Config, err = world(s, r.changes(), q.Scope); err != nil {
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

// named says of a change whether that is its name or a setting's field in it.
func named(word string) func(systems.Change) bool {
	return func(f systems.Change) bool {
		return f.Name == word || slices.ContainsFunc(f.Settings, func(s model.Setting) bool { return s.Field == word })
	}
}

// Names lists the names of the faults and variants of those systems, each once.
func Names(all []*systems.System) (names []string) {
	for _, s := range all {
		for _, f := range slices.Concat(s.Faults, s.Variants) {
			if !slices.Contains(names, f.Name) {
				names = append(names, f.Name)
			}
		}
	}
	return names
}
