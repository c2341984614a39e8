package semi

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/limits"
	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/latent"
	"github.com/gokernel/gokernel/mlstd/model"
)

// SemiNaiveBayes is naive Bayes on bits or counts that also learns from unlabeled rows, by
// expectation maximization.
//
// With N labeled and M unlabeled rows, the fit maximizes the log-likelihood of all rows,
//
//	Σₙ log ρ_yₙ·p(xₙ|θ_yₙ) + w·Σₘ log Σ_y ρ_y·p(xₘ|θ_y)
//
// by maximizing the lower bound log Σ_y p ≥ Σ_y q(y)·log(p/q(y)), a sum of logarithms:
//
//  1. E: for a labeled row, qᵢ(y) is 1 for its label and 0 for the other classes; for an unlabeled
//     row, qᵢ(y) is p(y|xᵢ).
//  2. M: ρ_y ← Σᵢ qᵢ(y)/(N + M), θ_yj ← (Σᵢ qᵢ(y)·xᵢⱼ + α)/(Σᵢ qᵢ(y) + 2α), where an unlabeled row
//     has weight w. (With Counts, θ holds the fractions of the columns in each class, smoothed by
//     α.)
//
// The iteration begins with the estimates from the labeled rows, which are also the result without
// unlabeled rows. Unlabeled rows improve the model if the clusters of the data correspond to the
// classes. Otherwise, unlabeled rows can make the model worse; a smaller Weight limits their
// effect.
//
// Cost: O((N + M)·k·d) per iteration.
//
// References: [NigamEtAl2000]. Course: LAT-08.
type SemiNaiveBayes struct {
	model.Control

	Counts bool // values are counts, as in MultinomialNB; otherwise bits, 1 above ½
	// Alpha is the smoothing constant that is added to every count; 0 means 1, and model.Zero means
	// no smoothing. A larger value makes the probabilities more similar to each other.
	Alpha float64
	// Weight is w, the weight of an unlabeled row relative to a labeled row; 0 means 1. With a
	// larger weight, the unlabeled rows count more.
	Weight float64
	// MaxIter is the maximum number of steps; 0 means 100.
	MaxIter int
	// Tol is the tolerance: the iteration stops when the log-likelihood per row grows by less than
	// Tol. The default 0 means 1e-6; with model.Zero, the iteration continues to MaxIter. With a
	// larger value, the iteration stops earlier.
	Tol float64

	Prior         []float64   // set by Fit: ρ of each class
	Theta         *mat.Dense  // set by Fit: one row a class
	Unlabeled     *mat.Dense  // set by Fit: q of the unlabeled rows; nil without any
	LogLikelihood float64     // set by Fit: of all rows, with the log prior of θ
	Trace         model.Trace // set by Fit

	classes []int

	model.Fitted // set by Fit: the columns that it was given
}

var _ model.ProbClassifier = (*SemiNaiveBayes)(nil)

// Fit learns only from labeled rows.
func (m *SemiNaiveBayes) Fit(x mat.Matrix, y []int) error {
	model.NoteXY(&m.Fitted, x, y)
	return m.fit("SemiNaiveBayes.Fit", x, y, nil)
}

// FitUnlabeled learns from labeled and unlabeled rows.
func (m *SemiNaiveBayes) FitUnlabeled(x mat.Matrix, y []int, unlabeled mat.Matrix) error {
	model.NoteXY(&m.Fitted, x, y)
	unlabeled, err := model.Read("SemiNaiveBayes.FitUnlabeled", &m.Fitted, unlabeled)
	if err != nil {
		return err
	}
	return m.fit("SemiNaiveBayes.FitUnlabeled", x, y, unlabeled)
}

