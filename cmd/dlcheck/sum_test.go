package main

import (
	"reflect"
	"testing"

	"dlcheck/checker"
	"dlcheck/model"
)

func TestTally(t *testing.T) {
	holds := checker.Verdict{Property: "h", Result: checker.Holds, Bound: -1}
	bound := checker.Verdict{Property: "b", Result: checker.HoldsToBound, Bound: 1234}
	beyond := checker.Verdict{Property: "p", Result: checker.HoldsToBound, Bound: 1234, BeyondAt: 2000}
	broken := checker.Verdict{Property: "v", Result: checker.Violated, Bound: -1}
	open := checker.Verdict{Property: "i", Result: checker.Incomplete, Bound: -1}
	possible := checker.Verdict{Property: "u", Result: checker.Violated, Bound: -1, ReportOnly: true}
	for _, c := range []struct {
		verdicts []checker.Verdict
		want     string
	}{
		{nil, "no promise was asked about"},
		{[]checker.Verdict{possible}, "no promise was asked about"},
		{[]checker.Verdict{holds}, "the promise kept"},
		{[]checker.Verdict{bound}, "the promise kept to tick 1,234"},
		{[]checker.Verdict{open}, "no answer for 1 of 1"},
		{[]checker.Verdict{beyond}, "the promise broken (p past tick 1,234)"},
		{[]checker.Verdict{holds, holds, possible}, "all 2 promises kept"},
		{[]checker.Verdict{bound, bound}, "all 2 promises kept to tick 1,234"},
		{[]checker.Verdict{holds, bound}, "all 2 promises kept, 1 of them to tick 1,234"},
		{[]checker.Verdict{holds, bound, open}, "2 of 3 promises kept, 1 of them to tick 1,234; no answer for 1 of 3"},
		{[]checker.Verdict{broken, beyond, bound, open}, "2 of 4 promises broken (v, p past tick 1,234); no answer for 1 of 4"},
		{[]checker.Verdict{open, open}, "no answer for 2 of 2"},
	} {
		run := &checker.Run{Verdicts: c.verdicts}
		tally := tallyOf(run)
		if got := tally.sentence(1234); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// TestBases: sentences that differ in numbers only are one, and no number is
// lost.
func TestBases(t *testing.T) {
	run := func(store string, verdicts ...checker.Verdict) *checker.Run {
		return &checker.Run{Config: model.Config{Store: store}, Verdicts: verdicts}
	}
	v := func(property, scope string) checker.Verdict { return checker.Verdict{Property: property, Scope: scope} }
	plain := func(s string) string { return s }
	for _, c := range []struct {
		runs []*checker.Run
		want []string // sentence, then lines
	}{
		{[]*checker.Run{run("a", v("x", "1 state."))}, []string{"1 state", "a: x"}},
		{[]*checker.Run{run("a", v("x", "10 states"), v("y", "10 states"))}, []string{"10 states", "a: every property"}},
		{[]*checker.Run{run("a", v("x", "1,234 states at 7")), run("b", v("x", "5 states at 7"))}, []string{"N states at 7", "a (N = 1,234), b (N = 5): x"}},
		{[]*checker.Run{run("a", v("x", "3 and 4"), v("y", "5 and 6")), run("b", v("y", "5 and 6"))},
			[]string{"N and M", "a (N = 3, M = 4): x", "a (N = 5, M = 6), b (N = 5, M = 6): y"}},
		{[]*checker.Run{run("a", v("x", "3 here"), v("y", "3 there"))}, []string{"3 here", "a: x", "3 there", "a: y"}},
	} {
		var got []string
		for _, b := range bases(c.runs) {
			text, differ := b.sentence()
			got = append(append(got, text), b.lines(plain, differ)...)
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
