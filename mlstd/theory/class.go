package theory

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Concept is a set of points.
type Concept interface {
	Contains(x []float64) bool
	String() string
}

// Class is a set of concepts over points of the same length. Realize returns a concept that
// contains exactly the points labeled true; the second result reports whether such a concept
// exists.
type Class interface {
	String() string
	Realize(points [][]float64, labels []bool) (Concept, bool)
}

// HalfSpace is the set of points with Coef·x + Intercept > 0.
type HalfSpace struct {
	Coef      []float64
	Intercept float64
}

// Contains reports whether x is on the positive side.
func (h HalfSpace) Contains(x []float64) bool {
	sum := h.Intercept
	for j, v := range x {
		sum += h.Coef[j] * v
	}
	return sum > 0
}

// String returns the inequality as text.
func (h HalfSpace) String() string {
	var b strings.Builder
	for j, c := range h.Coef {
		fmt.Fprintf(&b, "%+.3g·x%d ", c, j+1)
	}
	fmt.Fprintf(&b, "%+.3g > 0", h.Intercept)
	return b.String()
}

// HalfSpaces is the class of half-spaces in any dimension d. In the plane, a half-space is one side
// of a line. The VC dimension is d + 1.
//
// Course: COLT-06, COLT-07.
type HalfSpaces struct{}

// String returns the name of the class.
func (HalfSpaces) String() string { return "half-spaces" }

// Realize finds the half-space with the largest margin, as measured by the linear program in
// [separate].
func (HalfSpaces) Realize(points [][]float64, labels []bool) (Concept, bool) {
	if len(points) == 0 {
		return HalfSpace{Intercept: 1}, true
	}
	w, ok := separate(points, labels, nil)
	if !ok {
		return nil, false
	}
	d := len(points[0])
	return HalfSpace{Coef: w[:d], Intercept: w[d]}, true
}

// Ball is the set of points at a distance of less than Radius from Center.
type Ball struct {
	Center []float64
	Radius float64
}

// Contains reports whether x is in the concept.
func (d Ball) Contains(x []float64) bool {
	sum := 0.0
	for j, v := range x {
		sum += (v - d.Center[j]) * (v - d.Center[j])
	}
	return sum < d.Radius*d.Radius
}

// String returns the center and the radius as text.
func (d Ball) String() string { return fmt.Sprintf("within %.3g of %.3g", d.Radius, d.Center) }

// Balls is the class of open balls; in the plane, they are the interiors of circles. The VC
// dimension in the plane is 3, the same as for lines.
//
// Course: COLT-07.
type Balls struct{}

// String returns the name of the class.
func (Balls) String() string { return "balls" }

// Realize searches for a ball by lifting the points to a paraboloid, where the points inside a
// circle are below a plane.
func (Balls) Realize(points [][]float64, labels []bool) (Concept, bool) {
	if len(points) == 0 || !slices.Contains(labels, true) {
		return Ball{}, true
	}
	d := len(points[0])
	lifted := make([][]float64, len(points))
	for i, x := range points {
		sum := 0.0
		for _, v := range x {
			sum += v * v
		}
		lifted[i] = append(slices.Clone(x), sum)
	}
	w, ok := separate(lifted, labels, func(j int) bool { return j == d })
	if !ok {
		return nil, false
	}
	// A vertical plane corresponds to a line, which a very large circle approximates.
	a := max(-w[d], 1e-9)
	disc := Ball{Center: make([]float64, d)}
	square := w[d+1] / a
	for j := range d {
		disc.Center[j] = w[j] / (2 * a)
		square += disc.Center[j] * disc.Center[j]
	}
	disc.Radius = math.Sqrt(square)
	return disc, true
}

// Box is the set of points between Low and High, inclusive. A nil Low means the empty box.
type Box struct{ Low, High []float64 }

// Contains reports whether x is in the concept.
func (b Box) Contains(x []float64) bool {
	if b.Low == nil {
		return false
	}
	for j, v := range x {
		if v < b.Low[j] || v > b.High[j] {
			return false
		}
	}
	return true
}

