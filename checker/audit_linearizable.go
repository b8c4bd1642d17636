package checker

import (
	"errors"
	"fmt"

	"dlcheck/explore"
	"dlcheck/model"
	"dlcheck/traces"
)

func init() {
	addAudit(&audit{
		Property: Property{Name: "linearizable", Doc: "every history of the store's operations has a legal order against the sequential store", Seed: true},
		rank:     30,
		decide:   decideHistories,
		retrospect: func(t *traces.Trace) *finding {
			h, events := historyOf(t)
			for n := 1; n <= len(h); n++ {
				if !linearizable(sequentialOf(&t.Config), h[:n].normal()) {
					e := &t.Events[events[n-1]]
					return &finding{events[n-1], fmt.Sprintf("no sequential %s store, asked in any order that respects time, would have answered %s like this at tick %d.",
						t.Config.Store, t.Name(e.Client), e.Tick)}
				}
			}
			return nil
		},
	})
	addAudit(&audit{
		Property: Property{Name: "linearizable-sections", Doc: "every history of acknowledged sections has a legal order as atomic read-modify-writes"},
		rank:     80,
		decide:   decideHistories,
		retrospect: func(t *traces.Trace) *finding {
			h, events := historyOf(t)
			for n := 1; n <= len(h); n++ {
				if !sectionsLinearizable(h[:n]) {
					return &finding{events[n-1], sectionsReason(t, h[:n])}
				}
			}
			return nil
		},
	})
}

// sectionsReason names two acknowledged sections that build on one content,
// if there are such.
func sectionsReason(t *traces.Trace, h history) string {
	all := h.sections()
	for i := range all {
		for k := range i {
			a, b := &all[k], &all[i]
			if !a.blind && !b.blind && a.object == b.object && a.baseOn == b.baseOn {
				return fmt.Sprintf("%s's section and %s's section were both acknowledged and both build on the same content: no order of whole sections gives both, so one of them is lost.",
					t.Name(a.client), t.Name(b.client))
			}
		}
	}
	last := &all[len(all)-1]
	return fmt.Sprintf("%s's section was acknowledged, and no order of whole sections ends in what the %s now holds.", t.Name(last.client), t.Word("store"))
}

// decideHistories gives both porcupine properties their verdicts, by a search
// of their own: the history is part of the state there, so that each distinct
// history of the world is met, and most states are met with many histories.
func decideHistories(c *check) error {
	var watched []*audit
	for _, name := range []string{"linearizable", "linearizable-sections"} {
		if c.asked(name) {
			watched = append(watched, findAudit(name))
		}
	}
	all := &histories{store: sequentialOf(&c.q.Config), met: map[string]judged{}}
	p, err := historyProduct(&c.q.Config, c.q.Reduce, all)
	var tooWide *model.SizeError
	if errors.As(err, &tooWide) || errors.Is(err, errTooLong) {
		for _, a := range watched {
			c.verdicts[a.Name] = &Verdict{Property: a.Name, Result: Incomplete, Bound: -1,
				Scope: "histories were not explored: " + err.Error()}
		}
		return nil
	}
	if err != nil {
		return err
	}
	var until explore.Note
	for _, a := range watched {
		until |= explore.Mark(markOf[a.Name])
	}
	s, err := c.exploreTicks("histories", p, c.folder, until, all)
	if err != nil {
		return err
	}
	c.run.Histories = uint64(len(all.met))
	c.run.HistoriesComplete = s.atBound
	var found []broken
	for _, a := range watched {
		v := c.verdict(a, s)
		if f, ok := s.graph.Found(markOf[a.Name]); ok {
			found = append(found, broken{audit: a, search: s, mark: markOf[a.Name], nearest: f})
			continue
		}
		v.Scope += fmt.Sprintf("; porcupine judged %s of the store", grouped(uint64(len(all.met)), "distinct history", "distinct histories"))
	}
	return c.shortest(found, func(cfg model.Config, reduce model.Reductions) (*product, error) {
		return historyProduct(&cfg, reduce, all)
	})
}

// markOf has the marks of the monitors in a historyProduct.
var markOf = map[string]int{"linearizable": 1, "linearizable-sections": 2}

// historyProduct is a world that records the history of its store, and more
// monitors if there are any.
func historyProduct(cfg *model.Config, reduce model.Reductions, all *histories, more ...func(*model.World) monitor) (*product, error) {
	if tooLong(cfg) {
		return nil, errTooLong
	}
	needs := model.Needs{Versions: true}
	if reduce.Tokens {
		needs.TokenVars = historyTokens(cfg)
	}
	var r *recorder
	return newProduct(*cfg, reduce, needs, append([]func(*model.World) monitor{
		func(w *model.World) monitor { r = newRecorder(w, all); return r },
		func(*model.World) monitor {
			return historyMonitor{r: &r, legal: func(j judged) bool { return j.linearizable }}
		},
		func(*model.World) monitor {
			return historyMonitor{r: &r, legal: func(j judged) bool { return j.sections }}
		},
	}, more...))
}
