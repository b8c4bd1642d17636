package matrix

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"dlcheck/checker"
	"dlcheck/model"
)

// asker asks about each world once, however many rows and cures come to it.
type asker struct {
	q          *Question
	properties []string
	done, all  atomic.Int64

	mu    sync.Mutex
	known map[string]func() (*answer, error)
}

// answer is what a matrix keeps of a run: there are thousands of them.
type answer struct {
	states  uint64
	stopped string
	notes   []string
	noWrite bool
	cells   []Cell
}

// ask gives what is known of a world, with counterexamples that are shortest in
// that measure if it was not asked about before: rows come first, and of a cured
// world only the verdicts matter. An interrupted answer is kept too: whoever
// asks again is interrupted as well.
func (a *asker) ask(ctx context.Context, cfg model.Config, properties []string, measure checker.Measure) (*answer, error) {
	key := fmt.Sprint(cfg, properties)
	a.mu.Lock()
	f := a.known[key]
	if f == nil {
		f = sync.OnceValues(func() (*answer, error) { return a.check(ctx, cfg, properties, measure) })
		if a.known == nil {
			a.known = map[string]func() (*answer, error){}
		}
		a.known[key] = f
	}
	a.mu.Unlock()
	return f()
}

func (a *asker) check(ctx context.Context, cfg model.Config, properties []string, measure checker.Measure) (*answer, error) {
	run, err := a.q.Check(ctx, checker.Question{
		Config: cfg, Properties: properties, Minimize: measure, Reduce: model.AllReductions(),
		Workers: 1, MaxBytes: a.q.MaxBytes,
	})
	if err != nil {
		return nil, err
	}
	got := &answer{states: run.States, stopped: run.Stopped, notes: run.Notes, noWrite: run.NoWrite}
	for i := range run.Verdicts {
		got.cells = append(got.cells, cellOf(&run.Verdicts[i]))
	}
	return got, nil
}

func cellOf(v *checker.Verdict) Cell {
	c := Cell{Verdict: *v}
	if t := v.Trace; t != nil {
		c.Steps, c.Events, c.Ticks = t.Steps(), t.Actions(), t.Ticks()
		c.Shortest = t.Remark.Minimal
		c.Trace = nil
	}
	return c
}

// each calls f for 0 to n-1, with as many workers as were asked for. The first
// error ends it.
func (a *asker) each(ctx context.Context, n int, f func(ctx context.Context, i int) error) error {
	a.tell(0, n)
	var next atomic.Int64
	work, ctx := errgroup.WithContext(ctx)
	for range min(n, a.q.Workers) {
		work.Go(func() error {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				if err := f(ctx, i); err != nil {
					return err
				}
				a.tell(1, 0)
			}
			return nil
		})
	}
	return work.Wait()
}

func (a *asker) tell(done, more int) {
	d, all := a.done.Add(int64(done)), a.all.Add(int64(more))
	if a.q.Progress != nil {
		a.q.Progress(int(d), int(all))
	}
}
