package main

import (
	"fmt"
	"slices"
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

// forms are the schemas of what dlcheck writes and reads, by the word that prints
// each.
var forms = []struct {
	described
	text func(root *cobra.Command) []byte
}{
	{described{"report", "what --json prints"}, written(reportSchema)},
	{described{"trace", "what dlcheck trace reads"}, written(traces.SchemaFile)},
	{described{"sweep", "what dlcheck sweep --json writes"}, written(sweepSchema)},
	{described{"boundary", "what dlcheck boundary --json prints"}, written(boundarySchema)},
	{described{"matrix", "what dlcheck matrix --format json prints"}, written(matrixSchema)},
	{described{"explain", "what dlcheck explain --format json prints"}, written(explainSchema)},
	{described{"verify", "what dlcheck verify --json prints"}, written(verifySchema)},
	{described{"prove", "what dlcheck prove --json prints"}, written(proveSchema)},
	{described{"system", "what --config reads, for editors"}, systemSchema},
}

// written is a schema that is a file.
func written(file []byte) func(*cobra.Command) []byte {
	return func(*cobra.Command) []byte { return file }
}

func (c *command) schemaCommand() *cobra.Command {
	var words, offered []string
	for _, s := range forms {
		words = append(words, s.word)
		offered = append(offered, s.word+"\t"+s.doc)
	}
	return &cobra.Command{
		Use:   "schema " + strings.Join(words, "|"),
		Short: "print the JSON Schema of what dlcheck writes or reads",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 || !slices.Contains(words, args[0]) {
				last := len(words) - 1
				return fmt.Errorf("schema takes one word: %s or %s", strings.Join(words[:last], ", "), words[last])
			}
			return nil
		},
		ValidArgs: offered,
		RunE: func(cmd *cobra.Command, args []string) error {
			_, err := c.stdout.Write(forms[slices.Index(words, args[0])].text(cmd.Root()))
			return err
		},
		DisableFlagsInUseLine: true,
	}
}
