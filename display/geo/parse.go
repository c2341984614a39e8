package geo

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
)

// document is any GeoJSON object.
type document struct {
	Type        string
	ID          any
	Properties  json.RawMessage
	Geometry    *document
	Geometries  []document
	Features    []document
	Coordinates json.RawMessage
	CRS         *struct {
		Properties struct{ Name string }
	}
}

// parse decodes a document.
func parse(data []byte) (*Regions, error) {
	var d document
	if err := json.Unmarshal(data, &d); err != nil {
		return nil, fmt.Errorf("it is not GeoJSON: %w", err)
	}
	if c := d.CRS; c != nil {
		// RFC 7946 allows only degrees of WGS 84; older documents may say so explicitly.
		if n := c.Properties.Name; n != "" && !strings.Contains(n, "CRS84") && !strings.Contains(n, "4326") {
			return nil, fmt.Errorf("its coordinate system must be EPSG:4326 (longitude and latitude), got %q; convert the file", n)
		}
	}
	r := &Regions{}
	switch d.Type {
	case "FeatureCollection":
		known := map[string]bool{}
		for i := range d.Features {
			if err := r.add(&d.Features[i], known); err != nil {
				return nil, fmt.Errorf("feature %d%w", i, err)
			}
		}
	case "Topology":
		return nil, errors.New("it is TopoJSON: convert it to GeoJSON with topo2geo or mapshaper")
	case "":
		return nil, errors.New("it has no type, such as FeatureCollection; it is not GeoJSON")
	case "Feature":
		if err := r.add(&d, map[string]bool{}); err != nil {
			return nil, fmt.Errorf("the feature%w", err)
		}
	default:
		if err := r.add(&document{Type: "Feature", Geometry: &d}, nil); err != nil {
			return nil, fmt.Errorf("the geometry%w", err)
		}
	}
	return r, nil
}

// add adds a feature. Its errors start with the feature's name.
func (r *Regions) add(d *document, known map[string]bool) error {
	if d.Type != "Feature" {
		return fmt.Errorf(" is a %q, not a Feature", d.Type)
	}
	f := feature{}
	switch id := d.ID.(type) {
	case string:
		f.id = id
	case float64:
		f.id = written(id)
	}
	if len(d.Properties) > 0 {
		if err := json.Unmarshal(d.Properties, &f.properties); err != nil {
			return fmt.Errorf(" has properties that are not an object: %w", err)
		}
		for _, name := range orderOf(d.Properties) {
			if !known[name] {
				known[name] = true
				r.properties = append(r.properties, name)
			}
		}
	}
	if d.Geometry == nil {
		r.problems.empty++
	} else if err := r.shape(&f, d.Geometry); err != nil {
		return fmt.Errorf("%s: %w", f.called(), err)
	}
	r.features = append(r.features, f)
	return nil
}

// called returns the name of a feature for errors.
func (f *feature) called() string {
	for _, p := range []string{"name", "NAME", "Name"} {
		if s, ok := f.properties[p].(string); ok {
			return fmt.Sprintf(" (%s)", s)
		}
	}
	if f.id != "" {
		return fmt.Sprintf(" (%s)", f.id)
	}
	return ""
}

// orderOf returns the keys of an object in order.
func orderOf(object []byte) []string {
	d := json.NewDecoder(strings.NewReader(string(object)))
	var keys []string
	depth, isKey := 0, false
	for {
		t, err := d.Token()
		if err != nil {
			return keys
		}
		switch t {
		case json.Delim('{'), json.Delim('['):
			depth++
			isKey = depth == 1
			continue
		case json.Delim('}'), json.Delim(']'):
			depth--
			isKey = depth == 1
			continue
		}
		if depth != 1 {
			continue
		}
		if s, ok := t.(string); ok && isKey {
			keys = append(keys, s)
			isKey = false
			continue
		}
		isKey = true
	}
}

