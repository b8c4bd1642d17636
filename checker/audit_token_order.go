package checker

import (
	"fmt"

	"dlcheck/model"
	"dlcheck/traces"
)

func init() {
	addAudit(&audit{
		Property:   Property{Name: "token-order", Doc: "each grant's token is larger than that of every earlier grant"},
		rank:       60,
		needs:      model.Needs{Tokens: true, TokenVars: 1},
		monitor:    func(w *model.World) monitor { return &tokenOrder{w: w} },
		retrospect: tokensRise,
	})
}

type tokenOrder struct {
	w       *model.World
	largest model.Field
}

func (m *tokenOrder) claim(l *model.Layout) {
	l.Global(&m.largest, "granted.largest", m.w.MaxToken(), model.Token)
}

func (m *tokenOrder) kinds() []model.Kind { return model.Grants() }

func (m *tokenOrder) watch(prev model.State, a model.Action, next model.State) bool {
	tok, largest := int(a.Token), m.largest.Get(prev)
	if tok == 0 {
		return false // a lock without tokens; a note says so
	}
	m.largest.Set(next, max(tok, largest))
	return tok <= largest
}

func tokensRise(t *traces.Trace) *finding {
	var newest *traces.Event
	for i := range t.Events {
		e := &t.Events[i]
		if !e.IsGrant() || e.Token == 0 {
			continue
		}
		if newest != nil && e.Token <= newest.Token {
			return &finding{i, fmt.Sprintf("%s was granted %s at tick %d, after %s had been granted %s at tick %d.",
				t.Name(e.Client), t.TokenText(e.Token), e.Tick, t.Name(newest.Client), t.TokenText(newest.Token), newest.Tick)}
		}
		newest = e
	}
	return nil
}
