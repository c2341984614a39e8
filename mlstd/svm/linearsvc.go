package svm

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/pick"
	"github.com/gokernel/gokernel/mlstd/internal/rows"
	"github.com/gokernel/gokernel/mlstd/model"
)

// LinearSVC is the linear support vector machine, without a kernel, for large data sets.
//
//	J(w) = ½‖(w, b)‖² + C·Σᵢ max(0, 1 − yᵢ(w·xᵢ + b))²
//
// (or, with Hinge, without the square). If x is dense and has at most 500 columns and more rows
// than columns, Newton's method minimizes this J directly, unless Hinge is set:
//
//	w ← w − s·H⁻¹g,  g = w + 2C·Σ_V (f(xᵢ) − yᵢ)·xᵢ,  H = I + 2C·Σ_V xᵢxᵢᵀ
//
// over the violations V of the margin. Otherwise, dual coordinate descent optimizes one multiplier
// at a time, in random order:
//
//	αᵢ ← clip(αᵢ − Gᵢ/Qᵢᵢ), Gᵢ = yᵢ(w·xᵢ + b) − 1 + Dᵢᵢαᵢ, w ← w + Δαᵢ·yᵢ·xᵢ
//
// With the square, Dᵢᵢ is 1/(2C) and there is no upper bound; without the square, Dᵢᵢ is 0 and the
// bound is C. The bias is one more coordinate of w, with the input 1, so it is penalized; [SVC]
// with a linear kernel does not penalize the bias. With more than two classes, each class is
// separated from all other classes.
//
// Cost: O(n·d) per pass of the descent, O(n·d² + d³) per step of Newton's method. The descent is
// always used for a sparse x, and a pass then costs O(nonzero entries). If no hyperplane separates
// the classes, the descent is slow for many examples. Scale the columns first.
//
// References: [Hsieh2008], [Chapelle2007]. Course: SVM-05, SVM-15.
type LinearSVC struct {
	// C is the penalty on margin violations; 0 means 1. A larger value fits the
	// training data more closely and may overfit.
	C           float64
	Hinge       bool // the hinge loss instead of its square
	NoIntercept bool
	// Tol is the tolerance; 0 means 1e-4. The descent stops when the violation of the optimality
	// conditions is at most Tol; Newton's method stops when the gradient's norm relative to its
	// initial norm is at most Tol. With a larger value, fitting stops earlier.
	Tol float64
	// MaxIter is the maximum number of passes or steps; 0 means 1000.
	MaxIter int
	Seed    uint64 // of the order
	model.Control

	Coef      *mat.Dense // set by Fit: w, one row for two classes, one per class otherwise
	Intercept []float64  // set by Fit: b of each row
	Trace     model.Trace

	classes []int

	model.Fitted // set by Fit: the columns that it was given
}

var (
	_ model.WeightedClassifier = (*LinearSVC)(nil)
	_ model.Scorer             = (*LinearSVC)(nil)
)

// Fit finds w and b for each class, or, with two classes, only for the greater class label.
func (l *LinearSVC) Fit(x mat.Matrix, y []int) error {
	model.NoteXY(&l.Fitted, x, y)
	return l.fit("LinearSVC.Fit", x, y, nil)
}

// FitWeighted is Fit with C multiplied by the weight of each example; an example of weight 0 is
// left out.
func (l *LinearSVC) FitWeighted(x mat.Matrix, y []int, weights []float64) error {
	const op = "LinearSVC.FitWeighted"
	model.NoteXY(&l.Fitted, x, y)
	l.Coef, l.Intercept, l.Trace, l.classes = nil, nil, model.Trace{}, nil
	if err := model.CheckWeights(op, weights, len(y)); err != nil {
		return err
	}
	return l.fit(op, x, y, weights)
}

