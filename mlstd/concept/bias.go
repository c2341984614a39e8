package concept

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/model"
)

// Paradigm is a way of learning, described by the learner's input and goal.
type Paradigm struct {
	Name    string
	Given   string // what there is at training time
	Goal    string
	Example string
}

// Paradigms lists the ways of learning that the course covers.
//
// Course: CORE-04.
func Paradigms() []Paradigm {
	return []Paradigm{
		{"supervised", "labeled examples", "label new examples", "is a message spam?"},
		{"unsupervised", "unlabeled examples", "find structure", "groups of customers"},
		{"semi-supervised", "few labeled, many unlabeled", "label new examples", "web pages, some sorted"},
		{"transductive", "labeled, and those to label", "label those, no others", "the rest of a table"},
		{"reinforcement", "rewards for actions", "earn much in the long run", "learn a game by playing"},
	}
}

// Hypothesis is a classifier that needs no training.
type Hypothesis struct {
	Name string
	F    func(x []float64) int
}

// InductiveBias returns four labeled points of the plane and three hypotheses that all fit the
// points. They decide the class by the first coordinate, by the second coordinate, or by the sum of
// both. Only the bias of a learner decides between the hypotheses; the data do not.
//
// Course: CORE-05.
func InductiveBias() (*data.Dataset, []Hypothesis) {
	side := func(v float64) int {
		if v > 0 {
			return 1
		}
		return 0
	}
	d := &data.Dataset{
		Name: "FourPoints", Description: "Four points that three hypotheses fit", Source: "by construction", License: "free to use",
		X: &model.Table{
			Dense:   mat.NewDense(4, 2, []float64{-2, -1, -1, -2, 1, 2, 2, 1}),
			Columns: []model.Column{{Name: "x1"}, {Name: "x2"}},
			Target:  model.Column{Name: "class", Kind: model.Nominal, Levels: []string{"−", "+"}},
		},
		Y: []int{0, 0, 1, 1},
	}
	return d, []Hypothesis{
		{"x1 > 0", func(x []float64) int { return side(x[0]) }},
		{"x2 > 0", func(x []float64) int { return side(x[1]) }},
		{"x1 + x2 > 0", func(x []float64) int { return side(x[0] + x[1]) }},
	}
}

// Disagreement returns the fraction of the rows of x on which two hypotheses differ.
//
// Course: CORE-05.
func Disagreement(f, g Hypothesis, x mat.Matrix) float64 {
	d := model.Dense(x)
	n, _ := d.Dims()
	differ := 0
	for i := range n {
		if f.F(d.RawRowView(i)) != g.F(d.RawRowView(i)) {
			differ++
		}
	}
	return float64(differ) / float64(n)
}

// FreeLunch holds the errors of a learner on every Boolean target function.
type FreeLunch struct {
	// Errors[t] is the error outside the training set for the target whose values on the inputs 0,
	// 1, 2 ... are the bits of t.
	Errors []float64
	// Mean is the mean error over all targets.
	Mean float64
}

