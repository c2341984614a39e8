package eval

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// Accuracy is the fraction of correct predictions.
//
//	accuracy = (TP + TN) / n
//
// One formula in the lecture notes has FN instead of TN. On unbalanced classes accuracy is
// misleadingly high: see [ImbalanceParadox].
//
// Course: EVAL-02.
func Accuracy(y, predicted []int) float64 {
	mustPair("Accuracy", len(y), len(predicted))
	right := 0
	for i := range y {
		if y[i] == predicted[i] {
			right++
		}
	}
	return ratio(right, len(y))
}

// ErrorRate is the fraction of wrong predictions, the empirical error
//
//	error_S(h) = (1/n) Σᵢ [h(xᵢ) ≠ yᵢ]
//
// on the given sample. On the training examples, this is the training error; on held-out examples,
// it is an unbiased estimate of the true error.
//
// Course: CORE-08, CORE-09.
func ErrorRate(y, predicted []int) float64 {
	mustPair("ErrorRate", len(y), len(predicted))
	wrong := 0
	for i := range y {
		if y[i] != predicted[i] {
			wrong++
		}
	}
	return ratio(wrong, len(y))
}

// Precision is the fraction of true positives among the examples predicted as positive.
//
//	precision = TP / (TP + FP)
//
// It matters when a false alarm is expensive. It is 0 when nothing was
// predicted positive, where the ratio is undefined.
//
// Course: EVAL-03.
func Precision(y, predicted []int, positive int) float64 {
	tp, fp, _, _ := counts("Precision", y, predicted, positive)
	return ratio(tp, tp+fp)
}

// Recall is the fraction of the positive class that was found; sensitivity and
// true positive rate are other names for it.
//
//	recall = TP / (TP + FN)
//
// It matters when a miss is expensive, as in screening for cancer. It is 0 when
// there are no positive examples, where the ratio is undefined.
//
// Course: EVAL-04.
func Recall(y, predicted []int, positive int) float64 {
	tp, _, fn, _ := counts("Recall", y, predicted, positive)
	return ratio(tp, tp+fn)
}

// Specificity is the fraction of the negative class that is predicted as negative.
//
//	specificity = TN / (TN + FP)
//
// Specificity and precision differ, although the lecture notes suggest that they are the same. Both
// depend on the false positives, but specificity is a fraction of the actual negatives, and
// precision is a fraction of the predicted positives. It is 0 when there are no negative examples.
//
// Course: EVAL-05.
func Specificity(y, predicted []int, positive int) float64 {
	_, fp, _, tn := counts("Specificity", y, predicted, positive)
	return ratio(tn, tn+fp)
}

// FalsePositiveRate is 1 - specificity, the fraction of the negative class that was predicted as
// positive: FP / (FP + TN). It is 0 when there are no negative examples.
//
// Course: EVAL-05.
func FalsePositiveRate(y, predicted []int, positive int) float64 {
	_, fp, _, tn := counts("FalsePositiveRate", y, predicted, positive)
	return ratio(fp, tn+fp)
}

// F1 is the harmonic mean of precision P and recall R.
//
//	F = 2·P·R / (P + R)
//
// It is 0 when both are 0. Along the threshold of one classifier, precision usually falls as recall
// rises, but neither determines the other: a better classifier raises both.
//
// Course: EVAL-06.
func F1(y, predicted []int, positive int) float64 { return FBeta(y, predicted, positive, 1) }

// FBeta weighs recall beta times as much as precision.
//
//	F_β = (1+β²)·P·R / (β²·P + R)
//
// References: [VanRijsbergen1979]. Course: EVAL-06.
func FBeta(y, predicted []int, positive int, beta float64) float64 {
	if !(beta >= 0) {
		panic(model.Errorf("FBeta", "beta must not be negative, got %v", beta))
	}
	tp, fp, fn, _ := counts("FBeta", y, predicted, positive)
	b := beta * beta
	den := (1+b)*float64(tp) + b*float64(fn) + float64(fp)
	if den == 0 {
		return 0
	}
	return (1 + b) * float64(tp) / den
}

