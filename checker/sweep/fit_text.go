package sweep

import (
	"fmt"
	"strings"
)

// String writes the bound as max(ttl, 12) + gap - read: what all terms share is
// written once.
func (m *Bound) String() string {
	type signed struct {
		param string
		sign  int
	}
	shared := map[signed]int{}
	for _, t := range m.Terms {
		for k, p := range t.Params {
			shared[signed{p, t.Signs[k]}]++
		}
	}
	var inner []string
	tail := ""
	base := m.Terms[0].Const
	for _, t := range m.Terms {
		base = min(base, t.Const)
	}
	if len(m.Terms) == 1 {
		return m.Terms[0].text(nil)
	}
	// A constant that every term has at least can stand outside; it does so
	// only if it is nobody's whole term.
	outside := base
	for _, t := range m.Terms {
		alone := true
		for k, p := range t.Params {
			alone = alone && shared[signed{p, t.Signs[k]}] == len(m.Terms)
		}
		if alone {
			outside = 0
		}
	}
	for _, t := range m.Terms {
		t.Const -= outside
		inner = append(inner, t.text(func(p string, sign int) bool { return shared[signed{p, sign}] == len(m.Terms) }))
	}
	for k, p := range m.Terms[0].Params {
		if sign := m.Terms[0].Signs[k]; shared[signed{p, sign}] == len(m.Terms) {
			tail += signText(sign) + p
		}
	}
	if outside != 0 {
		tail += constText(outside)
	}
	which := "max("
	if m.Least {
		which = "min("
	}
	return which + strings.Join(inner, ", ") + ")" + tail
}

// text writes the sum, what is added first: ttl - read + 2, or 11 - ttl.
func (t *Term) text(skip func(string, int) bool) string {
	plus, minus := "", ""
	for k, p := range t.Params {
		switch {
		case skip != nil && skip(p, t.Signs[k]):
		case t.Signs[k] < 0:
			minus += signText(-1) + p
		case plus == "":
			plus = p
		default:
			plus += signText(1) + p
		}
	}
	switch {
	case plus == "" && minus == "":
		return fmt.Sprint(t.Const)
	case plus == "" && t.Const != 0:
		return fmt.Sprint(t.Const) + minus
	case t.Const != 0:
		return plus + minus + constText(t.Const)
	}
	return strings.TrimSpace(plus + minus)
}

func signText(sign int) string {
	if sign < 0 {
		return " - "
	}
	return " + "
}

func constText(n int) string {
	if n < 0 {
		return fmt.Sprintf(" - %d", -n)
	}
	return fmt.Sprintf(" + %d", n)
}

// String writes the condition. Bounds are written with < where that is
// shorter: y >= max(ttl + 1, 13) is y > max(ttl, 12).
func (f *Fit) String() string {
	if f.Never {
		return "never"
	}
	strict := func(m *Bound) bool { return len(m.plus(-1).String()) < len(m.String()) }
	switch {
	case f.Lower == nil && f.Upper == nil:
		return "always"
	case f.Lower != nil && f.Upper != nil && f.Lower.String() == f.Upper.String():
		return fmt.Sprintf("%s = %s", f.Y, f.Lower)
	case f.Upper == nil && strict(f.Lower):
		return fmt.Sprintf("%s > %s", f.Y, f.Lower.plus(-1))
	case f.Upper == nil:
		return fmt.Sprintf("%s >= %s", f.Y, f.Lower)
	case f.Lower == nil:
		return fmt.Sprintf("%s <= %s", f.Y, f.Upper)
	case strict(f.Lower):
		return fmt.Sprintf("%s < %s <= %s", f.Lower.plus(-1), f.Y, f.Upper)
	}
	return fmt.Sprintf("%s <= %s <= %s", f.Lower, f.Y, f.Upper)
}
