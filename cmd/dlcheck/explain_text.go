package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"dlcheck/checker"
	"dlcheck/model"
	"dlcheck/traces"
)

func (c *command) writeExplanation(o *explainOptions, x *explanation) {
	t := x.trace
	wrapped(c.stdout, "", "  ", c.colours.bold(t.Remark.Property)+": "+t.Summary())
	wrapped(c.stdout, "", "  ", t.World())
	fmt.Fprintln(c.stdout)
	c.writeStory(t)
	c.writeNeeds(o, x)
	c.writeCures(x)
	if x.best != nil && x.best.Schedule != nil {
		c.writeCured(t, x.best)
	}
}

// writeNeeds says of each action that could be done without whether it can.
func (c *command) writeNeeds(o *explainOptions, x *explanation) {
	t := x.trace
	property := t.Remark.Property
	fmt.Fprintf(c.stdout, "\n%s\n", c.colours.bold("What is necessary"))
	if !x.inTrace {
		wrapped(c.stdout, "  ", "  ", fmt.Sprintf("No single trace shows %s: it is about what can follow, whatever anyone does. So nothing is said of the actions of this schedule, nor of this schedule under a cure.", property))
		return
	}
	wrapped(c.stdout, "  ", "  ", "Each row asks alone whether the property can be broken without its action. What came before it stays. From there on a fault of its kind strikes no more; or that client pauses no more; or, for a choice, the client does not do this before the next tick. All else is open.")
	fmt.Fprintln(c.stdout)
	w := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "  action\ttick\twhat\trole\tnecessary\twithout it")
	for _, n := range x.needs {
		fmt.Fprintf(w, "  %d\t%d\t%s\t%s\t%s\n", n.At+1, t.Events[n.At].Tick, act(t, n.At), n.Role, needCells(t, n))
	}
	w.Flush() // its error is kept by c.stdout
	fmt.Fprintln(c.stdout)
	none := true
	for _, n := range x.needs {
		switch n.Answer {
		case checker.Necessary:
			wrapped(c.stdout, "  ", "    ", fmt.Sprintf("%s is necessary: without it no schedule from there breaks %s %s (%s).",
				c.colours.bold(subject(t, n)), t.Remark.Property, horizon(t, n), count(int(n.States), "state")))
		case checker.Undecided:
			wrapped(c.stdout, "  ", "    ", fmt.Sprintf("%s is %s: the search ended (%s) after %s; one question may take %s.",
				subject(t, n), c.colours.yellow("not decided"), n.Stopped, count(int(n.States), "state"), comma(o.states)))
		default:
			continue
		}
		none = false
	}
	if none {
		wrapped(c.stdout, "  ", "    ", "Nothing in it is necessary: without each of these another schedule breaks it.")
	}
	if words := standIn(t, x.needs); words != "" {
		wrapped(c.stdout, "  ", "    ", words)
	}
}

// standIn says why a pause is not necessary where some pause is; "" where that is
// not so.
func standIn(t *traces.Trace, needs []checker.Need) string {
	for i, n := range needs {
		if n.Role != checker.AnyPause || n.Answer != checker.Necessary || needs[i-1].Answer != checker.Unnecessary {
			continue
		}
		words := fmt.Sprintf("The pause of action %d is not: another client can pause instead", n.At+1)
		if t.Config.Clients > 2 {
			words += " (with --clients 2 there is only one other)"
		}
		return words + "."
	}
	return ""
}

// needCells are the last two cells of a row.
func needCells(t *traces.Trace, n checker.Need) string {
	switch n.Answer {
	case checker.Necessary:
		return "yes\tnot broken " + horizon(t, n)
	case checker.Unnecessary:
		return "no\tbroken in " + count(n.Other.Steps(), "step")
	}
	return "?\tnot decided"
}

// subject names what a row is about, to begin a sentence.
func subject(t *traces.Trace, n checker.Need) string {
	at := fmt.Sprintf("action %d", n.At+1)
	switch n.Role {
	case checker.AnyFault, checker.AnyPause:
		return fmt.Sprintf("Some %s from %s on", strings.TrimPrefix(string(n.Role), "any "), at)
	}
	return fmt.Sprintf("The %s of %s", n.Role, at)
}

