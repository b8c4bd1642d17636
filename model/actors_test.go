package model

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// said is what the shortcuts of a walk were met in: each must be, or nothing was shown.
type said struct {
	states, ready, awake  int // of worlds that have a table
	last, mayPass, waits  int
	idle                  int // idle clients that are seen to wait for the lock
	free, kept, lastFirst int // worlds
	seen, unseen          int // worlds, by whether it is seen that the lock is taken
}

// TestShortcutsOfActors walks at random through random worlds, with any axes, and asks in
// each state met what a search asks in most haste: who has a step to take, whether
// the clock may go on, and what the next tick begins with. A table, a mask or a sum
// must say what the variables say one by one. Each state is asked about again with the
// gates of its clients set at random, since few walks come to the end of a long program.
func TestShortcutsOfActors(t *testing.T) {
	worlds := 1000
	if raceEnabled {
		worlds = 100
	}
	var met said
	tables, wide, waiting, apart := 0, 0, 0, 0
	for seed := range uint64(worlds) {
		r := rand.New(rand.NewPCG(seed, 31))
		ticks := []int{NoBound, 0, 1, 1 + r.IntN(15), 1 + r.IntN(15), 1 + r.IntN(15)}[r.IntN(6)]
		w, err := anyWorld(r, ticks)
		if err != nil {
			continue // it is too wide
		}
		switch table := w.Readiness().Tables[0]; {
		case table != nil:
			tables++
			if w.clients.waiting[0].Claimed() {
				waiting++
			}
			if at := w.Readiness().At; at[0].Word != at[len(at)-1].Word {
				apart++
			}
		default:
			if wide++; !gatesAreApart(w) {
				t.Fatalf("seed %d, %s: no table, and the gates of each client lie near each other", seed, w.Config.AxesText())
			}
		}
		if ticks == 0 && !w.Reduce.Time {
			met.lastFirst++
		}
		if w.ClockIsFree() {
			met.free++
		} else {
			met.kept++
		}
		if w.Readiness().Taken.Mask != 0 {
			met.seen++
		} else {
			met.unseen++
		}
		for range 3 {
			if err := walkByShortcuts(w, r, &met); err != nil {
				t.Fatalf("seed %d, %s, %+v: %v", seed, w.Config.AxesText(), w.Config, err)
			}
		}
	}
	t.Logf("%d worlds with a table, %d with clients that wait, %d with clients in several words, %d without a table; %+v", tables, waiting, apart, wide, met)
	few := worlds / 50
	if tables < 20*few || waiting < few || apart < few || wide < 2*few || met.free < 10*few || met.kept < 5*few || met.lastFirst < few || met.seen < 5*few || met.unseen < 5*few {
		t.Error("too few worlds of one kind")
	}
	if most := 20 * worlds; met.states < most || met.ready < most || met.awake < most || met.mayPass < worlds || met.last < worlds || met.waits < worlds/10 || met.idle < worlds {
		t.Error("too few states of one kind")
	}
}

// TestTakenIsOfOneService: a service that has a Majority in it may grant what that alone
// would not, so that a holder says nothing.
func TestTakenIsOfOneService(t *testing.T) {
	w := mustNew(t, DefaultConfig(), Options{})
	if w.takenOf() == (Taken{}) {
		t.Error("a lock that is held by one server is not seen to be taken")
	}
	w.service = struct{ *Majority }{w.servers}
	if got := w.takenOf(); got != (Taken{}) {
		t.Errorf("it is seen that a lock is taken which another service may grant: %+v", got)
	}
}

// gatesAreApart says why a world may have no table: too many bits from the first to the
// last gate of a client, a client whose gates are in two words, or too many stages.
func gatesAreApart(w *World) bool {
	if w.Stages() > StageBits {
		return true
	}
	k := &w.clients
	for c := range w.Config.Clients {
		var at []int // bits of the gates, counted through all words
		for _, f := range []Field{k.phase[c], k.rounds[c], k.moved[c], k.paused[c], k.waiting[c]} {
			word, bit := f.Place()
			for i := range 64 {
				if f.mask>>i&1 != 0 {
					at = append(at, 64*word+bit+i)
				}
			}
		}
		if first, last := slices.Min(at), slices.Max(at); last-first >= MostGates || first/64 != last/64 {
			return true
		}
	}
	return false
}

// walkByShortcuts takes random steps, and looks at all that could have been taken.
func walkByShortcuts(w *World, r *rand.Rand, met *said) error {
	s := clone(w.Init())
	var out Steps
	for range 100 {
		out.Reset()
		w.Next(s, &out)
		for i := range out.Actions {
			n := after(&out, i)
			if err := checkShortcuts(w, n, met); err != nil {
				return fmt.Errorf("in %s: %w", show(w, n), err)
			}
			if err := checkShortcuts(w, anyGates(w, n, r), met); err != nil {
				return fmt.Errorf("in a state like %s: %w", show(w, n), err)
			}
		}
		if len(out.Actions) == 0 {
			break
		}
		s = clone(after(&out, r.IntN(len(out.Actions))))
		w.Canonical(s)
	}
	return nil
}

