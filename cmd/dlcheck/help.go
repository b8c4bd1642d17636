package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// help prints the help of any command. Cobra's template knows no groups of
// flags and does not wrap.
func (c *command) help(cmd *cobra.Command) {
	var w strings.Builder
	defer func() { io.WriteString(c.stdout, w.String()) }()
	long := cmd.Long
	if long == "" {
		long = "dlcheck " + cmd.Name() + ": " + cmd.Short + "."
	}
	fmt.Fprintf(&w, "%s\n\n%s\n  %s\n", strings.TrimSpace(long), c.colours.bold("Usage"), cmd.UseLine())
	if cmd.HasAvailableSubCommands() {
		if cmd.Runnable() && !cmd.HasParent() {
			fmt.Fprintf(&w, "  %s COMMAND\n", cmd.CommandPath())
		}
		fmt.Fprintf(&w, "\n%s\n", c.colours.bold("Commands"))
		for _, sub := range cmd.Commands() {
			if sub.IsAvailableCommand() {
				fmt.Fprintf(&w, "  %-12s %s\n", sub.Name(), sub.Short)
			}
		}
	}
	groups := []flagGroup{{"Flags", cmd.LocalFlags()}}
	if !cmd.HasParent() {
		groups = c.flagGroups
	}
	c.helpFlags(&w, groups)
	if cmd.Example != "" {
		fmt.Fprintf(&w, "\n%s\n%s\n", c.colours.bold("Examples"), cmd.Example)
	}
	if !cmd.HasParent() {
		fmt.Fprintf(&w, "\n%s\n", c.colours.bold("Exit status"))
		for _, e := range exitStatuses {
			wrapped(&w, fmt.Sprintf("  %d  ", e.status), "     ", e.means)
		}
	}
}

func (c *command) helpFlags(w io.Writer, groups []flagGroup) {
	const column = 33 // where the texts begin
	for _, g := range groups {
		title := "\n" + c.colours.bold(g.title) + "\n"
		eachFlag(g.flags, func(left, usage string) {
			io.WriteString(w, title)
			title = ""
			left = "  " + left
			if len(left)+2 > column {
				fmt.Fprintln(w, left)
				left = ""
			}
			wrapped(w, fmt.Sprintf("%-*s", column, left), strings.Repeat(" ", column), usage)
		})
	}
}

// eachFlag gives the flags as help and the manual page show them. The --help
// of a subcommand goes without saying.
func eachFlag(flags *pflag.FlagSet, yield func(left, usage string)) {
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" && f.Usage != rootHelpUsage {
			return
		}
		kind, usage := pflag.UnquoteUsage(f)
		left := "--" + f.Name
		if f.Shorthand != "" {
			left = "-" + f.Shorthand + ", " + left
		}
		if kind != "" {
			left += " " + kind
		}
		if f.DefValue != "" && f.DefValue != "false" {
			usage += " (default " + f.DefValue + ")"
		}
		yield(left, usage)
	})
}
