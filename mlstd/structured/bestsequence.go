package structured

import (
	"math"

	"github.com/gokernel/gokernel/mlstd/model"
)

// BestSequence finds the sequence of labels with the largest score by the Viterbi algorithm. It
// returns the sequence and its score.
//
//	score(y) = start[y₁] + Σᵢ local[i][yᵢ] + Σᵢ next[yᵢ₋₁][yᵢ]
//
//	best(i, b) = local[i][b] + maxₐ ( best(i−1, a) + next[a][b] )
//
// The matrix local must have a row for each position and a column for each label; start may be nil.
// A score of −Inf forbids a label or transition. If several sequences have the largest score,
// BestSequence returns the sequence with the smallest labels, compared from the last position. It
// panics with a [*model.Error] if the shapes do not match or a score is NaN.
//
// Cost: O(n·k²) for n positions and k labels, although there are kⁿ sequences.
//
// References: [Viterbi1967]. Course: CORE-03.
func BestSequence(local, next [][]float64, start []float64) (labels []int, score float64) {
	const op = "BestSequence"
	if len(local) == 0 {
		return nil, 0
	}
	k := len(local[0])
	if k == 0 || len(next) != k || (start != nil && len(start) != k) {
		panic(model.Errorf(op, "label, next and start must agree in the number of labels, got %d, %d and %d", k, len(next), len(start)))
	}
	for a, row := range next {
		mustScores(op, "next", a, row, k)
	}
	if start != nil {
		mustScores(op, "start", 0, start, k)
	}
	best, fresh := make([]float64, k), make([]float64, k)
	from := make([][]int, len(local))
	for i, row := range local {
		mustScores(op, "local", i, row, k)
		if i == 0 {
			copy(best, row)
			for b := range start {
				best[b] += start[b]
			}
			continue
		}
		from[i] = make([]int, k)
		for b := range k {
			top := math.Inf(-1)
			for a := range k {
				if s := best[a] + next[a][b]; s > top {
					top, from[i][b] = s, a
				}
			}
			fresh[b] = top + row[b]
		}
		best, fresh = fresh, best
	}
	labels = make([]int, len(local))
	last := len(local) - 1
	for b, s := range best {
		if s > best[labels[last]] {
			labels[last] = b
		}
	}
	score = best[labels[last]]
	for i := last; i > 0; i-- {
		labels[i-1] = from[i][labels[i]]
	}
	return labels, score
}

func mustScores(op, what string, i int, row []float64, k int) {
	if len(row) != k {
		panic(model.Errorf(op, "row %d of %s must have %d entries, got %d", i, what, k, len(row)))
	}
	for j, v := range row {
		if math.IsNaN(v) {
			panic(model.Errorf(op, "%s[%d][%d] must be a number, got NaN", what, i, j))
		}
	}
}
