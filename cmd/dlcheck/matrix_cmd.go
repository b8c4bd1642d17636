package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"dlcheck/checker/matrix"
	"dlcheck/checker/systems"
	"dlcheck/model"
)

const matrixLong = `dlcheck matrix asks every property of every lock system that comes with dlcheck, without faults,
with each fault that can befall the system, and of each other way to use it, and prints a cell for
each: whether it holds, and how short the shortest counterexample is. Where something is violated it
tries changes of the configuration that a builder can make and the system can have, single ones and
then two together, and names the smallest that makes all that was violated hold, breaks nothing that
held, and still lets writes through.

A pause alone breaks most systems. --pauses 0 shows what a fault does by itself.

By default all properties are asked about, in worlds so small that all is said within a minute. What
breaks in them is broken; what holds in them holds in them, and --clients, --ticks and --ttl make
larger ones. When the ttl is not the system's own, its other durations follow in proportion, rounded
up; what was shorter than the ttl stays shorter.

The exit status is 0 whatever the cells say, and 3 if any of them, or a search for a cure, was cut
short: interrupted, out of the memory or the time it was given.`

const matrixExamples = `  dlcheck matrix
  dlcheck matrix --system redis,redlock,etcd --faults none,each,all
  dlcheck matrix --system redlock --pauses 0
  dlcheck matrix --config mine.yaml
  dlcheck matrix --faults restarts --property stale-overwrite,lost-update
  dlcheck matrix --clients 3 --ttl 5 --ticks 20 --format html --out matrix.html
  dlcheck matrix --format json | jq '.rows[] | {system, faults, cure: .cure.settings}'`

// matrixOptions is what the flags say.
type matrixOptions struct {
	systems    []string
	configFile string
	properties []string
	faults     []string
	scope      model.Config // of which scopeFields are looked at
	format     string
	out        string
	workers    int
	maxBytes   int64
	timeLimit  time.Duration
}

// scopeFields are the fields that the matrix sets in every world.
var scopeFields = []string{"clients", "ttl", "ticks", "pauses"}

// matrixMemory is enough for a few million states.
const matrixMemory = 64 << 20

type matrixFormat struct {
	name, doc string
	write     func(*command, io.Writer, *matrix.Matrix) error
}

// matrixFormats are the forms that a matrix is written in.
var matrixFormats = []matrixFormat{
	{"text", "tables for people", (*command).matrixText},
	{"markdown", "tables, and a command per cell", (*command).matrixMarkdown},
	{"html", "a page that needs no other file", (*command).matrixHTML},
	{"csv", "a line per cell", (*command).matrixCSV},
	{"json", "all of it; the schema: dlcheck schema matrix", (*command).matrixJSON},
}

func (c *command) matrixCommand() *cobra.Command {
	// Two clients are enough for most counterexamples, and 4 ticks for every
	// system's program: a lease of 3 is over before a claim, a read and a write
	// are done. With a ttl of 10 and 40 ticks the same properties break in
	// the systems of one server, and the same changes cure them.
	o := &matrixOptions{properties: []string{"all"}, faults: []string{matrix.None, matrix.Each, matrix.Variants}, scope: model.DefaultConfig(), format: "text", maxBytes: matrixMemory}
	o.scope.Clients, o.scope.TTL, o.scope.Ticks = 2, 4, 16
	cmd := &cobra.Command{
		Use:     "matrix [flags]",
		Short:   "ask every property of every lock system, under every fault, and name cures",
		Long:    matrixLong,
		Example: matrixExamples,
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.runMatrix(cmd.Context(), o)
		},
		DisableFlagsInUseLine: true,
	}
	var formats []string
	for _, f := range matrixFormats {
		formats = append(formats, f.name)
	}
	w := &o.scope
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.Var(names(&o.systems, func(name string) error { _, err := findSystem(name); return err }), "system", "which systems; repeatable; all where none is named; see dlcheck systems")
	flags.Var(configFile(&o.configFile), "config", "the system of a file in their place; see dlcheck systems NAME --yaml")
	flags.Var(names(&o.properties, findProperty), "property", "what is asked: names, or the groups seed and all; repeatable; see dlcheck properties")
	flags.Var(names(&o.faults, func(string) error { return nil }), "faults", "which faults beside pauses: none, each alone, all together; variants, the other ways to use a system; or one of either by its name or by a flag that it sets; repeatable")
	flags.Var(ofWorld(&w.Clients), "clients", "how many clients, in every world")
	flags.Var(ofWorld(&w.TTL), "ttl", "length of a lease in ticks, in every world; what else a system measures in ticks follows")
	flags.Var(orUnlimited(&w.Ticks, 0), "ticks", "how far the clock may go, in every world")
	flags.Var(ofWorld(&w.Pauses), "pauses", "pauses of one client in one round, in every world")
	flags.Var(oneOf(&o.format, formats...), "format", "the form of what is printed")
	flags.Var(outFile(&o.out), "out", "write to FILE instead; it is whole or not there")
	flags.Var(workerCount(&o.workers), "workers", "how many worlds are asked at once; 0 is one per processor; the answer is the same for every number")
	flags.Var(size(&o.maxBytes), "memory", "memory for the states of one world; a world that exceeds it is incomplete; 0 is no bound")
	flags.Var(duration(&o.timeLimit), "time-limit", "time for all worlds together, such as 10m; what is not reached is incomplete; 0 is no bound")
	nothing := oneWord(func() []described { return nil })
	complete(cmd, map[string]completion{
		"system": commaList(describedSystems), "property": commaList(describedProperties), "faults": commaList(describedFaultSets),
		"config":  configFiles,
		"ticks":   oneWord(func() []described { return []described{{unlimited, "no bound"}} }),
		"clients": nothing, "ttl": nothing, "pauses": nothing, "workers": nothing, "memory": nothing, "time-limit": nothing,
		"format": oneWord(func() (all []described) {
			for _, f := range matrixFormats {
				all = append(all, described{f.name, f.doc})
			}
			return all
		}),
	})
	return cmd
}

