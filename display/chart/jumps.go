package chart

import (
	"math"
	"slices"
	"sort"
)

// maxJumps bounds the breaks of one graph: one that has more has none that a reader
// could see.
const maxJumps = 50

// breakJumps puts a gap wherever the function jumps or has a pole between two
// neighboring points.
func (m *mark) breakJumps() {
	m.poles = false
	lo, hi, ok := middle(m.y)
	if !ok {
		return
	}
	var at []int
	for i := 1; i < len(m.y); i++ {
		if d := math.Abs(m.y[i] - m.y[i-1]); isFinite(d) && d > (hi-lo)/4 {
			at = append(at, i)
		}
	}
	if len(at) > maxJumps {
		return
	}
	for k := len(at) - 1; k >= 0; k-- {
		i := at[k]
		x, jump, pole := m.jump(i)
		if !jump {
			continue
		}
		m.poles = m.poles || pole
		m.x, m.y = slices.Insert(m.x, i, x), slices.Insert(m.y, i, math.NaN())
	}
}

// jump looks, by halving, for a place between the points i-1 and i over which the
// function jumps however close one looks. Beside a pole its values grow on the way.
func (m *mark) jump(i int) (x float64, jump, pole bool) {
	a, b, fa, fb := m.x[i-1], m.x[i], m.y[i-1], m.y[i]
	first := math.Abs(fb - fa)
	largest := math.Max(math.Abs(fa), math.Abs(fb))
	for range 60 {
		mid := a + (b-a)/2
		if mid <= a || mid >= b {
			break
		}
		f := m.f(mid)
		if !isFinite(f) {
			return mid, true, true
		}
		if math.Abs(f-fa) > math.Abs(fb-f) {
			b, fb = mid, f
		} else {
			a, fa = mid, f
		}
	}
	x = a + (b-a)/2
	jump = math.Abs(fb-fa) > first/2
	pole = math.Max(math.Abs(fa), math.Abs(fb)) > 10*largest
	return x, jump, pole
}

// middle returns the range of the finite values but for a tenth at each end.
func middle(y []float64) (lo, hi float64, ok bool) {
	var finite []float64
	for _, v := range y {
		if isFinite(v) {
			finite = append(finite, v)
		}
	}
	if len(finite) < 10 {
		return 0, 0, false
	}
	sort.Float64s(finite)
	n := len(finite)
	return finite[n/10], finite[n-1-n/10], true
}

// visible returns the values of a graph that its axis must show: all, or beside poles
// those in the middle and as much again.
func (m *mark) visible() []float64 {
	if !m.poles {
		return m.y
	}
	lo, hi, ok := middle(m.y)
	if !ok {
		return m.y
	}
	return []float64{lo - (hi - lo), hi + (hi - lo)}
}
