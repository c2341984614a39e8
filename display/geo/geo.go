// Package geo draws maps from GeoJSON: regions colored by a column, and points. The verbs
// Choropleth and Scatter create a map, and its methods add to it.
//
//	geo.Choropleth(f, "land", "rate").On("lands.geojson")
//	geo.Scatter(f, "longitude", "latitude").By("kind").On("lands.geojson")
//
// A map contains its outlines, so it needs no network. Areas on the map are proportional to areas
// on the globe unless the projection is Equirectangular. Borders are straight in longitude and
// latitude between their corners, as RFC 7946 defines, and are simplified to a third of a pixel.
package geo

import (
	"errors"
	"fmt"
	"math"
	"reflect"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/display/internal/guide"
	"github.com/gokernel/gokernel/display/internal/keyed"
	"github.com/gokernel/gokernel/display/internal/variable"
)

// Map holds regions and points on a plane.
type Map struct {
	reader variable.Reader
	base   *Regions
	key    string // property that names the regions; "" until On has found it

	asked  bool               // the map shows values of regions
	rows   [2]variable.Column // names and values of all rows
	names  []string
	values []float64 // values of the rows, NaN if missing
	levels []string  // levels of the values, if they are classes
	counts bool
	legend string

	points []place
	class  []int
	labels []string
	shade  []float64 // values of points on a continuous color scale
	by     string
	size   []float64
	sizeOf string
	radius float64

	title       string
	kind        Projection
	scheme      *figure.Scheme
	w, h        float64
	interactive bool
	left        int         // number of rows with a missing value
	whole       *Map        // if this map is one of several panels, the map of which it is a part
	ends        *[2]float64 // range of the colors of all panels
	err         error
}

// Choropleth colors regions by their values: Choropleth(names, values), Choropleth(m) for a Go map
// from names to numbers or classes, or Choropleth(f, "land", "rate") for a frame. Given only names,
// it counts how often each name occurs. Set the regions with On. If a region has several rows, the
// mean of their numbers is shown; their classes must be equal. Use numbers per unit, such as rates
// and densities, because totals of large regions look larger than they are.
func Choropleth(data ...any) *Map {
	m := &Map{asked: true}
	r, args := variable.Begin("geo.Choropleth", data)
	m.reader = r
	if own, ok := r.Table.(*Regions); ok {
		m.base = own
	}
	if len(args) == 1 && args[0] != nil && reflect.ValueOf(args[0]).Kind() == reflect.Map {
		var err error
		if args, err = entries(args[0]); err != nil {
			return m.fail(err)
		}
	}
	if len(args) != 1 && len(args) != 2 {
		return m.fail(fmt.Errorf("geo.Choropleth: give the names of regions and perhaps their values, got %d arguments", len(args)))
	}
	names, err := r.Names("the names of the regions", args[0])
	if err != nil {
		return m.fail(err)
	}
	values := variable.Column{V: make([]float64, len(names.V))}
	m.counts = len(args) == 1
	if m.counts {
		m.legend = "count"
	} else {
		if values, err = r.Column("the values", args[1]); err == nil && values.Times {
			err = errors.New("geo.Choropleth: the values are times; give numbers or names")
		}
		if err == nil {
			err = r.SameLength([]string{"names", "values"}, names, values)
		}
		if err != nil {
			return m.fail(err)
		}
		m.legend, m.levels = values.Name, values.Levels
	}
	m.rows = [2]variable.Column{names, values}
	m.take()
	return m
}

// take reads the names and the values of the rows.
func (m *Map) take() {
	names, values := m.rows[0], m.rows[1]
	m.names, m.values, m.left = nil, nil, 0
	for i, k := range names.V {
		v := values.V[i]
		if k < 0 || math.IsNaN(v) || math.IsInf(v, 0) || values.Levels != nil && v < 0 {
			m.left++
			continue
		}
		m.names, m.values = append(m.names, names.Levels[int(k)]), append(m.values, v)
	}
}

