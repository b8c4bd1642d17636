package main

import (
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
)

// cellProgress is a bar on a terminal that counts cells, or what else there are many of. As progress does, it
// shows nothing in sweeps that are soon over, and leaves nothing behind.
type cellProgress struct {
	done, all atomic.Int64
	unit      string // what is counted, one of them
	liveLine         // the bar's own goroutine never takes its lock
}

func newCellProgress(w io.Writer, on bool, name, unit string) *cellProgress {
	p := &cellProgress{unit: unit}
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
	return fmt.Sprintf("%s of %s", comma(int(p.done.Load())), count(int(p.all.Load()), p.unit))
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
