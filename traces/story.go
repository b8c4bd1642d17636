package traces

import (
	"fmt"
	"slices"
	"strings"

	"dlcheck/model"
)

// Line is one line of the story that a trace tells: an action, or a stretch
// of time in which nobody acts.
type Line struct {
	Index  int    // of the (last) event told
	From   int    // tick
	To     int    // tick; larger than From where time passes
	Who    string // empty where time passes
	Actors []int  // the clients that Who names
	What   string
	Answer string
	Holder string // who holds the lock after it
}

// Story tells the trace line by line. Ticks in a row become one line, and a
// single tick in which no lease runs out is not told: the tick column shows
// it.
func (t *Trace) Story() []Line {
	var lines []Line
	paused := map[int]bool{}
	for i := 0; i < len(t.Events); i++ {
		e := &t.Events[i]
		if e.Kind == model.Tick || e.Kind == model.Work && !paused[e.Client] && t.worksOn(i) {
			l := t.stretch(i, paused)
			if l.To > l.From+1 || l.Answer != "" || l.Who != "" || l.Index == len(t.Events)-1 {
				lines = append(lines, l)
			}
			i = l.Index
			continue
		}
		l := Line{Index: i, From: e.Tick, To: e.Tick, Who: t.Name(e.Client), Actors: []int{e.Client}, Holder: t.Name(e.Holder)}
		if e.Client == model.Nobody {
			l.Who, l.Actors = t.Word("store"), nil
			if len(e.Reached) > 0 {
				l.Who = t.servers(e.Reached)
			}
		}
		l.What, l.Answer = t.tell(e)
		if paused[e.Client] {
			l.What = "wakes, " + l.What
		}
		paused[e.Client] = e.Kind == model.Pause
		lines = append(lines, l)
	}
	return lines
}

// worksOn says whether the work of event i goes on in the next tick.
func (t *Trace) worksOn(i int) bool {
	ticks := 0
	for j := i + 1; j < len(t.Events) && ticks < 2; j++ {
		switch e := &t.Events[j]; e.Kind {
		case model.Tick:
			ticks++
		case model.Work:
			if e.Client == t.Events[i].Client {
				return true
			}
		default:
			return false
		}
	}
	return false
}

// stretch is the line for the ticks, and the work in them, that begin with
// event i. It ends with a tick in which a lease runs out, or before a paused
// client wakes.
func (t *Trace) stretch(i int, paused map[int]bool) Line {
	l := Line{Index: i, From: t.Events[i].Tick, To: t.Events[i].Tick}
	var working []int
	for j := i; j < len(t.Events); j++ {
		e := &t.Events[j]
		if e.Kind == model.Work && !paused[e.Client] {
			if !slices.Contains(working, e.Client) {
				working = append(working, e.Client)
			}
		} else if e.Kind == model.Tick {
			l.To = e.Tick + 1
		} else {
			break
		}
		l.Index, l.Holder = j, t.Name(e.Holder)
		if len(e.Freed) > 0 {
			l.Answer = fmt.Sprintf("%s %s runs out at tick %d", t.possessive(t.heldBefore(j)), t.Word("lease"), l.To)
			break
		}
	}
	slices.Sort(working)
	var names []string
	for _, c := range working {
		names = append(names, t.Name(c))
	}
	l.Actors, l.Who, l.What = working, strings.Join(names, ","), "time passes"
	switch len(working) {
	case 0:
	case 1:
		l.What = "works"
	default:
		l.What = "work"
	}
	return l
}

// heldBefore is who held the lock before event i.
func (t *Trace) heldBefore(i int) int {
	if i == 0 {
		return model.Nobody
	}
	return t.Events[i-1].Holder
}

func (t *Trace) possessive(client int) string {
	if client == model.Nobody {
		return "a"
	}
	return t.Name(client) + "'s"
}

