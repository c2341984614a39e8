package plot3d

import (
	"encoding/base64"
	"encoding/json"
	"html"
	"math"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/internal/figuretest"
)

func saddle(x, y float64) float64 { return x*x - y*y }

func ripple(x, y float64) float64 {
	r := math.Hypot(x, y)
	return math.Cos(2*r) * math.Exp(-0.2*r*r)
}

func cloud(n int) (x, y, z []float64, name []string) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range n {
		k := i % 3
		x = append(x, []float64{0, 3, 1.5}[k]+0.5*r.NormFloat64())
		y = append(y, []float64{0, 0.5, 2.5}[k]+0.5*r.NormFloat64())
		z = append(z, []float64{10, 12, 15}[k]+r.NormFloat64())
		name = append(name, []string{"setosa", "versicolor", "virginica"}[k])
	}
	return x, y, z, name
}

var gallery = []struct {
	name string
	make func() display.Displayer
}{
	{"scatter", func() display.Displayer {
		x, y, z, name := cloud(150)
		return Scatter(x, y, z, name).Title("Three classes").X("length (cm)").Y("width (cm)").Z("height (cm)")
	}},
	{"surface", func() display.Displayer { return Surface(ripple, -3, 3, -3, 3).Title("A drop") }},
	{"saddle-points", func() display.Displayer {
		x, y, z := []float64{}, []float64{}, []float64{}
		for t := 0.0; t <= 1; t += 0.05 {
			x, y, z = append(x, 0.9-t), append(y, 1.8*t-0.9), append(z, saddle(0.9-t, 1.8*t-0.9))
		}
		return Surface(saddle, -1, 1, -1, 1).Points(x, y, z).View(30, 35).Title("Down the saddle")
	}},
	{"value", func() display.Displayer {
		x, y, z, _ := cloud(400)
		return Scatter(x, y, z, z).View(140, -20)
	}},
	{"holes", func() display.Displayer {
		return Surface(func(x, y float64) float64 { return math.Sqrt(1 - x*x - y*y) }, -1, 1, -1, 1).X("u").Y("v").Z("height")
	}},
}

func TestGallery(t *testing.T) {
	for _, g := range gallery {
		figuretest.Check(t, g.name, g.make())
	}
}

// covers reports whether the projection of a triangle of the face contains a point.
func (s *scene) covers(g *face, x, y float64) bool {
	inside := func(a, b, c vec) bool {
		pos, neg := false, false
		q := [3]vec{a, b, c}
		for k := range q {
			u, v := s.camera.at(q[k]), s.camera.at(q[(k+1)%3])
			d := (v.X-u.X)*(y-u.Y) - (v.Y-u.Y)*(x-u.X)
			pos, neg = pos || d > 1e-12, neg || d < -1e-12
		}
		return !(pos && neg)
	}
	return inside(g.corner[0], g.corner[1], g.corner[2]) || inside(g.corner[0], g.corner[2], g.corner[3])
}

// For random bumpy surfaces seen from all sides, a point must be visible in the image (nothing
// that covers it is painted later) exactly if nothing is between the point and the eye.
func TestPointsAreHiddenByWhatStandsBeforeThem(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	seen, unseen := 0, 0
	for range 25 {
		a, b, c := 3*r.NormFloat64(), 3*r.NormFloat64(), r.NormFloat64()
		f := func(x, y float64) float64 { return math.Sin(a*x+c)*math.Cos(b*y) + c*x*y }
		var x, y, z []float64
		for range 60 {
			u, v := 3*r.Float64()-1.5, 3*r.Float64()-1.5 // also next to the surface
			x, y, z = append(x, u), append(y, v), append(z, f(u, v)+0.8*r.NormFloat64())
		}
		s, err := Surface(f, -1, 1, -1, 1).Points(x, y, z).View(360*r.Float64(), 170*r.Float64()-85).scene()
		if err != nil {
			t.Fatal(err)
		}
		order := s.painted()
		for k, it := range order {
			if it.dot == nil {
				continue
			}
			at := s.camera.at(it.dot.at)
			covered := false
			for _, later := range order[k+1:] {
				covered = covered || later.face != nil && s.covers(later.face, at.X, at.Y)
			}
			// Check all cells, independently of their order.
			if want := s.hidden(it.dot.at); covered != want {
				t.Fatalf("seen from %g, %g: the point %v is covered: %v, and hidden: %v", s.c.azimuth, s.c.elevation, it.dot.at, covered, want)
			}
			if covered {
				unseen++
			} else {
				seen++
			}
		}
	}
	if seen < 100 || unseen < 100 {
		t.Errorf("%d points are visible, %d are hidden: the test covers too little", seen, unseen)
	}
}

