package main

import (
	"bufio"
	"context"
	_ "embed"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/spf13/cobra"
	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"dlcheck/checker"
	"dlcheck/checker/sweep"
	"dlcheck/model"
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
		Use:     "sweep [FILE|NAME]",
		Short:   "run a schedule for every value of one or two parameters",
		Long:    sweepLong,
		Example: sweepExamples,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return fmt.Errorf("sweep takes one FILE or NAME at the most, and %d were given", len(args))
			}
			return nil
		},
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
	flags.Var(number(&o.workers, 0), "workers", "how many cells run at once; 0 is one per processor; the answer is the same for every number")
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

// cells is a finished sweep, of a schedule or of the model.
type cells struct {
	subject string // what was swept, in a few words
	world   string
	tick    string // how long a tick is, if it is not just a tick
	axes    []sweep.Axis
	metrics []metric
	values  []cell // len(metrics) per cell of the grid; the first axis varies fastest
	command func(i int) string
	// legend explains marks that need it.
	legend []string
}

type metric struct {
	name string
	kind metricKind
}

type metricKind int

const (
	ofProperty metricKind = iota
	ofReport              // a property that is never a failure
	ofNumber
	ofText
	ofVerdict
)

// cell is what one metric says of one cell.
type cell struct {
	mark   string // in a grid
	text   string // in a table, and in CSV
	broken bool
	number int
	json   any
}

func (s *cells) len() int              { return len(s.values) / len(s.metrics) }
func (s *cells) at(i, m int) *cell     { return &s.values[i*len(s.metrics)+m] }
func (s *cells) params(i int) []int    { return (&sweep.Grid{Axes: s.axes}).At(i) }
func (s *cells) nameOf(i int) []string { return axisSettings(s.axes, s.params(i)) }

func axisSettings(axes []sweep.Axis, at []int) (out []string) {
	for k, v := range at {
		out = append(out, setting{axes[k].Param, v}.String())
	}
	return out
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

// writeOut writes beside the file and renames, as writeWhole does; what is no
// regular file, such as a pipe, is written to as it is.
func writeOut(file string, write func(io.Writer) error) (err error) {
	if info, err := os.Stat(file); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		f, err := os.OpenFile(file, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return errors.Join(write(f), f.Close())
	}
	tmp, err := os.CreateTemp(filepath.Dir(file), "."+filepath.Base(file)+".*")
	var no *fs.PathError
	if errors.As(err, &no) { // it names a file that nobody has heard of
		return fmt.Errorf("%s: %w", file, no.Err)
	}
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(tmp.Name())
		}
	}()
	w := bufio.NewWriter(tmp)
	if err = errors.Join(write(w), w.Flush(), tmp.Chmod(0o644), tmp.Close()); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), file)
}

// sweepSchedule runs the schedule in every cell.
func (c *command) sweepSchedule(ctx context.Context, o *sweepOptions, axes []sweep.Axis, store, name string) (*cells, error) {
	metrics := o.metrics
	if metrics == nil {
		metrics = defaultMetrics[len(axes)-1]
	}
	for _, m := range metrics {
		if !slices.Contains(sweep.MetricNames(), m) {
			return nil, fmt.Errorf("--metric %s: no single run shows it; a run shows %s", m, strings.Join(sweep.MetricNames(), ", "))
		}
	}
	base, err := c.loadSchedule(name, store, o.set)
	if err != nil {
		return nil, err
	}
	g, err := c.grid(ctx, base, axes, metrics, o.workers)
	if err != nil {
		return nil, err
	}
	s := &cells{subject: base.Name, axes: axes}
	s.world = "store " + base.Config.Store
	for _, p := range base.set {
		s.world += ", " + p.String()
	}
	if base.Tick > 0 {
		s.tick = base.Tick.String()
	}
	s.command = func(i int) string {
		var more []setting
		for k, v := range g.At(i) {
			more = append(more, setting{axes[k].Param, v})
		}
		return base.command(more...)
	}
	letters := newLetters()
	for _, m := range metrics {
		s.metrics = append(s.metrics, metric{m, kindOf(m)})
	}
	for i := range g.Len() {
		for k, v := range g.Cell(i) {
			s.values = append(s.values, toCell(s.metrics[k].kind, v, letters))
		}
	}
	if slices.Contains(metrics, sweep.Blocked) {
		s.legend = append(s.legend, fmt.Sprintf("blocked: ticks that %s waits for the lock, from its arrival to its grant", base.Clients[len(base.Clients)-1].Name))
	}
	return s, nil
}

