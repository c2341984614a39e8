package prob

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/linalg"
	"github.com/gokernel/gokernel/mlstd/model"
)

// MultivariateGaussian is the normal distribution of rows of d numbers.
//
//	p(x) = exp(−½·(x−μ)ᵀΣ⁻¹(x−μ)) / √((2π)ᵈ·|Σ|)
//
// Course: PROB-24, PROB-30.
type MultivariateGaussian struct {
	Mu  []float64     // mean
	Cov *mat.SymDense // covariance, positive definite; nil means the identity
}

// cholesky checks the parameters and returns L with Σ = L·Lᵀ, and log|Σ|.
func (g *MultivariateGaussian) cholesky() (l []float64, logDet float64) {
	const op = "MultivariateGaussian"
	d := len(g.Mu)
	if d == 0 {
		panic(model.Errorf(op, "Mu must not be empty").WithHint("set Mu to the mean of each column"))
	}
	for _, v := range g.Mu {
		mustFinite(op, "an entry of Mu", v)
	}
	l = make([]float64, d*d)
	if g.Cov == nil {
		for i := range d {
			l[i*d+i] = 1
		}
		return l, 0
	}
	if g.Cov.SymmetricDim() != d {
		panic(model.Errorf(op, "Cov must be %dx%[1]d, as Mu has %[1]d entries, got %dx%[2]d", d, g.Cov.SymmetricDim()))
	}
	for i := range d {
		for j := range d {
			l[i*d+j] = g.Cov.At(i, j)
		}
	}
	if !linalg.Cholesky(l, d) {
		panic(model.Errorf(op, "Cov must be positive definite").WithHint("add a small number to its diagonal, or drop columns that depend on others"))
	}
	for i := range d {
		logDet += 2 * math.Log(l[i*d+i])
	}
	return l, logDet
}

// LogProbs returns the log density of each row of x.
func (g *MultivariateGaussian) LogProbs(x mat.Matrix) []float64 {
	l, logDet := g.cholesky()
	d := len(g.Mu)
	out := g.squaredDistances("MultivariateGaussian.LogProbs", x, l)
	for i := range out {
		out[i] = -(out[i] + logDet + float64(d)*math.Log(2*math.Pi)) / 2
	}
	return out
}

// Mahalanobis returns the distance √((x−μ)ᵀΣ⁻¹(x−μ)) of each row of x from the mean, in
// standard deviations.
func (g *MultivariateGaussian) Mahalanobis(x mat.Matrix) []float64 {
	l, _ := g.cholesky()
	out := g.squaredDistances("MultivariateGaussian.Mahalanobis", x, l)
	for i, v := range out {
		out[i] = math.Sqrt(v)
	}
	return out
}

func (g *MultivariateGaussian) squaredDistances(op string, x mat.Matrix, l []float64) []float64 {
	d := len(g.Mu)
	rows := mat.DenseCopyOf(model.MustRows(op, x, d))
	n, _ := rows.Dims()
	for i := range n {
		floats.Sub(rows.RawRowView(i), g.Mu)
	}
	linalg.SolveLower(l, rows.RawMatrix().Data, d)
	out := make([]float64, n)
	for i := range out {
		row := rows.RawRowView(i)
		out[i] = floats.Dot(row, row)
	}
	return out
}

// LogProb returns the log density of one row.
func (g *MultivariateGaussian) LogProb(x []float64) float64 {
	if len(x) != len(g.Mu) || len(x) == 0 {
		panic(model.Errorf("MultivariateGaussian.LogProb", "x must have %d values, as Mu has, got %d", len(g.Mu), len(x)))
	}
	return g.LogProbs(mat.NewDense(1, len(x), x))[0]
}

// Prob returns the density of one row.
func (g *MultivariateGaussian) Prob(x []float64) float64 { return math.Exp(g.LogProb(x)) }

// Entropy returns the entropy in nats.
func (g *MultivariateGaussian) Entropy() float64 {
	_, logDet := g.cholesky()
	return (float64(len(g.Mu))*(1+math.Log(2*math.Pi)) + logDet) / 2
}

