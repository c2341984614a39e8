package prob

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/linalg"
	"github.com/gokernel/gokernel/mlstd/model"
)

// shrinkage determines how much covariances that are estimated from few examples are shrunk.
type shrinkage struct {
	amount     float64 // given
	ledoitWolf bool    // or computed
}

func (s shrinkage) on() bool { return s.ledoitWolf || s.amount != 0 }

func (s shrinkage) check(op string) error {
	if !(s.amount >= 0 && s.amount <= 1) {
		return model.Errorf(op, "Shrinkage must be between 0 (none) and 1 (a multiple of the identity), got %v", s.amount)
	}
	if s.ledoitWolf && s.amount != 0 {
		return model.Errorf(op, "only one of Shrinkage and LedoitWolf must be set").WithHint("leave one of them out")
	}
	return nil
}

// covariance is the shrunk covariance of some rows of x around their mean, with n as the
// denominator.
//
//	(1−s)·S + s·(tr S/d)·I
//
// The Ledoit-Wolf amount is computed for columns scaled to unit variance, so that units do not
// matter.
func (s shrinkage) covariance(x *mat.Dense, rows []int32, weights []float64, mean []float64) []float64 {
	p := len(mean)
	n := 0.0
	for _, i := range rows {
		n += weightAt(weights, int(i))
	}
	cov := scatter(x, rows, weights, func(int) []float64 { return mean })
	floats.Scale(1/n, cov)
	scale := ones(p)
	if s.ledoitWolf {
		for j := range scale {
			if v := math.Sqrt(cov[j*p+j]); v > 0 {
				scale[j] = v
			}
		}
		rescale(cov, scale, true)
	}
	amount := s.amount
	if s.ledoitWolf {
		amount = ledoitWolf(x, rows, weights, mean, scale, cov, n)
	}
	mu := 0.0
	for j := range p {
		mu += cov[j*p+j] / float64(p)
	}
	floats.Scale(1-amount, cov)
	for j := range p {
		cov[j*p+j] += amount * mu
	}
	if s.ledoitWolf {
		rescale(cov, scale, false)
	}
	return cov
}

func weightAt(weights []float64, i int) float64 {
	if weights == nil {
		return 1
	}
	return weights[i]
}

// rescale divides rows and columns by the scales, or multiplies them.
func rescale(cov, scale []float64, divide bool) {
	p := len(scale)
	for i := range p {
		for j := range p {
			if divide {
				cov[i*p+j] /= scale[i] * scale[j]
			} else {
				cov[i*p+j] *= scale[i] * scale[j]
			}
		}
	}
}

// ledoitWolf is the amount that minimizes the expected squared error of the
// covariance,
//
//	b²/d²,   d² = ‖S − μI‖²/p,   b² = min(d², (mean ‖xxᵀ‖² − ‖S‖²)/(p·n))
//
// References: [LedoitWolf2004].
func ledoitWolf(x *mat.Dense, rows []int32, weights, mean, scale, cov []float64, n float64) float64 {
	p := float64(len(mean))
	fourth := 0.0
	for _, i := range rows {
		square := 0.0
		for j, v := range x.RawRowView(int(i)) {
			z := (v - mean[j]) / scale[j]
			square += z * z
		}
		fourth += weightAt(weights, int(i)) * square * square
	}
	mu := 0.0
	for j := range mean {
		mu += cov[j*len(mean)+j] / p
	}
	norm := floats.Dot(cov, cov)
	beta := (fourth/n - norm) / (p * n)
	delta := (norm - p*mu*mu) / p
	if beta = min(beta, delta); beta <= 0 || delta <= 0 {
		return 0
	}
	return beta / delta
}

// whiten finds T with TᵀΣT = I on the space where Σ is not singular, and R with
// R·Rᵀ = Σ; both are d x rank. A variance below 1e-8 of the unit variance that all
// columns are scaled to counts as zero.
func whiten(cov []float64, p int) (t, root *mat.Dense, rank int) {
	scale := ones(p)
	for j := range scale {
		if v := math.Sqrt(cov[j*p+j]); v > 0 {
			scale[j] = v
		}
	}
	r := append([]float64(nil), cov...)
	rescale(r, scale, true)
	values, vectors, ok := linalg.Eigen(r, p, p)
	if !ok {
		return nil, nil, 0
	}
	for rank < p && values[rank] > 1e-8 {
		rank++
	}
	if rank == 0 {
		return nil, nil, 0
	}
	t, root = mat.NewDense(p, rank, nil), mat.NewDense(p, rank, nil)
	for c := range rank {
		s := math.Sqrt(values[c])
		for j, v := range vectors[c] {
			t.Set(j, c, v/(s*scale[j]))
			root.Set(j, c, v*s*scale[j])
		}
	}
	return t, root, rank
}

// byClass returns the rows of each class.
func byClass(index []int, k int) [][]int32 {
	rows := make([][]int32, k)
	for i, c := range index {
		rows[c] = append(rows[c], int32(i))
	}
	return rows
}

// unitWeights scales weights to a mean of 1, so that they can be used as counts of examples.
func unitWeights(weights []float64) []float64 {
	if weights == nil {
		return nil
	}
	return floats.ScaleTo(make([]float64, len(weights)), float64(len(weights))/floats.Sum(weights), weights)
}

// classMeans returns the mean and the weight of each class.
func classMeans(e examples, rows [][]int32) (means *mat.Dense, count []float64) {
	means, count = mat.NewDense(len(rows), e.d, nil), make([]float64, len(rows))
	for c, r := range rows {
		means.SetRow(c, meanOf(e.dense, r, e.weights))
		for _, i := range r {
			count[c] += e.weight(int(i))
		}
	}
	return means, count
}

// drawGaussians draws n rows of normal classes, each with its mean and a root of its covariance.
func drawGaussians(op string, logPrior []float64, means *mat.Dense, roots []*mat.Dense, classes []int, n int, seed uint64) (x *mat.Dense, y []int) {
	y = drawClasses(op, logPrior, n, seed)
	_, d := means.Dims()
	x = mat.NewDense(n, d, nil)
	rng := model.Rand(seed, 1)
	for i, c := range y {
		_, rank := roots[c].Dims()
		z := make([]float64, rank)
		for j := range z {
			z[j] = rng.NormFloat64()
		}
		row := x.RawRowView(i)
		for j := range row {
			row[j] = means.At(c, j) + floats.Dot(roots[c].RawRowView(j), z)
		}
		y[i] = classes[c]
	}
	return x, y
}