// grid runs every cell under a line of progress.
func (c *command) grid(ctx context.Context, base *scheduled, axes []sweep.Axis, metrics []string, workers int) (*sweep.Grid, error) {
	p := newCellProgress(c.stderr, c.progressOn, base.Name)
	defer p.stop()
	g, err := sweep.Run(ctx, base.Schedule, axes, metrics, workers, p.update)
	if err != nil && !errors.Is(err, errInterrupted) {
		return nil, fmt.Errorf("%s: %w", base.file(), err)
	}
	return g, err
}

func kindOf(name string) metricKind {
	switch name {
	case sweep.Blocked:
		return ofNumber
	case sweep.Final:
		return ofText
	}
	for _, p := range checker.Properties() {
		if p.Name == name && p.ReportOnly {
			return ofReport
		}
	}
	return ofProperty
}

func toCell(k metricKind, v sweep.Value, letters *letters) cell {
	switch k {
	case ofNumber:
		if v.Number < 0 {
			return cell{mark: "-", text: "never", number: -1}
		}
		n := strconv.Itoa(v.Number)
		return cell{mark: n, text: n, number: v.Number, json: v.Number}
	case ofText:
		return cell{mark: letters.of(v.Text), text: v.Text, json: v.Text}
	case ofReport:
		if v.Broken {
			return cell{mark: "#", text: "possible", broken: true, json: "possible"}
		}
		return cell{mark: ".", text: "none", json: "none"}
	}
	if v.Broken {
		return cell{mark: "#", text: "violated", broken: true, json: "violated"}
	}
	return cell{mark: ".", text: "holds", json: "holds"}
}

// letters gives each text a letter: its own if it is one, else the next that
// is free. The empty text is _.
type letters struct{ by map[string]string }

func newLetters() *letters { return &letters{by: map[string]string{}} }

func (l *letters) of(text string) string {
	if mark, ok := l.by[text]; ok {
		return mark
	}
	taken := map[string]bool{}
	for _, m := range l.by {
		taken[m] = true
	}
	mark := "?"
	if text == "" {
		mark = "_"
	} else if len(text) == 1 && text[0] > ' ' && text[0] < 0x7f && !taken[text] {
		mark = text
	} else {
		for _, r := range "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ" {
			if !taken[string(r)] {
				mark = string(r)
				break
			}
		}
	}
	l.by[text] = mark
	return mark
}

// modelParams are the numbers of the explored model, by the names of their
// flags.
var modelParams = []struct {
	name string
	of   func(*model.Config) *int
}{
	{"clients", func(c *model.Config) *int { return &c.Clients }},
	{"ticks", func(c *model.Config) *int { return &c.Ticks }},
	{"ttl", func(c *model.Config) *int { return &c.TTL }},
	{"servers", func(c *model.Config) *int { return &c.Servers }},
	{"rounds", func(c *model.Config) *int { return &c.Rounds }},
	{"pauses", func(c *model.Config) *int { return &c.Pauses }},
	{"max-pause", func(c *model.Config) *int { return &c.MaxPause }},
}

