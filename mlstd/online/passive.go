package online

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// PassiveAggressive changes the weights as little as possible while it reduces the hinge loss of
// the current example (PA-I).
//
//	θ ← argmin_θ' (λ/2)‖θ' − θ‖² + max{0, 1 − y·θ'·x}
//	θ ← θ + η·y·x,  η = min(loss/‖x‖², 1/λ)
//
// It updates whenever the hinge loss is positive, even if the sign is right; otherwise no margin
// would be enforced. C = 1/λ bounds the step. On data that cannot be separated, the algorithm never
// stops updating: only the cumulative loss is bounded. Average the weights in that case. The bias
// is the weight of a constant feature, so ‖x‖² includes that feature.
//
// Cost: O(active features) per example.
//
// References: [Crammer2006]. Course: ONL-28.
type PassiveAggressive struct {
	// C is the limit on the step size. 0 means 1; +Inf never limits a step (PA). A
	// larger value follows each example more closely.
	C           float64
	Squared     bool // PA-II: squared hinge, η = loss/(‖x‖² + 1/2C)
	Average     bool
	NoIntercept bool
	// Epochs is the number of passes over the training examples; 0 means 20.
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

// Fit makes Epochs passes over the examples, or fewer if no example has a loss.
func (p *PassiveAggressive) Fit(x mat.Matrix, y []int) error {
	const op = "PassiveAggressive.Fit"
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

func (p *PassiveAggressive) reset() {
	p.Coef, p.Intercept, p.Trace, p.classes, p.learned = nil, 0, MistakeTrace{}, nil, nil
}

// PartialFit makes one pass over a batch of examples, in their order, and continues from what was
// learned before. After the first batch, it returns an error for a new class, unless Known lists
// the class. After an error, the model is unchanged.
func (p *PassiveAggressive) PartialFit(x mat.Matrix, y []int) (err error) {
	const op = "PassiveAggressive.PartialFit"
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
func (p *PassiveAggressive) rule(op string) (*additive, error) {
	c, err := positiveOr1(op, "C", p.C)
	if err != nil {
		return nil, err
	}
	epochs, err := model.Iterations(op, "Epochs", p.Epochs, 20)
	if err != nil {
		return nil, err
	}
	a := &additive{
		name: "PassiveAggressive", epochs: epochs, average: p.Average, intercept: !p.NoIntercept,
		shuffle: p.Shuffle, seed: p.Seed, start: p.Start, mistake: wrongSide,
		quiet: func(y, s float64) bool { return 1-y*s <= 1e-12 }, // up to rounding
		step: func(y, s, q float64) float64 {
			loss := 1 - y*s
			switch {
			case q == 0:
				return 0
			case p.Squared:
				return loss / (q + 1/(2*c))
			}
			return math.Min(loss/q, c)
		},
	}
	return a, nil
}

// Classes lists the two classes in ascending order.
func (p *PassiveAggressive) Classes() []int { return slices.Clone(p.classes) }

// Decision returns w·x + b as one column.
func (p *PassiveAggressive) Decision(x mat.Matrix) *mat.Dense {
	x = model.MustRead("PassiveAggressive.Decision", &p.Fitted, x)
	return column(scores("PassiveAggressive.Decision", x, p.Coef, p.Intercept, p.Coef != nil))
}

// Predict returns the greater class for rows with w·x + b > 0, and the smaller class for all
// others.
func (p *PassiveAggressive) Predict(x mat.Matrix) []int {
	x = model.MustRead("PassiveAggressive.Predict", &p.Fitted, x)
	return labels(scores("PassiveAggressive.Predict", x, p.Coef, p.Intercept, p.Coef != nil), p.classes)
}
