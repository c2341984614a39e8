package prob

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/pick"
	"github.com/gokernel/gokernel/mlstd/model"
)

// JointClassifier makes no assumptions: it counts how often each distinct row occurs with each
// class, and predicts from these counts.
//
//	p(y|x) = (N_{x,y} + α·πᵧ) / (N_x + α)
//
// It is the best classifier if every distinct row occurs often, and useless if most rows are new.
// For a new row it predicts the prior π. With d columns of bits, there are 2ᵈ distinct rows;
// [BernoulliNB] has only 2d+1 parameters. With columns of real numbers, nearly every row is new.
//
// Cost: O(n·d·log n) to fit; O(d·log n) per row to predict.
//
// References: [Mitchell1997] §6.9. Course: PROB-27.
type JointClassifier struct {
	Alpha float64 // number of examples that the prior counts as in every cell; 0 means none
	// Prior is the prior probability of each class, in ascending order of the classes; nil means
	// the fractions of the classes in the data.
	Prior        []float64
	UniformPrior bool // equal priors for all classes, when Prior is nil

	LogPrior []float64  // set by Fit: one per class
	Rows     *mat.Dense // set by Fit: the distinct rows, in order
	Counts   *mat.Dense // set by Fit: number or weight of the examples of each row and class

	classes []int

	model.Fitted // set by Fit: the columns that it was given
}

// Takes reports that the columns may be nominal.
func (m *JointClassifier) Takes() model.Takes { return model.Takes{Nominal: true} }

// Fit counts the rows of each class.
func (m *JointClassifier) Fit(x mat.Matrix, y []int) error {
	model.NoteXY(&m.Fitted, x, y)
	return m.fit("JointClassifier.Fit", x, y, nil, false)
}

// FitWeighted is Fit with a weight for each example.
func (m *JointClassifier) FitWeighted(x mat.Matrix, y []int, weights []float64) error {
	model.NoteXY(&m.Fitted, x, y)
	return m.fit("JointClassifier.FitWeighted", x, y, weights, true)
}

func (m *JointClassifier) fit(op string, x mat.Matrix, y []int, weights []float64, weighted bool) error {
	*m = JointClassifier{Alpha: m.Alpha, Prior: m.Prior, UniformPrior: m.UniformPrior, Fitted: m.Fitted}
	if !(m.Alpha >= 0) || math.IsInf(m.Alpha, 0) {
		return model.Errorf(op, "Alpha must not be negative, got %v", m.Alpha)
	}
	e, err := checkExamples(op, x, y, weights, weighted, m.Takes())
	if err != nil {
		return err
	}
	classes, index := model.Classes(e.y)
	order := allOf(e.n)
	slices.SortStableFunc(order, func(a, b int) int { return compareRows(e.dense.RawRowView(a), e.dense.RawRowView(b)) })
	var firsts []int
	var counts []float64
	all := make([]float64, len(classes))
	for k, i := range order {
		if k == 0 || compareRows(e.dense.RawRowView(order[k-1]), e.dense.RawRowView(i)) != 0 {
			firsts = append(firsts, i)
			counts = append(counts, make([]float64, len(classes))...)
		}
		counts[len(counts)-len(classes)+index[i]] += e.weight(i)
		all[index[i]] += e.weight(i)
	}
	logPrior, err := logPriors(op, m.Prior, m.UniformPrior, all)
	if err != nil {
		return err
	}
	m.classes, m.LogPrior = classes, logPrior
	m.Rows, m.Counts = pick.Rows(e.dense, firsts), mat.NewDense(len(firsts), len(classes), counts)
	return nil
}

func compareRows(a, b []float64) int {
	for j, v := range a {
		if c := cmp.Compare(v, b[j]); c != 0 {
			return c
		}
	}
	return 0
}

// find returns the cell of a row.
func (m *JointClassifier) find(row []float64) (at int, ok bool) {
	n, _ := m.Rows.Dims()
	lo, hi := 0, n
	for lo < hi {
		mid := (lo + hi) / 2
		switch c := compareRows(m.Rows.RawRowView(mid), row); {
		case c == 0:
			return mid, true
		case c < 0:
			lo = mid + 1
		default:
			hi = mid
		}
	}
	return lo, false
}

// Classes lists the classes in ascending order.
func (m *JointClassifier) Classes() []int { return slices.Clone(m.classes) }

// Predict returns the most probable class of each row.
func (m *JointClassifier) Predict(x mat.Matrix) []int {
	x = model.MustRead("JointClassifier.Predict", &m.Fitted, x)
	return best(m.proba("JointClassifier.Predict", x), m.classes)
}

// PredictProba returns p(y|x) for each row.
func (m *JointClassifier) PredictProba(x mat.Matrix) *mat.Dense {
	x = model.MustRead("JointClassifier.PredictProba", &m.Fitted, x)
	return m.proba("JointClassifier.PredictProba", x)
}

func (m *JointClassifier) proba(op string, x mat.Matrix) *mat.Dense {
	if m.Rows == nil {
		panic(model.NotFitted(op))
	}
	_, d := m.Rows.Dims()
	rows := m.Takes().MustRows(op, x, d)
	n, _ := rows.Dims()
	prior := exps(m.LogPrior)
	out := mat.NewDense(n, len(m.classes), nil)
	for i := range n {
		p := out.RawRowView(i)
		floats.AddScaled(p, m.Alpha, prior)
		if at, ok := m.find(rows.RawRowView(i)); ok {
			floats.Add(p, m.Counts.RawRowView(at))
		} else {
			copy(p, prior)
		}
		floats.Scale(1/floats.Sum(p), p)
	}
	return out
}

// Sample draws n rows and their classes from the table.
//
// Course: PROB-25.
func (m *JointClassifier) Sample(n int, seed uint64) (x *mat.Dense, y []int) {
	const op = "JointClassifier.Sample"
	index := drawClasses(op, m.LogPrior, n, seed)
	cells, d := m.Rows.Dims()
	x, y = mat.NewDense(n, d, nil), make([]int, n)
	given := make([][]float64, len(m.classes))
	for c := range given {
		given[c] = mat.Col(nil, c, m.Counts)[:cells]
	}
	rng := model.Rand(seed, 1)
	for i, c := range index {
		copy(x.RawRowView(i), m.Rows.RawRowView(drawOf(given[c], floats.Sum(given[c]), rng)))
		y[i] = m.classes[c]
	}
	return x, y
}
