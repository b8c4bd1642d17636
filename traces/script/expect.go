package script

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"dlcheck/model"
	"dlcheck/traces"
)

// Leases lists who held the lock when, such as "A [0,10)", in order of grants.
func (r *Result) Leases() []string {
	var out []string
	seen := map[int]bool{}
	for _, l := range r.Trace.Leases() {
		if !seen[l.At] {
			seen[l.At] = true
			out = append(out, fmt.Sprintf("%s [%d,%d)", r.Trace.Name(l.Client), l.Start, l.End))
		}
	}
	return out
}

// Writes lists the writes in order, such as "B at 14: accepted".
func (r *Result) Writes() []string {
	return r.list(model.Write, func(e *traces.Event) string {
		answer := "refused"
		if e.OK {
			answer = "accepted"
		}
		return fmt.Sprintf("%s at %d: %s", r.Trace.Name(e.Client), e.Tick, answer)
	})
}

// Tokens lists the tokens granted, such as "A 1", in order.
func (r *Result) Tokens() []string {
	return r.list(model.Acquire, func(e *traces.Event) string {
		return fmt.Sprintf("%s %d", r.Trace.Name(e.Client), e.Token)
	})
}

func (r *Result) list(k model.Kind, tell func(*traces.Event) string) []string {
	var out []string
	for i := range r.Trace.Events {
		if e := &r.Trace.Events[i]; e.Kind == k {
			out = append(out, tell(e))
		}
	}
	return out
}

// DeniedTo is how often a client was denied.
func (r *Result) DeniedTo(client int) int {
	n := 0
	for _, d := range r.Denied {
		if d.Client == client {
			n++
		}
	}
	return n
}

// Unexpected compares the run with what the file expects and says in one line
// each where they differ. violated has an entry for each property that the
// audits judged: whether it is broken.
func (r *Result) Unexpected(violated map[string]bool) []string {
	var out []string
	want := &r.Schedule.Expect
	differ := func(what string, want, got any) {
		out = append(out, fmt.Sprintf("expected %s %v, and there was %v", what, want, got))
	}
	if want.Final != nil && *want.Final != r.Content {
		differ("the store to be left with", fmt.Sprintf("%q", *want.Final), fmt.Sprintf("%q", r.Content))
	}
	for _, row := range []struct {
		what      string
		want, got []string
	}{
		{"leases", want.Leases, r.Leases()},
		{"writes", want.Writes, r.Writes()},
		{"tokens", want.Tokens, r.Tokens()},
	} {
		if row.want != nil && !slices.Equal(row.want, row.got) {
			differ(row.what, strings.Join(row.want, ", "), strings.Join(row.got, ", "))
		}
	}
	for c, a := range r.Schedule.Clients {
		if n, ok := want.Denied[a.Name]; ok && n != r.DeniedTo(c) {
			differ(a.Name+" to be denied", fmt.Sprintf("%d times", n), fmt.Sprintf("%d", r.DeniedTo(c)))
		}
	}
	var names []string
	for n := range want.Properties {
		names = append(names, n)
	}
	sort.Strings(names)
	for _, n := range names {
		got := "holds"
		if broken, judged := violated[n]; !judged {
			got = "no such property that a run can show"
		} else if broken {
			got = "violated"
		}
		if want.Properties[n] != got {
			differ(n+" to be", want.Properties[n], got)
		}
	}
	return out
}
