package checker

import (
	"fmt"

	"dlcheck/checker/certificate"
	"dlcheck/model"
)

// watchedWorld is a world together with monitors, and nothing that searches:
// the explorer walks it as a product, and a certificate is checked against it
// step by step.
type watchedWorld struct {
	world    *model.World
	monitors []monitor
	watchers [][]watcher // by kind of action
}

type watcher struct {
	bit   uint64
	watch func(prev model.State, a model.Action, next model.State) bool
}

// newWatchedWorld assembles the world with the history variables of the
// monitors.
func newWatchedWorld(cfg model.Config, opt model.Options, make []func(*model.World) monitor) (*watchedWorld, error) {
	p := &watchedWorld{}
	var err error
	opt.Claim = func(w *model.World, l *model.Layout) {
		for _, f := range make {
			m := f(w)
			m.claim(l)
			p.monitors = append(p.monitors, m)
		}
	}
	p.world, err = model.New(cfg, opt)
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

// mark sets bit i on transitions of that kind to which watch says yes.
func (p *watchedWorld) mark(i int, k model.Kind, watch func(prev model.State, a model.Action, next model.State) bool) {
	for len(p.watchers) <= int(k) {
		p.watchers = append(p.watchers, nil)
	}
	p.watchers[k] = append(p.watchers[k], watcher{1 << i, watch})
}

// World is the world that is watched.
func (p *watchedWorld) World() *model.World { return p.world }

// Watch lets the monitors see a transition: they bring their variables in n up
// to date, and bit i is set if monitor i objects.
func (p *watchedWorld) Watch(s model.State, a model.Action, n model.State) (objections uint64) {
	if int(a.Kind) < len(p.watchers) {
		for _, w := range p.watchers[a.Kind] {
			if w.watch(s, a, n) {
				objections |= w.bit
			}
		}
	}
	return objections
}

// monitorsOf is what these audits need, and their monitors.
func monitorsOf(watched []*audit) (needs model.Needs, monitors []func(*model.World) monitor) {
	for _, a := range watched {
		needs = needs.Or(a.needs)
		monitors = append(monitors, a.monitor)
	}
	return needs, monitors
}

// Watched assembles a world with the monitors of the named properties, for
// those who check a certificate. Its error is one line for the user.
func Watched(cfg model.Config, reduce model.Reductions, properties []string) (certificate.Watched, error) {
	var watched []*audit
	for _, name := range properties {
		a := findAudit(name)
		if a == nil {
			return nil, fmt.Errorf("there is no property %q", name)
		}
		if a.monitor == nil {
			return nil, fmt.Errorf("%s is not judged by a monitor, step by step: no certificate can vouch for it", name)
		}
		watched = append(watched, a)
	}
	needs, monitors := monitorsOf(watched)
	return newWatchedWorld(cfg, model.Options{Reduce: reduce, Needs: needs}, monitors)
}
