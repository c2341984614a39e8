package svm

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/limits"
	"github.com/gokernel/gokernel/mlstd/internal/linalg"
	"github.com/gokernel/gokernel/mlstd/internal/magnitude"
	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/model"
)

// HingeObjective returns the primal objective of the linear machine. The bias is the last entry of
// theta, and is penalized like the other entries.
//
//	J(θ) = (1/n) Σᵢ max(0, 1 − yᵢ·θ·(xᵢ, 1)) + (Lambda/2)·‖θ‖²
//
// Except for the penalty on the bias, this objective is the soft-margin objective of [SVC] with C =
// 1/(n·Lambda), divided by n·C. If noBias is true, theta has no bias.
//
// Course: SVM-05.
func HingeObjective(theta []float64, x mat.Matrix, y []int, lambda float64, noBias bool) float64 {
	const op = "HingeObjective"
	d, err := model.CheckXY(op, x, y)
	if err != nil {
		panic(err)
	}
	n, c := d.Dims()
	want := c + 1
	if noBias {
		want = c
	}
	if len(theta) != want {
		panic(model.Errorf(op, "theta must have %d values, got %d", want, len(theta)))
	}
	// Sums of parts of fixed size do not depend on the number of processors.
	const part = 2048
	sums := make([]float64, (n+part-1)/part)
	par.Range(n, part, func(lo, hi int) {
		sum := 0.0
		for i, label := range y[lo:hi] {
			if label != 1 && label != -1 {
				panic(model.Errorf(op, "y[%d] must be -1 or +1, got %d", lo+i, label))
			}
			sum += max(0, 1-float64(label)*augmentedDot(theta, d.RawRowView(lo+i)))
		}
		sums[lo/part] = sum
	})
	return floats.Sum(sums)/float64(n) + lambda/2*floats.Dot(theta, theta)
}

// augmentedDot is θ·x, or θ·(x, 1) when θ is one longer.
func augmentedDot(theta, x []float64) float64 {
	s := floats.Dot(theta[:len(x)], x)
	if len(theta) > len(x) {
		s += theta[len(x)]
	}
	return s
}

func addAugmented(theta []float64, a float64, x []float64) {
	floats.AddScaled(theta[:len(x)], a, x)
	if len(theta) > len(x) {
		theta[len(x)] += a
	}
}

// LambdaOfC returns Lambda = 1/(n·C). With this Lambda, the hinge form has the same solution as the
// soft-margin form with C.
//
// Course: SVM-05.
func LambdaOfC(c float64, n int) float64 { return 1 / (float64(n) * c) }

// SubgradientSVM trains the linear machine by batch subgradient descent on
//
//	J(θ) = (1/n) Σᵢ max(0, 1 − yᵢ·θ·(xᵢ, 1)) + (Lambda/2)·‖θ‖²
//
// One step uses all examples:
//
//	θ ← (1 − η·Lambda)·θ + (η/n)·Σ_{i: yᵢθ·xᵢ < 1} yᵢ·(xᵢ, 1)
//
// The sum is over the violations of the margin, not over the mistakes. The step η of iteration t is
// 1/(Lambda·t), or Rate if Rate is set. J is not smooth, so a constant step does not converge, and
// Fit keeps the θ with the smallest J. The bias is the last coordinate of θ, so it is penalized,
// unlike in [SVC].
//
// Cost: O(n·d) per step.
//
// References: [ShalevShwartz2007]. Course: SVM-05, SVM-15.
type SubgradientSVM struct {
	// Lambda is the strength λ of the penalty; 0 means 0.01. A larger value makes
	// the margin wider and regularizes more.
	Lambda      float64
	Rate        float64 // a constant η; 0 means 1/(Lambda·t)
	NoIntercept bool
	// MaxIter is the maximum number of iterations; 0 means 1000.
	MaxIter int
	// Tol stops the fit when the length of the subgradient is at most Tol; 0 means 1e-4. With a
	// larger value, fitting stops earlier.
	Tol float64
	model.Control

	Coef      []float64 // set by Fit
	Intercept float64   // set by Fit
	Trace     model.Trace

	classes []int

	model.Fitted // set by Fit: the columns that it was given
}

