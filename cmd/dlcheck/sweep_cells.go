package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"dlcheck/checker"
	"dlcheck/checker/sweep"
)

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
	p := newCellProgress(c.stderr, c.progressOn, base.Name, "cell")
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
