package linear

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/model"
)

// LogisticRegression models the probability of a class by a sigmoid of a linear
// score, or for more than two classes by the softmax of one score a class.
//
//	p(y=1|x) = σ(θ·x + b)
//	J = Σᵢ log(1 + e^(−yᵢ(θ·xᵢ+b))) + (1/2C)·‖θ‖²,   yᵢ ∈ {−1, +1}
//
// With labels in {0, 1} the first term is the cross-entropy
// −Σ yᵢ log hᵢ + (1−yᵢ) log(1−hᵢ), and its gradient Σ xᵢⱼ(hᵢ − yᵢ): the same
// function, the same θ. The intercept is not penalized. J is minimized by L-BFGS
// until no component of its gradient exceeds Tol; neither the units of the columns
// nor their zeros change how soon that is, only what the penalty means.
//
// Without a penalty and with separable classes there is no minimum: θ grows
// without bound, and Trace.Converged stays false.
//
// Cost: O(n·d·k) an iteration.
//
// References: [Cox1958], [LiuNocedal1989]. Course: LIN-07, LIN-08, LIN-10.
type LogisticRegression struct {
	C           float64 // inverse strength of the l₂ penalty; 0 means 1
	NoPenalty   bool
	NoIntercept bool
	MaxIter     int     // 0 means 1000
	Tol         float64 // largest component of the mean gradient, of standardized columns; 0 means 1e-6
	model.Control

	Coef      *mat.Dense // set by Fit: 1 x d for two classes, k x d for more
	Intercept []float64  // set by Fit: one a row of Coef
	Trace     model.Trace

	classes []int
}

// Fit finds Coef and Intercept.
func (l *LogisticRegression) Fit(x mat.Matrix, y []int) error { return l.fit(x, y, nil) }

// FitWeighted is Fit with a weight for each example's loss. An example of weight
// zero is left out.
func (l *LogisticRegression) FitWeighted(x mat.Matrix, y []int, weights []float64) error {
	l.Coef, l.Intercept, l.Trace, l.classes = nil, nil, model.Trace{}, nil
	if err := model.CheckWeights("LogisticRegression.FitWeighted", weights, len(y)); err != nil {
		return err
	}
	d, err := model.CheckXY("LogisticRegression.FitWeighted", x, y)
	if err != nil {
		return err
	}
	if !slices.Contains(weights, 0) {
		return l.fit(d, y, weights)
	}
	_, p := d.Dims()
	var rows, kept []float64
	var labels []int
	for i, w := range weights {
		if w > 0 {
			rows, kept, labels = append(rows, d.RawRowView(i)...), append(kept, w), append(labels, y[i])
		}
	}
	return l.fit(mat.NewDense(len(labels), p, rows), labels, kept)
}

func (l *LogisticRegression) fit(x mat.Matrix, y []int, weights []float64) (err error) {
	l.Coef, l.Intercept, l.Trace, l.classes = nil, nil, model.Trace{}, nil
	m := likelihood{"LogisticRegression", true, l.C, l.NoPenalty, l.NoIntercept, l.MaxIter, l.Tol, &l.Control}
	l.Coef, l.Intercept, l.Trace, l.classes, err = m.maximize(x, y, weights)
	return err
}

// likelihood is what logistic and softmax regression maximize, and how.
type likelihood struct {
	name                   string
	oneRow                 bool // of weights, for two classes
	c                      float64
	noPenalty, noIntercept bool
	maxIter                int
	tol                    float64
	control                *model.Control
}

func (m likelihood) maximize(x mat.Matrix, y []int, weights []float64) (coef *mat.Dense, intercept []float64, trace model.Trace, classes []int, err error) {
	op := m.name + ".Fit"
	d, err := model.CheckXY(op, x, y)
	if err != nil {
		return nil, nil, trace, nil, err
	}
	classes, index := model.Classes(y)
	if err := model.CheckTwoOrMore(op, classes); err != nil {
		return nil, nil, trace, nil, err
	}
	lambda, err := inversePenalty(op, m.c, m.noPenalty)
	if err != nil {
		return nil, nil, trace, nil, err
	}
	var f objective
	if m.oneRow && len(classes) == 2 {
		f = newBinaryObjective(d, index, weights, lambda, !m.noIntercept)
	} else {
		f = newSoftmaxObjective(d, index, len(classes), weights, lambda, !m.noIntercept)
	}
	w, trace, err := minimize(m.name, f, d, !m.noIntercept, m.maxIter, m.tol, m.control)
	if err != nil {
		return nil, nil, trace, nil, err
	}
	coef, intercept = unpack(w, f.rows(), !m.noIntercept)
	return coef, intercept, trace, classes, nil
}

