package neighbors

import (
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// EditNeighbors deletes redundant rows for a nearest-neighbor classifier. It starts with all rows
// and goes through them in a random order. It drops a row if the remaining rows still classify
// correctly every training row that the full set classifies correctly, including the dropped row.
// It returns the rows to keep, in ascending order. No kept row could be dropped at its turn without
// a new mistake. The classifier is one-nearest-neighbor. Noisy rows are kept, because each row
// classifies itself correctly, so editing does not make the classifier robust.
//
// Cost: O(n²·d) for the distances and O(n²) per row.
//
// References: [Gates1972]. Course: NEAR-13.
func EditNeighbors(x mat.Matrix, y []int, metric Metric, seed uint64) ([]int, error) {
	const op = "EditNeighbors"
	ranks, err := allRanks(op, x, y, metric)
	if err != nil {
		return nil, err
	}
	n := len(y)
	kept := make([]bool, n)
	for i := range kept {
		kept[i] = true
	}
	right := make([]bool, n) // rows that all rows together classify correctly
	for i := range n {
		right[i] = y[nearestKept(ranks, kept, i)] == y[i]
	}
	left := n
	for _, r := range model.Rand(seed, 0).Perm(n) {
		if left == 1 {
			break
		}
		kept[r] = false
		for i := range n {
			if right[i] && y[nearestKept(ranks, kept, i)] != y[i] {
				kept[r] = true
				break
			}
		}
		if !kept[r] {
			left--
		}
	}
	return chosen(kept), nil
}

// CondenseNeighbors grows a subset of the rows that classifies all training rows correctly by
// nearest neighbor. It goes through the rows in a random order, adds each row that the subset so
// far misclassifies, and repeats until a whole pass adds no row. It returns the rows to keep, in
// ascending order.
//
// Of equal rows with different classes, only the first in the data can be classified correctly.
// Such rows do not prevent the search from ending.
//
// Cost: O(n²·d) for the distances and O(n·m) per pass for m kept rows.
//
// References: [Hart1968]. Course: NEAR-14.
func CondenseNeighbors(x mat.Matrix, y []int, metric Metric, seed uint64) ([]int, error) {
	const op = "CondenseNeighbors"
	ranks, err := allRanks(op, x, y, metric)
	if err != nil {
		return nil, err
	}
	order := model.Rand(seed, 0).Perm(len(y))
	kept := make([]bool, len(y))
	kept[order[0]] = true
	for grown := true; grown; {
		grown = false
		for _, i := range order {
			if !kept[i] && y[nearestKept(ranks, kept, i)] != y[i] {
				kept[i], grown = true, true
			}
		}
	}
	return chosen(kept), nil
}

// allRanks returns the ranks of the distances between all rows.
func allRanks(op string, x mat.Matrix, y []int, metric Metric) ([][]float64, error) {
	d, err := model.CheckXY(op, x, y)
	if err != nil {
		return nil, err
	}
	if metric < Euclidean || metric > CosineMetric {
		return nil, model.Errorf(op, "Metric must be one of the constants of ml.Metric, got %d", metric)
	}
	ranks := make([][]float64, len(y))
	for i := range ranks {
		ranks[i] = make([]float64, len(y))
		for j := range ranks {
			ranks[i][j] = metric.rank(d.RawRowView(i), d.RawRowView(j), 2)
		}
	}
	return ranks, nil
}

// nearestKept returns the kept row nearest to row i; ties go to the first.
func nearestKept(ranks [][]float64, kept []bool, i int) int {
	best := -1
	for r, k := range kept {
		if k && (best < 0 || ranks[i][r] < ranks[i][best]) {
			best = r
		}
	}
	return best
}

func chosen(kept []bool) []int {
	var rows []int
	for i, k := range kept {
		if k {
			rows = append(rows, i)
		}
	}
	return rows
}