func (m *SemiNaiveBayes) fit(op string, x mat.Matrix, y []int, unlabeled mat.Matrix) error {
	m.Prior, m.Theta, m.Unlabeled, m.LogLikelihood, m.Trace, m.classes = nil, nil, nil, 0, model.Trace{}, nil
	all, n, err := both(op, x, y, unlabeled)
	if err != nil {
		return err
	}
	alpha, weight := model.Or(m.Alpha, 1), model.Or(m.Weight, 1)
	if err := limits.Check(op,
		limits.Penalty("Alpha", alpha),
		limits.Must("Weight", weight, weight > 0 && weight <= 1, "be above 0 and at most 1")); err != nil {
		return err
	}
	if m.Counts {
		if err := notNegative(op, all); err != nil {
			return err
		}
	}
	maxIter, err := model.Iterations(op, "MaxIter", m.MaxIter, 100)
	if err != nil {
		return err
	}
	classes, index := model.Classes(y)
	b := &bayes{x: all, labels: index, k: len(classes), counts: m.Counts, alpha: alpha}
	b.weights = slices.Repeat([]float64{1}, n)
	rows, _ := all.Dims()
	for range rows - n {
		b.weights = append(b.weights, weight)
	}
	run := m.Begin("SemiNaiveBayes", maxIter)
	defer run.End()
	b.tally(nil)
	em := latent.EM{MaxIter: 1, Tol: model.Zero}
	if rows > n {
		em.MaxIter, em.Tol = maxIter, m.Tol
	}
	em.Context = run.Context()
	if err := em.RunWithin(run, b); err != nil {
		return err
	}
	if rows > n {
		_, k := em.Q.Dims()
		m.Unlabeled = mat.DenseCopyOf(em.Q.Slice(n, rows, 0, k))
	}
	m.Prior, m.Theta, m.classes, m.Trace = b.prior, b.theta, classes, em.Trace
	m.LogLikelihood = em.LogLikelihood[len(em.LogLikelihood)-1]
	return nil
}

// both checks labeled and unlabeled rows and returns them in one matrix, with the number of labeled
// rows.
func both(op string, x mat.Matrix, y []int, unlabeled mat.Matrix) (*mat.Dense, int, error) {
	d, err := model.CheckXY(op, x, y)
	if err != nil {
		return nil, 0, err
	}
	n, cols := d.Dims()
	if i := slices.Index(y, Unlabeled); i >= 0 {
		if classes, _ := model.Classes(y); len(classes) > 2 {
			return nil, 0, model.Errorf(op, "y must have the class of each row, got Unlabeled (%d) in row %d", Unlabeled, i).
				WithHint("pass rows without a class to FitUnlabeled, or number the classes from 0")
		}
	}
	if unlabeled == nil {
		return d, n, nil
	}
	u, err := model.CheckX(op, unlabeled)
	if err != nil {
		return nil, 0, err
	}
	m, wide := u.Dims()
	if wide != cols {
		return nil, 0, model.Errorf(op, "labeled and unlabeled rows must have the same number of columns, got %d and %d", cols, wide).
			WithHint("pass the same features, in the same order")
	}
	data := make([]float64, 0, (n+m)*cols)
	data = append(append(data, d.RawMatrix().Data...), u.RawMatrix().Data...)
	return mat.NewDense(n+m, cols, data), n, nil
}

func notNegative(op string, d *mat.Dense) error {
	_, cols := d.Dims()
	for i, v := range d.RawMatrix().Data {
		if v < 0 {
			return model.Errorf(op, "row %d must have counts, none of them negative, got %v", i/cols, v)
		}
	}
	return nil
}

// bayes is naive Bayes as [latent.EM] sees it. The first rows have labels.
type bayes struct {
	x            *mat.Dense
	labels       []int
	weights      []float64
	k            int
	counts       bool
	alpha        float64
	prior        []float64
	theta        *mat.Dense
	joint, spare *mat.Dense
}

// RowWeights returns the weights of the rows in the likelihood.
func (b *bayes) RowWeights() []float64 { return b.weights }

// LogPrior returns the log prior of θ up to a constant.
func (b *bayes) LogPrior() float64 {
	if b.alpha == 0 {
		return 0
	}
	sum := 0.0
	for _, v := range b.theta.RawMatrix().Data {
		sum += math.Log(v)
		if !b.counts {
			sum += math.Log1p(-v)
		}
	}
	return b.alpha * sum
}

// LogJoint returns log p(xᵢ, y). For a labeled row it is −Inf for all classes except its own.
func (b *bayes) LogJoint() *mat.Dense {
	n, _ := b.x.Dims()
	b.joint, b.spare = b.spare, b.joint
	if b.joint == nil {
		b.joint = mat.NewDense(n, b.k, nil)
	}
	logJoint(b.joint, b.x, b.prior, b.theta, b.counts)
	for i, l := range b.labels {
		row := b.joint.RawRowView(i)
		for c := range row {
			if c != l {
				row[c] = math.Inf(-1)
			}
		}
	}
	return b.joint
}

