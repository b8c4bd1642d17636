package systems

import (
	"encoding/json"
	"strconv"

	"dlcheck/model"
)

// MarshalJSON writes the system in the form that Read reads, with all its
// settings in place: JSON is YAML.
func (s *System) MarshalJSON() ([]byte, error) {
	doc := map[string]any{}
	for key, text := range map[string]string{keyName: s.Name, keyAbout: s.About} {
		if text != "" {
			doc[key] = text
		}
	}
	cannot := map[string]string{}
	for _, l := range s.Cannot {
		cannot[l.Text()] = l.Why
	}
	for key, m := range map[string]map[string]string{keyRules: s.Rules, keyWords: s.Words, keyCannot: cannot} {
		if len(m) > 0 {
			doc[key] = m
		}
	}
	for key, list := range map[string][]string{keySources: s.Sources, keyDiffers: s.Differs} {
		if len(list) > 0 {
			doc[key] = list
		}
	}
	for key, changes := range map[string][]Change{keyFaults: s.Faults, keyVariants: s.Variants} {
		m := map[string]any{}
		for _, f := range changes {
			m[f.Name] = values(f.Settings)
		}
		if len(m) > 0 {
			doc[key] = m
		}
	}
	for field, v := range values(s.Settings()) {
		doc[field] = v
	}
	return json.Marshal(doc)
}

// Settings are those that make the system out of the default configuration, and
// its store, be it the default, unless it has none of its own.
func (s *System) Settings() []model.Setting {
	c := model.DefaultConfig()
	if !s.AnyStore {
		c.Store = ""
	}
	return c.Differences(&s.Config)
}

// values has settings as JSON has them: numbers are numbers.
func values(settings []model.Setting) map[string]any {
	out := map[string]any{}
	for _, s := range settings {
		out[s.Field] = s.Value
		if n, err := strconv.Atoi(s.Value); err == nil {
			out[s.Field] = n
		}
	}
	return out
}