// String returns the corners as text.
func (b Box) String() string {
	if b.Low == nil {
		return "nothing"
	}
	return fmt.Sprintf("from %.3g to %.3g", b.Low, b.High)
}

// Rectangles is the class of axis-parallel boxes. The VC dimension in d dimensions is 2d.
//
// Course: COLT-07.
type Rectangles struct{}

// String returns the name of the class.
func (Rectangles) String() string { return "rectangles" }

// Realize tries only the smallest box around the points labeled true.
func (Rectangles) Realize(points [][]float64, labels []bool) (Concept, bool) {
	var b Box
	for i, x := range points {
		if !labels[i] {
			continue
		}
		if b.Low == nil {
			b = Box{Low: slices.Clone(x), High: slices.Clone(x)}
		}
		for j, v := range x {
			b.Low[j], b.High[j] = min(b.Low[j], v), max(b.High[j], v)
		}
	}
	return b, fits(b, points, labels)
}

// Intervals is the class of intervals of a line: rectangles of one dimension, with VC dimension 2.
//
// Course: COLT-07.
type Intervals struct{}

// String returns the name of the class.
func (Intervals) String() string { return "intervals" }

// Realize tries only the smallest interval that contains the points labeled true.
func (Intervals) Realize(points [][]float64, labels []bool) (Concept, bool) {
	return Rectangles{}.Realize(points, labels)
}

// Thresholds is the class of rays x ≥ a on a line. The VC dimension is 1.
//
// Course: COLT-07.
type Thresholds struct{}

// String returns the name of the class.
func (Thresholds) String() string { return "thresholds" }

// Realize tries only one threshold: the smallest point labeled true.
func (Thresholds) Realize(points [][]float64, labels []bool) (Concept, bool) {
	b := Box{Low: []float64{math.Inf(1)}, High: []float64{math.Inf(1)}}
	for i, x := range points {
		if labels[i] {
			b.Low[0] = min(b.Low[0], x[0])
		}
	}
	return b, fits(b, points, labels)
}

// Literals is a conjunction over booleans: each variable must be 1, must be 0, or does
// not matter.
type Literals struct{ True, False []bool }

// Contains reports whether all literals hold.
func (l Literals) Contains(x []float64) bool {
	for j, v := range x {
		if (l.True[j] && v == 0) || (l.False[j] && v != 0) {
			return false
		}
	}
	return true
}

// String returns the conjunction as text.
func (l Literals) String() string {
	var parts []string
	for j := range l.True {
		if l.True[j] {
			parts = append(parts, fmt.Sprintf("x%d", j+1))
		}
		if l.False[j] {
			parts = append(parts, fmt.Sprintf("¬x%d", j+1))
		}
	}
	if parts == nil {
		return "true"
	}
	return strings.Join(parts, " ∧ ")
}

// ConjunctionConcepts is the class of conjunctions of literals over booleans, 0 and 1. With
// Monotone, the conjunctions have no negations. The VC dimension is the number of variables; with
// negations, this holds for two or more variables.
//
// Course: COLT-07, COLT-08.
type ConjunctionConcepts struct{ Monotone bool }

// String returns the name of the class.
func (c ConjunctionConcepts) String() string {
	if c.Monotone {
		return "monotone conjunctions"
	}
	return "conjunctions"
}

// Realize tries only the conjunction of all literals that hold for every point labeled true.
func (c ConjunctionConcepts) Realize(points [][]float64, labels []bool) (Concept, bool) {
	if len(points) == 0 {
		return Literals{}, true
	}
	d := len(points[0])
	l := Literals{True: slices.Repeat([]bool{true}, d), False: slices.Repeat([]bool{!c.Monotone}, d)}
	for i, x := range points {
		if !labels[i] {
			continue
		}
		for j, v := range x {
			l.True[j] = l.True[j] && v != 0
			l.False[j] = l.False[j] && v == 0
		}
	}
	return l, fits(l, points, labels)
}

// fits reports whether the concept has the given labels on the points.
func fits(c Concept, points [][]float64, labels []bool) bool {
	for i, x := range points {
		if c.Contains(x) != labels[i] {
			return false
		}
	}
	return true
}
