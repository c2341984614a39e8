package online

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/magnitude"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/sparse"
)

// examples provides the rows of a dense or sparse matrix one at a time.
type examples struct {
	n, width int
	dense    *mat.Dense
	csr      *sparse.CSR
}

func checkedExamples(op string, x mat.Matrix, y []int) (examples, error) {
	if c, ok := x.(*sparse.CSR); ok && c != nil {
		if err := c.Check(op); err != nil {
			return examples{}, err
		}
		n, w := c.Dims()
		if err := model.CheckLength(op, n, len(y)); err != nil {
			return examples{}, err
		}
		return examples{n: n, width: w, csr: c}, nil
	}
	d, err := model.CheckXY(op, x, y)
	if err != nil {
		return examples{}, err
	}
	if err := magnitude.Check(op, d); err != nil {
		return examples{}, err
	}
	n, w := d.Dims()
	return examples{n: n, width: w, dense: d}, nil
}

// binaryExamples checks the examples of a learner of two classes and converts the classes to −1 and
// +1.
func binaryExamples(op string, x mat.Matrix, y []int) (e examples, classes []int, sign []float64, err error) {
	if e, err = checkedExamples(op, x, y); err != nil {
		return examples{}, nil, nil, err
	}
	classes, index := model.Classes(y)
	if len(classes) != 2 {
		return examples{}, nil, nil, model.Errorf(op, "y must have exactly two classes, got %d", len(classes)).WithHint("use MulticlassPerceptron or OneVsAll for more")
	}
	sign = make([]float64, len(y))
	for i, k := range index {
		sign[i] = float64(2*k - 1)
	}
	return e, classes, sign, nil
}

// positiveOr1 returns v, or 1 if v is 0. It returns an error if v is not positive.
func positiveOr1(op, name string, v float64) (float64, error) {
	v = model.Or(v, 1)
	if !(v > 0) {
		return 0, model.Errorf(op, "%s must be positive, got %v", name, v)
	}
	return v, nil
}

// examplesOf is for prediction: a sparse matrix may have another width (unseen
// features have no weight), a dense one must have the fitted width.
func examplesOf(op string, x mat.Matrix, width int) examples {
	if c, ok := x.(*sparse.CSR); ok && c != nil {
		n, w := c.Dims()
		if err := c.Check(op); n > 0 && w > 0 && err != nil {
			panic(err)
		}
		return examples{n: n, width: w, csr: c}
	}
	d := magnitude.Must(op, model.MustRows(op, x, width))
	n, _ := d.Dims()
	return examples{n: n, width: width, dense: d}
}

func (e examples) dot(i int, w []float64) float64 {
	if e.csr != nil {
		return e.csr.Dot(i, w)
	}
	return floats.Dot(e.dense.RawRowView(i), w)
}

func (e examples) add(i int, step float64, w []float64) {
	if e.csr == nil {
		floats.AddScaled(w, step, e.dense.RawRowView(i))
		return
	}
	idx, val := e.csr.Row(i)
	for k, j := range idx {
		w[j] += step * val[k]
	}
}

// each calls f for the features of row i that are not zero.
func (e examples) each(i int, f func(j int, v float64)) {
	if e.csr != nil {
		idx, val := e.csr.Row(i)
		for k, j := range idx {
			f(int(j), val[k])
		}
		return
	}
	for j, v := range e.dense.RawRowView(i) {
		if v != 0 {
			f(j, v)
		}
	}
}

func (e examples) norm2(i int) float64 {
	if e.csr != nil {
		_, val := e.csr.Row(i)
		return floats.Dot(val, val)
	}
	row := e.dense.RawRowView(i)
	return floats.Dot(row, row)
}

// labels converts scores to classes; a score of 0 is negative.
func labels(scores []float64, classes []int) []int {
	out := make([]int, len(scores))
	for i, s := range scores {
		out[i] = classes[0]
		if s > 0 {
			out[i] = classes[1]
		}
	}
	return out
}
