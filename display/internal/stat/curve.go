package stat

import (
	"math"
	"sort"

	"gonum.org/v1/gonum/stat/distuv"
)

// Polynomial is a least-squares polynomial of y over x in an orthonormal basis on the points (G.
// E. Forsythe, "Generation and use of orthogonal polynomials for data-fitting", 1957).
type Polynomial struct {
	alpha, beta, coef []float64
	scale             float64 // 1/√n, the first basis polynomial
	middle, half      float64 // x is shifted and scaled by them
	s, t              float64 // residual standard deviation; quantile of Student's distribution
	n, degree         int
}

// FitPolynomial fits a polynomial. It needs at least degree+1 distinct values of x.
func FitPolynomial(x, y []float64, degree int) *Polynomial {
	n := len(x)
	p := &Polynomial{n: n, degree: degree, scale: 1 / math.Sqrt(float64(n))}
	lo, hi := x[0], x[0]
	for _, v := range x {
		lo, hi = math.Min(lo, v), math.Max(hi, v)
	}
	p.middle, p.half = lo/2+hi/2, hi/2-lo/2
	u := make([]float64, n)
	before, now, rest := make([]float64, n), make([]float64, n), append([]float64(nil), y...)
	for i, v := range x {
		u[i] = (v - p.middle) / p.half
		now[i] = p.scale
	}
	beta := 0.0
	for k := 0; ; k++ {
		c, alpha := 0.0, 0.0
		for i := range now {
			c += now[i] * rest[i]
			alpha += u[i] * now[i] * now[i]
		}
		p.coef = append(p.coef, c)
		for i := range now {
			rest[i] -= c * now[i]
		}
		if k == degree {
			break
		}
		norm := 0.0
		for i := range now {
			before[i] = (u[i]-alpha)*now[i] - beta*before[i]
			norm += before[i] * before[i]
		}
		beta = math.Sqrt(norm)
		for i := range before {
			before[i] /= beta
		}
		before, now = now, before
		p.alpha, p.beta = append(p.alpha, alpha), append(p.beta, beta)
	}
	if df := n - degree - 1; df > 0 {
		ss := 0.0
		for _, r := range rest {
			ss += r * r
		}
		p.s = math.Sqrt(ss / float64(df))
		p.t = distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(df)}.Quantile(0.975)
	}
	return p
}

// At returns the value at x and half of the length of the 95 % confidence interval for the mean at
// x,
//
//	t · s · √(x₀' (X'X)⁻¹ x₀),
//
// with the 0.975 quantile t of Student's distribution with n-degree-1 degrees of freedom. Without
// degrees of freedom, the interval is NaN.
func (p *Polynomial) At(x float64) (y, half float64) {
	u := (x - p.middle) / p.half
	before, now, beta, ss := 0.0, p.scale, 0.0, 0.0
	for k, c := range p.coef {
		y += c * now
		ss += now * now
		if k < len(p.alpha) {
			before, now = now, ((u-p.alpha[k])*now-beta*before)/p.beta[k]
			beta = p.beta[k]
		}
	}
	if p.n <= p.degree+1 {
		return y, math.NaN()
	}
	return y, p.t * p.s * math.Sqrt(ss)
}

// Lowess smooths y over ascending x by locally weighted lines (W. S. Cleveland, "Robust locally
// weighted regression and smoothing scatterplots", 1979). Each value comes from a line fitted to
// the nearest points (the fraction share of all points), with tricube weights by distance. The fit
// is repeated rounds times with bisquare weights by the residuals. Lines are fitted at points more
// than delta apart, and values between them are interpolated.
func Lowess(x, y []float64, share float64, rounds int, delta float64) *Smooth {
	n := len(x)
	s := &Smooth{x: x, y: y, k: max(2, min(n, int(share*float64(n)+1e-10))), robust: make([]float64, n), weight: make([]float64, n)}
	for i := range s.robust {
		s.robust[i] = 1
	}
	s.Fitted = make([]float64, n)
	for round := 0; ; round++ {
		s.fit(delta)
		if round == rounds {
			break
		}
		s.reweight()
	}
	s.deviation()
	return s
}

// Smooth is a curve fitted by [Lowess].
type Smooth struct {
	Fitted []float64 // at each x
	x, y   []float64
	k      int // number of neighbors of a fit
	robust []float64
	weight []float64 // weights of the last fit
	lo, hi int       // its range of neighbors
	trace  float64   // trace of the matrix that maps y to the fitted values
	sd, t  float64
}

