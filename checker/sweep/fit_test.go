package sweep

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// synthetic is a grid whose cells are as the function says.
func synthetic(over []Axis, broken func(at map[string]int) bool) *Grid {
	g := &Grid{Axes: over, Metrics: []string{"p"}}
	cells := 1
	for _, a := range over {
		cells *= len(a.Values)
	}
	g.Cells = make([]Value, cells)
	for i := range cells {
		at := map[string]int{}
		for k, v := range g.At(i) {
			at[over[k].Param] = v
		}
		g.Cells[i].Broken = broken(at)
	}
	return g
}

type at = map[string]int

// TestFit: conditions that are known, found again.
func TestFit(t *testing.T) {
	for _, c := range []struct {
		over   string
		broken func(at) bool
		want   string // the condition, or of an error its beginning
	}{
		{"x=1..9 y=0..20", func(a at) bool { return false }, "never"},
		{"x=1..9 y=0..20", func(a at) bool { return true }, "always"},
		{"y=0..20", func(a at) bool { return a["y"] >= 7 }, "y >= 7"},
		{"y=0..20", func(a at) bool { return a["y"] <= 7 }, "y <= 7"},
		{"y=0..20", func(a at) bool { return a["y"] == 7 }, "y = 7"},
		{"x=1..9 y=0..20", func(a at) bool { return a["y"] > a["x"] }, "y > x"},
		{"x=1..9 y=0..20", func(a at) bool { return a["y"] >= a["x"] }, "y >= x"},
		{"x=1..9 y=0..20", func(a at) bool { return a["y"] > max(a["x"], 5) }, "y > max(x, 5)"},
		{"y=0..20 x=1..9", func(a at) bool { return a["y"] > max(a["x"], 5) }, "y > max(x, 5)"},
		{"x=1..9 y=0..20", func(a at) bool { return a["y"] > max(2*a["x"], 5) }, "no inequality"},
		{"x=1..9 y=0..20", func(a at) bool { return a["y"] < min(a["x"], 5) }, "y <= min(x - 1, 4)"},
		{"x=1..9 z=1..9 y=0..20", func(a at) bool { return a["y"] <= min(a["x"], a["z"])+3 }, "y <= min(x, z) + 3"},
		{"x=1..9 z=1..9 y=0..20", func(a at) bool { return a["y"] > min(a["x"], a["z"]) }, "y > min(x, z)"},
		{"x=1..9 z=3..9 y=0..20", func(a at) bool { return min(a["x"], 3) <= a["y"] && a["y"] <= min(a["x"], 3)+a["z"] }, "min(x, 3) <= y <= min(x, 3) + z"},
		{"x=1..9 y=0..20", func(a at) bool { return a["y"] <= max(a["x"], 5) }, "y <= max(x, 5)"},
		{"x=1..9 y=0..20", func(a at) bool { return a["y"] > max(10-a["x"], 4) }, "y >= max(11 - x, 5)"},
		{"x=1..9 z=1..9 y=0..30", func(a at) bool { return a["y"] > max(a["x"], a["z"]) }, "y > max(x, z)"},
		{"x=1..9 z=1..9 y=0..30", func(a at) bool { return a["y"] > a["x"]+a["z"] }, "y > x + z"},
		{"x=1..9 z=1..9 y=0..30", func(a at) bool { return a["y"] > max(a["x"], a["z"], 4) }, "y > max(x, z, 4)"},
		{"x=1..9 z=1..4 w=1..4 y=0..30", func(a at) bool { return a["y"] > max(a["x"], 5)+a["z"]-a["w"] }, "y > max(x, 5) + z - w"},
		{"x=1..9 z=1..4 y=0..30", func(a at) bool { m := max(a["x"], 5); return m < a["y"] && a["y"] <= m+a["z"] }, "max(x, 5) < y <= max(x, 5) + z"},
		{"x=1..9 y=0..20", func(a at) bool { return a["y"] == max(a["x"], 5) }, "y = max(x, 5)"},
		{"x=1..9 y=0..20", func(a at) bool { return a["y"] > a["x"] && a["y"] != 15 }, "no inequality"},
		{"x=1..9 y=0..20", func(a at) bool { return a["y"]%2 == 0 }, "no inequality"},
		{"x=1..9 y=0..20", func(a at) bool { return a["x"] == 4 && a["y"] == 4 }, "max(8 - x, x) <= y <= 4"},
		// The grid stops too early, or begins too late.
		{"x=1..40 y=0..20", func(a at) bool { return a["y"] > a["x"] }, "y > x"},
		{"x=1..9 y=5..20", func(a at) bool { return a["y"] > a["x"] }, "y > x"},
		{"x=1,7,50 y=0..20", func(a at) bool { return a["y"] > max(a["x"], 5) }, "y > max(x, 5)"},
		{"x=1,2,3,50 y=0..20", func(a at) bool { return a["y"] <= a["x"] }, "y <= x"},
		// Steps: what lies between was not seen.
		{"x=1..9:2 y=0..20", func(a at) bool { return a["y"] > a["x"] }, "y > x"},
		{"x=9,1,5 y=20,0,10,5,15", func(a at) bool { return a["y"] >= 10 }, "y > 9"},
	} {
		g := synthetic(axes(t, strings.Fields(c.over)...), c.broken)
		f, err := g.FitProperty("p", "y")
		got := fmt.Sprint(f)
		if err != nil {
			var none *NoFit
			if !errors.As(err, &none) {
				t.Errorf("%s: %v", c.want, err)
			}
			got = err.Error()
		}
		if got != c.want && !(c.want == "no inequality" && strings.HasPrefix(got, c.want)) {
			t.Errorf("over %s: got %s, want %s", c.over, got, c.want)
		}
	}
	g := synthetic(axes(t, "x=1..3", "y=1..3"), func(at) bool { return true })
	for _, ask := range [][2]string{{"q", "y"}, {"p", "z"}} {
		var none *NoFit
		if _, err := g.FitProperty(ask[0], ask[1]); err == nil || errors.As(err, &none) {
			t.Errorf("%v: %v", ask, err)
		}
	}
}