// tell says what an action is and what was answered.
func (t *Trace) tell(e *Event) (what, answer string) {
	yesNo := func(yes, no string) string {
		if e.OK {
			return yes
		}
		return no
	}
	switch e.Kind {
	case model.Acquire:
		return t.Word("acquire") + t.reaching(e), t.granted(e)
	case model.Late:
		return t.Word("ask") + t.reaching(e), t.granted(e) + ", but the answer is late"
	case model.Hear:
		return "hears that it was granted the " + t.Word("lock"), yesNo("goes on", "too late: it gives up")
	case model.Lapse:
		return "has its " + t.Word("lease") + " run out", ""
	case model.Adopt:
		return "asks who holds the " + t.Word("lock"), fmt.Sprintf("it does itself, %s, and goes on", t.TokenText(e.Token))
	case model.Enqueue:
		return "waits in line for the " + t.Word("lock"), t.TokenText(e.Token)
	case model.Look:
		return "looks at the " + t.Word("lock") + "'s record", "held; starts its clock"
	case model.Renew:
		return "renews its " + t.Word("lease"), "now " + EndText(t.LeaseEnd(e))
	case model.Recreate:
		return "renews a " + t.Word("lease") + " that it no longer has", "created again, " + EndText(t.LeaseEnd(e))
	case model.Stop:
		return "finds by its own clock that its " + t.Word("lease") + " is over, and stops", ""
	case model.Gain:
		return fmt.Sprintf("has its clock jump ahead by %s", count(e.Value, "tick")), ""
	case model.Cut:
		return "is cut off from the lock service", ""
	case model.Abandon:
		return "is done, and its release does not arrive", ""
	case model.Send:
		return "sends a write" + t.object(e) + " with " + t.TokenText(e.Token), "under way"
	case model.GiveUp:
		return "gives up on its write, which is still under way", ""
	case model.Arrive:
		return "has its write" + t.object(e) + " with " + t.TokenText(e.Token) + " arrive", yesNo(fmt.Sprintf("accepted, version %d", e.Value), "refused")
	case model.ArriveTwice:
		return "has its write" + t.object(e) + " with " + t.TokenText(e.Token) + " arrive, and a copy is still under way", yesNo(fmt.Sprintf("accepted, version %d", e.Value), "refused")
	case model.Attempt:
		return t.Word("ask") + t.reaching(e), fmt.Sprintf("granted by %s only, handed back", t.servers(e.Granted))
	case model.Unheard:
		return t.Word("ask") + t.reaching(e), t.granted(e) + ", but the answer is lost"
	case model.Crash:
		return "stops for ever", ""
	case model.Restart:
		return "restarts and has forgotten its " + t.Word("lease"), ""
	case model.Forget:
		return "restarts and has forgotten the highest " + t.Word("token"), ""
	case model.Jump:
		return fmt.Sprintf("has its clock jump ahead by %s", count(e.Value, "tick")), ""
	case model.Read:
		return "reads" + t.object(e), yesNo(fmt.Sprintf("version %d", e.Value), fmt.Sprintf("refused: %s is too old", t.TokenText(e.Token)))
	case model.Write:
		return "writes" + t.object(e) + " with " + t.TokenText(e.Token), yesNo(fmt.Sprintf("accepted, version %d", e.Value), "refused")
	case model.Claim:
		return "claims" + t.object(e) + " with " + t.TokenText(e.Token), yesNo("accepted", "refused")
	case model.Check:
		return t.Word("check"), yesNo("yes", "no")
	case model.Release:
		return t.Word("release"), yesNo("freed", "nothing left to free")
	case model.Pause:
		return "pauses", ""
	case model.Work:
		return "works", ""
	}
	return e.Kind.String(), yesNo("yes", "no")
}

// granted says what a grant gave.
func (t *Trace) granted(e *Event) string {
	text := "granted, " + t.TokenText(e.Token)
	switch {
	case t.Config.Lapses():
		text += ", a " + t.Word("lease") + " for some time"
	case e.Lasts > 0:
		text += ", " + t.Word("lease") + " " + EndText(t.LeaseEnd(e))
	case t.Config.Leases():
		text += ", although its session is over"
	}
	return text
}

// object names the object of a call to the store, where there are several.
func (t *Trace) object(e *Event) string {
	switch {
	case t.Config.Objects() == 1:
		return ""
	case e.Kind == model.Read, e.Kind == model.Claim, e.Kind == model.Write:
		return fmt.Sprintf(" object %d", e.Object+1)
	}
	return fmt.Sprintf(" to object %d", e.Object+1)
}

// TokenText is "token 7" or "no token", in the words of the trace.
func (t *Trace) TokenText(token int) string {
	if token == 0 {
		return "no " + t.Word("token")
	}
	return fmt.Sprintf("%s %d", t.Word("token"), token)
}

// reaching says which servers a request reached, if not all.
func (t *Trace) reaching(e *Event) string {
	if len(e.Reached) == 0 || len(e.Reached) == t.Config.Servers {
		return ""
	}
	return ", reaching " + t.servers(e.Reached)
}

// servers is "server 1" or "servers 1, 3"; people count them from 1.
func (t *Trace) servers(list []int) string {
	var numbers []string
	for _, s := range list {
		numbers = append(numbers, fmt.Sprint(s+1))
	}
	if len(numbers) == 1 {
		return t.Word("server") + " " + numbers[0]
	}
	return t.Word("server") + "s " + strings.Join(numbers, ", ")
}

// Summary is the size of the trace in all measures.
func (t *Trace) Summary() string {
	return fmt.Sprintf("%s (%s, %s)", count(t.Steps(), "step"), count(t.Actions(), "event"), count(t.Ticks(), "tick"))
}

// count is "1 step" or "2 steps".
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// rounds is "2 rounds" or "unlimited rounds".
func rounds(n int) string {
	if n == model.NoBound {
		return "unlimited rounds"
	}
	return count(n, "round")
}

// World says in one line which world the trace is of.
func (t *Trace) World() string {
	c := &t.Config
	parts := []string{
		"store " + c.Store, count(c.Clients, "client"), count(c.Servers, "lock server"),
		fmt.Sprintf("ttl %d", c.TTL), rounds(c.Rounds), count(c.Pauses, "pause"),
	}
	if c.MaxPause != model.NoBound {
		parts = append(parts, fmt.Sprintf("of at most %s", count(c.MaxPause, "tick")))
	}
	parts = append(parts, c.AxesText()...)
	if c.Programs == nil {
		return strings.Join(append(parts, "program "+c.Program.String()), ", ")
	}
	for i, p := range c.Programs {
		parts = append(parts, t.Name(i)+"'s program "+p.String())
	}
	return strings.Join(parts, ", ")
}
