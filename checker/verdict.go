package checker

import (
	"fmt"
	"strconv"

	"dlcheck/model"
	"dlcheck/traces"
)

// cutShort is the scope of a counterexample until it is known to be minimal.
const cutShort = "a counterexample, replayed from the initial state and judged again; the search for a shorter one was cut short"

// verdict is what a search says of a property as long as nothing is known
// against it.
func (c *check) verdict(a *audit, s *search) *Verdict {
	v := &Verdict{Property: a.Name, ReportOnly: a.ReportOnly, Bound: -1}
	c.verdicts[a.Name] = v
	g, bound := s.graph, c.q.Config.Ticks
	search, explored := "the search", "was explored"
	if s.log {
		// It has more states than the run says, which are those of the first search.
		search, explored = "the search with histories", "was explored with its histories"
	}
	switch {
	case c.closed(s):
		v.Result = Holds
		v.Scope = fmt.Sprintf("every reachable state %s (%s); nothing new appears after tick %d, so this is true at every horizon%s", explored, states(g), lastTick(g), c.anyRounds())
	case s.atBound:
		v.Result, v.Bound = HoldsToBound, bound
		v.Scope = fmt.Sprintf("every state reachable within %d ticks %s", bound, explored)
		if s.tick > bound {
			v.Scope += fmt.Sprintf(", and up to tick %d nothing was found either; the set had not closed after %s", s.tick, states(g))
			if c.note(s); c.run.Stopped != "" {
				v.Scope += fmt.Sprintf(", when the search ended (%s)", c.run.Stopped)
			}
		} else {
			v.Scope += fmt.Sprintf(" (%s); nothing is said about later ticks", states(g))
		}
	default:
		v.Result, v.Bound = Incomplete, s.tick
		c.note(s)
		v.Scope = fmt.Sprintf("%s was cut short (%s) after %s; ", search, c.run.Stopped, states(g))
		if s.tick >= 0 {
			v.Scope += fmt.Sprintf("everything up to tick %d was explored, and nothing is said about what lies past it", s.tick)
		} else {
			v.Scope += "not even tick 0 was explored whole"
		}
	}
	return v
}

// anyRounds says what unlimited rounds add to a proof.
func (c *check) anyRounds() string {
	if c.q.Config.Rounds != model.NoBound {
		return ""
	}
	return " and of any number of rounds"
}

// states is the number of states of a graph, to be read.
func states(g graph) string { return grouped(g.States(), "state", "states") }

// grouped is "1 state" or "1,234 states".
func grouped(n uint64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	digits := strconv.FormatUint(n, 10)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits + " " + many
}

func lastTick(g graph) int {
	b := g.Buckets()
	return b[len(b)-1].P
}

// violated turns a path into a counterexample: replayed on the unreduced
// model, judged again by the retrospective audit, told in real clients.
func (c *check) violated(a *audit, tick int, calls []traces.Call, minimal bool) error {
	v := c.verdicts[a.Name]
	t, err := c.judged(a, calls, minimal)
	if err != nil {
		return err
	}
	v.Trace = t
	c.setViolated(v, tick, minimal)
	return nil
}

// judged replays a schedule and lets the retrospective audit judge it again: its
// last action, and none before, breaks the property.
func (c *check) judged(a *audit, calls []traces.Call, minimal bool) (*traces.Trace, error) {
	t, err := c.replay(calls)
	if err != nil {
		return nil, err
	}
	f := a.retrospect(t)
	if f == nil || f.at != len(t.Events)-1 {
		return nil, &Disagreement{Property: a.Name, Trace: t, Monitor: len(t.Events) - 1, Retrospect: f}
	}
	t.Remark = &traces.Remark{Property: a.Name, At: f.at, Reason: f.reason, Minimal: minimal}
	return t, nil
}

// setViolated says of a verdict with a trace what it is worth: tick is how
// many ticks the nearest violation needs.
func (c *check) setViolated(v *Verdict, tick int, minimal bool) {
	if bound := c.q.Config.Ticks; bound != model.NoBound && tick > bound {
		v.Result, v.Bound, v.BeyondAt = HoldsToBound, bound, tick
		v.Scope = fmt.Sprintf("every state reachable within %d ticks was explored; past that bound a violation needs %d ticks", bound, tick)
		return
	}
	v.Result, v.Bound, v.Scope = Violated, -1, cutShort
	if minimal {
		v.Scope = fmt.Sprintf("a counterexample, replayed from the initial state and judged again; none has fewer %s", c.q.Minimize)
	}
}

// replay takes the actions on the unreduced model.
func (c *check) replay(calls []traces.Call) (*traces.Trace, error) {
	cfg := c.q.Config
	if cfg.Ticks != model.NoBound {
		cfg.Ticks = max(cfg.Ticks, ticksOf(calls))
	}
	t, err := traces.Play(cfg, calls)
	if err != nil {
		return nil, fmt.Errorf("bug: a counterexample found under the reductions cannot be replayed without them: %w", err)
	}
	t.Words = c.q.Words
	return t, nil
}

// Disagreement says that the two judges of a property differ on a trace:
// a bug in dlcheck.
type Disagreement struct {
	Property   string
	Trace      *traces.Trace
	Monitor    int // the event that the monitor objects to
	Retrospect *finding
}

func (e *Disagreement) Error() string {
	says := "finds nothing"
	if e.Retrospect != nil {
		says = fmt.Sprintf("objects to action %d", e.Retrospect.at+1)
	}
	text, _ := e.Trace.MarshalJSON()
	return fmt.Sprintf("bug in dlcheck: on %s the monitor objects to action %d and the retrospective audit %s; please report this trace: %s", e.Property, e.Monitor+1, says, text)
}
