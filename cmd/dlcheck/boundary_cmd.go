package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"dlcheck/checker"
	"dlcheck/checker/sweep"
	"dlcheck/model"
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
		Use:     "boundary [FILE|NAME]",
		Short:   "find the exact condition under which a schedule breaks a property",
		Long:    boundaryLong,
		Example: boundaryExamples,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return fmt.Errorf("boundary takes one FILE or NAME at the most, and %d were given", len(args))
			}
			return nil
		},
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
	fs.Var(number(&o.workers, 0), "workers", "how many cells run at once; 0 is one per processor; the answer is the same for every number")
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

// title names the schedule and its store.
func (b *bounded) title() string {
	t := b.Name + ", store " + b.Config.Store
	for _, p := range b.set {
		t += ", " + p.String()
	}
	return t
}

func (c *command) writeBoundary(o *boundaryOptions, axes []sweep.Axis, all []*bounded) error {
	cellCount := all[0].grid.Len()
	each := ""
	if len(all) > 1 {
		each = " for each store"
	}
	wrapped(c.stdout, "", "  ", fmt.Sprintf("Over %s: %s%s, each one run.", axesText(axes), count(cellCount, "cell"), each))
	wide := 0
	for _, m := range o.metrics {
		wide = max(wide, len(m))
	}
	for _, b := range all {
		fmt.Fprintf(c.stdout, "\n%s\n", c.colours.bold(b.title()))
		for _, f := range b.fits {
			left := fmt.Sprintf("  %-*s  ", wide, f.property)
			rest := strings.Repeat(" ", len(left))
			if f.fit == nil {
				wrapped(c.stdout, left, rest, fmt.Sprintf("%s; %s of %s are broken, and no inequality max(...) <= %s <= max(...) describes which: %s",
					c.colours.yellow("no condition found"), comma(f.broken), count(cellCount, "cell"), o.y, f.why))
				continue
			}
			text := f.fit.String()
			if text != "never" && text != "always" {
				text = "iff " + text
			}
			fmt.Fprintf(c.stdout, "%s%s\n", left, c.colours.bold(text))
			fmt.Fprintf(c.stdout, "%sagrees with all %s, of which %s are broken\n", rest, count(f.fit.Cells, "cell"), comma(f.broken))
		}
	}
	c.writeStops(o, axes, all)
	if err := c.writeEquality(all); err != nil {
		return err
	}
	return nil
}

// writeStops says where the rectangle ends before the condition does.
func (c *command) writeStops(o *boundaryOptions, axes []sweep.Axis, all []*bounded) {
	y := axes[slices.IndexFunc(axes, func(a sweep.Axis) bool { return a.Param == o.y })]
	last := slices.Max(y.Values)
	fmt.Fprintf(c.stdout, "\n%s\n", c.colours.bold("Where the rectangle stops"))
	stops, never := false, []string(nil)
	for _, b := range all {
		for _, f := range b.fits {
			if f.fit != nil && f.fit.Never {
				never = append(never, b.Config.Store+" "+f.property)
			}
			if len(f.beyond) == 0 {
				continue
			}
			stops = true
			first, end := f.beyond[0], f.beyond[len(f.beyond)-1]
			rows, they := "the row "+first.Name+" is", "it is"
			from := fmt.Sprintf("%s=%d", o.y, first.At)
			if len(f.beyond) > 1 {
				rows, they = fmt.Sprintf("%s rows (%s to %s) are", comma(len(f.beyond)), first.Name, end.Name), "they are"
				from = fmt.Sprintf("%s=%d in the first of them, %d in the last", o.y, first.At, end.At)
			}
			wrapped(c.stdout, "  ", "    ", fmt.Sprintf("%s, %s: %s all fine because the grid stops at %s=%d, not because %s safe: carried on, the condition has it break from %s.",
				b.Config.Store, f.property, rows, o.y, last, they, from))
		}
	}
	if !stops {
		wrapped(c.stdout, "  ", "  ", fmt.Sprintf("Where a condition has a least %s, every row of the rectangle reaches it. Beyond %s=%d nothing was run.", o.y, o.y, last))
	}
	if len(never) > 0 {
		wrapped(c.stdout, "  ", "  ", fmt.Sprintf("Never (%s) is said of %s=%d to %d alone: cells that are all fine can be those before the first that breaks.",
			strings.Join(never, ", "), o.y, slices.Min(y.Values), last))
	}
	for _, a := range axes {
		if gaps(a.Values) {
			wrapped(c.stdout, "  ", "  ", fmt.Sprintf("Not every %s between %d and %d was run: another condition may agree with these cells as well.", a.Param, slices.Min(a.Values), slices.Max(a.Values)))
		}
	}
}