// sweepModel asks the explorer in every cell.
func (c *command) sweepModel(ctx context.Context, o *sweepOptions, axes []sweep.Axis, store string) (*cells, error) {
	properties := []string{"lost-update"}
	if o.metrics != nil {
		var err error
		if properties, err = checker.Expand(o.metrics); err != nil {
			return nil, fmt.Errorf("--metric: with --model a metric is a property: %w", err)
		}
	}
	base := model.DefaultConfig()
	if store != "" {
		base.Store = store
	}
	for _, p := range o.set {
		if err := setModel(&base, p); err != nil {
			return nil, fmt.Errorf("--set %s: %w", p, err)
		}
	}
	s := &cells{subject: "the model", world: "store " + base.Store, axes: axes}
	for _, p := range o.set {
		s.world += ", " + p.String()
	}
	for _, p := range properties {
		s.metrics = append(s.metrics, metric{p, ofVerdict})
	}
	n := 1
	for _, a := range axes {
		n *= len(a.Values)
	}
	config := func(i int) (model.Config, error) {
		cfg := base
		for k, v := range s.params(i) {
			if err := setModel(&cfg, setting{axes[k].Param, v}); err != nil {
				return cfg, err
			}
		}
		return cfg, nil
	}
	s.command = func(i int) string {
		args := []string{"dlcheck"}
		for _, p := range o.set {
			args = append(args, fmt.Sprintf("--%s %d", p.param, p.value))
		}
		for k, v := range s.params(i) {
			args = append(args, fmt.Sprintf("--%s %d", axes[k].Param, v))
		}
		return strings.Join(append(args, "--store "+base.Store, "--property "+strings.Join(properties, ",")), " ")
	}
	// All cells are looked at before the first is explored.
	for i := range n {
		cfg, err := config(i)
		if err == nil {
			err = cfg.Validate()
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", strings.Join(s.nameOf(i), " "), err)
		}
	}
	p := newCellProgress(c.stderr, c.progressOn, s.subject)
	defer p.stop()
	for i := range n {
		cfg, _ := config(i)
		run, err := c.check(ctx, checker.Question{Config: cfg, Properties: properties, Minimize: checker.Steps, Reduce: model.AllReductions(), Workers: o.workers})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", strings.Join(s.nameOf(i), " "), err)
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		for k := range run.Verdicts {
			s.values = append(s.values, verdictOf(&run.Verdicts[k]))
		}
		p.update(i+1, n)
	}
	s.legend = []string{
		"a number: steps of the shortest counterexample; with *, past the bound of ticks that was asked for",
		"holds: at every horizon; to N: no schedule of at most N ticks breaks it",
	}
	return s, nil
}

func setModel(cfg *model.Config, p setting) error {
	var have []string
	for _, row := range modelParams {
		if row.name == p.param {
			*row.of(cfg) = p.value
			return nil
		}
		have = append(have, row.name)
	}
	return fmt.Errorf("the model has no parameter %q; it has %s%s", p.param, strings.Join(have, ", "), didYouMean(p.param, have))
}

// verdictOf is a verdict as a cell.
func verdictOf(v *checker.Verdict) cell {
	type verdict struct {
		Verdict        checker.Result `json:"verdict"`
		Steps          *int           `json:"steps"`
		Bound          *int           `json:"bound"`
		ViolatedAtTick *int           `json:"violated_at_tick"`
	}
	j := verdict{v.Result, nil, orNull(v.Bound, -1), orNull(v.BeyondAt, 0)}
	out := cell{mark: "?", text: verdictText(v), broken: v.Result == checker.Violated || v.BeyondAt > 0}
	if beyond := beyondText(v); beyond != "" {
		out.text += ", " + beyond
	}
	switch {
	case v.Trace != nil:
		n := v.Trace.Steps()
		j.Steps, out.number, out.mark = &n, n, strconv.Itoa(n)
		if v.BeyondAt > 0 {
			out.mark += "*"
		}
		out.text += ", " + count(n, "step")
	case v.Result == checker.Holds:
		out.mark = "holds"
	case v.Result == checker.HoldsToBound:
		out.mark = fmt.Sprintf("to %d", v.Bound)
	}
	out.json = j
	return out
}

// writeCells prints the sweep: what was swept, its tables, and how to see a
// cell again.
func (c *command) writeCells(s *cells) {
	var over []string
	for _, a := range s.axes {
		over = append(over, axisText(a))
	}
	wrapped(c.stdout, "", "  ", c.colours.bold(s.subject)+fmt.Sprintf(", %s: %s over %s", s.world, count(s.len(), "cell"), strings.Join(over, ", ")))
	fmt.Fprintln(c.stdout)
	legend := s.legend
	if len(s.axes) == 1 {
		fmt.Fprintln(c.stdout, s.table())
	} else {
		legend = append(c.writeGrids(s), legend...)
	}
	if len(legend) > 0 {
		fmt.Fprintln(c.stdout)
		for _, l := range legend {
			wrapped(c.stdout, "", "  ", l)
		}
	}
	i := s.example()
	fmt.Fprintf(c.stdout, "\nEach cell is one run of dlcheck; the one at %s:\n  %s\n", strings.Join(s.nameOf(i), " "), s.command(i))
}

