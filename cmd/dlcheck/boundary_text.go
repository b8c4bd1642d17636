package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"dlcheck/checker"
	"dlcheck/checker/sweep"
	"dlcheck/model"
	"dlcheck/traces/script"
)

// title names the schedule and its store.
func (b *bounded) title() string {
	t := b.Name + ", store " + b.Config.Store
	for _, p := range b.set {
		t += ", " + p.String()
	}
	return t
}

func (c *command) writeBoundary(o *boundaryOptions, axes []sweep.Axis, all []*bounded) error {
	cellCount := all[0].grid.Len()
	each := ""
	if len(all) > 1 {
		each = " for each store"
	}
	wrapped(c.stdout, "", "  ", fmt.Sprintf("Over %s: %s%s, each one run.", axesText(axes), count(cellCount, "cell"), each))
	wide := 0
	for _, m := range o.metrics {
		wide = max(wide, len(m))
	}
	for _, b := range all {
		fmt.Fprintf(c.stdout, "\n%s\n", c.colours.bold(b.title()))
		for _, f := range b.fits {
			left := fmt.Sprintf("  %-*s  ", wide, f.property)
			rest := strings.Repeat(" ", len(left))
			if f.fit == nil {
				wrapped(c.stdout, left, rest, fmt.Sprintf("%s; %s of %s are broken, and no inequality max(...) <= %s <= max(...), or with min in both places, describes which: %s",
					c.colours.yellow("no condition found"), comma(f.broken), count(cellCount, "cell"), o.y, f.why))
				continue
			}
			text := f.fit.String()
			if text != "never" && text != "always" {
				text = "iff " + text
			}
			fmt.Fprintf(c.stdout, "%s%s\n", left, c.colours.bold(text))
			fmt.Fprintf(c.stdout, "%sagrees with all %s, of which %s are broken\n", rest, count(f.fit.Cells, "cell"), comma(f.broken))
		}
	}
	c.writeStops(o, axes, all)
	if err := c.writeEquality(all); err != nil {
		return err
	}
	return nil
}

// writeStops says where the rectangle ends before the condition does.
func (c *command) writeStops(o *boundaryOptions, axes []sweep.Axis, all []*bounded) {
	y := axes[slices.IndexFunc(axes, func(a sweep.Axis) bool { return a.Param == o.y })]
	last := slices.Max(y.Values)
	fmt.Fprintf(c.stdout, "\n%s\n", c.colours.bold("Where the rectangle stops"))
	stops, never := false, []string(nil)
	for _, b := range all {
		for _, f := range b.fits {
			if f.fit != nil && f.fit.Never {
				never = append(never, b.Config.Store+" "+f.property)
			}
			if len(f.beyond) == 0 {
				continue
			}
			stops = true
			first, end := f.beyond[0], f.beyond[len(f.beyond)-1]
			rows, they := "the row "+first.Name+" is", "it is"
			from := fmt.Sprintf("%s=%d", o.y, first.At)
			if len(f.beyond) > 1 {
				rows, they = fmt.Sprintf("%s rows (%s to %s) are", comma(len(f.beyond)), first.Name, end.Name), "they are"
				from = fmt.Sprintf("%s=%d in the first of them, %d in the last", o.y, first.At, end.At)
			}
			wrapped(c.stdout, "  ", "    ", fmt.Sprintf("%s, %s: %s all fine because the grid stops at %s=%d, not because %s safe: carried on, the condition has it break from %s.",
				b.Config.Store, f.property, rows, o.y, last, they, from))
		}
	}
	if !stops {
		wrapped(c.stdout, "  ", "  ", fmt.Sprintf("Where a condition has a least %s, every row of the rectangle reaches it. Beyond %s=%d nothing was run.", o.y, o.y, last))
	}
	if len(never) > 0 {
		wrapped(c.stdout, "  ", "  ", fmt.Sprintf("Never (%s) is said of %s=%d to %d alone: cells that are all fine can be those before the first that breaks.",
			strings.Join(never, ", "), o.y, slices.Min(y.Values), last))
	}
	for _, a := range axes {
		if gaps(a.Values) {
			wrapped(c.stdout, "  ", "  ", fmt.Sprintf("Not every %s between %d and %d was run: another condition may agree with these cells as well.", a.Param, slices.Min(a.Values), slices.Max(a.Values)))
		}
	}
}

