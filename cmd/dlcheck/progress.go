package main

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"dlcheck/checker"
)

// progressAfter is how long a run has to take before it shows progress.
const progressAfter = time.Second

// progress is a line on a terminal that says where the run is. It shows
// nothing in runs that are soon over, and leaves nothing behind.
type progress struct {
	liveLine
	now     checker.Progress
	since   time.Time // of this store and phase
	started time.Time
}

// liveLine is a line on a terminal that comes after a while and goes.
type liveLine struct {
	mu    sync.Mutex
	timer *time.Timer
	bars  *mpb.Progress
	bar   *mpb.Bar
}

func newProgress(w io.Writer, on bool) *progress {
	p := &progress{started: time.Now()}
	if on {
		p.timer = time.AfterFunc(progressAfter, func() { p.show(w) })
	}
	return p
}

func (p *progress) show(w io.Writer) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.timer == nil {
		return // stopped in this instant
	}
	p.bars = mpb.New(mpb.WithOutput(w), mpb.WithRefreshRate(200*time.Millisecond))
	p.bar = p.bars.New(0, mpb.NopStyle(), mpb.BarRemoveOnComplete(), mpb.PrependDecorators(
		decor.Any(func(decor.Statistics) string { return p.line(time.Now()) })))
}

func (p *progress) update(now checker.Progress) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if now.Store != p.now.Store || now.Phase != p.now.Phase {
		p.since = time.Now()
	}
	p.now = now
}

func (p *progress) line(t time.Time) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := &p.now
	if n.Phase == "" {
		return "starting"
	}
	rate := ""
	if d := t.Sub(p.since).Seconds(); d > 0.1 {
		rate = fmt.Sprintf(" (%s/s)", humanize.Comma(int64(float64(n.States)/d)))
	}
	return fmt.Sprintf("%s, %s: tick %s, %s states%s, %s, %s s", n.Store, n.Phase, comma(n.Ticks),
		humanize.Comma(int64(n.States)), rate, humanize.IBytes(uint64(n.Bytes)), comma(int(t.Sub(p.started).Seconds())))
}

// say prints a line at once, above the line of progress if there is one.
func (p *liveLine) say(w io.Writer, line string) {
	p.mu.Lock()
	if p.bars != nil {
		w = p.bars
	}
	p.mu.Unlock()
	io.WriteString(w, line)
}

// stop takes the line away.
func (p *liveLine) stop() {
	p.mu.Lock()
	if p.timer != nil {
		p.timer.Stop()
		p.timer = nil
	}
	bars, bar := p.bars, p.bar
	p.bars = nil
	p.mu.Unlock()
	if bars != nil {
		bar.Abort(true)
		bars.Wait()
	}
}
