package sweep

import (
	"fmt"
	"slices"
	"sort"
	"strings"
)

// Fit is a condition over the parameters of a grid, found from its cells and
// checked against every one of them: the property breaks in a cell exactly if
//
//	Lower <= Y <= Upper
//
// where Y is one parameter and the bounds are the greatest of some sums of the
// others (see Max). A bound that is nil is not there.
type Fit struct {
	Property string
	Y        string
	Lower    *Max // nil: from the smallest value on
	Upper    *Max // nil: without end, as far as the grid goes
	Never    bool // no cell is broken
	Cells    int  // how many cells it was checked against, all of them
	Broken   int  // how many of them are broken
}

// Max is max(T1, T2, …), each T a sum of parameters, added or subtracted once,
// and a constant.
type Max struct{ Terms []Term }

// Term is a sum.
type Term struct {
	Params []string
	Signs  []int // +1 or -1 for each of Params
	Const  int
}

// NoFit says that the cells follow no condition of that form.
type NoFit struct {
	Property string
	Why      string
}

func (e *NoFit) Error() string {
	return fmt.Sprintf("no inequality of the form max(…) <= parameter <= max(…) describes %s: %s", e.Property, e.Why)
}

// FitProperty finds the condition under which a property of the grid's metrics
// breaks, in terms of the parameter y. The error is a *NoFit if there is no
// such condition.
//
// For each combination of the other parameters the broken values of y must be
// one run, lo to hi. Each of lo and hi is then a number of that combination,
// and what is sought is a greatest of sums that gives it. A sum of chosen
// parameters can be a term only if it is nowhere greater than that number, so
// its constant is the least difference; with all sums so placed, the number is
// a greatest of sums if and only if their greatest is equal to it everywhere
// (residuation, as in max-plus linear systems: Baccelli, Cohen, Olsder, Quadrat,
// "Synchronization and Linearity", 1992, section 3.2). Then terms are dropped as
// long as the rest says the same.
func (g *Grid) FitProperty(property, y string) (*Fit, error) {
	m := slices.Index(g.Metrics, property)
	if m < 0 {
		return nil, fmt.Errorf("the grid has no metric %q; it has %s", property, strings.Join(g.Metrics, ", "))
	}
	yAxis := slices.IndexFunc(g.Axes, func(a Axis) bool { return a.Param == y })
	if yAxis < 0 {
		return nil, fmt.Errorf("the grid has no axis %q", y)
	}
	var others []int
	for k := range g.Axes {
		if k != yAxis {
			others = append(others, k)
		}
	}
	f := &Fit{Property: property, Y: y, Cells: g.Len()}
	runs, err := g.runs(m, yAxis, f)
	if err != nil {
		return nil, err
	}
	if f.Broken == 0 {
		f.Never = true
		return f, nil
	}
	ys := g.Axes[yAxis].Values
	first, last := slices.Min(ys), slices.Max(ys)
	names := func(k int) string { return g.Axes[others[k]].Param }
	// A run that begins or ends at the border of the grid says only that the
	// bound lies there or further out.
	lower := fitMax(runs, func(r *run) (int, bool) { return r.lo, r.any && r.lo > first }, len(others))
	upper := fitMax(runs, func(r *run) (int, bool) { return r.hi, r.any && r.hi < last }, len(others))
	f.Lower, f.Upper = lower.named(names), upper.named(names)
	for i := range g.Len() {
		at := g.At(i)
		if f.says(g, at, yAxis) != g.Cell(i)[m].Broken {
			return nil, &NoFit{property, fmt.Sprintf("the best one found, %s, is wrong for %s", f, g.Name(i))}
		}
	}
	return f, nil
}

// run is what the cells say of one combination of the other parameters.
type run struct {
	at     []int // the others
	lo, hi int
	any    bool
}

// runs reads the broken values of y for each combination of the others.
func (g *Grid) runs(metric, yAxis int, f *Fit) ([]*run, error) {
	by := map[string]*run{}
	var order []*run
	type point struct {
		y      int
		broken bool
	}
	points := map[*run][]point{}
	for i := range g.Len() {
		at := g.At(i)
		y := at[yAxis]
		rest := append(append([]int(nil), at[:yAxis]...), at[yAxis+1:]...)
		key := fmt.Sprint(rest)
		r := by[key]
		if r == nil {
			r = &run{at: rest}
			by[key] = r
			order = append(order, r)
		}
		points[r] = append(points[r], point{y, g.Cell(i)[metric].Broken})
	}
	for _, r := range order {
		p := points[r]
		sort.Slice(p, func(i, j int) bool { return p[i].y < p[j].y })
		for k := range p {
			if !p[k].broken {
				continue
			}
			f.Broken++
			if r.any && !p[k-1].broken {
				return nil, &NoFit{f.Property, fmt.Sprintf("with the others at %v it breaks, stops, and breaks again at %s=%d", r.at, f.Y, p[k].y)}
			}
			if !r.any {
				r.lo, r.any = p[k].y, true
			}
			r.hi = p[k].y
		}
	}
	return order, nil
}

