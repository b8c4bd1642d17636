package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"dlcheck/checker"
	"dlcheck/checker/sweep"
	"dlcheck/traces/script"
)

// boundarySchemaName is the version of the form; see reportSchemaName.
const boundarySchemaName = "dlcheck/boundary/v1"

//go:embed boundary.schema.json
var boundarySchema []byte

const boundaryLong = `dlcheck boundary runs a schedule over a rectangle of parameters and finds, from the cells alone, the
exact condition under which a property breaks: an inequality over one of the parameters, whose bounds
are the greatest of some sums of the others. It knows nothing of why; it fits the cells, and then checks
the condition against every one of them. Outside the rectangle the condition is a guess.

Without an argument it does so for the schedule dlock with three stores: plain, fenced and claimed. The
exit status is 0 if each property has such a condition, 3 if one has none or the run was interrupted.`

const boundaryExamples = `  dlcheck boundary
  dlcheck boundary --general
  dlcheck boundary dlock --over ttl=1..20 --over arrives=1..20 --over pause=0..45
  dlcheck boundary mine.yaml --y A.pause --over ttl=1..20 --over A.pause=0..40 --metric lost-update`

type boundaryOptions struct {
	y       string
	over    []sweep.Axis
	metrics []string
	set     []setting
	stores  []string
	general bool
	json    bool
	workers int
}

// usualAxes are the rectangle if none is named, generalAxes that of --general.
var (
	usualAxes   = []string{"ttl=1..40", "pause=0..45"}
	generalAxes = []string{"ttl=1..10", "arrives=2..13", "gap=1..4", "read=1..4", "pause=0..59"}
)

func (c *command) boundaryCommand() *cobra.Command {
	o := &boundaryOptions{y: "pause", metrics: []string{"stale-overwrite", "lost-update"}}
	cmd := &cobra.Command{
		Use:               "boundary [FILE|NAME]",
		Short:             "find the exact condition under which a schedule breaks a property",
		Long:              boundaryLong,
		Example:           boundaryExamples,
		Args:              oneScheduleAtMost,
		ValidArgsFunction: scheduleArgument,
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.runBoundary(cmd.Context(), o, args)
		},
	}
	fs := cmd.Flags()
	fs.SortFlags = false
	fs.Var(word("PARAM", &o.y), "y", "the parameter that the condition is about")
	fs.Var(axisList(&o.over), "over", "a parameter and its values; repeatable (default "+strings.Join(usualAxes, " and ")+"). Parameters: "+script.ParamHelp)
	fs.Var(names(&o.metrics, findRunProperty), "metric", "the properties")
	fs.BoolVar(&o.general, "general", false, "over "+strings.Join(generalAxes, ", ")+": 115,200 cells for each store")
	fs.Var(settings(&o.set), "set", "another number than the schedule has, in every cell; repeatable")
	fs.Var(names(&o.stores, findStore), "store", "these stores instead of the schedule's own")
	fs.BoolVar(&o.json, "json", false, "print the conditions in JSON; its schema: dlcheck schema boundary")
	fs.Var(workerCount(&o.workers), "workers", "how many cells run at once; 0 is one per processor; the answer is the same for every number")
	nothing := oneWord(func() []described { return nil })
	complete(cmd, map[string]completion{
		"y": oneWord(func() []described { return bare(describedParams()) }), "over": oneWord(describedParams), "set": oneWord(describedParams),
		"metric": commaList(describedRunProperties), "store": commaList(describedStores), "workers": nothing,
	})
	return cmd
}

// word is a flag that takes any word.
func word(kind string, p *string) value {
	return value{kind, func() string { return *p }, func(text string) error {
		if text == "" {
			return errors.New("give a name")
		}
		*p = text
		return nil
	}}
}

func axisList(p *[]sweep.Axis) value {
	return value{"PARAM=VALUES", func() string { return "" }, func(text string) error {
		var a sweep.Axis
		if err := axis(&a).Set(text); err != nil {
			return err
		}
		if slices.ContainsFunc(*p, func(b sweep.Axis) bool { return b.Param == a.Param }) {
			return fmt.Errorf("%s has values already", a.Param)
		}
		*p = append(*p, a)
		return nil
	}}
}

