package prob

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/model"
)

// tally holds the counts of the models for words and bits: for each class the number of its
// examples, and the sum of each column over these examples.
type tally struct {
	classes []int
	class   []float64
	feature *mat.Dense // one row per class
}

// plus returns the sum of the tally and examples, and leaves the tally unchanged. With a threshold,
// a value counts as 1 if it exceeds the threshold and as 0 otherwise.
func (t tally) plus(op string, e examples, threshold *float64) (tally, error) {
	if t.feature != nil {
		if _, d := t.feature.Dims(); d != e.d {
			return t, model.Errorf(op, "x must have %d columns, as in the examples before, got %d", d, e.d).
				WithHint("pass the same features, in the same order")
		}
	}
	if threshold == nil {
		if err := notNegative(op, e); err != nil {
			return t, err
		}
	} else if e.csr != nil && *threshold < 0 {
		return t, model.Errorf(op, "Threshold must not be negative for a sparse matrix, got %v", *threshold).WithHint("set Threshold to 0 or more, or pass a dense matrix")
	}
	classes, from, index := merged(t.classes, e.y)
	k := len(classes)
	out := tally{classes: classes, class: make([]float64, k), feature: mat.NewDense(k, e.d, nil)}
	if t.feature != nil {
		out.class, out.feature = spread(t.class, from, k), spreadRows(t.feature, from, k, e.d)
	}
	count, each := stripesOf(e.n)
	if e.csr != nil { // the tables of the stripes must not cost more than the rows
		count = max(1, min(count, e.csr.Len()/(k*e.d)))
		each = (e.n + count - 1) / count
	}
	tables, classCounts := make([]*mat.Dense, count), make([][]float64, count)
	par.Range(count, 1, func(lo, hi int) {
		for s := lo; s < hi; s++ {
			tables[s], classCounts[s] = mat.NewDense(k, e.d, nil), make([]float64, k)
			for i := min(s*each, e.n); i < min((s+1)*each, e.n); i++ {
				w := e.weight(i)
				classCounts[s][index[i]] += w
				e.addRow(tables[s].RawRowView(index[i]), i, w, threshold)
			}
		}
	})
	for s := range tables {
		floats.Add(out.class, classCounts[s])
		out.feature.Add(out.feature, tables[s])
	}
	return out, nil
}

// addRow adds w times row i to sums.
func (e *examples) addRow(sums []float64, i int, w float64, threshold *float64) {
	switch {
	case e.csr != nil && threshold == nil:
		columns, values := e.csr.Row(i)
		for k, j := range columns {
			sums[j] += w * values[k]
		}
	case e.csr != nil:
		columns, values := e.csr.Row(i)
		for k, j := range columns {
			if values[k] > *threshold {
				sums[j] += w
			}
		}
	case threshold == nil:
		floats.AddScaled(sums, w, e.dense.RawRowView(i))
	default:
		for j, v := range e.dense.RawRowView(i) {
			if v > *threshold {
				sums[j] += w
			}
		}
	}
}

func notNegative(op string, e examples) error {
	for i := range e.n {
		var values []float64
		if e.csr != nil {
			_, values = e.csr.Row(i)
		} else {
			values = e.dense.RawRowView(i)
		}
		for _, v := range values {
			if v < 0 {
				return model.Errorf(op, "row %d must have counts, none of them negative, got %v", i, v).WithHint("use GaussianNB or NaiveBayes for other columns")
			}
		}
	}
	return nil
}

// linearJoint returns x·coefᵀ + intercept, in which 0·(−∞) is 0.
func (e *examples) linearJoint(coef *mat.Dense, intercept []float64) *mat.Dense {
	k, _ := coef.Dims()
	infinite := false
	for _, v := range coef.RawMatrix().Data {
		infinite = infinite || math.IsInf(v, 0)
	}
	out := mat.NewDense(e.n, k, nil)
	par.Range(e.n, grain, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			for c, s := 0, out.RawRowView(i); c < k; c++ {
				w := coef.RawRowView(c)
				switch {
				case e.csr != nil:
					columns, values := e.csr.Row(i)
					sum := intercept[c]
					for n, j := range columns {
						if values[n] != 0 {
							sum += values[n] * w[j]
						}
					}
					s[c] = sum
				case infinite:
					sum := intercept[c]
					for j, v := range e.dense.RawRowView(i) {
						if v != 0 {
							sum += v * w[j]
						}
					}
					s[c] = sum
				default:
					s[c] = intercept[c] + floats.Dot(e.dense.RawRowView(i), w)
				}
			}
		}
	})
	return out
}