// axisText writes values as they can be given: ttl=1..40, servers=1,3,5.
func axisText(a sweep.Axis) string {
	var parts []string
	v := a.Values
	for i := 0; i < len(v); {
		j := i
		for j+1 < len(v) && v[j+1]-v[j] == v[min(i+1, len(v)-1)]-v[i] && v[j+1] > v[j] {
			j++
		}
		switch step := v[min(i+1, len(v)-1)] - v[i]; {
		case j-i < 2 || step > 1 && j-i < 5:
			parts = append(parts, strconv.Itoa(v[i]))
			i++
			continue
		case step == 1:
			parts = append(parts, fmt.Sprintf("%d..%d", v[i], v[j]))
		default:
			parts = append(parts, fmt.Sprintf("%d..%d:%d", v[i], v[j], step))
		}
		i = j + 1
	}
	return a.Param + "=" + strings.Join(parts, ",")
}

// example is a cell worth seeing again: the first in which something is
// broken, by the first metric in which anything is.
func (s *cells) example() int {
	for m := range s.metrics {
		for i := range s.len() {
			if s.at(i, m).broken {
				return i
			}
		}
	}
	return 0
}

// table has a row per value and a column per metric; what a value costs, the
// ticks that someone is blocked, comes last.
func (s *cells) table() string {
	order := make([]int, 0, len(s.metrics))
	for _, last := range []bool{false, true} {
		for m := range s.metrics {
			if (s.metrics[m].kind == ofNumber) == last {
				order = append(order, m)
			}
		}
	}
	t := table.NewWriter()
	t.SetStyle(tableStyle)
	t.SuppressTrailingSpaces()
	head := table.Row{s.axes[0].Param}
	columns := []table.ColumnConfig{{Number: 1, Align: text.AlignRight, AlignHeader: text.AlignRight}}
	for k, m := range order {
		head = append(head, s.metrics[m].name)
		if s.metrics[m].kind == ofNumber {
			columns = append(columns, table.ColumnConfig{Number: k + 2, Align: text.AlignRight, AlignHeader: text.AlignRight})
		}
	}
	t.AppendHeader(head)
	t.SetColumnConfigs(columns)
	for i := range s.len() {
		row := table.Row{s.params(i)[0]}
		for _, m := range order {
			v := s.at(i, m)
			word := v.text
			switch k := s.metrics[m].kind; {
			case k == ofVerdict && v.broken:
				word = v.mark + " steps"
			case k == ofVerdict:
				word = verdictWords.Replace(v.mark)
			case k == ofText:
				word = strconv.Quote(word)
			case k == ofProperty && v.broken:
				word = strings.ToUpper(word)
			}
			row = append(row, word)
		}
		t.AppendRow(row)
	}
	return trimRules(t.Render())
}

// verdictWords spells out the marks of verdicts where there is room.
var verdictWords = strings.NewReplacer("to ", "holds to tick ", "?", "incomplete")

// writeGrids prints a grid per metric, side by side where two fit, and gives
// the legend of their marks.
func (c *command) writeGrids(s *cells) (legend []string) {
	var left []string // a grid that waits for a neighbour
	between := ""
	flush := func() {
		if left != nil {
			fmt.Fprintln(c.stdout, between+strings.Join(left, "\n"))
			left, between = nil, "\n"
		}
	}
	for m := range s.metrics {
		lines, says := s.gridOf(m)
		for _, l := range says {
			if !slices.Contains(legend, l) {
				legend = append(legend, l)
			}
		}
		const gap = 4
		wide := 0
		for _, l := range left {
			wide = max(wide, len(l))
		}
		if left != nil && len(left) == len(lines) && wide+gap+widest(lines) <= width {
			for i := range lines {
				lines[i] = strings.TrimRight(fmt.Sprintf("%-*s%s", wide+gap, left[i], lines[i]), " ")
			}
			left = lines
			flush()
			continue
		}
		flush()
		left = lines
	}
	flush()
	return legend
}

func widest(lines []string) (n int) {
	for _, l := range lines {
		n = max(n, len(l))
	}
	return n
}

