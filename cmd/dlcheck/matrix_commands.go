package main

import (
	"fmt"
	"strings"

	"dlcheck/checker/matrix"
	"dlcheck/model"
)

// cellCommand is the command that asks about those properties of a row again.
func cellCommand(m *matrix.Matrix, r *matrix.Row, properties ...string) string {
	return worldCommand(m, r, r.Config, properties)
}

// cureCommand asks about all properties of a row under a cure.
func cureCommand(m *matrix.Matrix, r *matrix.Row, cure *matrix.Remedy) string {
	cfg, err := cure.Apply(r.Config)
	if err != nil {
		panic(err) // it was tried
	}
	return worldCommand(m, r, cfg, propertiesOf(m))
}

func worldCommand(m *matrix.Matrix, r *matrix.Row, cfg model.Config, properties []string) string {
	memory := ""
	if r.Stopped == "out of memory" {
		memory = fmt.Sprintf(" --memory %d", m.MaxBytes)
	}
	return "dlcheck " + flagOfSystem(r.System) + flagsOf(r.System.Config.Differences(&cfg)) + " --property " + strings.Join(properties, ",") + memory
}

func propertiesOf(m *matrix.Matrix) (names []string) {
	for _, p := range m.Properties {
		names = append(names, p.Name)
	}
	return names
}