// entries returns the names and the values of a map.
func entries(data any) ([]any, error) {
	var names, texts []string
	var numbers []float64
	for _, e := range keyed.Sorted(reflect.ValueOf(data)) {
		v := e.Value
		for v.Kind() == reflect.Interface && !v.IsNil() {
			v = v.Elem()
		}
		names = append(names, e.Name)
		switch {
		case v.Kind() == reflect.String:
			texts = append(texts, v.String())
		case v.CanInt():
			numbers = append(numbers, float64(v.Int()))
		case v.CanUint():
			numbers = append(numbers, float64(v.Uint()))
		case v.CanFloat():
			numbers = append(numbers, v.Float())
		default:
			return nil, fmt.Errorf("geo.Choropleth: the value of %s is of type %v; give a map to numbers or to names", e.Name, v.Type())
		}
	}
	switch {
	case names == nil:
		return []any{[]string{}, []float64{}}, nil
	case len(texts) == len(names):
		return []any{names, texts}, nil
	case len(numbers) == len(names):
		return []any{names, numbers}, nil
	}
	return nil, errors.New("geo.Choropleth: the values must be all numbers or all names; give a map to one of the two")
}

// Scatter draws points on a map: Scatter(longitudes, latitudes) in degrees, or Scatter(f,
// "longitude", "latitude") for a frame. A further argument labels the points, as By does. On adds
// regions below the points.
func Scatter(data ...any) *Map {
	m := &Map{}
	r, args := variable.Begin("geo.Scatter", data)
	m.reader = r
	if len(args) == 3 {
		return m.Points(args[0], args[1]).By(args[2])
	}
	if len(args) != 2 {
		return m.fail(fmt.Errorf("geo.Scatter: give longitudes and latitudes in degrees, got %d arguments", len(args)))
	}
	return m.Points(args[0], args[1])
}

// Points adds points at longitudes and latitudes in degrees.
func (m *Map) Points(longitudes, latitudes any) *Map {
	if m.points != nil {
		return m.fail(errors.New("geo.Points: the map already has points; pass all points at once, and separate them with By"))
	}
	lon, err := m.reader.Numbers("the longitudes", longitudes)
	lat, err2 := m.reader.Numbers("the latitudes", latitudes)
	if err = errors.Join(err, err2); err == nil {
		err = m.reader.SameLength([]string{"longitudes", "latitudes"}, lon, lat)
	}
	if err != nil {
		return m.fail(err)
	}
	m.points = make([]place, len(lon.V))
	for i := range lon.V {
		p := place{lon.V[i], lat.V[i]}
		if !math.IsNaN(p.lon + p.lat) {
			if p, err = placeOf(p.lon, p.lat); err != nil {
				return m.fail(fmt.Errorf("geo.Points: row %d: %w", i, err))
			}
		}
		m.points[i] = p
	}
	return m
}

// By sets the colors of points by their labels. Classes have different colors and shapes;
// measurements are mapped to a continuous color scale.
func (m *Map) By(labels any) *Map {
	if m.err != nil {
		return m
	}
	col, err := m.reader.Column("the labels", labels)
	switch {
	case err != nil:
		return m.fail(err)
	case m.points == nil:
		return m.fail(errors.New("geo.By: the map has no points yet; call Points first"))
	case len(col.V) != len(m.points):
		return m.fail(fmt.Errorf("geo.By: there are %d labels for %d points", len(col.V), len(m.points)))
	}
	m.by = col.Name
	if class, names, ok := col.Classes(); ok {
		m.class, m.labels = class, names
		return m
	}
	if col.Times {
		return m.fail(errors.New("geo.By: the labels are times; give names or numbers"))
	}
	m.shade = col.V
	return m
}

// Size sets the width and height of the map in CSS pixels: Size(600, 400). With one argument, a
// slice of numbers or the name of a column, it makes the areas of the points proportional to these
// numbers; Radius then sets the radius of the largest point.
func (m *Map) Size(of ...any) *Map {
	switch len(of) {
	case 1:
		return m.sizePoints(of[0])
	case 2:
		w, h := reflect.ValueOf(of[0]), reflect.ValueOf(of[1])
		if w.IsValid() && h.IsValid() && number(w) > 0 && number(h) > 0 {
			m.w, m.h = number(w), number(h)
			return m
		}
	}
	return m.fail(errors.New("geo.Size: give the width and the height in pixels, or the numbers to show as areas of the points"))
}