func horizon(t *traces.Trace, n checker.Need) string {
	if n.Always || t.Config.Ticks == model.NoBound {
		return "at any horizon"
	}
	return "within " + count(t.Config.Ticks, "tick")
}

// act is who does what in an event.
func act(t *traces.Trace, at int) string {
	for _, l := range t.Story() {
		if l.Index == at && l.Who != "" {
			return l.Who + " " + l.What
		}
	}
	return t.Name(t.Events[at].Client) + " " + t.Events[at].Kind.String()
}

// writeCures is the table of cures.
func (c *command) writeCures(x *explanation) {
	fmt.Fprintf(c.stdout, "\n%s\n", c.colours.bold("What would have helped"))
	if len(x.cured) == 0 {
		wrapped(c.stdout, "  ", "  ", "No cure that dlcheck knows applies to this world.")
		return
	}
	w := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "  cure\trefuses first\tthis schedule\twhole world")
	for _, k := range x.cured {
		fmt.Fprintf(w, "  %s\t%s\t%s\t%s\n", k.Name, refuses(x.trace, k), fate(k), whole(k.Verdict()))
	}
	w.Flush() // its error is kept by c.stdout
	for _, k := range x.cured {
		for _, n := range k.Run.Notes {
			wrapped(c.stdout, "  "+c.colours.yellow("note: "), "    ", k.Name+": "+n+".")
		}
	}
	if x.best == nil {
		none := "None of them makes "
		if x.open() {
			none = "None of them is known to make "
		}
		wrapped(c.stdout, "  ", "  ", none+x.trace.Remark.Property+" hold in the whole world.")
		return
	}
	var set []string
	for _, s := range x.best.Settings {
		set = append(set, flagText(s))
	}
	wrapped(c.stdout, "  ", "  ", fmt.Sprintf("The cure with the fewest settings: %s (%s): %s.", c.colours.bold(x.best.Name), strings.Join(set, " "), x.best.Doc))
}

// flagText is a setting as a flag of the check.
func flagText(s model.Setting) string {
	if strings.Contains(s.Value, " ") {
		return fmt.Sprintf("--%s %q", s.Field, s.Value)
	}
	return "--" + s.Field + " " + s.Value
}

// refuses says what a cure refuses first in the schedule.
func refuses(t *traces.Trace, k *checker.Cured) string {
	d := k.Parts
	if d == nil {
		return "-"
	}
	var e *traces.Event
	var tick int
	if d.Left != nil {
		e, tick = &t.Events[d.Left.Of], d.Left.Tick
	} else {
		e = &k.Schedule.Trace.Events[d.Event]
		tick = e.Tick
	}
	what := fmt.Sprintf("%s, tick %d", e.Kind, tick)
	if e.Client != model.Nobody {
		what = t.Name(e.Client) + "'s " + what
	}
	if !d.Refused {
		return "- (differs: " + what + ")"
	}
	return what
}

// fate says whether the schedule still breaks the property.
func fate(k *checker.Cured) string {
	switch {
	case k.Schedule == nil:
		return "-"
	case k.Broken():
		return "still broken"
	}
	return "not broken"
}

// whole is the verdict on the whole cured world in a few words.
func whole(v *checker.Verdict) string {
	text := verdictText(v)
	if beyond := beyondText(v); beyond != "" {
		return text + ", " + beyond
	}
	if v.Trace != nil {
		text += ", " + count(v.Trace.Steps(), "step")
	}
	return text
}

// writeCured tells the schedule as it goes under a cure.
func (c *command) writeCured(t *traces.Trace, k *checker.Cured) {
	fmt.Fprintf(c.stdout, "\n%s\n", c.colours.bold("The same schedule, "+k.Name))
	c.writeStory(k.Schedule.Trace)
	if len(k.Schedule.Left) > 0 {
		fmt.Fprintln(c.stdout)
	}
	for _, l := range k.Schedule.Left {
		wrapped(c.stdout, "  ", "    ", fmt.Sprintf("Left out at tick %d: %s. %s.", l.Tick, act(t, l.Of), l.Reason))
	}
}
