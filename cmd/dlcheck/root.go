package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

const rootLong = `dlcheck explores every schedule of clients that share a store under a lease: every order of their
steps, every pause, every moment at which a lease can run out. It says of each property whether it
holds, and tells the shortest schedule that breaks it.

It prints a table with one verdict per store and property, then each distinct counterexample as a
story. "holds" is true for every horizon, "holds to tick N" for schedules with at most N ticks.
A tick is any unit you like: what matters is the ttl against the pauses and the program.`

const rootExamples = `  dlcheck --clients 3 --ticks 30
  dlcheck --store claimed --ticks unlimited
  dlcheck --system redis --clock-jumps 5
  dlcheck --store fenced --property seed
  dlcheck --store claimed --certificate claimed.cert
  dlcheck --store fenced --property lost-update --minimize ticks --trace-dir traces
  dlcheck --store plain --property lost-update --front --all-minimal
  dlcheck --clients 5 --rounds 2 --checkpoint run
  dlcheck --clients 5 --rounds 2 --checkpoint run --resume
  dlcheck --clients 2 --program "acquire, read, check, write, release"
  dlcheck --json | jq -c '.runs[] | .store as $s | .verdicts[]
    | select((.report_only|not) and (.verdict=="violated" or .violated_at_tick!=null))
    | {store:$s, property, verdict}'
  dlcheck trace traces/fenced-lost-update.json --format mermaid`

// exitStatuses documents the constants of main.go; help and the man page
// print it.
var exitStatuses = []struct {
	status int
	means  string
}{
	{exitHolds, "every property that was asked for holds, at least to the bound that was asked for; also where the search was interrupted past that bound"},
	{exitViolated, "some property is violated, be it only past the bound; this wins over 3"},
	{exitUsage, "the question cannot be asked or the answer cannot be written: usage, files, a full disk"},
	{exitIncomplete, "incomplete: interrupted, out of the memory, the disk or the time it was given, or asked what this world has no answer to, or for a certificate that could not be given"},
}

// root makes the tree of commands.
func (c *command) root() *cobra.Command {
	root := &cobra.Command{
		Use:           "dlcheck [flags]",
		Short:         "explores every schedule of clients that share a store under a lease",
		Long:          rootLong,
		Example:       rootExamples,
		Args:          noArguments,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if c.options.version {
				fmt.Fprintln(c.stdout, "dlcheck "+c.version)
				return nil
			}
			if cmd.Flags().Changed("list") && !c.options.allMinimal {
				return errors.New("--list says how many stories --all-minimal tells; ask for that too")
			}
			for _, flag := range []string{"resume", "checkpoint-every"} {
				if cmd.Flags().Changed(flag) && c.options.checkpoint == "" {
					return fmt.Errorf("--%s is about the folder of --checkpoint; give that too", flag)
				}
			}
			if err := c.settle(cmd); err != nil {
				return err
			}
			return c.runCheck(cmd.Context())
		},
		DisableFlagsInUseLine: true,
	}
	root.SetIn(c.stdin)
	root.SetOut(c.stdout)
	root.SetErr(c.stderr)
	c.addFlags(root)
	root.AddCommand(c.runCommand(), c.sweepCommand(), c.boundaryCommand(), c.matrixCommand(), c.traceCommand(), c.explainCommand(), c.verifyCommand(), c.proveCommand(), c.reductionsCommand(), c.propertiesCommand(), c.storesCommand(), c.systemsCommand(), c.schemaCommand(), c.manCommand())
	root.SetFlagErrorFunc(usageError)
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { c.help(cmd) })
	root.SetHelpCommand(helpCommand())
	completionCommand(root)
	return root
}

// helpCommand replaces cobra's, which meets an unknown topic with exit
// status 0.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "print the help of a command",
		ValidArgsFunction: func(cmd *cobra.Command, _ []string, start string) ([]string, cobra.ShellCompDirective) {
			var names []string
			for _, sub := range cmd.Root().Commands() {
				if sub.IsAvailableCommand() && strings.HasPrefix(sub.Name(), start) {
					names = append(names, sub.Name()+"\t"+sub.Short)
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			found, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return noCommand(found, append(rest, args...)[0])
			}
			return found.Help()
		},
	}
}

// completionCommand adjusts the command that cobra makes.
func completionCommand(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		if cmd.Name() != "completion" {
			continue
		}
		cmd.Short = "print a completion script for bash, zsh, fish or powershell"
		cmd.Use = "completion SHELL"
		cmd.Long = "Each script completes commands, flags and their values. Its own help says how to load it."
		cmd.DisableFlagsInUseLine = true
		cmd.Args = noArguments
		cmd.RunE = func(cmd *cobra.Command, _ []string) error {
			return fmt.Errorf("completion needs a shell: bash, zsh, fish or powershell")
		}
		for _, shell := range cmd.Commands() {
			shell.Short = "print a completion script for " + shell.Name()
		}
	}
}