func number(v reflect.Value) float64 {
	switch {
	case v.CanInt():
		return float64(v.Int())
	case v.CanFloat():
		return v.Float()
	}
	return math.NaN()
}

func (m *Map) sizePoints(values any) *Map {
	if m.err != nil {
		return m
	}
	col, err := m.reader.Numbers("the sizes", values)
	if err == nil && len(col.V) != len(m.points) {
		err = fmt.Errorf("geo.Size: there are %d sizes for %d points", len(col.V), len(m.points))
	}
	if lo, _ := guide.Span(col.V); err == nil && lo < 0 {
		err = fmt.Errorf("geo.Size: the sizes must not be negative, got %g", lo)
	}
	if err != nil {
		return m.fail(err)
	}
	m.size, m.sizeOf = col.V, col.Name
	return m
}

// Radius sets the radius of the points in CSS pixels.
func (m *Map) Radius(r float64) *Map { m.radius = r; return m }

// On sets the regions of the map: a source that [Read] accepts, or the result of Read. The
// regions are identified by the given property or, by default, by the property in which most of
// the names occur.
func (m *Map) On(source any, property ...string) *Map {
	r, ok := source.(*Regions)
	if !ok || r == nil {
		var err error
		if r, err = Read(source); err != nil {
			return m.fail(err)
		}
	}
	m.base = r
	if len(property) > 1 {
		return m.fail(fmt.Errorf("geo.On: pass one property, the one that names the regions, got %d", len(property)))
	}
	for _, p := range property {
		if _, ok := r.ColumnValues(p); !ok {
			return m.fail(fmt.Errorf("geo.On: no region has the property %q; use one of %s", p, r.examples()))
		}
		m.key = p
	}
	return m
}

func (m *Map) fail(err error) *Map {
	if m.err == nil {
		m.err = err
	}
	return m
}

// Project sets the projection; see [Automatic].
func (m *Map) Project(p Projection) *Map {
	if p < Automatic || p > Equirectangular {
		return m.fail(fmt.Errorf("geo.Project: the projection must be one of the constants, got %d; use EqualEarth, Azimuthal or Equirectangular", int(p)))
	}
	m.kind = p
	return m
}

// EqualEarth sets the projection [EqualEarth].
func (m *Map) EqualEarth() *Map { return m.Project(EqualEarth) }

// Azimuthal sets the projection [Azimuthal].
func (m *Map) Azimuthal() *Map { return m.Project(Azimuthal) }

// Equirectangular sets the projection [Equirectangular].
func (m *Map) Equirectangular() *Map { return m.Project(Equirectangular) }

// Scheme sets the colors of numbers by name, such as "viridis" or "blues"; for values around zero
// use "bluered" or "redblue", whose middle is zero. An unknown name is an error that lists all
// names. By default, counts have the scheme blues, values on both sides of zero have bluered, and
// other values have viridis.
func (m *Map) Scheme(name string) *Map {
	s, err := figure.SchemeNamed(name)
	if err != nil {
		return m.fail(fmt.Errorf("geo.Scheme: %w", err))
	}
	m.scheme = &s
	return m
}

// Title sets the title above the map.
func (m *Map) Title(s string) *Map { m.title = guide.Typeset(s); return m }

// Legend sets the title of the color scale.
func (m *Map) Legend(s string) *Map {
	if m.asked {
		m.legend = guide.Typeset(s)
	} else {
		m.by = guide.Typeset(s)
	}
	return m
}

// Interactive adds a Vega-Lite version that shows the name of the region or point under the
// mouse.
func (m *Map) Interactive() *Map { m.interactive = true; return m }

// Save writes the figure to a file whose name ends in .svg, .png or .pdf.
func (m *Map) Save(path string) error { return figure.Save(m, path) }

// Display renders the map.
func (m *Map) Display() (display.Bundle, error) {
	f, err := m.Figure()
	if err != nil {
		return display.Bundle{}, err
	}
	b, err := f.Display()
	if err != nil || !m.interactive {
		return b, err
	}
	b.Data[display.MIMEVegaLite], err = m.VegaLite()
	return b, err
}