// TestNoFitNamesACell: the cell that it names is one that the condition is
// wrong for, or breaks a run.
func TestNoFitNamesACell(t *testing.T) {
	g := synthetic(axes(t, "x=1..9", "y=0..20"), func(a at) bool { return a["y"] > a["x"] && a["y"] != 15 })
	_, err := g.FitProperty("p", "y")
	if want := "it breaks, stops, and breaks again for x=1 y=16"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
	g = synthetic(axes(t, "x=1..9", "y=0..20"), func(a at) bool { return a["x"] == 4 && a["y"] > 4 })
	_, err = g.FitProperty("p", "y")
	if err == nil || !strings.Contains(err.Error(), "which is wrong for x=") {
		t.Error(err)
	}
}

// TestFitAgainstBruteForce: on every grid of three rows and four values, there
// is a condition exactly if one of all conditions agrees with the grid, as it
// is or upside down, and what is found agrees.
func TestFitAgainstBruteForce(t *testing.T) {
	const rows, values = 3, 4
	over := axes(t, "x=1..3", "y=0..3")
	// Every bound: a constant or none for each of the sums c, x+c, -x+c.
	bounds := map[[rows]int]bool{}
	const none = -100
	constants := []int{none}
	for c := -9; c <= 9; c++ {
		constants = append(constants, c)
	}
	for _, c0 := range constants {
		for _, c1 := range constants {
			for _, c2 := range constants {
				var b [rows]int
				for x := 1; x <= rows; x++ {
					n := none
					if c0 != none {
						n = max(n, c0)
					}
					if c1 != none {
						n = max(n, c1+x)
					}
					if c2 != none {
						n = max(n, c2-x)
					}
					b[x-1] = min(max(n, -1), values)
				}
				bounds[b] = true
			}
		}
	}
	uppers := map[[rows]int]bool{{values, values, values}: true} // no bound
	for b := range bounds {
		uppers[b] = true
	}
	can := map[[rows]int]bool{} // bits of broken values by row
	for lo := range bounds {
		for hi := range uppers {
			var g [rows]int
			for x := range rows {
				for y := range values {
					if lo[x] <= y && y <= hi[x] {
						g[x] |= 1 << y
					}
				}
			}
			can[g] = true
		}
	}
	found, nothing := 0, 0
	for code := range 1 << (rows * values) {
		var bits [rows]int
		for x := range rows {
			bits[x] = code >> (x * values) & (1<<values - 1)
		}
		g := synthetic(over, func(a at) bool { return bits[a["x"]-1]>>a["y"]&1 == 1 })
		f, err := g.FitProperty("p", "y")
		var upsideDown [rows]int
		for x := range rows {
			for y := range values {
				upsideDown[x] |= bits[x] >> y & 1 << (values - 1 - y)
			}
		}
		if there := can[bits] || can[upsideDown]; (err == nil) != there {
			t.Errorf("%04b: %v, %v; there is one: %v", bits, f, err, there)
			continue
		}
		if err == nil && !can[bits] && !(f.Lower != nil && f.Lower.Least || f.Upper != nil && f.Upper.Least) {
			t.Errorf("%04b: %s needs a least of sums", bits, f)
		}
		if err != nil {
			nothing++
			continue
		}
		found++
		says := f.sayer(g, 1)
		for i := range g.Len() {
			if says(g.At(i)) != g.Cell(i)[0].Broken {
				t.Errorf("%04b: %s is wrong for %s", bits, f, g.Name(i))
			}
		}
	}
	if found <= len(can) || nothing < 1000 {
		t.Errorf("%d found of %d, %d without", found, len(can), nothing)
	}
	t.Logf("%d grids have a condition, %d have none", found, nothing)
}

// TestFitNeedsNoTermTwice: nothing that is found can lose a term.
func TestFitNeedsNoTermTwice(t *testing.T) {
	over := axes(t, "x=1..5", "z=1..5", "y=0..12")
	for code := range 3 * 3 * 3 * 3 * 3 {
		n := code
		digit := func() int { d := n % 3; n /= 3; return d - 1 }
		a, b, c, d, e := digit(), digit(), digit(), digit(), digit()
		g := synthetic(over, func(at at) bool {
			return at["y"] > max(a*at["x"]+4+e, b*at["z"]+5, c*at["x"]+d*at["z"]+4)
		})
		f, err := g.FitProperty("p", "y")
		if err != nil {
			t.Errorf("%d: %v", code, err)
			continue
		}
		if f.Lower == nil {
			continue
		}
		for k := range f.Lower.Terms {
			if len(f.Lower.Terms) == 1 {
				break
			}
			less := *f
			less.Lower = &Bound{Terms: slices.Delete(slices.Clone(f.Lower.Terms), k, k+1), Least: f.Lower.Least}
			if g.disagrees(&less, 0, 2) < 0 {
				t.Errorf("%d: %s does not need its term %d", code, f, k)
			}
		}
	}
}