// Fit runs the descent. The greater class label counts as y = +1.
func (s *SubgradientSVM) Fit(x mat.Matrix, y []int) error {
	const op = "SubgradientSVM.Fit"
	model.NoteXY(&s.Fitted, x, y)
	s.Coef, s.Intercept, s.Trace, s.classes = nil, 0, model.Trace{}, nil
	d, signs, classes, err := twoClasses(op, x, y)
	if err != nil {
		return err
	}
	lambda, maxIter, tol := model.Or(s.Lambda, 0.01), s.MaxIter, s.Tol
	if maxIter == 0 {
		maxIter = 1000
	}
	if tol == 0 {
		tol = 1e-4
	}
	if err := limits.Check(op,
		limits.Rate("Lambda", lambda),
		limits.Must("Rate", model.Or(s.Rate, 0), s.Rate >= 0 && s.Rate != model.Zero && !math.IsInf(s.Rate, 0), "be positive and finite"),
		limits.NotNegative("MaxIter", maxIter),
		limits.NotNegative("Tol", tol)); err != nil {
		return err
	}
	n, c := d.Dims()
	size := c + 1
	if s.NoIntercept {
		size = c
	}
	run := s.Begin("SubgradientSVM", maxIter)
	defer run.End()
	theta, best, violators := make([]float64, size), make([]float64, size), make([]float64, size)
	least := math.Inf(1)
	var trace model.Trace
	for t := 1; t <= maxIter; t++ {
		clear(violators)
		hinge := 0.0
		for i, sign := range signs {
			row := d.RawRowView(i)
			if short := 1 - sign*augmentedDot(theta, row); short > 0 {
				hinge += short
				addAugmented(violators, sign/float64(n), row)
			}
		}
		loss := hinge/float64(n) + lambda/2*floats.Dot(theta, theta)
		if math.IsNaN(loss) || math.IsInf(loss, 0) {
			return model.Errorf(op, "the descent diverged after %d steps", t).WithHint("set a smaller Rate, or scale the columns")
		}
		if loss < least {
			least = loss
			copy(best, theta)
		}
		length := 0.0
		for j, v := range violators {
			length += (lambda*theta[j] - v) * (lambda*theta[j] - v)
		}
		length = math.Sqrt(length)
		trace.Loss, trace.Step = append(trace.Loss, loss), append(trace.Step, length)
		if err := run.Step(t, loss); err != nil {
			return err
		}
		if length <= tol {
			trace.Converged = true
			break
		}
		eta := s.Rate
		if eta == 0 {
			eta = 1 / (lambda * float64(t))
		}
		floats.Scale(1-eta*lambda, theta)
		floats.AddScaled(theta, eta, violators)
	}
	s.Coef, s.Trace, s.classes = best[:c:c], trace, classes
	if !s.NoIntercept {
		s.Intercept = best[c]
	}
	return nil
}

// Classes returns the two classes in ascending order.
func (s *SubgradientSVM) Classes() []int { return slices.Clone(s.classes) }

// Decision returns w·x + b for each row, in one column.
func (s *SubgradientSVM) Decision(x mat.Matrix) *mat.Dense {
	x = model.MustRead("SubgradientSVM.Decision", &s.Fitted, x)
	return linearScores("SubgradientSVM.Decision", x, s.Coef, s.Intercept)
}

// Predict returns the greater class label for rows with w·x + b > 0, and the smaller class label
// for all other rows.
func (s *SubgradientSVM) Predict(x mat.Matrix) []int {
	x = model.MustRead("SubgradientSVM.Predict", &s.Fitted, x)
	return bySign(s.Decision(x), s.classes)
}

// Pegasos trains the linear machine on a stream, one example per step.
//
//	J(θ) = (1/n) Σᵢ max(0, 1 − yᵢ·θ·(xᵢ, 1)) + (Lambda/2)·‖θ‖²
//
// At step t, with ηₜ = 1/(Lambda·t) (and not 1/t):
//
//	θ ← (1 − ηₜ·Lambda)·θ + ηₜ·y·(x, 1)  if y·θ·(x, 1) < 1
//	θ ← (1 − ηₜ·Lambda)·θ               otherwise
//
// With Project, θ is then projected onto the ball of radius 1/√Lambda, which contains the minimum.
// For instance, if Lambda is 0.1, the first training example sets θ to 10·y·x. The bias is the last
// coordinate of θ, so it is penalized.
//
// Fit draws examples at random; call Learn to learn from one example at a time.
//
// Cost: O(d) per step; the number of steps for a given accuracy does not depend on
// the number of examples.
//
// References: [ShalevShwartz2007]. Course: SVM-05, SVM-16.
type Pegasos struct {
	// Lambda is the strength λ of the penalty; 0 means 0.01. A larger value makes
	// the margin wider and regularizes more.
	Lambda      float64
	Project     bool
	NoIntercept bool
	// Epochs is the number of passes over the training examples; 0 means 20.
	Epochs int
	Seed   uint64 // of the draws
	model.Control

	Coef      []float64   // moved by Learn, set by Fit: w
	Intercept float64     // moved by Learn, set by Fit: b
	Count     int         // examples seen, t
	Trace     model.Trace // of J after each epoch of Fit

	classes []int

	model.Fitted // set by Fit: the columns that it was given
}

