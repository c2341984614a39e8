package geo

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/display/internal/guide"
)

// sheet is a map while it is drawn: values joined to regions, and positions in pixels.
type sheet struct {
	m       *Map
	layout  layout
	world   bool
	w, h    float64 // size of the figure
	area    struct{ x0, y0, x1, y1 float64 }
	scale   float64
	shift   figure.Point
	value   []float64 // value of each feature, NaN if missing
	lo, hi  float64   // range of the values
	scheme  figure.Scheme
	whole   bool
	strange []string // names of rows that match no region
	several bool     // whether some regions have several rows
	legend  guide.Legend
	shapes  []shape // shapes of the features
}

// shape is a feature in pixels.
type shape struct {
	fill    [][]figure.Point // outlines, and holes in the opposite direction
	borders [][]figure.Point // set if they are not all of the outlines
	lines   [][]figure.Point
	dots    []figure.Point // places, and areas too small for an outline
}

func (m *Map) sheet() (*sheet, error) {
	if m.err != nil {
		return nil, m.err
	}
	if m.asked && m.base == nil {
		return nil, fmt.Errorf("%s: there are no regions; add them with .On(\"regions.geojson\")", m.reader.Verb)
	}
	if m.base == nil && m.points == nil {
		return nil, errNothing
	}
	if err := m.check(); err != nil {
		return nil, err
	}
	s := &sheet{m: m}
	if err := s.join(); err != nil {
		return nil, err
	}
	s.colors()
	s.lay()
	return s, nil
}

// join finds the value of each region.
func (s *sheet) join() error {
	m := s.m
	if m.base != nil {
		s.value = slices.Repeat([]float64{math.NaN()}, len(m.base.features))
	}
	if !m.asked || len(m.names) == 0 {
		return nil
	}
	key := m.key
	if key == "" {
		var err error
		if key, err = m.base.keyFor(m.names); err != nil {
			return fmt.Errorf("%s: %w", m.reader.Verb, err)
		}
	}
	of := map[string][]int{}
	for i := range m.base.features {
		if v := m.base.features[i].property(key); v != nil {
			of[written(v)] = append(of[written(v)], i)
		}
	}
	sum, rows := map[string]float64{}, map[string]int{}
	for i, name := range m.names {
		if rows[name] > 0 && m.levels != nil && sum[name] != m.values[i] {
			return fmt.Errorf("%s: region %q must have one value, got %q and %q", m.reader.Verb, name, m.levels[int(sum[name])], m.levels[int(m.values[i])])
		}
		if of[name] == nil && !slices.Contains(s.strange, name) {
			s.strange = append(s.strange, name)
		}
		rows[name]++
		if m.levels != nil {
			sum[name] = m.values[i]
		} else {
			sum[name] += m.values[i]
		}
	}
	if len(s.strange) == len(rows) && m.whole == nil {
		return fmt.Errorf("%s: no region has one of the names, such as %s; the regions have %s", m.reader.Verb, quoted(m.names, 3), m.base.examples())
	}
	for name, n := range rows {
		v := sum[name]
		switch {
		case m.counts:
			v = float64(n)
		case m.levels == nil:
			v /= float64(n)
			s.several = s.several || n > 1
		}
		for _, i := range of[name] {
			s.value[i] = v
		}
	}
	return nil
}

// colors chooses the colors and their legend.
func (s *sheet) colors() {
	m := s.m
	title := m.legend
	values := s.value
	if !m.asked {
		title, values = m.by, m.shade
	}
	if s.several && title != "" {
		title = "mean of " + title
	}
	s.legend.Title = title
	if s.lo, s.hi = guide.Span(values); m.ends != nil {
		s.lo, s.hi = m.ends[0], m.ends[1]
	}
	s.whole = m.counts || guide.Whole(values)
	if m.asked && m.levels != nil {
		for k, name := range m.levels {
			s.legend.Entries = append(s.legend.Entries, guide.Entry{Name: name, Color: figure.Class(k), Look: guide.Patch})
		}
	} else if s.lo <= s.hi {
		s.scheme = figure.Viridis
		switch {
		case m.counts:
			s.scheme, s.lo = figure.Blues, 0
		case s.lo < 0 && s.hi > 0:
			s.scheme = figure.BlueRed
		}
		if m.scheme != nil {
			s.scheme = *m.scheme
		}
		if s.scheme.Diverges() && s.lo < 0 {
			s.hi = math.Max(s.hi, -s.lo)
			s.lo = -s.hi
		}
		s.legend.Bar = &guide.Bar{Scheme: s.scheme, Lo: s.lo, Hi: s.hi, Whole: s.whole}
	}
	if m.asked && s.missing() > 0 {
		s.legend.Entries = append(s.legend.Entries, guide.Entry{Name: noValue, Color: figure.Faint(), Look: guide.Patch})
	}
	for k, name := range m.labels {
		s.legend.Entries = append(s.legend.Entries, guide.Entry{Name: name, Color: figure.Class(k), Look: guide.Dot, Shape: s.symbol(k)})
	}
}

