package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"dlcheck/checker/systems"
	"dlcheck/model"
	"dlcheck/traces"
)

const systemsLong = `dlcheck systems lists the lock systems that come with dlcheck; with a NAME it explains one: its rules
as its own documents state them, what they are in the model, and what can befall it, with the flags
to type. --yaml prints the file it is made of, to start one of your own from.`

const systemsExamples = `  dlcheck systems
  dlcheck systems redis
  dlcheck systems redis --yaml > mine.yaml && dlcheck --config mine.yaml
  dlcheck --system etcd --cut-offs 1`

func (c *command) systemsCommand() *cobra.Command {
	var asYAML, asJSON bool
	cmd := &cobra.Command{
		Use:     "systems [NAME]",
		Short:   "list the lock systems that --system knows, or explain one",
		Long:    systemsLong,
		Example: systemsExamples,
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) > 1:
				return fmt.Errorf("systems takes one NAME at the most, and %d were given", len(args))
			case asYAML && asJSON:
				return errors.New("--yaml and --json exclude each other")
			case asYAML && len(args) == 0:
				return errors.New("--yaml prints the file of one system; give its NAME")
			}
			return nil
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, start string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return offer(describedSystems(), "", start), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return c.listSystems(asJSON)
			}
			s, err := findSystem(args[0])
			switch {
			case err != nil:
				return err
			case asYAML:
				_, data, _ := systems.Builtin(s.Name)
				_, err := c.stdout.Write(data)
				return err
			case asJSON:
				return c.writeJSON(s)
			}
			c.explainSystem(s, cmd.Root())
			return nil
		},
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().BoolVar(&asYAML, "yaml", false, "print the file that the system is made of; --config takes one")
	cmd.Flags().BoolVar(&asJSON, "json", false, "the same in JSON, all systems without a NAME; the schema: dlcheck schema system")
	return cmd
}

func (c *command) writeJSON(v any) error {
	enc := json.NewEncoder(c.stdout)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

func (c *command) listSystems(asJSON bool) error {
	var all []*systems.System
	var rows [][2]string
	for _, name := range systems.Names() {
		s, err := findSystem(name)
		if err != nil {
			return err
		}
		all = append(all, s)
		rows = append(rows, [2]string{s.Name, s.About})
	}
	if asJSON {
		return c.writeJSON(all)
	}
	twoColumns(c.stdout, "", rows)
	return nil
}

// explainSystem says what a system is: in its own terms, and in those of the
// flags of root.
func (c *command) explainSystem(s *systems.System, root *cobra.Command) {
	wrapped(c.stdout, "", "  ", c.colours.bold(s.Name)+": "+s.About+".")
	section := func(title string, rows [][2]string) {
		if len(rows) > 0 {
			fmt.Fprintf(c.stdout, "\n%s\n", c.colours.bold(title))
			twoColumns(c.stdout, "  ", rows)
		}
	}
	var rows [][2]string
	for _, r := range systems.Rules() {
		if text := s.Rules[r.Key]; text != "" {
			rows = append(rows, [2]string{r.Key, text})
		}
	}
	section("Its rules", rows)
	rows = nil
	for _, set := range withStore(s) {
		rows = append(rows, [2]string{flagOf(set), docOf(set, root)})
	}
	section("What it is here", rows)
	rows = nil
	for _, f := range s.Faults {
		rows = append(rows, [2]string{f.Name, "dlcheck --system " + s.Name + flagsOf(f.Settings)})
	}
	section("What can befall it", rows)
	rows = nil
	for _, key := range traces.WordKeys() {
		if word := s.Words[key]; word != "" {
			_, usual := traces.WordDoc(key)
			rows = append(rows, [2]string{usual, word})
		}
	}
	section("What its traces say instead", rows)
	rows = nil
	for _, source := range s.Sources {
		rows = append(rows, [2]string{"-", source})
	}
	section("Sources", rows)
}

// withStore are the settings that make the system, its store always among
// them: which store it is says most of a system.
func withStore(s *systems.System) []model.Setting {
	all := s.Settings()
	for _, set := range all {
		if set.Field == "store" {
			return all
		}
	}
	return append([]model.Setting{{Field: "store", Value: s.Config.Store}}, all...)
}

func flagOf(set model.Setting) string { return "--" + set.Field + " " + quoted(set.Value) }

func flagsOf(settings []model.Setting) string {
	var all strings.Builder
	for _, set := range settings {
		all.WriteString(" " + flagOf(set))
	}
	return all.String()
}

// docOf says what a setting means.
func docOf(set model.Setting, root *cobra.Command) string {
	if set.Field == "store" {
		e, err := model.Stores.Find(set.Value)
		if err != nil {
			panic(err) // a system is valid
		}
		return e.Doc
	}
	return root.Flags().Lookup(set.Field).Usage
}

// twoColumns writes rows, the second column wrapped.
func twoColumns(w io.Writer, indent string, rows [][2]string) {
	const most = 36 // a left column that is wider has its text below it
	wide := 0
	for _, r := range rows {
		if n := len(r[0]); n <= most {
			wide = max(wide, n)
		}
	}
	blank := indent + strings.Repeat(" ", wide+2)
	for _, r := range rows {
		left := fmt.Sprintf("%s%-*s  ", indent, wide, r[0])
		if len(left) > len(blank) {
			fmt.Fprintln(w, strings.TrimRight(left, " "))
			left = blank
		}
		wrapped(w, left, blank, r[1])
	}
}
