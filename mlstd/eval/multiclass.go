package eval

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// CohenKappa is the agreement of two labelings beyond the agreement that their class frequencies
// produce by chance.
//
//	κ = (p_o − p_e) / (1 − p_e),  p_o = agreement, p_e = Σₖ P(y = k)·P(ŷ = k)
//
// It is 1 for equal labelings, and 0 for agreement by chance. It is also 1 when both labelings
// consist of the same single class.
//
// References: [Cohen1960]. Course: EVAL-07.
func CohenKappa(y, predicted []int) float64 {
	m := Confusion(y, predicted)
	n := float64(m.Total())
	observed, chance := m.Accuracy(), 0.0
	for k := range m.Classes {
		row, col := 0, 0
		for j := range m.Classes {
			row += m.Counts[k][j]
			col += m.Counts[j][k]
		}
		chance += float64(row) / n * float64(col) / n
	}
	if len(m.Classes) == 1 {
		return 1
	}
	return (observed - chance) / (1 - chance)
}

// TopKAccuracy is the fraction of examples whose class is among the k classes with the highest
// probabilities. The columns of proba belong to classes in ascending order; if several classes have
// the same probability, the later class comes first, as in scikit-learn.
//
// Course: EVAL-02.
func TopKAccuracy(y []int, proba mat.Matrix, classes []int, k int) float64 {
	const op = "TopKAccuracy"
	n := mustClasses(op, y, proba, classes)
	if k < 1 {
		panic(model.Errorf(op, "k must be at least 1, got %d", k))
	}
	right := 0
	for i, c := range y {
		own := classAt(op, i, c, classes)
		before := 0
		for j := range classes {
			if v, p := proba.At(i, j), proba.At(i, own); v > p || v == p && j > own {
				before++
			}
		}
		if before < k {
			right++
		}
	}
	return ratio(right, n)
}

// mustClasses refuses probabilities that are not for these examples and classes,
// and returns the number of examples.
func mustClasses(op string, y []int, proba mat.Matrix, classes []int) int {
	n, k := proba.Dims()
	mustPair(op, len(y), n)
	if k != len(classes) {
		panic(model.Errorf(op, "proba must have %d columns (the number of classes), got %d", len(classes), k))
	}
	return n
}

func classAt(op string, i, class int, classes []int) int {
	j, ok := slices.BinarySearch(classes, class)
	if !ok {
		panic(model.Errorf(op, "y[%d] must be one of the classes %v, got %d", i, classes, class))
	}
	return j
}

// MulticlassAUC is the mean area under the ROC curves of several classes. The columns of proba
// belong to classes in ascending order. By default, each class is compared with all others. If
// pairwise is true, each pair of classes is compared in both directions, which makes the mean
// independent of the class frequencies.
//
//	one against the rest:  (1/k) Σₖ AUC(class k against the rest, pₖ)
//	pairwise:              (1/k(k−1)) Σ_{j≠k} AUC(class j against k, p_j)
//
// For two classes, both equal the [AUC] of the second class.
//
// References: [HandTill2001]. Course: EVAL-10.
func MulticlassAUC(y []int, proba mat.Matrix, classes []int, pairwise bool) float64 {
	const op = "MulticlassAUC"
	n := mustClasses(op, y, proba, classes)
	index, count := make([]int, n), make([]int, len(classes))
	for i, c := range y {
		index[i] = classAt(op, i, c, classes)
		count[index[i]]++
	}
	for k, c := range count {
		if c == 0 {
			panic(model.Errorf(op, "each class must have an example, got none of class %d", classes[k]))
		}
	}
	if len(classes) < 2 {
		panic(model.Errorf(op, "there must be at least two classes, got only class %d", classes[0]))
	}
	sum, curves := 0.0, 0.0
	for k := range classes {
		score := mat.Col(nil, k, proba)
		if !pairwise {
			sum += AUC(index, score, k)
			curves++
			continue
		}
		for j := range classes {
			if j == k {
				continue
			}
			var part []int
			var of []float64
			for i, c := range index {
				if c == k || c == j {
					part, of = append(part, c), append(of, score[i])
				}
			}
			sum += AUC(part, of, k)
			curves++
		}
	}
	return sum / curves
}
