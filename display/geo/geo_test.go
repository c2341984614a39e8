package geo

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/display/internal/figuretest"
)

// island returns a fictional land: cells of an irregular grid that share their borders, with a
// lake in one of them, an exclave and an islet.
func island() []byte {
	const nx, ny = 5, 4
	r := rand.New(rand.NewPCG(5, 6))
	corner := map[[2]int][2]float64{}
	for j := range ny + 1 {
		for i := range nx + 1 {
			corner[[2]int{i, j}] = [2]float64{8 + 1.1*float64(i) + 0.5*(r.Float64()-0.5), 47 + 0.9*float64(j) + 0.4*(r.Float64()-0.5)}
		}
	}
	side := func(a, b [2]int) [][2]float64 {
		flip := a[0]*10+a[1] > b[0]*10+b[1]
		if flip {
			a, b = b, a
		}
		q := rand.New(rand.NewPCG(uint64(a[0]*10+a[1]), uint64(b[0]*10+b[1])))
		p, e := corner[a], corner[b]
		out := [][2]float64{p}
		for k := 1; k < 12; k++ {
			t := float64(k) / 12
			out = append(out, [2]float64{p[0] + t*(e[0]-p[0]) + 0.08*q.NormFloat64(), p[1] + t*(e[1]-p[1]) + 0.06*q.NormFloat64()})
		}
		out = append(out, e)
		if flip {
			for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
				out[i], out[j] = out[j], out[i]
			}
		}
		return out
	}
	var features []any
	for j := range ny {
		for i := range nx {
			var ring [][2]float64
			path := [][2]int{{i, j}, {i + 1, j}, {i + 1, j + 1}, {i, j + 1}, {i, j}}
			for k := 1; k < len(path); k++ {
				s := side(path[k-1], path[k])
				ring = append(ring, s[:len(s)-1]...)
			}
			ring = append(ring, ring[0])
			polygons := [][][][2]float64{{ring}}
			if i == 1 && j == 1 {
				polygons[0] = append(polygons[0], [][2]float64{{9.5, 48.2}, {9.6, 48.5}, {9.9, 48.5}, {9.8, 48.2}, {9.5, 48.2}})
			}
			if i == 4 && j == 3 {
				polygons = append(polygons, [][][2]float64{{{13.9, 47.2}, {14.3, 47.2}, {14.2, 47.6}, {13.9, 47.2}}})
			}
			features = append(features, map[string]any{"type": "Feature", "id": fmt.Sprintf("%02d", 10*i+j),
				"properties": map[string]any{"name": string(rune('A'+len(features))) + "land", "hills": float64((3*i + 5*j) % 7)},
				"geometry":   map[string]any{"type": "MultiPolygon", "coordinates": polygons}})
		}
	}
	features = append(features, map[string]any{"type": "Feature", "properties": map[string]any{"name": "Islet"},
		"geometry": map[string]any{"type": "Polygon", "coordinates": [][][2]float64{{{7.5, 49}, {7.5001, 49}, {7.5, 49.0001}, {7.5, 49}}}}})
	data, err := json.Marshal(map[string]any{"type": "FeatureCollection", "features": features})
	if err != nil {
		panic(err)
	}
	return data
}

