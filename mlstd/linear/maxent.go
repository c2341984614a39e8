package linear

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/rows"
	"github.com/gokernel/gokernel/mlstd/model"
)

// MaxEntropy is the maximum entropy classifier. Of all conditional models whose expected features
// match the observed features, it is the model with the largest entropy.
//
//	max_p −Σᵢ Σ_y p(y|xᵢ) log p(y|xᵢ)
//	subject to  Σᵢ Σ_y p(y|xᵢ)·f(xᵢ, y) = Σᵢ f(xᵢ, yᵢ),  Σ_y p(y|xᵢ) = 1
//
// The features are f_{jk}(x, y) = xⱼ·1{y=k}, and 1{y=k} for the intercept. The dual problem is to
// maximize the likelihood of p(y|x) ∝ exp(Σ λ·f(x, y)): this is softmax regression, where λ holds
// the Lagrange multipliers of the constraints. Without any features the model is uniform.
//
// Method IterativeScaling multiplies each e^λ by (observed/expected)^(1/M), where M is the maximum,
// over the examples, of the sum of the features, each divided by its largest value. It needs
// nonnegative features. The default is L-BFGS on the dual.
//
// Cost: O(n·d·k) per iteration. Expectations match exactly only without Sigma2. Without Sigma2, if
// the classes are separable or a feature never occurs with a class, no finite λ attains the
// maximum, and Trace.Converged stays false.
//
// References: [BergerDellaPietra1996], [DarrochRatcliff1972]. Course: LIN-12.
type MaxEntropy struct {
	IterativeScaling bool
	// Sigma2 is the variance of a Gaussian prior on λ; 0 means no prior. A smaller
	// variance regularizes more.
	Sigma2 float64
	// MaxIter is the maximum number of iterations; 0 means 1000.
	MaxIter int
	// Tol is the tolerance of [SoftmaxRegression]. With IterativeScaling, fitting stops when the
	// largest relative difference between observed and expected features is at most Tol, and 0
	// means 1e-6.
	Tol float64
	model.Control

	Coef      *mat.Dense // set by Fit: k x d, the multipliers λ of xⱼ·1{y=k}
	Intercept []float64  // set by Fit: the multipliers of 1{y=k}
	Trace     model.Trace

	classes []int

	model.Fitted // set by Fit: the columns that it was given
}

// Fit finds the multipliers.
func (m *MaxEntropy) Fit(x mat.Matrix, y []int) error {
	const op = "MaxEntropy.Fit"
	model.NoteXY(&m.Fitted, x, y)
	m.Coef, m.Intercept, m.Trace, m.classes = nil, nil, model.Trace{}, nil
	d, err := rows.Check(op, x, len(y))
	if err != nil {
		return err
	}
	classes, index := model.Classes(y)
	if err := model.CheckTwoOrMore(op, classes); err != nil {
		return err
	}
	if !(m.Sigma2 >= 0) {
		return model.Errorf(op, "Sigma2 must not be negative, got %v", m.Sigma2)
	}
	lambda := 0.0
	if m.Sigma2 > 0 {
		lambda = 1 / m.Sigma2
	}
	k := len(classes)
	f := newSoftmaxObjective(&d, index, k, nil, lambda, true)
	var w []float64
	var trace model.Trace
	if m.IterativeScaling {
		if lambda > 0 {
			return model.Errorf(op, "Sigma2 must be 0 for iterative scaling").WithHint("leave Sigma2 or IterativeScaling out")
		}
		w, trace, err = m.scale(op, f)
	} else {
		settings := likelihood{lambda: lambda, maxIter: m.MaxIter, tol: m.Tol, control: &m.Control}
		w, trace, err = minimize("MaxEntropy", f, settings, &d, nil)
	}
	if err != nil {
		return err
	}
	m.Coef, m.Intercept = unpack(w, k, true)
	m.Trace, m.classes = trace, classes
	return nil
}