// sum is a candidate term: a sign, or 0, for each other parameter.
type sum struct {
	signs []int
	c     int
}

func (s *sum) at(r *run) int {
	n := s.c
	for k, sign := range s.signs {
		n += sign * r.at[k]
	}
	return n
}

type sums []*sum

// fitMax places every sum as high as the known numbers allow and then drops
// those that are not needed, the most complicated first. It is nil when
// nothing is known.
func fitMax(runs []*run, number func(*run) (int, bool), params int) sums {
	var known []*run
	var want []int
	for _, r := range runs {
		if n, ok := number(r); ok {
			known, want = append(known, r), append(want, n)
		}
	}
	if len(known) == 0 {
		return nil
	}
	var all sums
	signs := make([]int, params)
	var choose func(k int)
	choose = func(k int) {
		if k < params {
			for _, sign := range [...]int{0, 1, -1} {
				signs[k] = sign
				choose(k + 1)
			}
			return
		}
		s := &sum{signs: slices.Clone(signs)}
		least := want[0] - s.at(known[0])
		for i, r := range known {
			least = min(least, want[i]-s.at(r))
		}
		s.c = least
		all = append(all, s)
	}
	choose(0)
	// reaches lists where a sum is equal to the number: the sums that are kept
	// must reach every one.
	reaches := map[*sum][]int{}
	by := make([]int, len(known)) // how many kept sums reach it
	for _, s := range all {
		for i, r := range known {
			if s.at(r) == want[i] {
				reaches[s] = append(reaches[s], i)
				by[i]++
			}
		}
	}
	weight := func(s *sum) (n int) {
		for _, sign := range s.signs {
			if sign != 0 {
				n += 2
			}
			if sign < 0 {
				n++
			}
		}
		return n
	}
	slices.SortStableFunc(all, func(a, b *sum) int {
		if w := len(reaches[a]) - len(reaches[b]); w != 0 {
			return w // those that explain least go first
		}
		return weight(b) - weight(a)
	})
	kept := slices.DeleteFunc(all, func(s *sum) bool {
		for _, i := range reaches[s] {
			if by[i] == 1 {
				return false
			}
		}
		for _, i := range reaches[s] {
			by[i]--
		}
		return true
	})
	slices.SortStableFunc(kept, func(a, b *sum) int { return weight(b) - weight(a) })
	return kept
}

func (s sums) named(name func(int) string) *Max {
	if len(s) == 0 {
		return nil
	}
	m := &Max{}
	for _, x := range s {
		t := Term{Const: x.c}
		for k, sign := range x.signs {
			if sign != 0 {
				t.Params, t.Signs = append(t.Params, name(k)), append(t.Signs, sign)
			}
		}
		m.Terms = append(m.Terms, t)
	}
	return m
}

// says is what the condition says of a cell.
func (f *Fit) says(g *Grid, at []int, yAxis int) bool {
	value := func(param string) int {
		return at[slices.IndexFunc(g.Axes, func(a Axis) bool { return a.Param == param })]
	}
	y := at[yAxis]
	return !f.Never && (f.Lower == nil || y >= f.Lower.At(value)) && (f.Upper == nil || y <= f.Upper.At(value))
}

// At is the value of the bound for given parameters.
func (m *Max) At(value func(param string) int) int {
	best := 0
	for i, t := range m.Terms {
		n := t.Const
		for k, p := range t.Params {
			n += t.Signs[k] * value(p)
		}
		if i == 0 || n > best {
			best = n
		}
	}
	return best
}

// plus is the bound with a number added to every term.
func (m *Max) plus(n int) *Max {
	out := &Max{}
	for _, t := range m.Terms {
		t.Const += n
		out.Terms = append(out.Terms, t)
	}
	return out
}

// String writes the bound as max(ttl, 12) + gap - read: what all terms share is
// written once.
func (m *Max) String() string {
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
	return "max(" + strings.Join(inner, ", ") + ")" + tail
}

func (t *Term) text(skip func(string, int) bool) string {
	out := ""
	for k, p := range t.Params {
		if skip != nil && skip(p, t.Signs[k]) {
			continue
		}
		if out == "" && t.Signs[k] > 0 {
			out = p
		} else {
			out += signText(t.Signs[k]) + p
		}
	}
	switch {
	case out == "":
		return fmt.Sprint(t.Const)
	case t.Const != 0:
		out += constText(t.Const)
	}
	return strings.TrimSpace(out)
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
	strict := func(m *Max) bool { return len(m.plus(-1).String()) < len(m.String()) }
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
