package linear

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/internal/rows"
)

// objective is a smooth convex function with its gradient, computed together.
type objective interface {
	value(w, grad []float64) float64
	params() int
	rows() int      // rows of the coefficient matrix
	scale() float64 // the total weight of the examples: tolerances are for the mean
	// right reports whether its scores classify example i correctly and without a tie.
	right(i int, scores []float64) bool
}

// chunk is the number of rows that one task of a sum adds up. It is fixed, so that sums do not
// depend on the number of processors.
const chunk = 1024

// chunkOf is chunk for tasks that each have their own list of width numbers. It limits the number
// of tasks, so that these lists take no more memory than 64 rows would, or 16 MB.
func chunkOf(n, width int) int {
	most := max(64, 1<<21/max(width, 1))
	return max(chunk, (n+most-1)/most)
}

// partial is the contribution of one chunk to an objective.
type partial struct {
	loss   float64
	grad   []float64
	scores []float64
}

// sums holds one partial for each chunk, reused from call to call.
type sums struct {
	n, chunk int
	parts    []partial
}

func newSums(n, params, scores int) *sums {
	s := &sums{n: n, chunk: chunkOf(n, params)}
	s.parts = make([]partial, (n+s.chunk-1)/s.chunk)
	for i := range s.parts {
		s.parts[i] = partial{grad: make([]float64, params), scores: make([]float64, scores)}
	}
	return s
}

// over adds up what add computes for each chunk, in order.
func (s *sums) over(grad []float64, add func(p *partial, lo, hi int)) (loss float64) {
	par.Range(s.n, s.chunk, func(lo, hi int) {
		p := &s.parts[lo/s.chunk]
		p.loss = 0
		clear(p.grad)
		add(p, lo, hi)
	})
	clear(grad)
	for i := range s.parts {
		loss += s.parts[i].loss
		floats.Add(grad, s.parts[i].grad)
	}
	return loss
}

// totalWeight is the divisor of a weighted mean over n examples; nil weights are all 1. A few large
// weights don't shrink a gradient that matters to the other examples.
func totalWeight(weights []float64, n int) float64 {
	if weights == nil {
		return float64(n)
	}
	return min(floats.Sum(weights), float64(n))
}

// binaryObjective is the logistic loss of two classes.
type binaryObjective struct {
	x         *rows.Matrix
	sign      []float64 // −1 or +1
	weight    []float64
	lambda    float64
	intercept bool
	sums      *sums
}

func newBinaryObjective(x *rows.Matrix, index []int, weight []float64, lambda float64, intercept bool) *binaryObjective {
	b := &binaryObjective{x: x, sign: make([]float64, x.N), weight: weight, lambda: lambda, intercept: intercept}
	for i, k := range index {
		b.sign[i] = float64(2*k - 1)
	}
	b.sums = newSums(x.N, b.params(), 0)
	return b
}

func (b *binaryObjective) rows() int      { return 1 }
func (b *binaryObjective) scale() float64 { return totalWeight(b.weight, len(b.sign)) }
func (b *binaryObjective) right(i int, s []float64) bool {
	return b.sign[i]*s[0] > 0
}
func (b *binaryObjective) params() int { return stride(b.x.Width, b.intercept) }

// stride is the number of parameters of one score.
func stride(width int, intercept bool) int {
	if intercept {
		return width + 1
	}
	return width
}

func (b *binaryObjective) value(w, grad []float64) float64 {
	p := b.x.Width
	loss := b.sums.over(grad, func(s *partial, lo, hi int) {
		for i := lo; i < hi; i++ {
			z := b.x.Dot(i, w[:p])
			if b.intercept {
				z += w[p]
			}
			z *= b.sign[i]
			// One exponential is enough for both log(1 + e^−z) and σ(−z).
			e := math.Exp(-math.Abs(z))
			l, q := math.Log1p(e), e/(1+e)
			if z < 0 {
				l, q = l-z, 1/(1+e)
			}
			g := -b.sign[i] * q
			if b.weight != nil {
				l, g = l*b.weight[i], g*b.weight[i]
			}
			s.loss += l
			b.x.Add(s.grad, g, i)
			if b.intercept {
				s.grad[p] += g
			}
		}
	})
	return loss + addPenalty(grad[:p], w[:p], b.lambda)
}

// addPenalty returns ½λ‖w‖² and adds its gradient to grad.
func addPenalty(grad, w []float64, lambda float64) float64 {
	if lambda == 0 {
		return 0
	}
	floats.AddScaled(grad, lambda, w)
	return lambda / 2 * floats.Dot(w, w)
}

// softmaxObjective is the negative log-likelihood of k classes, with the parameters row by row.
type softmaxObjective struct {
	x         *rows.Matrix
	index     []int
	k         int
	weight    []float64
	lambda    float64
	intercept bool
	sums      *sums
}

func newSoftmaxObjective(x *rows.Matrix, index []int, k int, weight []float64, lambda float64, intercept bool) *softmaxObjective {
	s := &softmaxObjective{x: x, index: index, k: k, weight: weight, lambda: lambda, intercept: intercept}
	s.sums = newSums(x.N, s.params(), k)
	return s
}

func (s *softmaxObjective) rows() int      { return s.k }
func (s *softmaxObjective) scale() float64 { return totalWeight(s.weight, len(s.index)) }
func (s *softmaxObjective) right(i int, scores []float64) bool {
	for c, v := range scores {
		if c != s.index[i] && v >= scores[s.index[i]] {
			return false
		}
	}
	return true
}
func (s *softmaxObjective) params() int { return s.k * stride(s.x.Width, s.intercept) }

func (s *softmaxObjective) value(w, grad []float64) float64 {
	step, p := stride(s.x.Width, s.intercept), s.x.Width
	loss := s.sums.over(grad, func(part *partial, lo, hi int) {
		for i := lo; i < hi; i++ {
			for c := range part.scores {
				v := s.x.Dot(i, w[c*step:c*step+p])
				if s.intercept {
					v += w[c*step+p]
				}
				part.scores[c] = v
			}
			own := part.scores[s.index[i]]
			l := softmaxInPlace(part.scores) - own
			weight := 1.0
			if s.weight != nil {
				weight = s.weight[i]
			}
			part.loss += weight * l
			for c, q := range part.scores {
				if c == s.index[i] {
					q--
				}
				q *= weight
				s.x.Add(part.grad[c*step:(c+1)*step], q, i)
				if s.intercept {
					part.grad[c*step+p] += q
				}
			}
		}
	})
	for c := range s.k {
		loss += addPenalty(grad[c*step:c*step+p], w[c*step:c*step+p], s.lambda)
	}
	return loss
}
