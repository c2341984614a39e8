package online

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// Perceptron learns a linear classifier from its mistakes.
//
//	on y·(w·x + b) ≤ γ:  w ← w + r·y·x,  b ← b + r·y
//
// With γ = 0, the perceptron updates only on mistakes; a score of 0 is a mistake. With γ > 0 (a
// thick separator), it requires a functional margin γ for every example; as w grows, the geometric
// margin γ/‖w‖ shrinks. The updates are gradient descent on max{0, −y·s}, not on the 0-1 loss that
// counts mistakes. (In the lecture notes, one line updates when the sign is right, and another
// demotes above +γ; both lines are wrong.)
//
// If a unit vector separates the classes with margin γ*, the perceptron makes at most (R/γ*)²
// mistakes ([NovikoffBound]), and Trace.Converged is set; otherwise the weights eventually repeat
// ([PerceptronCycle]). If the weights start at zero, the rate r changes only the length of w.
// Otherwise, the rate also changes the direction of w. The result depends on the order of the
// examples. Updates turn w less and less only while w grows ([UpdateAngles]).
//
// With Average, the weights are the mean of the weights after each example; this predicts better on
// noisy data. With Aggressive, the step r = (γ − y·s)/‖x‖² moves the example exactly to margin γ.
//
// Cost: O(active features) per example.
//
// References: [Rosenblatt1958], [Novikoff1962], [FreundSchapire1999]. Course:
// ONL-12, ONL-15, ONL-25, ONL-26, ONL-27, ONL-35, ONL-36.
type Perceptron struct {
	// Rate is the learning rate, by which each update is multiplied; 0 means 1.
	Rate float64
	// Margin is the margin γ below which an example counts as a mistake. A larger
	// value updates more often.
	Margin      float64
	Average     bool
	Aggressive  bool
	NoIntercept bool
	// Epochs is the maximum number of passes over the training examples; 0 means
	// 100.
	Epochs  int
	Shuffle bool
	Seed    uint64
	Start   []float64 // initial w, then b; nil means zero
	Known   []int     `snapshot:"added"` // the two classes, for PartialFit; nil means those of the first batch
	model.Control

	Coef      []float64 // set by Fit
	Intercept float64   // set by Fit
	Trace     MistakeTrace

	classes []int
	learned *learned `snapshot:"added"`

	model.Fitted // set by Fit: the columns that it was given
}

// Fit makes passes over the examples until a pass changes nothing.
func (p *Perceptron) Fit(x mat.Matrix, y []int) error {
	const op = "Perceptron.Fit"
	model.NoteXY(&p.Fitted, x, y)
	p.reset()
	e, classes, sign, err := binaryExamples(op, x, y)
	if err != nil {
		return err
	}
	a, err := p.rule(op)
	if err != nil {
		return err
	}
	l, trace, err := a.fit(op, &p.Control, e, sign)
	if err != nil {
		return err
	}
	p.learned, p.Trace, p.classes = l, trace, classes
	p.Coef, p.Intercept = l.weights()
	return nil
}

func (p *Perceptron) reset() {
	p.Coef, p.Intercept, p.Trace, p.classes, p.learned = nil, 0, MistakeTrace{}, nil, nil
}

// PartialFit makes one pass over a batch of examples, in their order, and continues from what was
// learned before. After the first batch, it returns an error for a new class, unless Known lists
// the class. After an error, the model is unchanged.
func (p *Perceptron) PartialFit(x mat.Matrix, y []int) (err error) {
	const op = "Perceptron.PartialFit"
	defer model.Unread(&p.Fitted, p.Fitted, &err)
	x, err = model.ReadBatch(op, &p.Fitted, x, y)
	if err != nil {
		return err
	}
	b, err := checkedBatch(op, x, y, p.classes, p.Known)
	if err != nil {
		return err
	}
	a, err := p.rule(op)
	if err != nil {
		return err
	}
	l, err := a.partial(op, &b, p.learned, p.Coef, p.Intercept, &p.Trace)
	if err != nil {
		return err
	}
	p.learned, p.classes = l, b.classes
	p.Coef, p.Intercept = l.weights()
	return nil
}

// rule checks the parameters and returns the learner that they describe.
func (p *Perceptron) rule(op string) (*additive, error) {
	rate, err := positiveOr1(op, "Rate", p.Rate)
	if err != nil {
		return nil, err
	}
	if !(p.Margin >= 0) {
		return nil, model.Errorf(op, "Margin must not be negative, got %v", p.Margin)
	}
	epochs, err := model.Iterations(op, "Epochs", p.Epochs, 100)
	if err != nil {
		return nil, err
	}
	a := &additive{
		name: "Perceptron", epochs: epochs, average: p.Average, intercept: !p.NoIntercept,
		shuffle: p.Shuffle, seed: p.Seed, start: p.Start, mistake: wrongSide,
		quiet: func(y, s float64) bool { return y*s > p.Margin },
		step: func(y, s, q float64) float64 {
			switch {
			case q == 0:
				return 0
			case p.Aggressive:
				return (p.Margin - y*s) / q
			}
			return rate
		},
	}
	if p.Aggressive && p.Margin == 0 {
		// An example on the threshold is still a mistake, but its aggressive step would be 0.
		a.step = func(y, s, q float64) float64 {
			if q == 0 {
				return 0
			}
			if s == 0 {
				return rate
			}
			return -y * s / q
		}
	}
	return a, nil
}