// scale runs generalized iterative scaling on features in units of their largest value.
func (m *MaxEntropy) scale(op string, f *softmaxObjective) ([]float64, model.Trace, error) {
	unit, sum, most, err := featureSizes(op, f.x)
	if err != nil {
		return nil, model.Trace{}, err
	}
	maxIter, err := model.Iterations(op, "MaxIter", m.MaxIter, 1000)
	if err != nil {
		return nil, model.Trace{}, err
	}
	tol := m.Tol
	if tol == 0 {
		tol = 1e-6
	}
	run := m.Begin("MaxEntropy", maxIter)
	defer run.End()
	k, stride := f.k, f.x.Width+1
	w, grad, observed := make([]float64, k*stride), make([]float64, k*stride), make([]float64, k*stride)
	for i, c := range f.index {
		f.x.Add(observed[c*stride:(c+1)*stride], 1, i)
		observed[(c+1)*stride-1]++
	}
	never := false // a feature never occurs with a class
	for j, o := range observed {
		never = never || o == 0 && sum[j%stride] > 0
	}
	var trace model.Trace
	for it := 1; it <= maxIter; it++ {
		loss := f.value(w, grad) // grad is expected − observed
		gap := 0.0
		for j, g := range grad {
			if s := sum[j%stride]; s > 0 {
				gap = max(gap, math.Abs(g)/s)
			}
		}
		trace.Loss, trace.Step = append(trace.Loss, loss), append(trace.Step, gap)
		if err := run.Step(it, loss); err != nil {
			return nil, model.Trace{}, err
		}
		if gap <= tol {
			trace.Converged = !never && !separates(f, f.x, w)
			break
		}
		for j, o := range observed {
			e, u := o+grad[j], unit[j%stride]
			switch {
			case e <= 0:
			case o == 0:
				w[j] = max(w[j]-10/u, -200/u)
			default:
				w[j] += math.Log(o/e) / (most * u)
			}
		}
	}
	return w, trace, nil
}

// featureSizes returns the largest value and the sum of each feature, with the constant 1 of the
// intercept last. It also returns the largest sum of an example's features, each divided by its
// largest value.
func featureSizes(op string, x *rows.Matrix) (unit, sum []float64, most float64, err error) {
	unit, sum = make([]float64, x.Width+1), make([]float64, x.Width+1)
	unit[x.Width], sum[x.Width] = 1, float64(x.N)
	for i := range x.N {
		x.Each(i, func(j int, v float64) {
			if v < 0 && err == nil {
				err = model.Errorf(op, "x[%d][%d] must not be negative for iterative scaling, got %v", i, j, v).
					WithHint("shift the column, or leave IterativeScaling out")
			}
			unit[j] = max(unit[j], v)
			sum[j] += v
		})
	}
	for i := range x.N {
		total := 1.0
		x.Each(i, func(j int, v float64) { total += v / unit[j] })
		most = max(most, total)
	}
	return unit, sum, most, err
}

// Classes lists the classes in ascending order.
func (m *MaxEntropy) Classes() []int { return slices.Clone(m.classes) }

func (m *MaxEntropy) scores(op string, x mat.Matrix) *mat.Dense {
	if m.Coef == nil {
		panic(model.NotFitted(op))
	}
	return decision(op, x, m.Coef, m.Intercept)
}

// Predict returns the most probable class of each row.
func (m *MaxEntropy) Predict(x mat.Matrix) []int {
	x = model.MustRead("MaxEntropy.Predict", &m.Fitted, x)
	return classify(m.scores("MaxEntropy.Predict", x), m.classes)
}

// PredictProba returns the class probabilities of each row.
func (m *MaxEntropy) PredictProba(x mat.Matrix) *mat.Dense {
	x = model.MustRead("MaxEntropy.PredictProba", &m.Fitted, x)
	return probabilities(m.scores("MaxEntropy.PredictProba", x))
}

// FeatureExpectations returns, for each class and feature, the observed sums and the sums predicted
// by the probabilities. Each result is k x (d+1), with the counts of the classes in the last
// column. The two results are equal at the maximum of entropy.
//
// Course: LIN-12.
func FeatureExpectations(x mat.Matrix, y []int, classes []int, proba *mat.Dense) (observed, expected *mat.Dense) {
	d := model.Dense(x)
	n, p := d.Dims()
	pn, k := proba.Dims()
	if n != len(y) || n != pn || k != len(classes) {
		panic(model.Errorf("FeatureExpectations", "x, y and proba must have the same number of rows, and proba one column per class, got %d, %d, and %dx%d for %d classes", n, len(y), pn, k, len(classes)))
	}
	observed, expected = mat.NewDense(k, p+1, nil), mat.NewDense(k, p+1, nil)
	for i := range n {
		row := d.RawRowView(i)
		for c, class := range classes {
			e, o := expected.RawRowView(c), observed.RawRowView(c)
			floats.AddScaled(e[:p], proba.At(i, c), row)
			e[p] += proba.At(i, c)
			if y[i] == class {
				floats.Add(o[:p], row)
				o[p]++
			}
		}
	}
	return observed, expected
}

// ConditionalEntropy is the mean entropy of predicted probabilities, in nats.
//
//	−(1/n) Σᵢ Σ_y p(y|xᵢ) log p(y|xᵢ)
//
// Course: LIN-12.
func ConditionalEntropy(proba *mat.Dense) float64 {
	n, k := proba.Dims()
	h := 0.0
	for i := range n {
		for c := range k {
			if p := proba.At(i, c); p > 0 {
				h -= p * math.Log(p)
			}
		}
	}
	return h / float64(n)
}
