package sweep

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"dlcheck/checker"
	"dlcheck/model"
	"dlcheck/traces"
	"dlcheck/traces/script"
)

// Axis is a parameter and the values it takes, in order.
type Axis struct {
	Param  string
	Values []int
}

// mostCells bounds a grid: so many take minutes, and gigabytes.
const mostCells = 5_000_000

// ParseAxis reads "ttl=1..40", "ttl=1..40:3" (every third) or "ttl=1,2,5".
func ParseAxis(text string) (Axis, error) {
	bad := func(why string) (Axis, error) {
		return Axis{}, fmt.Errorf("axis %q: %s; write a parameter and its values, such as ttl=1..40, pause=0..45:5 or servers=1,3,5", text, why)
	}
	param, values, ok := strings.Cut(text, "=")
	if !ok || param == "" {
		return bad("there is no =")
	}
	a := Axis{Param: strings.TrimSpace(param)}
	for _, part := range strings.Split(values, ",") {
		part = strings.TrimSpace(part)
		span, stride, strided := strings.Cut(part, ":")
		lo, hi, isRange := strings.Cut(span, "..")
		step := 1
		var err error
		if strided {
			if step, err = strconv.Atoi(stride); err != nil || step < 1 || !isRange {
				return bad(fmt.Sprintf("%q is no range with a step of at least 1", part))
			}
		}
		from, err := strconv.Atoi(lo)
		if err != nil {
			return bad(fmt.Sprintf("%q is no number", lo))
		}
		to := from
		if isRange {
			if to, err = strconv.Atoi(hi); err != nil {
				return bad(fmt.Sprintf("%q is no number", hi))
			}
		}
		for _, v := range []int{from, to} {
			if v < -model.MaxTicks || v > model.MaxTicks {
				return bad(fmt.Sprintf("%d is too large", v))
			}
		}
		if to < from || (to-from)/step >= mostCells {
			return bad(fmt.Sprintf("%q is empty or too long", part))
		}
		for v := from; v <= to; v += step {
			a.Values = append(a.Values, v)
		}
	}
	return a, nil
}

// Metrics that are not properties.
const (
	// Blocked is how many ticks the last client of the file waited for the
	// lock: from its arrival to its grant.
	Blocked = "blocked"
	// Final is the text that the store is left with.
	Final = "final"
)

// Value is what a metric says of a cell: a yes or no for a property, a number
// for Blocked, a text for Final.
type Value struct {
	Broken bool
	Number int // -1: the client never got the lock
	Text   string
}

// Grid is a schedule run over every combination of its axes' values.
type Grid struct {
	Base    *script.Schedule
	Axes    []Axis
	Metrics []string
	// Cells holds len(Metrics) values per cell; the first axis varies fastest.
	Cells []Value
}

// Progress is told how many cells are done.
type Progress func(done, all int)

// Run runs every cell, with as many workers as there are processors if workers
// is 0. The result does not depend on their number. A cell whose schedule the
// model does not allow ends the run with an error that names the cell.
func Run(ctx context.Context, base *script.Schedule, axes []Axis, metrics []string, workers int, tell Progress) (*Grid, error) {
	if err := checkMetrics(metrics); err != nil {
		return nil, err
	}
	g := &Grid{Base: base, Axes: axes, Metrics: metrics}
	for i, a := range axes {
		if slices.ContainsFunc(axes[:i], func(b Axis) bool { return a.Param == b.Param }) {
			return nil, fmt.Errorf("there are two axes %s; give one of them all values", a.Param)
		}
	}
	cells := 1
	for _, a := range axes {
		if cells *= len(a.Values); cells > mostCells {
			return nil, fmt.Errorf("the grid has more than %d cells; take fewer values", mostCells)
		}
	}
	g.Cells = make([]Value, cells*len(metrics))
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	const batch = 64
	var next, done atomic.Int64
	work, ctx := errgroup.WithContext(ctx)
	for range workers {
		work.Go(func() error {
			for {
				from := int(next.Add(batch)) - batch
				if from >= cells {
					return nil
				}
				if err := context.Cause(ctx); err != nil {
					return err
				}
				to := min(from+batch, cells)
				for i := from; i < to; i++ {
					if err := g.fill(i); err != nil {
						return err
					}
				}
				if n := int(done.Add(int64(to - from))); tell != nil {
					tell(n, cells)
				}
			}
		})
	}
	if err := work.Wait(); err != nil {
		return nil, err
	}
	return g, nil
}

func checkMetrics(metrics []string) error {
	if len(metrics) == 0 {
		return fmt.Errorf("no metric is asked for; there are %s", strings.Join(MetricNames(), ", "))
	}
	have := map[string]bool{}
	for _, m := range MetricNames() {
		have[m] = true
	}
	for _, m := range metrics {
		if !have[m] {
			return fmt.Errorf("there is no metric %q; there are %s", m, strings.Join(MetricNames(), ", "))
		}
	}
	return nil
}

// MetricNames lists the metrics: the properties that one trace can show, and
// Blocked and Final.
func MetricNames() []string {
	var names []string
	for _, p := range checker.Properties() {
		if p.InTrace {
			names = append(names, p.Name)
		}
	}
	return append(names, Blocked, Final)
}

// At gives the parameters of cell i, in the order of the axes.
func (g *Grid) At(i int) []int {
	out := make([]int, len(g.Axes))
	for k, a := range g.Axes {
		out[k] = a.Values[i%len(a.Values)]
		i /= len(a.Values)
	}
	return out
}

// Len is how many cells there are.
func (g *Grid) Len() int { return len(g.Cells) / len(g.Metrics) }

// Cell gives the values of cell i, in the order of the metrics.
func (g *Grid) Cell(i int) []Value { return g.Cells[i*len(g.Metrics) : (i+1)*len(g.Metrics)] }

// Schedule is the schedule of cell i.
func (g *Grid) Schedule(i int) (*script.Schedule, error) {
	s := g.Base.Clone()
	for k, v := range g.At(i) {
		if err := s.Set(g.Axes[k].Param, v); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (g *Grid) fill(i int) error {
	s, err := g.Schedule(i)
	if err != nil {
		return err
	}
	r, err := s.Run()
	if err != nil {
		return fmt.Errorf("%s: %w", g.Name(i), err)
	}
	out := g.Cell(i)
	for k, m := range g.Metrics {
		switch m {
		case Blocked:
			out[k].Number = blocked(s, r.Trace)
		case Final:
			out[k].Text = r.Content
		default:
			found, err := checker.Audit(r.Trace, m)
			if err != nil {
				return err
			}
			out[k].Broken = found[0].Remark != nil
		}
	}
	return nil
}

// Name names a cell, such as "ttl=10 pause=14".
func (g *Grid) Name(i int) string {
	var parts []string
	for k, v := range g.At(i) {
		parts = append(parts, fmt.Sprintf("%s=%d", g.Axes[k].Param, v))
	}
	return strings.Join(parts, " ")
}

// blocked is how long the last client waited for its grant.
func blocked(s *script.Schedule, t *traces.Trace) int {
	c := len(s.Clients) - 1
	for i := range t.Events {
		if e := &t.Events[i]; e.Kind == model.Acquire && e.Client == c {
			return e.Tick - s.Clients[c].Arrives
		}
	}
	return -1
}
