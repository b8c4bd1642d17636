package checker

import (
	"fmt"

	"dlcheck/model"
	"dlcheck/traces"
)

func init() {
	addAudit(&audit{
		Property:   Property{Name: "lost-update", Doc: "no accepted write is computed from a snapshot that another accepted write has replaced since"},
		rank:       50,
		needs:      model.Needs{Snapshots: true},
		monitor:    func(w *model.World) monitor { return lostUpdate{w: w} },
		retrospect: staleSnapshotWritten,
	})
}

type lostUpdate struct {
	stateless
	w *model.World
}

func (lostUpdate) kinds() []model.Kind { return []model.Kind{model.Write} }

func (m lostUpdate) watch(prev model.State, a model.Action, _ model.State) bool {
	return a.OK && m.w.Stale(prev, int(a.Client))
}

// staleSnapshotWritten follows each client's snapshot through the log: the
// version it read, and the first accepted write of another client after it.
func staleSnapshotWritten(t *traces.Trace) *finding {
	type snapshot struct {
		tick     int
		replaced *traces.Event
	}
	have := map[int]*snapshot{}
	version := 0
	lastWrite := map[int]*traces.Event{} // version -> the write that made it
	for i := range t.Events {
		e := &t.Events[i]
		switch {
		case e.Kind == model.Acquire:
			delete(have, e.Client)
		case e.Kind == model.Read && e.OK:
			s := &snapshot{tick: e.Tick}
			if e.Value != version {
				// The answer was not the content of that moment.
				s.replaced = lastWrite[version]
			}
			have[e.Client] = s
		case e.Kind == model.Write && e.OK:
			if s := have[e.Client]; s != nil && s.replaced != nil {
				return &finding{i, lostReason(t, e, s.tick, s.replaced)}
			}
			version++
			lastWrite[version] = e
			for c, s := range have {
				if c != e.Client && s.replaced == nil {
					s.replaced = e
				}
			}
		}
	}
	return nil
}

// lostReason says what is lost and, under a store that judges tokens, why the
// token did not help.
func lostReason(t *traces.Trace, e *traces.Event, read int, lost *traces.Event) string {
	loser, winner := t.Name(lost.Client), t.Name(e.Client)
	if lost.Token < e.Token && t.Config.Store != "plain" {
		return fmt.Sprintf("%s's write at tick %d was accepted with token %d: the store had not seen token %d yet; %s had already read, at tick %d, so %s's write erases it.",
			loser, lost.Tick, lost.Token, e.Token, winner, read, winner)
	}
	return fmt.Sprintf("%s writes what it computed from its read at tick %d; %s's write of tick %d was acknowledged in between, and %s's write erases it.",
		winner, read, loser, lost.Tick, winner)
}