// If cells cover each other in the image, the nearest one must be painted last.
func TestNearCellsHideFarOnes(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	several := 0
	for range 20 {
		s, err := Surface(ripple, -3, 3, -3, 3).View(360*r.Float64(), 150*r.Float64()-75).scene()
		if err != nil {
			t.Fatal(err)
		}
		order := s.painted()
		eye := s.camera.sight()
		for range 60 {
			g := &s.faces[r.IntN(len(s.faces))]
			p := g.corner[0]
			for k := range p { // a position inside the first triangle
				p[k] = (g.corner[0][k] + g.corner[1][k] + g.corner[2][k]) / 3
			}
			at := s.camera.at(p)
			last, n := (*face)(nil), 0
			for _, it := range order {
				if s.covers(it.face, at.X, at.Y) {
					last = it.face
					n++
				}
			}
			if n > 1 {
				several++
			}
			// The visible face must not be hidden: from far behind the box, the last face on the
			// ray to the eye is the one that is painted last.
			nearest, far := (*face)(nil), math.Inf(-1)
			for k := range s.faces {
				if d, ok := s.faces[k].distance(p, eye); ok && d > far {
					nearest, far = &s.faces[k], d
				}
			}
			if nearest != last {
				t.Fatalf("seen from %g, %g: cell (%d, %d) is painted last where (%d, %d) is nearest", s.c.azimuth, s.c.elevation, last.i, last.j, nearest.i, nearest.j)
			}
		}
	}
	if several < 100 {
		t.Errorf("only %d places were covered more than once", several)
	}
}

// distance returns the distance along the line through from at which the line meets a face.
func (g *face) distance(from, along vec) (float64, bool) {
	for _, q := range [2][3]vec{{g.corner[0], g.corner[1], g.corner[2]}, {g.corner[0], g.corner[2], g.corner[3]}} {
		e1, e2 := q[1].minus(q[0]), q[2].minus(q[0])
		p := cross(along, e2)
		det := e1.dot(p)
		if math.Abs(det) < 1e-14 {
			continue
		}
		d := from.minus(q[0])
		u := d.dot(p) / det
		w := cross(d, e1)
		v := along.dot(w) / det
		if u >= 0 && v >= 0 && u+v <= 1 {
			return e2.dot(w) / det, true
		}
	}
	return 0, false
}

// A camera at azimuth 0 and elevation 0 looks along the x axis: y points to the right, z upwards.
func TestCamera(t *testing.T) {
	c := newCamera(0, 0)
	for _, tt := range []struct {
		p    vec
		x, y float64
	}{{vec{1, 0, 0}, 0, 0}, {vec{0, 1, 0}, 1, 0}, {vec{0, 0, 1}, 0, -flat}} {
		if q := c.at(tt.p); math.Abs(q.X-tt.x)+math.Abs(q.Y-tt.y) > 1e-12 {
			t.Errorf("%v is at %v, want %g, %g", tt.p, q, tt.x, tt.y)
		}
	}
	for az := -200.0; az < 200; az += 33 {
		c := newCamera(az, 40)
		for _, v := range []vec{c.right, c.up, c.eye} {
			if math.Abs(v.dot(v)-1) > 1e-12 {
				t.Errorf("%v is not of length 1", v)
			}
		}
		if math.Abs(c.right.dot(c.up))+math.Abs(c.right.dot(c.eye))+math.Abs(c.up.dot(c.eye)) > 1e-12 {
			t.Errorf("the directions at %g are not at right angles", az)
		}
	}
}