// Learn learns from one example with the label −1 or +1 and reports whether the example violated
// the margin. The first example determines the number of columns.
func (p *Pegasos) Learn(x []float64, label int) bool {
	const op = "Pegasos.Learn"
	if label != 1 && label != -1 {
		panic(model.Errorf(op, "label must be -1 or +1, got %d", label))
	}
	if p.Coef == nil {
		p.Coef = make([]float64, len(x))
	}
	if len(p.Coef) != len(x) {
		panic(model.Errorf(op, "the example must have %d values, as the earlier ones, got %d", len(p.Coef), len(x)))
	}
	lambda := p.lambda()
	if !(lambda > 0) {
		panic(model.Errorf(op, "Lambda must be positive, got %v", p.Lambda))
	}
	p.Count++
	eta := 1 / (lambda * float64(p.Count))
	violated := float64(label)*(floats.Dot(p.Coef, x)+p.Intercept) < 1
	p.scale(1 - 1/float64(p.Count))
	if violated {
		floats.AddScaled(p.Coef, eta*float64(label), x)
		if !p.NoIntercept {
			p.Intercept += eta * float64(label)
		}
	}
	if p.Project {
		norm, radius := math.Hypot(floats.Norm(p.Coef, 2), p.Intercept), 1/math.Sqrt(lambda)
		if norm > radius {
			p.scale(radius / norm)
		}
	}
	return violated
}

func (p *Pegasos) scale(by float64) {
	floats.Scale(by, p.Coef)
	p.Intercept *= by
}

func (p *Pegasos) forget() {
	p.Coef, p.Intercept, p.Count, p.Trace, p.classes = nil, 0, 0, model.Trace{}, nil
}

// theta returns w and, unless NoIntercept is set, b in one slice.
func (p *Pegasos) theta() []float64 {
	if p.NoIntercept {
		return p.Coef
	}
	return append(slices.Clone(p.Coef), p.Intercept)
}

func (p *Pegasos) lambda() float64 { return model.Or(p.Lambda, 0.01) }

// Fit starts from zero weights and takes Epochs·n steps. For each step, it draws one of the n
// examples at random. The greater class label counts as y = +1.
func (p *Pegasos) Fit(x mat.Matrix, y []int) error {
	const op = "Pegasos.Fit"
	model.NoteXY(&p.Fitted, x, y)
	p.forget()
	d, signs, classes, err := twoClasses(op, x, y)
	if err != nil {
		return err
	}
	if err := magnitude.Check(op, d); err != nil {
		return err
	}
	epochs := p.Epochs
	if epochs == 0 {
		epochs = 20
	}
	if err := limits.Check(op, limits.Rate("Lambda", p.lambda()), limits.NotNegative("Epochs", epochs)); err != nil {
		return err
	}
	labels := make([]int, len(y))
	for i, s := range signs {
		labels[i] = int(s)
	}
	run := p.Begin("Pegasos", epochs)
	defer run.End()
	const ahead = 8 // examples for which the memory is asked early
	rng, order := model.Rand(p.Seed, 0), make([]int, len(labels))
	for epoch := 1; epoch <= epochs; epoch++ {
		for t := range order {
			order[t] = rng.IntN(len(labels))
		}
		for t, i := range order {
			if t+ahead < len(order) {
				linalg.Prefetch(d.RawRowView(order[t+ahead]))
			}
			p.Learn(d.RawRowView(i), labels[i])
		}
		loss := HingeObjective(p.theta(), d, labels, p.lambda(), p.NoIntercept)
		p.Trace.Loss = append(p.Trace.Loss, loss)
		if err := run.Step(epoch, loss); err != nil {
			p.forget()
			return err
		}
	}
	p.classes = classes
	return nil
}

// Classes returns the two classes in ascending order; if only Learn was called, they are −1 and +1.
func (p *Pegasos) Classes() []int {
	if p.classes == nil && p.Coef != nil {
		return []int{-1, 1}
	}
	return slices.Clone(p.classes)
}

// Decision returns w·x + b for each row, in one column.
func (p *Pegasos) Decision(x mat.Matrix) *mat.Dense {
	const op = "Pegasos.Decision"
	x = model.MustRead(op, &p.Fitted, x)
	if p.Coef == nil {
		panic(model.NotFitted(op))
	}
	return linearScores(op, x, p.Coef, p.Intercept)
}

// Predict returns the greater class label for rows with w·x + b > 0, and the smaller class label
// for all other rows.
func (p *Pegasos) Predict(x mat.Matrix) []int {
	x = model.MustRead("Pegasos.Predict", &p.Fitted, x)
	return bySign(p.Decision(x), p.Classes())
}
