package series

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// STL decomposes a series into trend, season and remainder by local regressions (loess).
//
//	x = trend + season + remainder
//
// The season is smoothed from cycle to cycle, so it can change slowly.
//
// Cost: O(n·window) per iteration.
//
// References: [ClevelandClevelandMcRaeTerpenning1990].
type STL struct {
	// Period is the number of values in a season: 12 for monthly values with a yearly season.
	Period int
	// Seasonal is the length of the smoothing window of the season, in cycles. It must be odd and
	// at least 3; 0 means 7. With a larger value, the season changes more slowly.
	Seasonal int
	// Trend is the length of the smoothing window of the trend, an odd number above Period; 0 means
	// the smallest odd number that is at least 1.5·Period/(1 − 1.5/Seasonal). A larger value makes
	// the trend smoother.
	Trend int
	// Robust lowers the weights of outliers, which are values far from the sum of trend and season.
	Robust bool
}

// Decomposition is a series decomposed into trend, season and remainder. As the last value of a
// cell, it is drawn in four panels.
type Decomposition struct {
	Observed, Trend, Season, Remainder []float64
	Period                             int
	Weights                            []float64 // robustness weights; 1 without Robust
}

// Strength returns the strengths of the trend and the season. The strength of a part is 1 −
// var(remainder)/var(part + remainder), but at least 0.
//
// References: [HyndmanAthanasopoulos2021].
func (d *Decomposition) Strength() (trend, season float64) {
	of := func(part []float64) float64 {
		both := slices.Clone(part)
		for i, r := range d.Remainder {
			both[i] += r
		}
		return max(0, 1-stat.Variance(d.Remainder, nil)/stat.Variance(both, nil))
	}
	return of(d.Trend), of(d.Season)
}

// Decompose splits a series into trend, season and remainder.
func (s STL) Decompose(x []float64) (*Decomposition, error) {
	const op = "STL.Decompose"
	if s.Period < 2 || len(x) < 2*s.Period {
		return nil, model.Errorf(op, "Period must be between 2 and %d (half the length of the series), got %d", len(x)/2, s.Period)
	}
	if err := check(op, x, 4); err != nil {
		return nil, err
	}
	odd := func(v float64) int {
		k := int(math.Ceil(v))
		return k + 1 - k%2
	}
	if s.Seasonal == 0 {
		s.Seasonal = 7
	}
	if s.Trend == 0 {
		s.Trend = odd(1.5 * float64(s.Period) / (1 - 1.5/float64(s.Seasonal)))
	}
	if s.Seasonal < 3 || s.Seasonal%2 == 0 {
		return nil, model.Errorf(op, "Seasonal must be an odd number from 3, got %d", s.Seasonal)
	}
	if s.Trend <= s.Period || s.Trend%2 == 0 {
		return nil, model.Errorf(op, "Trend must be an odd number above Period, got %d", s.Trend)
	}
	low := s.Period + 1
	low += 1 - low%2
	n := len(x)
	d := &Decomposition{Observed: slices.Clone(x), Period: s.Period, Trend: make([]float64, n), Season: make([]float64, n),
		Remainder: make([]float64, n), Weights: slices.Repeat([]float64{1}, n)}
	inner, outer := 5, 0
	if s.Robust {
		inner, outer = 2, 15
	}
	var weights []float64
	for k := 0; ; k++ {
		for range inner {
			s.step(d, weights, low)
		}
		for i, v := range x {
			d.Remainder[i] = v - d.Trend[i] - d.Season[i]
		}
		if k == outer {
			break
		}
		size := make([]float64, n)
		for i, r := range d.Remainder {
			size[i] = math.Abs(r)
		}
		sorted := slices.Clone(size)
		slices.Sort(sorted)
		h := 3 * (sorted[n/2] + sorted[n-1-n/2]) // six times the median
		weights = d.Weights
		for i, r := range size {
			switch {
			case r <= 0.001*h:
				weights[i] = 1
			case r <= 0.999*h:
				weights[i] = (1 - r/h*r/h) * (1 - r/h*r/h)
			default:
				weights[i] = 0
			}
		}
	}
	return d, nil
}

