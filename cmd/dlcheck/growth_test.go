//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"image/color"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"text/tabwriter"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

var plotsInto = flag.String("plots", "", "a folder for the pictures of BenchmarkGrowth, whose performance.md gets their laws")

// A growth is what a search costs along one parameter.
type growth struct {
	param   string
	values  []int
	command string // with %d for the parameter
	why     string // this world
}

var growths = []growth{
	{"clients", []int{2, 3, 4, 5, 6, 7, 8}, "--property lost-update --clients %d", "a client more multiplies"},
	{"ticks", []int{5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60}, "--property lost-update --clients 3 --ticks %d",
		"reduced, the clock is no part of a state, and the set closes whatever the bound"},
	{"servers", []int{2, 3, 4, 5, 6, 7}, "--clients 2 --ttl 4 --ticks 14 --lost-requests 3 --property lease-overlap --servers %d",
		"with three requests lost, or the servers would never differ; with one server a lost request is as good as none"},
	{"rounds", []int{1, 2, 3, 4}, "--property lost-update --clients 3 --ttl 5 --ticks 40 --rounds %d", "each client comes back so many times"},
}

const (
	// A series ends after a search with more states than that: the next would
	// take more than some seconds. States are the same anywhere, so the points are.
	mostPlotted = 4_000_000
	// Time and memory of smaller searches are those of beginning one.
	leastTimed = 10_000
)

// A point is one search.
type point struct {
	x       int
	states  float64
	seconds float64 // of processor time: the least of some runs
	bytes   float64
}

// BenchmarkGrowth measures how the cost of a search grows with each parameter,
// with and without reductions, on one worker, and fits laws.
//
//	go test -run '^$' -bench Growth -benchtime 1x ./cmd/dlcheck -args -plots ../../docs
//
// With -plots it draws pictures into that folder, and writes the laws between the
// marks in performance.md there.
func BenchmarkGrowth(b *testing.B) {
	for b.Loop() {
		var text strings.Builder
		for i := range growths {
			g := &growths[i]
			all := []series{g.measure(b, "auto"), g.measure(b, "none")}
			text.WriteString(g.tell(all))
			if *plotsInto == "" {
				continue
			}
			var picture bytes.Buffer
			if err := g.draw(&picture, all); err != nil {
				b.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(*plotsInto, g.file()), picture.Bytes(), 0o666); err != nil {
				b.Fatal(err)
			}
		}
		text.WriteString("\n")
		fmt.Print("\n", text.String())
		if *plotsInto != "" {
			writeLaws(b, filepath.Join(*plotsInto, "performance.md"), text.String())
		}
	}
}

func (g *growth) file() string { return "growth-" + g.param + ".png" }

// series is what was measured with some reductions.
type series struct {
	reduce string
	points []point
}

func (s series) name() string {
	if s.reduce == "auto" {
		return "reduced"
	}
	return "unreduced"
}

func (g *growth) args(x int, reduce string) []string {
	return strings.Fields(fmt.Sprintf(g.command, x) + " --store claimed --workers 1 --reduce " + reduce)
}

func (g *growth) measure(b *testing.B, reduce string) series {
	s := series{reduce: reduce}
	for _, x := range g.values {
		p := point{x: x, seconds: math.Inf(1)}
		for n := 0; n < 5 && (n == 0 || p.seconds < 1); n++ {
			runtime.GC()
			began := cpuSeconds()
			c := dlcheck(append(g.args(x, reduce), "--json")...)
			p.seconds = min(p.seconds, cpuSeconds()-began)
			var r struct {
				Runs []struct {
					States    float64
					PeakBytes float64 `json:"peak_bytes"`
				}
			}
			if err := json.Unmarshal([]byte(c.out), &r); err != nil || c.status != 0 {
				b.Fatalf("%q: status %d, %v\n%s", g.args(x, reduce), c.status, err, c.errOut)
			}
			p.states, p.bytes = r.Runs[0].States, r.Runs[0].PeakBytes
		}
		s.points = append(s.points, p)
		if p.states > mostPlotted {
			break
		}
	}
	return s
}

// A quantity is what of a point is drawn, and to which points the law is fitted.
type quantity struct {
	name  string
	of    func(point) float64
	least float64 // states of the points that count
}

var quantities = []quantity{
	{"states", func(p point) float64 { return p.states }, 0},
	{"CPU-seconds", func(p point) float64 { return p.seconds }, leastTimed},
	{"bytes of memory", func(p point) float64 { return p.bytes }, leastTimed},
}

