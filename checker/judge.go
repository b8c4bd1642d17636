package checker

import (
	"errors"
	"fmt"

	"dlcheck/traces"
)

// ErrNotJudged says that a trace was replayed and that what it is said to show,
// which is about what can follow it, was not judged again.
var ErrNotJudged = errors.New("it is about what can follow, which no single trace can show, and was not judged again")

// Judge judges a trace that came from elsewhere again: what its remark says
// must be what the retrospective audit of that property finds. The reason is
// replaced by the audit's own. A trace without a remark passes as it is. The error
// is ErrNotJudged for a property that no single trace can show. The error is one line for the user.
func Judge(t *traces.Trace) error {
	r := t.Remark
	if r == nil {
		return nil
	}
	a := findAudit(r.Property)
	if a == nil {
		_, err := Expand([]string{r.Property})
		return err
	}
	if a.retrospect == nil {
		return ErrNotJudged
	}
	f := a.retrospect(t)
	if f == nil {
		return fmt.Errorf("it is said to break %s at action %d, and judged again it does not break it", r.Property, r.At+1)
	}
	if f.at != r.At {
		return fmt.Errorf("it is said to break %s at action %d, and judged again it breaks it at action %d", r.Property, r.At+1, f.at+1)
	}
	r.Reason = f.reason
	return nil
}

// Audited is what the retrospective audit of a property says of a trace.
type Audited struct {
	Property   string
	ReportOnly bool
	Remark     *traces.Remark // nil: the trace does not break it
}

// Audit judges a trace by the retrospective audits of the properties, or of
// all that a single trace can show if none is named. The error is one line for
// the user.
func Audit(t *traces.Trace, properties ...string) ([]Audited, error) {
	if len(properties) == 0 {
		properties = []string{"all"}
	}
	names, err := Expand(properties)
	if err != nil {
		return nil, err
	}
	var out []Audited
	for _, n := range names {
		a := findAudit(n)
		if a.retrospect == nil {
			continue
		}
		r := Audited{Property: n, ReportOnly: a.ReportOnly}
		if f := a.retrospect(t); f != nil {
			r.Remark = &traces.Remark{Property: n, At: f.at, Reason: f.reason}
		}
		out = append(out, r)
	}
	return out, nil
}