func logJoint(to, x *mat.Dense, prior []float64, theta *mat.Dense, counts bool) {
	n, _ := x.Dims()
	k, d := theta.Dims()
	yes, no := make([]float64, k*d), make([]float64, k*d)
	for i, v := range theta.RawMatrix().Data {
		yes[i], no[i] = math.Log(v), math.Log1p(-v)
	}
	par.Range(n, 128, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			row, out := x.RawRowView(i), to.RawRowView(i)
			for c := range out {
				sum, y, o := math.Log(prior[c]), yes[c*d:c*d+d], no[c*d:c*d+d]
				for j, v := range row {
					switch {
					case counts && v != 0:
						sum += v * y[j]
					case counts:
					case v > 0.5:
						sum += y[j]
					default:
						sum += o[j]
					}
				}
				out[c] = sum
			}
		}
	})
}

// Maximize estimates the parameters from the expected counts.
func (b *bayes) Maximize(q *mat.Dense) error {
	b.tally(q)
	return nil
}

// tally sets the parameters from expected counts; if q is nil, only from the labeled rows.
func (b *bayes) tally(q *mat.Dense) {
	n, d := b.x.Dims()
	class, sums := make([]float64, b.k), mat.NewDense(b.k, d, nil)
	if q == nil {
		n = len(b.labels)
	}
	for i := range n {
		row := b.x.RawRowView(i)
		for c := range b.k {
			r := 0.0
			switch {
			case i >= len(b.labels):
				r = q.At(i, c) * b.weights[i]
			case b.labels[i] == c:
				r = b.weights[i]
			}
			if r == 0 {
				continue
			}
			class[c] += r
			to := sums.RawRowView(c)
			for j, v := range row {
				if b.counts {
					to[j] += r * v
				} else if v > 0.5 {
					to[j] += r
				}
			}
		}
	}
	b.prior, b.theta = make([]float64, b.k), mat.NewDense(b.k, d, nil)
	whole := 0.0
	for _, v := range class {
		whole += v
	}
	for c, v := range class {
		b.prior[c] = v / whole
		all := v + 2*b.alpha
		if b.counts {
			all = b.alpha * float64(d)
			for _, s := range sums.RawRowView(c) {
				all += s
			}
		}
		for j, s := range sums.RawRowView(c) {
			p := 1 / float64(d) // a class without a word, and no smoothing
			if all > 0 {
				p = min((s+b.alpha)/all, 1)
			}
			b.theta.Set(c, j, p)
		}
	}
}

// Classes lists the classes in ascending order.
func (m *SemiNaiveBayes) Classes() []int { return slices.Clone(m.classes) }

// PredictProba returns p(y|x) for each row, or the prior if the row has probability 0 in every
// class.
func (m *SemiNaiveBayes) PredictProba(x mat.Matrix) *mat.Dense {
	const op = "SemiNaiveBayes.PredictProba"
	x = model.MustRead(op, &m.Fitted, x)
	if m.Theta == nil {
		panic(model.NotFitted(op))
	}
	k, cols := m.Theta.Dims()
	d := model.MustRows(op, x, cols)
	if m.Counts {
		if err := notNegative(op, d); err != nil {
			panic(err)
		}
	}
	n, _ := d.Dims()
	out := mat.NewDense(n, k, nil)
	logJoint(out, d, m.Prior, m.Theta, m.Counts)
	for i := range n {
		row := out.RawRowView(i)
		most := slices.Max(row)
		if math.IsInf(most, -1) {
			copy(row, m.Prior)
			continue
		}
		sum := 0.0
		for c, v := range row {
			row[c] = math.Exp(v - most)
			sum += row[c]
		}
		for c := range row {
			row[c] /= sum
		}
	}
	return out
}

// Predict returns the most probable class of each row.
func (m *SemiNaiveBayes) Predict(x mat.Matrix) []int {
	x = model.MustRead("SemiNaiveBayes.Predict", &m.Fitted, x)
	return mostProbable(m.PredictProba(x), m.classes)
}

// mostProbable returns the class with the largest entry in each row; ties go to the first.
func mostProbable(p *mat.Dense, classes []int) []int {
	n, _ := p.Dims()
	out := make([]int, n)
	for i := range out {
		best, row := 0, p.RawRowView(i)
		for c, v := range row {
			if v > row[best] {
				best = c
			}
		}
		out[i] = classes[best]
	}
	return out
}