// KL returns the Kullback-Leibler divergence from g to other, in nats.
//
//	½·(tr(Σₒ⁻¹Σ) + (μ−μₒ)ᵀΣₒ⁻¹(μ−μₒ) − d + log|Σₒ|/|Σ|)
//
// Course: PROB-05.
func (g *MultivariateGaussian) KL(other *MultivariateGaussian) float64 {
	d := len(g.Mu)
	if len(other.Mu) != d {
		panic(model.Errorf("MultivariateGaussian.KL", "both distributions must have the same dimension, got %d and %d", d, len(other.Mu)))
	}
	lg, logDet := g.cholesky()
	lo, logOther := other.cholesky()
	delta := floats.SubTo(make([]float64, d), g.Mu, other.Mu)
	linalg.SolveLower(lo, delta, d)
	// tr(Σₒ⁻¹Σ) = ‖Lₒ⁻¹·L‖², by the columns of L.
	columns := make([]float64, d*d)
	for i := range d {
		for j := range i + 1 {
			columns[j*d+i] = lg[i*d+j]
		}
	}
	linalg.SolveLower(lo, columns, d)
	return max(0, (floats.Dot(columns, columns)+floats.Dot(delta, delta)-float64(d)+logOther-logDet)/2)
}

// Sample returns n independent rows.
func (g *MultivariateGaussian) Sample(n int, seed uint64) *mat.Dense {
	if n < 1 {
		panic(model.Errorf("MultivariateGaussian.Sample", "n must be positive, got %d", n))
	}
	l, _ := g.cholesky()
	d := len(g.Mu)
	rng := model.Rand(seed, 0)
	x := mat.NewDense(n, d, nil)
	z := make([]float64, d)
	for i := range n {
		for j := range z {
			z[j] = rng.NormFloat64()
		}
		row := x.RawRowView(i)
		for j := range row {
			row[j] = g.Mu[j] + floats.Dot(l[j*d:j*d+j+1], z[:j+1])
		}
	}
	return x
}

// Dirichlet is a distribution of probability vectors, and the conjugate prior of [Categorical].
//
//	p(θ) ∝ Πₖ θₖ^(αₖ−1),   Σₖ θₖ = 1
//
// αₖ−1 acts like a number of earlier examples of outcome k. If all αₖ are 1, the distribution is
// uniform.
//
// Course: PROB-12, PROB-30.
type Dirichlet struct {
	Alpha []float64 // positive
}

func (d Dirichlet) check() (sum float64) {
	if len(d.Alpha) < 2 {
		panic(model.Errorf("Dirichlet", "Alpha must have at least 2 entries, got %d", len(d.Alpha)))
	}
	for _, a := range d.Alpha {
		mustPositive("Dirichlet", "an entry of Alpha", a)
		sum += a
	}
	return sum
}

// LogProb returns the log density at the probabilities theta.
func (d Dirichlet) LogProb(theta []float64) float64 {
	sum := d.check()
	if len(theta) != len(d.Alpha) {
		panic(model.Errorf("Dirichlet.LogProb", "theta must have %d entries, as Alpha has, got %d", len(d.Alpha), len(theta)))
	}
	out, _ := math.Lgamma(sum)
	one := 0.0
	for k, a := range d.Alpha {
		if !(theta[k] >= 0) {
			return math.Inf(-1)
		}
		g, _ := math.Lgamma(a)
		out += times(a-1, math.Log(theta[k])) - g
		one += theta[k]
	}
	if math.Abs(one-1) > 1e-9 {
		return math.Inf(-1)
	}
	return out
}

// Prob returns the density at the probabilities theta.
func (d Dirichlet) Prob(theta []float64) float64 { return math.Exp(d.LogProb(theta)) }

// Mean returns α/Σα.
func (d Dirichlet) Mean() []float64 {
	sum := d.check()
	return floats.ScaleTo(make([]float64, len(d.Alpha)), 1/sum, d.Alpha)
}

