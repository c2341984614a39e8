package cluster

import (
	"math"
	"sync/atomic"

	"gonum.org/v1/gonum/floats"

	"github.com/gokernel/gokernel/mlstd/internal/par"
)

// KMeansAlgorithm determines how k-means finds the nearest center of each row. The
// labels and means are the same for all algorithms, except for rows that are equally
// near to two centers.
type KMeansAlgorithm int

const (
	// LloydKMeans compares each row with each center, in blocks.
	LloydKMeans KMeansAlgorithm = iota
	// HamerlyKMeans skips a row while its distance to its center is below half the distance from
	// that center to its nearest other center, or below a lower bound on the distance to any other
	// center. It stores one number per row, and is fastest where K is large and the clusters are
	// well separated.
	//
	// References: [Hamerly2010].
	HamerlyKMeans
)

// String returns the name of the algorithm.
func (a KMeansAlgorithm) String() string {
	switch a {
	case LloydKMeans:
		return "Lloyd"
	case HamerlyKMeans:
		return "Hamerly"
	}
	return "unknown"
}

// hamerly is the state of the bounds that is kept from one step to the next.
type hamerly struct {
	lower  []float64 // of each row: a lower bound on the distance to any center but its own
	before []float64 // the centers of the step before; empty at the start
	moved  []float64 // how far each center has moved
	half   []float64 // of each center: half the distance to the nearest other center
}

// assign writes the nearest centers as [linalg.Points.Nearest] does, and returns
// the number of labels that it changed and the sum of the squared distances.
func (h *hamerly) assign(s *lloyd) (labels int, loss float64) {
	first := len(h.before) == 0
	h.measure(s, first)
	far, most, second := 0, 0.0, 0.0
	for c, m := range h.moved {
		if m > most {
			far, most, second = c, m, most
		} else {
			second = max(second, m)
		}
	}
	data := s.x.RawMatrix().Data
	const grain = 512
	var changed atomic.Int64
	losses := make([]float64, (s.n+grain-1)/grain)
	par.Range(s.n, grain, func(lo, hi int) {
		different, near := 0, 0.0
		for i := lo; i < hi; i++ {
			row, own := data[i*s.cols:(i+1)*s.cols], int(s.labels[i])
			if !first {
				drift := most
				if own == far {
					drift = second
				}
				h.lower[i] -= drift
				away := squared(row, s.centers[own*s.cols:(own+1)*s.cols])
				if math.Sqrt(away)*(1+1e-9) < max(h.lower[i], h.half[own]) {
					near += away
					continue
				}
			}
			label, best, lower := s.nearestTwo(row)
			near += best
			h.lower[i] = lower
			if label != s.labels[i] {
				s.labels[i] = label
				different++
			}
		}
		losses[lo/grain] = near
		changed.Add(int64(different))
	})
	h.before = append(h.before[:0], s.centers[:s.k*s.cols]...)
	return int(changed.Load()), floats.Sum(losses)
}

// measure computes how far the centers moved and how far apart they are.
func (h *hamerly) measure(s *lloyd, first bool) {
	if first {
		h.lower, h.moved, h.half = make([]float64, s.n), make([]float64, s.k), make([]float64, s.k)
	}
	for c := range s.k {
		at := s.centers[c*s.cols : (c+1)*s.cols]
		if !first {
			h.moved[c] = math.Sqrt(squared(at, h.before[c*s.cols:(c+1)*s.cols]))
		}
		h.half[c] = math.Inf(1)
		for o := range s.k {
			if o != c {
				h.half[c] = min(h.half[c], squared(at, s.centers[o*s.cols:(o+1)*s.cols]))
			}
		}
		h.half[c] = math.Sqrt(h.half[c]) / 2
	}
}

// nearestTwo returns the nearest center (the first of equally near ones), its squared distance, and
// the distance of the second nearest center.
func (s *lloyd) nearestTwo(row []float64) (label int32, best, second float64) {
	best, next := math.Inf(1), math.Inf(1)
	for c := range s.k {
		v := squared(row, s.centers[c*s.cols:(c+1)*s.cols])
		if v < best {
			label, best, next = int32(c), v, best
		} else {
			next = min(next, v)
		}
	}
	return label, best, math.Sqrt(next)
}
