package geo

import (
	"math"
	"slices"

	"github.com/gokernel/gokernel/display/figure"
)

// finest is the maximum length in degrees of a side that is drawn as one straight line.
const finest = 2.0

// along calls see with points on the way from a to b, including b. Their distance is at most
// finest.
func (s *sheet) along(a, b place, see func(p place)) {
	n := 1
	if s.layout.kind != Equirectangular {
		n = max(1, int(math.Ceil(math.Max(math.Abs(b.lon-a.lon), math.Abs(b.lat-a.lat))/finest)))
	}
	for k := 1; k <= n; k++ {
		t := float64(k) / float64(n)
		see(place{a.lon + t*(b.lon-a.lon), a.lat + t*(b.lat-a.lat)})
	}
}

// shape converts a feature to pixels.
func (s *sheet) shape(f *feature) shape {
	var out shape
	var largest figure.Point
	most, seam := -1.0, false
	for _, area := range f.areas {
		for k, ring := range area {
			for _, part := range s.parts(ring, true) {
				outline, cut := s.lain(part)
				seam = seam || cut
				outline = simple(outline, true)
				size := shoelace(outline)
				if k == 0 && math.Abs(size) > most {
					most, largest = math.Abs(size), center(outline)
				}
				if len(outline) < 3 || math.Abs(size) < 0.3 {
					continue
				}
				if (size > 0) != (k == 0) {
					slices.Reverse(outline)
				}
				out.fill = append(out.fill, outline)
				for _, b := range s.border(part) {
					if b = simple(b, false); len(b) > 1 {
						out.borders = append(out.borders, b)
					}
				}
			}
		}
	}
	if !seam {
		out.borders = nil // the borders are the outlines
	}
	if len(f.areas) > 0 && out.fill == nil {
		out.dots = append(out.dots, largest)
	}
	for _, l := range f.lines {
		for _, part := range s.parts(l, false) {
			line, _ := s.lain(part)
			if line = simple(line, false); len(line) > 1 {
				out.lines = append(out.lines, line)
			}
		}
	}
	for _, p := range f.points {
		out.dots = append(out.dots, s.pixel(s.turned(p.lon), p.lat))
	}
	return out
}

