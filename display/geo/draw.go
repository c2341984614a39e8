package geo

import (
	"errors"
	"fmt"
	"math"
	"sort"
	"strings"

	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/display/internal/guide"
)

// Figure draws the map without rendering it to a format.
func (m *Map) Figure() (*figure.Figure, error) {
	s, err := m.sheet()
	if err != nil {
		return nil, err
	}
	f := figure.New(math.Ceil(s.w), math.Ceil(s.h))
	guide.Title(f, m.title, s.w)
	s.draw(f)
	s.legend.Draw(f, s.w-s.legend.Width()+4, s.area.y0, math.Min(s.area.y1-s.area.y0, 220))
	guide.Note(f, s.note())
	f.Text = s.text()
	guide.Describe(f, m.title, s.kind())
	return f, nil
}

// draw draws regions and points.
func (s *sheet) draw(f *figure.Figure) {
	m := s.m
	if s.world || m.base == nil {
		s.graticule().draw(f)
	}
	for i := range s.shapes {
		s.region(f, i)
	}
	s.places(f)
	if len(m.points) == 0 && s.empty() {
		f.Label((s.area.x0+s.area.x1)/2, (s.area.y0+s.area.y1)/2, "there is nothing to draw", guide.Text(guide.AxisFont, figure.Soft(), figure.Middle))
	}
}

// empty reports whether there are no shapes.
func (s *sheet) empty() bool {
	for _, h := range s.shapes {
		if len(h.fill)+len(h.lines)+len(h.dots) > 0 {
			return false
		}
	}
	return true
}

// kind returns the kind of the map for its description.
func (s *sheet) kind() string {
	switch {
	case s.m.asked && len(s.m.points) > 0:
		return "Map of regions and points"
	case s.m.asked:
		return "Map of regions"
	}
	return "Map of points"
}

// border returns the color of borders, which is visible on all fills.
func border() figure.Color { return figure.Mix(figure.Frame(), figure.Paper(), 0.25) }

// region draws a feature.
func (s *sheet) region(f *figure.Figure, i int) {
	h := &s.shapes[i]
	fill := figure.Faint()
	if s.m.asked {
		fill = s.color(i)
	}
	style := figure.Style{Fill: fill, Stroke: border(), Width: 0.6}
	if h.borders != nil {
		style.Stroke = fill // hides the seams
	}
	if h.fill != nil {
		f.Area(h.fill, style)
	}
	for _, b := range h.borders {
		f.Polyline(b, figure.Style{Stroke: border(), Width: 0.6})
	}
	line := figure.Frame()
	if s.m.asked && !math.IsNaN(s.value[i]) {
		line = fill
	}
	for _, l := range h.lines {
		f.Polyline(l, figure.Style{Stroke: line, Width: 1.2})
	}
	for _, d := range h.dots {
		f.Marker(d.X, d.Y, 2, figure.Circle, figure.Style{Fill: fill, Stroke: figure.Frame(), Width: 0.6})
	}
}

// places draws the points, large ones first.
func (s *sheet) places(f *figure.Figure) {
	m := s.m
	order := make([]int, 0, len(m.points))
	for i := range m.points {
		if s.known(i) {
			order = append(order, i)
		}
	}
	if m.size != nil {
		sort.SliceStable(order, func(a, b int) bool { return m.size[order[a]] > m.size[order[b]] })
	}
	for _, i := range order {
		shape := figure.Circle
		if m.class != nil {
			shape = s.symbol(m.class[i])
		}
		p := s.pixel(s.turned(m.points[i].lon), m.points[i].lat)
		f.Marker(p.X, p.Y, s.radiusOf(i), shape, figure.Style{Fill: figure.Opacity(s.colorOf(i), 0.8), Stroke: figure.Paper(), Width: 0.6})
	}
}

// graticule is the meridians and parallels. They have labels if no regions show where the map is.
type graticule struct {
	lines  [][]figure.Point
	labels []degree
}

// degree is the label at the end of a meridian or a parallel.
type degree struct {
	at     figure.Point
	text   string
	anchor figure.Anchor
}

