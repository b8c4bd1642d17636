package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"dlcheck/checker"
	"dlcheck/model"
)

const proveLong = `dlcheck prove claims something of every number of clients, of rounds and of pauses, of every ttl and
every horizon. It searches one small world that has the schedules of them all: two clients, leases
that may end at any moment, a pause before any step, and no bound on rounds and ticks. That two
clients are enough has an argument, which holds for the stores and properties that are covered and
for a lock without faults and other rules; whatever else is asked for is refused.

What is not proved is broken: dlcheck then looks for a counterexample of two clients with the smallest
ttl that has one, and tells it. The exit status is 0 if all is proved, 1 if something is broken, 3 if
something is left open.`

const proveExamples = `  dlcheck prove
  dlcheck prove --store fenced --program "acquire, claim, read, write, release"
  dlcheck prove --store claimed --property lost-update --json`

// proveArgument is printed with every proof.
const proveArgument = `Why this holds for every number of clients: a schedule that breaks one of these properties does so by two
clients. Without all others, and without the earlier rounds of these two, it still is a schedule and
still breaks it: the lock is free wherever it was free, tokens keep their order, and the store, which has
accepted less, refuses nothing that it accepted. Why for every ttl: a lease that may end at any moment ends,
in some schedule, when one of that ttl would. docs/prove.md has the argument in full.`

type proveOptions struct {
	config     model.Config
	stores     []string
	properties []string
	workers    int
	maxBytes   int64
	timeLimit  time.Duration
	json       bool
}

func (c *command) proveCommand() *cobra.Command {
	o := &proveOptions{config: model.DefaultConfig(), stores: []string{"plain", "fenced", "claimed"}, properties: checker.Provable()}
	cmd := &cobra.Command{
		Use:     "prove [flags]",
		Short:   "prove a property for every number of clients, every ttl and every horizon",
		Long:    proveLong,
		Example: proveExamples,
		Args:    noArguments,
		RunE:    func(cmd *cobra.Command, _ []string) error { return c.runProve(cmd.Context(), o) },
	}
	fs := cmd.Flags()
	fs.SortFlags = false
	fs.Var(names(&o.stores, findStore), "store", "what the lock protects; repeatable")
	fs.Var(names(&o.properties, findProperty), "property", "what is claimed: "+strings.Join(checker.Provable(), ", "))
	fs.Var(parsed("STEPS", &o.config.Program, func() string { return o.config.Program.String() }, model.ParseProgram), "program",
		`what a client does in a round`)
	fs.Var(workerCount(&o.workers), "workers", "how many search at once; 0 is one per processor; the answer is the same for every number")
	fs.Var(size(&o.maxBytes), "memory", "memory for the states of one store, such as 2GiB; 0 is three quarters of what the machine or the container has")
	fs.Var(duration(&o.timeLimit), "time-limit", "time for all stores together, such as 10m; what is not answered by then is left open; 0 is no bound")
	fs.BoolVar(&o.json, "json", false, "print the claims in JSON; its schema: dlcheck schema prove")
	nothing := oneWord(func() []described { return nil })
	complete(cmd, map[string]completion{
		"store": commaList(describedStores), "property": commaList(describedProperties),
		"program": nothing, "workers": nothing, "memory": nothing, "time-limit": nothing,
	})
	return cmd
}

// claimed is what is claimed of one store.
type claimed struct {
	config model.Config
	claims []checker.Claim
}

func (c *command) runProve(ctx context.Context, o *proveOptions) error {
	properties, left, err := provableOf(o.properties)
	if err != nil {
		return err
	}
	if len(left) > 0 {
		fmt.Fprintf(c.stderr, "dlcheck: note: nothing is claimed of %s: the argument for every number of clients does not cover them\n", strings.Join(left, ", "))
	}
	ctx, stop := c.interruptible(ctx)
	defer stop()
	ctx, cancel := within(ctx, o.timeLimit)
	defer cancel()
	var all []claimed
	for _, store := range o.stores {
		cfg := o.config
		cfg.Store = store
		if err := cfg.Validate(); err != nil {
			return fmt.Errorf("--%w", err)
		}
		claims, err := checker.Prove(ctx, cfg, properties, o.workers, memoryBound(o.maxBytes))
		if err != nil {
			return err
		}
		all = append(all, claimed{cfg, claims})
	}
	c.status = statusOfClaims(all)
	if o.json {
		return c.writeClaimsJSON(all)
	}
	c.writeClaims(all)
	return nil
}

// provableOf has of a group those that can be claimed, and those that are left out;
// what was named by itself is for the checker to refuse.
func provableOf(names []string) (can, left []string, err error) {
	all, err := checker.Expand(names)
	for _, n := range all {
		if slices.Contains(checker.Provable(), n) || slices.Contains(names, n) {
			can = append(can, n)
		} else {
			left = append(left, n)
		}
	}
	return can, left, err
}

func statusOfClaims(all []claimed) int {
	status := exitHolds
	for _, s := range all {
		for i := range s.claims {
			switch claim := &s.claims[i]; {
			case claim.Proved:
			case claim.Concrete != nil:
				return exitViolated
			default:
				status = exitIncomplete
			}
		}
	}
	return status
}

func (c *command) writeClaims(all []claimed) {
	w := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
	proved := false
	for _, s := range all {
		for i := range s.claims {
			claim := &s.claims[i]
			proved = proved || claim.Proved
			fmt.Fprintf(w, "%s\t%s\t%s\n", s.config.Store, claim.Property, claimText(s.config.Program, claim))
		}
	}
	w.Flush()
	if proved {
		fmt.Fprintln(c.stdout)
		wrapped(c.stdout, "", "  ", strings.ReplaceAll(proveArgument, "\n", " "))
	}
	for _, s := range all {
		for i := range s.claims {
			if v := s.claims[i].Concrete; v != nil {
				fmt.Fprintln(c.stdout)
				wrapped(c.stdout, "", "  ", fmt.Sprintf("%s: %s; 2 clients, ttl %d; %s", c.colours.bold(s.config.Store), v.Property, s.claims[i].TTL, v.Trace.Summary()))
				c.writeStory(v.Trace)
			}
		}
	}
}

// claimText says what is known.
func claimText(program model.Program, claim *checker.Claim) string {
	switch {
	case claim.Proved:
		return fmt.Sprintf("proved for every number of clients, rounds and pauses, every ttl and every horizon (%s)", count(int(claim.States), "state"))
	case claim.Concrete != nil:
		return fmt.Sprintf("broken by 2 clients with a ttl of %d, in %s", claim.TTL, claim.Concrete.Trace.Summary())
	case claim.Stopped != "":
		return fmt.Sprintf("not proved: the world of all times breaks it, and the search for a counterexample of two clients was cut short (%s)", claim.Stopped)
	case claim.Abstract.Result == checker.Violated:
		return fmt.Sprintf("not proved: the world of all times breaks it, and no counterexample of two clients with a ttl up to %d was found", checker.LongestTTL(program))
	}
	return "left open: " + claim.Abstract.Scope
}
