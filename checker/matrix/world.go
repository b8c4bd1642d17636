package matrix

import (
	"fmt"
	"slices"
	"strconv"

	"dlcheck/checker/systems"
	"dlcheck/model"
)

// durations are the fields that mean something against the ttl: when the scope
// has another ttl than the system, they keep their proportion to it.
var durations = []string{"max-pause", "restart-delay", "lock-delay", "deadline", "clock-jumps", "client-jumps"}

// world is a system with changes, in a scope. Settings of the scope come last and
// as they are; durations that it does not name follow its ttl.
func world(s *systems.System, changes []systems.Change, scope []model.Setting) (model.Config, error) {
	cfg := s.Config
	for _, f := range changes {
		for _, set := range f.Settings {
			if err := cfg.Set(set); err != nil {
				return cfg, fmt.Errorf("%q: %w", f.Name, err)
			}
		}
	}
	was := cfg.TTL
	for _, set := range scope {
		if err := cfg.Set(set); err != nil {
			return cfg, err
		}
	}
	for _, field := range durations {
		if slices.ContainsFunc(scope, func(s model.Setting) bool { return s.Field == field }) {
			continue
		}
		// What is not a number is no duration: max-pause can be unlimited.
		if d, err := strconv.Atoi(cfg.Get(field)); err == nil && d > 0 {
			if err := cfg.Set(model.Setting{Field: field, Value: strconv.Itoa(scaled(d, was, cfg.TTL))}); err != nil {
				return cfg, err
			}
		}
	}
	return cfg, nil
}

// scaled brings a duration from one ttl to another, rounded up. What was shorter
// than the ttl stays shorter, if there is room, since that is what decides
// whether a deadline comes in time or a delay is too short.
func scaled(d, from, to int) int {
	n := (d*to + from - 1) / from
	if d < from && n >= to {
		n = max(1, to-1)
	}
	return n
}
