package prob

import (
	"math"
	"strconv"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/model"
)

// NBFeature is the fitted distribution of one column in naive Bayes. For each class, it holds the
// probabilities of the values, or a mean and a variance.
//
// Course: PROB-19, PROB-20.
type NBFeature struct {
	Column model.Column
	// Counts and LogProb are set for a nominal or ordinal column: the count and the log-probability
	// of each value in each class. The rows are the classes and the columns are the values.
	Counts, LogProb *mat.Dense
	// Known, Means and Variances are set for a numeric column, with one entry per class: the number
	// of non-missing values, their mean and the smoothed variance.
	Known, Means, Variances []float64

	squares []float64
}

func (f *NBFeature) nominal() bool { return f.Column.Kind != model.Numeric }

// Levels returns the names of the values of a nominal column: the levels of the table, or numbers.
func (f *NBFeature) Levels() []string {
	if f.Counts == nil {
		return nil
	}
	_, n := f.Counts.Dims()
	names := make([]string, n)
	for v := range names {
		names[v] = strconv.Itoa(v)
		if v < len(f.Column.Levels) {
			names[v] = f.Column.Levels[v]
		}
	}
	return names
}

// learned is the fitted state shared by [CategoricalNB] and [NaiveBayes].
type learned struct {
	classes  []int
	count    []float64
	logPrior []float64
	features []NBFeature
}

// plus returns the counts and moments after more examples, and leaves l unchanged.
func (l learned) plus(op string, e examples, columns []model.Column) (learned, error) {
	if l.features != nil && len(l.features) != e.d {
		return l, model.Errorf(op, "x must have %d columns, as in the examples before, got %d", len(l.features), e.d).
			WithHint("pass the same features, in the same order")
	}
	classes, from, index := merged(l.classes, e.y)
	k := len(classes)
	out := learned{classes: classes, count: make([]float64, k), features: make([]NBFeature, e.d)}
	if l.features != nil {
		out.count = spread(l.count, from, k)
	}
	for i, c := range index {
		out.count[c] += e.weight(i)
	}
	for j := range out.features {
		f := &out.features[j]
		f.Column = columns[j]
		var old *NBFeature
		if l.features != nil {
			old = &l.features[j]
			if old.nominal() != f.nominal() {
				return l, model.Errorf(op, "column %d must be of the same kind as in the examples before, got %v after %v", j, f.Column.Kind, old.Column.Kind)
			}
		}
		if f.nominal() {
			if err := f.count(op, e, j, index, k, old, from); err != nil {
				return l, err
			}
		} else {
			f.moments(e, j, index, k, old, from)
		}
	}
	return out, nil
}

// count adds up the values of a nominal column by class.
func (f *NBFeature) count(op string, e examples, j int, index []int, k int, old *NBFeature, from []int) error {
	levels := len(f.Column.Levels)
	for i := range e.n {
		v := e.dense.At(i, j)
		if math.IsNaN(v) {
			continue
		}
		if v < 0 || !isWhole(v) || v > 1e6 {
			return model.Errorf(op, "x[%d][%d] must be the index of a level (0, 1, 2 ...), got %v", i, j, v).WithHint("bin a real-valued column, or use NaiveBayes with a Table")
		}
		levels = max(levels, int(v)+1)
	}
	if old != nil {
		_, n := old.Counts.Dims()
		levels = max(levels, n)
	}
	levels = max(levels, 1)
	f.Counts = mat.NewDense(k, levels, nil)
	if old != nil {
		for c, to := range from {
			copy(f.Counts.RawRowView(to), old.Counts.RawRowView(c))
		}
	}
	for i, c := range index {
		if v := e.dense.At(i, j); !math.IsNaN(v) {
			f.Counts.RawRowView(c)[int(v)] += e.weight(i)
		}
	}
	return nil
}

// moments computes, for each class, the mean and the sum of squared deviations of the known values
// of a numeric column.
func (f *NBFeature) moments(e examples, j int, index []int, k int, old *NBFeature, from []int) {
	part := newSpreads(k, 1)
	mean, square := part.means.RawMatrix().Data, part.squares.RawMatrix().Data
	for i, c := range index {
		if v := e.dense.At(i, j); !math.IsNaN(v) {
			part.count[c] += e.weight(i)
			mean[c] += e.weight(i) * v
		}
	}
	for c, n := range part.count {
		if n > 0 {
			mean[c] /= n
		}
	}
	for i, c := range index {
		if v := e.dense.At(i, j); !math.IsNaN(v) {
			square[c] += e.weight(i) * (v - mean[c]) * (v - mean[c])
		}
	}
	s := newSpreads(k, 1)
	if old != nil {
		s = spreads{spread(old.Known, from, k), mat.NewDense(k, 1, spread(old.Means, from, k)), mat.NewDense(k, 1, spread(old.squares, from, k))}
	}
	s.add(part)
	f.Known, f.Means, f.squares = s.count, s.means.RawMatrix().Data, s.squares.RawMatrix().Data
}