// world contains seven fictional continents. One crosses the longitude of 180° and one surrounds
// the south pole; none is cut.
const world = `{"type": "FeatureCollection", "features": [
	{"type": "Feature", "properties": {"name": "North"}, "geometry": {"type": "Polygon", "coordinates": [[[-120, 20], [-90, 15], [-70, 45], [-60, 65], [-90, 75], [-150, 68], [-130, 45], [-120, 20]]]}},
	{"type": "Feature", "properties": {"name": "South"}, "geometry": {"type": "Polygon", "coordinates": [[[-70, -50], [-40, -20], [-36, -6], [-60, 10], [-80, -5], [-70, -50]]]}},
	{"type": "Feature", "properties": {"name": "Middle"}, "geometry": {"type": "Polygon", "coordinates": [[[-15, 15], [10, 5], [12, -15], [20, -34], [40, -15], [50, 10], [30, 31], [-5, 35], [-15, 15]], [[15, 10], [18, 17], [27, 16], [26, 8], [15, 10]]]}},
	{"type": "Feature", "properties": {"name": "Cold"}, "geometry": {"type": "Polygon", "coordinates": [[[0, 45], [40, 40], [80, 10], [110, 20], [140, 45], [170, 60], [-170, 66], [178, 70], [100, 77], [40, 68], [10, 60], [0, 45]]]}},
	{"type": "Feature", "properties": {"name": "Dry"}, "geometry": {"type": "Polygon", "coordinates": [[[115, -34], [140, -38], [153, -28], [142, -11], [130, -12], [114, -22], [115, -34]]]}},
	{"type": "Feature", "properties": {"name": "Atoll"}, "geometry": {"type": "Polygon", "coordinates": [[[175, -20], [-175, -20], [-175, -12], [175, -12], [175, -20]]]}},
	{"type": "Feature", "properties": {"name": "Ice"}, "geometry": {"type": "Polygon", "coordinates": [[[-150, -75], [-60, -70], [30, -68], [120, -66], [-150, -75]]]}}]}`

var gallery = []struct {
	name string
	make func() display.Displayer
}{
	{"choropleth", func() display.Displayer {
		r := rand.New(rand.NewPCG(1, 2))
		var names []string
		var rates []float64
		for i := range 19 {
			if i == 7 {
				continue
			}
			names, rates = append(names, string(rune('A'+i))+"land"), append(rates, 3+float64(i)/3+2*r.Float64())
		}
		return Choropleth(append(names, "Atlantis"), append(rates, 1)).On(island()).Title("Storks for 1000 people").Legend("storks").Interactive()
	}},
	{"classes", func() display.Displayer {
		return Choropleth(map[string]string{"North": "rye", "South": "maize", "Middle": "maize", "Cold": "rye", "Dry": "wheat", "Atoll": "none"}).
			On(world).Title("What grows where").Interactive()
	}},
	{"signs", func() display.Displayer {
		return Choropleth(map[string]float64{"North": 3, "South": -5, "Middle": 1, "Cold": 7, "Dry": -2, "Ice": 0.5, "Atoll": -7}).On(world).Equirectangular().Legend("change (%)")
	}},
	{"points", func() display.Displayer {
		lon, lat, size, kind := stations()
		return Scatter(lon, lat, kind).Size(size).On(island()).Title("Stations").Interactive()
	}},
	{"nowhere", func() display.Displayer {
		lon, lat, size, _ := stations()
		size[3] = math.NaN()
		return Scatter(lon, lat).By(size).Legend("depth (m)")
	}},
	{"empty", func() display.Displayer {
		return Choropleth([]string{}, []float64{}).On(`{"type":"FeatureCollection","features":[]}`)
	}},
}

func stations() (lon, lat, size []float64, kind []string) {
	r := rand.New(rand.NewPCG(3, 4))
	for i := range 40 {
		lon, lat = append(lon, 8+5.5*r.Float64()), append(lat, 47+3.5*r.Float64())
		size, kind = append(size, 1+99*r.Float64()*r.Float64()), append(kind, []string{"wind", "rain"}[i%2])
	}
	return lon, lat, size, kind
}

func TestGallery(t *testing.T) {
	for _, g := range gallery {
		figuretest.Check(t, g.name, g.make())
	}
}

