package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"dlcheck/checker"
	"dlcheck/checker/sweep"
	"dlcheck/traces/script"
)

// sweepSchemaName is the version of the form; see reportSchemaName.
const sweepSchemaName = "dlcheck/sweep/v1"

//go:embed sweep.schema.json
var sweepSchema []byte

const sweepLong = `dlcheck sweep runs a schedule once for every value of one parameter, or every pair of values of two,
and prints what becomes of it: for two parameters a grid per metric, for one a table. It is exhaustive
over the rectangle that you name and says nothing about what lies outside. Each cell is one run, and
the command that repeats it is printed below.

With --model it asks the explorer instead, once per cell: the parameters are then clients, ticks, ttl,
servers, rounds, pauses and max-pause, and a metric is a property. A cell is the number of steps of the
shortest counterexample, or "holds". The exit status is 0 whatever the cells say, and 3 if interrupted.`

const sweepExamples = `  dlcheck sweep --x ttl=1..40 --y pause=0..45
  dlcheck sweep dlock --x ttl=1..40 --y pause=0..45 --metric lost-update --plot boundary.png
  dlcheck sweep --x servers=1,3,5,7,21,51
  dlcheck sweep --x ttl=1..25 --set pause=14 --csv -
  dlcheck sweep --model --x ttl=1..12 --y clients=1..3 --metric lost-update`

// sweepOptions is what the flags say.
type sweepOptions struct {
	x, y    sweep.Axis
	metrics []string
	set     []setting
	stores  []string
	csv     string
	json    string
	plot    string
	workers int
	model   bool
}

