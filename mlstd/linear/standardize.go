package linear

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/linalg"
	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/internal/rows"
)

// columnStats returns the mean and standard deviation of each column, weighted; nil
// weights are all 1. Without center the means are 0, and the deviations are from 0. A
// column that is constant up to the rounding of its mean has deviation 0.
func columnStats(x *rows.Matrix, weights []float64, center bool) (mean, sd []float64) {
	p := x.Width
	total := float64(x.N)
	if weights != nil {
		total = floats.Sum(weights)
	}
	mean = make([]float64, p)
	if center {
		mean = weightedMeans(x, weights)
	}
	// A sparse row changes the squares only where it has entries; elsewhere v = 0.
	base := make([]float64, p)
	if x.Sparse != nil {
		for j, m := range mean {
			base[j] = m * m
		}
	}
	sd = columnSums(x, func(sum []float64, i int) {
		w := weightOf(weights, i)
		if x.Sparse == nil {
			for j, v := range x.Dense.RawRowView(i) {
				v -= mean[j]
				sum[j] += w * v * v
			}
			return
		}
		x.Each(i, func(j int, v float64) { sum[j] += w * ((v-mean[j])*(v-mean[j]) - base[j]) })
	})
	var far []float64
	for j, squares := range sd {
		sd[j] = math.Sqrt(max(squares/total+base[j], 0))
		if !(sd[j] > 1e-150 && sd[j] < 1e150) { // the squares vanish or overflow
			if far == nil {
				far = spreads(x, mean)
			}
			sd[j] = far[j]
		}
		if sd[j] <= 1e-14*math.Abs(mean[j]) {
			sd[j] = 0
		}
	}
	return mean, sd
}

func weightOf(weights []float64, i int) float64 {
	if weights == nil {
		return 1
	}
	return weights[i]
}

// columnSums adds up what add contributes for each row, in chunks that do not depend on the number
// of processors.
func columnSums(x *rows.Matrix, add func(sum []float64, i int)) []float64 {
	size := chunkOf(x.N, x.Width)
	parts := make([][]float64, (x.N+size-1)/size)
	par.Range(x.N, size, func(lo, hi int) {
		s := make([]float64, x.Width)
		for i := lo; i < hi; i++ {
			add(s, i)
		}
		parts[lo/size] = s
	})
	sum := parts[0]
	for _, s := range parts[1:] {
		floats.Add(sum, s)
	}
	return sum
}

// spreads returns the largest distance from the mean in each column.
func spreads(x *rows.Matrix, mean []float64) []float64 {
	most, entries := make([]float64, x.Width), make([]int, x.Width)
	for i := range x.N {
		x.Each(i, func(j int, v float64) {
			most[j] = max(most[j], math.Abs(v-mean[j]))
			entries[j]++
		})
	}
	for j, m := range mean {
		if entries[j] < x.N { // there is a zero
			most[j] = max(most[j], math.Abs(m))
		}
	}
	return most
}

// standardized is an objective of linear scores as a function of parameters u, chosen so that its
// curvature is about the same in all directions. The curvature of the mean loss is at most a
// quarter of the covariance of the columns, and the curvature of the penalty is λ/n. With
//
//	sⱼ² = Var(xⱼ) + 4λ/n,  L·Lᵀ = S⁻¹(Cov(x) + 4λ/n·I)S⁻¹
//
// u = Lᵀ·S·w, and the intercept, if there is one, is b + mean·w. (L is left out if it would cost
// too much.) The minimum is the same, but the number of steps to find it does not depend on the
// units, zeros or correlation of the columns.
type standardized struct {
	objective
	x          *rows.Matrix
	mean, size []float64
	factor     []float64 // L, width x width; nil for the unit matrix
	w, grad    []float64
}

// whitenColumns is the widest x whose covariance is used.
const whitenColumns = 500

// standardize does not shift the columns if there is no intercept to absorb the shift.
func standardize(f objective, x *rows.Matrix, weights []float64, lambda float64, intercept bool) *standardized {
	s := &standardized{objective: f, x: x, w: make([]float64, f.params()), grad: make([]float64, f.params())}
	s.mean, s.size = columnStats(x, weights, intercept)
	total := float64(x.N)
	if weights != nil {
		total = floats.Sum(weights)
	}
	for j, sd := range s.size {
		if s.size[j] = math.Hypot(sd, 2*math.Sqrt(lambda/total)); s.size[j] == 0 {
			s.size[j] = 1
		}
	}
	if x.Dense != nil && x.Width > 1 && x.Width <= whitenColumns {
		s.factor = s.whiten(weights, 4*lambda/total, total)
	}
	return s
}

