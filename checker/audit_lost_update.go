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
	return a.OK && m.w.WriteFacts(prev, a).Stale
}

// snapshot is what a client has read.
type snapshot struct {
	tick int
	// stale says that it was replaced, and by is the write that did it, if it is
	// known: a store can answer with what was never there.
	stale bool
	by    *traces.Event
}

// tokenJudged says whether it is by tokens that the store judges writes.
func tokenJudged(cfg *model.Config) bool {
	r := registers[cfg.Store]
	ok, _ := r.write(1, 2) // a smaller token than the highest
	return !ok
}

// replace notes that e, an accepted write, took its place.
func (s *snapshot) replace(e *traces.Event) {
	if !s.stale {
		s.stale, s.by = true, e
	}
}

// place is an object as a client knows it.
type place struct{ client, object int }

// staleSnapshotWritten follows each client's snapshots through the log: the
// version it read of an object, and the first accepted write of another after it.
// A write that is under way takes its client's snapshot along.
func staleSnapshotWritten(t *traces.Trace) *finding {
	have := map[place]*snapshot{}
	sent := map[int]*snapshot{}            // what clients' writes under way were computed from, nil for nothing
	on := map[int]int{}                    // the objects of those writes
	applied := map[int]bool{}              // clients with a copy under way of what is the content still
	awaited := map[int]bool{}              // clients that wait for the answer to such a write
	lastWrite := map[place]*traces.Event{} // version (in place of the client) and object -> the write that made it
	version := map[int]int{}               // by object
	forget := func(client int) {
		for p := range have {
			if p.client == client {
				delete(have, p)
			}
		}
	}
	for i := range t.Events {
		e := &t.Events[i]
		c, object := e.Client, e.Object
		switch {
		case e.IsGrant() && e.Kind != model.Unheard, e.Kind == model.Adopt:
			forget(c)
		case e.Kind == model.Read && e.OK:
			s := &snapshot{tick: e.Tick}
			if e.Value != version[object] {
				// The answer was not the content of that moment.
				s.stale, s.by = true, lastWrite[place{version[object], object}]
			}
			have[place{c, object}] = s
		case e.Kind == model.Send:
			awaited[c], applied[c], sent[c], on[c] = true, false, nil, object
			if s := have[place{c, object}]; s != nil {
				taken := *s
				sent[c] = &taken
			}
		case e.Kind == model.GiveUp:
			awaited[c] = false
			forget(c)
		case e.IsWrite():
			from, knows := have[place{c, object}], true
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
			if from != nil && from.stale {
				return &finding{i, lostReason(t, e, from)}
			}
			version[object]++
			for o := range applied {
				applied[o] = applied[o] && on[o] != object
			}
			applied[c] = applied[c] || e.Kind == model.ArriveTwice
			lastWrite[place{version[object], object}] = e
			for p, s := range have {
				if p.object == object && (p.client != c || !knows) {
					s.replace(e)
				}
			}
			for o, s := range sent {
				if s != nil && on[o] == object && (o != c || e.Kind == model.Write) {
					s.replace(e)
				}
			}
		}
	}
	return nil
}

// lostReason says what is lost and, under a store that judges tokens, why the
// token did not help.
func lostReason(t *traces.Trace, e *traces.Event, from *snapshot) string {
	winner, read, lost := t.Name(e.Client), from.tick, from.by
	if lost == nil {
		return fmt.Sprintf("%s writes what it computed from its read at tick %d, which was not answered with what the store had.", winner, read)
	}
	loser := t.Name(lost.Client)
	if e.Kind != model.Write {
		return fmt.Sprintf("a late write of %s, which it computed from its read at tick %d, lands on top of %s's write of tick %d, and that one, which was acknowledged, is erased.",
			winner, read, loser, lost.Tick)
	}
	if lost.Token < e.Token && tokenJudged(&t.Config) {
		return fmt.Sprintf("%s's write at tick %d was accepted with %s: the %s had not seen %s yet; %s had already read, at tick %d, so %s's write erases it.",
			loser, lost.Tick, t.TokenText(lost.Token), t.Word("store"), t.TokenText(e.Token), winner, read, winner)
	}
	return fmt.Sprintf("%s writes what it computed from its read at tick %d; %s's write of tick %d was acknowledged in between, and %s's write erases it.",
		winner, read, loser, lost.Tick, winner)
}
