package main

import (
	"fmt"
	"strings"

	"dlcheck/checker"
)

// scope is a sentence that verdicts rest on, with who rests on it.
type scope struct {
	sentence string
	who      []string
}

// writeScopes prints what the verdicts rest on, each sentence once.
func (c *command) writeScopes(runs []*checker.Run) {
	var scopes []*scope
	find := func(sentence string) *scope {
		for _, s := range scopes {
			if s.sentence == sentence {
				return s
			}
		}
		scopes = append(scopes, &scope{sentence: sentence})
		return scopes[len(scopes)-1]
	}
	for _, r := range runs {
		var order []string
		by := map[string][]string{}
		for _, v := range r.Verdicts {
			if v.Scope == "" {
				continue
			}
			if by[v.Scope] == nil {
				order = append(order, v.Scope)
			}
			by[v.Scope] = append(by[v.Scope], v.Property)
		}
		for _, sentence := range order {
			who := "every property"
			if len(by[sentence]) < len(r.Verdicts) {
				who = strings.Join(by[sentence], ", ")
			}
			who = c.colours.bold(r.Config.Store) + ": " + who
			s := find(sentence)
			s.who = append(s.who, who)
		}
	}
	if len(scopes) == 0 {
		return
	}
	fmt.Fprintf(c.stdout, "\n%s\n", c.colours.bold("What the verdicts rest on"))
	for _, s := range scopes {
		for _, who := range s.who {
			wrapped(c.stdout, "  ", "    ", who)
		}
		wrapped(c.stdout, "      ", "      ", strings.TrimSuffix(s.sentence, ".")+".")
	}
}
