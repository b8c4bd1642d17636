package main

import (
	"fmt"
	"image/color"
	"io"
	"math/bits"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

var plotFormats = []string{".png", ".svg"}

// canPlot says no to a file that is not of a format there is.
func canPlot(file string) error {
	if file == "-" || !slices.Contains(plotFormats, filepath.Ext(file)) {
		return fmt.Errorf("--plot %q: give the name of a file that ends in %s", file, strings.Join(plotFormats, " or "))
	}
	return nil
}

// Colours of classes: nothing broken is pale, and it gets darker with what is;
// they differ in lightness too, for those who see no hue and for paper.
var (
	paleColour   = color.NRGBA{0xe6, 0xec, 0xf1, 0xff}
	brokenColour = []color.Color{
		color.NRGBA{0xf7, 0xd5, 0x7e, 0xff}, color.NRGBA{0xe8, 0x8b, 0x3a, 0xff}, color.NRGBA{0xb8, 0x2e, 0x2e, 0xff},
		color.NRGBA{0x7a, 0x2b, 0x5f, 0xff}, color.NRGBA{0x3f, 0x2a, 0x57, 0xff}, color.NRGBA{0x1c, 0x1c, 0x30, 0xff},
	}
	otherColour = []color.Color{
		color.NRGBA{0x9e, 0xca, 0xe1, 0xff}, color.NRGBA{0xe8, 0x8b, 0x3a, 0xff}, color.NRGBA{0x2e, 0x7d, 0x5b, 0xff},
		color.NRGBA{0x7a, 0x2b, 0x5f, 0xff}, color.NRGBA{0xf7, 0xd5, 0x7e, 0xff}, color.NRGBA{0x2b, 0x4c, 0x7e, 0xff},
		color.NRGBA{0xb8, 0x2e, 0x2e, 0xff}, color.NRGBA{0x80, 0x80, 0x80, 0xff},
	}
	lineColour = color.NRGBA{0x1f, 0x2d, 0x3d, 0xff}
)

// class is a kind of cell that has one colour.
type class struct {
	name   string
	colour color.Color
}

// classes sorts the cells: by the set of properties that are broken if there
// are properties, else by the text that the store is left with, else by how
// long someone is blocked.
func (s *cells) classes() (of []int, all []class) {
	var properties []int
	text, number := -1, -1
	for m := range s.metrics {
		switch s.metrics[m].kind {
		case ofText:
			text = m
		case ofNumber:
			number = m
		default:
			properties = append(properties, m)
		}
	}
	switch {
	case len(properties) > 0:
		return s.classesOfProperties(properties)
	case text >= 0:
		return s.classesOf(func(i int) string { return fmt.Sprintf("left with %q", s.at(i, text).text) })
	}
	return s.classesOfNumbers(number)
}

// classesOfNumbers makes a handful of classes, from none to the most.
func (s *cells) classesOfNumbers(m int) (of []int, all []class) {
	top := 0
	for i := range s.len() {
		top = max(top, s.at(i, m).number)
	}
	step := top/len(brokenColour) + 1
	shades := append([]color.Color{paleColour}, brokenColour...)
	for from := 0; from <= top; from += step {
		name := fmt.Sprintf("%s %d to %d ticks", s.metrics[m].name, from, from+step-1)
		if step == 1 {
			name = s.metrics[m].name + " " + count(from, "tick")
		}
		all = append(all, class{name, shades[len(all)]})
	}
	never := len(all)
	all = append(all, class{"never got the lock", color.NRGBA{0x80, 0x80, 0x80, 0xff}})
	for i := range s.len() {
		if n := s.at(i, m).number; n < 0 {
			of = append(of, never)
		} else {
			of = append(of, n/step)
		}
	}
	if !slices.Contains(of, never) {
		all = all[:never]
	}
	return of, all
}

func (s *cells) classesOfProperties(properties []int) (of []int, all []class) {
	sets := make([]uint, s.len())
	var order []uint
	for i := range sets {
		for k, m := range properties {
			if s.at(i, m).broken {
				sets[i] |= 1 << k
			}
		}
		if !slices.Contains(order, sets[i]) {
			order = append(order, sets[i])
		}
	}
	slices.SortFunc(order, func(a, b uint) int {
		if n := bits.OnesCount(a) - bits.OnesCount(b); n != 0 {
			return n
		}
		return int(a) - int(b)
	})
	// The worst is red, whatever there is below it.
	colours := brokenColour
	switch {
	case len(order) == 1 || len(order) == 2 && order[0] == 0:
		colours = colours[2:]
	case len(order) == 2 || len(order) == 3 && order[0] == 0:
		colours = []color.Color{colours[0], colours[2]}
	}
	broken := 0
	for _, set := range order {
		if set == 0 {
			all = append(all, class{"nothing broken", paleColour})
			continue
		}
		var names []string
		for k, m := range properties {
			if set&(1<<k) != 0 {
				names = append(names, s.metrics[m].name)
			}
		}
		all = append(all, class{strings.Join(names, ", "), colours[broken%len(colours)]})
		broken++
	}
	for _, set := range sets {
		of = append(of, slices.Index(order, set))
	}
	return of, all
}

// classesOf makes a class of each name, in the order of their first cells.
func (s *cells) classesOf(name func(i int) string) (of []int, all []class) {
	for i := range s.len() {
		k := slices.IndexFunc(all, func(c class) bool { return c.name == name(i) })
		if k < 0 {
			k = len(all)
			all = append(all, class{name(i), otherColour[k%len(otherColour)]})
		}
		of = append(of, k)
	}
	return of, all
}

// plot draws the cells.
func (s *cells) plot(w io.Writer, ext string) error {
	p := plot.New()
	p.BackgroundColor = color.White
	p.Title.Text = s.title()
	sans(&p.Title.TextStyle, 14)
	p.Title.Padding = vg.Points(10)
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		sans(&a.Label.TextStyle, 12)
		a.Label.Padding = vg.Points(5)
		sans(&a.Tick.Label, 10)
		a.Padding = 0
	}
	of, all := s.classes()
	legend := plot.NewLegend()
	legend.Left, legend.Top = true, true
	sans(&legend.TextStyle, 11)
	legend.Padding = vg.Points(4)
	legend.ThumbnailWidth = vg.Points(22)
	for i := range all {
		legend.Add(" "+all[i].name, &all[i])
	}

	nx, ny := len(s.axes[0].Values), 1
	p.X.Label.Text = s.label(s.axes[0].Param)
	p.X.Tick.Marker = indexTicks(s.axes[0].Values)
	p.X.Min, p.X.Max = -0.5, float64(nx)-0.5
	tiles := &tiles{nx: nx, of: of, all: all}
	if len(s.axes) == 2 {
		ny = len(s.axes[1].Values)
		p.Y.Label.Text = s.label(s.axes[1].Param)
		p.Y.Tick.Marker = indexTicks(s.axes[1].Values)
		p.Y.Min, p.Y.Max = -0.5, float64(ny)-0.5
		tiles.bottom, tiles.height = -0.5, 1
		p.Add(tiles)
	} else if err := s.plotLine(p, tiles, &legend); err != nil {
		return err
	}

	const wide, high = 18 * vg.Centimeter, 15 * vg.Centimeter
	var c vg.CanvasWriterTo = vgsvg.New(wide, high)
	if ext == ".png" {
		c = vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(wide, high), vgimg.UseDPI(120))}
	}
	page := draw.New(c)
	page.SetColor(color.White)
	page.Fill(page.Rectangle.Path())
	const edge = 14
	page = draw.Crop(page, edge, -edge, edge, -edge)
	below := legend.Rectangle(page).Size().Y + vg.Points(6)
	p.Draw(draw.Crop(page, 0, 0, below, 0))
	foot := draw.Crop(page, vg.Points(30), 0, 0, 0)
	foot.Max.Y = foot.Min.Y + below - vg.Points(6)
	legend.Draw(foot)
	_, err := c.WriteTo(w)
	return err
}