func (l *LinearSVC) fit(op string, x mat.Matrix, y []int, weights []float64) error {
	l.Coef, l.Intercept, l.Trace, l.classes = nil, nil, model.Trace{}, nil
	d, err := rows.Check(op, x, len(y))
	if err != nil {
		return err
	}
	tol, maxIter := l.Tol, l.MaxIter
	if tol == 0 {
		tol = 1e-4
	}
	if maxIter == 0 {
		maxIter = 1000
	}
	set, err := checkSettings(op, l.C, tol, maxIter, 0, len(y))
	if err != nil {
		return err
	}
	if weights != nil {
		var kept []int
		for i, w := range weights {
			if w > 0 {
				kept = append(kept, i)
			}
		}
		d, y, weights = d.Take(kept), pick.Of(y, kept), pick.Of(weights, kept)
	}
	classes, class := model.Classes(y)
	if err := model.CheckTwoOrMore(op, classes); err != nil {
		return err
	}
	n, c := d.N, d.Width
	rest := len(classes)
	if rest == 2 {
		rest = 1
	}
	run := l.Begin("LinearSVC", rest*maxIter)
	defer run.End()
	f := &coordinates{d: &d, hinge: l.Hinge, bias: !l.NoIntercept, tol: set.tol, maxIter: set.maxIter, bound: make([]float64, n)}
	for i := range f.bound {
		f.bound[i] = set.c
		if weights != nil {
			f.bound[i] *= weights[i]
		}
	}
	coef, bias := mat.NewDense(rest, c, nil), make([]float64, rest)
	signs := make([]float64, n)
	trace := model.Trace{Converged: true}
	for k := range rest {
		positive := k
		if rest == 1 {
			positive = 1
		}
		for i, v := range class {
			signs[i] = -1
			if v == positive {
				signs[i] = 1
			}
		}
		watch := func(iter int, gap float64) error {
			trace.Step = append(trace.Step, gap)
			return run.Step(k*maxIter+iter, gap)
		}
		var w []float64
		var ok bool
		if d.Dense != nil && !l.Hinge && n > c && c <= newtonColumns {
			w, ok, err = f.newton(signs, watch)
		} else {
			w, ok, err = f.descend(signs, l.Seed, uint64(k), watch)
		}
		if err != nil {
			return err
		}
		trace.Converged = trace.Converged && ok
		coef.SetRow(k, w[:c])
		bias[k] = w[c]
	}
	l.Coef, l.Intercept, l.Trace, l.classes = coef, bias, trace, classes
	return nil
}

// coordinates is dual coordinate descent on one matrix.
type coordinates struct {
	d           *rows.Matrix
	hinge, bias bool
	bound       []float64 // C of each example
	tol         float64
	maxIter     int
}

// descend returns w with b after it. An example whose multiplier is at a bound and
// whose gradient points outward by more than any did in the last pass is left out
// until the others have converged.
func (f *coordinates) descend(signs []float64, seed, stream uint64, step func(iter int, gap float64) error) ([]float64, bool, error) {
	n, c := f.d.N, f.d.Width
	rng := model.Rand(seed, stream)
	w, alpha, curvature, extra, upper := make([]float64, c+1), make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	order := make([]int32, n)
	for i := range n {
		order[i] = int32(i)
		s := f.d.Norm2(i)
		if f.bias {
			s++
		}
		if f.hinge {
			upper[i] = f.bound[i]
		} else {
			extra[i], upper[i] = 1/(2*f.bound[i]), math.Inf(1)
		}
		curvature[i] = s + extra[i]
	}
	active := n
	above, below := math.Inf(1), math.Inf(-1)
	for iter := 1; iter <= f.maxIter; iter++ {
		most, least := math.Inf(-1), math.Inf(1)
		for t := range active {
			u := t + rng.IntN(active-t)
			order[t], order[u] = order[u], order[t]
		}
		for t := 0; t < active; t++ {
			i := order[t]
			sign := signs[i]
			s := f.dot(int(i), w)
			if f.bias {
				s += w[c]
			}
			g := sign*s - 1 + extra[i]*alpha[i]
			projected := g
			if out := alpha[i] == 0 && g > above || alpha[i] == upper[i] && g < below; out {
				active--
				order[t], order[active] = order[active], order[t]
				t--
				continue
			}
			if alpha[i] == 0 {
				projected = min(g, 0)
			} else if alpha[i] == upper[i] {
				projected = max(g, 0)
			}
			most, least = max(most, projected), min(least, projected)
			if math.Abs(projected) <= 1e-14 || curvature[i] == 0 {
				continue
			}
			old := alpha[i]
			alpha[i] = min(max(old-g/curvature[i], 0), upper[i])
			move := (alpha[i] - old) * sign
			f.add(w, move, int(i))
			if f.bias {
				w[c] += move
			}
		}
		gap := most - least
		if active == 0 {
			gap = 0
		}
		if err := step(iter, gap); err != nil {
			return nil, false, err
		}
		if gap <= f.tol {
			if active == n {
				return w, true, nil
			}
			active, above, below = n, math.Inf(1), math.Inf(-1)
			continue
		}
		above, below = most, least
		if above <= 0 {
			above = math.Inf(1)
		}
		if below >= 0 {
			below = math.Inf(-1)
		}
	}
	return w, false, nil
}

