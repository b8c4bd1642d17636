package main

import (
	"errors"
	"path"
	"strings"

	"github.com/spf13/cobra"

	"dlcheck/checker/systems"
	"dlcheck/model"
	"dlcheck/traces/yamlfile"
)

// systemName is the name of a system that comes with dlcheck.
func systemName(p *string) value {
	return value{"NAME", func() string { return *p }, func(text string) error {
		if _, err := findSystem(text); err != nil {
			return err
		}
		*p = text
		return nil
	}}
}

// configFile is the name of a file; empty as long as the flag is not given.
func configFile(p *string) value {
	return value{"FILE", func() string { return *p }, func(text string) error {
		if text == "" {
			return errors.New("give the name of a file, or - for the standard input")
		}
		*p = text
		return nil
	}}
}

func findSystem(name string) (*systems.System, error) {
	s, _, err := systems.Builtin(name)
	if err != nil {
		return nil, errors.New(err.Error() + didYouMean(name, systems.Names()))
	}
	return s, nil
}

// loadSystem reads what --system and --config say; nil if neither is given.
func (c *command) loadSystem() (*systems.System, error) {
	o := &c.options
	switch {
	case o.configFile != "":
		return c.readSystem(o.configFile, o.systemName)
	case o.systemName != "":
		return findSystem(o.systemName)
	}
	return nil, nil
}

// readSystem reads a file that describes a system; from is as systems.Read has
// it.
func (c *command) readSystem(file, from string) (*systems.System, error) {
	data, name, err := c.readInput(file)
	if err != nil {
		return nil, err
	}
	s, err := systems.Read(name, data, from)
	if err != nil {
		return nil, suggested(err)
	}
	s.File = file
	return s, nil
}

// named gives a system that has no name that of its file.
func named(s *systems.System) *systems.System {
	if s.Name == "" {
		s.Name = strings.TrimSuffix(path.Base(s.File), path.Ext(s.File))
	}
	return s
}

// flagOfSystem is the flag that asks about a system.
func flagOfSystem(s *systems.System) string {
	if s.File != "" {
		return "--config " + quoted(s.File)
	}
	return "--system " + quoted(s.Name)
}

// suggested adds to a fault in a file what may have been meant.
func suggested(err error) error {
	var at *yamlfile.Error
	if errors.As(err, &at) && at.Allowed != nil {
		return errors.New(err.Error() + didYouMean(at.Given, at.Allowed))
	}
	return err
}

// settle puts the system under the flags: those that were given win over it,
// and it wins over the defaults of the others.
func (c *command) settle(cmd *cobra.Command) error {
	s, err := c.loadSystem()
	if s == nil || err != nil {
		return err
	}
	o := &c.options
	cfg := s.Config
	for _, field := range model.Fields() {
		if cmd.Flags().Changed(field) {
			if err := cfg.Set(model.Setting{Field: field, Value: o.config.Get(field)}); err != nil {
				return err
			}
		}
	}
	if !cmd.Flags().Changed("store") && !s.AnyStore {
		o.stores = []string{s.Config.Store}
	}
	o.config, o.system = cfg, s
	return nil
}

func describedSystems() (out []described) {
	for _, name := range systems.Names() {
		s, err := findSystem(name)
		if err != nil {
			panic(err) // a test reads them all
		}
		out = append(out, described{name, s.About})
	}
	return out
}