// bare are parameters without their =.
func bare(all []described) []described {
	for i := range all {
		all[i].word = strings.TrimSuffix(all[i].word, "=")
	}
	return all
}

func describedRunProperties() []described {
	return slices.DeleteFunc(describedMetrics(), func(d described) bool { return findRunProperty(d.word) != nil })
}

// findRunProperty takes properties that a single run can show.
func findRunProperty(name string) error {
	var can []string
	for _, p := range checker.Properties() {
		if p.InTrace {
			can = append(can, p.Name)
		}
	}
	if !slices.Contains(can, name) {
		return fmt.Errorf("a run shows no property %q; it shows %s%s", name, strings.Join(can, ", "), didYouMean(name, can))
	}
	return nil
}

// bounded is one schedule under one store, and what was found.
type bounded struct {
	*scheduled
	grid *sweep.Grid
	fits []fitted
}

type fitted struct {
	property string
	fit      *sweep.Fit // nil: there is none
	why      string     // there is none
	broken   int
	beyond   []sweep.Beyond
}

func (c *command) runBoundary(ctx context.Context, o *boundaryOptions, args []string) error {
	axes := o.over
	if o.general || axes == nil {
		texts := usualAxes
		if o.general {
			if o.over != nil {
				return errors.New("--general and --over exclude each other: it has its own rectangle")
			}
			texts = generalAxes
		}
		for _, text := range texts {
			a, err := sweep.ParseAxis(text)
			if err != nil {
				panic(err)
			}
			axes = append(axes, a)
		}
	}
	if !slices.ContainsFunc(axes, func(a sweep.Axis) bool { return a.Param == o.y }) {
		return fmt.Errorf("--y %s: the condition is about a parameter of the rectangle, and there are %s; add --over %s=0..45", o.y, axesText(axes), o.y)
	}
	// The classic pair, and the store that closes what they leave open.
	arg, stores := "dlock", []string{"plain", "fenced", "claimed"}
	if len(args) > 0 {
		arg, stores = args[0], []string{""}
	}
	if o.stores != nil {
		stores = o.stores
	}
	ctx, stop := c.interruptible(ctx)
	defer stop()
	var all []*bounded
	for _, store := range stores {
		b, err := c.bound(ctx, o, axes, arg, store)
		if errors.Is(err, errInterrupted) || errors.Is(err, context.Canceled) {
			fmt.Fprintln(c.stderr, "dlcheck: interrupted; of a rectangle that is not whole nothing is said")
			c.status = exitIncomplete
			return nil
		}
		if err != nil {
			return err
		}
		all = append(all, b)
		for _, f := range b.fits {
			if f.fit == nil {
				c.status = exitIncomplete
			}
		}
	}
	if o.json {
		return c.writeBoundaryJSON(o, axes, all)
	}
	return c.writeBoundary(o, axes, all)
}

// bound runs the rectangle and fits it.
func (c *command) bound(ctx context.Context, o *boundaryOptions, axes []sweep.Axis, arg, store string) (*bounded, error) {
	base, err := c.loadSchedule(arg, store, o.set)
	if err != nil {
		return nil, err
	}
	b := &bounded{scheduled: base}
	if b.grid, err = c.grid(ctx, base, axes, o.metrics, o.workers); err != nil {
		return nil, err
	}
	for m, property := range o.metrics {
		f := fitted{property: property}
		for i := range b.grid.Len() {
			if b.grid.Cell(i)[m].Broken {
				f.broken++
			}
		}
		fit, err := b.grid.FitProperty(property, o.y)
		var none *sweep.NoFit
		switch {
		case errors.As(err, &none):
			f.why = none.Why
		case err != nil:
			return nil, err
		default:
			f.fit, f.beyond = fit, fit.Beyond(b.grid)
		}
		b.fits = append(b.fits, f)
	}
	return b, nil
}

func axesText(axes []sweep.Axis) string {
	var parts []string
	for _, a := range axes {
		parts = append(parts, axisText(a))
	}
	return strings.Join(parts, ", ")
}
