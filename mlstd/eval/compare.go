package eval

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/pick"
	"github.com/gokernel/gokernel/mlstd/model"
)

// MethodScatter holds the scores of two methods on the same data sets, as points of a scatter plot.
// On the diagonal of the plot, both methods are equally good.
//
// Course: EVAL-31.
type MethodScatter struct {
	DataSets             []string
	A, B                 []float64
	WinsA, WinsB, Ties   int
	Sign, Paired         TestResult
	MeanDifference, Most float64 // mean and largest absolute value of A − B
}

// CompareOnDataSets counts the data sets on which each of two methods wins, and tests the
// difference of their scores.
//
// Course: EVAL-31, EVAL-24, EVAL-25.
func CompareOnDataSets(names []string, a, b []float64) *MethodScatter {
	mustReals("CompareOnDataSets", a, b)
	mustPair("CompareOnDataSets", len(names), len(a))
	s := &MethodScatter{DataSets: names, A: a, B: b, Sign: SignTest(a, b)}
	if len(a) > 1 {
		s.Paired = PairedTTest(a, b)
	}
	for i := range a {
		switch d := a[i] - b[i]; {
		case d > 0:
			s.WinsA++
		case d < 0:
			s.WinsB++
		default:
			s.Ties++
		}
		s.MeanDifference += (a[i] - b[i]) / float64(len(a))
		s.Most = max(s.Most, math.Abs(a[i]-b[i]))
	}
	return s
}

// Lesion is the score that remains when one component is removed.
type Lesion struct {
	Removed string
	Score   float64
	Drop    float64 // whole score minus Score: how much the component is worth
}

// Ablation is the result of an ablation study.
type Ablation struct {
	Whole   float64
	Lesions []Lesion // the most valuable component first
}

// Ablate calls score first for the whole system, with "" for removed, and then once for each
// component, which score must remove.
//
// Course: EVAL-32.
func Ablate(components []string, score func(removed string) (float64, error)) (*Ablation, error) {
	whole, err := score("")
	if err != nil {
		return nil, fmt.Errorf("Ablate with all components: %w", err)
	}
	a := &Ablation{Whole: whole}
	for _, c := range components {
		s, err := score(c)
		if err != nil {
			return nil, fmt.Errorf("Ablate without %s: %w", c, err)
		}
		a.Lesions = append(a.Lesions, Lesion{c, s, whole - s})
	}
	slices.SortStableFunc(a.Lesions, func(x, y Lesion) int { return cmp.Compare(y.Drop, x.Drop) })
	return a, nil
}

// AblateColumns measures the accuracy by cross-validation, first with all columns of x and then
// with one column removed at a time.
//
// Course: EVAL-32.
func AblateColumns(fresh func() model.Classifier, x mat.Matrix, y []int, k int) (*Ablation, error) {
	d, err := model.CheckXYFor("AblateColumns", x, y, func() any { return fresh() })
	if err != nil {
		return nil, err
	}
	_, c := d.Dims()
	if c < 2 {
		return nil, model.Errorf("AblateColumns", "x must have at least 2 columns, got 1")
	}
	columns := model.ColumnsOf(x)
	var names []string
	for _, col := range columns {
		names = append(names, col.Name)
	}
	return Ablate(names, func(removed string) (float64, error) {
		at := slices.Index(names, removed)
		if at < 0 {
			cv, err := CrossValidateWith(fresh, x, y, StratifiedKFold{K: k}, "accuracy", Accuracy)
			if err != nil {
				return 0, err
			}
			return cv.Mean(), nil
		}
		cv, err := CrossValidateWith(fresh, pick.Columns(x, slices.Delete(identity(c), at, at+1)), y, StratifiedKFold{K: k}, "accuracy", Accuracy)
		if err != nil {
			return 0, err
		}
		return cv.Mean(), nil
	})
}

// Profile holds the measurements that help to choose an algorithm: accuracy, examples needed, cost
// and robustness to noise.
type Profile struct {
	Name             string
	Accuracy         float64       // cross-validated
	ExamplesToReach  float64       // examples to 95 % of Accuracy
	NoisyAccuracy    float64       // cross-validated with a tenth of the training labels changed
	FitTime, Predict time.Duration // on all of the data
}

// Profiles compares algorithms on one data set by several criteria.
//
// Course: EVAL-36.
func Profiles(algorithms map[string]func() model.Classifier, x mat.Matrix, y []int, seed uint64) ([]Profile, error) {
	if _, err := (model.Takes{Missing: true, Nominal: true}).CheckXY("Profiles", x, y); err != nil {
		return nil, err
	}
	names := make([]string, 0, len(algorithms))
	for n := range algorithms {
		names = append(names, n)
	}
	slices.Sort(names)
	var out []Profile
	for _, name := range names {
		fresh := algorithms[name]
		p := Profile{Name: name}
		cv, err := CrossValidateWith(fresh, x, y, StratifiedKFold{K: 5}, "accuracy", Accuracy)
		if err != nil {
			return nil, fmt.Errorf("Profiles: %s: %w", name, err)
		}
		p.Accuracy = cv.Mean()
		full := len(cv.Folds[0].Train)
		curve, err := LearningCurve(fresh, x, y, []int{max(full/8, 2), full / 4, full / 2, full - 1}, 5, seed)
		if err != nil {
			return nil, fmt.Errorf("Profiles: %s: %w", name, err)
		}
		p.ExamplesToReach = curve.ExamplesToReach(0.95 * p.Accuracy)
		noisy := func() model.Classifier { return &noisyLabels{fresh(), 0.1, seed} }
		if cv, err = CrossValidateWith(noisy, x, y, StratifiedKFold{K: 5}, "accuracy", Accuracy); err != nil {
			return nil, fmt.Errorf("Profiles: %s: %w", name, err)
		}
		p.NoisyAccuracy = cv.Mean()
		m := fresh()
		start := time.Now()
		if err := m.Fit(x, y); err != nil {
			return nil, fmt.Errorf("Profiles: %s: %w", name, err)
		}
		p.FitTime = time.Since(start)
		start = time.Now()
		m.Predict(x)
		p.Predict = time.Since(start)
		out = append(out, p)
	}
	return out, nil
}

// noisyLabels is a classifier that is fitted to labels of which a fraction was changed to other
// classes.
type noisyLabels struct {
	model.Classifier
	share float64
	seed  uint64
}

// Takes reports what the classifier takes.
func (n *noisyLabels) Takes() model.Takes { return model.TakesOf(n.Classifier) }

func (n *noisyLabels) Fit(x mat.Matrix, y []int) error {
	classes, index := model.Classes(y)
	rng := model.Rand(n.seed, 1)
	noisy := slices.Clone(y)
	for i := range noisy {
		if rng.Float64() < n.share && len(classes) > 1 {
			noisy[i] = classes[(index[i]+1+rng.IntN(len(classes)-1))%len(classes)]
		}
	}
	return n.Classifier.Fit(x, noisy)
}

// ProfileText returns profiles as aligned text.
func ProfileText(ps []Profile) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%20s  %8s  %8s  %8s", "algorithm", "accuracy", "examples", "noisy")
	for _, p := range ps {
		fmt.Fprintf(&b, "\n%20s  %8.4f  %8.4g  %8.4f", p.Name, p.Accuracy, p.ExamplesToReach, p.NoisyAccuracy)
	}
	return b.String()
}
