package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"dlcheck/checker"
	"dlcheck/model"
)

const reductionsLong = `dlcheck reductions searches one world under no reduction, under each of those that are exact there
alone, under all but each, and under all, and shows how many states each search has. A reduction leaves
out of states what cannot matter; docs/reductions.md says why each is exact. Where the clock is not part
of a state the search goes on past the ticks asked for until the set closes, so that its states are those
of every horizon.

It takes the fields of the world as flags, as dlcheck does. The exit status is 3 if a search was cut
short, else 0.`

const reductionsExamples = `  dlcheck reductions --clients 3 --store claimed
  dlcheck reductions --clients 2 --servers 3 --ttl 3 --ticks 12 --restarts 1`

func (c *command) reductionsCommand() *cobra.Command {
	cfg := model.DefaultConfig()
	properties := []string{"stale-overwrite"}
	workers, maxBytes := 0, int64(0)
	cmd := &cobra.Command{
		Use:     "reductions [flags]",
		Short:   "show for a world what each reduction of the state space saves",
		Long:    reductionsLong,
		Example: reductionsExamples,
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			names, err := checker.Expand(properties)
			if err != nil {
				return err
			}
			if err := cfg.Validate(); err != nil {
				return fmt.Errorf("--%w", err)
			}
			return c.runReductions(cmd.Context(), checker.Question{
				Config: cfg, Properties: names, Reduce: model.AllReductions(), Workers: workers, MaxBytes: memoryBound(maxBytes),
			})
		},
	}
	fs := cmd.Flags()
	fs.SortFlags = false
	worldFlags(fs, &cfg)
	fs.Var(names(&properties, findProperty), "property", "whose monitors look on; what they remember is part of a state")
	fs.Var(workerCount(&workers), "workers", "how many search at once; 0 is one per processor")
	fs.Var(size(&maxBytes), "memory", "memory for the states of one search, such as 2GiB; 0 is three quarters of what the machine or the container has")
	nothing := oneWord(func() []described { return nil })
	complete(cmd, map[string]completion{
		"store": oneWord(describedStores), "property": commaList(describedProperties), "workers": nothing, "memory": nothing,
	})
	return cmd
}

// worldFlags declares a flag for each field of a configuration.
func worldFlags(fs *pflag.FlagSet, cfg *model.Config) {
	for _, field := range model.Fields() {
		kind, doc := coreFieldKinds[field], coreFieldDocs[field]
		if kind == "" {
			kind = "N"
		}
		if a, err := model.FindAxis(field); err == nil {
			kind, doc = axisKind(a), a.Doc
		}
		fs.Var(value{kind, func() string { return cfg.Get(field) }, func(text string) error {
			if field == "store" {
				if err := findStore(text); err != nil {
					return err
				}
			}
			if err := cfg.Set(model.Setting{Field: field, Value: text}); err != nil {
				// The flag and what was given are said anyway.
				return errors.New(strings.Replace(err.Error(), fmt.Sprintf("%s %q is", field, text), "it is", 1))
			}
			return nil
		}}, field, doc)
	}
}

// coreFieldDocs are short words for the fields that are no axes.
var coreFieldDocs = map[string]string{
	"store": "what the lock protects", "clients": "how many clients share the store", "ticks": "how far the clock may go",
	"ttl": "length of a lease in ticks", "servers": "lock servers", "rounds": "how often each client runs its program",
	"pauses": "pauses of one client in one round", "max-pause": "longest pause in ticks", "program": "what a client does in a round",
}

// coreFieldKinds are what help shows as the values of those that are not just numbers.
var coreFieldKinds = map[string]string{
	"store": "NAME", "ticks": "N|unlimited", "rounds": "N|unlimited", "max-pause": "N|unlimited", "program": "STEPS",
}

func (c *command) runReductions(ctx context.Context, q checker.Question) error {
	ctx, stop := c.interruptible(ctx)
	defer stop()
	p := newProgress(c.stderr, c.progressOn)
	q.Progress = p.update
	all, err := checker.Savings(ctx, q)
	p.stop()
	if err != nil {
		return err
	}
	const row = "%13s  %7s  %13s  %4s  %-21s  %s\n"
	fmt.Fprintf(c.stdout, row, "states", "of all", "transitions", "bits", "seen", "reductions")
	for _, s := range all {
		names := strings.Join(s.Reductions.Names(), ", ")
		if names == "" {
			names = "none"
		}
		seen := "all within the ticks"
		switch {
		case s.Stopped != "":
			seen = "cut short: " + s.Stopped
			c.status = exitIncomplete
		case s.Closed:
			seen = "all, at every horizon"
		}
		share := "-" // of what nobody has counted
		if s.Stopped == "" && all[0].Stopped == "" {
			share = fmt.Sprintf("%.2f %%", 100*float64(s.States)/float64(all[0].States))
		}
		fmt.Fprintf(c.stdout, row, comma(int(s.States)), share, comma(int(s.Transitions)), comma(s.Bits), seen, names)
	}
	return nil
}
