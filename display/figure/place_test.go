package figure

import (
	"image"
	"testing"
)

// everything performs every drawing operation, shifted by (dx, dy).
func everything(f *Figure, dx, dy float64) {
	s := Style{Fill: Class(0), Stroke: Ink(), Width: 2}
	p := func(x, y float64) Point { return Point{x + dx, y + dy} }
	f.Rect(10+dx, 12+dy, 20, 8, 2, s)
	f.Marker(40+dx, 16+dy, 4, Circle, s)
	f.Polyline([]Point{p(5, 30), p(25, 40), p(45, 32)}, s)
	f.Polygon([]Point{p(50, 30), p(60, 40), p(70, 32)}, s)
	f.Area([][]Point{{p(5, 50), p(25, 50), p(25, 70), p(5, 70)}, {p(10, 55), p(10, 60), p(15, 60)}}, s)
	f.Curve(p(30, 50), p(35, 70), p(45, 70), p(50, 50), s)
	f.Label(60+dx, 60+dy, "x² at home", TextStyle{Font: Font{Size: 12}, Color: Ink()})
	f.Picture(70+dx, 10+dy, 8, 8, image.NewNRGBA(image.Rect(0, 0, 16, 16)))
}

// TestPlace checks that a placed figure equals the same drawing at the shifted position.
func TestPlace(t *testing.T) {
	small, placed, moved := New(100, 80), New(200, 200), New(200, 200)
	everything(small, 0, 0)
	placed.Place(small, 30, 45.5)
	everything(moved, 30, 45.5)
	if len(placed.ops) != len(small.ops) || placed.SVG() != moved.SVG() {
		t.Errorf("the placed drawing is\n%s\nwant\n%s", placed.SVG(), moved.SVG())
	}
	if before := New(100, 80); len(small.ops) > 0 {
		if everything(before, 0, 0); small.SVG() != before.SVG() {
			t.Error("Place changed the other figure")
		}
	}
}
