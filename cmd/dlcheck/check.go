package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"dlcheck/checker"
)

var errInterrupted = errors.New("interrupted")

// runCheck asks the question of each store and prints the answers.
func (c *command) runCheck(ctx context.Context) error {
	o := &c.options
	if o.json && o.quiet {
		return errors.New("--json and --quiet exclude each other; --json prints no stories anyway, and no progress off a terminal")
	}
	if o.stats && o.quiet {
		return errors.New("--stats and --quiet exclude each other; --stats --json prints no stories")
	}
	if o.disk != "" && o.checkpoint != "" {
		return errors.New("--disk and --checkpoint exclude each other: a checkpoint is of states in memory; choose the one that this search needs more")
	}
	questions, err := c.questions()
	if err != nil {
		return err
	}
	if o.traceDir != "" {
		// Before the search: nobody should learn after an hour that there
		// was no place for the result.
		if err := makeDir(o.traceDir); err != nil {
			return fmt.Errorf("--trace-dir: %w", err)
		}
	}
	if o.disk != "" && o.certificate != "" {
		return errors.New("--certificate and --disk exclude each other: a certificate is written from states in memory")
	}
	var draft *draft
	if o.certificate != "" {
		if draft, err = c.newDraft(questions); err != nil {
			return err
		}
		defer draft.discard()
	}
	var profile *profile
	if o.profile != "" {
		if profile, err = startProfile(o.profile); err != nil {
			return err
		}
		defer profile.stop()
	}
	p := newProgress(c.stderr, c.progressOn && !o.quiet)
	defer p.stop()
	var saved *checker.Checkpoint
	if o.checkpoint != "" {
		if saved, err = c.openCheckpoint(questions, p); err != nil {
			return err
		}
		defer saved.Close()
	}
	ctx, stop := c.interruptible(ctx)
	defer stop()
	ctx, cancel := within(ctx, o.timeLimit)
	defer cancel()
	runs, err := c.ask(ctx, questions, p)
	if err != nil {
		return err
	}
	p.stop()
	// What cannot be written beside the answer is no reason to keep that back: it
	// can have taken hours.
	var unwritten error
	profiled := ""
	if profile != nil {
		if err := profile.write(); err != nil {
			unwritten = err
		} else {
			profiled = profile.sentence()
		}
	}
	if saved != nil {
		c.tellOfCheckpoint(saved, runs)
	}
	var kept *kept
	if o.traceDir != "" {
		kept, err = keepTraces(o.traceDir, runs)
		unwritten = cmp.Or(unwritten, err)
	}
	written, refused := "", ""
	if draft != nil {
		written, refused, err = draft.settle(runs[0].Certified)
		unwritten = cmp.Or(unwritten, err)
	}
	c.status = statusOf(runs)
	if unwritten != nil {
		c.status = exitUsage
	}
	if !o.json && !o.quiet {
		c.writeText(runs, kept)
		for _, sentence := range []string{written + refused, profiled} {
			if sentence != "" {
				wrapped(c.stdout, "", "  ", sentence)
			}
		}
		return unwritten
	}
	if refused != "" {
		fmt.Fprintf(c.stderr, "dlcheck: note: %s\n", refused)
	}
	if o.json {
		return cmp.Or(c.writeReport(runs), unwritten)
	}
	c.writeLines(runs)
	return unwritten
}

// questions makes one per store, and refuses what makes no sense before any
// of them is searched.
func (c *command) questions() ([]checker.Question, error) {
	o := &c.options
	properties, err := checker.Expand(o.properties)
	if err != nil {
		return nil, err
	}
	var out []checker.Question
	memory := memoryBound(o.maxBytes)
	if o.disk != "" {
		collectOften()
	}
	for _, store := range o.stores {
		q := checker.Question{
			Config: o.config, Properties: properties, Minimize: o.minimize, Reduce: o.reduce,
			Workers: o.workers, MaxBytes: memory, Disk: o.disk,
		}
		q.Front, q.AllMinimal, q.Stats = o.front, o.allMinimal, o.stats
		if o.allMinimal {
			q.List = o.list
		}
		if o.system != nil {
			q.Words = o.system.Words
		}
		q.Config.Store = store
		if err := q.Config.Validate(); err != nil {
			return nil, fmt.Errorf("--%w", err)
		}
		out = append(out, q)
	}
	return out, nil
}

// ask searches one world after the other. When the context ends, those that
// are left are asked all the same: each then says at once that it is
// incomplete, and the report has a row for it.
func (c *command) ask(ctx context.Context, questions []checker.Question, p *progress) ([]*checker.Run, error) {
	var runs []*checker.Run
	for _, q := range questions {
		q.Progress = p.update
		run, err := c.check(ctx, q)
		if err != nil {
			return nil, err
		}
		runs = append(runs, run)
	}
	return runs, nil
}

// statusOf is the exit status. A counterexample is its own proof, so it
// counts even if the search did not get to its end. A certificate that was asked for
// is part of the answer.
func statusOf(runs []*checker.Run) int {
	status := exitHolds
	for _, r := range runs {
		if r.Certified != nil && r.Certified.Refused != "" {
			status = exitIncomplete
		}
		for i := range r.Verdicts {
			v := &r.Verdicts[i]
			if v.Failed() {
				return exitViolated
			}
			if v.Result == checker.Incomplete {
				status = exitIncomplete
			}
		}
	}
	return status
}

// within gives a context that ends after that time; 0 is no bound.
func within(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	if limit == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeoutCause(ctx, limit, checker.ErrTimeLimit)
}

// sameSignal is for how long signals count as one: the program timeout sends its
// own to the process and then to its group.
const sameSignal = 500 * time.Millisecond

// interruptible gives a context that the first SIGINT or SIGTERM cancels; another
// one, later than sameSignal, ends the process at once, as shells do.
func (c *command) interruptible(parent context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(parent)
	signals := make(chan os.Signal, 2)
	done := make(chan struct{})
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go c.follow(signals, done, func() { cancel(errInterrupted) }, time.Now)
	return ctx, func() {
		signal.Stop(signals)
		close(done)
		cancel(nil)
	}
}

// follow does what signals ask for, until it is done.
func (c *command) follow(signals <-chan os.Signal, done <-chan struct{}, cancel func(), now func() time.Time) {
	var first time.Time
	for {
		select {
		case <-done:
			return
		case <-signals:
			switch at := now(); {
			case first.IsZero():
				first = at
				cancel()
			case at.Sub(first) >= sameSignal:
				c.exitNow(128 + int(syscall.SIGINT))
			}
		}
	}
}
