package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// usageError makes of an error in the flags one line: what was given, what is
// allowed, what to try.
func usageError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var missing *pflag.ValueRequiredError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown):
		name, dashes := unknown.GetSpecifiedName(), "--"
		if short := unknown.GetSpecifiedShortnames(); short != "" {
			name, dashes = short, "-"
		}
		return fmt.Errorf("there is no flag %s%s (%s --help lists them)%s", dashes, name, cmd.CommandPath(), suggestFlag(cmd, name))
	case errors.As(err, &missing):
		f := missing.GetFlag()
		return fmt.Errorf("--%s takes a value: --%s %s", f.Name, f.Name, f.Value.Type())
	case errors.As(err, &invalid):
		name, given, cause := invalid.GetFlag().Name, invalid.GetValue(), invalid.Unwrap()
		if invalid.GetFlag().Value.Type() == "bool" {
			return fmt.Errorf("--%s %q: it is a switch; give no value, or true or false", name, given)
		}
		if strings.Contains(cause.Error(), strconv.Quote(given)) {
			return fmt.Errorf("--%s: %w", name, cause)
		}
		return fmt.Errorf("--%s %q: %w", name, given, cause)
	}
	return err
}

func suggestFlag(cmd *cobra.Command, name string) string {
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	name, _, _ = strings.Cut(name, "=")
	similar := suggestions(name, names)
	if len(similar) == 0 {
		return ""
	}
	return "; did you mean --" + strings.Join(similar, " or --") + "?"
}

// didYouMean names what is spelled like what was given, or nothing.
func didYouMean(given string, names []string) string {
	similar := suggestions(given, names)
	if len(similar) == 0 {
		return ""
	}
	return "; did you mean " + strings.Join(similar, " or ") + "?"
}

// suggestions uses cobra's measure of likeness, which it has for commands
// only: the names stand in as commands.
func suggestions(given string, names []string) []string {
	stand := &cobra.Command{SuggestionsMinimumDistance: 2}
	for _, n := range names {
		stand.AddCommand(&cobra.Command{Use: n, Run: func(*cobra.Command, []string) {}})
	}
	if given == "" {
		return nil
	}
	return stand.SuggestionsFor(given)
}

// noCommand is the error for a word where a subcommand could stand.
func noCommand(parent *cobra.Command, word string) error {
	var names []string
	for _, c := range parent.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	hint := didYouMean(word, names)
	if hint == "" && parent.Flags().Lookup(word) != nil {
		hint = "; did you mean --" + word + "?"
	}
	return fmt.Errorf("there is no command \"%s %s\"; there are %s%s", parent.CommandPath(), word, strings.Join(names, ", "), hint)
}

// noArguments is for commands that take none.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if cmd.HasSubCommands() {
		return noCommand(cmd, args[0])
	}
	return fmt.Errorf("%s takes no argument, and %q was given", cmd.CommandPath(), args[0])
}

// shortened cuts what is too long for a person to read, such as the echo of a
// file that is no trace.
func shortened(line string) string {
	const most = 2000
	if len(line) <= most {
		return line
	}
	return strings.ToValidUTF8(line[:most/2], "") + " ... " + strings.ToValidUTF8(line[len(line)-most/2:], "")
}