// FMeasure is the harmonic mean of a given precision and recall, or 0 when both are 0.
//
// Course: EVAL-06.
func FMeasure(precision, recall float64) float64 {
	if precision+recall == 0 {
		return 0
	}
	return 2 * precision * recall / (precision + recall)
}

func counts(op string, y, predicted []int, positive int) (tp, fp, fn, tn int) {
	mustPair(op, len(y), len(predicted))
	for i := range y {
		switch {
		case y[i] == positive && predicted[i] == positive:
			tp++
		case predicted[i] == positive:
			fp++
		case y[i] == positive:
			fn++
		default:
			tn++
		}
	}
	return tp, fp, fn, tn
}

// MacroF1 is the plain mean of the F1 of every class that occurs, so that small classes count as
// much as large classes.
//
// Course: EVAL-06.
func MacroF1(y, predicted []int) float64 { return Report(y, predicted).Macro.F1 }

// WeightedF1 is the mean of the F1 of every class, weighted by the class's number of examples.
//
// Course: EVAL-06.
func WeightedF1(y, predicted []int) float64 { return Report(y, predicted).Weighted.F1 }

// MicroF1 is F1 computed from the true positives, false positives and false negatives summed over
// all classes. With one prediction per example, it equals the accuracy.
//
// Course: EVAL-06.
func MicroF1(y, predicted []int) float64 { return Report(y, predicted).Micro.F1 }

// BalancedAccuracy is the mean recall over the classes that occur in y.
//
// Course: EVAL-07.
func BalancedAccuracy(y, predicted []int) float64 {
	m := Confusion(y, predicted)
	sum, k := 0.0, 0
	for _, c := range m.Classes {
		if tp, _, fn, _ := m.Binary(c); tp+fn > 0 {
			sum += ratio(tp, tp+fn)
			k++
		}
	}
	return sum / float64(k)
}

// MatthewsCorrelation is the correlation of true and predicted classes, between -1 and 1. Its
// expected value is 0 for random guesses, whatever the class sizes. It is also 0 if the true or the
// predicted classes are constant.
//
// References: [Gorodkin2004]. Course: EVAL-07.
func MatthewsCorrelation(y, predicted []int) float64 {
	m := Confusion(y, predicted)
	n, right, cross, tt, pp := 0.0, 0.0, 0.0, 0.0, 0.0
	for k := range m.Counts {
		var t, p float64
		for j := range m.Counts {
			t += float64(m.Counts[k][j])
			p += float64(m.Counts[j][k])
		}
		n += t
		right += float64(m.Counts[k][k])
		cross += t * p
		tt += t * t
		pp += p * p
	}
	den := math.Sqrt((n*n - pp) * (n*n - tt))
	if den == 0 {
		return 0
	}
	return (right*n - cross) / den
}

// LogLoss is the mean negative log-likelihood of the true classes under the
// predicted probabilities, in nats.
//
//	−(1/n) Σᵢ log p(yᵢ | xᵢ)
//
// The columns of proba belong to classes in ascending order; probabilities are clipped to [1e-15,
// 1].
//
// Course: EVAL-08.
func LogLoss(y []int, proba mat.Matrix, classes []int) float64 {
	return Weights(nil).LogLoss(y, proba, classes)
}

// mustProbability panics on a value that is not a probability, even up to rounding.
func mustProbability(op string, i int, p float64) {
	if !(p >= -1e-9 && p <= 1+1e-9) {
		panic(model.Errorf(op, "the probability of example %d must be between 0 and 1, got %v", i, p).WithHint("pass probabilities, not scores"))
	}
}

// BrierScore is the mean squared distance between the predicted probability of
// the positive class and its indicator.
//
// References: [Brier1950]. Course: EVAL-08.
func BrierScore(y []int, probability []float64, positive int) float64 {
	return Weights(nil).BrierScore(y, probability, positive)
}

// ClassReport is one line of a [Report].
type ClassReport struct {
	Class                 int
	Name                  string
	Precision, Recall, F1 float64
	Support               int // examples of the class
}

