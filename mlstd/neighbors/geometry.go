package neighbors

import (
	"math"

	"github.com/gokernel/gokernel/mlstd/model"
)

// RuleOfThumbK returns √n / 2, rounded, and at least 1: a first guess for the number of neighbors.
// An odd K avoids ties, but only between two classes and without tied distances; with more classes
// you need a rule for ties anyway. Choose the best K on held-out data.
//
// Course: NEAR-08.
func RuleOfThumbK(n int) int {
	if n < 1 {
		panic(model.Errorf("RuleOfThumbK", "n must be at least 1, got %d", n))
	}
	return max(1, int(math.Round(math.Sqrt(float64(n))/2)))
}

// Bisector returns the decision boundary of one-nearest-neighbor between two points: the hyperplane
// w·x = c, which is the perpendicular bisector of the segment from a to b. Points with w·x < c are
// nearer to a.
//
//	w = b − a,   c = (‖b‖² − ‖a‖²) / 2
//
// Course: NEAR-09.
func Bisector(a, b []float64) (w []float64, c float64) {
	sameLength("Bisector", a, b)
	w = make([]float64, len(a))
	for j := range a {
		w[j] = b[j] - a[j]
		c += (b[j]*b[j] - a[j]*a[j]) / 2
	}
	return w, c
}

// VoronoiCell returns the corners of the Voronoi cell of points[i] in the plane, in
// counterclockwise order. The cell is a convex polygon: the part of the rectangle from (x0, y0) to
// (x1, y1) that is nearer to points[i] than to any other point. It is empty if the point is outside
// the rectangle and is not the nearest point of any part of it.
//
// Cost: O(n·c) for a cell with c corners; each point cuts the cell once, along a [Bisector].
//
// References: [Voronoi1908]. Course: NEAR-09.
func VoronoiCell(points [][]float64, i int, x0, y0, x1, y1 float64) [][2]float64 {
	const op = "VoronoiCell"
	if i < 0 || i >= len(points) {
		panic(model.Errorf(op, "i must be the index of a point, from 0 to %d, got %d", len(points)-1, i))
	}
	if !(x0 < x1 && y0 < y1) {
		panic(model.Errorf(op, "the rectangle must have x0 < x1 and y0 < y1, got (%v, %v) and (%v, %v)", x0, y0, x1, y1))
	}
	for k, p := range points {
		if len(p) != 2 {
			panic(model.Errorf(op, "points must have 2 coordinates, got %[2]d of point %[1]d", k, len(p)))
		}
	}
	cell := [][2]float64{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}
	for k, p := range points {
		if k == i || (p[0] == points[i][0] && p[1] == points[i][1]) {
			continue
		}
		w, c := Bisector(points[i], p)
		cell = clip(cell, w, c)
	}
	return cell
}

// clip returns the part of a convex polygon with w·x ≤ c.
func clip(polygon [][2]float64, w []float64, c float64) [][2]float64 {
	var out [][2]float64
	for k, p := range polygon {
		q := polygon[(k+1)%len(polygon)]
		sp, sq := w[0]*p[0]+w[1]*p[1]-c, w[0]*q[0]+w[1]*q[1]-c
		if sp <= 0 {
			out = append(out, p)
		}
		if (sp < 0 && sq > 0) || (sp > 0 && sq < 0) {
			f := sp / (sp - sq)
			out = append(out, [2]float64{p[0] + f*(q[0]-p[0]), p[1] + f*(q[1]-p[1])})
		}
	}
	return out
}

// Concentration is the distribution of the distances between random points of a
// cube, divided by the square root of the dimension.
type Concentration struct {
	Dim       int
	Distances []float64 // of all pairs, divided by √Dim
	Mean, SD  float64
}

// DistanceConcentration draws n points in the unit cube for each dimension D and measures the
// distances between all pairs. Distances do not get smaller in high dimensions: they grow like
// √(D/6). Their relative spread shrinks, so all points become about equally distant, and the
// nearest neighbor means little. The mean of distance/√D tends to 1/√6 = 0.408, and its standard
// deviation to 0.
//
// Course: NEAR-10.
func DistanceConcentration(n int, dims []int, seed uint64) []Concentration {
	if n < 2 {
		panic(model.Errorf("DistanceConcentration", "n must be at least 2, got %d", n))
	}
	var list []Concentration
	for s, dim := range dims {
		if dim < 1 {
			panic(model.Errorf("DistanceConcentration", "dimensions must be at least 1, got %d", dim))
		}
		rng := model.Rand(seed, uint64(s))
		points := make([][]float64, n)
		for i := range points {
			points[i] = make([]float64, dim)
			for j := range points[i] {
				points[i][j] = rng.Float64()
			}
		}
		c := Concentration{Dim: dim}
		m2 := 0.0
		for i := range points {
			for k := range i {
				v := math.Sqrt(squared(points[i], points[k]) / float64(dim))
				c.Distances = append(c.Distances, v)
				d := v - c.Mean
				c.Mean += d / float64(len(c.Distances))
				m2 += d * (v - c.Mean)
			}
		}
		c.SD = math.Sqrt(m2 / float64(len(c.Distances)))
		list = append(list, c)
	}
	return list
}