// title says what the colours show.
func (s *cells) title() string {
	has := func(kinds ...metricKind) bool {
		return slices.ContainsFunc(s.metrics, func(m metric) bool { return slices.Contains(kinds, m.kind) })
	}
	what := "How long " + s.subject + " blocks"
	switch {
	case has(ofProperty, ofReport, ofVerdict):
		what = "What " + s.subject + " breaks"
	case has(ofText):
		what = "What " + s.subject + " leaves"
	}
	return what + " (" + s.world + ")"
}

// sans sets a style in the sans-serif face that comes with the library.
func sans(style *text.Style, points float64) {
	style.Font.Variant, style.Font.Size = "Sans", vg.Points(points)
}

// plotLine draws a sweep over one parameter: a column for each value, and how
// long someone is blocked as a line over them.
func (s *cells) plotLine(p *plot.Plot, tiles *tiles, legend *plot.Legend) error {
	number := slices.IndexFunc(s.metrics, func(m metric) bool { return m.kind == ofNumber })
	if number < 0 {
		number = slices.IndexFunc(s.metrics, func(m metric) bool { return m.kind == ofVerdict })
	}
	top := 1
	var points plotter.XYs
	if number >= 0 {
		for i := range s.len() {
			v := s.at(i, number)
			if s.metrics[number].kind == ofNumber && v.number >= 0 || v.broken {
				top = max(top, v.number)
				points = append(points, plotter.XY{X: float64(i), Y: float64(v.number)})
			}
		}
	}
	p.Y.Min, p.Y.Max = 0, float64(top)*1.1
	tiles.bottom, tiles.height = 0, p.Y.Max
	p.Add(tiles)
	if len(points) == 0 {
		p.HideY()
		return nil
	}
	line, dots, err := plotter.NewLinePoints(points)
	if err != nil {
		return err
	}
	line.Color, line.Width = lineColour, vg.Points(1.5)
	dots.Color, dots.Shape, dots.Radius = lineColour, draw.CircleGlyph{}, vg.Points(2.5)
	p.Add(line, dots)
	name := "steps of the shortest counterexample to " + s.metrics[number].name
	p.Y.Label.Text = "steps"
	if s.metrics[number].kind == ofNumber {
		name = "how long the last client waits for the lock"
		p.Y.Label.Text = s.label(s.metrics[number].name)
	}
	p.Y.Tick.Marker = wholeTicks{}
	legend.Add(" "+name, line, dots)
	return nil
}

