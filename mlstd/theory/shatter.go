package theory

import (
	"math/bits"

	"github.com/gokernel/gokernel/mlstd/model"
)

// mostPoints is the maximum number of points for which all labelings are tried.
const mostPoints = 20

// Shattering holds all labelings of a set of points. For each labeling, it records whether a class
// can realize the labeling.
type Shattering struct {
	Class    Class
	Points   [][]float64
	Labels   [][]bool  // all 2ⁿ, point i being bit i of the number of the labeling
	Concepts []Concept // a concept that realizes each labeling; nil if there is none
}

// Shatter tries all labelings of the points.
//
// Course: COLT-06.
func Shatter(class Class, points [][]float64) *Shattering {
	const op = "Shatter"
	checkPoints(op, class, points)
	if len(points) > mostPoints {
		panic(model.Errorf(op, "there must be at most %d points, got %d", mostPoints, len(points)))
	}
	s := &Shattering{Class: class, Points: points}
	for number := range 1 << len(points) {
		labels := labeling(number, len(points))
		c, ok := class.Realize(points, labels)
		if !ok {
			c = nil
		}
		s.Labels, s.Concepts = append(s.Labels, labels), append(s.Concepts, c)
	}
	return s
}

func checkPoints(op string, class Class, points [][]float64) {
	if class == nil {
		panic(model.Errorf(op, "the class must not be nil").WithHint("pass a class such as ml.HalfSpaces{}"))
	}
	for i, x := range points {
		if len(x) == 0 || len(x) != len(points[0]) {
			panic(model.Errorf(op, "all points must have the same number of coordinates, but point %d has %d and point 0 has %d", i, len(x), len(points[0])))
		}
	}
}

func labeling(number, n int) []bool {
	labels := make([]bool, n)
	for i := range labels {
		labels[i] = number>>i&1 == 1
	}
	return labels
}

// Count returns the number of labelings that the class can realize.
func (s *Shattering) Count() int {
	n := 0
	for _, c := range s.Concepts {
		if c != nil {
			n++
		}
	}
	return n
}

// Shattered reports whether the class can realize all labelings.
func (s *Shattering) Shattered() bool { return s.Count() == len(s.Labels) }

// shatters reports whether the class shatters the points; it stops at the first labeling that the
// class cannot realize.
func shatters(class Class, points [][]float64) bool {
	for number := range 1 << len(points) {
		if _, ok := class.Realize(points, labeling(number, len(points))); !ok {
			return false
		}
	}
	return true
}

// VCDimension searches for the largest subset of the points that the class shatters, and returns
// its size and the subset. The size is a lower bound on the VC dimension. It equals the VC
// dimension if the points are rich enough: all points for booleans, or a few points in general
// position for other classes.
//
// The search adds one point at a time, because every subset of a shattered set is shattered. The
// cost is exponential in the dimension.
//
// References: [Vapnik1971]. Course: COLT-07.
func VCDimension(class Class, points [][]float64) (int, [][]float64) {
	checkPoints("VCDimension", class, points)
	var best []int
	var grow func(set []int)
	grow = func(set []int) {
		if len(set) > len(best) {
			best = append([]int(nil), set...)
		}
		from := 0
		if len(set) > 0 {
			from = set[len(set)-1] + 1
		}
		for i := from; i < len(points); i++ {
			if len(set)+len(points)-i <= len(best) {
				return // too few are left
			}
			if larger := append(set[:len(set):len(set)], i); shatters(class, pick(points, larger)) {
				grow(larger)
			}
		}
	}
	grow(nil)
	return len(best), pick(points, best)
}

func pick(points [][]float64, set []int) [][]float64 {
	out := make([][]float64, len(set))
	for i, at := range set {
		out[i] = points[at]
	}
	return out
}

// Growth returns the maximum number of labelings that the class can realize on m of the points.
// This is the growth function, restricted to the points.
//
// Course: COLT-07.
func Growth(class Class, points [][]float64, m int) int {
	const op = "Growth"
	checkPoints(op, class, points)
	if m < 0 || m > len(points) || m > mostPoints {
		panic(model.Errorf(op, "m must be between 0 and %d, got %d", min(len(points), mostPoints), m))
	}
	most := 0
	eachSubset(len(points), m, func(set []int) {
		if n := labelings(class, pick(points, set)); n > most {
			most = n
		}
	})
	return most
}

// labelings counts the labelings that the class can realize.
func labelings(class Class, points [][]float64) int {
	n := 0
	for number := range 1 << len(points) {
		if _, ok := class.Realize(points, labeling(number, len(points))); ok {
			n++
		}
	}
	return n
}

// eachSubset calls f with each set of m of the numbers below n.
func eachSubset(n, m int, f func(set []int)) {
	set := make([]int, m)
	var next func(at, from int)
	next = func(at, from int) {
		if at == m {
			f(set)
			return
		}
		for i := from; i <= n-(m-at); i++ {
			set[at] = i
			next(at+1, i+1)
		}
	}
	next(0, 0)
}

// Rademacher estimates how well the class fits noise on the points. The estimate is the mean, over
// random signs, of the largest correlation between a labeling and the signs.
//
//	R = E_σ  max over labelings y of (1/n)·Σ σᵢ·yᵢ,  y = ±1
//
// R is 1 for points that are shattered, and at most about √(2·VC·ln n / n) for many points.
//
// References: [Bartlett2002]. Course: COLT-07.
func Rademacher(class Class, points [][]float64, draws int, seed uint64) float64 {
	const op = "Rademacher"
	checkPoints(op, class, points)
	n := len(points)
	if n == 0 || n > mostPoints || draws < 1 {
		panic(model.Errorf(op, "n must be between 1 and %d, and draws at least 1, got %d and %d", mostPoints, n, draws))
	}
	var can []uint32
	for number := range 1 << n {
		if _, ok := class.Realize(points, labeling(number, n)); ok {
			can = append(can, uint32(number))
		}
	}
	if can == nil {
		return 0
	}
	rng := model.Rand(seed, 0)
	sum := 0
	for range draws {
		signs := rng.Uint32N(1 << n)
		least := n
		for _, y := range can {
			least = min(least, bits.OnesCount32(y^signs))
		}
		sum += n - 2*least
	}
	return float64(sum) / float64(draws) / float64(n)
}