func (g graticule) draw(f *figure.Figure) {
	for _, l := range g.lines {
		f.Polyline(l, figure.Style{Stroke: graticuleColor(), Width: 0.7})
	}
	for _, d := range g.labels {
		f.Label(d.at.X, d.at.Y, d.text, guide.Text(guide.TickFont, figure.Soft(), d.anchor))
	}
}

func graticuleColor() figure.Color { return figure.Mix(figure.Faint(), figure.Frame(), 0.15) }

func (s *sheet) graticule() (g graticule) {
	west, south, east, north := s.ends()
	step := 30.0
	for _, d := range []float64{10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01} {
		if math.Max(east-west, north-south) < 4*step {
			step = d
		}
	}
	digits := int(math.Max(0, math.Ceil(-math.Log10(step)-1e-9)))
	line := func(a, b place) {
		path := []figure.Point{s.pixel(a.lon, a.lat)}
		for k := 1; k <= 60; k++ {
			t := float64(k) / 60
			path = append(path, s.pixel(a.lon+t*(b.lon-a.lon), a.lat+t*(b.lat-a.lat)))
		}
		g.lines = append(g.lines, simple(path, false))
	}
	middle := s.layout.middle.lon
	apart := math.Abs(s.pixel(step, south).X - s.pixel(0, south).X)
	name := func(k float64) string { return degrees(k*step-360*math.Round(k*step/360), digits, "E", "W") }
	widest := guide.TickFont.Width(name(math.Ceil((west + middle) / step)))
	every := math.Max(1, math.Ceil((widest+6)/math.Max(apart, 1))) // so that labels do not touch
	for k := math.Ceil((west + middle) / step); k*step <= east+middle+1e-9; k++ {
		lon := k*step - middle
		line(place{lon, south}, place{lon, north})
		if s.m.base == nil {
			at := figure.Point{X: s.pixel(lon, south).X, Y: s.area.y1 + 11}
			if math.Mod(k, every) == 0 {
				g.labels = append(g.labels, degree{at, name(k), figure.Middle})
			}
		}
	}
	for k := math.Ceil(south / step); k*step <= north+1e-9; k++ {
		line(place{west, k * step}, place{east, k * step})
		if s.m.base == nil {
			at := figure.Point{X: s.area.x0 - 4, Y: s.pixel(west, k*step).Y + 4}
			g.labels = append(g.labels, degree{at, degrees(k*step, digits, "N", "S"), figure.End})
		}
	}
	if s.world && s.layout.kind != Azimuthal {
		for _, end := range [][2]place{{{-180, -90}, {-180, 90}}, {{180, -90}, {180, 90}}, {{-180, 90}, {180, 90}}, {{-180, -90}, {180, -90}}} {
			line(end[0], end[1])
		}
	}
	return g
}

// ends returns the range of longitudes, relative to the center, and latitudes that are drawn.
func (s *sheet) ends() (west, south, east, north float64) {
	if s.world {
		return -180, -90, 180, 90
	}
	west, south, east, north = 180, 90, -180, -90
	s.m.each(func(a, _ place) {
		lon := s.turned(a.lon)
		west, east = math.Min(west, lon), math.Max(east, lon)
		south, north = math.Min(south, a.lat), math.Max(north, a.lat)
	})
	if west > east {
		return -100, -60, 100, 60
	}
	air := math.Max(0.05*math.Max(east-west, north-south), 0.01)
	return west - air, math.Max(-90, south-air), east + air, math.Min(90, north+air)
}

// degrees formats a longitude or a latitude.
func degrees(v float64, digits int, positive, negative string) string {
	s := fmt.Sprintf("%.*f°", digits, math.Abs(v))
	switch {
	case strings.Trim(s, "0.°") == "":
		return "0°"
	case v < 0:
		return s + negative
	}
	return s + positive
}

