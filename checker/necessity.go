package checker

import (
	"context"
	"fmt"
	"slices"

	"dlcheck/explore"
	"dlcheck/model"
	"dlcheck/traces"
)

// Role is what an action of a counterexample is there, and so what it means
// to do without it.
type Role string

// The roles.
const (
	// Fault: from the state just before it, that kind of fault strikes no more:
	// no action of that kind or, of a request that misses servers, no request
	// that does.
	Fault Role = "fault"
	// Pause: from the state just before it, that client pauses no more.
	Pause Role = "pause"
	// Choice: the client does not take that very action before the clock ticks
	// next. It was free to: it could have taken another one or, being idle or
	// paused, none.
	Choice Role = "choice"
	// AnyFault and AnyPause: from the state just before the first of them, no
	// fault strikes at all, and no client pauses. They are asked where the first
	// one alone is not necessary, since another could stand in for it.
	AnyFault Role = "any fault"
	AnyPause Role = "any pause"
)

// Answer says whether an action is necessary for a violation.
type Answer string

// The answers.
const (
	Necessary   Answer = "necessary"
	Unnecessary Answer = "unnecessary"
	Undecided   Answer = "undecided"
)

// Need is what was found about doing without one action of a counterexample,
// and keeping what was done before it. All else is left open.
type Need struct {
	At     int // index of the action
	Role   Role
	Answer Answer
	// States is how many states were explored from there.
	States uint64
	// Always says of Necessary that nothing new appears at any horizon.
	// Otherwise it is said of schedules within the ticks of the trace's world.
	Always bool
	// Other is the schedule that breaks the property without the action, judged
	// again. It has the fewest ticks, and the fewest steps among those; of it
	// all actions before At are those of the trace. It is nil unless Unnecessary.
	Other *traces.Trace
	// Stopped says why it is Undecided.
	Stopped string
}

// Limits bound each exploration of an explanation.
type Limits struct {
	Workers   int
	MaxStates uint64 // 0: no bound
	MaxBytes  int64  // 0: no bound
}

// Necessity asks of each fault, pause and choice of a counterexample whether
// the property can be broken without it: it goes to the state just before the
// action, takes away what its role says, and explores everything from there. Each
// is asked alone; of two that can stand in for each other neither is necessary.
//
// The trace has a remark that was judged, and nothing after the action that it
// points at is asked about. A property that no single trace can show is
// ErrNotJudged. What an interrupted context leaves open is Undecided.
func Necessity(ctx context.Context, t *traces.Trace, l Limits) ([]Need, error) {
	a := findAudit(t.Remark.Property)
	if a.retrospect == nil {
		return nil, ErrNotJudged
	}
	n := &necessity{ctx: ctx, trace: t, limits: l, audit: a}
	if err := n.prepare(); err != nil {
		return nil, err
	}
	var needs []Need
	asked := map[Role]bool{}
	for i := range n.at {
		for _, role := range n.roles(i) {
			need, err := n.ask(i, role)
			if err != nil {
				return nil, err
			}
			needs = append(needs, need)
			if wider, ok := anyOf[role]; ok && !asked[role] && need.Answer != Necessary {
				if need, err = n.ask(i, wider); err != nil {
					return nil, err
				}
				needs = append(needs, need)
			}
			asked[role] = true
		}
	}
	return needs, nil
}

// anyOf is the role that a role is a part of.
var anyOf = map[Role]Role{Fault: AnyFault, Pause: AnyPause}

// necessity is one run of Necessity.
type necessity struct {
	ctx     context.Context
	trace   *traces.Trace
	limits  Limits
	audit   *audit
	product *product
	mark    int // of the audit
	later   *later
	at      []moment // by action, up to the one that breaks the property
}

// moment is the state just before an action.
type moment struct {
	state  model.State
	tick   int
	action model.Action
	free   bool // the client could have taken another action, or none
}

// later is a monitor that objects to nothing: it knows whether the clock has
// ticked since an exploration began.
type later struct{ field model.Field }

func (l *later) claim(lay *model.Layout) { lay.Global(&l.field, "explain.later", 1, model.Plain) }
func (*later) kinds() []model.Kind       { return []model.Kind{model.Tick} }
func (l *later) watch(_ model.State, _ model.Action, next model.State) bool {
	l.field.Set(next, 1)
	return false
}

// prepare makes the product and goes along the trace.
func (n *necessity) prepare() error {
	// Actions are forbidden to clients by name, and with the servers that they
	// reach, so names are kept. Servers in step have none.
	reduce := model.AllReductions()
	reduce.Clients, reduce.Servers = false, n.trace.Config.InStep()
	n.later = &later{}
	gate := func(*model.World) monitor { return n.later }
	var err error
	if n.audit.monitor != nil {
		n.product, err = newProduct(n.trace.Config, reduce, n.audit.needs, []func(*model.World) monitor{n.audit.monitor, gate})
	} else {
		n.mark = markOf[n.audit.Name]
		all := &histories{store: sequentialOf(&n.trace.Config), met: map[string]judged{}}
		n.product, err = historyProduct(&n.trace.Config, reduce, all, gate)
	}
	if err != nil {
		return err
	}
	w, s := n.product.world, n.product.world.Init()
	for i := range n.trace.Remark.At + 1 {
		e := &n.trace.Events[i]
		m := moment{state: s, tick: e.Tick}
		if e.Client != model.Nobody {
			m.free = w.Phase(s, e.Client) == 0 || w.Paused(s, e.Client)
		}
		found := false
		var next model.State
		n.product.steps(s, func(a model.Action, _ explore.Note, to, _ model.State) bool {
			if traces.CallOf(a) == e.Call() {
				m.action, next, found = a, to, true
			} else if int(a.Client) == e.Client {
				m.free = true
			}
			return false
		})
		if !found {
			return errUnsound(i + 1)
		}
		n.at, s = append(n.at, m), next
	}
	return nil
}