// law fits one, if there are points enough.
func (s series) law(q quantity) (law, bool) {
	var x, y []float64
	for _, p := range s.points {
		if p.states >= q.least {
			x, y = append(x, float64(p.x)), append(y, q.of(p))
		}
	}
	if len(x) < 3 {
		return law{}, false
	}
	return fitLaw(x, y), true
}

// tell has the points and the laws as text.
func (g *growth) tell(all []series) string {
	var text strings.Builder
	fmt.Fprintf(&text, "\n### %s%s\n\n", strings.ToUpper(g.param[:1]), g.param[1:])
	fmt.Fprintf(&text, "`dlcheck --store claimed %s`:\n%s.\n\n", strings.ReplaceAll(g.command, "%d", strings.ToUpper(g.param)), g.why)
	fmt.Fprintf(&text, "![states, processor time and memory over %s](%s)\n\n```text\n", g.param, g.file())
	t := tabwriter.NewWriter(&text, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, s := range all {
		fmt.Fprintf(t, "%s\t%s\t", s.name(), g.param)
		for _, p := range s.points {
			fmt.Fprintf(t, "%d\t", p.x)
		}
		fmt.Fprint(t, "\n\tstates\t")
		for _, p := range s.points {
			fmt.Fprintf(t, "%.0f\t", p.states)
		}
		fmt.Fprintln(t)
	}
	t.Flush()
	fmt.Fprintln(&text)
	t = tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	for _, s := range all {
		for _, q := range quantities {
			if l, ok := s.law(q); ok {
				fmt.Fprintf(t, "%s\t%s\t= %s\tR2 %.4f\n", s.name(), q.name, l.text(g.param), l.r2)
			} else {
				fmt.Fprintf(t, "%s\t%s\tno law: fewer than three searches with %d states\n", s.name(), q.name, leastTimed)
			}
		}
	}
	t.Flush()
	text.WriteString("```\n")
	return text.String()
}

// A law is y = a * b^x, or y = a * x^b.
type law struct {
	power bool
	a, b  float64
	r2    float64 // of the logarithms of y
}

// fitLaw is the better of the two laws, by least squares on logarithms.
func fitLaw(x, y []float64) law {
	e, p := leastSquares(x, y, false), leastSquares(x, y, true)
	if p.r2 >= e.r2 {
		return p
	}
	return e
}

func leastSquares(xs, ys []float64, power bool) law {
	n := float64(len(xs))
	var sx, sy, sxx, sxy, syy float64
	for i := range xs {
		x, y := xs[i], math.Log(ys[i])
		if power {
			x = math.Log(x)
		}
		sx, sy, sxx, sxy, syy = sx+x, sy+y, sxx+x*x, sxy+x*y, syy+y*y
	}
	slope := (n*sxy - sx*sy) / (n*sxx - sx*sx)
	l := law{power: power, a: math.Exp((sy - slope*sx) / n), b: slope, r2: 1}
	if all := n*syy - sy*sy; all > 1e-9*syy { // or y is the same everywhere, and there is nothing to explain
		l.r2 = slope * slope * (n*sxx - sx*sx) / all
	}
	if !power {
		l.b = math.Exp(slope)
	}
	return l
}

func (l law) at(x float64) float64 {
	if l.power {
		return l.a * math.Pow(x, l.b)
	}
	return l.a * math.Pow(l.b, x)
}

func (l law) text(x string) string {
	if l.power {
		return fmt.Sprintf("%.3g * %s^%.2f", l.a, x, l.b+0) // no negative zero
	}
	return fmt.Sprintf("%.3g * %.2f^%s", l.a, l.b, x)
}

func TestLaws(t *testing.T) {
	x := []float64{1, 2, 3, 5, 8}
	for _, want := range []law{{false, 3, 2, 1}, {true, 0.5, 2.5, 1}, {true, 7, 0, 1}} {
		var y []float64
		for _, v := range x {
			y = append(y, want.at(v))
		}
		got := fitLaw(x, y)
		if got.power != want.power || math.Abs(got.a-want.a) > 1e-9 || math.Abs(got.b-want.b) > 1e-9 || math.Abs(got.r2-1) > 1e-9 {
			t.Errorf("fitted %+v to what follows %+v", got, want)
		}
	}
	// Against a textbook example: through (1,1), (2,2), (3,2) in logarithms of 2,
	// the line has slope 1/2 and explains three quarters.
	got := leastSquares([]float64{1, 2, 3}, []float64{2, 4, 4}, false)
	if math.Abs(got.b-math.Sqrt2) > 1e-9 || math.Abs(got.r2-0.75) > 1e-9 {
		t.Errorf("fitted %+v", got)
	}
}

var (
	reducedColour   = otherColour[2]
	unreducedColour = otherColour[1]
)

// draw makes a panel of each quantity, with a logarithmic scale: points are what
// was measured, lines are the laws.
func (g *growth) draw(w io.Writer, all []series) error {
	const wide, high = 27 * vg.Centimeter, 9 * vg.Centimeter
	c := vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(wide, high), vgimg.UseDPI(110))}
	page := draw.New(c)
	page.SetColor(color.White)
	page.Fill(page.Rectangle.Path())
	panels := make([]*plot.Plot, len(quantities))
	for i, q := range quantities {
		p := plot.New()
		p.BackgroundColor = color.White
		p.Title.Text = q.name
		if i == 1 {
			p.Title.Text += fmt.Sprintf(" (%d cores)", runtime.NumCPU())
		}
		sans(&p.Title.TextStyle, 12)
		p.X.Label.Text = g.param
		for _, a := range []*plot.Axis{&p.X, &p.Y} {
			sans(&a.Label.TextStyle, 11)
			sans(&a.Tick.Label, 9)
		}
		p.X.Tick.Marker = wholeTicks{}
		p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, decades{}
		sans(&p.Legend.TextStyle, 9)
		p.Legend.Top, p.Legend.Left = true, true
		p.Legend.YOffs = vg.Points(-2)
		for k, s := range all {
			if err := s.plot(p, q, g.param, []color.Color{reducedColour, unreducedColour}[k]); err != nil {
				return err
			}
		}
		// Room above for the legend.
		p.Y.Max = math.Pow(10, math.Log10(p.Y.Max)+0.3*math.Log10(p.Y.Max/p.Y.Min)+0.5)
		panels[i] = p
	}
	tiles := draw.Tiles{Rows: 1, Cols: len(panels), PadTop: vg.Points(10), PadBottom: vg.Points(6), PadLeft: vg.Points(6), PadRight: vg.Points(12), PadX: vg.Points(18)}
	for i, at := range plot.Align([][]*plot.Plot{panels}, tiles, page)[0] {
		panels[i].Draw(at)
	}
	_, err := c.WriteTo(w)
	return err
}

