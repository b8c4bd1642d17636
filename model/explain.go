package model

import (
	"fmt"
	"slices"
)

// WhyNot says in one sentence why the model does not allow the action in s.
// name gives a client's name.
func (w *World) WhyNot(s State, client int, kind Kind, name func(int) string) string {
	var out Steps
	w.Next(s, &out)
	for _, a := range out.Actions {
		if a.Kind == kind && int(a.Client) == client {
			return "it can happen here, but not with these servers or by that much"
		}
	}
	if client == Nobody && slices.Contains(faults, kind) {
		return fmt.Sprintf("no %s can strike here: that fault is off, its budget is used up, or there is nothing for it to befall", kind)
	}
	switch {
	case kind == Tick && client != Nobody:
		return "only the clock ticks"
	case kind == Tick:
		return w.whyNoTick(s, name)
	case client < 0 || client >= w.Config.Clients:
		return fmt.Sprintf("there is no such client; the world has %d", w.Config.Clients)
	}
	at, who := w.Phase(s, client), name(client)
	switch {
	case w.Moved(s, client):
		return who + " has taken its step in this tick already"
	case at == 0 && w.RoundsLeft(s, client) == 0:
		return fmt.Sprintf("%s is done: it has finished its %s", who, roundsText(w.Config.Rounds))
	case at == 0 && slices.Contains([]Kind{Look, Adopt, Enqueue}, kind):
		return fmt.Sprintf("%s wants the lock, and there is nothing for it to %s here, or this world has no such step", who, kind)
	case at == 0 && (kind == Late || kind == Unheard):
		return fmt.Sprintf("no %s can strike here: that fault is off, its budget is used up, or %s would be denied", kind, who)
	case at == 0 && kind != Acquire:
		return who + " is not inside its program: it has to acquire first"
	case at == 0:
		return who + " is denied: " + w.WhoBlocks(s, name)
	case w.clients.waiting[client].Get(s) != 0:
		return who + " waits for an answer"
	case w.tooLate(s, client, at):
		return who + " finds by its own clock that its lease is over, and stops"
	case kind == Pause && w.Paused(s, client):
		return who + " is paused already"
	case kind == Pause:
		return fmt.Sprintf("%s has no pause left in this round, of %s", who, plural(w.Config.Pauses, "pause"))
	}
	return fmt.Sprintf("%s has %s in front of it", who, w.program[client][at])
}

// WhoBlocks says which leases keep a majority from being free.
func (w *World) WhoBlocks(s State, name func(int) string) string {
	held, left := map[int]int{}, map[int]int{}
	w.Leases(s, func(_, client, ticks int) {
		held[client]++
		left[client] = max(left[client], ticks)
	})
	for c := range w.Config.Clients {
		if held[c] > 0 {
			return fmt.Sprintf("%s holds %d of %s for %s more", name(c), held[c], plural(w.Config.Servers, "server"), plural(left[c], "tick"))
		}
	}
	shut := 0
	for i := range w.servers.Holder {
		if w.servers.Holder[i].Get(s) == 0 && !w.servers.open(s, Nobody, i) {
			shut += w.servers.weight
		}
	}
	if shut > 0 {
		return fmt.Sprintf("%d of %s are closed for a while", shut, plural(w.Config.Servers, "server"))
	}
	return "no server is held"
}

func (w *World) whyNoTick(s State, name func(int) string) string {
	for c := range w.Config.Clients {
		if w.Phase(s, c) == 0 || w.Moved(s, c) || w.clients.waiting[c].Get(s) != 0 {
			continue
		}
		if !w.Paused(s, c) {
			return fmt.Sprintf("%s is awake inside its program and must take its step (%s) or pause before the clock may advance", name(c), w.program[c][w.Phase(s, c)])
		}
		if w.clients.asleep[c].Claimed() && w.clients.asleep[c].Get(s) >= w.Config.MaxPause {
			return fmt.Sprintf("%s has been paused for %s, the longest pause there is, and must take its step", name(c), plural(w.Config.MaxPause, "tick"))
		}
	}
	for i := range w.servers.Left {
		if h := w.servers.Holder[i].Get(s) - 1; h >= 0 && w.renewed != nil && w.servers.Left[i].Get(s) == 1 && w.renewed(s, h) {
			return fmt.Sprintf("%s renews its lease before it runs out, and must do so now", name(h))
		}
	}
	return fmt.Sprintf("the clock stops after %s", plural(w.Config.Ticks, "tick"))
}

func roundsText(rounds int) string {
	if rounds == NoBound {
		return "rounds" // of a client that is gone
	}
	return plural(rounds, "round")
}

// plural is "1 tick" or "2 ticks".
func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
