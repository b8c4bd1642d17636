package checker

import (
	"fmt"

	"dlcheck/model"
	"dlcheck/traces"
)

func init() {
	addAudit(&audit{
		Property:   Property{Name: "unlocked-write", Doc: "no write is accepted whose writer does not hold the lock (reported, never a failure)", ReportOnly: true},
		rank:       110,
		needs:      model.Needs{Leases: true},
		monitor:    func(w *model.World) monitor { return unlockedWrite{w: w} },
		retrospect: acceptedWithoutLock,
	})
}

// unlockedWrite is reported and not held against a system: fencing makes such
// writes harmless and does not prevent them.
type unlockedWrite struct {
	stateless
	w *model.World
}

func (unlockedWrite) kinds() []model.Kind { return model.Writes() }

func (m unlockedWrite) watch(prev model.State, a model.Action, _ model.State) bool {
	return a.OK && !m.w.HasLease(prev, int(a.Client))
}

func acceptedWithoutLock(t *traces.Trace) *finding {
	r := newRecord(t)
	for i := range t.Events {
		e := &t.Events[i]
		r.see(e)
		if e.IsWrite() && e.OK && !r.holdsLock(e.Client, e.Tick) {
			reason := fmt.Sprintf("%s's write was accepted at tick %d, when %s did not hold the %s", t.Name(e.Client), e.Tick, t.Name(e.Client), t.Word("lock"))
			if e.Holder == e.Client {
				// The last column of the story says otherwise.
				reason += fmt.Sprintf(": it is still named as the holder, and was granted it %s", traces.EndText(r.holds[e.Client].end))
			}
			return &finding{i, reason + "."}
		}
	}
	return nil
}
