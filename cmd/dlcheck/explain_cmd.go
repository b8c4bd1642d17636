package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"dlcheck/checker"
	"dlcheck/model"
	"dlcheck/traces"
)

const explainLong = `dlcheck explain replays a counterexample, judges it again, and says what it rests on. It explores
from the state before each fault, each pause and each choice whether the property can be broken
without it, and it takes the same schedule under each cure that fits the world: what is refused
then, whether the schedule still breaks the property, and whether any schedule does.

TRACE is a file that --trace-dir wrote, or a report of --json, of which --store and --property
choose one; - is the standard input. A trace that names no property is explained for the first one
that it breaks. The exit status is 0 if all is answered, 3 if something is left open.`

const explainExamples = `  dlcheck explain traces/fenced-lost-update.json
  dlcheck --json | dlcheck explain - --store plain --property stale-overwrite
  dlcheck explain traces/fenced-lost-update.json --format json`

type explainOptions struct {
	format             string
	stores, properties []string
	states             int
	workers            int
}

func (c *command) explainCommand() *cobra.Command {
	o := &explainOptions{format: "text", states: 1_000_000}
	cmd := &cobra.Command{
		Use:     "explain TRACE",
		Short:   "say what a counterexample rests on, and which cure would have refused what",
		Long:    explainLong,
		Example: explainExamples,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("explain takes one TRACE, or - for the standard input; %d were given", len(args))
			}
			return nil
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return []string{"json"}, cobra.ShellCompDirectiveFilterFileExt
		},
		RunE: func(cmd *cobra.Command, args []string) error { return c.runExplain(cmd.Context(), o, args[0]) },
	}
	fs := cmd.Flags()
	fs.SortFlags = false
	fs.Var(oneOf(&o.format, "text", "json"), "format", "how to print it; the schema of json: dlcheck schema explain")
	fs.Var(names(&o.stores, findStore), "store", "of a report, the trace of this store")
	fs.Var(names(&o.properties, findProperty), "property", "of a report, the trace of this property; of a trace, what it is explained for")
	fs.Var(number(&o.states, 1), "states", "how many states one question may take; what needs more is not decided")
	fs.Var(workerCount(&o.workers), "workers", "how many search at once; 0 is one per processor; the answer is the same for every number")
	nothing := oneWord(func() []described { return nil })
	complete(cmd, map[string]completion{
		"format": oneWord(func() []described {
			return []described{{"text", "for reading"}, {"json", "as dlcheck schema explain says"}}
		}),
		"store": commaList(describedStores), "property": commaList(describedProperties), "states": nothing, "workers": nothing,
	})
	return cmd
}

// explanation is all that is said of a counterexample.
type explanation struct {
	trace *traces.Trace
	// inTrace says that a single trace can show the property; else there is
	// nothing to say of this schedule.
	inTrace bool
	needs   []checker.Need
	cured   []*checker.Cured
	best    *checker.Cured
}

func (c *command) runExplain(ctx context.Context, o *explainOptions, file string) error {
	data, name, err := c.readInput(file)
	if err != nil {
		return err
	}
	t, err := theTrace(data, o)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	ctx, stop := c.interruptible(ctx)
	defer stop()
	x, err := c.explain(ctx, o, t)
	if err != nil {
		return err
	}
	if x.open() {
		c.status = exitIncomplete
	}
	if o.format == "json" {
		return c.writeExplanationJSON(o, x)
	}
	c.writeExplanation(o, x)
	return nil
}

// theTrace is the one trace that is asked about, with the remark that it is
// explained for.
func theTrace(data []byte, o *explainOptions) (*traces.Trace, error) {
	all, err := readTraces(data, o.stores, o.properties)
	if err != nil {
		return nil, err
	}
	if len(all) > 1 {
		var have []string
		for _, t := range all {
			what := t.Config.Store
			if t.Remark != nil {
				what += " " + t.Remark.Property
			}
			have = append(have, what)
		}
		return nil, fmt.Errorf("it has %d traces, and one is explained: choose with --store and --property; there are %s", len(all), strings.Join(have, "; "))
	}
	t := all[0]
	if len(o.properties) == 0 && t.Remark != nil || t.Remark != nil && len(o.properties) == 1 && t.Remark.Property == o.properties[0] {
		return t, nil
	}
	found, err := checker.Audit(t, o.properties...)
	if err != nil {
		return nil, err
	}
	for _, a := range found {
		if a.Remark != nil && (!a.ReportOnly || len(o.properties) > 0) {
			t.Remark = a.Remark
			return t, nil
		}
	}
	what := "no property"
	if len(o.properties) > 0 {
		what = "not " + strings.Join(o.properties, ", ")
	}
	return nil, fmt.Errorf("the schedule breaks %s: there is nothing to explain", what)
}

// explain asks all there is to ask. What an interrupt leaves open says so.
func (c *command) explain(ctx context.Context, o *explainOptions, t *traces.Trace) (*explanation, error) {
	p := newProgress(c.stderr, c.progressOn)
	defer p.stop()
	memory := memoryBound(0)
	x := &explanation{trace: t, inTrace: true}
	var err error
	x.needs, err = checker.Necessity(ctx, t, checker.Limits{Workers: o.workers, MaxStates: uint64(o.states), MaxBytes: memory})
	if errors.Is(err, checker.ErrNotJudged) {
		x.inTrace = false
	} else if err != nil {
		return nil, err
	}
	for _, cure := range checker.Cures(&t.Config) {
		cured, err := checker.Treat(t, cure)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", cure.Name, err)
		}
		cured.Run, err = c.check(ctx, checker.Question{
			Config: cured.Config, Words: t.Words, Properties: []string{t.Remark.Property}, Reduce: model.AllReductions(),
			Workers: o.workers, MaxStates: uint64(o.states), MaxBytes: memory, Progress: p.update,
		})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", cure.Name, err)
		}
		x.cured = append(x.cured, cured)
	}
	x.best = checker.Best(x.cured)
	return x, nil
}

// open says whether a question is left open.
func (x *explanation) open() bool {
	for _, n := range x.needs {
		if n.Answer == checker.Undecided {
			return true
		}
	}
	for _, k := range x.cured {
		if k.Verdict().Result == checker.Incomplete {
			return true
		}
	}
	return false
}