func (c *command) sweepCommand() *cobra.Command {
	o := &sweepOptions{}
	cmd := &cobra.Command{
		Use:               "sweep [FILE|NAME]",
		Short:             "run a schedule for every value of one or two parameters",
		Long:              sweepLong,
		Example:           sweepExamples,
		Args:              oneScheduleAtMost,
		ValidArgsFunction: scheduleArgument,
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.runSweep(cmd.Context(), o, args)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.Var(axis(&o.x), "x", "the parameter across, and its values: ttl=1..40, pause=0..45:5 (every fifth) or servers=1,3,5. Parameters: "+script.ParamHelp)
	flags.Var(axis(&o.y), "y", "a second parameter, down")
	flags.Var(names(&o.metrics, findMetric), "metric", "what is told of each cell: "+strings.Join(sweep.MetricNames(), ", ")+". blocked is how many ticks the last client waits for the lock, final what the store is left with (default "+strings.Join(defaultMetrics[0], ",")+"; with --y "+strings.Join(defaultMetrics[1], ",")+"; with --model lost-update)")
	flags.Var(settings(&o.set), "set", "another number than the schedule has, in every cell; repeatable")
	flags.Var(names(&o.stores, findStore), "store", "another store than the schedule has; see dlcheck stores")
	flags.BoolVar(&o.model, "model", false, "sweep over the explored model instead of a schedule")
	flags.Var(outFile(&o.csv), "csv", "write every cell, with the command that repeats it, as CSV; - is the standard output, in place of the tables")
	flags.Var(outFile(&o.json), "json", "the same in JSON; its schema: dlcheck schema sweep")
	flags.Var(outFile(&o.plot), "plot", "draw the cells to FILE.png or FILE.svg")
	flags.Var(workerCount(&o.workers), "workers", "how many cells run at once; 0 is one per processor; the answer is the same for every number")
	nothing := oneWord(func() []described { return nil })
	complete(cmd, map[string]completion{
		"x": oneWord(describedParams), "y": oneWord(describedParams), "set": oneWord(describedParams),
		"metric": commaList(describedMetrics), "store": oneWord(describedStores), "workers": nothing,
	})
	return cmd
}

// axis is a flag of a parameter and its values.
func axis(a *sweep.Axis) value {
	return value{"PARAM=VALUES", func() string { return "" }, func(text string) error {
		if a.Param != "" {
			return fmt.Errorf("it was given before, as %s; a sweep has one --x and one --y", axisText(*a))
		}
		got, err := sweep.ParseAxis(text)
		if err != nil {
			return errors.New(strings.TrimPrefix(err.Error(), fmt.Sprintf("axis %q: ", text)))
		}
		*a = got
		return nil
	}}
}

func outFile(p *string) value {
	return value{"FILE", func() string { return *p }, func(text string) error {
		if text == "" {
			return errors.New("give the name of a file")
		}
		*p = text
		return nil
	}}
}

// defaultMetrics are for one parameter and for two: a grid takes more room
// than a column.
var defaultMetrics = [][]string{
	{"stale-overwrite", "lost-update", "unlocked-write", sweep.Final, sweep.Blocked},
	{"stale-overwrite", "lost-update"},
}

// findMetric takes what one or the other kind of sweep knows; which of them it
// is stands in another flag.
func findMetric(name string) error {
	if slices.Contains(sweep.MetricNames(), name) {
		return nil
	}
	if _, err := checker.Expand([]string{name}); err == nil {
		return nil
	}
	return fmt.Errorf("there is no metric %q; there are %s%s", name, strings.Join(sweep.MetricNames(), ", "), didYouMean(name, sweep.MetricNames()))
}

func describedMetrics() []described {
	var out []described
	for _, p := range checker.Properties() {
		if p.InTrace {
			out = append(out, described{p.Name, p.Doc})
		}
	}
	return append(out, described{sweep.Blocked, "how many ticks the last client waits for the lock"}, described{sweep.Final, "what the store is left with"})
}

func (c *command) runSweep(ctx context.Context, o *sweepOptions, args []string) error {
	if o.x.Param == "" {
		return errors.New("sweep needs a parameter to go through, such as --x ttl=1..40")
	}
	axes := []sweep.Axis{o.x}
	if o.y.Param != "" {
		axes = append(axes, o.y)
		if o.x.Param == o.y.Param {
			return fmt.Errorf("--x and --y are both %s", o.x.Param)
		}
	}
	if o.csv == "-" && o.json == "-" {
		return errors.New("--csv - and --json - exclude each other: there is one standard output")
	}
	if o.plot != "" {
		if err := canPlot(o.plot); err != nil {
			return err
		}
	}
	store, err := oneStore(o.stores)
	if err != nil {
		return err
	}
	ctx, stop := c.interruptible(ctx)
	defer stop()
	var s *cells
	if o.model {
		if len(args) > 0 {
			return fmt.Errorf("--model explores, and takes no schedule; %s was given", args[0])
		}
		s, err = c.sweepModel(ctx, o, axes, store)
	} else {
		name := "dlock-unfenced"
		if len(args) > 0 {
			name = args[0]
		}
		s, err = c.sweepSchedule(ctx, o, axes, store, name)
	}
	if errors.Is(err, errInterrupted) || errors.Is(err, context.Canceled) {
		fmt.Fprintln(c.stderr, "dlcheck: interrupted; of a sweep that did not end nothing is printed")
		c.status = exitIncomplete
		return nil
	}
	if err != nil {
		return err
	}
	return c.writeSweep(o, s)
}

func (c *command) writeSweep(o *sweepOptions, s *cells) error {
	var written []string
	for _, out := range []struct {
		flag, file string
		write      func(io.Writer) error
	}{
		{"csv", o.csv, s.writeCSV},
		{"json", o.json, func(w io.Writer) error { return s.writeJSON(w, c.version) }},
		{"plot", o.plot, func(w io.Writer) error { return s.plot(w, filepath.Ext(o.plot)) }},
	} {
		switch out.file {
		case "":
		case "-":
			if err := out.write(c.stdout); err != nil {
				return err
			}
		default:
			if err := writeOut(out.file, out.write); err != nil {
				return fmt.Errorf("--%s: %w", out.flag, err)
			}
			written = append(written, out.file)
		}
	}
	if o.csv == "-" || o.json == "-" {
		return nil
	}
	c.writeCells(s)
	if len(written) > 0 {
		wrapped(c.stdout, "", "  ", "Written: "+strings.Join(written, ", ")+".")
	}
	return nil
}

// canWriteOut says early what writeOut would say in the end: nobody should learn
// after a search that there was no place for the result.
func canWriteOut(file string) error {
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		return fmt.Errorf("%s is a directory; give the name of a file in it", file)
	}
	dir := filepath.Dir(file)
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return fmt.Errorf("there is no directory %s", dir)
	}
	return nil
}