// ReportTable holds precision, recall and F1 for each class, and their means. Macro weights all
// classes equally, and Weighted weights each class by its number of examples. Micro pools all
// decisions; with one prediction per example, it is the accuracy. Its classes are named by their
// numbers; use [ReportTable.Named] to set other names.
type ReportTable struct {
	Classes                []ClassReport
	Accuracy               float64
	MacroF1                float64
	Macro, Micro, Weighted ClassReport // Class is not used
}

// Report measures every class that occurs in y or in the predictions.
//
// Course: EVAL-01, EVAL-02, EVAL-03, EVAL-04, EVAL-05, EVAL-06.
func Report(y, predicted []int) *ReportTable {
	m := Confusion(y, predicted)
	r := &ReportTable{Accuracy: m.Accuracy()}
	n, k := float64(len(y)), float64(len(m.Classes))
	for i, c := range m.Classes {
		tp, fp, fn, _ := m.Binary(c)
		r.Classes = append(r.Classes, ClassReport{
			Class: c, Name: m.Names[i], Support: tp + fn,
			Precision: ratio(tp, tp+fp), Recall: ratio(tp, tp+fn), F1: ratio(2*tp, 2*tp+fp+fn),
		})
	}
	for _, c := range r.Classes {
		r.Macro.add(c, 1/k)
		r.Weighted.add(c, float64(c.Support)/n)
	}
	r.MacroF1 = r.Macro.F1
	r.Macro.Name, r.Weighted.Name = "macro mean", "weighted mean"
	r.Macro.Support, r.Weighted.Support = len(y), len(y)
	r.Micro = ClassReport{Name: "micro mean", Precision: r.Accuracy, Recall: r.Accuracy, F1: r.Accuracy, Support: len(y)}
	return r
}

func (c *ClassReport) add(other ClassReport, weight float64) {
	c.Precision += weight * other.Precision
	c.Recall += weight * other.Recall
	c.F1 += weight * other.F1
}

// Named returns the report with the names of the classes 0, 1, 2 ..., as data.Dataset.ClassNames
// lists them. It panics with a [*model.Error] if a class has no name in the list.
func (r *ReportTable) Named(names []string) *ReportTable {
	out := *r
	out.Classes = slices.Clone(r.Classes)
	for i, c := range out.Classes {
		out.Classes[i].Name = nameOf("ReportTable.Named", names, c.Class)
	}
	return &out
}

// String returns the report as aligned text.
func (r *ReportTable) String() string {
	var b strings.Builder
	width := 10
	for _, c := range r.Classes {
		width = max(width, utf8.RuneCountInString(c.Name))
	}
	fmt.Fprintf(&b, "%*s  %9s  %6s  %6s  %7s\n", width, "class", "precision", "recall", "F1", "support")
	for _, c := range r.Classes {
		fmt.Fprintf(&b, "%*s  %9.3f  %6.3f  %6.3f  %7d\n", width, c.Name, c.Precision, c.Recall, c.F1, c.Support)
	}
	fmt.Fprintf(&b, "accuracy %.3f, macro F1 %.3f", r.Accuracy, r.MacroF1)
	return b.String()
}

// Imbalance holds several metrics of the classifier that predicts everything as
// negative.
type Imbalance struct {
	Accuracy, Recall, F1, BalancedAccuracy, AUC float64
}

// ImbalanceParadox measures the classifier that predicts "negative" for all of n examples, where
// positives is the number of positive examples. With 1 positive example in 100, its accuracy is
// 0.99, although it finds no positive example.
//
// Course: EVAL-07.
func ImbalanceParadox(n, positives int) Imbalance {
	if n < 2 || positives < 1 || positives >= n {
		panic(model.Errorf("ImbalanceParadox", "positives must be at least 1 and below n, got %d and %d", positives, n))
	}
	y, zero, score := make([]int, n), make([]int, n), make([]float64, n)
	for i := range positives {
		y[i] = 1
	}
	return Imbalance{
		Accuracy: Accuracy(y, zero), Recall: Recall(y, zero, 1), F1: F1(y, zero, 1),
		BalancedAccuracy: BalancedAccuracy(y, zero), AUC: ROC(y, score, 1).AUC(),
	}
}