// noValue is the legend entry for regions without a value.
const noValue = "no value"

// symbol returns the shape of the points of a class. If areas show values, all points are round,
// so that they can be compared.
func (s *sheet) symbol(class int) figure.Shape {
	if s.m.size != nil {
		return figure.Circle
	}
	return figure.Shape(class % int(figure.Shapes))
}

// missing counts the regions without a value.
func (s *sheet) missing() int {
	n := 0
	for i, v := range s.value {
		if math.IsNaN(v) && len(s.m.base.features[i].areas) > 0 {
			n++
		}
	}
	return n
}

// color returns the color of a region.
func (s *sheet) color(i int) figure.Color {
	v := s.value[i]
	switch {
	case math.IsNaN(v):
		return figure.Faint()
	case s.m.levels != nil:
		return figure.Class(int(v))
	}
	return s.scheme.At(guide.Share(v, s.lo, s.hi))
}

// Sizes of a map.
const (
	defaultWidth = 600
	pad          = 10
	least        = 1 / 3.0 // size in pixels of the smallest details that are kept
)

// lay chooses the projection and converts all positions to pixels.
func (s *sheet) lay() {
	m := s.m
	var longitudes [360]bool
	south, north := 90.0, -90.0
	cover := func(a, b place) {
		south, north = math.Min(south, a.lat), math.Max(north, a.lat)
		from, to := math.Min(a.lon, b.lon), math.Max(a.lon, b.lon)
		for k := math.Floor(from); k <= to && k < from+360; k++ {
			longitudes[((int(k)+180)%360+360)%360] = true
		}
	}
	m.each(cover)
	if south > north {
		south, north = -60, 60
	}
	s.layout = layoutOf(m.kind, &longitudes, south, north)
	_, span := occupied(&longitudes)
	s.world = span > whole
	s.fit()
	s.shapes = nil
	if m.base != nil {
		for i := range m.base.features {
			s.shapes = append(s.shapes, s.shape(&m.base.features[i]))
		}
	}
}

// each calls cover with both ends of each side of all outlines and lines. Each point is passed as
// both arguments. For a panel, it uses the shapes and points of the whole map.
func (m *Map) each(cover func(a, b place)) {
	m = m.all()
	line := func(places []place) {
		for i := range places {
			cover(places[i], places[max(0, i-1)])
		}
	}
	if m.base != nil {
		for i := range m.base.features {
			f := &m.base.features[i]
			for _, area := range f.areas {
				line(area[0])
			}
			for _, l := range f.lines {
				line(l)
			}
			for _, p := range f.points {
				cover(p, p)
			}
		}
	}
	for _, p := range m.points {
		if !math.IsNaN(p.lon + p.lat) {
			cover(p, p)
		}
	}
}