// anyGates is a state with other gates, be it that it cannot be reached.
func anyGates(w *World, s State, r *rand.Rand) State {
	n, k := clone(s), &w.clients
	for c := range w.Config.Clients {
		k.phase[c].Set(n, r.IntN(len(w.program[c])))
		for _, f := range []Field{k.rounds[c], k.moved[c], k.paused[c], k.waiting[c]} {
			f.Set(n, r.IntN(f.Max()+1))
		}
	}
	return n
}

// checkShortcuts compares what is said in haste of a state with what it says.
func checkShortcuts(w *World, s State, met *said) error {
	// Who has a step to take, and who keeps the clock waiting.
	k, gates := &w.clients, w.Readiness()
	var list []uint64
	quiet, taken := true, 0
	if gates.Taken.In(s) {
		taken = 1
	}
	var steps Steps
	for c := range w.Config.Clients {
		phase, rounds := k.phase[c].Get(s), k.rounds[c].Get(s)
		stage, moved := phase, k.moved[c].Get(s) != 0
		if moved || phase == 0 && rounds == 0 {
			stage = -1
		}
		awake := phase != 0 && !moved && k.paused[c].Get(s) == 0 && k.waiting[c].Get(s) == 0
		if got := w.stage(s, c); got != stage {
			return fmt.Errorf("client %d is in stage %d, and should be in %d", c, got, stage)
		}
		if stage == 0 && taken == 1 {
			if w.Act(c, s, &steps); len(steps.Actions) > 0 {
				return fmt.Errorf("the lock is taken, and client %d, who is idle, can %v", c, steps.Actions)
			}
			met.idle++
			stage = -1
		}
		if stage >= 0 {
			list = append(list, uint64(c*w.Stages()+stage))
		}
		quiet = quiet && !awake
		if gates.Tables[0] == nil {
			continue
		}
		met.states++
		at := gates.At[c]
		entry := gates.Tables[taken][s[at.Word]>>(at.Shift&63)&gates.Last]
		if ready := stage >= 0; (entry&IsReady != 0) != ready || ready && int(entry&StageBits) != stage {
			return fmt.Errorf("the table has %#x of client %d, which is in stage %d", entry, c, stage)
		} else if ready {
			met.ready++
		}
		if (entry&IsAwake != 0) != awake {
			return fmt.Errorf("the table has %#x of client %d; that it is awake is %v", entry, c, awake)
		} else if awake {
			met.awake++
		}
	}
	got := make([]uint64, w.Config.Clients)
	if n, q := w.Ready(s, got); !slices.Equal(got[:n], list) || q != quiet {
		return fmt.Errorf("%v are ready, and it is quiet: %v; should be %v, %v", got[:n], q, list, quiet)
	}

	// Whether the clock may go on.
	last := !w.Reduce.Time && w.Config.Ticks != NoBound && w.Now(s) == w.Config.Ticks
	may := mayTick(w, s)
	word, mask, value := w.LastTick()
	if saw := s[word]&mask == value; saw != last {
		return fmt.Errorf("it is seen that it is the last tick: %v; it is tick %d of %d", saw, w.Now(s), w.Config.Ticks)
	}
	if got := w.mayTick(s); got != may {
		return fmt.Errorf("the clock may go on: %v, should be %v", got, may)
	}
	if got := quiet && w.MayTickWhenQuiet(s); got != may {
		return fmt.Errorf("the clock may go on where it is quiet: %v, should be %v", got, may)
	}
	switch {
	case last:
		met.last++
	case may:
		met.mayPass++
	case quiet && w.ClockIsFree():
		return fmt.Errorf("the clock is free and stands still")
	case quiet:
		met.waits++
	}

	// What the next tick begins with.
	if last {
		return nil
	}
	want := clone(s)
	for _, f := range k.moved {
		f.Set(want, 0)
	}
	w.now.Set(want, w.now.Get(want)+1)
	next, change := clone(s), w.NewTickOf()
	if w.NewTick(next); !slices.Equal(next, want) {
		return fmt.Errorf("the next tick begins with %s, should be %s", show(w, next), show(w, want))
	}
	for i, x := range s {
		if x&change[i].Keep+change[i].Add != want[i] {
			return fmt.Errorf("the next tick changes word %d by %+v, should be to %#x", i, change[i], want[i])
		}
	}
	return nil
}

// mayTick is the rule as it is told: before the last tick, a tick may pass when nobody
// has to do something first. Who is inside its program, and does not wait for an
// answer, has to take a step, unless it is paused and may sleep on. Who renews its
// leases has to do that before one runs out, by its own clock.
func mayTick(w *World, s State) bool {
	cfg, k := &w.Config, &w.clients
	if !w.Reduce.Time && cfg.Ticks != NoBound && w.Now(s) == cfg.Ticks {
		return false
	}
	for c := range cfg.Clients {
		must := k.phase[c].Get(s) > 0 && k.moved[c].Get(s) == 0 && k.waiting[c].Get(s) == 0
		sleeps := k.paused[c].Get(s) > 0 && (cfg.MaxPause == NoBound || k.asleep[c].Get(s) < cfg.MaxPause)
		if must && !sleeps {
			return false
		}
	}
	if w.renewed == nil {
		return true
	}
	for i, holder := range w.servers.Holder {
		if c := holder.Get(s) - 1; c >= 0 && w.renewed(s, c) && w.servers.Left[i].Get(s)-w.servers.expiry.ahead[c].Get(s) <= 1 {
			return false
		}
	}
	return true
}
