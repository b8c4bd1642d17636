package sweep

import (
	"fmt"
	"slices"
	"strings"
)

// Fit is a condition over the parameters of a grid, found from its cells and
// checked against every one of them: the property breaks in a cell exactly if
//
//	Lower <= Y <= Upper
//
// where Y is one parameter and the bounds are the greatest, or both the least, of
// some sums of the others (see Bound). A bound that is nil is not there.
type Fit struct {
	Property string
	Y        string
	Lower    *Bound // nil: from the smallest value on
	Upper    *Bound // nil: without end, as far as the grid goes
	Never    bool   // no cell is broken
	Cells    int    // how many cells it was checked against, all of them
	Broken   int    // how many of them are broken
}

// Bound is max(T1, T2, …) or, if Least, min(T1, T2, …), each T a sum of
// parameters, added or subtracted once, and a constant.
type Bound struct {
	Terms []Term
	Least bool
}

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
	return fmt.Sprintf("no inequality max(…) <= parameter <= max(…), or with min in both places, describes %s: %s", e.Property, e.Why)
}

// FitProperty finds the condition under which a property of the grid's metrics
// breaks, in terms of the parameter y. The error is a *NoFit if there is no
// such condition.
//
// For each combination of the other parameters, a row, the broken values of y
// must be one run. The row then says between which numbers the bounds lie
// there; where y takes every value, the lower one is the first broken y
// exactly. What is sought is a greatest of sums that lies between those numbers
// in every row. A sum of chosen parameters can be a term only if it is nowhere
// too great, so its constant is the least difference; with all sums placed as
// high as that, their greatest is the greatest of all solutions, and if it is
// somewhere too small, so is every other (residuation, as in max-plus linear
// systems: Baccelli, Cohen, Olsder, Quadrat, "Synchronization and Linearity",
// 1992, section 3.2). Then terms are dropped as long as the rest will do.
//
// Bounds that are the least of sums are those of the problem with -y for y.
//
// A row without a broken cell is one whose lower bound lies beyond the grid, if
// it can be. Else the upper bound has to lie below the lower one there.
func (g *Grid) FitProperty(property, y string) (*Fit, error) {
	m := slices.Index(g.Metrics, property)
	if m < 0 {
		return nil, fmt.Errorf("the grid has no metric %q; it has %s", property, strings.Join(g.Metrics, ", "))
	}
	yAxis := slices.IndexFunc(g.Axes, func(a Axis) bool { return a.Param == y })
	if yAxis < 0 {
		var have []string
		for _, a := range g.Axes {
			have = append(have, a.Param)
		}
		return nil, fmt.Errorf("the grid has no axis %q; it has %s", y, strings.Join(have, ", "))
	}
	if property == Blocked || property == Final {
		return nil, fmt.Errorf("%s is no property that holds or breaks", property)
	}
	f := &Fit{Property: property, Y: y, Cells: g.Len()}
	rows, err := g.rows(m, yAxis, f)
	if err != nil {
		return nil, err
	}
	if f.Broken == 0 {
		f.Never = true
		return f, nil
	}
	ys := slices.Compact(slices.Sorted(slices.Values(g.Axes[yAxis].Values)))
	tried := ""
	for _, least := range []bool{false, true} {
		for _, strict := range []bool{false, true} {
			f.Lower, f.Upper = fitBounds(rows, ys, g.others(yAxis), strict)
			if least {
				f.Lower, f.Upper = f.Upper.negative(), f.Lower.negative()
			}
			wrong := g.disagrees(f, m, yAxis)
			if wrong < 0 {
				return f, nil
			}
			if !least {
				tried = fmt.Sprintf("tried %s, which is wrong for %s", f, g.Name(wrong))
			}
		}
		rows, ys = mirrored(rows, ys)
	}
	return nil, &NoFit{property, tried}
}

// mirrored is the same with -y for y.
func mirrored(rows []*row, ys []int) ([]*row, []int) {
	for _, r := range rows {
		r.lo, r.hi = -r.hi, -r.lo
	}
	var out []int
	for _, y := range slices.Backward(ys) {
		out = append(out, -y)
	}
	return rows, out
}

// negative is the bound with its sign turned: the greatest of sums becomes the
// least of theirs.
func (m *Bound) negative() *Bound {
	if m == nil {
		return nil
	}
	out := &Bound{Least: !m.Least && len(m.Terms) > 1}
	for _, t := range m.Terms {
		n := Term{Params: t.Params, Const: -t.Const}
		for _, sign := range t.Signs {
			n.Signs = append(n.Signs, -sign)
		}
		out.Terms = append(out.Terms, n)
	}
	// Signs have turned, and with them the order of like terms.
	slices.Reverse(out.Terms)
	slices.SortStableFunc(out.Terms, func(a, b Term) int { return len(b.Params) - len(a.Params) })
	return out
}