// roles lists what action i can be done without as. A request that misses
// servers is a fault, and to miss those is a choice.
func (n *necessity) roles(i int) (roles []Role) {
	w, m := n.product.world, &n.at[i]
	switch a := m.action; {
	case a.Client != model.Nobody && a.Kind == model.Pause:
		return []Role{Pause}
	case w.Fault(a) && !misses(w, a):
		return []Role{Fault}
	case w.Fault(a):
		roles = []Role{Fault}
	case a.Client == model.Nobody, a.Kind == model.Work:
		// That time passes is not up to anyone. To pause before work is a pause
		// like one after it.
		return nil
	}
	if m.free {
		roles = append(roles, Choice)
	}
	return roles
}

// misses says whether an action is a fault only because its request does not
// reach every server.
func misses(w *model.World, a model.Action) bool {
	a.Reached, a.Servers = 0, 0
	return a.Client != model.Nobody && !w.Fault(a)
}

// without is the rule that takes an action away in a role.
func (n *necessity) without(i int, role Role) func(model.State, model.Action) bool {
	w, gone := n.product.world, n.at[i].action
	switch role {
	case AnyPause:
		return func(_ model.State, a model.Action) bool { return a.Kind != model.Pause }
	case AnyFault:
		return func(_ model.State, a model.Action) bool { return !w.Fault(a) }
	case Pause:
		return func(_ model.State, a model.Action) bool { return a.Kind != model.Pause || a.Client != gone.Client }
	case Fault:
		if misses(w, gone) {
			return func(_ model.State, a model.Action) bool { return a.Client == model.Nobody || !lacks(w, a) }
		}
		return func(_ model.State, a model.Action) bool { return a.Kind != gone.Kind }
	}
	call := traces.CallOf(gone)
	return func(s model.State, a model.Action) bool {
		return n.later.field.Get(s) != 0 || traces.CallOf(a) != call
	}
}

// lacks says whether the request of an action does not reach every server.
func lacks(w *model.World, a model.Action) bool {
	return w.Fault(model.Action{Kind: model.Acquire, Reached: a.Reached})
}

// ask explores what can come of doing without action i.
func (n *necessity) ask(i int, role Role) (Need, error) {
	m := &n.at[i]
	start := slices.Clone(m.state)
	n.later.field.Set(start, 0)
	r := &restricted{product: n.product, start: start, allows: n.without(i, role)}
	left, bound := model.NoBound, n.trace.Config.Ticks
	if bound != model.NoBound {
		left = bound - m.tick
	}
	full := false
	g, err := explore.Run(n.ctx, r, explore.Options{
		Workers:  n.limits.Workers,
		Order:    explore.SlowFirst,
		Until:    explore.Mark(n.mark),
		MaxBytes: n.limits.MaxBytes,
		OnBucket: func(p explore.Progress) bool {
			if left != model.NoBound && p.Last && p.P >= left {
				return false
			}
			full = n.limits.MaxStates > 0 && p.States > n.limits.MaxStates
			return !full
		},
	})
	if err != nil {
		return Need{}, err
	}
	need := Need{At: i, Role: role, States: g.States()}
	f, found := g.Found(n.mark)
	switch found = found && (left == model.NoBound || f.P <= left); {
	case found:
		need.Answer = Unnecessary
		need.Other, err = n.other(i, r, g.Trace(f))
	case full || g.Ended() == explore.OutOfMemory:
		need.Answer, need.Stopped = Undecided, "out of memory"
		if full {
			need.Stopped = outOfStates
		}
	case g.Ended() == explore.Interrupted:
		need.Answer, need.Stopped = Undecided, causeOf(n.ctx)
	default:
		need.Answer = Necessary
		need.Always = g.Ended() == explore.Closed && (n.product.world.Reduce.Time || bound == model.NoBound)
	}
	return need, err
}

// other is the schedule that begins as the trace does, up to action i, and
// goes on along a path to a violation.
func (n *necessity) other(i int, r *restricted, states [][]uint64) (*traces.Trace, error) {
	p, err := r.labelFrom(slices.Clone(r.start), states, explore.Mark(n.mark), r.allows)
	if err != nil {
		return nil, err
	}
	var calls []traces.Call
	for k := range i {
		calls = append(calls, n.trace.Events[k].Call())
	}
	t, err := traces.Play(n.trace.Config, append(calls, p.calls...))
	if err != nil {
		return nil, fmt.Errorf("bug in dlcheck: what was explored cannot be replayed: %w", err)
	}
	t.Names, t.Words = n.trace.Names, n.trace.Words
	f := n.audit.retrospect(t)
	if f == nil || f.at != len(t.Events)-1 {
		return nil, &Disagreement{Property: n.audit.Name, Trace: t, Monitor: len(t.Events) - 1, Retrospect: f}
	}
	t.Remark = &traces.Remark{Property: n.audit.Name, At: f.at, Reason: f.reason}
	return t, nil
}