func describedFaultSets() []described {
	all := []described{
		{matrix.None, "pauses only"}, {matrix.Each, "each fault of a system alone"}, {matrix.All, "all faults of a system together"},
		{matrix.Variants, "each other way to use a system"},
	}
	for _, name := range matrix.Names(allSystems()) {
		all = append(all, described{name, "that row, of the systems that have it"})
	}
	return all
}

// allSystems are those that come with dlcheck.
func allSystems() (all []*systems.System) {
	for _, name := range systems.Names() {
		s, err := findSystem(name)
		if err != nil {
			panic(err) // a test reads them all
		}
		all = append(all, s)
	}
	return all
}

func (c *command) runMatrix(ctx context.Context, o *matrixOptions) error {
	q := matrix.Question{
		Properties: o.properties, Faults: o.faults,
		Workers: o.workers, MaxBytes: o.maxBytes, Check: c.check,
	}
	var err error
	if q.Systems, err = c.matrixSystems(o); err != nil {
		return err
	}
	err = matrix.CheckFaults(q.Systems, o.faults)
	var unknown *matrix.UnknownError
	if errors.As(err, &unknown) {
		return fmt.Errorf("--faults: %w%s", err, didYouMean(unknown.Word, append(unknown.Known, matrix.Words()...)))
	}
	for _, field := range scopeFields {
		q.Scope = append(q.Scope, model.Setting{Field: field, Value: o.scope.Get(field)})
	}
	if err := o.scope.Validate(); err != nil {
		return fmt.Errorf("--%w", err)
	}
	if o.out != "" {
		if err := canWriteOut(o.out); err != nil {
			return fmt.Errorf("--out: %w", err)
		}
	}
	ctx, stop := c.interruptible(ctx)
	defer stop()
	ctx, cancel := within(ctx, o.timeLimit)
	defer cancel()
	m, err := c.askMatrix(ctx, q)
	if err != nil {
		return err
	}
	if m.CutShort() {
		c.status = exitIncomplete
	}
	i := slices.IndexFunc(matrixFormats, func(f matrixFormat) bool { return f.name == o.format })
	write := func(w io.Writer) error { return matrixFormats[i].write(c, w, m) }
	if o.out == "" {
		return write(c.stdout)
	}
	c.colours = palette{}
	if err := writeOut(o.out, write); err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	return nil
}

// matrixSystems are those that are asked about.
func (c *command) matrixSystems(o *matrixOptions) (all []*systems.System, err error) {
	if o.configFile != "" {
		if o.systems != nil {
			return nil, errors.New("--config and --system exclude each other; a file that starts from a system says so in a line such as system: redis")
		}
		s, err := c.readSystem(o.configFile, "")
		if err == nil && s.AnyStore {
			err = fmt.Errorf("%s names no store, and the matrix asks about one; add a line such as store: plain", o.configFile)
		}
		if err != nil {
			return nil, err
		}
		return []*systems.System{named(s)}, nil
	}
	if o.systems == nil {
		return allSystems(), nil
	}
	for _, name := range o.systems {
		s, err := findSystem(name)
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

// askMatrix asks under a line of progress.
func (c *command) askMatrix(ctx context.Context, q matrix.Question) (*matrix.Matrix, error) {
	p := newCellProgress(c.stderr, c.progressOn, "matrix", "world")
	defer p.stop()
	q.Progress = p.update
	return matrix.Run(ctx, q)
}
