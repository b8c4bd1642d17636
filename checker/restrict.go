package checker

import (
	"context"
	"fmt"
	"slices"

	"dlcheck/explore"
	"dlcheck/model"
	"dlcheck/traces/script"
)

// Scripted explores every order of actions within the ticks of a schedule: who
// arrives when and who stalls from when to when is as the script says, and in
// which order the clients act in each tick is left open. It says of each
// property that a monitor judges whether some order breaks it.
//
// The script is a filter on the transitions of the world, so a script and the
// explorer can never differ about what the rules are.
func Scripted(ctx context.Context, s *script.Schedule, properties ...string) (map[string]bool, error) {
	names, err := Expand(properties)
	if err != nil {
		return nil, err
	}
	var watched []*audit
	for _, n := range names {
		a := findAudit(n)
		if a.monitor == nil {
			return nil, fmt.Errorf("%s is not judged transition by transition, and cannot be asked of a script's orders", n)
		}
		watched = append(watched, a)
	}
	cfg := s.Config
	cfg.Ticks = s.Horizon()
	for _, a := range s.Clients {
		if a.Once {
			return nil, fmt.Errorf("%s asks once: whether it is denied depends on the order within a tick, which is left open here", a.Name)
		}
	}
	p, err := watch(watched, cfg, model.Reductions{})
	if err != nil {
		return nil, err
	}
	g, err := explore.Run(ctx, &restricted{product: p, allows: func(at model.State, a model.Action) bool { return s.Allows(p.world, at, a) }}, explore.Options{})
	if err != nil {
		return nil, err
	}
	if g.Ended() != explore.Closed {
		return nil, context.Cause(ctx)
	}
	out := map[string]bool{}
	for i, n := range names {
		_, out[n] = g.Found(i)
	}
	return out, nil
}

// restricted is a product without the transitions that are not allowed, and
// with another initial state, if start is one. allows sees reduced states.
type restricted struct {
	*product
	start  model.State // nil: that of the world
	allows func(model.State, model.Action) bool
}

func (r *restricted) Init(out *explore.Batch) {
	if r.start == nil {
		r.product.Init(out)
		return
	}
	s := slices.Clone(r.start)
	r.world.Canonical(s)
	out.Add(0, s...)
}

func (r *restricted) Worker() explore.Worker {
	return &restrictedStepper{r: r}
}

type restrictedStepper struct {
	r     *restricted
	steps model.Steps
}

func (k *restrictedStepper) Next(s []uint64, out *explore.Batch) {
	p := k.r.product
	k.steps.Reset()
	p.world.Next(s, &k.steps)
	for i, a := range k.steps.Actions {
		if k.r.allows(s, a) {
			n := k.steps.States[i*len(s) : (i+1)*len(s)]
			note := p.judge(s, a, n)
			p.world.Canonical(n)
			out.Add(note, n...)
		}
	}
}
