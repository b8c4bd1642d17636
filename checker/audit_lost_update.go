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

func (lostUpdate) kinds() []model.Kind { return model.Writes() }

func (m lostUpdate) watch(prev model.State, a model.Action, _ model.State) bool {
	_, stale, _ := m.w.Judged(prev, a)
	return a.OK && stale
}

// snapshot is what a client has read.
type snapshot struct {
	tick     int
	replaced *traces.Event // the first accepted write of another since
}

// staleSnapshotWritten follows each client's snapshot through the log: the
// version it read, and the first accepted write of another after it. A write that
// is under way takes its client's snapshot along.
func staleSnapshotWritten(t *traces.Trace) *finding {
	have := map[int]*snapshot{}          // by client
	sent := map[int]*snapshot{}          // what writes under way were computed from, nil for nothing
	applied := map[int]bool{}            // clients with a copy under way of what is the content still
	awaited := map[int]bool{}            // clients that wait for the answer to such a write
	lastWrite := map[int]*traces.Event{} // version -> the write that made it
	version := 0
	for i := range t.Events {
		e := &t.Events[i]
		c := e.Client
		switch {
		case e.IsGrant() && e.Kind != model.Unheard, e.Kind == model.Adopt:
			delete(have, c)
		case e.Kind == model.Read && e.OK:
			s := &snapshot{tick: e.Tick}
			if e.Value != version {
				// The answer was not the content of that moment.
				s.replaced = lastWrite[version]
			}
			have[c] = s
		case e.Kind == model.Send:
			awaited[c], applied[c], sent[c] = true, false, nil
			if s := have[c]; s != nil {
				taken := *s
				sent[c] = &taken
			}
		case e.Kind == model.GiveUp:
			awaited[c] = false
			delete(have, c)
		case e.IsWrite():
			from, knows := have[c], true
			if e.Kind != model.Write {
				from, knows = sent[c], awaited[c]
				awaited[c] = false
			}
			if !e.OK {
				break
			}
			if e.Kind != model.Write && applied[c] {
				break // it is there already
			}
			if from != nil && from.replaced != nil {
				return &finding{i, lostReason(t, e, from.tick, from.replaced)}
			}
			version++
			clear(applied)
			applied[c] = e.Kind == model.ArriveTwice
			lastWrite[version] = e
			for o, s := range have {
				if (o != c || !knows) && s.replaced == nil {
					s.replaced = e
				}
			}
			for o, s := range sent {
				if s != nil && s.replaced == nil && (o != c || e.Kind == model.Write) {
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
	if e.Kind != model.Write {
		return fmt.Sprintf("a late write of %s, which it computed from its read at tick %d, lands on top of %s's write of tick %d, and that one, which was acknowledged, is erased.",
			winner, read, loser, lost.Tick)
	}
	if lost.Token < e.Token && t.Config.Store != "plain" {
		return fmt.Sprintf("%s's write at tick %d was accepted with %s: the %s had not seen %s yet; %s had already read, at tick %d, so %s's write erases it.",
			loser, lost.Tick, t.TokenText(lost.Token), t.Word("store"), t.TokenText(e.Token), winner, read, winner)
	}
	return fmt.Sprintf("%s writes what it computed from its read at tick %d; %s's write of tick %d was acknowledged in between, and %s's write erases it.",
		winner, read, loser, lost.Tick, winner)
}
