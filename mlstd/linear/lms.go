package linear

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/optim"
)

// LMS is the least-mean-squares rule of Widrow and Hoff (Adaline): linear regression that takes one
// example at a time, in the given order.
//
//	θ ← θ + r·(y − θ·x)·x
//
// For example, a step from θ = 0 with x = (1, 2), y = 3 and r = 0.1 leads to θ = (0.3, 0.6). LMS
// approaches the least-squares solution if r decreases over time or is always small.
//
// Cost: O(d) per example. The rule diverges if r is too large (above 2/‖x‖²).
//
// References: [WidrowHoff1960]. Course: LIN-04.
type LMS struct {
	// Rate is the learning rate of the k-th example; nil means ConstantRate(0.01). With a larger
	// rate, fitting is faster, but diverges if the rate is too large.
	Rate optim.Schedule
	// Epochs is the number of passes over the training examples; 0 means 100. After more passes,
	// the result is closer to the least-squares solution.
	Epochs      int
	NoIntercept bool
	model.Control

	Coef      []float64 // set by Fit
	Intercept float64   // set by Fit
	Trace     model.Trace

	model.Fitted // set by Fit: the columns that it was given
}

// Fit makes Epochs passes over the examples.
func (l *LMS) Fit(x mat.Matrix, y []float64) error {
	model.NoteXYReal(&l.Fitted, x, y)
	l.Coef, l.Intercept, l.Trace = nil, 0, model.Trace{}
	d, err := model.CheckXYReal("LMS.Fit", x, y)
	if err != nil {
		return err
	}
	epochs, err := model.Iterations("LMS.Fit", "Epochs", l.Epochs, 100)
	if err != nil {
		return err
	}
	rate := l.Rate
	if rate == nil {
		rate = optim.ConstantRate(0.01)
	}
	run := l.Begin("LMS", epochs)
	defer run.End()
	_, p := d.Dims()
	w, b, k := make([]float64, p), 0.0, 0
	var trace model.Trace
	for epoch := 1; epoch <= epochs; epoch++ {
		sum := 0.0
		for i, t := range y {
			row := d.RawRowView(i)
			e := t - floats.Dot(w, row) - b
			sum += e * e
			k++
			step := rate.Rate(k) * e
			floats.AddScaled(w, step, row)
			if !l.NoIntercept {
				b += step
			}
		}
		loss := sum / float64(len(y))
		if math.IsNaN(loss) || math.IsInf(loss, 0) {
			return model.Errorf("LMS.Fit", "the weights diverged in epoch %d", epoch).
				WithHint("set a smaller Rate, or scale the columns first")
		}
		trace.Loss = append(trace.Loss, loss)
		if err := run.Step(epoch, loss); err != nil {
			return err
		}
	}
	l.Coef, l.Intercept, l.Trace = w, b, trace
	return nil
}

// Predict returns θ·x + b for each row.
func (l *LMS) Predict(x mat.Matrix) []float64 {
	x = model.MustRead("LMS.Predict", &l.Fitted, x)
	return predict("LMS.Predict", x, l.Coef, l.Intercept)
}