// fit chooses the size of the map.
func (s *sheet) fit() {
	m := s.m
	t := display.CurrentTheme()
	s.w = m.w / t.Zoom()
	if s.w <= 0 {
		s.w = defaultWidth
		if t.Width > 0 {
			s.w = t.Width / t.Zoom()
		}
	}
	lo, hi := point{math.Inf(1), math.Inf(1)}, point{math.Inf(-1), math.Inf(-1)}
	see := func(p point) {
		lo = point{math.Min(lo.x, p.x), math.Min(lo.y, p.y)}
		hi = point{math.Max(hi.x, p.x), math.Max(hi.y, p.y)}
	}
	if s.world && s.layout.kind != Azimuthal {
		for _, lon := range []float64{-180, 180} {
			for _, lat := range []float64{-90, 0, 90} {
				see(s.layout.at(lon, lat))
			}
		}
	} else {
		m.each(func(a, b place) {
			s.along(a, b, func(p place) { see(s.layout.at(s.turned(p.lon), p.lat)) })
		})
	}
	if lo.x > hi.x { // there is nothing to draw
		lo, hi = point{-1, -0.6}, point{1, 0.6}
	}
	dx, dy := hi.x-lo.x, hi.y-lo.y
	if air := 0.04 * math.Max(math.Max(dx, dy), 0.002); m.base == nil || len(m.all().points) > 0 {
		lo, hi = point{lo.x - air, lo.y - air}, point{hi.x + air, hi.y + air}
		dx, dy = hi.x-lo.x, hi.y-lo.y
	}
	top, bottom := float64(pad), float64(pad)
	if m.title != "" {
		top = 34 + guide.TitleMore(m.title, s.w)
	}
	if s.note() != "" && m.whole == nil {
		bottom += 14
	}
	if m.base == nil {
		bottom += 14 // space for the degrees
	}
	wide := math.Max(60, s.w-2*pad-s.legend.Width())
	if m.whole != nil {
		wide = s.w - 2*pad
	}
	if m.base == nil {
		wide -= 30
	}
	high := wide * dy / math.Max(dx, 1e-9)
	if s.h = m.h / t.Zoom(); s.h > 0 {
		high = math.Max(40, s.h-top-bottom)
	} else {
		high = math.Max(150, math.Min(high, 0.9*s.w))
		s.h = top + high + bottom
	}
	s.area.x0, s.area.y0 = pad, top
	if m.base == nil {
		s.area.x0 += 30
	}
	s.area.x1, s.area.y1 = s.area.x0+wide, top+high
	s.scale = math.Min(wide/math.Max(dx, 1e-9), high/math.Max(dy, 1e-9))
	s.shift = figure.Point{
		X: (s.area.x0+s.area.x1)/2 - s.scale*(lo.x+hi.x)/2,
		Y: (s.area.y0+s.area.y1)/2 + s.scale*(lo.y+hi.y)/2,
	}
}

// all returns the map, or the map of which it is a part.
func (m *Map) all() *Map {
	if m.whole != nil {
		return m.whole
	}
	return m
}

// turned returns a longitude relative to the center, from −180° to 180°.
func (s *sheet) turned(lon float64) float64 {
	d := lon - s.layout.middle.lon
	return d - 360*math.Round(d/360)
}

// pixel converts a longitude, relative to the center, and a latitude to pixels.
func (s *sheet) pixel(lon, lat float64) figure.Point {
	p := s.layout.at(lon, lat)
	return figure.Point{X: s.shift.X + s.scale*p.x, Y: s.shift.Y - s.scale*p.y}
}

// note returns the note about the areas of points and the omitted data.
func (s *sheet) note() string {
	var out []string
	if _, hi := guide.Span(s.m.size); hi > 0 {
		name := s.m.sizeOf
		if name == "" {
			name = "size"
		}
		out = append(out, fmt.Sprintf("areas of points: %s up to %s", name, guide.Short(hi)))
	}
	if n := s.m.left + s.unplaced(); n > 0 {
		out = append(out, guide.Plural(n, "row with a missing value is left out", "rows with missing values are left out"))
	}
	switch n := len(s.strange); {
	case n == 1:
		out = append(out, "no region is called "+quoted(s.strange, 1))
	case n > 3:
		out = append(out, fmt.Sprintf("no regions are called %s and %d more names", quoted(s.strange, 2), n-2))
	case n > 1:
		out = append(out, "no regions are called "+quoted(s.strange, 3))
	}
	return strings.Join(out, "; ")
}

// unplaced counts the points that cannot be drawn.
func (s *sheet) unplaced() int {
	n := 0
	for i := range s.m.points {
		if !s.known(i) {
			n++
		}
	}
	return n
}

// known reports whether point i can be drawn.
func (s *sheet) known(i int) bool {
	m := s.m
	return !math.IsNaN(m.points[i].lon+m.points[i].lat) && (m.class == nil || m.class[i] >= 0) &&
		(m.shade == nil || !math.IsNaN(m.shade[i]) && !math.IsInf(m.shade[i], 0)) && (m.size == nil || !math.IsNaN(m.size[i]))
}

// radiusOf returns the radius of point i.
func (s *sheet) radiusOf(i int) float64 {
	r := s.m.radius
	if s.m.size == nil {
		if r <= 0 {
			r = math.Max(1.6, math.Min(4, 40/math.Sqrt(float64(len(s.m.all().points)+1))))
		}
		return r
	}
	if r <= 0 {
		r = 14
	}
	_, largest := guide.Span(s.m.all().size)
	if !(largest > 0) {
		return 0
	}
	return r * math.Sqrt(s.m.size[i]/largest)
}

// colorOf returns the color of point i.
func (s *sheet) colorOf(i int) figure.Color {
	m := s.m
	switch {
	case m.class != nil:
		return figure.Class(m.class[i])
	case m.shade != nil && !m.asked:
		return s.scheme.At(guide.Share(m.shade[i], s.lo, s.hi))
	case m.asked:
		return figure.Ink()
	}
	return figure.Class(0)
}
