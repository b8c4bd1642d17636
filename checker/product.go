package checker

import (
	"fmt"

	"dlcheck/explore"
	"dlcheck/model"
	"dlcheck/traces"
)

// product is a world together with monitors, as a system that explore can
// walk: the world's transitions, each judged by every monitor, in reduced
// states. Mark(i) on a transition means that monitor i objects to it.
type product struct {
	world    *model.World
	monitors []monitor
	watchers [][]watcher // by kind of action
}

type watcher struct {
	mark  explore.Note
	watch func(prev model.State, a model.Action, next model.State) bool
}

// newProduct assembles the world with the history variables of the monitors.
func newProduct(cfg model.Config, reduce model.Reductions, needs model.Needs, make []func(*model.World) monitor) (*product, error) {
	p := &product{}
	var err error
	p.world, err = model.New(cfg, model.Options{Reduce: reduce, Needs: needs, Claim: func(w *model.World, l *model.Layout) {
		for _, f := range make {
			m := f(w)
			m.claim(l)
			p.monitors = append(p.monitors, m)
		}
	}})
	if err != nil {
		return nil, err
	}
	for i, m := range p.monitors {
		for _, k := range m.kinds() {
			p.mark(i, k, m.watch)
		}
	}
	return p, nil
}

// mark puts Mark(i) on transitions of that kind to which watch says yes.
func (p *product) mark(i int, k model.Kind, watch func(prev model.State, a model.Action, next model.State) bool) {
	for len(p.watchers) <= int(k) {
		p.watchers = append(p.watchers, nil)
	}
	p.watchers[k] = append(p.watchers[k], watcher{explore.Mark(i), watch})
}

func (p *product) Words() int { return p.world.Layout.Words() }

func (p *product) Init(out *explore.Batch) {
	s := p.world.Init()
	p.world.Canonical(s)
	out.Add(0, s...)
}

func (p *product) Worker() explore.Worker { return &stepper{p: p} }

// stepper takes steps for one goroutine.
type stepper struct {
	p     *product
	steps model.Steps
}

// Next lends the batch's memory to the model, so that a state is written once.
func (k *stepper) Next(s []uint64, out *explore.Batch) {
	p := k.p
	k.steps.States, k.steps.Actions = out.States, k.steps.Actions[:0]
	at, words := len(out.States), len(s)
	p.world.Next(s, &k.steps)
	out.States = k.steps.States
	for _, a := range k.steps.Actions {
		n := out.States[at : at+words]
		note := p.judge(s, a, n)
		p.world.Canonical(n)
		out.Notes = append(out.Notes, note)
		at += words
	}
}

// judge lets the monitors see a transition.
func (p *product) judge(s model.State, a model.Action, n model.State) explore.Note {
	var note explore.Note
	if a.Kind == model.Tick {
		note = explore.Slow
	}
	if int(a.Kind) < len(p.watchers) {
		for _, w := range p.watchers[a.Kind] {
			if w.watch(s, a, n) {
				note |= w.mark
			}
		}
	}
	return note
}

// walk takes the nearest paths to a finding and goes along the one that reads
// best: at each state the first step, in the order of World.Next, that stays on
// a nearest path. So client A comes first, a step comes before a pause, and
// time passes last. Since the walk is in real states, every set of reductions
// leads to the same path.
func (p *product) walk(t *explore.Toward) ([]traces.Call, error) {
	w := p.world
	words := w.Layout.Words()
	real := w.Init()
	var at explore.At
	var calls []traces.Call
	reduced := make(model.State, words)
	for {
		var steps model.Steps
		w.Next(real, &steps)
		found := false
		for k, a := range steps.Actions {
			n := steps.States[k*words : (k+1)*words]
			note := p.judge(real, a, n)
			copy(reduced, n)
			w.Canonical(reduced)
			next, end, ok := t.Step(at, note, reduced)
			if !ok {
				continue
			}
			calls = append(calls, traces.Call{Client: int(a.Client), Kind: a.Kind})
			if end {
				return calls, nil
			}
			w.Settle(n)
			real, at, found = n, next, true
			break
		}
		if !found {
			return nil, fmt.Errorf("bug: step %d of a path has no action in the model; a reduction is unsound", len(calls)+1)
		}
	}
}

// label finds the actions of a path again, in real clients: it keeps a state
// with the clients' own names beside the path's reduced ones and takes the
// first step that reduces to the next state of the path. mark must be on the
// last transition, unless it is 0. States keep no labels, and need none. It
// also gives the state where the path ends, with the clients' own names.
func (p *product) label(path [][]uint64, mark explore.Note) (calls []traces.Call, end model.State, err error) {
	w := p.world
	words := w.Layout.Words()
	real := w.Init()
	reduced := make(model.State, words)
	for i := 1; i < len(path); i++ {
		var steps model.Steps
		w.Next(real, &steps)
		found := false
		for k, a := range steps.Actions {
			n := steps.States[k*words : (k+1)*words]
			note := p.judge(real, a, n)
			copy(reduced, n)
			w.Canonical(reduced)
			if !equal(reduced, path[i]) || i == len(path)-1 && note&mark != mark {
				continue
			}
			w.Settle(n)
			real = append(model.State(nil), n...)
			calls = append(calls, traces.Call{Client: int(a.Client), Kind: a.Kind})
			found = true
			break
		}
		if !found {
			return nil, nil, fmt.Errorf("bug: step %d of a path has no action in the model; a reduction is unsound", i)
		}
	}
	return calls, real, nil
}

func equal(a, b []uint64) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}
