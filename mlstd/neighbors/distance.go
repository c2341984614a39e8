package neighbors

import (
	"math"

	"github.com/gokernel/gokernel/mlstd/model"
)

// Metric is a distance between rows.
type Metric int

const (
	Euclidean    Metric = iota // √Σ (aⱼ − bⱼ)²
	Manhattan                  // Σ |aⱼ − bⱼ|
	Chebyshev                  // max |aⱼ − bⱼ|
	Minkowski                  // (Σ |aⱼ − bⱼ|ᵖ)^(1/p), p ≥ 1
	HammingCount               // the number of j with aⱼ ≠ bⱼ
	CosineMetric               // 1 − a·b / (‖a‖ ‖b‖); not a metric: it ignores lengths
)

// String returns the name of the metric.
func (m Metric) String() string {
	switch m {
	case Euclidean:
		return "Euclidean"
	case Manhattan:
		return "Manhattan"
	case Chebyshev:
		return "Chebyshev"
	case Minkowski:
		return "Minkowski"
	case HammingCount:
		return "Hamming"
	case CosineMetric:
		return "cosine"
	}
	return "unknown"
}

func sameLength(op string, a, b []float64) {
	if len(a) != len(b) {
		panic(model.Errorf(op, "a and b must have the same length, got %d and %d", len(a), len(b)))
	}
}

// EuclideanDistance returns √Σ (aⱼ − bⱼ)².
//
// Course: NEAR-04.
func EuclideanDistance(a, b []float64) float64 {
	sameLength("EuclideanDistance", a, b)
	return math.Sqrt(squared(a, b))
}

// ManhattanDistance returns Σ |aⱼ − bⱼ|: absolute differences, not squared differences.
//
// Course: NEAR-06.
func ManhattanDistance(a, b []float64) float64 {
	sameLength("ManhattanDistance", a, b)
	s := 0.0
	for j, v := range a {
		s += math.Abs(v - b[j])
	}
	return s
}

// ChebyshevDistance returns max |aⱼ − bⱼ|, the Minkowski distance for p = ∞.
//
// Course: NEAR-07.
func ChebyshevDistance(a, b []float64) float64 {
	sameLength("ChebyshevDistance", a, b)
	s := 0.0
	for j, v := range a {
		s = max(s, math.Abs(v-b[j]))
	}
	return s
}

// MinkowskiDistance returns (Σ |aⱼ − bⱼ|ᵖ)^(1/p) for p ≥ 1, including +Inf. It panics for p below
// 1, where the triangle inequality fails.
//
// Course: NEAR-07.
func MinkowskiDistance(a, b []float64, p float64) float64 {
	sameLength("MinkowskiDistance", a, b)
	if !(p >= 1) {
		panic(model.Errorf("MinkowskiDistance", "p must be at least 1, got %v", p))
	}
	if math.IsInf(p, 1) {
		return ChebyshevDistance(a, b)
	}
	s := 0.0
	for j, v := range a {
		s += math.Pow(math.Abs(v-b[j]), p)
	}
	return math.Pow(s, 1/p)
}

// HammingDistance returns the number of positions at which a and b differ.
//
// Course: NEAR-05.
func HammingDistance(a, b []float64) float64 {
	sameLength("HammingDistance", a, b)
	n := 0.0
	for j, v := range a {
		if v != b[j] {
			n++
		}
	}
	return n
}

// CosineSimilarity returns a·b / (‖a‖ ‖b‖), the cosine of the angle between a and b, or 0 if a or b
// is zero.
//
// Course: NEAR-21.
func CosineSimilarity(a, b []float64) float64 {
	sameLength("CosineSimilarity", a, b)
	ab, aa, bb := 0.0, 0.0, 0.0
	for j, v := range a {
		ab += v * b[j]
		aa += v * v
		bb += b[j] * b[j]
	}
	if aa == 0 || bb == 0 {
		return 0
	}
	return ab / math.Sqrt(aa*bb)
}

// squared returns the squared Euclidean distance.
func squared(a, b []float64) float64 {
	b = b[:len(a)]
	var s0, s1, s2, s3 float64
	j := 0
	for ; j+4 <= len(a); j += 4 {
		d0, d1, d2, d3 := a[j]-b[j], a[j+1]-b[j+1], a[j+2]-b[j+2], a[j+3]-b[j+3]
		s0 += d0 * d0
		s1 += d1 * d1
		s2 += d2 * d2
		s3 += d3 * d3
	}
	for ; j < len(a); j++ {
		d := a[j] - b[j]
		s0 += d * d
	}
	return s0 + s1 + (s2 + s3)
}

// rank returns a number that orders rows like the distance but is cheaper: the square of the
// Euclidean distance, the p-th power of the Minkowski distance.
func (m Metric) rank(a, b []float64, p float64) float64 {
	switch m {
	case Manhattan:
		return ManhattanDistance(a, b)
	case Chebyshev:
		return ChebyshevDistance(a, b)
	case Minkowski:
		s := 0.0
		for j, v := range a {
			s += math.Pow(math.Abs(v-b[j]), p)
		}
		return s
	case HammingCount:
		return HammingDistance(a, b)
	case CosineMetric:
		return 1 - CosineSimilarity(a, b)
	}
	return squared(a, b)
}

// distance converts a rank to a distance.
func (m Metric) distance(rank, p float64) float64 {
	switch m {
	case Euclidean:
		return math.Sqrt(rank)
	case Minkowski:
		return math.Pow(rank, 1/p)
	}
	return rank
}

// axis returns the rank of rows that differ by d in one column and nowhere else: no
// point beyond a plane at that distance has a lower rank.
func (m Metric) axis(d, p float64) float64 {
	switch m {
	case Euclidean:
		return d * d
	case Minkowski:
		return math.Pow(math.Abs(d), p)
	case HammingCount:
		if d == 0 {
			return 0
		}
		return 1
	}
	return math.Abs(d)
}

// bounded reports whether axis bounds the metric, as a k-d tree needs.
func (m Metric) bounded() bool { return m != CosineMetric }
