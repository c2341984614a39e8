package svm

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/kernel"
	"github.com/gokernel/gokernel/mlstd/model"
)

// SMOStep is one successful step of [PlattSMO].
type SMOStep struct {
	First, Second          int     // the examples, 1 and 2 below
	Old1, Old2, New1, New2 float64 // their multipliers before and after
	E1, E2                 float64 // their errors u − y before
	Eta                    float64 // η = K₁₁ + K₂₂ − 2K₁₂
	Low, High              float64 // the ends of the line inside the box, for α₂
	Free2                  float64 // α₂ before clipping
	B1, B2, B              float64 // the thresholds, and the one that was taken
	Choice                 string  // how the other example was chosen
	Objective              float64 // the dual Σα − ½Σααyy'K after the step
}

// PlattSMO trains a support vector machine by sequential minimal optimization exactly as Platt
// published it, and records every step. [SVC] fits the same machine with a later and faster rule
// for choosing pairs.
//
// The outer loop visits examples that violate the conditions
//
//	α = 0 ⇒ y·u ≥ 1,  α = C ⇒ y·u ≤ 1,  0 < α < C ⇒ y·u = 1
//
// where u = Σᵢ yᵢαᵢK(xᵢ, x) − b (only PlattSMO subtracts b). The loop alternates between one pass
// over all examples and passes over the examples with 0 < α < C, which are repeated until these
// examples meet the conditions. An example that violates the conditions becomes example 2 of a
// step. As example 1, PlattSMO first tries the example with the largest |E₁ − E₂|, then the
// examples with 0 < α < C, and then all examples; each of the last two searches starts at a random
// example. If no step is possible, PlattSMO continues with another example 2. With E = u − y, a
// step is:
//
//  1. η = K₁₁ + K₂₂ − 2K₁₂
//  2. α₂' = α₂ + y₂(E₁ − E₂)/η
//  3. α₂” = α₂' clipped to [L, H], where L = max(0, α₂ − α₁), H = min(C, C + α₂ −
//     α₁) if y₁ ≠ y₂; otherwise L = max(0, α₁ + α₂ − C), H = min(C, α₁ + α₂)
//  4. α₁' = α₁ + y₁y₂(α₂ − α₂”), so that Σ αᵢyᵢ stays 0
//  5. b₁ = E₁ + y₁(α₁'−α₁)K₁₁ + y₂(α₂”−α₂)K₁₂ + b,
//     b₂ = E₂ + y₁(α₁'−α₁)K₁₂ + y₂(α₂”−α₂)K₂₂ + b;
//     b = b₁ if 0 < α₁' < C, b₂ if 0 < α₂” < C, and their mean otherwise
//
// If η is not positive, the step goes to the end point of the line segment at which the objective
// is larger. The perceptron adds to one multiplier at a constant rate. In PlattSMO, two multipliers
// move together to keep Σ αᵢyᵢ = 0, the rate is 1/η, and the result is clipped to the box. The
// objective never decreases.
//
// Cost: O(n²) memory for the Gram matrix, O(n) per step.
//
// References: [Platt1998]. Course: SVM-09, SVM-10, SVM-11, SVM-12, SVM-13.
type PlattSMO struct {
	// C is the penalty on margin violations; 0 means 1. A larger value fits the
	// training data more closely and may overfit.
	C float64
	// Kernel is the kernel function; nil means an RBF with γ = 1/(columns·variance
	// of x).
	Kernel kernel.Kernel
	// Tol is the tolerance within which the conditions must hold; 0 means 1e-3. With a larger
	// value, fitting stops earlier.
	Tol float64
	// MaxIter is the maximum number of passes over the examples; 0 means 10000.
	MaxIter int
	Seed    uint64 // of the random places
	model.Control

	Alpha     []float64  // set by Fit: one for each example
	Threshold float64    // set by Fit: b of u = Σ yαK − b
	Support   []int      // set by Fit: the rows with α > 0
	Vectors   *mat.Dense // set by Fit: the examples
	Signs     []float64  // set by Fit: y as −1 and +1
	Steps     []SMOStep  // set by Fit
	Converged bool       // set by Fit

	classes []int
	kernel  kernel.Kernel

	model.Fitted // set by Fit: the columns that it was given
}

