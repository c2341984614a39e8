package inference

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat"

	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/internal/tails"
	"github.com/gokernel/gokernel/mlstd/model"
)

func sortedCopy(v []float64) []float64 {
	s := slices.Clone(v)
	slices.Sort(s)
	return s
}

func poly(x float64, c ...float64) float64 {
	sum := 0.0
	for i := len(c) - 1; i >= 0; i-- {
		sum = sum*x + c[i]
	}
	return sum
}

// ShapiroWilk tests whether x is Gaussian, by how well its ordered values match the expected order
// statistics:
//
//	W = (Σᵢ aᵢ·xᵢ)² / Σᵢ (xᵢ − m)²
//
// Its P is Royston's approximation, for 3 to 5000 values. In large samples, even tiny deviations
// are significant: check a Q-Q plot as well.
//
// References: [ShapiroWilk1965], [Royston1995].
func ShapiroWilk(x []float64) eval.TestResult {
	const op = "ShapiroWilk"
	mustSamples(op, 3, x)
	if len(x) > 5000 {
		panic(model.Errorf(op, "there must be at most 5000 values, got %d", len(x)).WithHint("use ml.AndersonDarling for more values"))
	}
	s := sortedCopy(x)
	n := len(s)
	if s[0] == s[n-1] {
		panic(model.Errorf(op, "the %d values must vary, got only %v", n, s[0]))
	}
	half := n / 2
	a := make([]float64, half)
	if n == 3 {
		a[0] = math.Sqrt(0.5)
	} else {
		m, sum := make([]float64, half), 0.0
		for i := range m {
			m[i] = mathext.NormalQuantile((float64(i+1) - 0.375) / (float64(n) + 0.25))
			sum += 2 * m[i] * m[i]
		}
		root, r := math.Sqrt(sum), 1/math.Sqrt(float64(n))
		a[0] = poly(r, 0, 0.221157, -0.147981, -2.07119, 4.434685, -2.706056) - m[0]/root
		from, top, bottom := 1, sum-2*m[0]*m[0], 1-2*a[0]*a[0]
		if n > 5 {
			a[1] = poly(r, 0, 0.042981, -0.293762, -1.752461, 5.682633, -3.582633) - m[1]/root
			from, top, bottom = 2, top-2*m[1]*m[1], bottom-2*a[1]*a[1]
		}
		f := math.Sqrt(top / bottom)
		for i := from; i < half; i++ {
			a[i] = -m[i] / f
		}
	}
	mean, num, den := stat.Mean(s, nil), 0.0, 0.0
	scale := s[n-1] - s[0]
	for i, v := range s {
		d := (v - mean) / scale
		den += d * d
		switch {
		case i < half:
			num -= a[i] * d
		case n-1-i < half:
			num += a[n-1-i] * d
		}
	}
	w := min(num*num/den, 1)
	return eval.TestResult{Name: "Shapiro-Wilk test", Statistic: w, P: shapiroP(w, float64(n))}
}

func shapiroP(w, n float64) float64 {
	if n == 3 {
		return max(0, 6/math.Pi*(math.Asin(math.Sqrt(w))-math.Asin(math.Sqrt(0.75))))
	}
	y := math.Log(1 - w)
	var mu, sigma float64
	if n <= 11 {
		g := poly(n, -2.273, 0.459)
		if y >= g {
			return 0
		}
		y = -math.Log(g - y)
		mu, sigma = poly(n, 0.544, -0.39978, 0.025054, -6.714e-4), math.Exp(poly(n, 1.3822, -0.77857, 0.062767, -0.0020322))
	} else {
		l := math.Log(n)
		mu, sigma = poly(l, -1.5861, -0.31082, -0.083751, 0.0038915), math.Exp(poly(l, -0.4803, -0.082676, 0.0030302))
	}
	return tails.Normal((y - mu) / sigma)
}