// step is one inner iteration: it estimates the season from the series minus the trend, and then
// the trend from the series minus the season.
func (s STL) step(d *Decomposition, weights []float64, low int) {
	n, p := len(d.Observed), s.Period
	cycle := make([]float64, n+2*p) // smoothed subseries, a period longer at both ends
	for j := range p {
		var y, w []float64
		for i := j; i < n; i += p {
			y = append(y, d.Observed[i]-d.Trend[i])
			if weights != nil {
				w = append(w, weights[i])
			}
		}
		m := len(y)
		smooth := make([]float64, m+2)
		for i := range m {
			smooth[i+1] = loessAt(y, w, s.Seasonal, float64(i+1), window(i+1, s.Seasonal, m))
		}
		smooth[0] = loessAt(y, w, s.Seasonal, 0, [2]int{1, min(s.Seasonal, m)})
		smooth[m+1] = loessAt(y, w, s.Seasonal, float64(m+1), [2]int{max(1, m-s.Seasonal+1), m})
		for i, v := range smooth {
			if at := j + i*p; at < len(cycle) {
				cycle[at] = v
			}
		}
	}
	flat := average(average(average(cycle, p), p), 3)
	flat = loess(flat, nil, low)
	rest := make([]float64, n)
	for i := range n {
		d.Season[i] = cycle[p+i] - flat[i]
		rest[i] = d.Observed[i] - d.Season[i]
	}
	d.Trend = loess(rest, weights, s.Trend)
}

// average returns the moving average with the given width.
func average(x []float64, width int) []float64 {
	out := make([]float64, len(x)-width+1)
	sum := 0.0
	for i, v := range x {
		if sum += v; i >= width {
			sum -= x[i-width]
		}
		if i >= width-1 {
			out[i-width+1] = sum / float64(width)
		}
	}
	return out
}

// window returns the first and last of the values nearest to i, counted from 1.
func window(i, width, n int) [2]int {
	if width >= n {
		return [2]int{1, n}
	}
	left := min(max(1, i-(width+1)/2+1), n-width+1)
	return [2]int{left, left + width - 1}
}

// loess smooths by local linear regression over a window.
func loess(y, weights []float64, width int) []float64 {
	out := make([]float64, len(y))
	for i := range out {
		out[i] = loessAt(y, weights, width, float64(i+1), window(i+1, width, len(y)))
	}
	return out
}

// loessAt returns the value at x of the local regression line through the values from w[0] to w[1],
// counted from 1.
func loessAt(y, robust []float64, width int, x float64, w [2]int) float64 {
	n := len(y)
	h := max(x-float64(w[0]), float64(w[1])-x)
	if width > n {
		h += float64((width - n) / 2)
	}
	weight := make([]float64, w[1]-w[0]+1)
	sum := 0.0
	for k := range weight {
		r := math.Abs(float64(w[0]+k) - x)
		if r > 0.999*h {
			continue
		}
		weight[k] = 1
		if r > 0.001*h {
			c := r / h
			weight[k] = math.Pow(1-c*c*c, 3)
		}
		if robust != nil {
			weight[k] *= robust[w[0]+k-1]
		}
		sum += weight[k]
	}
	if sum <= 0 {
		return y[min(max(int(x)-1, 0), n-1)]
	}
	center := 0.0
	for k := range weight {
		weight[k] /= sum
		center += weight[k] * float64(w[0]+k)
	}
	spread := 0.0
	for k, v := range weight {
		d := float64(w[0]+k) - center
		spread += v * d * d
	}
	slope := 0.0
	if math.Sqrt(spread) > 0.001*float64(n-1) {
		slope = (x - center) / spread
	}
	out := 0.0
	for k, v := range weight {
		out += v * (1 + slope*(float64(w[0]+k)-center)) * y[w[0]+k-1]
	}
	return out
}