// platt is the state of one fit.
type platt struct {
	*PlattSMO
	k      *mat.SymDense
	y      []float64
	c, tol float64
	alpha  []float64
	err    []float64 // E = u − y of all examples
	b      float64
	w      float64 // the objective
	steps  []SMOStep
	rng    *rand.Rand
}

// smoEps is the relative change of a multiplier that counts as none.
const smoEps = 1e-9

// Fit runs the algorithm on examples of two classes; the greater class label counts as y = +1.
func (s *PlattSMO) Fit(x mat.Matrix, y []int) error {
	const op = "PlattSMO.Fit"
	model.NoteXY(&s.Fitted, x, y)
	s.Alpha, s.Threshold, s.Support, s.Vectors, s.Signs, s.Steps, s.Converged = nil, 0, nil, nil, nil, nil, false
	s.classes, s.kernel = nil, nil
	d, signs, classes, err := twoClasses(op, x, y)
	if err != nil {
		return err
	}
	set, err := checkSettings(op, s.C, s.Tol, s.MaxIter, 0, len(y))
	if err != nil {
		return err
	}
	k := kernel.OrDefault(s.Kernel, d)
	if err := kernel.CheckKernel(op, k); err != nil {
		return err
	}
	maxIter := s.MaxIter
	if maxIter == 0 {
		maxIter = 10000
	}
	if err := checkGram(op, kernel.NewGramRows(k, d)); err != nil {
		return err
	}
	n := len(y)
	p := &platt{PlattSMO: s, k: kernel.Gram(k, d), y: signs, c: set.c, tol: set.tol,
		alpha: make([]float64, n), err: make([]float64, n), rng: model.Rand(s.Seed, 0)}
	for i, v := range signs {
		p.err[i] = -v
	}
	run := s.Begin("PlattSMO", maxIter)
	defer run.End()
	everyone, converged := true, false
	for pass := 1; pass <= maxIter; pass++ {
		changed := 0
		for i := range n {
			if everyone || p.inside(i) {
				changed += p.examine(i)
			}
		}
		if err := run.Step(pass, -p.w); err != nil {
			return err
		}
		if everyone && changed == 0 {
			converged = true
			break
		}
		if everyone {
			everyone = false
		} else if changed == 0 {
			everyone = true
		}
	}
	s.Alpha, s.Threshold, s.Vectors, s.Signs, s.Steps, s.Converged = p.alpha, p.b, mat.DenseCopyOf(d), signs, p.steps, converged
	s.classes, s.kernel = classes, k
	for i, a := range p.alpha {
		if a > 0 {
			s.Support = append(s.Support, i)
		}
	}
	return nil
}

func (p *platt) inside(i int) bool { return p.alpha[i] > 0 && p.alpha[i] < p.c }

// examine tries to make a step with example i2 and returns 1 if it succeeds.
func (p *platt) examine(i2 int) int {
	r := p.err[i2] * p.y[i2] // y·u − 1
	if !((r < -p.tol && p.alpha[i2] < p.c) || (r > p.tol && p.alpha[i2] > 0)) {
		return 0
	}
	best, gap := -1, 0.0
	for i := range p.alpha {
		if d := math.Abs(p.err[i] - p.err[i2]); p.inside(i) && d > gap {
			best, gap = i, d
		}
	}
	if best >= 0 && p.step(best, i2, "largest |E1 - E2|") {
		return 1
	}
	n := len(p.alpha)
	start := p.rng.IntN(n)
	for t := range n {
		if i := (start + t) % n; p.inside(i) && p.step(i, i2, "inside the box") {
			return 1
		}
	}
	start = p.rng.IntN(n)
	for t := range n {
		if i := (start + t) % n; !p.inside(i) && p.step(i, i2, "any") {
			return 1
		}
	}
	return 0
}