// AndersonDarling tests whether x is Gaussian with unknown mean and variance. It weights the tails
// more than [KSTest] does. P is Stephens' approximation.
//
// References: [Stephens1986].
func AndersonDarling(x []float64) eval.TestResult {
	const op = "AndersonDarling"
	mustSamples(op, 8, x)
	s := sortedCopy(x)
	mean, sd := stat.MeanStdDev(s, nil)
	if sd == 0 {
		panic(model.Errorf(op, "the %d values must vary, got only %v", len(s), s[0]))
	}
	n := float64(len(s))
	sum := 0.0
	for i, v := range s {
		z, back := (v-mean)/sd, (s[len(s)-1-i]-mean)/sd
		sum += float64(2*i+1) * (math.Log(tails.Normal(-z)) + math.Log(tails.Normal(back)))
	}
	a := -n - sum/n
	c := a * (1 + 0.75/n + 2.25/(n*n))
	p := 0.0
	switch {
	case c < 0.2:
		p = -math.Expm1(-13.436 + 101.14*c - 223.73*c*c)
	case c < 0.34:
		p = -math.Expm1(-8.318 + 42.796*c - 59.938*c*c)
	case c < 0.6:
		p = math.Exp(0.9177 - 4.279*c - 1.38*c*c)
	default:
		p = math.Exp(1.2937 - 5.709*c + 0.0186*min(c, 153)*min(c, 153))
	}
	return eval.TestResult{Name: "Anderson-Darling test", Statistic: a, P: p}
}

// JarqueBeraTest tests whether x is Gaussian, by its skewness S and kurtosis K:
//
//	JB = n/6·(S² + (K − 3)²/4), compared with χ² with 2 degrees of freedom
//
// Use it for large samples only.
//
// References: [JarqueBera1980].
func JarqueBeraTest(x []float64) eval.TestResult {
	mustSamples("JarqueBeraTest", 3, x)
	n, mean := float64(len(x)), stat.Mean(x, nil)
	var m2, m3, m4 float64
	for _, v := range x {
		d := v - mean
		m2, m3, m4 = m2+d*d/n, m3+d*d*d/n, m4+d*d*d*d/n
	}
	if m2 == 0 {
		panic(model.Errorf("JarqueBeraTest", "the %d values must vary, got only %v", len(x), x[0]))
	}
	s, k := m3/math.Pow(m2, 1.5), m4/(m2*m2)-3
	jb := n / 6 * (s*s + k*k/4)
	return eval.TestResult{Name: "Jarque-Bera test", Statistic: jb, DF: 2, P: tails.ChiSquared(jb, 2)}
}

// KSTest tests whether x has the continuous distribution function cdf, by the maximum distance D
// between cdf and the empirical distribution function (Kolmogorov and Smirnov). P is exact for up
// to 3000 values and, in the far tail, for any number of values. The parameters of cdf must not be
// estimated from x; for a Gaussian with estimated parameters, use [ShapiroWilk].
//
// References: [MarsagliaTsangWang2003].
func KSTest(x []float64, cdf func(float64) float64) eval.TestResult {
	const op = "KSTest"
	mustSamples(op, 1, x)
	s, d := sortedCopy(x), 0.0
	n := float64(len(s))
	for i, v := range s {
		p := cdf(v)
		if !(p >= 0 && p <= 1) {
			panic(model.Errorf(op, "the distribution function must be between 0 and 1, got %v at %v", p, v).WithHint("pass a cumulative distribution function"))
		}
		d = max(d, p-float64(i)/n, float64(i+1)/n-p)
	}
	return eval.TestResult{Name: "Kolmogorov-Smirnov test", Statistic: d, P: kolmogorov(len(s), d)}
}

// KSTwoSample tests whether two samples have the same distribution, by the maximum distance between
// their empirical distribution functions. P is exact for n·m up to 10,000,000.
//
// References: [HollanderWolfe1999].
func KSTwoSample(a, b []float64) eval.TestResult {
	mustSamples("KSTwoSample", 1, a, b)
	x, y := sortedCopy(a), sortedCopy(b)
	n, m := len(x), len(y)
	d := 0 // of i·m − j·n, so that ties are exact
	for i, j := 0, 0; i < n || j < m; {
		v := math.Inf(1)
		if i < n {
			v = x[i]
		}
		if j < m {
			v = min(v, y[j])
		}
		for i < n && x[i] == v {
			i++
		}
		for j < m && y[j] == v {
			j++
		}
		d = max(d, abs(i*m-j*n))
	}
	r := eval.TestResult{Name: "two-sample Kolmogorov-Smirnov test", Statistic: float64(d) / float64(n) / float64(m)}
	if n*m <= 10_000_000 {
		r.P = pathsOutside(n, m, d)
	} else {
		r.P = kolmogorov(int(math.Round(float64(n)*float64(m)/float64(n+m))), r.Statistic)
	}
	return r
}

func abs(v int) int {
	if v < 0 {
		return -v
	}
	return v
}

