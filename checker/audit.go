package checker

import (
	"fmt"
	"slices"
	"strings"

	"dlcheck/model"
	"dlcheck/traces"
)

// Property describes one property of the catalog.
type Property struct {
	Name string
	Doc  string // one line: what is true when it holds
	// Seed says that it is a member of the group seed: what a reader of the
	// classic lesson on fencing checks first.
	Seed bool
	// ReportOnly says that it is worth knowing and never a failure.
	ReportOnly bool
	// InTrace says that a single trace can show that it is broken.
	InTrace bool
}

// audit is a property with its judges. Two of them watch the same thing on
// purpose: monitor looks at transitions while they are explored, and can use
// history variables; retrospect looks at a finished trace, as one would look
// at the log of a real system, and knows nothing of the model's state.
type audit struct {
	Property
	needs      model.Needs
	monitor    func(w *model.World) monitor // nil: not judged transition by transition
	retrospect func(*traces.Trace) *finding // nil: not visible in one trace
	// decide gives the verdict of a property that is not judged transition
	// by transition in the search of the monitors.
	decide func(*check) error
	// rank is the place in tables.
	rank int
}

// monitor judges transitions.
type monitor interface {
	// claim claims history variables.
	claim(l *model.Layout)
	// kinds lists the kinds of action that watch wants to see.
	kinds() []model.Kind
	// watch says whether the transition breaks the property, and brings the
	// monitor's own variables in next up to date.
	watch(prev model.State, a model.Action, next model.State) bool
}

// finding is where a trace breaks a property, and why in one sentence.
type finding struct {
	at     int
	reason string
}

// stateless is what a monitor embeds that has no variables of its own.
type stateless struct{}

func (stateless) claim(*model.Layout) {}

var audits []*audit

func addAudit(a *audit) {
	a.InTrace = a.retrospect != nil
	audits = append(audits, a)
	slices.SortFunc(audits, func(a, b *audit) int { return a.rank - b.rank })
}

// Properties lists the catalog in the order of tables: the group seed first.
func Properties() []Property {
	var out []Property
	for _, a := range audits {
		out = append(out, a.Property)
	}
	return out
}

func findAudit(name string) *audit {
	for _, a := range audits {
		if a.Name == name {
			return a
		}
	}
	return nil
}

// Expand replaces the groups "seed" and "all" among property names by their
// members, drops repetitions, and puts the names in the order of the catalog.
// Its error names what there is.
func Expand(names []string) ([]string, error) {
	want := map[string]bool{}
	for _, n := range names {
		switch {
		case n == "seed" || n == "all":
			for _, a := range audits {
				if n == "all" || a.Seed {
					want[a.Name] = true
				}
			}
		case findAudit(n) != nil:
			want[n] = true
		default:
			var have []string
			for _, a := range audits {
				have = append(have, a.Name)
			}
			return nil, fmt.Errorf("there is no property %q; there are %s, and the groups seed and all", n, strings.Join(have, ", "))
		}
	}
	if len(want) == 0 {
		return nil, fmt.Errorf("no property is asked for; name some, or one of the groups seed and all")
	}
	var out []string
	for _, a := range audits {
		if want[a.Name] {
			out = append(out, a.Name)
		}
	}
	return out, nil
}
