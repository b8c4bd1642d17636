package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"
)

// manDate stands at the foot of the page. It is fixed, so that the page
// changes only when what it says does.
var manDate = time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)

func (c *command) manCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "man",
		Short:   "print the manual page",
		Example: "  dlcheck man | man -l -",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return doc.GenMan(c.manPage(cmd.Root()), &doc.GenManHeader{
				Title: "DLCHECK", Section: "1", Date: &manDate, Source: "dlcheck", Manual: "User Commands",
			}, c.stdout)
		},
		DisableFlagsInUseLine: true,
	}
}

// manPage folds the tree of commands into one command, since readers have
// one page; package doc makes a page per command. Its texts are Markdown.
func (c *command) manPage(root *cobra.Command) *cobra.Command {
	var b strings.Builder
	b.WriteString(root.Long + "\n\n# OPTIONS\n")
	for _, g := range c.flagGroups {
		fmt.Fprintf(&b, "## %s\n", g.title)
		manFlags(&b, g.flags)
	}
	b.WriteString("# EXIT STATUS\n")
	for _, e := range exitStatuses {
		fmt.Fprintf(&b, "**%d**\n: %s\n\n", e.status, e.means)
	}
	b.WriteString("# COMMANDS\n")
	for _, cmd := range root.Commands() {
		if cmd.IsAvailableCommand() {
			manSection(&b, cmd)
		}
	}
	page := &cobra.Command{
		Use: root.Use, Short: root.Short, Long: b.String(), Example: root.Example,
		DisableFlagsInUseLine: true, DisableAutoGenTag: true, Run: func(*cobra.Command, []string) {},
	}
	// Package doc would list the flags again: it may find one, and hidden.
	page.Flags().BoolP("help", "h", false, "")
	page.Flags().Lookup("help").Hidden = true
	return page
}

func manSection(b *strings.Builder, cmd *cobra.Command) {
	fmt.Fprintf(b, "## %s\n%s.\n\n", cmd.UseLine(), strings.TrimSuffix(cmd.Short, "."))
	if cmd.Long != "" {
		fmt.Fprintf(b, "%s\n\n", cmd.Long)
	}
	manFlags(b, cmd.LocalFlags())
	if cmd.Example != "" {
		// The sentence ends the list of flags, which would swallow the block.
		fmt.Fprintf(b, "Examples:\n\n```\n%s\n```\n\n", cmd.Example)
	}
}

func manFlags(b *strings.Builder, flags *pflag.FlagSet) {
	eachFlag(flags, func(left, usage string) {
		fmt.Fprintf(b, "**%s**\n: %s\n\n", left, usage)
	})
}