// pathsOutside returns the probability that a random order of n and m values has |i·m − j·n| ≥ d
// somewhere. It sums the probabilities of leaving the band at each step, so that small results are
// accurate.
func pathsOutside(n, m, d int) float64 {
	if d == 0 {
		return 1
	}
	row := make([]float64, m+1) // probability of being at (i, j) without having left
	out := 0.0
	for i := 0; i <= n; i++ {
		for j := 0; j <= m; j++ {
			v := 0.0
			if i == 0 && j == 0 {
				v = 1
			}
			if i > 0 {
				v += row[j] * float64(n-i+1) / float64(n+m-i-j+1)
			}
			if j > 0 {
				v += row[j-1] * float64(m-j+1) / float64(n+m-i-j+1)
			}
			if abs(i*m-j*n) >= d {
				out += v
				v = 0
			}
			row[j] = v
		}
	}
	return min(out, 1)
}

// kolmogorov returns P(D ≥ d) for n values.
func kolmogorov(n int, d float64) float64 {
	nf := float64(n)
	z2 := nf * d * d
	switch {
	case d >= 1:
		return 0
	case d <= 0.5/nf:
		return 1
	case z2 > 3.8: // the distance exceeds d on one side only, up to 1e-10 of P
		return min(1, 2*smirnov(nf, d))
	case n <= 3000:
		return max(0, 1-marsaglia(n, d))
	}
	z := math.Sqrt(z2)
	z += 1/(6*math.Sqrt(nf)) + (z-1)/(4*nf)
	sum, sign := 0.0, 1.0
	for k := 1.0; k < 100; k++ {
		t := math.Exp(-2 * k * k * z * z)
		sum += sign * t
		if sign = -sign; t < 1e-17 {
			break
		}
	}
	return min(1, max(0, 2*sum))
}

// smirnov returns P(D⁺ ≥ d), as a sum of positive terms.
func smirnov(n, d float64) float64 {
	sum := 0.0
	lg := func(v float64) float64 { l, _ := math.Lgamma(v); return l }
	for j := 0.0; j <= n*(1-d); j++ {
		a, b := d+j/n, 1-d-j/n
		if b <= 0 {
			if j == n*(1-d) && n-j == 0 {
				sum += math.Exp((j - 1) * math.Log(a))
			}
			continue
		}
		sum += math.Exp(lg(n+1) - lg(j+1) - lg(n-j+1) + (j-1)*math.Log(a) + (n-j)*math.Log(b))
	}
	return d * sum
}

// marsaglia returns P(D < d) for n values, by powers of a matrix.
func marsaglia(n int, d float64) float64 {
	k := int(float64(n)*d) + 1
	m := 2*k - 1
	h := float64(k) - float64(n)*d
	a := mat.NewDense(m, m, nil)
	for i := range m {
		for j := range m {
			if i-j+1 >= 0 {
				a.Set(i, j, 1)
			}
		}
	}
	for i := range m {
		a.Set(i, 0, a.At(i, 0)-math.Pow(h, float64(i+1)))
		a.Set(m-1, i, a.At(m-1, i)-math.Pow(h, float64(m-i)))
	}
	if 2*h-1 > 0 {
		a.Set(m-1, 0, a.At(m-1, 0)+math.Pow(2*h-1, float64(m)))
	}
	for i := range m {
		for j := range m {
			for g := 2; g <= i-j+1; g++ {
				a.Set(i, j, a.At(i, j)/float64(g))
			}
		}
	}
	// Compute a^n; its scale is a power of 10.
	result, scale := mat.NewDense(m, m, nil), 0.0
	for i := range m {
		result.Set(i, i, 1)
	}
	power, own := mat.DenseCopyOf(a), 0.0
	shrink := func(x *mat.Dense, e *float64) {
		if v := x.At(k-1, k-1); v > 1e140 {
			x.Scale(1e-140, x)
			*e += 140
		}
	}
	for e := n; e > 0; e >>= 1 {
		if e&1 == 1 {
			var next mat.Dense
			next.Mul(result, power)
			result.Copy(&next)
			scale += own
			shrink(result, &scale)
		}
		var square mat.Dense
		square.Mul(power, power)
		power.Copy(&square)
		own *= 2
		shrink(power, &own)
	}
	s := result.At(k-1, k-1)
	for i := 1; i <= n; i++ {
		if s = s * float64(i) / float64(n); s < 1e-140 {
			s *= 1e140
			scale -= 140
		}
	}
	return s * math.Pow(10, scale)
}