// oracle contains the results of PROJ 9.5.1 for a globe of radius 1: pyproj.Proj("+proj=eqearth
// +R=1") and pyproj.Proj("+proj=laea +lat_0=50 +lon_0=0 +R=1").
var oracle = []struct {
	kind           Projection
	lat0, lon, lat float64
	x, y           float64
}{
	{EqualEarth, 0, 10, 50, 0.124035027833, 0.941540234660},
	{EqualEarth, 0, -170, -85, -1.530841635477, -1.309947879426},
	{EqualEarth, 0, 123.5, 33.25, 1.710068219648, 0.653321852061},
	{EqualEarth, 0, -77, 12.125, -1.145477178114, 0.244668530750},
	{EqualEarth, 0, 5, 47, 0.063494029973, 0.893308324948},
	{Azimuthal, 50, 10, 50, 0.111794470361, 0.007492488269},
	{Azimuthal, 50, -170, -85, -0.050211695851, -1.906326481710},
	{Azimuthal, 50, 123.5, 33.25, 0.930517590538, 0.942069709348},
	{Azimuthal, 50, -77, 12.125, -1.180564349210, -0.041470529581},
	{Azimuthal, 50, 5, 47, 0.059485279297, -0.050386201157},
	{Azimuthal, -35, 10, 50, 0.151953437173, 1.348553796751},
	{Azimuthal, -35, -170, -85, -0.017469426457, -0.998762010945},
	{Azimuthal, -35, 123.5, 33.25, 1.778760688168, 0.470308919055},
	{Azimuthal, -35, -77, 12.125, -1.308739442853, 0.409680656782},
	{Azimuthal, -35, 5, 47, 0.078832460943, 1.311369888239},
}

func TestProjections(t *testing.T) {
	for _, tt := range oracle {
		got := layout{tt.kind, place{0, tt.lat0}}.at(tt.lon, tt.lat)
		if math.Hypot(got.x-tt.x, got.y-tt.y) > 1e-9 {
			t.Errorf("%v of (%g, %g) is %v, want (%v, %v)", tt.kind, tt.lon, tt.lat, got, tt.x, tt.y)
		}
	}
}

// The determinant of the derivative by the sine of the latitude is 1 if areas are preserved.
func TestEqualAreas(t *testing.T) {
	for _, l := range []layout{{EqualEarth, place{}}, {Azimuthal, place{0, 50}}, {Azimuthal, place{0, -90}}} {
		for lat := -80.0; lat <= 80; lat += 16 {
			for lon := -150.0; lon <= 150; lon += 30 {
				const h = 1e-4
				e, w, n, s := l.at(lon+h, lat), l.at(lon-h, lat), l.at(lon, lat+h), l.at(lon, lat-h)
				area := (e.x-w.x)*(n.y-s.y) - (n.x-s.x)*(e.y-w.y)
				d := 2 * h * math.Pi / 180
				if want := d * d * math.Cos(lat*math.Pi/180); math.Abs(area/want-1) > 1e-5 {
					t.Errorf("%v around %v: at (%g, %g) areas grow by %v", l.kind, l.middle, lon, lat, area/want)
				}
			}
		}
	}
}

// drawn returns twice the filled area in square pixels.
func drawn(s *sheet) float64 {
	sum := 0.0
	for _, h := range s.shapes {
		for _, r := range h.fill {
			sum += shoelace(r)
		}
	}
	return sum / 2
}