// shape adds a geometry to a feature.
func (r *Regions) shape(f *feature, d *document) error {
	switch d.Type {
	case "GeometryCollection":
		for i := range d.Geometries {
			if err := r.shape(f, &d.Geometries[i]); err != nil {
				return err
			}
		}
		return nil
	case "Polygon":
		rings, err := read[[][][]float64](d)
		if err != nil {
			return err
		}
		return r.polygon(f, rings)
	case "MultiPolygon":
		polygons, err := read[[][][][]float64](d)
		for _, rings := range polygons {
			if err == nil {
				err = r.polygon(f, rings)
			}
		}
		return err
	case "LineString", "MultiLineString":
		lines, err := one[[][]float64](d, "LineString")
		for _, l := range lines {
			places, err := placesOf(l)
			if err != nil {
				return err
			}
			places, _ = unwrapped(places)
			f.lines = append(f.lines, places)
		}
		return err
	case "Point", "MultiPoint":
		points, err := one[[]float64](d, "Point")
		if err != nil {
			return err
		}
		places, err := placesOf(points)
		f.points = append(f.points, places...)
		return err
	}
	return fmt.Errorf("the geometry is of type %q, which GeoJSON does not have", d.Type)
}

// read decodes the coordinates of a geometry.
func read[T any](d *document) (T, error) {
	var out T
	if len(d.Coordinates) == 0 {
		return out, fmt.Errorf("the %s has no coordinates", d.Type)
	}
	if err := json.Unmarshal(d.Coordinates, &out); err != nil {
		return out, fmt.Errorf("the coordinates of the %s are nested wrongly: %w", d.Type, err)
	}
	return out, nil
}

// one decodes a geometry, or several of its kind.
func one[T any](d *document, single string) ([]T, error) {
	if d.Type == single {
		g, err := read[T](d)
		return []T{g}, err
	}
	return read[[]T](d)
}

// placesOf checks and converts positions.
func placesOf(positions [][]float64) ([]place, error) {
	out := make([]place, len(positions))
	for i, p := range positions {
		if len(p) < 2 {
			return nil, fmt.Errorf("position %d has %d numbers; it needs a longitude and a latitude", i, len(p))
		}
		var err error
		if out[i], err = placeOf(p[0], p[1]); err != nil {
			return nil, fmt.Errorf("position %d: %w", i, err)
		}
	}
	return out, nil
}

// placeOf checks and converts a position.
func placeOf(lon, lat float64) (place, error) {
	switch {
	case math.Abs(lat) > 90 && math.Abs(lon) <= 90 && math.Abs(lat) <= 360:
		return place{}, fmt.Errorf("the latitude must be between -90 and 90, got %g; pass the longitude first", lat)
	case !(math.Abs(lat) <= 90) || !(math.Abs(lon) <= 540):
		return place{}, fmt.Errorf("(%g, %g) is not a longitude and latitude in degrees: convert the data to EPSG:4326", lon, lat)
	}
	return place{lon, lat}, nil
}

// polygon adds an outline and its holes.
func (r *Regions) polygon(f *feature, rings [][][]float64) error {
	var area [][]place
	for k, positions := range rings {
		ring, err := placesOf(positions)
		if err != nil {
			return err
		}
		if n := len(ring); n > 1 && ring[0] != ring[n-1] {
			r.problems.open++
			ring = append(ring, ring[0])
		}
		if len(ring) < 4 {
			r.problems.flat++
			if k == 0 {
				return nil
			}
			continue
		}
		var crosses bool
		ring, crosses = unwrapped(ring)
		if crosses {
			r.problems.crossing++
		}
		ring, polar := aroundPole(ring)
		if polar {
			r.problems.polar++
		}
		if !polar && (signed(ring) > 0) != (k == 0) && signed(ring) != 0 {
			r.problems.winding++
		}
		if k > 0 {
			ring = beside(ring, area[0])
			if !anyInside(ring, area[0]) {
				r.problems.outside++
				continue
			}
		}
		area = append(area, ring)
	}
	if len(area) > 0 {
		f.areas = append(f.areas, area)
	}
	return nil
}

// unwrapped makes the longitudes of a line continuous: a step of more than half of the globe is
// taken in the other direction. A step of the whole globe, from −180° to 180°, stays, because
// both are the same meridian, unless only that meridian would remain, as for the frame of a world
// map.
func unwrapped(ring []place) (out []place, crosses bool) {
	out, crosses, whole := turnedOn(ring, true)
	if lo, hi := longitudes(out); whole && hi-lo < 1e-9 {
		out, crosses, _ = turnedOn(ring, false)
	}
	return out, crosses
}