// whole returns the moments of a numeric column over all classes.
func (f *NBFeature) whole() (n, mean, square float64) {
	one := newSpreads(1, 1)
	for c, n := range f.Known {
		one.add(spreads{[]float64{n}, mat.NewDense(1, 1, []float64{f.Means[c]}), mat.NewDense(1, 1, []float64{f.squares[c]})})
	}
	return one.count[0], one.means.At(0, 0), one.squares.At(0, 0)
}

// estimate computes probabilities from counts, and variances from sums of squares.
func (l *learned) estimate(op string, alpha, share float64, prior []float64, uniform bool) error {
	largest := 0.0
	for j := range l.features {
		f := &l.features[j]
		if f.nominal() {
			k, levels := f.Counts.Dims()
			f.LogProb = mat.NewDense(k, levels, nil)
			for c := range k {
				row := f.Counts.RawRowView(c)
				n := floats.Sum(row) + alpha*float64(levels)
				for v, count := range row {
					switch {
					case n == 0: // no value is known in the class: the column has no effect
						f.LogProb.Set(c, v, -math.Log(float64(levels)))
					default:
						f.LogProb.Set(c, v, math.Log((count+alpha)/n))
					}
				}
			}
		} else if n, _, square := f.whole(); n > 0 {
			largest = max(largest, square/n)
		}
	}
	for j := range l.features {
		f := &l.features[j]
		if f.nominal() {
			continue
		}
		n, mean, square := f.whole()
		if n == 0 {
			return model.Errorf(op, "column %d must have at least one non-missing value, got none", j).WithHint("drop the column")
		}
		f.Variances = make([]float64, len(f.Known))
		for c, known := range f.Known {
			if known == 0 { // take all classes together
				f.Means[c] = mean
				f.Variances[c] = square/n + share*largest
			} else {
				f.Variances[c] = f.squares[c]/known + share*largest
			}
			if !(f.Variances[c] > 0) {
				return model.Errorf(op, "column %d must vary within each class if there is no smoothing", j).
					WithHint("drop constant columns, or set VarSmoothing")
			}
		}
	}
	var err error
	l.logPrior, err = logPriors(op, prior, uniform, l.count)
	return err
}

// joint returns log p(x, y). It leaves out missing values and values that no
// example had.
func (l *learned) joint(op string, d *mat.Dense) *mat.Dense {
	n, _ := d.Dims()
	// For numeric columns: 1/σ² and ½·log 2πσ² of each class.
	precision, base := make([][]float64, len(l.features)), make([][]float64, len(l.features))
	for j := range l.features {
		for _, v := range l.features[j].Variances {
			precision[j] = append(precision[j], 1/v)
			base[j] = append(base[j], math.Log(2*math.Pi*v)/2)
		}
	}
	out := mat.NewDense(n, len(l.classes), nil)
	par.Range(n, grain, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			s := out.RawRowView(i)
			copy(s, l.logPrior)
			for j, v := range d.RawRowView(i) {
				f := &l.features[j]
				switch {
				case math.IsNaN(v):
				case f.nominal():
					f.add(op, s, i, j, v)
				default:
					for c, m := range f.Means {
						s[c] -= (v-m)*(v-m)*precision[j][c]/2 + base[j][c]
					}
				}
			}
		}
	})
	return out
}

// add adds the log probability of the value of a nominal column to the score of each
// class.
func (f *NBFeature) add(op string, s []float64, i, j int, v float64) {
	if v < 0 || !isWhole(v) {
		panic(model.Errorf(op, "x[%d][%d] must be the index of a level (0, 1, 2 ...), got %v", i, j, v))
	}
	if _, levels := f.LogProb.Dims(); v < float64(levels) {
		for c := range s {
			s[c] += f.LogProb.At(c, int(v))
		}
	}
}

func (l *learned) sample(op string, n int, seed uint64) (x *mat.Dense, y []int) {
	y = drawClasses(op, l.logPrior, n, seed)
	x = mat.NewDense(n, len(l.features), nil)
	rng := model.Rand(seed, 1)
	for i, c := range y {
		for j := range l.features {
			f := &l.features[j]
			if f.nominal() {
				p := exps(f.LogProb.RawRowView(c))
				x.Set(i, j, float64(drawOf(p, floats.Sum(p), rng)))
			} else {
				x.Set(i, j, f.Means[c]+math.Sqrt(f.Variances[c])*rng.NormFloat64())
			}
		}
		y[i] = l.classes[c]
	}
	return x, y
}
