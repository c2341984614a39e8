package eval

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gokernel/gokernel/mlstd/model"
)

// ConfusionMatrix counts how often each class was predicted as each class.
//
//	Counts[i][j] = #{examples of class Classes[i] predicted as Classes[j]}
//
// For two classes, of which the second is positive, the four cells are
//
//	TN = Counts[0][0]   FP = Counts[0][1]
//	FN = Counts[1][0]   TP = Counts[1][1]
//
// A positive example predicted negative is a false negative (FN); a negative example predicted
// negative is a true negative (TN). The lecture notes swap these two names in one place.
//
// Course: EVAL-01.
type ConfusionMatrix struct {
	Classes []int    // ascending
	Names   []string // one per class; the numbers themselves unless set
	Counts  [][]int  // row: true class; column: predicted class
}

// Confusion returns the confusion matrix of the true classes y and the predictions.
func Confusion(y, predicted []int) *ConfusionMatrix {
	mustPair("Confusion", len(y), len(predicted))
	classes, _ := model.Classes(append(slices.Clone(y), predicted...))
	m := &ConfusionMatrix{Classes: classes, Counts: make([][]int, len(classes))}
	for i, c := range classes {
		m.Counts[i] = make([]int, len(classes))
		m.Names = append(m.Names, fmt.Sprint(c))
	}
	for i := range y {
		m.Counts[m.index(y[i])][m.index(predicted[i])]++
	}
	return m
}

// Named returns the matrix with the names of the classes 0, 1, 2 ..., as data.Dataset.ClassNames
// lists them. It panics with a [*model.Error] if a class has no name in the list.
func (m *ConfusionMatrix) Named(names []string) *ConfusionMatrix {
	out := *m
	out.Names = make([]string, len(m.Classes))
	for i, c := range m.Classes {
		out.Names[i] = nameOf("ConfusionMatrix.Named", names, c)
	}
	return &out
}

func nameOf(op string, names []string, class int) string {
	if class < 0 || class >= len(names) {
		panic(model.Errorf(op, "names must have a name for each class, got %[2]d names and class %[1]d", class, len(names)).
			WithHint("pass the ClassNames of the data set"))
	}
	return names[class]
}

func mustPair(op string, n, m int) {
	if n != m {
		panic(model.Errorf(op, "the true values and the predictions must have the same length, got %d and %d", n, m).WithHint("pass one of each for every example"))
	}
	if n == 0 {
		panic(model.Errorf(op, "there must be at least one example, got none"))
	}
}

func (m *ConfusionMatrix) index(class int) int {
	i, ok := slices.BinarySearch(m.Classes, class)
	if !ok {
		return -1
	}
	return i
}

// Total is the number of examples.
func (m *ConfusionMatrix) Total() int {
	n := 0
	for _, row := range m.Counts {
		for _, c := range row {
			n += c
		}
	}
	return n
}

// Binary returns the four counts with class as the positive class and all other classes together as
// the negative class. A class that occurs nowhere has TP = FP = FN = 0.
func (m *ConfusionMatrix) Binary(class int) (tp, fp, fn, tn int) {
	k := m.index(class)
	for i, row := range m.Counts {
		for j, c := range row {
			switch {
			case i == k && j == k:
				tp += c
			case j == k:
				fp += c
			case i == k:
				fn += c
			default:
				tn += c
			}
		}
	}
	return tp, fp, fn, tn
}

// Accuracy is the fraction of the examples that are on the diagonal.
func (m *ConfusionMatrix) Accuracy() float64 {
	d := 0
	for i := range m.Counts {
		d += m.Counts[i][i]
	}
	return ratio(d, m.Total())
}

// String returns the matrix as aligned text, with a row for each true class.
func (m *ConfusionMatrix) String() string {
	var b strings.Builder
	w := len("true\\pred")
	for i, n := range m.Names {
		w = max(w, len(n))
		for _, c := range m.Counts[i] {
			w = max(w, len(fmt.Sprint(c)))
		}
	}
	fmt.Fprintf(&b, "%*s", w, "true\\pred")
	for _, n := range m.Names {
		fmt.Fprintf(&b, "  %*s", w, n)
	}
	for i, row := range m.Counts {
		fmt.Fprintf(&b, "\n%*s", w, m.Names[i])
		for _, c := range row {
			fmt.Fprintf(&b, "  %*d", w, c)
		}
	}
	return b.String()
}

func ratio(a, b int) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}