func inversePenalty(op string, c float64, none bool) (float64, error) {
	switch {
	case none:
		return 0, nil
	case c == 0:
		return 1, nil
	case !(c > 0) || math.IsInf(c, 0):
		return 0, model.Errorf(op, "C is %v", c).WithHint("it must be positive; for no penalty set NoPenalty")
	}
	return 1 / c, nil
}

// Classes lists the classes in ascending order.
func (l *LogisticRegression) Classes() []int { return slices.Clone(l.classes) }

// Decision gives θ·x + b: one column for two classes, k otherwise.
func (l *LogisticRegression) Decision(x mat.Matrix) *mat.Dense {
	return decision("LogisticRegression.Decision", x, l.Coef, l.Intercept)
}

// Predict gives the most probable class of each row; with two classes a score of
// 0 goes to the first.
func (l *LogisticRegression) Predict(x mat.Matrix) []int {
	return classify(decision("LogisticRegression.Predict", x, l.Coef, l.Intercept), l.classes)
}

// PredictProba gives the class probabilities of each row.
func (l *LogisticRegression) PredictProba(x mat.Matrix) *mat.Dense {
	return probabilities(decision("LogisticRegression.PredictProba", x, l.Coef, l.Intercept))
}

func decision(op string, x mat.Matrix, coef *mat.Dense, intercept []float64) *mat.Dense {
	if coef == nil {
		panic(model.NotFitted(op))
	}
	k, p := coef.Dims()
	d := model.MustRows(op, x, p)
	n, _ := d.Dims()
	out := mat.NewDense(n, k, nil)
	for i := range n {
		row, s := d.RawRowView(i), out.RawRowView(i)
		for c := range s {
			s[c] = floats.Dot(row, coef.RawRowView(c)) + intercept[c]
		}
	}
	return out
}

func classify(s *mat.Dense, classes []int) []int {
	n, k := s.Dims()
	out := make([]int, n)
	for i := range out {
		row := s.RawRowView(i)
		switch {
		case k > 1:
			out[i] = classes[floats.MaxIdx(row)]
		case row[0] > 0:
			out[i] = classes[1]
		default:
			out[i] = classes[0]
		}
	}
	return out
}

func probabilities(s *mat.Dense) *mat.Dense {
	n, k := s.Dims()
	if k > 1 {
		for i := range n {
			softmaxInPlace(s.RawRowView(i))
		}
		return s
	}
	out := mat.NewDense(n, 2, nil)
	for i := range n {
		z := s.At(i, 0)
		out.SetRow(i, []float64{Sigmoid(-z), Sigmoid(z)})
	}
	return out
}

// unpack splits the parameters of k rows, each followed by its intercept.
func unpack(w []float64, k int, intercept bool) (*mat.Dense, []float64) {
	stride := len(w) / k
	p := stride
	if intercept {
		p--
	}
	coef, b := mat.NewDense(k, p, nil), make([]float64, k)
	for c := range k {
		row := w[c*stride : (c+1)*stride]
		coef.SetRow(c, row[:p])
		if intercept {
			b[c] = row[p]
		}
	}
	return coef, b
}

// chunk is the number of rows that one task of an objective sums: fixed, so that
// sums do not depend on the number of processors.
const chunk = 1024

// partial is the share of one chunk in an objective.
type partial struct {
	loss   float64
	grad   []float64
	scores []float64
}

// sums holds one partial for each chunk, reused from call to call.
type sums struct {
	n     int
	parts []partial
}

func newSums(n, params, scores int) *sums {
	s := &sums{n: n, parts: make([]partial, (n+chunk-1)/chunk)}
	for i := range s.parts {
		s.parts[i] = partial{grad: make([]float64, params), scores: make([]float64, scores)}
	}
	return s
}