// Classes lists the two classes in ascending order.
func (p *Perceptron) Classes() []int { return slices.Clone(p.classes) }

// Decision returns w·x + b as one column.
func (p *Perceptron) Decision(x mat.Matrix) *mat.Dense {
	x = model.MustRead("Perceptron.Decision", &p.Fitted, x)
	return column(scores("Perceptron.Decision", x, p.Coef, p.Intercept, p.Coef != nil))
}

// Predict returns the greater class for rows with w·x + b > 0, and the smaller class for all
// others.
func (p *Perceptron) Predict(x mat.Matrix) []int {
	x = model.MustRead("Perceptron.Predict", &p.Fitted, x)
	return labels(scores("Perceptron.Predict", x, p.Coef, p.Intercept, p.Coef != nil), p.classes)
}

// ThresholdPerceptron learns weights and an explicit threshold with outputs 0
// and 1.
//
//	o = 1 if w·x − θ > 0, else 0
//	w ← w + η(y − o)·x,  θ ← θ − η(y − o)
//
// θ moves opposite to w, because θ is the weight of a constant input of −1. (With θ + ηy, as on one
// page of the lecture notes, the perceptron never learns the examples 1 ↦ 0, 3 ↦ 1. This rule
// learns them in 4 epochs.) The output for a score of 0 is 0.
//
// Cost: O(active features) per example.
//
// References: [Mitchell1997] §4.4. Course: ONL-13, ONL-14.
type ThresholdPerceptron struct {
	// Rate is the learning rate, by which each update is multiplied; 0 means 1.
	Rate float64
	// Epochs is the maximum number of passes over the training examples; 0 means
	// 100.
	Epochs      int
	RandomStart bool // weights and threshold drawn from [−0.05, 0.05] instead of zero
	Seed        uint64
	model.Control

	Coef      []float64 // set by Fit
	Intercept float64   // set by Fit: −θ
	Trace     MistakeTrace

	classes []int

	model.Fitted // set by Fit: the columns that it was given
}

// Fit makes passes over the examples until a pass has no mistakes.
func (p *ThresholdPerceptron) Fit(x mat.Matrix, y []int) error {
	const op = "ThresholdPerceptron.Fit"
	model.NoteXY(&p.Fitted, x, y)
	p.reset()
	e, classes, sign, err := binaryExamples(op, x, y)
	if err != nil {
		return err
	}
	a, err := p.rule(op, e.width)
	if err != nil {
		return err
	}
	l, trace, err := a.fit(op, &p.Control, e, sign)
	if err != nil {
		return err
	}
	p.Trace, p.classes = trace, classes
	p.Coef, p.Intercept = l.weights()
	return nil
}

func (p *ThresholdPerceptron) reset() {
	p.Coef, p.Intercept, p.Trace, p.classes = nil, 0, MistakeTrace{}, nil
}

// rule checks the parameters and returns the learner of width columns that they describe.
func (p *ThresholdPerceptron) rule(op string, width int) (*additive, error) {
	rate, err := positiveOr1(op, "Rate", p.Rate)
	if err != nil {
		return nil, err
	}
	epochs, err := model.Iterations(op, "Epochs", p.Epochs, 100)
	if err != nil {
		return nil, err
	}
	a := &additive{
		name: "ThresholdPerceptron", epochs: epochs, intercept: true,
		mistake: func(y, s float64) bool { return (s > 0) != (y > 0) },
	}
	a.step = func(y, s, _ float64) float64 {
		if a.mistake(y, s) {
			return rate
		}
		return 0
	}
	if p.RandomStart {
		rng := model.Rand(p.Seed, 0)
		for range width + 1 {
			a.start = append(a.start, 0.1*rng.Float64()-0.05)
		}
	}
	return a, nil
}

// Classes lists the two classes in ascending order.
func (p *ThresholdPerceptron) Classes() []int { return slices.Clone(p.classes) }

// Decision returns w·x − θ as one column.
func (p *ThresholdPerceptron) Decision(x mat.Matrix) *mat.Dense {
	x = model.MustRead("ThresholdPerceptron.Decision", &p.Fitted, x)
	return column(scores("ThresholdPerceptron.Decision", x, p.Coef, p.Intercept, p.Coef != nil))
}

// Predict returns the greater class for rows with w·x − θ > 0, and the smaller class for all
// others.
func (p *ThresholdPerceptron) Predict(x mat.Matrix) []int {
	x = model.MustRead("ThresholdPerceptron.Predict", &p.Fitted, x)
	return labels(scores("ThresholdPerceptron.Predict", x, p.Coef, p.Intercept, p.Coef != nil), p.classes)
}
