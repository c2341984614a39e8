package optim

import (
	"math"
	"slices"

	"github.com/gokernel/gokernel/mlstd/model"
)

// SmoothedSimplex draws repeats random problems. For each of them, it returns the number of pivots
// of the simplex method with Dantzig's rule. The problem is the Klee-Minty cube of n dimensions,
// with Gaussian noise added to its constraint matrix.
//
//	max Σⱼ 2^(n−j)·xⱼ  subject to  2·Σ_{j<i} 2^(i−j)·xⱼ + xᵢ ≤ 5^i,  x ≥ 0
//
// Without noise (sigma 0) the method visits all 2ⁿ corners, with 2ⁿ − 1 pivots. With noise of
// relative size sigma the expected number is polynomial. This smoothed analysis explains why the
// method is fast in practice.
//
// References: [KleeMinty1972], [SpielmanTeng2004]. Course: OPT-35.
func SmoothedSimplex(n int, sigma float64, repeats int, seed uint64) ([]int, error) {
	if n < 1 || n > 16 || repeats < 1 || !(sigma >= 0) {
		return nil, model.Errorf("SmoothedSimplex", "n must be between 1 and 16, sigma not negative, and repeats at least 1, got %d, %v and %d", n, sigma, repeats)
	}
	out := make([]int, repeats)
	for r := range out {
		rng := model.Rand(seed, uint64(r))
		a, b, c := make([][]float64, n), make([]float64, n), make([]float64, n)
		for i := range n {
			a[i] = make([]float64, n)
			for j := range n {
				switch {
				case j < i:
					a[i][j] = math.Pow(2, float64(i-j+1))
				case j == i:
					a[i][j] = 1
				}
				// Noise relative to the largest entry of the row.
				a[i][j] += sigma * math.Pow(2, float64(i+1)) * rng.NormFloat64()
			}
			b[i] = math.Pow(5, float64(i+1))
			c[i] = math.Pow(2, float64(n-1-i))
		}
		out[r] = simplexPivots(a, b, c)
	}
	return out, nil
}

// simplexPivots maximizes c·x subject to a·x ≤ b (b > 0), x ≥ 0, entering the
// column of the largest coefficient, and counts the pivots until the optimum or
// an unbounded ray.
func simplexPivots(a [][]float64, b, c []float64) int {
	n := len(b)
	t := make([][]float64, n+1)
	for i := range n {
		t[i] = make([]float64, 2*n+1)
		copy(t[i], a[i])
		t[i][n+i] = 1
		t[i][2*n] = b[i]
	}
	t[n] = make([]float64, 2*n+1)
	for j, v := range c {
		t[n][j] = -v
	}
	for pivots := 0; ; pivots++ {
		enter := -1
		for j := range 2 * n {
			if t[n][j] < -1e-9 && (enter < 0 || t[n][j] < t[n][enter]) {
				enter = j
			}
		}
		if enter < 0 {
			return pivots
		}
		leave := -1
		for i := range n {
			if t[i][enter] > 1e-9 && (leave < 0 || t[i][2*n]/t[i][enter] < t[leave][2*n]/t[leave][enter]) {
				leave = i
			}
		}
		if leave < 0 || pivots > 1<<18 {
			return pivots
		}
		p := t[leave][enter]
		for j := range t[leave] {
			t[leave][j] /= p
		}
		for i := range t {
			if i == leave || t[i][enter] == 0 {
				continue
			}
			f := t[i][enter]
			for j := range t[i] {
				t[i][j] -= f * t[leave][j]
			}
		}
	}
}

// SmoothedLloyd draws repeats random sets of points on the line. For each set, it returns the
// number of passes of Lloyd's K-means algorithm, started from the given centers. Gaussian noise of
// standard deviation sigma moves each point. The algorithm ends when a pass does not change the
// assignment of any point.
//
// References: [ArthurMantheyRoglin2009]. Course: OPT-35.
func SmoothedLloyd(points, centers []float64, sigma float64, repeats int, seed uint64) ([]int, error) {
	if len(points) == 0 || len(centers) == 0 || repeats < 1 || !(sigma >= 0) {
		return nil, model.Errorf("SmoothedLloyd", "points, centers and repeats must be at least 1, and sigma not negative, got %d, %d, %[4]d and %[3]v", len(points), len(centers), sigma, repeats)
	}
	out := make([]int, repeats)
	for r := range out {
		rng := model.Rand(seed, uint64(r))
		x := slices.Clone(points)
		for i := range x {
			x[i] += sigma * rng.NormFloat64()
		}
		mu, of := slices.Clone(centers), slices.Repeat([]int{-1}, len(x))
		for changed := true; changed; out[r]++ {
			changed = false
			sum, n := make([]float64, len(mu)), make([]float64, len(mu))
			for i, v := range x {
				best := 0
				for k := range mu {
					if math.Abs(v-mu[k]) < math.Abs(v-mu[best]) {
						best = k
					}
				}
				if of[i] != best {
					of[i], changed = best, true
				}
				sum[best] += v
				n[best]++
			}
			for k := range mu {
				if n[k] > 0 {
					mu[k] = sum[k] / n[k]
				}
			}
		}
	}
	return out, nil
}
