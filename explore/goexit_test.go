package explore

import (
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"
	"time"
)

// TestGoexit: a system may end the goroutine that takes its steps, as t.FailNow does. If
// it is that of Run, then Run does not return, and leaves nothing behind; else it
// returns an error. In no case does anybody wait for the one who is gone.
func TestGoexit(t *testing.T) {
	t.Parallel()
	for _, workers := range []int{1, 2, 3} {
		for leaver := range workers {
			t.Run(fmt.Sprintf("worker %d of %d", leaver, workers), func(t *testing.T) {
				sys := &leaving{System: &tree{at: -1}, leaver: leaver, alone: workers == 1}
				var g *Graph
				var err error
				returned := false
				within(t, func() {
					g, err = Run(t.Context(), sys, Options{Workers: workers})
					returned = true
				})
				switch {
				case leaver == 0 && returned:
					t.Error("Run has returned")
				case leaver > 0 && !returned:
					t.Error("Run has not returned")
				case leaver > 0 && !errors.Is(err, ErrLeft):
					t.Errorf("the error is %v, want one that tells of Goexit", err)
				case leaver > 0 && (g.Ended() != Interrupted || g.States() == 0):
					t.Errorf("ended %v with %d states", g.Ended(), g.States())
				case leaver > 0 && g.States() != 1+2*g.Expanded():
					t.Errorf("%d states, want %d, of %d that were expanded", g.States(), 1+2*g.Expanded(), g.Expanded())
				case leaver > 0 && found(g) != g.States():
					t.Errorf("%d states, and %d are found", g.States(), found(g))
				}
			})
		}
	}
}

// TestRelayIsLeft lets one role be left in the middle of a wave, by a panic where only
// the caller could see it, or for good. All others must come to the end of theirs.
func TestRelayIsLeft(t *testing.T) {
	t.Parallel()
	for _, workers := range []int{2, 3, runtime.GOMAXPROCS(0) + 5} {
		lefts := 0
		for at := range maxSegments {
			for leaver := range min(2, workers) {
				panics := leaver == 0 && at%2 == 0
				crew := newCrew(workers)
				relay := newRelay(1, workers, crew)
				var of [shards]shard
				pool := &pool{}
				for i := range of {
					of[i].init(1, pool)
				}
				relay.begin(&of, 0, maxSegments)
				var left atomic.Bool
				within(t, func() {
					defer crew.dismiss()
					defer func() {
						if v := recover(); (v != nil) != (panics && left.Load()) {
							t.Errorf("recovered: %v", v)
						}
					}()
					crew.share(len(relay.roles), func(worker, me int) {
						w := newWorker(scattered{1, 1})
						relay.play(me, &w, func(g *segment, slice int) {
							g.begin(slice, [2]Note{}, false, kept)
							if worker == leaver && slice >= at && left.CompareAndSwap(false, true) {
								if panics {
									panic("left")
								}
								runtime.Goexit()
							}
						})
					})
				})
				if got := relay.broken.Load(); got != left.Load() {
					t.Errorf("%d workers: %d left at slice %d: %v; broken: %v", workers, leaver, at, left.Load(), got)
				} else if got {
					lefts++
				}
			}
		}
		if lefts < 5 {
			t.Errorf("%d workers: %d have left: nothing was shown", workers, lefts)
		}
	}
}

// TestRelayFailure: if a slice has failed where a role was left, its error says more. What
// was said of a slice of an earlier wave is no error of this one.
func TestRelayFailure(t *testing.T) {
	relay := newRelay(1, 2, newCrew(1))
	relay.begin(new([shards]shard), 0, 3)
	broken := errors.New("broken")
	relay.outcomes[1].err, relay.outcomes[2].err = broken, errors.New("of an earlier wave")
	if err := relay.failure(); err != nil {
		t.Errorf("no slice is done, and the error is %v", err)
	}
	relay.done[0].Store(new(segment))
	relay.done[1].Store(new(segment))
	if err := relay.failure(); err != broken {
		t.Errorf("the error is %v, want that of slice 1", err)
	}
}

// TestPanicSaysMore: where one worker panics and another leaves in one wave, the panic is
// what Run says.
func TestPanicSaysMore(t *testing.T) {
	t.Parallel()
	within(t, func() {
		_, err := Run(t.Context(), &together{System: &tree{at: -1}}, Options{Workers: 2})
		if broken := (*PanicError)(nil); !errors.As(err, &broken) {
			t.Errorf("the error is %v, want the panic", err)
		}
	})
}

// together is a system in which one worker leaves as soon as the other, in the same wave,
// is about to panic. If that has nothing to do any more in this wave, it is for another.
type together struct {
	System
	made            atomic.Int64
	waits, panicked atomic.Bool
}

func (s *together) Worker() Worker {
	return &togetherWorker{s.System.Worker(), s, s.made.Add(1) == 1}
}

type togetherWorker struct {
	Worker
	of    *together
	first bool
}

func (w *togetherWorker) Next(s []uint64, out *Batch) {
	if w.first && w.of.waits.Load() {
		w.of.panicked.Store(true)
		panic("broken")
	}
	if !w.first && !w.of.waits.Swap(true) {
		for range 10 {
			if time.Sleep(time.Millisecond); w.of.panicked.Load() {
				runtime.Goexit()
			}
		}
		w.of.waits.Store(false)
	}
	w.Worker.Next(s, out)
}

// within calls f in a goroutine of its own, which it may end, and waits for that.
func within(t *testing.T, f func()) {
	t.Helper()
	end := make(chan struct{})
	go func() {
		defer close(end)
		f()
	}()
	select {
	case <-end:
	case <-time.After(time.Minute):
		t.Fatal("it hangs")
	}
}

// leaving is a system of which one worker ends its goroutine, when others are at work too.
type leaving struct {
	System
	leaver int
	alone  bool
	made   atomic.Int64
	others atomic.Int64 // states of which others took the steps
}

func (l *leaving) Worker() Worker {
	return &leavingWorker{l.System.Worker(), l, int(l.made.Add(1)) - 1}
}

type leavingWorker struct {
	Worker
	of *leaving
	me int
}

func (w *leavingWorker) Next(s []uint64, out *Batch) {
	if w.me != w.of.leaver {
		w.of.others.Add(1)
	} else if w.of.alone || w.of.others.Load() > 1000 {
		runtime.Goexit()
	}
	w.Worker.Next(s, out)
}
