// Package finite finds NaN and Inf among many numbers, at a speed limited only by memory bandwidth.
package finite

import (
	"math"
	"slices"
	"sync/atomic"

	"github.com/gokernel/gokernel/mlstd/internal/par"
)

// grain is the number of values that one goroutine checks at a time.
const grain = 1 << 16

// First returns the index of the first NaN or Inf in v, or -1 if there is none.
func First(v []float64) int { return first(v, true) }

// FirstInf returns the index of the first Inf in v, or -1 if there is none.
func FirstInf(v []float64) int { return first(v, false) }

func first(v []float64, nan bool) int {
	var first atomic.Int64
	first.Store(int64(len(v)))
	par.Range(len(v), grain, func(lo, hi int) {
		if suspect(v[lo:hi]) {
			for i := lo; i < hi; i++ {
				if v[i]-v[i] != 0 && (nan || v[i] == v[i]) {
					lower(&first, int64(i))
					return
				}
			}
		}
	})
	if i := int(first.Load()); i < len(v) {
		return i
	}
	return -1
}

// HasNaN reports whether a value of v is NaN.
func HasNaN(v []float64) bool {
	var found atomic.Bool
	par.Range(len(v), grain, func(lo, hi int) {
		if suspect(v[lo:hi]) && slices.ContainsFunc(v[lo:hi], math.IsNaN) {
			found.Store(true)
		}
	})
	return found.Load()
}

// Largest returns the largest absolute value in v, or 0 if v is empty. v must not contain NaN.
func Largest(v []float64) float64 {
	var most atomic.Uint64 // bits of the absolute values, which have the same order
	par.Range(len(v), grain, func(lo, hi int) {
		bits := largest(v[lo:hi])
		for {
			old := most.Load()
			if bits <= old || most.CompareAndSwap(old, bits) {
				return
			}
		}
	})
	return math.Float64frombits(most.Load())
}

func largest(v []float64) uint64 {
	const size = 1<<63 - 1 // all bits but the sign
	var a, b, c, d uint64
	for ; len(v) >= 4; v = v[4:] {
		a = max(a, math.Float64bits(v[0])&size)
		b = max(b, math.Float64bits(v[1])&size)
		c = max(c, math.Float64bits(v[2])&size)
		d = max(d, math.Float64bits(v[3])&size)
	}
	for _, x := range v {
		a = max(a, math.Float64bits(x)&size)
	}
	return max(a, b, c, d)
}

// suspect reports whether a value of v is NaN or Inf: x − x is 0 for all others.
func suspect(v []float64) bool {
	var a, b, c, d float64
	for ; len(v) >= 4; v = v[4:] {
		a += v[0] - v[0]
		b += v[1] - v[1]
		c += v[2] - v[2]
		d += v[3] - v[3]
	}
	for _, x := range v {
		a += x - x
	}
	return a+b+c+d != 0
}

// lower stores i if it is less than the stored value.
func lower(v *atomic.Int64, i int64) {
	for {
		old := v.Load()
		if i >= old || v.CompareAndSwap(old, i) {
			return
		}
	}
}