// gridOf draws one metric: y down, x across. Marks of one character stand
// close, under labels that are read downwards; wider ones stand apart, and
// numbers that would not fit become letters.
func (s *cells) gridOf(m int) (lines, legend []string) {
	x, y := s.axes[0], s.axes[1]
	margin := len(y.Param)
	margin = max(margin, len(x.Param))
	for _, v := range y.Values {
		margin = max(margin, len(strconv.Itoa(v)))
	}
	marks := make([]string, s.len())
	wide, broken := 1, 0
	for i := range marks {
		marks[i] = s.at(i, m).mark
		wide = max(wide, len(marks[i]))
		if s.at(i, m).broken {
			broken++
		}
	}
	title := s.metrics[m].name
	switch s.metrics[m].kind {
	case ofProperty:
		title += fmt.Sprintf(": %s of %s broken", comma(broken), comma(s.len()))
		legend = append(legend, "# broken, . fine")
	case ofReport:
		title += fmt.Sprintf(": in %s of %s", comma(broken), comma(s.len()))
		legend = append(legend, s.metrics[m].name+": # possible, . none")
	case ofText:
		legend = append(legend, s.textLegend(m))
	case ofNumber:
		if wide == 1 && slices.Contains(marks, "-") {
			legend = append(legend, "- never")
		}
	}
	for _, v := range x.Values {
		if wide > 1 {
			wide = max(wide, len(strconv.Itoa(v)))
		}
	}
	if wide > 1 && margin+len(x.Values)*(wide+1) > width && s.metrics[m].kind == ofNumber {
		for i := range marks {
			marks[i] = numberMark(s.at(i, m).number)
		}
		wide = 1
		legend = append(legend, s.metrics[m].name+" in letters: a is 10, b 11, to z, 35; + is more, - never")
	}
	lines = []string{title}
	columns := func(label string, cells []string) {
		line := fmt.Sprintf("%*s", margin, label)
		if wide == 1 {
			line += " " + strings.Join(cells, "")
		} else {
			for _, cell := range cells {
				line += fmt.Sprintf(" %*s", wide, cell)
			}
		}
		lines = append(lines, strings.TrimRight(line, " "))
	}
	if n := margin + 1 + len(x.Values); wide == 1 && n > width || wide > 1 && margin+len(x.Values)*(wide+1) > width {
		return append(lines, fmt.Sprintf("  %d columns do not fit in %d: take fewer values, such as --x %s, or --csv or --plot", len(x.Values), width, thinned(x))), nil
	}
	if wide == 1 {
		digits := 0
		for _, v := range x.Values {
			digits = max(digits, len(strconv.Itoa(v)))
		}
		for d := range digits {
			var row []string
			for _, v := range x.Values {
				row = append(row, fmt.Sprintf("%*d", digits, v)[d:d+1])
			}
			label := ""
			if d == digits-1 {
				label = x.Param
			}
			columns(label, row)
		}
	} else {
		var row []string
		for _, v := range x.Values {
			row = append(row, strconv.Itoa(v))
		}
		columns(x.Param, row)
	}
	lines = append(lines, fmt.Sprintf("%*s", margin, y.Param))
	for j, v := range y.Values {
		columns(strconv.Itoa(v), marks[j*len(x.Values):(j+1)*len(x.Values)])
	}
	return lines, legend
}

// thinned is the axis with every so many values, so that they fit.
func thinned(a sweep.Axis) string {
	lo, hi := slices.Min(a.Values), slices.Max(a.Values)
	return fmt.Sprintf("%s=%d..%d:%d", a.Param, lo, hi, (hi-lo)/60+1)
}

func numberMark(n int) string {
	switch {
	case n < 0:
		return "-"
	case n < 36:
		return strconv.FormatInt(int64(n), 36)
	}
	return "+"
}

// textLegend says which letter stands for which text.
func (s *cells) textLegend(m int) string {
	var parts []string
	seen := map[string]bool{}
	for i := range s.len() {
		v := s.at(i, m)
		if !seen[v.text] {
			seen[v.text] = true
			parts = append(parts, fmt.Sprintf("%s %q", v.mark, v.text))
		}
	}
	slices.Sort(parts)
	return s.metrics[m].name + ": " + strings.Join(parts, ", ")
}

