package explore

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
)

// abreast is a system whose workers take the steps of many states at a time. They come
// to them from the last state to the first, and the successors must lie from the first
// to the last all the same.
type abreast struct {
	System
	spoil func(states []uint64, out *Batch, ends []int) // what is wrong with a worker; or nil
	seen  *groups
}

// groups is how many groups were of each size, and how many states came alone, in Next.
type groups struct {
	mu    sync.Mutex
	sizes map[int]int
	alone int
}

func (x abreast) Worker() Worker { return &abreastWorker{x, x.System.Worker(), make([]Batch, group)} }

type abreastWorker struct {
	abreast
	Worker
	outs []Batch
}

func (w *abreastWorker) Next(s []uint64, out *Batch) {
	w.seen.mu.Lock()
	w.seen.alone++
	w.seen.mu.Unlock()
	w.Worker.Next(s, out)
}

func (w *abreastWorker) NextOfMany(states []uint64, out *Batch, ends []int) {
	w.seen.mu.Lock()
	w.seen.sizes[len(ends)]++
	w.seen.mu.Unlock()
	width := len(states) / len(ends)
	for i := len(ends) - 1; i >= 0; i-- {
		w.outs[i].Reset()
		w.Worker.Next(states[i*width:][:width:width], &w.outs[i])
	}
	for i := range ends {
		out.States, out.Notes = append(out.States, w.outs[i].States...), append(out.Notes, w.outs[i].Notes...)
		ends[i] = len(out.Notes)
	}
	if w.spoil != nil {
		w.spoil(states, out, ends)
	}
}

// TestManyDoNotShow: whether a worker takes states one by one or many at a time, the graph
// is the same to the letter.
func TestManyDoNotShow(t *testing.T) {
	list := smallWorlds()
	list["large"] = random{seed: 9, width: 2, nodes: 20000, degree: 6, slow: 3, rare: 500}
	list["dated"] = undated{clocked{random{seed: 77, width: 2, nodes: 900, degree: 5, near: 40, slow: 2, rare: 9}, 9}}
	list["dead ends"] = random{seed: 4, width: 1, nodes: 4000, degree: 1, near: 90, slow: 4, rare: 9}
	seen := &groups{sizes: map[int]int{}}
	for name, sys := range list {
		for _, order := range []Order{StepsFirst, SlowFirst, FastFirst} {
			for _, opts := range []Options{{}, {Until: Mark(3) | Mark(40)}, {MaxBytes: 400_000}} {
				opts.Order, opts.Workers = order, 1
				plain := mustRun(t, sys, opts)
				want := digestAndBytes(plain)
				for _, opts.Workers = range []int{1, 2, 7} {
					g := mustRun(t, abreast{System: sys, seen: seen}, opts)
					if digestAndBytes(g) != want {
						t.Errorf("%s, %+v: %d states (%v) many at a time, one by one %d (%v)", name, opts, g.States(), g.Ended(), plain.States(), plain.Ended())
					}
				}
			}
		}
	}
	if seen.alone > 0 {
		t.Errorf("%d states came one by one", seen.alone)
	}
	for n := range group {
		if seen.sizes[n+1] == 0 {
			t.Errorf("no group had %d states: %v", n+1, seen.sizes)
		}
	}
	if seen.sizes[group] < seen.sizes[1] {
		t.Errorf("few groups are full: %v", seen.sizes)
	}
}

// TestManyAtFault: of a group in which something goes wrong the state is named that is to
// blame. Where none is, taken by itself, none is named, and the complaint is of the group.
func TestManyAtFault(t *testing.T) {
	const culprit = 0xffff
	cause := errors.New("broken rule")
	isIt := func(s []uint64) bool { return s[0]%0x10000 == culprit }
	guilty := func(states []uint64) bool {
		return slices.ContainsFunc(states, func(word uint64) bool { return isIt([]uint64{word}) })
	}
	for _, row := range []struct {
		name  string
		inner func(s []uint64) // of any state, before it is expanded, alone or not
		spoil func(states []uint64, out *Batch, ends []int)
		named bool
		want  string
	}{
		{"a rule that panics", func(s []uint64) {
			if isIt(s) {
				panic(cause)
			}
		}, nil, true, "broken rule"},
		{"a group that panics, and none of its states", nil, func(states []uint64, _ *Batch, _ []int) {
			if guilty(states) {
				panic(cause)
			}
		}, false, "broken rule"},
		{"successors without a state they come from", nil, func(states []uint64, out *Batch, ends []int) {
			if guilty(states) {
				ends[len(ends)-1]--
			}
		}, false, "have a state that they come from"},
		{"more successors than there are", nil, func(states []uint64, out *Batch, ends []int) {
			if guilty(states) {
				ends[len(ends)-1]++
			}
		}, false, "have a state that they come from"},
		{"more than there are, of a state in the middle", nil, func(states []uint64, out *Batch, ends []int) {
			if guilty(states) {
				ends[len(ends)/2] += 1 << 20
			}
		}, false, ""},
		{"words without a note", nil, func(states []uint64, out *Batch, ends []int) {
			if guilty(states) {
				out.States = append(out.States, 7)
			}
		}, false, "words for"},
	} {
		for _, sys := range []System{twoPhase{rms: 5}, clocked{twoPhase{rms: 5}, 0}} { // of one word, and of two
			graph, state := "", []uint64(nil)
			for _, workers := range []int{1, 2, 7} {
				blamed := sys
				if row.inner != nil {
					blamed = hooked{sys, row.inner}
				}
				seen := &groups{sizes: map[int]int{}}
				g, err := Run(t.Context(), abreast{blamed, row.spoil, seen}, Options{Workers: workers})
				var p *PanicError
				if !errors.As(err, &p) || !strings.Contains(fmt.Sprint(p.Value), row.want) {
					t.Errorf("%s, %d workers: %v, want a panic that says %q", row.name, workers, err, row.want)
					continue
				}
				if row.named && (!errors.Is(err, cause) || len(p.State) != sys.Words() || !isIt(p.State)) || !row.named && p.State != nil {
					t.Errorf("%s, %d workers: the state %#x is named", row.name, workers, p.State)
				}
				if seen.alone == 0 {
					t.Errorf("%s, %d workers: no state was looked at by itself", row.name, workers)
				}
				if workers == 1 {
					graph, state = digest(g), p.State
				}
				if digest(g) != graph || !slices.Equal(p.State, state) {
					t.Errorf("%s: with %d workers the graph is another one, or the state %#x is named, and with one %#x", row.name, workers, p.State, state)
				}
			}
		}
	}
}