// NoFreeLunch runs a learner on all 2^(2^bits) Boolean functions of inputs with the given number of
// bits. For each function, it trains the learner on the training inputs, labeled by the function,
// and measures the error on all other inputs. An input is numbered by its bits. The mean is exactly
// 1/2 for every learner: a gain on some targets is a loss on their complements. A learner is good
// only on targets that suit its bias.
//
// bits must be at most 4 (65,536 functions). If a target is constant on the training inputs, the
// learner is fitted to examples of a single class.
//
// Cost: 2^(2^bits) fits.
//
// References: [Wolpert1996]. Course: CORE-06.
func NoFreeLunch(fresh func() model.Classifier, bits int, training []int) (*FreeLunch, error) {
	const op = "NoFreeLunch"
	if bits < 1 || bits > 4 {
		return nil, model.Errorf(op, "bits must be between 1 and 4 (there are 2^(2^bits) functions), got %d", bits)
	}
	inputs := 1 << bits
	trained := make([]bool, inputs)
	for _, i := range training {
		if i < 0 || i >= inputs || trained[i] {
			return nil, model.Errorf(op, "training must list distinct inputs below %d, got %d", inputs, i)
		}
		trained[i] = true
	}
	if len(training) == 0 || len(training) == inputs {
		return nil, model.Errorf(op, "training must have at least 1 and fewer than %d inputs (the others are for testing), got %d", inputs, len(training))
	}
	row := func(x *mat.Dense, r, input int) {
		for b := range bits {
			x.Set(r, b, float64(input>>b&1))
		}
	}
	x := mat.NewDense(len(training), bits, nil)
	for r, i := range training {
		row(x, r, i)
	}
	rest := inputs - len(training)
	q, others := mat.NewDense(rest, bits, nil), []int(nil)
	for i := range inputs {
		if !trained[i] {
			row(q, len(others), i)
			others = append(others, i)
		}
	}
	targets := 1 << inputs
	r := &FreeLunch{Errors: make([]float64, targets)}
	y := make([]int, len(training))
	total := 0
	for t := range targets {
		for k, i := range training {
			y[k] = t >> i & 1
		}
		m := fresh()
		if err := m.Fit(x, y); err != nil {
			return nil, err
		}
		wrong := 0
		for k, c := range m.Predict(q) {
			if c != t>>others[k]&1 {
				wrong++
			}
		}
		r.Errors[t] = float64(wrong) / float64(rest)
		total += wrong
	}
	r.Mean = float64(total) / float64(targets*rest)
	return r, nil
}

// Explained compares how well a linear model fits its training data with how well it
// predicts new data.
type Explained struct {
	Features int
	Fit      float64 // R² on the data the model was fitted to
	Predict  float64 // R² on new data
}

// FitVersusPrediction fits linear models with 1, 2 ... features to n examples by least squares, and
// tests each model on n new examples. Only the first feature influences the target. The fit
// improves with every useless feature and is perfect with n − 1 features, but the predictions get
// worse. A model that explains the data at hand need not predict well.
//
// Course: CORE-27.
func FitVersusPrediction(n, features int, noise float64, seed uint64) ([]Explained, error) {
	const op = "FitVersusPrediction"
	if n < 3 || features < 1 || features > n-1 {
		return nil, model.Errorf(op, "the number of features must be at least 1 and below the number of examples, got %d features and %d examples", features, n).
			WithHint("use at least 3 examples and between 1 and n−1 features")
	}
	if !(noise > 0) {
		return nil, model.Errorf(op, "noise must be positive, got %v", noise)
	}
	w := make([]float64, features)
	w[0] = 1
	old := data.NoisyPlane(n, w, 0, noise, seed)
	fresh := data.NoisyPlane(n, w, 0, noise, seed+1)
	design := func(d *data.Dataset, k int) *mat.Dense {
		x := mat.NewDense(n, k+1, nil)
		for i := range n {
			x.Set(i, 0, 1)
			for j := range k {
				x.Set(i, j+1, d.X.At(i, j))
			}
		}
		return x
	}
	var steps []Explained
	for k := 1; k <= features; k++ {
		var qr mat.QR
		x := design(old, k)
		qr.Factorize(x)
		var coef mat.VecDense
		if err := qr.SolveVecTo(&coef, false, mat.NewVecDense(n, old.Target)); err != nil {
			return nil, model.Errorf(op, "the %d features of this sample are linearly dependent", k).WithHint("choose another seed")
		}
		steps = append(steps, Explained{
			Features: k,
			Fit:      rSquared(x, &coef, old.Target),
			Predict:  rSquared(design(fresh, k), &coef, fresh.Target),
		})
	}
	return steps, nil
}

func rSquared(x *mat.Dense, coef *mat.VecDense, y []float64) float64 {
	var p mat.VecDense
	p.MulVec(x, coef)
	mean := 0.0
	for i, v := range y {
		mean += (v - mean) / float64(i+1)
	}
	rest, all := 0.0, 0.0
	for i, v := range y {
		rest += (v - p.AtVec(i)) * (v - p.AtVec(i))
		all += (v - mean) * (v - mean)
	}
	return 1 - rest/math.Max(all, math.SmallestNonzeroFloat64)
}
