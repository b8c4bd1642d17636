package model

import (
	"fmt"
	"strconv"
)

// Setting is a field of a Config and a value, both as people write them in
// flags and files: {"ttl", "10"}, {"store", "claimed"}, {"release", "blind"}.
type Setting struct{ Field, Value string }

func (s Setting) String() string { return s.Field + "=" + s.Value }

// field is what a setting can be about.
type field struct {
	name string
	get  func(*Config) string
	set  func(*Config, string) error
}

var coreFields = []field{
	textField("store", func(c *Config) *string { return &c.Store }),
	numberField("clients", func(c *Config) *int { return &c.Clients }, false),
	numberField("ticks", func(c *Config) *int { return &c.Ticks }, true),
	numberField("ttl", func(c *Config) *int { return &c.TTL }, false),
	numberField("servers", func(c *Config) *int { return &c.Servers }, false),
	numberField("rounds", func(c *Config) *int { return &c.Rounds }, true),
	numberField("pauses", func(c *Config) *int { return &c.Pauses }, false),
	numberField("max-pause", func(c *Config) *int { return &c.MaxPause }, true),
	{"program", func(c *Config) string { return c.Program.String() }, func(c *Config, text string) (err error) {
		c.Program, err = ParseProgram(text)
		c.Programs = nil
		return err
	}},
}

func textField(name string, of func(*Config) *string) field {
	return field{name, func(c *Config) string { return *of(c) }, func(c *Config, text string) error {
		*of(c) = text
		return nil
	}}
}

func numberField(name string, of func(*Config) *int, orUnlimited bool) field {
	const unlimited = "unlimited"
	return field{name, func(c *Config) string {
		if n := *of(c); n != NoBound || !orUnlimited {
			return strconv.Itoa(n)
		}
		return unlimited
	}, func(c *Config, text string) error {
		n, err := strconv.Atoi(text)
		if orUnlimited && text == unlimited {
			n, err = NoBound, nil
		}
		switch {
		case err != nil && orUnlimited:
			return fmt.Errorf("%s %q is not a whole number, or %s", name, text, unlimited)
		case err != nil:
			return fmt.Errorf("%s %q is not a whole number", name, text)
		case orUnlimited && text != unlimited && n < 0: // or it would be taken for NoBound
			return fmt.Errorf("%s %q is negative; the word for no bound is %s", name, text, unlimited)
		}
		*of(c) = n
		return nil
	}}
}

// Fields lists what a setting can be about: the fields of the core, then the
// axes.
func Fields() []string {
	var names []string
	for _, f := range coreFields {
		names = append(names, f.name)
	}
	for _, a := range axes {
		names = append(names, a.Name)
	}
	return names
}

// Set takes a setting. Config.Validate judges what has become of it all. The
// error is one line for the user.
func (c *Config) Set(s Setting) error {
	for _, f := range coreFields {
		if f.name == s.Field {
			return f.set(c, s.Value)
		}
	}
	a, err := FindAxis(s.Field)
	if err != nil {
		return fmt.Errorf("there is no field %q", s.Field)
	}
	v, err := a.Parse(s.Value)
	if err != nil {
		return err
	}
	a.Set(c, v)
	return nil
}

// Get writes the value of a field as Set reads it, or "" if there is no such
// field.
func (c *Config) Get(name string) string {
	for _, f := range coreFields {
		if f.name == name {
			return f.get(c)
		}
	}
	if a, err := FindAxis(name); err == nil {
		return a.Text(a.Of(c))
	}
	return ""
}

// Differences lists the settings that make other out of c, in the order of
// Fields.
func (c *Config) Differences(other *Config) (all []Setting) {
	for _, name := range Fields() {
		if v := other.Get(name); v != c.Get(name) {
			all = append(all, Setting{name, v})
		}
	}
	return all
}