// parts returns an outline or a line with longitudes relative to the center. The plane ends at
// −180° and 180°, where shapes are cut, unless the projection is azimuthal.
func (s *sheet) parts(places []place, closed bool) [][]place {
	if len(places) == 0 {
		return nil
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, p := range places {
		lo, hi = math.Min(lo, p.lon), math.Max(hi, p.lon)
	}
	middle := s.layout.middle.lon
	first := math.Floor((lo - middle + 180) / 360)
	last := math.Ceil((hi-middle+180)/360) - 1
	if s.layout.kind == Azimuthal || last <= first {
		turn := middle + 360*math.Round(((lo+hi)/2-middle)/360)
		if s.layout.kind != Azimuthal {
			turn = middle + 360*first
		}
		return [][]place{shifted(places, turn)}
	}
	var out [][]place
	for k := first; k <= last; k++ {
		part := shifted(places, middle+360*k)
		if !closed {
			out = append(out, pieces(part)...)
			continue
		}
		part = clipped(part, func(lon float64) float64 { return lon + 180 })
		part = clipped(part, func(lon float64) float64 { return 180 - lon })
		if len(part) > 3 {
			out = append(out, part)
		}
	}
	return out
}

func shifted(places []place, turn float64) []place {
	out := make([]place, len(places))
	for i, p := range places {
		out[i] = place{p.lon - turn, p.lat}
	}
	return out
}

// clipped cuts off the part of an outline where depth is negative and follows the cut instead (I.
// Sutherland and G. Hodgman, "Reentrant polygon clipping", 1974).
func clipped(ring []place, depth func(lon float64) float64) []place {
	var out []place
	for i := range ring {
		a, b := ring[max(0, i-1)], ring[i]
		da, db := depth(a.lon), depth(b.lon)
		if i > 0 && (da < 0) != (db < 0) {
			t := da / (da - db)
			out = append(out, place{a.lon + t*(b.lon-a.lon), a.lat + t*(b.lat-a.lat)})
		}
		if db >= 0 {
			out = append(out, b)
		}
	}
	if n := len(out); n > 0 && out[0] != out[n-1] {
		out = append(out, out[0])
	}
	return out
}

// pieces returns the parts of a line between −180° and 180°.
func pieces(line []place) [][]place {
	var out [][]place
	var piece []place
	for i, b := range line {
		in := math.Abs(b.lon) <= 180
		if i > 0 && in != (math.Abs(line[i-1].lon) <= 180) {
			a := line[i-1]
			edge := math.Copysign(180, b.lon)
			if in {
				edge = math.Copysign(180, a.lon)
			}
			t := (edge - a.lon) / (b.lon - a.lon)
			piece = append(piece, place{edge, a.lat + t*(b.lat-a.lat)})
			if !in {
				out, piece = append(out, piece), nil
			}
		}
		if in {
			piece = append(piece, b)
		}
	}
	if len(piece) > 1 {
		out = append(out, piece)
	}
	return out
}

// lain converts a part to pixels, and reports whether some of its sides are not borders.
func (s *sheet) lain(part []place) (line []figure.Point, cut bool) {
	for i, p := range part {
		if i == 0 {
			line = append(line, s.pixel(p.lon, p.lat))
			continue
		}
		cut = cut || s.seam(part[i-1], p)
		s.along(part[i-1], p, func(p place) { line = append(line, s.pixel(p.lon, p.lat)) })
	}
	return line, cut
}

// seam reports whether a side is not a border but a cut of the data or the map: along the
// longitude of 180°, along the edge of the map, or at a pole.
func (s *sheet) seam(a, b place) bool {
	const close = 1e-6
	if math.Abs(a.lat) > 90-close && math.Abs(b.lat) > 90-close || math.Max(math.Abs(a.lat), math.Abs(b.lat)) > 90 {
		return true
	}
	if math.Abs(a.lon-b.lon) > close {
		return false
	}
	off := func(lon float64) float64 { return math.Abs(math.Abs(lon-360*math.Round(lon/360)) - 180) }
	return off(a.lon) < close || off(a.lon+s.layout.middle.lon) < close
}

// border returns the sides of a part that are borders.
func (s *sheet) border(part []place) [][]figure.Point {
	var out [][]figure.Point
	var line []figure.Point
	for i := 1; i < len(part); i++ {
		if s.seam(part[i-1], part[i]) {
			if line != nil {
				out, line = append(out, line), nil
			}
			continue
		}
		if line == nil {
			line = append(line, s.pixel(part[i-1].lon, part[i-1].lat))
		}
		s.along(part[i-1], part[i], func(p place) { line = append(line, s.pixel(p.lon, p.lat)) })
	}
	if line != nil {
		out = append(out, line)
	}
	return out
}

// simple removes corners that are closer than least to the simplified line (D. Douglas and T.
// Peucker, 1973). A closed line is simplified in two halves, and loses its last corner, which
// equals the first.
func simple(line []figure.Point, closed bool) []figure.Point {
	n := len(line)
	if n < 3 {
		return line
	}
	kept := make([]bool, n)
	kept[0], kept[n-1] = true, true
	if closed {
		far, at := 0.0, 0
		for i, p := range line {
			if d := math.Hypot(p.X-line[0].X, p.Y-line[0].Y); d > far {
				far, at = d, i
			}
		}
		kept[at] = true
		keep(line, kept, 0, at)
		keep(line, kept, at, n-1)
		kept[n-1] = false
	} else {
		keep(line, kept, 0, n-1)
	}
	var out []figure.Point
	for i, k := range kept {
		if k {
			out = append(out, line[i])
		}
	}
	return out
}

// keep marks the corners between two kept ones that must stay. It uses a list instead of
// recursion, because outlines can be long.
func keep(line []figure.Point, kept []bool, from, to int) {
	parts := [][2]int{{from, to}}
	for len(parts) > 0 {
		a, b := parts[len(parts)-1][0], parts[len(parts)-1][1]
		parts = parts[:len(parts)-1]
		far, at := least, -1
		for i := a + 1; i < b; i++ {
			if d := distance(line[i], line[a], line[b]); d > far {
				far, at = d, i
			}
		}
		if at >= 0 {
			kept[at] = true
			parts = append(parts, [2]int{a, at}, [2]int{at, b})
		}
	}
}

// distance returns the distance of p from the line between a and b.
func distance(p, a, b figure.Point) float64 {
	dx, dy := b.X-a.X, b.Y-a.Y
	if l := dx*dx + dy*dy; l > 0 {
		t := math.Max(0, math.Min(1, ((p.X-a.X)*dx+(p.Y-a.Y)*dy)/l))
		a.X, a.Y = a.X+t*dx, a.Y+t*dy
	}
	return math.Hypot(p.X-a.X, p.Y-a.Y)
}

// shoelace returns twice the area of an outline, positive if it is clockwise on the screen.
func shoelace(outline []figure.Point) float64 {
	sum := 0.0
	for i, q := range outline {
		p := outline[(i+len(outline)-1)%len(outline)]
		sum += p.X*q.Y - q.X*p.Y
	}
	return sum
}

// center returns the mean of the corners.
func center(outline []figure.Point) figure.Point {
	var c figure.Point
	for _, p := range outline {
		c.X, c.Y = c.X+p.X/float64(len(outline)), c.Y+p.Y/float64(len(outline))
	}
	return c
}
