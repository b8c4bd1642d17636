package main

import (
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"dlcheck/checker"
	"dlcheck/model"
	"dlcheck/traces"
)

func (c *command) storesCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "stores",
		Short: "list the stores there are",
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			w := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
			for _, name := range model.Stores.Names() {
				e, _ := model.Stores.Find(name)
				fmt.Fprintf(w, "%s\t%s\n", e.Name, e.Doc)
			}
			return w.Flush()
		},
		DisableFlagsInUseLine: true,
	}
}

func (c *command) propertiesCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "properties",
		Short: "list the properties there are, each with its group",
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			w := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
			for _, p := range checker.Properties() {
				fmt.Fprintf(w, "%s\t%s\t%s\n", p.Name, groupOf(p), p.Doc)
			}
			return w.Flush()
		},
		DisableFlagsInUseLine: true,
	}
}

// groupOf is the word for the part of the table that a property stands in.
func groupOf(p checker.Property) string {
	if p.Seed {
		return "seed"
	}
	return "beyond"
}

func (c *command) schemaCommand() *cobra.Command {
	schemas := map[string][]byte{"report": reportSchema, "trace": traces.SchemaFile}
	return &cobra.Command{
		Use:   "schema report|trace",
		Short: "print the JSON Schema of a report or of a trace",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 || schemas[args[0]] == nil {
				return fmt.Errorf("schema takes one word: report or trace")
			}
			return nil
		},
		ValidArgs: []string{"report\twhat --json prints", "trace\twhat dlcheck trace reads"},
		RunE: func(_ *cobra.Command, args []string) error {
			_, err := c.stdout.Write(schemas[args[0]])
			return err
		},
		DisableFlagsInUseLine: true,
	}
}