// gaps says whether values lie between the values.
func gaps(values []int) bool {
	v := slices.Compact(slices.Sorted(slices.Values(values)))
	return v[len(v)-1]-v[0] != len(v)-1
}

// silentLoss is a cell whose run loses an update and overwrites nothing that
// is newer, or -1. Of several it is one that differs from the schedule as it
// is written in y alone, if there is one.
func (b *bounded) silentLoss(y string) int {
	stale, lost := slices.Index(b.grid.Metrics, "stale-overwrite"), slices.Index(b.grid.Metrics, "lost-update")
	if stale < 0 || lost < 0 {
		return -1
	}
	found := -1
	for i := range b.grid.Len() {
		if v := b.grid.Cell(i); !v[lost].Broken || v[stale].Broken {
			continue
		}
		if found < 0 {
			found = i
		}
		as := true
		for k, v := range b.grid.At(i) {
			a := b.grid.Axes[k].Param
			as = as && (a == y || a != "ttl" || v == b.Config.TTL)
		}
		if as {
			return i
		}
	}
	return found
}

// writeEquality tells the run that no one flags: the late write is accepted
// after the next holder has read.
func (c *command) writeEquality(all []*bounded) error {
	said := false
	for _, b := range all {
		i := b.silentLoss(b.fits[0].yOr("pause"))
		if i < 0 {
			continue
		}
		s, err := b.grid.Schedule(i)
		if err != nil {
			return err
		}
		r, err := s.Run()
		if err != nil {
			return err
		}
		found, err := checker.Audit(r.Trace, "lost-update")
		if err != nil || found[0].Remark == nil {
			return errors.Join(err, errors.New("a cell and its run differ"))
		}
		if !said {
			said = true
			fmt.Fprintf(c.stdout, "\n%s\n", c.colours.bold("An update that is lost and nothing is stale"))
		}
		var more []setting
		for k, v := range b.grid.At(i) {
			more = append(more, setting{b.grid.Axes[k].Param, v})
		}
		wrapped(c.stdout, "  ", "  ", fmt.Sprintf("%s, %s: reads %s; writes %s; the store is left with %q. No write is older than one before it, so nothing is flagged as stale; and: %s",
			b.Config.Store, b.grid.Name(i), readsOf(r), strings.Join(r.Writes(), ", "), r.Content, found[0].Remark.Reason))
		fmt.Fprintf(c.stdout, "    %s\n", b.command(more...))
	}
	if !said {
		return nil
	}
	var closed []string
	for _, b := range all {
		if b.silentLoss("") < 0 && slices.ContainsFunc(b.fits, func(f fitted) bool { return f.property == "lost-update" && f.broken == 0 }) {
			closed = append(closed, b.Config.Store)
		}
	}
	if closed != nil {
		wrapped(c.stdout, "  ", "  ", fmt.Sprintf("Only %s closes it: the same rectangle has no lost update there, since the store hears of the newer token before it answers the newer holder's read.", strings.Join(closed, ", ")))
	}
	return nil
}

func (f *fitted) yOr(or string) string {
	if f.fit != nil {
		return f.fit.Y
	}
	return or
}

