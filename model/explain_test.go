package model

import (
	"strings"
	"testing"
)

// TestWhyNot: of whatever Next does not have, WhyNot gives a reason; of what
// it has, none. The sentences themselves stand in the stories.
func TestWhyNot(t *testing.T) {
	for _, cfg := range []Config{
		{Clients: 2, Ticks: 5, TTL: 2, Servers: 1, Rounds: 1, Pauses: 1, MaxPause: NoBound, Program: DefaultProgram(), Store: "fenced", Service: "majority"},
		{Clients: 2, Ticks: NoBound, TTL: 2, Servers: 3, Rounds: 2, Pauses: 1, MaxPause: 2, Program: Program{OpAcquire, OpClaim, OpCheck, OpWork, OpRelease}, Store: "claimed", Service: "majority"},
	} {
		w := mustNew(t, cfg, Options{})
		sentences := map[string]bool{}
		textbook(w, func(s State, out *Steps) {
			allowed := map[Action]bool{}
			for _, a := range out.Actions {
				allowed[Action{Kind: a.Kind, Client: a.Client}] = true
			}
			for c := Nobody; c <= cfg.Clients; c++ {
				for k := range kinds {
					why := w.WhyNot(s, c, Kind(k), letter)
					sentences[why] = true
					if strings.HasPrefix(why, "it can happen here") != allowed[Action{Kind: Kind(k), Client: int8(c)}] {
						t.Fatalf("%d %s: %q\nin %s", c, Kind(k), why, show(w, s))
					}
					if why == "" || strings.Contains(why, "-1") || strings.Contains(why, "no server is held") {
						t.Fatalf("%d %s: %q is no reason\nin %s", c, Kind(k), why, show(w, s))
					}
				}
			}
		})
		t.Logf("%d different sentences", len(sentences))
	}
}

func TestWhoBlocks(t *testing.T) {
	w := mustNew(t, DefaultConfig(), Options{})
	if got := w.WhoBlocks(w.Init(), letter); got != "no server is held" {
		t.Error(got)
	}
}
