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
	*watchedWorld
	// traced is the same world for memos, or nil if steps are taken by the rules.
	traced *watchedWorld
	// tick is the note of a tick: slow, but where faults are what is slow.
	tick   explore.Note
	faults bool
	// counters, if it is not nil, counts transitions by kind.
	counters *counters
}

// newProduct assembles the world with the history variables of the monitors.
func newProduct(cfg model.Config, reduce model.Reductions, needs model.Needs, make []func(*model.World) monitor) (*product, error) {
	opt := model.Options{Reduce: reduce, Needs: needs}
	w, err := newWatchedWorld(cfg, opt, make)
	if err != nil {
		return nil, err
	}
	return &product{watchedWorld: w, tick: explore.Slow}, nil
}

// newLearnedProduct has its steps taken by heart. The monitors must go by what
// variables of the layout say, and by nothing else, and each call of make must
// give a monitor of its own.
func newLearnedProduct(cfg model.Config, reduce model.Reductions, needs model.Needs, make []func(*model.World) monitor) (*product, error) {
	p, err := newProduct(cfg, reduce, needs, make)
	if err != nil {
		return nil, err
	}
	p.traced, err = newWatchedWorld(cfg, model.Options{Reduce: reduce, Needs: needs, Traced: true}, make)
	return p, err
}

// mark sets bit i on transitions of that kind to which watch says yes.
func (p *product) mark(i int, k model.Kind, watch func(prev model.State, a model.Action, next model.State) bool) {
	p.watchedWorld.mark(i, k, watch)
	if p.traced != nil {
		p.traced.mark(i, k, watch)
	}
}

func (p *product) Words() int { return p.world.Layout.Words() }

// Dated says that states tell how many slow transitions lead to them: where it is
// ticks that are slow, and the clock is part of the state.
func (p *product) Dated() bool { return p.tick == explore.Slow && p.world.Dated() }

func (p *product) Init(out *explore.Batch) {
	s := p.world.Init()
	p.world.Canonical(s)
	out.Add(0, s...)
}

func (p *product) Worker() explore.Worker {
	if p.counters == nil && p.traced != nil {
		return newMemo(p)
	}
	k := &stepper{p: p, counts: new(counter)}
	if p.counters != nil {
		k.counts = p.counters.more()
	}
	return k
}

// stepper takes steps for one goroutine, and counts them.
type stepper struct {
	p      *product
	steps  model.Steps
	counts *counter
}

// Next takes the steps by the rules.
func (k *stepper) Next(s []uint64, out *explore.Batch) {
	p := k.p
	k.steps.Reset()
	p.world.Next(s, &k.steps)
	k.counts.degrees[min(len(k.steps.Actions), len(k.counts.degrees)-1)]++
	for i, a := range k.steps.Actions {
		n := k.steps.States[i*len(s):][:len(s)]
		note := p.judge(s, a, n)
		answer := 0
		if a.OK {
			answer = 1
		}
		k.counts.actions[a.Kind][answer]++
		p.world.Canonical(n)
		out.Add(note, n...)
	}
}

// judge lets the monitors see a transition. Their bits are explore's marks.
func (p *product) judge(s model.State, a model.Action, n model.State) explore.Note {
	return explore.Note(p.Watch(s, a, n)) | p.slow(a)
}

// slow is the note of an action itself.
func (p *product) slow(a model.Action) explore.Note {
	switch {
	case a.Kind == model.Tick:
		return p.tick
	case p.faults && p.world.Config.Mishap(a):
		return explore.Slow
	}
	return 0
}

// countFaults makes faults and pauses what is slow, so that a search in the order
// of slow steps finds the paths with the fewest of them. Ticks, which are the
// last of its measures, carry a mark instead.
func (p *product) countFaults() { p.faults, p.tick = true, explore.Mark(tickedOn) }

// tie is the note of which a shortest counterexample should have fewest when the
// order of search cannot tell: see explore.Toward.
func (p *product) tie() explore.Note {
	if p.faults {
		return p.tick
	}
	return 0
}

// steps takes every step out of a state with the clients' own names, and calls
// try with each: its action, its note, the state it leads to with names, and that
// state reduced. It stops when try says so. The states are good until then.
func (p *product) steps(real model.State, try func(a model.Action, note explore.Note, next, reduced model.State) bool) bool {
	w := p.world
	words := w.Layout.Words()
	var out model.Steps
	w.Next(real, &out)
	reduced := make(model.State, words)
	for k, a := range out.Actions {
		n := out.States[k*words : (k+1)*words]
		note := p.judge(real, a, n)
		copy(reduced, n)
		w.Canonical(reduced)
		w.Settle(n)
		if try(a, note, n, reduced) {
			return true
		}
	}
	return false
}

// path is a schedule found again, with the state where it ends; clients have
// their own names in both.
type path struct {
	calls []traces.Call
	end   model.State
}

// walk takes the nearest paths to somewhere and goes along the one that reads
// best: at each state the first step, in the order of World.Next, that stays on
// a nearest path. So client A comes first, a step comes before a pause, and
// time passes last. Since the walk is in real states, every set of reductions
// leads to the same path.
func (p *product) walk(t *explore.Toward) (path, error) {
	r := path{end: p.world.Init()}
	var at explore.At
	for ended := false; !ended; {
		if !p.steps(r.end, func(a model.Action, note explore.Note, next, reduced model.State) bool {
			to, end, ok := t.Step(at, note, reduced)
			if ok {
				r.calls, r.end = append(r.calls, traces.CallOf(a)), next
				at, ended = to, end
			}
			return ok
		}) {
			return r, errUnsound(len(r.calls) + 1)
		}
	}
	return r, nil
}

// label finds the actions of a path of reduced states again: the first step
// that reduces to the next state of the path. mark must be on the last
// transition, unless it is 0. States keep no labels, and need none.
func (p *product) label(states [][]uint64, mark explore.Note) (path, error) {
	return p.labelFrom(p.world.Init(), states, mark, func(model.State, model.Action) bool { return true })
}

// labelFrom labels a path from another state, and only with actions that are
// allowed.
func (p *product) labelFrom(start model.State, states [][]uint64, mark explore.Note, allows func(model.State, model.Action) bool) (path, error) {
	r := path{end: start}
	for i := 1; i < len(states); i++ {
		if !p.steps(r.end, func(a model.Action, note explore.Note, next, reduced model.State) bool {
			if !equal(reduced, states[i]) || i == len(states)-1 && note&mark != mark || !allows(r.end, a) {
				return false
			}
			r.calls, r.end = append(r.calls, traces.CallOf(a)), next
			return true
		}) {
			return r, errUnsound(i)
		}
	}
	return r, nil
}

func errUnsound(step int) error {
	return fmt.Errorf("bug in dlcheck: step %d of a path has no action in the model; a reduction is unsound", step)
}

func equal(a, b []uint64) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}
