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
	for key, m := range map[string]map[string]string{keyRules: s.Rules, keyWords: s.Words} {
		if len(m) > 0 {
			doc[key] = m
		}
	}
	if len(s.Sources) > 0 {
		doc[keySources] = s.Sources
	}
	faults := map[string]any{}
	for _, f := range s.Faults {
		faults[f.Name] = values(f.Settings)
	}
	if len(faults) > 0 {
		doc[keyFaults] = faults
	}
	for field, v := range values(s.Settings()) {
		doc[field] = v
	}
	return json.Marshal(doc)
}

// Settings are those that make the system out of the default configuration.
func (s *System) Settings() []model.Setting {
	c := model.DefaultConfig()
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