func TestRefuses(t *testing.T) {
	one := []float64{1}
	for want, c := range map[string]*Chart{
		"there is nothing to draw":                  New(),
		"pass x, y and z":                           Scatter(one, one),
		"there are 1 values of x and 2 values of z": Scatter(one, one, []float64{1, 2}),
		"must have three columns, got 2 columns":    Scatter(mat.NewDense(2, 2, nil)),
		"x must be numbers":                         Scatter([]string{"a"}, one, one),
		"there are no points to color":              Surface(saddle, 0, 1, 0, 1).By(one),
		"plot3d.Radius: there are no points":        Surface(saddle, 0, 1, 0, 1).Radius(3),
		"between -89 and 89 degrees, got 90":        Surface(saddle, 0, 1, 0, 1).View(0, 90),
		"the azimuth must be a finite number":       Surface(saddle, 0, 1, 0, 1).View(math.Inf(1), 45),
		"x and y must ascend":                       Surface(saddle, 1, 0, 0, 1),
		"x does not ascend: 2 comes before 1":       SurfaceOf([]float64{2, 1}, []float64{1, 2}, [][]float64{{1, 2}, {1, 2}}),
		"row 1 of z has 1 values":                   SurfaceOf([]float64{1, 2}, []float64{1, 2}, [][]float64{{1, 2}, {1}}),
		"30000 points cannot be drawn":              Scatter(make([]float64, 30000), make([]float64, 30000), make([]float64, 30000)),
		"there are 2 labels for 1 points":           Scatter(one, one, one, []int{1, 2}),
	} {
		if _, err := c.Figure(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want one with %q", err, want)
		}
	}
}

func TestSaysWhatItLeavesOut(t *testing.T) {
	f, err := Scatter([]float64{1, math.NaN()}, []float64{1, 2}, []float64{1, 2}).Figure()
	if err != nil || !strings.Contains(f.Text, "1 value that is not finite is left out") {
		t.Errorf("the text is %q (%v)", f.Text, err)
	}
	if _, err := Scatter([]float64{}, []float64{}, []float64{}).Display(); err != nil {
		t.Errorf("no points: %v", err)
	}
}

// The page shows the chart's own image until it is rotated, and is small.
func TestThePageHoldsTheScene(t *testing.T) {
	c := Surface(ripple, -3, 3, -3, 3).Points([]float64{0}, []float64{0}, []float64{2}).Title("<drop> & \"more\"").Interactive()
	b, err := c.Display()
	if err != nil {
		t.Fatal(err)
	}
	page, svg := b.Data[display.MIMEHTML].(string), b.Data[display.MIMESVG].(string)
	if len(page) > 3*len(svg) {
		t.Errorf("the page has %d bytes, the SVG %d", len(page), len(svg))
	}
	start := strings.Index(page, "data:image/svg+xml;base64,")
	if start < 0 {
		t.Fatal("the page has no static image")
	}
	still, err := base64.StdEncoding.DecodeString(page[start+26 : start+strings.IndexByte(page[start:], '"')])
	if err != nil || string(still) != svg {
		t.Errorf("the static image is not the chart's (%v)", err)
	}
	m := regexp.MustCompile(`data-scene="([^"]*)"`).FindStringSubmatch(page)
	var scene struct {
		Z    []*float64
		Dots [][]any
	}
	if m == nil || json.Unmarshal([]byte(html.UnescapeString(m[1])), &scene) != nil || len(scene.Z) != 41*41 || len(scene.Dots) != 1 {
		t.Errorf("the scene has %d heights and %d points, want %d and 1", len(scene.Z), len(scene.Dots), 41*41)
	}
}
