package neighbors

import (
	"slices"

	"github.com/gokernel/gokernel/mlstd/model"
)

// LeaveOneOut predicts the class of each training row by the vote of its K nearest other rows. This
// is leave-one-out cross-validation without refitting, because the model consists of the rows.
//
// Cost: the same as for predicting the training rows with K + 1 neighbors.
//
// Course: EVAL-16.
func (m *KNN) LeaveOneOut() []int {
	const op = "KNN.LeaveOneOut"
	if m.index == nil {
		panic(model.NotFitted(op))
	}
	y := make([]int, len(m.class))
	m.index.eachOther(op, m.k, func(i int, others *nearest) {
		votes := make([]float64, len(m.classes))
		m.vote(others, votes)
		y[i] = m.winner(votes)
	})
	return y
}

// LeaveOneOut predicts the target of each training row as the mean target of its K nearest other
// rows. This is leave-one-out cross-validation without refitting.
//
// Cost: the same as for predicting the training rows with K + 1 neighbors.
//
// Course: EVAL-16.
func (m *KNNRegressor) LeaveOneOut() []float64 {
	const op = "KNNRegressor.LeaveOneOut"
	if m.index == nil {
		panic(model.NotFitted(op))
	}
	y := make([]float64, len(m.target))
	m.index.eachOther(op, m.k, func(i int, others *nearest) { y[i] = m.mean(others) })
	return y
}

// eachOther calls f, for every row of the index, with the k nearest other rows. Rows that are equal
// to it count as other rows.
func (ix *index) eachOther(op string, k int, f func(i int, others *nearest)) {
	if n := ix.x.RawMatrix().Rows; k >= n {
		panic(model.Errorf(op, "K must be at most %d (the number of other rows), got %d", n-1, k).WithHint("fit with a smaller K"))
	}
	ix.each(ix.x, k+1, func(i int, found *nearest) {
		at := slices.Index(found.rows, i)
		if at < 0 { // after k others that are equal to it
			at = k
		}
		f(i, &nearest{k: k, ranks: slices.Delete(found.ranks, at, at+1), rows: slices.Delete(found.rows, at, at+1)})
	})
}