// Variance returns the variance of each probability.
func (d Dirichlet) Variance() []float64 {
	sum := d.check()
	v := make([]float64, len(d.Alpha))
	for k, a := range d.Alpha {
		v[k] = a * (sum - a) / (sum * sum * (sum + 1))
	}
	return v
}

// Mode returns the vector with the highest density, (αₖ−1)/Σ(α−1): the MAP estimate when d is a
// posterior. Entries of Alpha below 1 count as 1; if all are 1, Mode returns the mean.
func (d Dirichlet) Mode() []float64 {
	d.check()
	m := make([]float64, len(d.Alpha))
	sum := 0.0
	for k, a := range d.Alpha {
		m[k] = max(0, a-1)
		sum += m[k]
	}
	if sum == 0 {
		return d.Mean()
	}
	floats.Scale(1/sum, m)
	return m
}

// Sample returns n independent probability vectors, one per row.
func (d Dirichlet) Sample(n int, seed uint64) *mat.Dense {
	d.check()
	if n < 1 {
		panic(model.Errorf("Dirichlet.Sample", "n must be positive, got %d", n))
	}
	x := mat.NewDense(n, len(d.Alpha), nil)
	for k, a := range d.Alpha {
		x.SetCol(k, Gamma{Alpha: a}.Sample(n, model.Rand(seed, uint64(k)).Uint64()))
	}
	for i := range n {
		row := x.RawRowView(i)
		floats.Scale(1/floats.Sum(row), row)
	}
	return x
}

// Multinomial is the distribution of the counts of the faces in N throws of a die.
//
//	p(n) = N! / (n₁!·…·n_K!) · Πₖ θₖ^nₖ
//
// Course: PROB-10, PROB-20, PROB-30.
type Multinomial struct {
	N int       // throws
	P []float64 // of each face; divided by its sum
}

func (m Multinomial) check() float64 {
	if m.N < 0 {
		panic(model.Errorf("Multinomial", "N must not be negative, got %d", m.N))
	}
	return total("Multinomial", m.P)
}

// LogProb returns the log probability of the counts.
func (m Multinomial) LogProb(counts []float64) float64 {
	sum := m.check()
	if len(counts) != len(m.P) {
		panic(model.Errorf("Multinomial.LogProb", "counts must have %d entries, as P has, got %d", len(m.P), len(counts)))
	}
	out, _ := math.Lgamma(float64(m.N) + 1)
	n := 0.0
	for k, c := range counts {
		if c < 0 || !isWhole(c) {
			return math.Inf(-1)
		}
		g, _ := math.Lgamma(c + 1)
		out += times(c, math.Log(m.P[k]/sum)) - g
		n += c
	}
	if n != float64(m.N) {
		return math.Inf(-1)
	}
	return out
}

// Prob returns the probability of the counts.
func (m Multinomial) Prob(counts []float64) float64 { return math.Exp(m.LogProb(counts)) }

// Mean returns N·θ.
func (m Multinomial) Mean() []float64 {
	sum := m.check()
	return floats.ScaleTo(make([]float64, len(m.P)), float64(m.N)/sum, m.P)
}

// Covariance returns N·(diag(θ) − θθᵀ).
func (m Multinomial) Covariance() *mat.SymDense {
	sum := m.check()
	c := mat.NewSymDense(len(m.P), nil)
	for i, a := range m.P {
		for j := i; j < len(m.P); j++ {
			v := -a / sum * m.P[j] / sum
			if i == j {
				v += a / sum
			}
			c.SetSym(i, j, float64(m.N)*v)
		}
	}
	return c
}

// Sample returns n independent rows of counts.
func (m Multinomial) Sample(n int, seed uint64) *mat.Dense {
	sum := m.check()
	if n < 1 {
		panic(model.Errorf("Multinomial.Sample", "n must be positive, got %d", n))
	}
	rng := model.Rand(seed, 0)
	x := mat.NewDense(n, len(m.P), nil)
	for i := range n {
		row := x.RawRowView(i)
		for range m.N {
			row[drawOf(m.P, sum, rng)]++
		}
	}
	return x
}
