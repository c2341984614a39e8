package svm

import (
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/finite"
	"github.com/gokernel/gokernel/mlstd/internal/magnitude"
	"github.com/gokernel/gokernel/mlstd/model"
)

// HardMarginSVM is the hyperplane that separates two classes with the largest margin, found by
// quadratic programming.
//
//	max γ/‖w‖ subject to yᵢ(w·xᵢ + b) ≥ γ  ⇒  min ½‖w‖² subject to yᵢ(w·xᵢ + b) ≥ 1
//
// Scaling w and b does not change the hyperplane, so γ can be set to 1. Then the problem is a
// minimization over w and b, and the margin is 1/‖w‖. The dual
//
//	max Σᵢ αᵢ − ½‖Σᵢ αᵢyᵢxᵢ‖²  subject to  αᵢ ≥ 0, Σᵢ αᵢyᵢ = 0
//
// is solved by the active-set method of [QuadraticProgram] from α = 0, and w = Σᵢ αᵢyᵢxᵢ. If no
// hyperplane separates the classes, the dual is unbounded, and Fit returns an error. For more than
// a few hundred examples, use [SVC] with a large C and a linear kernel, which has the same
// solution.
//
// Cost: O(n³) for each example that becomes a support vector.
//
// References: [BoserGuyonVapnik1992], [CortesVapnik1995]. Course: SVM-01, SVM-02,
// SVM-03, SVM-06.
type HardMarginSVM struct {
	model.Control

	Coef      []float64 // set by Fit
	Intercept float64   // set by Fit
	Alpha     []float64 // set by Fit: one for each example
	Support   []int     // set by Fit: the rows with α > 0, all on the margin
	Margin    float64   // set by Fit: 1/‖w‖

	classes []int

	model.Fitted // set by Fit: the columns that it was given
}

// Fit finds the hyperplane. The greater class label counts as y = +1.
func (h *HardMarginSVM) Fit(x mat.Matrix, y []int) error {
	const op = "HardMarginSVM.Fit"
	model.NoteXY(&h.Fitted, x, y)
	h.Coef, h.Intercept, h.Alpha, h.Support, h.Margin, h.classes = nil, 0, nil, nil, 0, nil
	d, signs, classes, err := twoClasses(op, x, y)
	if err != nil {
		return err
	}
	run := h.Begin("HardMarginSVM", 1)
	defer run.End()
	n, c := d.Dims()
	// The middle of the data as origin keeps the dot products small.
	mean := make([]float64, c)
	for i := range n {
		floats.AddScaled(mean, 1/float64(n), d.RawRowView(i))
	}
	signed, size := mat.NewDense(n, c, nil), 0.0
	for i := range n {
		row := signed.RawRowView(i)
		floats.SubTo(row, d.RawRowView(i), mean)
		floats.Scale(signs[i], row)
		size = max(size, floats.Norm(row, 2))
	}
	if size > 0 && !math.IsInf(size, 0) {
		size = math.Exp2(math.Round(math.Log2(size))) // keeps all digits
		signed.Scale(1/size, signed)
	} else {
		size = 1
	}
	p := mat.NewSymDense(n, nil)
	p.SymOuterK(1, signed)
	if finite.First(p.RawSymmetric().Data) >= 0 {
		return model.Errorf(op, "the dot products of the rows overflowed").WithHint("scale the columns first")
	}
	minus, g := make([]float64, n), mat.NewDense(n, n, nil)
	for i := range n {
		minus[i] = -1
		g.Set(i, i, -1)
	}
	sol, err := (&QuadraticProgram{P: p, Q: minus, A: mat.NewDense(1, n, slices.Clone(signs)), B: []float64{0}, G: g, H: make([]float64, n)}).
		Solve(make([]float64, n))
	var e *model.Error
	if errors.As(err, &e) {
		return model.Errorf(op, "the classes must be linearly separable (%s)", e.What).WithHint("use SVC, which allows violations, or a kernel")
	}
	if err != nil {
		return err
	}
	floats.Scale(1/size/size, sol.X)
	sol.Value /= size * size
	signed.Scale(size, signed)
	w := make([]float64, c)
	var rows []int
	largest := floats.Max(sol.X)
	for i, a := range sol.X {
		if a <= 1e-10*largest {
			sol.X[i] = 0
			continue
		}
		rows = append(rows, i)
		floats.AddScaled(w, a, signed.RawRowView(i))
	}
	// Halfway between the nearest of the two classes.
	near := [2]float64{math.Inf(-1), math.Inf(1)}
	for i := range n {
		v := floats.Dot(w, d.RawRowView(i))
		if signs[i] < 0 {
			near[0] = max(near[0], v)
		} else {
			near[1] = min(near[1], v)
		}
	}
	if !(near[1] > near[0]) {
		return model.Errorf(op, "the classes must be linearly separable").WithHint("use SVC, which allows violations, or a kernel")
	}
	if err := run.Step(1, sol.Value); err != nil {
		return err
	}
	h.Coef, h.Intercept, h.Alpha, h.Support, h.Margin, h.classes = w, -(near[0]+near[1])/2, sol.X, rows, 1/floats.Norm(w, 2), classes
	return nil
}

// Classes returns the two classes in ascending order.
func (h *HardMarginSVM) Classes() []int { return slices.Clone(h.classes) }

// Decision returns w·x + b for each row, in one column.
func (h *HardMarginSVM) Decision(x mat.Matrix) *mat.Dense {
	x = model.MustRead("HardMarginSVM.Decision", &h.Fitted, x)
	return linearScores("HardMarginSVM.Decision", x, h.Coef, h.Intercept)
}

func linearScores(op string, x mat.Matrix, w []float64, b float64) *mat.Dense {
	if w == nil {
		panic(model.NotFitted(op))
	}
	d := magnitude.Must(op, model.MustRows(op, x, len(w)))
	n, _ := d.Dims()
	out := mat.NewDense(n, 1, nil)
	for i := range n {
		out.Set(i, 0, floats.Dot(w, d.RawRowView(i))+b)
	}
	return out
}

// Predict returns the greater class label for rows with w·x + b > 0, and the smaller class label
// for all other rows.
func (h *HardMarginSVM) Predict(x mat.Matrix) []int {
	x = model.MustRead("HardMarginSVM.Predict", &h.Fitted, x)
	return bySign(h.Decision(x), h.classes)
}
