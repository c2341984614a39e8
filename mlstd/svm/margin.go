package svm

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// MarginReport is the result of [MeasureMargin].
type MarginReport struct {
	Functional []float64 // yᵢ(w·xᵢ + b) of each example: negative for mistakes
	Geometric  []float64 // the same over ‖w‖: the signed distance from the plane
	Margin     float64   // the smallest geometric one: the distance to the nearest example
	Nearest    int       // the example that has it
	Mistakes   int       // examples with a functional margin of 0 or less
}

// MeasureMargin measures the margin of a hyperplane on examples labeled −1 and +1.
//
//	functional yᵢ(w·xᵢ + b),  geometric yᵢ(w·xᵢ + b)/‖w‖,  margin = minᵢ geometric
//
// The functional margin grows with the scale of w and b, so its size has no meaning without this
// scale. If w and b are scaled so that the smallest functional margin is 1, the geometric margin is
// 1/‖w‖. The margin is the distance to the nearest example; the other examples do not matter.
//
// Course: SVM-01, SVM-17.
func MeasureMargin(w []float64, b float64, x mat.Matrix, y []int) *MarginReport {
	const op = "MeasureMargin"
	d := model.MustRows(op, x, len(w))
	n, _ := d.Dims()
	norm := floats.Norm(w, 2)
	if n != len(y) || !(norm > 0) {
		panic(model.Errorf(op, "x and y must have the same length and w must not be zero, got %d, %d and ‖w‖ = %v", n, len(y), norm))
	}
	r := &MarginReport{Functional: make([]float64, n), Geometric: make([]float64, n), Margin: math.Inf(1)}
	for i, label := range y {
		if label != 1 && label != -1 {
			panic(model.Errorf(op, "y[%d] must be -1 or +1, got %d", i, label))
		}
		f := float64(label) * (floats.Dot(w, d.RawRowView(i)) + b)
		r.Functional[i], r.Geometric[i] = f, f/norm
		if f <= 0 {
			r.Mistakes++
		}
		if f/norm < r.Margin {
			r.Margin, r.Nearest = f/norm, i
		}
	}
	return r
}

// SeparatorTrial is the result of [CompareSeparators] for one separating line.
type SeparatorTrial struct {
	Coef        []float64
	Intercept   float64
	Margin      float64 // on the training examples
	TrainErrors int
	TestError   float64 // fraction of the test examples
}

// CompareSeparators draws two classes that a line separates. It finds the line of maximum margin
// and other lines without training errors, and measures the error of each line on fresh examples.
// All training errors are 0, but the test errors differ. The first trial is the line of maximum
// margin; the others are the lines that the perceptron finds for different orders of the examples.
//
// Course: SVM-17.
func CompareSeparators(train, test, others int, seed uint64) ([]SeparatorTrial, error) {
	const op = "CompareSeparators"
	if train < 4 || test < 1 || others < 1 {
		return nil, model.Errorf(op, "train must be at least 4, and test and others at least 1, got %d, %d and %d", train, test, others)
	}
	rng := model.Rand(seed, 0)
	draw := func(n int) (*mat.Dense, []int) {
		x, y := mat.NewDense(n, 2, nil), make([]int, n)
		for i := range n {
			y[i] = 2*(i%2) - 1
			for {
				// Two clouds, cut off where they would meet.
				u, v := 0.8*rng.NormFloat64()+1.6*float64(y[i]), 0.8*rng.NormFloat64()
				if u*float64(y[i]) > 0.05 {
					x.SetRow(i, []float64{u, v})
					break
				}
			}
		}
		return x, y
	}
	x, y := draw(train)
	tx, ty := draw(test)
	h := HardMarginSVM{}
	if err := h.Fit(x, y); err != nil {
		return nil, err
	}
	trials := []SeparatorTrial{{Coef: h.Coef, Intercept: h.Intercept}}
	for k := range others {
		w, b := perceptronLine(x, y, model.Rand(seed, uint64(k+1)).Perm(train))
		trials = append(trials, SeparatorTrial{Coef: w, Intercept: b})
	}
	for k := range trials {
		t := &trials[k]
		on, off := MeasureMargin(t.Coef, t.Intercept, x, y), MeasureMargin(t.Coef, t.Intercept, tx, ty)
		t.Margin, t.TrainErrors, t.TestError = on.Margin, on.Mistakes, float64(off.Mistakes)/float64(test)
	}
	return trials, nil
}

// perceptronLine visits separable examples in the given order until it makes no
// mistake.
func perceptronLine(x *mat.Dense, y, order []int) (w []float64, b float64) {
	_, c := x.Dims()
	w = make([]float64, c)
	for wrong := true; wrong; {
		wrong = false
		for _, i := range order {
			row, label := x.RawRowView(i), float64(y[i])
			if label*(floats.Dot(w, row)+b) <= 0 {
				floats.AddScaled(w, label, row)
				b += label
				wrong = true
			}
		}
	}
	return w, b
}