// disagrees gives the first cell that is not as the condition says, or -1.
func (g *Grid) disagrees(f *Fit, metric, yAxis int) int {
	says := f.sayer(g, yAxis)
	for i := range g.Len() {
		if says(g.At(i)) != g.Cell(i)[metric].Broken {
			return i
		}
	}
	return -1
}

// others are the parameters beside that of one axis.
func (g *Grid) others(yAxis int) (names []string) {
	for k, a := range g.Axes {
		if k != yAxis {
			names = append(names, a.Param)
		}
	}
	return names
}

// row is what the cells say of one combination of the other parameters.
type row struct {
	at       []int // the others
	lo, hi   int   // the first and the last broken y
	any      bool
	min, max int // what a bound has to be there; see fitMax
}

// rows reads the broken values of y for each combination of the others.
func (g *Grid) rows(metric, yAxis int, f *Fit) ([]*row, error) {
	// Cells of a row lie a constant number of cells apart.
	stride := 1
	for _, a := range g.Axes[:yAxis] {
		stride *= len(a.Values)
	}
	ys := g.Axes[yAxis].Values
	order := make([]int, len(ys)) // of y, from small to large
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return ys[a] - ys[b] })
	var out []*row
	for i := range g.Len() {
		if i/stride%len(ys) != 0 {
			continue
		}
		r := &row{at: slices.Delete(g.At(i), yAxis, yAxis+1)}
		whole := true
		for _, k := range order {
			broken := g.Cell(i + k*stride)[metric].Broken
			switch {
			case !broken:
				whole = !r.any
				continue
			case !r.any:
				r.lo, r.any = ys[k], true
			case !whole:
				return nil, &NoFit{f.Property, fmt.Sprintf("it breaks, stops, and breaks again for %s", g.Name(i+k*stride))}
			}
			r.hi = ys[k]
			f.Broken++
		}
		out = append(out, r)
	}
	return out, nil
}

// Bounds of a bound that may be anything.
const (
	anySmall = -1 << 40
	anyLarge = 1 << 40
)

// fitBounds finds both bounds, nil where none is needed. ys are the values of
// y in order. In a row without a broken cell that the lower bound cannot see
// to, the upper one has the easiest task if the lower one is as great as it can
// be. That takes more terms, and is done only if strict.
func fitBounds(rows []*row, ys []int, names []string, strict bool) (lower, upper *Bound) {
	first, last := ys[0], ys[len(ys)-1]
	next := func(y int) int { // the next value of y, from y on
		i, _ := slices.BinarySearch(ys, y)
		if i == len(ys) {
			return anyLarge
		}
		return ys[i]
	}
	before := func(y int) int { // the value of y before this one
		i, _ := slices.BinarySearch(ys, y)
		return ys[i-1]
	}
	empty, needLower, needUpper := false, false, false
	for _, r := range rows {
		switch {
		case !r.any:
			empty = true
			r.min, r.max = anySmall, anyLarge
		case r.lo == first:
			r.min, r.max = anySmall, first
		default:
			needLower = true
			r.min, r.max = before(r.lo)+1, r.lo
		}
		needUpper = needUpper || r.any && r.hi < last
	}
	if needLower || empty && (strict || !needUpper) {
		all := place(rows, len(names))
		for _, r := range rows {
			if most := all.at(r); !r.any && (strict || most > last) {
				r.min = min(most, last+1)
			}
		}
		lower = all.needed(rows).named(names)
	}
	at := func(m *Bound, r *row) int {
		return m.At(func(p string) int { return r.at[slices.Index(names, p)] })
	}
	for _, r := range rows {
		from := first
		if lower != nil {
			from = next(at(lower, r))
		}
		switch {
		case r.any && r.hi < last:
			r.min, r.max = r.hi, next(r.hi+1)-1
		case r.any:
			r.min, r.max = last, anyLarge
		case from > last: // the lower bound sees to it
			r.min, r.max = anySmall, anyLarge
		default:
			needUpper = true
			r.min, r.max = anySmall, from-1
		}
	}
	if needUpper {
		upper = place(rows, len(names)).needed(rows).named(names)
	}
	return lower, upper
}

// sum is a candidate term: a sign, or 0, for each other parameter.
type sum struct {
	signs []int
	c     int
}

func (s *sum) at(r *row) int {
	n := s.c
	for k, sign := range s.signs {
		n += sign * r.at[k]
	}
	return n
}