// writeCSV writes a line per cell: its parameters, its metrics, and the command
// that repeats it.
func (s *cells) writeCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	var head []string
	for _, a := range s.axes {
		head = append(head, a.Param)
	}
	for _, m := range s.metrics {
		head = append(head, m.name)
	}
	out.Write(append(head, "command"))
	for i := range s.len() {
		var row []string
		for _, v := range s.params(i) {
			row = append(row, strconv.Itoa(v))
		}
		for m := range s.metrics {
			row = append(row, s.at(i, m).text)
		}
		out.Write(append(row, s.command(i)))
	}
	out.Flush()
	return out.Error()
}

type jsonAxis struct {
	Parameter string `json:"parameter"`
	Values    []int  `json:"values"`
}

type jsonSweep struct {
	Schema  string     `json:"schema"`
	Dlcheck string     `json:"dlcheck"`
	Subject string     `json:"subject"`
	World   string     `json:"world"`
	Tick    string     `json:"tick,omitempty"`
	Axes    []jsonAxis `json:"axes"`
	Metrics []string   `json:"metrics"`
	Cells   []jsonCell `json:"cells"`
}

type jsonCell struct {
	At      map[string]int `json:"at"`
	Values  map[string]any `json:"values"`
	Command string         `json:"command"`
}

func toJSONAxes(axes []sweep.Axis) []jsonAxis {
	out := []jsonAxis{}
	for _, a := range axes {
		out = append(out, jsonAxis{a.Param, a.Values})
	}
	return out
}

// writeJSON writes the document that sweep.schema.json describes.
func (s *cells) writeJSON(w io.Writer, version string) error {
	j := jsonSweep{Schema: sweepSchemaName, Dlcheck: version, Subject: s.subject, World: s.world, Tick: s.tick, Axes: toJSONAxes(s.axes), Cells: []jsonCell{}}
	for _, m := range s.metrics {
		j.Metrics = append(j.Metrics, m.name)
	}
	for i := range s.len() {
		cell := jsonCell{map[string]int{}, map[string]any{}, s.command(i)}
		for k, v := range s.params(i) {
			cell.At[s.axes[k].Param] = v
		}
		for m := range s.metrics {
			cell.Values[s.metrics[m].name] = s.at(i, m).json
		}
		j.Cells = append(j.Cells, cell)
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", " ")
	return enc.Encode(j)
}

// cellProgress is a bar on a terminal that counts cells. As progress does, it
// shows nothing in sweeps that are soon over, and leaves nothing behind.
type cellProgress struct {
	done, all atomic.Int64
	mu        sync.Mutex // of what follows; the bar's own goroutine never takes it
	timer     *time.Timer
	bars      *mpb.Progress
	bar       *mpb.Bar
}

func newCellProgress(w io.Writer, on bool, name string) *cellProgress {
	p := &cellProgress{}
	if on {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.timer = time.AfterFunc(progressAfter, func() { p.show(w, name) })
	}
	return p
}

func (p *cellProgress) show(w io.Writer, name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.timer == nil {
		return // stopped in this instant
	}
	p.bars = mpb.New(mpb.WithOutput(w), mpb.WithRefreshRate(200*time.Millisecond), mpb.WithWidth(40))
	// It is full only when it goes, so its total is one more than there are.
	p.bar = p.bars.New(p.all.Load()+1, mpb.BarStyle(), mpb.BarRemoveOnComplete(),
		mpb.PrependDecorators(decor.Name(name+" ")),
		mpb.AppendDecorators(decor.Any(func(decor.Statistics) string { return " " + p.text() })))
}

func (p *cellProgress) text() string {
	return fmt.Sprintf("%s of %s", comma(int(p.done.Load())), count(int(p.all.Load()), "cell"))
}

// update may be called by several workers, whose numbers come out of order.
func (p *cellProgress) update(done, all int) {
	p.all.Store(int64(all))
	for {
		was := p.done.Load()
		if int64(done) <= was {
			return
		}
		if p.done.CompareAndSwap(was, int64(done)) {
			break
		}
	}
	p.mu.Lock()
	bar := p.bar
	p.mu.Unlock()
	if bar != nil {
		bar.SetTotal(int64(all)+1, false)
		bar.SetCurrent(int64(done))
	}
}

// stop takes the bar away.
func (p *cellProgress) stop() {
	p.mu.Lock()
	if p.timer != nil {
		p.timer.Stop()
		p.timer = nil
	}
	bars, bar := p.bars, p.bar
	p.mu.Unlock()
	if bars != nil {
		bar.Abort(true)
		bars.Wait()
	}
}
