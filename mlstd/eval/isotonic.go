package eval

import (
	"math"
	"slices"
	"sort"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// IsotonicRegression fits a nondecreasing function of one variable to the targets by least squares.
//
//	min Σᵢ wᵢ·(yᵢ − f(xᵢ))²   with   f(a) ≤ f(b) for a ≤ b
//
// Examples with equal x are merged into one example with the mean of their targets. Then adjacent
// violators are pooled: while the mean of a pool is below the mean of the preceding pool, the two
// pools are merged. The function is linear between the training values and constant beyond them.
//
// For calibration, isotonic regression needs a few hundred examples to be more accurate than a
// sigmoid. With fewer examples, it fits the noise.
//
// Cost: O(n log n) for sorting, O(n) for pooling.
//
// References: [BarlowEtAl1972], [ZadroznyElkan2002]. Course: EVAL-08.
type IsotonicRegression struct {
	Decreasing bool // fit a nonincreasing function

	// Knots are the values of x at which the slope changes, in ascending order, and Values are the
	// values of the function there. Set by Fit.
	Knots, Values []float64

	model.Fitted // set by Fit: the columns that it was given
}

// Fit computes the function; x must have one column.
func (m *IsotonicRegression) Fit(x mat.Matrix, y []float64) error {
	model.NoteXYReal(&m.Fitted, x, y)
	return m.fit("IsotonicRegression.Fit", x, y, nil)
}

// FitWeighted computes the function for examples with weights.
func (m *IsotonicRegression) FitWeighted(x mat.Matrix, y, weights []float64) error {
	const op = "IsotonicRegression.FitWeighted"
	model.NoteXYReal(&m.Fitted, x, y)
	m.Knots, m.Values = nil, nil
	if err := model.CheckWeights(op, weights, len(y)); err != nil {
		return err
	}
	return m.fit(op, x, y, weights)
}

func (m *IsotonicRegression) fit(op string, x mat.Matrix, y, weights []float64) error {
	m.Knots, m.Values = nil, nil
	d, err := model.CheckXYReal(op, x, y)
	if err != nil {
		return err
	}
	if _, c := d.Dims(); c != 1 {
		return model.Errorf(op, "x must have 1 column, got %d", c)
	}
	m.learn(mat.Col(nil, 0, d), y, weights)
	return nil
}

// pool is an interval of x on which the function is constant.
type pool struct {
	sum, weight float64
	from, to    int // the distinct values of x in the pool
}

func (p pool) mean() float64 { return p.sum / p.weight }

// learn fits to the values of one variable; nil weights are all 1.
func (m *IsotonicRegression) learn(x, y, weights []float64) {
	order := make([]int, 0, len(x))
	for i := range x {
		if weights == nil || weights[i] > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case x[a] < x[b]:
			return -1
		case x[a] > x[b]:
			return 1
		}
		return 0
	})
	sign := 1.0
	if m.Decreasing {
		sign = -1
	}
	var at []float64 // the distinct values
	var pools []pool
	for k := 0; k < len(order); {
		p := pool{from: len(at), to: len(at) + 1}
		v := x[order[k]]
		for ; k < len(order) && x[order[k]] == v; k++ {
			w := 1.0
			if weights != nil {
				w = weights[order[k]]
			}
			p.sum += w * sign * y[order[k]]
			p.weight += w
		}
		at = append(at, v)
		for len(pools) > 0 && pools[len(pools)-1].mean() >= p.mean() {
			last := pools[len(pools)-1]
			pools = pools[:len(pools)-1]
			p = pool{last.sum + p.sum, last.weight + p.weight, last.from, p.to}
		}
		pools = append(pools, p)
	}
	for _, p := range pools {
		m.Knots, m.Values = append(m.Knots, at[p.from]), append(m.Values, sign*p.mean())
		if p.to-1 > p.from {
			m.Knots, m.Values = append(m.Knots, at[p.to-1]), append(m.Values, sign*p.mean())
		}
	}
}

// at returns the value of the fitted function.
func (m *IsotonicRegression) at(v float64) float64 {
	k := sort.SearchFloat64s(m.Knots, v)
	switch {
	case k == len(m.Knots):
		return m.Values[k-1]
	case k == 0 || m.Knots[k] == v:
		return m.Values[k]
	}
	share := (v - m.Knots[k-1]) / (m.Knots[k] - m.Knots[k-1])
	if math.IsNaN(share) { // the distance of the knots overflows
		share = 0.5
	}
	return m.Values[k-1] + share*(m.Values[k]-m.Values[k-1])
}

// Predict returns the values of the function.
func (m *IsotonicRegression) Predict(x mat.Matrix) []float64 {
	const op = "IsotonicRegression.Predict"
	x = model.MustRead(op, &m.Fitted, x)
	if m.Knots == nil {
		panic(model.NotFitted(op))
	}
	out := mat.Col(nil, 0, model.MustRows(op, x, 1))
	for i, v := range out {
		out[i] = m.at(v)
	}
	return out
}