// whiten returns L, or nil if L is left out.
func (s *standardized) whiten(weights []float64, ridge, total float64) []float64 {
	p := s.x.Width
	cov := covariance(s.x.Dense, s.mean, s.size, weights)
	for i := range p {
		for j := range i {
			cov[i*p+j] = cov[j*p+i] / total
		}
		cov[i*p+i] = cov[i*p+i]/total + ridge/s.size[i]/s.size[i]
		if cov[i*p+i] == 0 {
			cov[i*p+i] = 1 // a constant column
		}
		// Linearly dependent columns get a small curvature added.
		cov[i*p+i] += 1e-12
	}
	if !linalg.Cholesky(cov, p) {
		return nil
	}
	return cov
}

// covariance returns Σᵢ wᵢ·zᵢzᵢᵀ of the rows z = (x − mean)/size, in the upper triangle.
func covariance(x *mat.Dense, mean, size, weights []float64) []float64 {
	n, p := x.Dims()
	chunk := chunkOf(n, p*p)
	parts := make([][]float64, (n+chunk-1)/chunk)
	par.Range(n, chunk, func(lo, hi int) {
		const block = 256 // rows that stay in the cache
		gram, scaled := make([]float64, p*p), make([]float64, block*p)
		for at := lo; at < hi; at += block {
			end := min(at+block, hi)
			for i := at; i < end; i++ {
				row := scaled[(i-at)*p : (i-at+1)*p]
				floats.SubTo(row, x.RawRowView(i), mean)
				floats.Div(row, size)
				if weights != nil {
					floats.Scale(math.Sqrt(weights[i]), row)
				}
			}
			linalg.AddGram(gram, p, scaled, end-at, p, p)
		}
		parts[lo/chunk] = gram
	})
	sum := parts[0]
	for _, part := range parts[1:] {
		floats.Add(sum, part)
	}
	return sum
}

// solve replaces v by L⁻¹v, or by L⁻ᵀv.
func (s *standardized) solve(v []float64, transposed blas.Transpose) {
	if s.factor == nil {
		return
	}
	p := len(s.size)
	l := blas64.Triangular{N: p, Stride: p, Data: s.factor, Uplo: blas.Lower, Diag: blas.NonUnit}
	blas64.Trsv(transposed, l, blas64.Vector{N: p, Inc: 1, Data: v})
}

// restore converts the parameters for standardized columns to parameters for the original columns.
func (s *standardized) restore(u []float64) {
	p, step := len(s.size), len(u)/s.rows()
	for at := 0; at < len(u); at += step {
		row := u[at : at+step]
		s.solve(row[:p], blas.Trans)
		floats.Div(row[:p], s.size)
		if step > p {
			row[p] -= floats.Dot(s.mean, row[:p])
		}
	}
}

func (s *standardized) value(u, grad []float64) float64 {
	copy(s.w, u)
	s.restore(s.w)
	v := s.objective.value(s.w, s.grad)
	copy(grad, s.grad)
	p, step := len(s.size), len(u)/s.rows()
	for at := 0; at < len(u); at += step {
		row := grad[at : at+step]
		if step > p {
			floats.AddScaled(row[:p], -row[p], s.mean)
		}
		floats.Div(row[:p], s.size)
		s.solve(row[:p], blas.NoTrans)
	}
	return v
}

// reach returns the largest change of a score when dir is added to the parameters. With several
// classes it is the largest change of the difference of two scores.
func (s *standardized) reach(dir []float64) float64 {
	most := 0.0
	copy(s.w, dir)
	s.restore(s.w)
	eachScores(s.x, s.w, s.rows(), func(_ int, scores []float64) {
		if len(scores) == 1 {
			most = max(most, math.Abs(scores[0]))
			return
		}
		most = max(most, floats.Max(scores)-floats.Min(scores))
	})
	return most
}

// separates reports whether the parameters for standardized columns separate the classes.
func (s *standardized) separates(u []float64) bool {
	copy(s.w, u)
	s.restore(s.w)
	return separates(s.objective, s.x, s.w)
}

// separates reports whether, with w, every example's score is on the right side or, with several
// classes, above its scores for all other classes. Then the likelihood has no maximum.
func separates(f objective, x *rows.Matrix, w []float64) bool {
	all := true
	eachScores(x, w, f.rows(), func(i int, scores []float64) { all = all && f.right(i, scores) })
	return all
}

// eachScores calls f with the k scores of each row.
func eachScores(x *rows.Matrix, w []float64, k int, f func(i int, scores []float64)) {
	p, step := x.Width, len(w)/k
	scores := make([]float64, k)
	for i := range x.N {
		for c := range scores {
			row := w[c*step : (c+1)*step]
			scores[c] = x.Dot(i, row[:p])
			if step > p {
				scores[c] += row[p]
			}
		}
		f(i, scores)
	}
}
