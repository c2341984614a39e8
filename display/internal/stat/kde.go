// Package stat computes the statistics of graphics: kernel densities of one and two variables,
// fitted curves with their confidence bands, and quantiles.
package stat

import (
	"errors"
	"math"
	"slices"
	"sort"
)

// Scott returns the bandwidth of n points in d dimensions as a multiple of the standard deviation
// (D. W. Scott, "Multivariate Density Estimation", 1992).
func Scott(n, d int) float64 { return math.Pow(float64(n), -1/float64(d+4)) }

// Silverman returns the bandwidth of B. W. Silverman ("Density Estimation for Statistics and Data
// Analysis", 1986); see [Scott].
func Silverman(n, d int) float64 {
	return math.Pow(float64(n)*float64(d+2)/4, -1/float64(d+4))
}

// Deviation returns the standard deviation of a sample, with divisor n-1.
func Deviation(v []float64) float64 {
	if len(v) < 2 {
		return 0
	}
	m := 0.0
	for i, x := range v {
		m += (x - m) / float64(i+1)
	}
	ss := 0.0
	for _, x := range v {
		ss += (x - m) * (x - m)
	}
	return math.Sqrt(ss / float64(len(v)-1))
}

// KDE is a Gaussian kernel density estimate,
//
//	f(x) = 1/(n h) Σ φ((x - xᵢ)/h).
type KDE struct {
	at, weight []float64 // ascending positions; weights sum to 1
	h          float64
}

// exactUpTo is the sample size up to which all points are kept. In larger samples, points closer
// than fine bandwidths are merged at their mean. This changes the density by less than fine²/24
// of its curvature.
const (
	exactUpTo = 1000
	fine      = 1.0 / 64
	reach     = 8.5 // kernels end here, at 2e-16 of their maximum
)

// NewKDE estimates the density of ascending finite values with the bandwidth h > 0.
func NewKDE(sorted []float64, h float64) *KDE {
	k := &KDE{h: h}
	share := 1 / float64(len(sorted))
	if len(sorted) <= exactUpTo {
		k.at = sorted
		k.weight = make([]float64, len(sorted))
		for i := range k.weight {
			k.weight[i] = share
		}
		return k
	}
	for start := 0; start < len(sorted); {
		end, sum := start, 0.0
		for end < len(sorted) && sorted[end]-sorted[start] <= fine*h {
			sum += sorted[end] - sorted[start]
			end++
		}
		k.at = append(k.at, sorted[start]+sum/float64(end-start))
		k.weight = append(k.weight, share*float64(end-start))
		start = end
	}
	return k
}

// At returns the density at ascending positions.
func (k *KDE) At(x []float64) []float64 {
	out := make([]float64, len(x))
	scale := 1 / (k.h * math.Sqrt(2*math.Pi))
	first := 0
	for i, v := range x {
		for first < len(k.at) && k.at[first] < v-reach*k.h {
			first++
		}
		sum := 0.0
		for j := first; j < len(k.at) && k.at[j] <= v+reach*k.h; j++ {
			z := (v - k.at[j]) / k.h
			sum += k.weight[j] * math.Exp(-0.5*z*z)
		}
		out[i] = scale * sum
	}
	return out
}

// ErrLine is the error for a sample of two variables that has no density in the plane.
var ErrLine = errors.New("the points lie on one line")

// Plane is a density estimate of two variables on a grid. The covariance matrix of its kernel is
// the covariance matrix of the sample times the square of a factor.
type Plane struct {
	X0, X1, Y0, Y1 float64 // range of the nodes
	NX, NY         int
	Z              []float64 // NY rows of NX values, the lowest row first
}

// Covariance returns the covariances of two variables, with divisor n-1.
func Covariance(x, y []float64) (xx, xy, yy float64) {
	n := float64(len(x))
	mx, my := 0.0, 0.0
	for i := range x {
		mx += x[i] / n
		my += y[i] / n
	}
	for i := range x {
		xx += (x[i] - mx) * (x[i] - mx)
		xy += (x[i] - mx) * (y[i] - my)
		yy += (y[i] - my) * (y[i] - my)
	}
	return xx / (n - 1), xy / (n - 1), yy / (n - 1)
}

// planeReach is the distance at which kernels in the plane end, at 2e-11 of their maximum.
const planeReach = 7

// Fill computes the density at the nodes. Each row of a kernel is a Gaussian, whose values at
// equal steps are computed with two multiplications each.
func (p *Plane) Fill(x, y []float64, factor float64) error {
	xx, xy, yy := Covariance(x, y)
	xx, xy, yy = xx*factor*factor, xy*factor*factor, yy*factor*factor
	det := xx*yy - xy*xy
	if !(det > 1e-12*xx*yy) {
		return ErrLine
	}
	a, b, c := yy/det, -xy/det, xx/det
	rest := c - b*b/a // the cost of dy at the best dx
	dx, dy := (p.X1-p.X0)/float64(p.NX-1), (p.Y1-p.Y0)/float64(p.NY-1)
	p.Z = make([]float64, p.NX*p.NY)
	height := 1 / (2 * math.Pi * math.Sqrt(det) * float64(len(x)))
	const far = planeReach * planeReach
	up := math.Sqrt(far / rest)
	q := math.Exp(-a * dx * dx)
	for i := range x {
		j0, j1 := nodes(y[i]-up, y[i]+up, p.Y0, dy, p.NY)
		for j := j0; j <= j1; j++ {
			v := p.Y0 + float64(j)*dy - y[i]
			half := math.Sqrt(math.Max(0, far-rest*v*v) / a)
			middle := x[i] - b*v/a
			i0, i1 := nodes(middle-half, middle+half, p.X0, dx, p.NX)
			if i0 > i1 {
				continue
			}
			u := p.X0 + float64(i0)*dx - x[i]
			g := height * math.Exp(-0.5*(a*u*u+2*b*u*v+c*v*v))
			r := math.Exp(-dx * (a*u + 0.5*a*dx + b*v))
			row := p.Z[j*p.NX+i0 : j*p.NX+i1+1]
			for k := range row {
				row[k] += g
				g *= r
				r *= q
			}
		}
	}
	return nil
}

// nodes returns the first and the last of n nodes between lo and hi.
func nodes(lo, hi, start, gap float64, n int) (first, last int) {
	a, b := math.Ceil((lo-start)/gap), math.Floor((hi-start)/gap)
	return int(math.Max(0, math.Min(a, float64(n)))), int(math.Max(-1, math.Min(b, float64(n-1))))
}

// Levels returns the density levels above which the given fractions of the mass on the grid lie:
// the boundaries of the highest density regions (R. J. Hyndman, 1996).
func (p *Plane) Levels(shares ...float64) []float64 {
	z := slices.Clone(p.Z)
	sort.Sort(sort.Reverse(sort.Float64Slice(z)))
	total := 0.0
	for _, v := range z {
		total += v
	}
	out := make([]float64, len(shares))
	for k, share := range shares {
		sum := 0.0
		for _, v := range z {
			if sum += v; sum >= share*total {
				out[k] = v
				break
			}
		}
	}
	return out
}
