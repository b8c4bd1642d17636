package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"dlcheck/checker"
	"dlcheck/checker/sweep"
	"dlcheck/model"
)

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
	p := newCellProgress(c.stderr, c.progressOn, s.subject, "cell")
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