// readsOf lists who reads when, such as "A at 1, B at 13".
func readsOf(r *script.Result) string {
	var out []string
	for i := range r.Trace.Events {
		if e := &r.Trace.Events[i]; e.Kind == model.Read {
			out = append(out, fmt.Sprintf("%s at %d", r.Trace.Name(e.Client), e.Tick))
		}
	}
	return strings.Join(out, ", ")
}

type jsonBoundary struct {
	Schema  string        `json:"schema"`
	Dlcheck string        `json:"dlcheck"`
	Y       string        `json:"y"`
	Axes    []jsonAxis    `json:"axes"`
	Cells   int           `json:"cells"`
	Stores  []jsonBounded `json:"stores"`
}

type jsonBounded struct {
	Schedule   string          `json:"schedule"`
	Store      string          `json:"store"`
	Conditions []jsonCondition `json:"conditions"`
	SilentLoss *jsonCommand    `json:"lost_and_not_stale"` // null: no such cell
}

type jsonCommand struct {
	Cell    string `json:"cell"`
	Command string `json:"command"`
}

type jsonCondition struct {
	Property  string       `json:"property"`
	Condition *string      `json:"condition"` // null: none was found
	Why       string       `json:"why,omitempty"`
	Broken    int          `json:"broken"`
	Lower     *jsonMax     `json:"lower"`
	Upper     *jsonMax     `json:"upper"`
	Beyond    []jsonBeyond `json:"beyond"`
}

type jsonMax struct {
	Max []jsonTerm `json:"max"`
}

type jsonTerm struct {
	Plus     []string `json:"plus"`
	Minus    []string `json:"minus"`
	Constant int      `json:"constant"`
}

type jsonBeyond struct {
	Row string `json:"row"`
	At  int    `json:"at"`
}

func toJSONMax(m *sweep.Max) *jsonMax {
	if m == nil {
		return nil
	}
	out := &jsonMax{}
	for _, t := range m.Terms {
		j := jsonTerm{Plus: []string{}, Minus: []string{}, Constant: t.Const}
		for k, p := range t.Params {
			if t.Signs[k] > 0 {
				j.Plus = append(j.Plus, p)
			} else {
				j.Minus = append(j.Minus, p)
			}
		}
		out.Max = append(out.Max, j)
	}
	return out
}

// writeBoundaryJSON writes the document that boundary.schema.json describes.
func (c *command) writeBoundaryJSON(o *boundaryOptions, axes []sweep.Axis, all []*bounded) error {
	j := jsonBoundary{Schema: boundarySchemaName, Dlcheck: c.version, Y: o.y, Axes: toJSONAxes(axes), Cells: all[0].grid.Len()}
	for _, b := range all {
		k := jsonBounded{Schedule: b.Name, Store: b.Config.Store, Conditions: []jsonCondition{}}
		for _, f := range b.fits {
			q := jsonCondition{Property: f.property, Why: f.why, Broken: f.broken, Beyond: []jsonBeyond{}}
			if f.fit != nil {
				text := f.fit.String()
				q.Condition, q.Lower, q.Upper = &text, toJSONMax(f.fit.Lower), toJSONMax(f.fit.Upper)
			}
			for _, x := range f.beyond {
				q.Beyond = append(q.Beyond, jsonBeyond{x.Name, x.At})
			}
			k.Conditions = append(k.Conditions, q)
		}
		if i := b.silentLoss(o.y); i >= 0 {
			var more []setting
			for n, v := range b.grid.At(i) {
				more = append(more, setting{axes[n].Param, v})
			}
			k.SilentLoss = &jsonCommand{b.grid.Name(i), b.command(more...)}
		}
		j.Stores = append(j.Stores, k)
	}
	enc := json.NewEncoder(c.stdout)
	enc.SetIndent("", "  ")
	return enc.Encode(j)
}
