package main

import (
	"errors"
	"fmt"
	"io/fs"

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
		data, name, err := c.readInput(o.configFile)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("--config: there is no file %s", o.configFile)
		}
		if err != nil {
			return nil, fmt.Errorf("--config: %w", err)
		}
		s, err := systems.Read(name, data, o.systemName)
		return s, suggested(err)
	case o.systemName != "":
		return findSystem(o.systemName)
	}
	return nil, nil
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
	if !cmd.Flags().Changed("store") {
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