// dot is the product of row i with w.
func (f *coordinates) dot(i int, w []float64) float64 {
	if f.d.Sparse != nil {
		return f.d.Sparse.Dot(i, w)
	}
	return dot(f.d.Dense.RawRowView(i), w)
}

// add adds a times row i to w.
func (f *coordinates) add(w []float64, a float64, i int) {
	if f.d.Sparse != nil {
		f.d.Add(w, a, i)
		return
	}
	axpy(w, a, f.d.Dense.RawRowView(i))
}

// dot is a·b over the length of a.
func dot(a, b []float64) float64 {
	b = b[:len(a)]
	var s0, s1, s2, s3 float64
	j := 0
	for ; j+4 <= len(a); j += 4 {
		s0 += a[j] * b[j]
		s1 += a[j+1] * b[j+1]
		s2 += a[j+2] * b[j+2]
		s3 += a[j+3] * b[j+3]
	}
	for ; j < len(a); j++ {
		s0 += a[j] * b[j]
	}
	return s0 + s1 + (s2 + s3)
}

// axpy adds a·x to the beginning of w.
func axpy(w []float64, a float64, x []float64) {
	w = w[:len(x)]
	for j, v := range x {
		w[j] += a * v
	}
}

// Classes returns the classes in ascending order.
func (l *LinearSVC) Classes() []int { return slices.Clone(l.classes) }

// Decision returns w·x + b for each row: one column for two classes, one per class
// otherwise.
func (l *LinearSVC) Decision(x mat.Matrix) *mat.Dense {
	const op = "LinearSVC.Decision"
	x = model.MustRead(op, &l.Fitted, x)
	if l.Coef == nil {
		panic(model.NotFitted(op))
	}
	k, c := l.Coef.Dims()
	d := rows.Must(op, x, c)
	f := coordinates{d: &d}
	out := mat.NewDense(d.N, k, nil)
	for i := range d.N {
		for m := range k {
			out.Set(i, m, f.dot(i, l.Coef.RawRowView(m))+l.Intercept[m])
		}
	}
	return out
}

// Predict returns the class with the largest score.
func (l *LinearSVC) Predict(x mat.Matrix) []int {
	x = model.MustRead("LinearSVC.Predict", &l.Fitted, x)
	scores := l.Decision(x)
	n, k := scores.Dims()
	if k == 1 {
		return bySign(scores, l.classes)
	}
	out := make([]int, n)
	for i := range out {
		best := 0
		for m, v := range scores.RawRowView(i) {
			if v > scores.At(i, best) {
				best = m
			}
		}
		out[i] = l.classes[best]
	}
	return out
}