// text lists the regions with the largest and the smallest values.
func (s *sheet) text() string {
	m := s.m
	var b strings.Builder
	line := func(format string, args ...any) {
		if t := fmt.Sprintf(format, args...); t != "" {
			b.WriteString(t + "\n")
		}
	}
	line("%s", m.title)
	if m.base != nil {
		line("%s, %v", guide.Plural(m.base.Len(), "region", "regions"), s.layout.kind)
	} else {
		line("%v", s.layout.kind)
	}
	if m.asked {
		s.listValues(line)
	}
	if m.points != nil {
		west, south, east, north := s.extent()
		line("%s", guide.Plural(len(m.points)-s.unplaced(), "point", "points")+fmt.Sprintf(" from %s, %s to %s, %s",
			degrees(west, 1, "E", "W"), degrees(south, 1, "N", "S"), degrees(east, 1, "E", "W"), degrees(north, 1, "N", "S")))
		s.countClasses(line)
	}
	line("%s", s.legend.Text())
	line("%s", s.note())
	if m.base != nil {
		for _, p := range m.base.Problems() {
			line("%s", p)
		}
	}
	return strings.TrimRight(b.String(), "\n")
}

// extent returns the range of the points that are drawn.
func (s *sheet) extent() (west, south, east, north float64) {
	west, south, east, north = math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for i, p := range s.m.points {
		if s.known(i) {
			west, east = math.Min(west, p.lon), math.Max(east, p.lon)
			south, north = math.Min(south, p.lat), math.Max(north, p.lat)
		}
	}
	if west > east {
		return 0, 0, 0, 0
	}
	return west, south, east, north
}

// countClasses writes the number of points of each class.
func (s *sheet) countClasses(line func(format string, args ...any)) {
	n := make([]int, len(s.m.labels))
	for i, k := range s.m.class {
		if s.known(i) {
			n[k]++
		}
	}
	for k, name := range s.m.labels {
		line("%s: %d", name, n[k])
	}
}

// listValues lists the regions by value, at most the five largest and five smallest.
func (s *sheet) listValues(line func(format string, args ...any)) {
	var with []int
	for i, v := range s.value {
		if !math.IsNaN(v) {
			with = append(with, i)
		}
	}
	if s.m.levels != nil {
		for k, level := range s.m.levels {
			var names []string
			for _, i := range with {
				if int(s.value[i]) == k {
					names = append(names, s.name(i))
				}
			}
			rest := ""
			if len(names) > 8 {
				names, rest = names[:8], fmt.Sprintf(" and %d more", len(names)-8)
			}
			line("%s: %s%s", level, strings.Join(names, ", "), rest)
		}
		return
	}
	sort.SliceStable(with, func(a, b int) bool { return s.value[with[a]] > s.value[with[b]] })
	for n, i := range with {
		switch {
		case n < 5 || n >= len(with)-5 || len(with) <= 11:
			line("%s %s %s", s.name(i), strings.Repeat("█", int(20*guide.Share(s.value[i], math.Min(0, s.lo), s.hi))), guide.Short(s.value[i]))
		case n == 5:
			line("... %d more", len(with)-10)
		}
	}
	if n := s.missing(); n > 0 {
		line("%s", guide.Plural(n, "region has no value", "regions have no value"))
	}
}

// name returns the name of a region.
func (s *sheet) name(i int) string {
	f := &s.m.base.features[i]
	for _, p := range []string{s.m.key, "name", "NAME", "Name"} {
		if v := f.property(p); p != "" && v != nil {
			return written(v)
		}
	}
	if len(s.m.names) > 0 {
		if key, err := s.m.base.keyFor(s.m.names); err == nil && f.property(key) != nil {
			return written(f.property(key))
		}
	}
	if f.id != "" {
		return f.id
	}
	return fmt.Sprintf("region %d", i)
}

// check returns an error if the colors of the map would have two meanings.
func (m *Map) check() error {
	switch {
	case m.radius > 0 && m.points == nil:
		return errors.New("geo.Radius: the map has no points; add some with Points, or leave Radius out")
	case m.scheme != nil && (m.asked && m.levels != nil || !m.asked && m.shade == nil):
		return errors.New("geo.Scheme: the colors of the map do not show numbers; leave Scheme out")
	case m.asked && m.shade != nil:
		return errors.New("geo.By: the colors of the map already show the values of regions; pass classes for the points, or set their areas with Size")
	case m.asked && m.class != nil && m.levels != nil:
		return errors.New("geo.By: the colors of the map already show the classes of regions; draw points of other classes on a separate map")
	}
	return nil
}