// over adds up what add computes for each chunk, in order.
func (s *sums) over(grad []float64, add func(p *partial, lo, hi int)) (loss float64) {
	par.Range(s.n, chunk, func(lo, hi int) {
		p := &s.parts[lo/chunk]
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

// totalWeight is what a mean over n examples is divided by; nil weights are all 1. A
// few large weights do not make a gradient small that matters to the other examples.
func totalWeight(weights []float64, n int) float64 {
	if weights == nil {
		return float64(n)
	}
	return min(floats.Sum(weights), float64(n))
}

// binaryObjective is the logistic loss of two classes.
type binaryObjective struct {
	x         *mat.Dense
	sign      []float64 // −1 or +1
	weight    []float64
	lambda    float64
	intercept bool
	p         int
	sums      *sums
}

func newBinaryObjective(x *mat.Dense, index []int, weight []float64, lambda float64, intercept bool) *binaryObjective {
	n, p := x.Dims()
	b := &binaryObjective{x: x, sign: make([]float64, n), weight: weight, lambda: lambda, intercept: intercept, p: p}
	for i, k := range index {
		b.sign[i] = float64(2*k - 1)
	}
	b.sums = newSums(n, b.params(), 0)
	return b
}

func (b *binaryObjective) rows() int      { return 1 }
func (b *binaryObjective) scale() float64 { return totalWeight(b.weight, len(b.sign)) }
func (b *binaryObjective) params() int {
	if b.intercept {
		return b.p + 1
	}
	return b.p
}

func (b *binaryObjective) value(w, grad []float64) float64 {
	p := b.p
	loss := b.sums.over(grad, func(s *partial, lo, hi int) {
		raw := b.x.RawMatrix()
		for i := lo; i < hi; i++ {
			row := raw.Data[i*raw.Stride : i*raw.Stride+p]
			z := floats.Dot(row, w[:p])
			if b.intercept {
				z += w[p]
			}
			z *= b.sign[i]
			// One exponential gives both log(1 + e^−z) and σ(−z).
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
			floats.AddScaled(s.grad[:p], g, row)
			if b.intercept {
				s.grad[p] += g
			}
		}
	})
	for j := range p {
		loss += b.lambda / 2 * w[j] * w[j]
		grad[j] += b.lambda * w[j]
	}
	return loss
}

// softmaxObjective is the negative log-likelihood of k classes, parameters row
// by row.
type softmaxObjective struct {
	x         *mat.Dense
	index     []int
	k, p      int
	weight    []float64
	lambda    float64
	intercept bool
	sums      *sums
}

func newSoftmaxObjective(x *mat.Dense, index []int, k int, weight []float64, lambda float64, intercept bool) *softmaxObjective {
	n, p := x.Dims()
	s := &softmaxObjective{x: x, index: index, k: k, p: p, weight: weight, lambda: lambda, intercept: intercept}
	s.sums = newSums(n, s.params(), k)
	return s
}

func (s *softmaxObjective) rows() int      { return s.k }
func (s *softmaxObjective) scale() float64 { return totalWeight(s.weight, len(s.index)) }
func (s *softmaxObjective) stride() int {
	if s.intercept {
		return s.p + 1
	}
	return s.p
}
func (s *softmaxObjective) params() int { return s.k * s.stride() }

func (s *softmaxObjective) value(w, grad []float64) float64 {
	stride, p := s.stride(), s.p
	loss := s.sums.over(grad, func(part *partial, lo, hi int) {
		raw := s.x.RawMatrix()
		for i := lo; i < hi; i++ {
			row := raw.Data[i*raw.Stride : i*raw.Stride+p]
			for c := range part.scores {
				v := floats.Dot(row, w[c*stride:c*stride+p])
				if s.intercept {
					v += w[c*stride+p]
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
				floats.AddScaled(part.grad[c*stride:c*stride+p], q, row)
				if s.intercept {
					part.grad[c*stride+p] += q
				}
			}
		}
	})
	for c := range s.k {
		for j := range p {
			v := w[c*stride+j]
			loss += s.lambda / 2 * v * v
			grad[c*stride+j] += s.lambda * v
		}
	}
	return loss
}