// plot adds what was measured to a panel.
func (s series) plot(p *plot.Plot, q quantity, param string, colour color.Color) error {
	var points plotter.XYs
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, at := range s.points {
		points = append(points, plotter.XY{X: float64(at.x), Y: q.of(at)})
		if at.states >= q.least {
			lo, hi = min(lo, float64(at.x)), max(hi, float64(at.x))
		}
	}
	dots, err := plotter.NewScatter(points)
	if err != nil {
		return err
	}
	dots.Color, dots.Shape, dots.Radius = colour, draw.CircleGlyph{}, vg.Points(2.5)
	p.Add(dots)
	l, ok := s.law(q)
	if !ok {
		p.Legend.Add(" "+s.name(), dots)
		return nil
	}
	line := plotter.NewFunction(l.at)
	line.Color, line.Width, line.XMin, line.XMax = colour, vg.Points(1.2), lo, hi
	p.Add(line)
	p.Legend.Add(" "+s.name()+": "+l.text(param), dots, line)
	return nil
}

// decades marks powers of ten.
type decades struct{}

func (decades) Ticks(lo, hi float64) (out []plot.Tick) {
	for e := int(math.Floor(math.Log10(lo))); float64(e) <= math.Log10(hi); e++ {
		label := strconv.FormatFloat(math.Pow10(e), 'f', max(0, -e), 64)
		if e > 3 {
			label = fmt.Sprintf("1e%d", e)
		}
		out = append(out, plot.Tick{Value: math.Pow10(e), Label: label})
		for k := 2.0; k < 10; k++ {
			out = append(out, plot.Tick{Value: k * math.Pow10(e)})
		}
	}
	return out
}

// The marks between which the laws are in performance.md.
const lawsFrom, lawsTo = "<!-- laws: make bench-plots writes from here -->\n", "<!-- laws: to here -->\n"

// writeLaws replaces what is between the marks.
func writeLaws(b *testing.B, file, laws string) {
	old, err := os.ReadFile(file)
	if err != nil {
		b.Fatal(err)
	}
	before, rest, from := strings.Cut(string(old), lawsFrom)
	_, after, to := strings.Cut(rest, lawsTo)
	if !from || !to {
		b.Fatalf("%s has not the marks between which the laws go:\n%s%s", file, lawsFrom, lawsTo)
	}
	if err := os.WriteFile(file, []byte(before+lawsFrom+laws+lawsTo+after), 0o666); err != nil {
		b.Fatal(err)
	}
}

// cpuSeconds is what this process took of processors so far.
func cpuSeconds() float64 {
	var r syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &r) != nil {
		return 0
	}
	return float64(r.Utime.Nano()+r.Stime.Nano()) / 1e9
}
