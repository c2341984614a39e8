package eval

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// CalibrationBins determines how [CalibrationCurve] groups examples into bins.
type CalibrationBins struct {
	// K is the number of bins; 0 means 10. With more bins, each bin has fewer examples, and its
	// point varies more.
	K         int
	EqualSize bool // bins of about equally many examples, instead of equal width
}

// CalibrationBin is one point of a calibration curve.
type CalibrationBin struct {
	Predicted, Observed float64 // mean probability, fraction of the class
	Count               int     // examples
}

// Calibration compares predicted probabilities with observed frequencies.
type Calibration struct {
	Class int
	Bins  []CalibrationBin // bins that have examples, in ascending order
	// Error is the expected calibration error: the mean of |Observed − Predicted| over the bins,
	// weighted by their numbers of examples.
	Error float64
}

// CalibrationCurve compares the predicted probabilities of a class with the observed frequency of
// the class, for a fitted classifier or pipeline. Of the examples with a predicted probability of
// about 0.7, about 70 % should belong to the class.
//
//	bin b:  p̄_b = mean of p(class | x),  ȳ_b = class fraction;   error = Σ_b (n_b/n)·|ȳ_b − p̄_b|
//
// Use examples to which the classifier was not fitted. A probability on the boundary between two
// bins belongs to the lower bin. [Calibrated] corrects poor calibration.
//
// Cost: one prediction of n rows.
//
// References: [NiculescuMizilCaruana2005]. Course: EVAL-08.
func CalibrationCurve(m model.Classifier, x mat.Matrix, y []int, class int, how CalibrationBins) (*Calibration, error) {
	const op = "CalibrationCurve"
	if m == nil {
		return nil, model.Errorf(op, "the model must not be nil").WithHint("pass a fitted classifier")
	}
	k, err := model.Iterations(op, "K", how.K, 10)
	if err != nil {
		return nil, err
	}
	if _, err := (model.Takes{Missing: true, Nominal: true}).CheckXY(op, x, y); err != nil {
		return nil, err
	}
	p, classes, err := probabilitiesOf(op, m, x)
	if err != nil {
		return nil, err
	}
	at, ok := slices.BinarySearch(classes, class)
	if !ok {
		return nil, model.Errorf(op, "class must be one of %v, got %d", classes, class)
	}
	return calibration(class, mat.Col(nil, at, p), y, k, how.EqualSize), nil
}

func calibration(class int, p []float64, y []int, k int, equalSize bool) *Calibration {
	edges := make([]float64, k-1)
	sorted := slices.Sorted(slices.Values(p))
	for b := range edges {
		edges[b] = float64(b+1) * (1 / float64(k))
		if equalSize {
			at := edges[b] * float64(len(p)-1)
			i := int(at)
			edges[b] = sorted[i] + (at-float64(i))*(sorted[min(i+1, len(p)-1)]-sorted[i])
		}
	}
	all := make([]CalibrationBin, k)
	for i, v := range p {
		b, _ := slices.BinarySearch(edges, v) // the edges below v
		all[b].Count++
		all[b].Predicted += v
		if y[i] == class {
			all[b].Observed++
		}
	}
	c := &Calibration{Class: class}
	for _, b := range all {
		if b.Count > 0 {
			n := float64(b.Count)
			b.Predicted, b.Observed = b.Predicted/n, b.Observed/n
			c.Bins = append(c.Bins, b)
			c.Error += n / float64(len(p)) * math.Abs(b.Observed-b.Predicted)
		}
	}
	return c
}

// String returns the bins as text.
func (c *Calibration) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "class %d, error %.4f\n%10s  %10s  %6s\n", c.Class, c.Error, "predicted", "observed", "count")
	for _, v := range c.Bins {
		fmt.Fprintf(&b, "%10.4f  %10.4f  %6d\n", v.Predicted, v.Observed, v.Count)
	}
	return strings.TrimSuffix(b.String(), "\n")
}