func sheetOf(t *testing.T, m *Map) *sheet {
	t.Helper()
	s, err := m.sheet()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func polygon(rings string) string { return `{"type":"Polygon","coordinates":[` + rings + `]}` }

// However an area is written, the same area is filled: cut at 180° or not, in either direction,
// with a repeated first corner or not, as one feature or several, with longitudes from 0 to 360.
func TestSameArea(t *testing.T) {
	around := `{"type":"Point","coordinates":[-170,50]},{"type":"Point","coordinates":[160,-40]},{"type":"Point","coordinates":[0,0]},{"type":"Point","coordinates":[90,0]},{"type":"Point","coordinates":[-90,0]}`
	box := func(geometries string) *Map {
		return Choropleth([]string{}, []float64{}).On(`{"type":"GeometryCollection","geometries":[` + geometries + `,` + around + `]}`)
	}
	east := polygon(`[[170,10],[180,10],[180,30],[170,30],[170,10]]`)
	west := polygon(`[[-180,10],[-150,10],[-150,30],[-180,30],[-180,10]]`)
	want := drawn(sheetOf(t, box(east+","+west)))
	if want < 100 {
		t.Fatalf("the box is %v square pixels", want)
	}
	for name, m := range map[string]*Map{
		"across":     box(polygon(`[[170,10],[-150,10],[-150,30],[170,30],[170,10]]`)),
		"clockwise":  box(polygon(`[[170,10],[170,30],[-150,30],[-150,10],[170,10]]`)),
		"open":       box(polygon(`[[170,10],[-150,10],[-150,30],[170,30]]`)),
		"to 360":     box(polygon(`[[170,10],[210,10],[210,30],[170,30],[170,10]]`)),
		"one object": box(`{"type":"MultiPolygon","coordinates":[[[[170,10],[180,10],[180,30],[170,30],[170,10]]],[[[-180,10],[-150,10],[-150,30],[-180,30],[-180,10]]]]}`),
	} {
		s := sheetOf(t, m)
		if got := drawn(s); math.Abs(got/want-1) > 0.005 {
			t.Errorf("%s: %v square pixels are filled, want %v", name, got, want)
		}
		for _, b := range s.shapes[0].borders {
			for i := 1; i < len(b); i++ {
				if b[i].X == b[i-1].X && math.Abs(b[i].X-s.pixel(180, 20).X) < 3 {
					t.Errorf("%s: there is a border along the cut", name)
				}
			}
		}
	}
}

// A hole is not filled, whatever its direction, and an outline around a pole contains the pole.
func TestHolesAndPoles(t *testing.T) {
	outer, inner := `[[0,0],[10,0],[10,10],[0,10],[0,0]]`, `[[4,4],[6,4],[6,6],[4,6],[4,4]]`
	reverse := `[[4,4],[4,6],[6,6],[6,4],[4,4]]`
	full := drawn(sheetOf(t, Choropleth([]string{}).On(polygon(outer))))
	for _, ring := range []string{inner, reverse} {
		got := drawn(sheetOf(t, Choropleth([]string{}).On(polygon(outer+","+ring))))
		if r := got / full; math.Abs(r-0.96) > 0.002 {
			t.Errorf("with a hole of 4 %% %v of the area is filled", r)
		}
	}
	ice := Choropleth([]string{}).On(polygon(`[[-150,-60],[-60,-60],[30,-60],[120,-60],[-150,-60]]`)).EqualEarth()
	s := sheetOf(t, ice)
	// The fraction of the globe beyond 60° is (1 − sin 60°)/2.
	globe := 4 * math.Pi * s.scale * s.scale
	if share, want := drawn(s)/globe, (1-math.Sqrt(3)/2)/2; ice.base.problems.polar != 1 || math.Abs(share-want) > 0.002 {
		t.Errorf("%v of the globe is filled, want %v (%+v)", share, want, ice.base.problems)
	}
}

// TestProblems checks that violations of the standard are reported.
func TestProblems(t *testing.T) {
	for want, doc := range map[string]string{
		"wrong way around":       polygon(`[[0,0],[0,1],[1,1],[0,0]]`),
		"does not end where":     polygon(`[[0,0],[1,0],[1,1]]`),
		"fewer than three":       polygon(`[[0,0],[1,0],[0,0]]`),
		"jumps across":           polygon(`[[179,0],[-179,0],[-179,1],[179,0]]`),
		"hole lies outside":      polygon(`[[0,0],[1,0],[1,1],[0,0]],[[5,5],[5,6],[6,6],[5,5]]`),
		"has no geometry":        `{"type":"Feature","properties":{"a":1},"geometry":null}`,
		"goes around a pole":     polygon(`[[-150,-60],[-60,-60],[30,-60],[120,-60],[-150,-60]]`),
		"1 outline runs the wro": polygon(`[[0,0],[9,0],[9,9],[0,0]],[[5,1],[6,1],[6,2],[5,1]]`),
	} {
		r, err := Read(doc)
		if err != nil {
			t.Errorf("%s: %v", want, err)
			continue
		}
		if got := strings.Join(r.Problems(), "; "); !strings.Contains(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	r, err := Read(polygon(`[[0,0],[9,0],[9,9],[0,0]],[[5,1],[6,2],[6,1],[5,1]]`))
	if err != nil || len(r.Problems()) != 0 {
		t.Errorf("a right document has the problems %q (%v)", r.Problems(), err)
	}
}

func TestReadRefuses(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	for want, source := range map[string]any{
		"not GeoJSON":                    `{"type":`,
		"it has no type":                 `{"a":1}`,
		"it is TopoJSON":                 `{"type":"Topology"}`,
		"pass the longitude first":       `{"type":"Point","coordinates":[51.2,120.4]}`,
		"not a longitude and latitude":   `{"type":"Point","coordinates":[356000.5,5645000.2]}`,
		"epsg:25832":                     `{"type":"FeatureCollection","crs":{"type":"name","properties":{"name":"epsg:25832"}},"features":[]}`,
		"which GeoJSON does not have":    `{"type":"Circle","coordinates":[0,0]}`,
		"nested wrongly":                 `{"type":"Polygon","coordinates":[[0,0],[1,1]]}`,
		"position 0 has 1 numbers":       `{"type":"MultiPoint","coordinates":[[1]]}`,
		"feature 1 (Bonn): the geometry": `{"type":"FeatureCollection","features":[{"type":"Feature"},{"type":"Feature","properties":{"name":"Bonn"},"geometry":{"type":"X"}}]}`,
		"no such file":                   filepath.Join(t.TempDir(), "lands.geojson"),
		"404":                            server.URL + "/a.geojson",
		"of type int":                    3,
		"cannot be unpacked":             []byte{0x1f, 0x8b, 1},
	} {
		if _, err := Read(source); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

// A file, a compressed file, an address, bytes and a reader lead to the same regions, which are a
// table.
func TestReadFrom(t *testing.T) {
	data := island()
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write(data); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, b := range map[string][]byte{"a.geojson": data, "a.geojson.gz": packed.Bytes()} {
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	server := httptest.NewServer(http.FileServer(http.Dir(dir)))
	defer server.Close()
	for name, source := range map[string]any{"file": filepath.Join(dir, "a.geojson"), "packed": filepath.Join(dir, "a.geojson.gz"),
		"address": server.URL + "/a.geojson", "bytes": data, "text": string(data), "reader": bytes.NewReader(packed.Bytes()), "mark": append([]byte("\ufeff"), data...)} {
		r, err := Read(source)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		hills, ok := r.ColumnValues("hills")
		if v := hills.([]float64); !ok || r.Len() != 21 || v[1] != 3 || !math.IsNaN(v[20]) || fmt.Sprint(r.Properties()) != "[hills name]" {
			t.Errorf("%s: %d regions with %v", name, r.Len(), hills)
		}
	}
	r, err := Read(data)
	if err != nil {
		t.Fatal(err)
	}
	own := sheetOf(t, Choropleth(r, "name", "hills"))
	if own.value[1] != 3 || own.m.left != 1 {
		t.Errorf("the values are %v, %d are left out", own.value, own.m.left)
	}
}

// Names are matched to regions by the property that fits, and by the one that is given.
func TestJoin(t *testing.T) {
	doc := `{"type":"FeatureCollection","features":[
		{"type":"Feature","id":"05","properties":{"name":"Bonn","code":7},"geometry":` + polygon(`[[0,0],[1,0],[1,1],[0,0]]`) + `},
		{"type":"Feature","id":"09","properties":{"name":"Kiel","code":5},"geometry":` + polygon(`[[2,0],[3,0],[3,1],[2,0]]`) + `}]}`
	for _, tt := range []struct {
		name string
		m    *Map
		want string
	}{
		{"names", Choropleth([]string{"Kiel", "Bonn"}, []float64{1, 2}).On(doc), "[2 1]"},
		{"numbers", Choropleth([]int{5, 7}, []float64{1, 2}).On(doc), "[2 1]"},
		{"id", Choropleth([]string{"05"}, []float64{1}).On(doc), "[1 NaN]"},
		{"named", Choropleth([]int{5}, []float64{4}).On(doc, "code"), "[NaN 4]"},
		{"mean", Choropleth([]string{"Kiel", "Kiel", "Bonn"}, []float64{1, 2, 9}).On(doc), "[9 1.5]"},
		{"count", Choropleth([]string{"Kiel", "Kiel"}).On(doc), "[NaN 2]"},
		{"map", Choropleth(map[string]int{"Kiel": 3, "Rom": 1}).On(doc), "[NaN 3]"},
	} {
		if s := sheetOf(t, tt.m); fmt.Sprint(s.value) != tt.want {
			t.Errorf("%s: the values are %v, want %s", tt.name, s.value, tt.want)
		}
	}
	if s := sheetOf(t, Choropleth(map[string]int{"Kiel": 3, "Rom": 1}).On(doc)); s.note() != `no region is called "Rom"` {
		t.Errorf("the note is %q", s.note())
	}
}

func TestRefuses(t *testing.T) {
	doc := polygon(`[[0,0],[1,0],[1,1],[0,0]]`)
	named := `{"type":"Feature","properties":{"name":"Bonn"},"geometry":` + doc + `}`
	for want, m := range map[string]*Map{
		"geo.Radius: the map has no points":                      Choropleth(map[string]float64{"North": 1}).On(world).Radius(3),
		"geo.Scheme: the colors of the map do not show":          Choropleth(map[string]string{"North": "a"}).On(world).Scheme("blues"),
		"there are no regions":                                   Choropleth([]string{"a"}, []float64{1}),
		"no region has one of the names, such as \"a\"":          Choropleth([]string{"a"}, []float64{1}).On(named),
		"name: \"Bonn\"":                                         Choropleth([]string{"a"}, []float64{1}).On(named, "name"),
		"3 arguments":                                            Choropleth(1, 2, 3),
		"0 arguments":                                            Choropleth(),
		"there are 1 names and 2":                                Choropleth([]string{"a"}, []float64{1, 2}),
		"must have one value, got \"x\" and \"y\"":               Choropleth([]string{"Bonn", "Bonn"}, []string{"x", "y"}).On(named),
		"no region has the property":                             Choropleth([]string{"Bonn"}).On(named, "nome"),
		"give longitudes and latitudes in degrees, got 1":        Scatter([]float64{1}),
		"row 1: the latitude must be between -90 and 90, got 95": Scatter([]float64{1, 2}, []float64{1, 95}),
		"there are 2 labels for 1":                               Scatter([]float64{1}, []float64{1}, []string{"a", "b"}),
		"the map has no points":                                  Choropleth([]string{"Bonn"}).On(named).By([]string{"a"}),
		"must not be negative, got -1":                           Scatter([]float64{1}, []float64{1}).Size([]float64{-1}),
		"colors of the map already show":                         Choropleth([]string{"Bonn"}, []float64{1}).On(named).Points([]float64{0}, []float64{0}).By([]float64{0.5}),
		"is not one of viridis":                                  Choropleth([]string{"Bonn"}, []float64{1}).On(named).Scheme("rainbow"),
		"the projection must be one of the constants, got 9":     Scatter([]float64{1}, []float64{1}).Project(9),
		"all numbers or all names":                               Choropleth(map[string]any{"a": 1, "b": "x"}),
		"would name a column":                                    Scatter("lon", "lat"),
	} {
		if _, err := m.Figure(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want one with %q", err, want)
		}
	}
}

// The figure of a map with many corners is small.
func TestSimplified(t *testing.T) {
	var ring []string
	for i := range 200000 {
		a := 2 * math.Pi * float64(i) / 200000
		r := 10 + 0.5*math.Sin(40*a) + 0.002*math.Sin(9000*a)
		ring = append(ring, fmt.Sprintf("[%.6f,%.6f]", 10+r*math.Cos(a), 20+r*math.Sin(a)))
	}
	ring = append(ring, ring[0])
	f, err := Choropleth([]string{}).On(polygon("[" + strings.Join(ring, ",") + "]")).Figure()
	if err != nil {
		t.Fatal(err)
	}
	if n := len(f.SVG()); n > 20000 {
		t.Errorf("the SVG has %d bytes", n)
	}
}

// The interactive map refers to nothing outside of itself, and is not much larger than the
// figure.
func TestVegaLite(t *testing.T) {
	for _, g := range gallery {
		m := g.make().(*Map)
		b, err := m.Interactive().Display()
		if err != nil {
			t.Fatalf("%s: %v", g.name, err)
		}
		data, err := json.Marshal(b.Data[display.MIMEVegaLite])
		if err != nil {
			t.Fatalf("%s: %v", g.name, err)
		}
		if strings.Contains(string(data), `"url"`) {
			t.Errorf("%s: the specification refers to something outside", g.name)
		}
		if svg := b.Data[display.MIMESVG].(string); len(data) > 3*len(svg)+4000 {
			t.Errorf("%s: the specification has %d bytes, the SVG %d", g.name, len(data), len(svg))
		}
	}
}

// TestInteractiveMapIsWhole checks that the interactive map has the graticule, and the legend
// entry for regions without a value, exactly if the figure has them.
func TestInteractiveMapIsWhole(t *testing.T) {
	graticules, entries := 0, 0
	for _, g := range gallery {
		m := g.make().(*Map)
		s, err := m.sheet()
		if err != nil {
			t.Fatal(err)
		}
		spec, err := m.VegaLite()
		if err != nil {
			t.Fatal(err)
		}
		data, err := json.Marshal(spec)
		if err != nil {
			t.Fatal(err)
		}
		want := s.world || m.base == nil
		if got := strings.Contains(string(data), `"MultiLineString"`); got != want {
			t.Errorf("%s: the interactive map has a graticule: %v, the figure: %v", g.name, got, want)
		}
		for _, d := range s.graticule().labels {
			if want && !strings.Contains(string(data), `"text":"`+d.text+`"`) {
				t.Errorf("%s: %s is not written", g.name, d.text)
			}
		}
		missing := false
		for _, e := range s.legend.Entries {
			missing = missing || e.Name == noValue
		}
		if got := strings.Contains(string(data), `"datum":"no value"`); got != missing {
			t.Errorf("%s: the interactive legend names what has no value: %v, the figure's: %v", g.name, got, missing)
		}
		if want {
			graticules++
		}
		if missing {
			entries++
		}
	}
	if graticules == 0 || entries == 0 {
		t.Errorf("the gallery has %d graticules and %d regions without values", graticules, entries)
	}
}

// Maps follow the theme.
func TestDark(t *testing.T) {
	if err := display.SetTheme(display.Theme{Dark: true, Scale: 1.5}); err != nil {
		t.Fatal(err)
	}
	defer display.SetTheme(display.Theme{})
	f, err := gallery[1].make().(*Map).Figure()
	if err != nil {
		t.Fatal(err)
	}
	if w, _ := f.Size(); w != 900 || !strings.Contains(f.SVG(), `fill="`+figure.Hex(figure.Paper())+`"`) {
		t.Errorf("the map is %v pixels wide", w)
	}
}