// step moves the multipliers of i1 and i2 and reports whether they changed.
func (p *platt) step(i1, i2 int, choice string) bool {
	if i1 == i2 {
		return false
	}
	a1, a2, y1, y2, e1, e2 := p.alpha[i1], p.alpha[i2], p.y[i1], p.y[i2], p.err[i1], p.err[i2]
	k11, k12, k22 := p.k.At(i1, i1), p.k.At(i1, i2), p.k.At(i2, i2)
	low, high := max(0, a2-a1), min(p.c, p.c+a2-a1)
	if y1 == y2 {
		low, high = max(0, a1+a2-p.c), min(p.c, a1+a2)
	}
	if low >= high {
		return false
	}
	eta := k11 + k22 - 2*k12
	slope := y2 * (e1 - e2) // of the objective along α₂
	var free, new2 float64
	switch {
	case eta > 0:
		free = a2 + slope/eta
		new2 = min(max(free, low), high)
	case slope*(high-a2)-eta*(high-a2)*(high-a2)/2 > slope*(low-a2)-eta*(low-a2)*(low-a2)/2:
		free, new2 = high, high
	default:
		free, new2 = low, low
	}
	if math.Abs(new2-a2) < smoEps*(new2+a2+smoEps*p.c) {
		return false
	}
	new1 := a1 + y1*y2*(a2-new2)
	// A multiplier within rounding of a bound is at it.
	if new1 < 1e-14*p.c {
		new1 = 0
	} else if new1 > p.c*(1-1e-14) {
		new1 = p.c
	}
	d1, d2 := y1*(new1-a1), y2*(new2-a2)
	b1 := e1 + d1*k11 + d2*k12 + p.b
	b2 := e2 + d1*k12 + d2*k22 + p.b
	b := (b1 + b2) / 2
	if new1 > 0 && new1 < p.c {
		b = b1
	} else if new2 > 0 && new2 < p.c {
		b = b2
	}
	move := new2 - a2
	p.w += slope*move - eta*move*move/2
	for i := range p.err {
		p.err[i] += d1*p.k.At(i1, i) + d2*p.k.At(i2, i) + p.b - b
	}
	p.alpha[i1], p.alpha[i2], p.b = new1, new2, b
	p.steps = append(p.steps, SMOStep{First: i1, Second: i2, Old1: a1, Old2: a2, New1: new1, New2: new2, E1: e1, E2: e2,
		Eta: eta, Low: low, High: high, Free2: free, B1: b1, B2: b2, B: b, Choice: choice, Objective: p.w})
	return true
}

// twoClasses checks the examples and returns the classes as −1 and +1.
func twoClasses(op string, x mat.Matrix, y []int) (d *mat.Dense, signs []float64, classes []int, err error) {
	if d, err = model.CheckXY(op, x, y); err != nil {
		return nil, nil, nil, err
	}
	classes, class := model.Classes(y)
	if len(classes) != 2 {
		return nil, nil, nil, model.Errorf(op, "y must have exactly two classes, got %d", len(classes)).WithHint("use SVC for more")
	}
	signs = make([]float64, len(y))
	for i, c := range class {
		signs[i] = float64(2*c - 1)
	}
	return d, signs, classes, nil
}

// Classes returns the two classes in ascending order.
func (s *PlattSMO) Classes() []int { return slices.Clone(s.classes) }

// Decision returns u for each row, in one column.
func (s *PlattSMO) Decision(x mat.Matrix) *mat.Dense {
	const op = "PlattSMO.Decision"
	x = model.MustRead(op, &s.Fitted, x)
	if s.kernel == nil {
		panic(model.NotFitted(op))
	}
	_, c := s.Vectors.Dims()
	d := model.MustRows(op, x, c)
	g := kernel.CrossGram(s.kernel, d, s.Vectors)
	n, _ := d.Dims()
	out := mat.NewDense(n, 1, nil)
	for i := range n {
		u := -s.Threshold
		for _, m := range s.Support {
			u += s.Signs[m] * s.Alpha[m] * g.At(i, m)
		}
		out.Set(i, 0, u)
	}
	return out
}

// Predict returns the greater class label for rows with u > 0, and the smaller class label for all
// other rows.
func (s *PlattSMO) Predict(x mat.Matrix) []int {
	x = model.MustRead("PlattSMO.Predict", &s.Fitted, x)
	return bySign(s.Decision(x), s.classes)
}

func bySign(scores *mat.Dense, classes []int) []int {
	out := make([]int, 0, len(scores.RawMatrix().Data))
	for _, u := range scores.RawMatrix().Data {
		c := classes[0]
		if u > 0 {
			c = classes[1]
		}
		out = append(out, c)
	}
	return out
}