// at fits a line around v. It returns its value there, the sum of the squares of the weights of
// y, and the weight of point i. It returns false if all weights are zero.
func (s *Smooth) at(v float64, i int) (value, squares, own float64, ok bool) {
	n := len(s.x)
	for s.hi < n && v-s.x[s.lo] > s.x[s.hi]-v {
		s.lo++
		s.hi++
	}
	radius := math.Max(v-s.x[s.lo], s.x[s.hi-1]-v)
	sum := 0.0
	w := s.weight
	for j := s.lo; j < s.hi; j++ {
		w[j] = 0
		switch d := math.Abs(s.x[j] - v); {
		case d <= 0.001*radius:
			w[j] = s.robust[j]
		case d <= 0.999*radius:
			r := d / radius
			c := 1 - r*r*r
			w[j] = c * c * c * s.robust[j]
		}
		sum += w[j]
	}
	if sum <= 0 {
		return 0, 0, 0, false
	}
	mx := 0.0
	for j := s.lo; j < s.hi; j++ {
		w[j] /= sum
		mx += w[j] * s.x[j]
	}
	sxx := 0.0
	for j := s.lo; j < s.hi; j++ {
		sxx += w[j] * (s.x[j] - mx) * (s.x[j] - mx)
	}
	slope := 0.0
	if span := s.x[n-1] - s.x[0]; sxx > 1e-12*span*span {
		slope = (v - mx) / sxx
	}
	for j := s.lo; j < s.hi; j++ {
		l := w[j] * (1 + slope*(s.x[j]-mx))
		value += l * s.y[j]
		squares += l * l
		if j == i {
			own = l
		}
	}
	return value, squares, own, true
}

// fit computes the fitted values.
func (s *Smooth) fit(delta float64) {
	n := len(s.x)
	s.lo, s.hi = 0, s.k
	s.trace = 0
	last := -1
	lastOwn := 0.0
	for i := 0; ; {
		value, _, own, ok := s.at(s.x[i], i)
		if !ok {
			value, own = s.y[i], 1
		}
		s.Fitted[i] = value
		s.trace += own
		if last >= 0 && i > last+1 {
			for j := last + 1; j < i; j++ {
				t := (s.x[j] - s.x[last]) / (s.x[i] - s.x[last])
				s.Fitted[j] = (1-t)*s.Fitted[last] + t*s.Fitted[i]
			}
			s.trace += float64(i-last-1) * (own + lastOwn) / 2
		}
		last, lastOwn = i, own
		if i == n-1 {
			return
		}
		// Points with the same x have the same value. The next fit is at the last point within
		// delta, or otherwise at the next point.
		next := i + 1
		for next < n && s.x[next] == s.x[last] {
			s.Fitted[next] = value
			s.trace += own
			last = next
			next++
		}
		if next == n {
			return
		}
		for next < n-1 && s.x[next] <= s.x[last]+delta {
			next++
		}
		i = max(last+1, next-1)
	}
}

// reweight reduces the weights of points far from the curve.
func (s *Smooth) reweight() {
	n := len(s.y)
	r := make([]float64, n)
	for i := range r {
		r[i] = math.Abs(s.y[i] - s.Fitted[i])
	}
	sorted := append([]float64(nil), r...)
	sort.Float64s(sorted)
	median := sorted[n/2]/2 + sorted[(n-1)/2]/2
	for i, d := range r {
		switch {
		case median == 0 && d > 0, median > 0 && d >= 6*median:
			s.robust[i] = 0
		case median == 0:
			s.robust[i] = 1
		default:
			u := d / (6 * median)
			s.robust[i] = (1 - u*u) * (1 - u*u)
		}
	}
}

// deviation estimates the standard deviation around the curve from the weighted residuals and the
// residual degrees of freedom.
func (s *Smooth) deviation() {
	ss, sum := 0.0, 0.0
	for i, y := range s.y {
		ss += s.robust[i] * (y - s.Fitted[i]) * (y - s.Fitted[i])
		sum += s.robust[i]
	}
	df := sum - s.trace
	if df < 1 {
		s.sd, s.t = math.NaN(), math.NaN()
		return
	}
	s.sd = math.Sqrt(ss / df)
	s.t = distuv.StudentsT{Mu: 0, Sigma: 1, Nu: df}.Quantile(0.975)
}

// On returns the curve at ascending positions, and half of the length of its pointwise 95 %
// confidence interval t · s · √(Σ lᵢ²), where the curve is Σ lᵢ yᵢ (W. S. Cleveland and S. J.
// Devlin, 1988). It treats the robustness weights as fixed.
func (s *Smooth) On(at []float64) (value, half []float64) {
	value, half = make([]float64, len(at)), make([]float64, len(at))
	s.lo, s.hi = 0, s.k
	for i, v := range at {
		y, squares, _, ok := s.at(v, -1)
		if !ok {
			y, squares = math.NaN(), math.NaN()
		}
		value[i], half[i] = y, s.t*s.sd*math.Sqrt(squares)
	}
	return value, half
}
