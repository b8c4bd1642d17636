package main

import (
	"fmt"
	"strings"
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
			name := 0
			for _, p := range checker.Properties() {
				name = max(name, len(p.Name))
			}
			for _, p := range checker.Properties() {
				left := fmt.Sprintf("%-*s  %-6s  ", name, p.Name, groupOf(p))
				wrapped(c.stdout, left, strings.Repeat(" ", len(left)), p.Doc)
			}
			fmt.Fprintf(c.stdout, "\n")
			for _, g := range groups {
				left := fmt.Sprintf("%-6s  ", g.word)
				wrapped(c.stdout, left, strings.Repeat(" ", len(left)), g.doc)
			}
			return nil
		},
		DisableFlagsInUseLine: true,
	}
}

// groups explains the words that groupOf gives.
var groups = []described{
	{"seed", "what the classic lesson checks; --property seed asks for these"},
	{"beyond", "what it does not check; --property all asks for both"},
}

// groupOf is the word for the part of the table that a property stands in.
func groupOf(p checker.Property) string {
	if p.Seed {
		return "seed"
	}
	return "beyond"
}

func (c *command) schemaCommand() *cobra.Command {
	schemas := map[string][]byte{"report": reportSchema, "trace": traces.SchemaFile, "sweep": sweepSchema, "boundary": boundarySchema, "explain": explainSchema}
	return &cobra.Command{
		Use:   "schema report|trace|sweep|boundary|explain",
		Short: "print the JSON Schema of a report, a trace, a sweep, a boundary or an explanation",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 || schemas[args[0]] == nil {
				return fmt.Errorf("schema takes one word: report, trace, sweep, boundary or explain")
			}
			return nil
		},
		ValidArgs: []string{"report\twhat --json prints", "trace\twhat dlcheck trace reads", "sweep\twhat dlcheck sweep --json writes", "boundary\twhat dlcheck boundary --json prints", "explain\twhat dlcheck explain --format json prints"},
		RunE: func(_ *cobra.Command, args []string) error {
			_, err := c.stdout.Write(schemas[args[0]])
			return err
		},
		DisableFlagsInUseLine: true,
	}
}