// gaps says whether values lie between the values.
func gaps(values []int) bool {
	v := slices.Compact(slices.Sorted(slices.Values(values)))
	return v[len(v)-1]-v[0] != len(v)-1
}

// silentLoss is a cell whose run loses an update and overwrites nothing that
// is newer, or -1. Of several it is one that differs from the schedule as it
// is written in y alone, if there is one.
func (b *bounded) silentLoss(y string) int {
	stale, lost := slices.Index(b.grid.Metrics, "stale-overwrite"), slices.Index(b.grid.Metrics, "lost-update")
	if stale < 0 || lost < 0 {
		return -1
	}
	found := -1
	for i := range b.grid.Len() {
		if v := b.grid.Cell(i); !v[lost].Broken || v[stale].Broken {
			continue
		}
		if found < 0 {
			found = i
		}
		as := true
		for k, v := range b.grid.At(i) {
			a := b.grid.Axes[k].Param
			as = as && (a == y || a != "ttl" || v == b.Config.TTL)
		}
		if as {
			return i
		}
	}
	return found
}

// writeEquality tells the run that no one flags: the late write is accepted
// after the next holder has read.
func (c *command) writeEquality(all []*bounded) error {
	said := false
	for _, b := range all {
		i := b.silentLoss(b.fits[0].yOr("pause"))
		if i < 0 {
			continue
		}
		s, err := b.grid.Schedule(i)
		if err != nil {
			return err
		}
		r, err := s.Run()
		if err != nil {
			return err
		}
		found, err := checker.Audit(r.Trace, "lost-update")
		if err != nil || found[0].Remark == nil {
			return errors.Join(err, errors.New("a cell and its run differ"))
		}
		if !said {
			said = true
			fmt.Fprintf(c.stdout, "\n%s\n", c.colours.bold("An update that is lost and nothing is stale"))
		}
		var more []setting
		for k, v := range b.grid.At(i) {
			more = append(more, setting{b.grid.Axes[k].Param, v})
		}
		wrapped(c.stdout, "  ", "  ", fmt.Sprintf("%s, %s: reads %s; writes %s; the store is left with %q. No write is older than one before it, so nothing is flagged as stale; and: %s",
			b.Config.Store, b.grid.Name(i), readsOf(r), strings.Join(r.Writes(), ", "), r.Content, found[0].Remark.Reason))
		fmt.Fprintf(c.stdout, "    %s\n", b.command(more...))
	}
	if !said {
		return nil
	}
	var closed []string
	for _, b := range all {
		if b.silentLoss("") < 0 && slices.ContainsFunc(b.fits, func(f fitted) bool { return f.property == "lost-update" && f.broken == 0 }) {
			closed = append(closed, b.Config.Store)
		}
	}
	if closed != nil {
		wrapped(c.stdout, "  ", "  ", fmt.Sprintf("Only %s closes it: the same rectangle has no lost update there, since the store hears of the newer token before it answers the newer holder's read.", strings.Join(closed, ", ")))
	}
	return nil
}

func (f *fitted) yOr(or string) string {
	if f.fit != nil {
		return f.fit.Y
	}
	return or
}

// readsOf lists who reads when, such as "A at 1, B at 13".
func readsOf(r *script.Result) string {
	var out []string
	for i := range r.Trace.Events {
		if e := &r.Trace.Events[i]; e.Kind == model.Read {
			out = append(out, fmt.Sprintf("%s at %d", r.Trace.Name(e.Client), e.Tick))
		}
	}
	return strings.Join(out, ", ")
}