// label is the text of an axis, with its unit.
func (s *cells) label(param string) string {
	_, what, named := strings.Cut(param, ".")
	if !named {
		what = param
	}
	switch what {
	case "servers":
		return param + " (lock servers)"
	case "clients", "rounds", "pauses":
		return param + " (number)"
	}
	if s.tick != "" {
		return param + " (ticks of " + s.tick + ")"
	}
	return param + " (ticks)"
}

// tiles paints cells, each row in runs of one colour.
type tiles struct {
	nx             int
	of             []int
	all            []class
	bottom, height float64
}

func (t *tiles) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	rows := len(t.of) / t.nx
	for j := range rows {
		row := t.of[j*t.nx : (j+1)*t.nx]
		lo, hi := y(t.bottom+float64(j)*t.height), y(t.bottom+float64(j+1)*t.height)
		for i := 0; i < t.nx; {
			k := i
			for k < t.nx && row[k] == row[i] {
				k++
			}
			fill(c, t.all[row[i]].colour, x(float64(i)-0.5), lo, x(float64(k)-0.5), hi)
			i = k
		}
	}
	// White lines tell cells apart, where they are large enough.
	if size := x(1) - x(0); size < vg.Points(3) {
		return
	}
	thin := draw.LineStyle{Color: color.White, Width: vg.Points(0.5)}
	for i := 1; i < t.nx; i++ {
		c.StrokeLine2(thin, x(float64(i)-0.5), y(t.bottom), x(float64(i)-0.5), y(t.bottom+float64(rows)*t.height))
	}
	for j := 1; j < rows; j++ {
		at := y(t.bottom + float64(j)*t.height)
		c.StrokeLine2(thin, x(-0.5), at, x(float64(t.nx)-0.5), at)
	}
}

// Thumbnail is the sample of a class in a legend.
func (k *class) Thumbnail(c *draw.Canvas) {
	fill(*c, k.colour, c.Min.X, c.Min.Y, c.Max.X, c.Max.Y)
}

func fill(c draw.Canvas, colour color.Color, x0, y0, x1, y1 vg.Length) {
	c.FillPolygon(colour, []vg.Point{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}})
}

// indexTicks labels positions 0, 1, 2 … with values: all of them if they are
// few, else those that are round.
func indexTicks(values []int) plot.ConstantTicks {
	const most = 16
	round := 1
	for _, step := range []int{1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 10_000, 100_000} {
		round = step
		n := 0
		for _, v := range values {
			if v%step == 0 {
				n++
			}
		}
		if n <= most {
			break
		}
	}
	var ticks plot.ConstantTicks
	for i, v := range values {
		if len(values) <= most || v%round == 0 || i == 0 && v == 1 {
			ticks = append(ticks, plot.Tick{Value: float64(i), Label: strconv.Itoa(v)})
		}
	}
	if len(ticks) == 0 {
		ticks = plot.ConstantTicks{{Value: 0, Label: strconv.Itoa(values[0])}}
	}
	return ticks
}

// wholeTicks labels whole numbers, a handful of them.
type wholeTicks struct{}

func (wholeTicks) Ticks(lo, hi float64) (out []plot.Tick) {
	step := 1
	for _, s := range []int{2, 5, 10, 20, 50, 100, 200, 500, 1000, 10_000, 100_000, 1_000_000} {
		if (hi-lo)/float64(step) > 10 {
			step = s
		}
	}
	for v := int(lo) / step * step; float64(v) <= hi; v += step {
		out = append(out, plot.Tick{Value: float64(v), Label: strconv.Itoa(v)})
	}
	return out
}