// turnedOn adds multiples of 360° to the longitudes of a line where it crosses the longitude of
// 180°. With join, −180° and 180° are the same. whole reports whether there are steps of the
// whole globe.
func turnedOn(ring []place, join bool) (out []place, crosses, whole bool) {
	turn := 0.0
	for i := 1; i < len(ring); i++ {
		switch d := ring[i].lon - ring[i-1].lon; {
		case wholeTurn(ring[i-1], ring[i]):
			whole = true
			if join {
				turn -= d
			}
		case d > 180 && d < 360:
			turn, crosses = turn-360, true
		case d < -180 && d > -360:
			turn, crosses = turn+360, true
		}
		if turn != 0 && out == nil {
			out = append([]place(nil), ring...)
		}
		if out != nil {
			out[i].lon = ring[i].lon + turn
		}
	}
	if out == nil {
		out = ring
	}
	return out, crosses, whole
}

// wholeTurn reports whether a step goes around the whole globe, except along a pole.
func wholeTurn(a, b place) bool {
	const close = 1e-9
	return math.Abs(math.Abs(b.lon-a.lon)-360) < close && math.Min(math.Abs(a.lat), math.Abs(b.lat)) < 90-close
}

// longitudes returns the smallest and the largest longitude of a line.
func longitudes(line []place) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, p := range line {
		lo, hi = math.Min(lo, p.lon), math.Max(hi, p.lon)
	}
	return lo, hi
}

// beyond is the latitude of the pole around which an outline is closed; no document contains it.
const beyond = 90 + 1e-7

// aroundPole closes an outline that goes around a pole via the pole.
func aroundPole(ring []place) (closed []place, polar bool) {
	first, last := ring[0], ring[len(ring)-1]
	if math.Abs(last.lon-first.lon) < 359 {
		return ring, false
	}
	sum := 0.0
	for _, p := range ring {
		sum += p.lat
	}
	pole := math.Copysign(beyond, sum)
	return append(ring, place{last.lon, pole}, place{first.lon, pole}, first), true
}

// signed returns twice the area of an outline in square degrees, positive if it is
// counterclockwise.
func signed(ring []place) float64 {
	sum := 0.0
	for i := 1; i < len(ring); i++ {
		sum += (ring[i-1].lon-ring[0].lon)*(ring[i].lat-ring[0].lat) - (ring[i].lon-ring[0].lon)*(ring[i-1].lat-ring[0].lat)
	}
	return sum
}

// beside shifts a hole by multiples of 360° to the position of its outline.
func beside(hole, outline []place) []place {
	mean := func(ring []place) float64 {
		lo, hi := ring[0].lon, ring[0].lon
		for _, p := range ring {
			lo, hi = math.Min(lo, p.lon), math.Max(hi, p.lon)
		}
		return (lo + hi) / 2
	}
	turn := 360 * math.Round((mean(outline)-mean(hole))/360)
	if turn == 0 {
		return hole
	}
	out := make([]place, len(hole))
	for i, p := range hole {
		out[i] = place{p.lon + turn, p.lat}
	}
	return out
}

// anyInside reports whether a corner of a hole, or the middle of a side, is within the outline.
func anyInside(hole, outline []place) bool {
	for i, p := range hole {
		if inside(p, outline) || i > 0 && inside(place{(p.lon + hole[i-1].lon) / 2, (p.lat + hole[i-1].lat) / 2}, outline) {
			return true
		}
	}
	return false
}

// inside reports whether a ray from p to the east crosses the outline an odd number of times.
func inside(p place, ring []place) bool {
	odd := false
	for i := 1; i < len(ring); i++ {
		a, b := ring[i-1], ring[i]
		if (a.lat > p.lat) != (b.lat > p.lat) && p.lon < a.lon+(p.lat-a.lat)/(b.lat-a.lat)*(b.lon-a.lon) {
			odd = !odd
		}
	}
	return odd
}
