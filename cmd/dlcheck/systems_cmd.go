package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"dlcheck/checker/systems"
	"dlcheck/model"
	"dlcheck/traces"
)

const systemsLong = `dlcheck systems lists the lock systems that come with dlcheck; with a NAME, or a FILE such as --config
takes, it explains one: its rules as its own documents state them, what they are in the model and
where that differs, what can befall it and how else it can be used, with the flags to type. --yaml
prints the file it is made of, to start one of your own from.`

const systemsExamples = `  dlcheck systems
  dlcheck systems redis
  dlcheck systems redis --yaml > mine.yaml && dlcheck --config mine.yaml
  dlcheck systems mine.yaml
  dlcheck --system etcd --store fenced --cut-offs 1`

func (c *command) systemsCommand() *cobra.Command {
	var asYAML, asJSON bool
	cmd := &cobra.Command{
		Use:     "systems [NAME|FILE]",
		Short:   "list the lock systems that --system knows, or explain one",
		Long:    systemsLong,
		Example: systemsExamples,
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) > 1:
				return fmt.Errorf("systems takes one NAME or FILE at the most, and %d were given", len(args))
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
			return offer(describedSystems(), "", start), cobra.ShellCompDirectiveDefault
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return c.listSystems(asJSON)
			}
			s, err := c.systemOf(args[0])
			switch {
			case err != nil:
				return err
			case asYAML && s.File != "":
				return fmt.Errorf("--yaml prints the file of a system that comes with dlcheck, and %s is a file", s.File)
			case asYAML:
				_, data, _ := systems.Builtin(s.Name)
				fmt.Fprintln(c.stdout, editorLine)
				_, err := c.stdout.Write(data)
				return err
			case asJSON:
				return c.writeJSON(s)
			}
			c.explainSystem(s)
			return nil
		},
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().BoolVar(&asYAML, "yaml", false, "print the file that the system is made of; --config takes one")
	cmd.Flags().BoolVar(&asJSON, "json", false, "the same in JSON, all systems without a NAME; the schema: dlcheck schema system")
	return cmd
}

// editorLine tells an editor where the schema of a file is, if dlcheck schema
// system was written there.
const editorLine = "# yaml-language-server: $schema=dlcheck.schema.json"

// systemOf is a system that comes with dlcheck, or that of a file.
func (c *command) systemOf(arg string) (*systems.System, error) {
	if slices.Contains(systems.Names(), arg) || !isFile(arg) {
		return findSystem(arg)
	}
	s, err := c.readSystem(arg, "")
	if err != nil {
		return nil, err
	}
	return named(s), nil
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

// explainSystem says what a system is: in its own terms, and in flags.
func (c *command) explainSystem(s *systems.System) {
	title := c.colours.bold(s.Name)
	if s.About != "" {
		title += ": " + s.About
	}
	wrapped(c.stdout, "", "  ", title+".")
	section := func(title string, rows [][2]string) {
		if len(rows) > 0 {
			fmt.Fprintf(c.stdout, "\n%s\n", c.colours.bold(title))
			twoColumns(c.stdout, "  ", rows)
		}
	}
	listed := func(list []string) (rows [][2]string) {
		for _, text := range list {
			rows = append(rows, [2]string{"-", text})
		}
		return rows
	}
	changes := func(all []systems.Change) (rows [][2]string) {
		for _, f := range all {
			rows = append(rows, [2]string{f.Name, "dlcheck " + flagOfSystem(s) + flagsOf(f.Settings)})
		}
		return rows
	}
	var rules, here, cannot, words [][2]string
	for _, r := range systems.Rules() {
		if text := s.Rules[r.Key]; text != "" {
			rules = append(rules, [2]string{r.Key, text})
		}
	}
	if s.AnyStore {
		here = append(here, [2]string{"any --store", "its file names none; without one " + strings.Join(c.options.stores, ", ") + " are asked about"})
	}
	for _, set := range s.Settings() {
		here = append(here, [2]string{flagOf(set), docOf(set)})
	}
	for _, l := range s.Cannot {
		cannot = append(cannot, [2]string{"--" + l.Text(), l.Why})
	}
	for _, key := range traces.WordKeys() {
		if word := s.Words[key]; word != "" {
			_, usual := traces.WordDoc(key)
			words = append(words, [2]string{usual, word})
		}
	}
	section("Its rules", rules)
	section("What it is here", here)
	section("Where the model differs", listed(s.Differs))
	section("What can befall it", changes(s.Faults))
	section("Other ways to use it", changes(s.Variants))
	section("What it cannot have, so that no cure is made of it", cannot)
	section("What its traces say instead", words)
	section("Sources", listed(s.Sources))
}

func flagOf(set model.Setting) string { return "--" + set.Field + " " + quoted(set.Value) }

func flagsOf(settings []model.Setting) string {
	var all strings.Builder
	for _, set := range settings {
		all.WriteString(" " + flagOf(set))
	}
	return all.String()
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