// weight orders sums by how complicated they are.
func (s *sum) weight() (n int) {
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

type sums []*sum

func (s sums) at(r *row) int {
	n := anySmall
	for _, x := range s {
		n = max(n, x.at(r))
	}
	return n
}

// place makes all sums there are, each as great as the rows allow: nowhere
// more than row.max.
func place(rows []*row, params int) (all sums) {
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
		least := anyLarge
		for _, r := range rows {
			if r.max < anyLarge {
				least = min(least, r.max-s.at(r))
			}
		}
		if s.c = least; least < anyLarge {
			all = append(all, s)
		}
	}
	choose(0)
	return all
}

// needed drops the sums that are not needed for the greatest of them to be
// nowhere less than row.min, those that serve the fewest rows first, and of
// these the most complicated.
func (s sums) needed(rows []*row) sums {
	serves := map[*sum][]int{}
	by := make([]int, len(rows)) // how many kept sums serve it
	for _, x := range s {
		for i, r := range rows {
			if r.min > anySmall && x.at(r) >= r.min {
				serves[x] = append(serves[x], i)
				by[i]++
			}
		}
	}
	slices.SortStableFunc(s, func(a, b *sum) int {
		if w := len(serves[a]) - len(serves[b]); w != 0 {
			return w
		}
		return b.weight() - a.weight()
	})
	kept := slices.DeleteFunc(slices.Clone(s), func(x *sum) bool {
		for _, i := range serves[x] {
			if by[i] == 1 {
				return false
			}
		}
		for _, i := range serves[x] {
			by[i]--
		}
		return true
	})
	if len(kept) == 0 { // nothing asks for a bound; the plainest one will do
		kept = s[len(s)-1:]
	}
	slices.SortStableFunc(kept, func(a, b *sum) int {
		if w := b.weight() - a.weight(); w != 0 {
			return w
		}
		return slices.Compare(b.signs, a.signs) // in the order of the axes
	})
	return kept
}

func (s sums) named(names []string) *Bound {
	if len(s) == 0 {
		return nil
	}
	m := &Bound{}
	for _, x := range s {
		t := Term{Const: x.c}
		for k, sign := range x.signs {
			if sign != 0 {
				t.Params, t.Signs = append(t.Params, names[k]), append(t.Signs, sign)
			}
		}
		m.Terms = append(m.Terms, t)
	}
	return m
}

// sayer gives what the condition says of a cell's parameters.
func (f *Fit) sayer(g *Grid, yAxis int) func(at []int) bool {
	var at []int
	value := func(param string) int {
		for k := range g.Axes {
			if g.Axes[k].Param == param {
				return at[k]
			}
		}
		panic("a condition over " + param + ", which is no axis")
	}
	return func(cell []int) bool {
		at = cell
		y := at[yAxis]
		return !f.Never && (f.Lower == nil || y >= f.Lower.At(value)) && (f.Upper == nil || y <= f.Upper.At(value))
	}
}

// Beyond is a combination of the other parameters for which the grid stops
// short of the first value of y that breaks the property.
type Beyond struct {
	Name string // such as ttl=1000
	At   int    // that value, by the condition
}

// Beyond lists where no cell is broken because the grid stops too early, and
// not because it is safe there.
func (f *Fit) Beyond(g *Grid) (out []Beyond) {
	yAxis := slices.IndexFunc(g.Axes, func(a Axis) bool { return a.Param == f.Y })
	if f.Never || f.Lower == nil || yAxis < 0 {
		return nil
	}
	ys := g.Axes[yAxis].Values
	last := slices.Max(ys)
	for i := range g.Len() {
		at := g.At(i)
		if at[yAxis] != last {
			continue
		}
		value := func(param string) int {
			return at[slices.IndexFunc(g.Axes, func(a Axis) bool { return a.Param == param })]
		}
		from := f.Lower.At(value)
		if from <= last || f.Upper != nil && f.Upper.At(value) < from {
			continue
		}
		var parts []string
		for k, v := range at {
			if k != yAxis {
				parts = append(parts, fmt.Sprintf("%s=%d", g.Axes[k].Param, v))
			}
		}
		out = append(out, Beyond{strings.Join(parts, " "), from})
	}
	return out
}

// At is the value of the bound for given parameters.
func (m *Bound) At(value func(param string) int) int {
	best := 0
	for i, t := range m.Terms {
		n := t.Const
		for k, p := range t.Params {
			n += t.Signs[k] * value(p)
		}
		if i == 0 || !m.Least && n > best || m.Least && n < best {
			best = n
		}
	}
	return best
}

// plus is the bound with a number added to every term.
func (m *Bound) plus(n int) *Bound {
	out := &Bound{Least: m.Least}
	for _, t := range m.Terms {
		t.Const += n
		out.Terms = append(out.Terms, t)
	}
	return out
}
