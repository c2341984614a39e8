package ensemble

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/tree"
)

// ExtraTrees averages unpruned trees whose splits are largely random. Each node draws a new subset
// of the features and, for each of these features, one threshold uniformly between the feature's
// smallest and largest value at the node. The node uses the best of these candidate splits.
//
//	p(k|x) = (1/T) Σ_t p_t(k|x)
//
// Each tree is fitted to all examples, not to a bootstrap sample. The trees are weaker and more
// diverse than the trees of [RandomForest]. Extra trees grow faster, because no search for
// thresholds is needed, and the mean of their predictions is smoother.
//
// Cost: Trees·n·log n times the number of features per split. Trees are grown in parallel; the
// result does not depend on the number of processors.
//
// References: [GeurtsErnstWehenkel2006]. Course: ENS-04, ENS-08.
type ExtraTrees struct {
	// Trees is the number of trees; 0 means 100. More trees make the predictions
	// more stable, at a proportional cost.
	Trees int
	// FeaturesPerSplit is the number of features drawn at random for each split; 0
	// means √d. A smaller value makes the trees more different from each other.
	FeaturesPerSplit int
	Criterion        tree.Criterion // the zero value is the information gain
	// MaxDepth is the maximum depth of a tree; 0 means no limit. A larger value fits
	// the training data more closely and may overfit.
	MaxDepth int
	// MinLeaf is the minimum weight of the examples in a leaf; 0 means 1. A larger
	// value makes the trees smaller and the predictions smoother.
	MinLeaf float64
	Seed    uint64
	model.Control

	Members     []*tree.DecisionTree // set by Fit
	Importances []float64            // set by Fit; they sum to 1

	classes []int

	model.Fitted // set by Fit: the columns that it was given
}

var _ model.ProbClassifier = (*ExtraTrees)(nil)

// Takes reports that the model takes nominal columns but no missing values; for missing values, use
// [RandomForest].
func (f *ExtraTrees) Takes() model.Takes { return model.Takes{Nominal: true} }

// Fit grows the trees.
func (f *ExtraTrees) Fit(x mat.Matrix, y []int) error {
	model.NoteXY(&f.Fitted, x, y)
	return f.fit("ExtraTrees.Fit", x, y, nil)
}

// FitWeighted grows the trees with a weight for each example.
func (f *ExtraTrees) FitWeighted(x mat.Matrix, y []int, weights []float64) error {
	const op = "ExtraTrees.FitWeighted"
	model.NoteXY(&f.Fitted, x, y)
	f.Members, f.Importances, f.classes = nil, nil, nil
	if err := model.CheckWeights(op, weights, len(y)); err != nil {
		return err
	}
	return f.fit(op, x, y, weights)
}

func (f *ExtraTrees) fit(op string, x mat.Matrix, y []int, weights []float64) error {
	f.Members, f.Importances, f.classes = nil, nil, nil
	d, err := f.Takes().CheckXY(op, x, y)
	if err != nil {
		return err
	}
	used := y
	if slices.Contains(weights, 0) {
		used = nil
		for i, c := range y {
			if weights[i] > 0 {
				used = append(used, c)
			}
		}
	}
	classes, _ := model.Classes(used)
	if err := model.CheckTwoOrMore(op, classes); err != nil {
		return err
	}
	_, p := d.Dims()
	trees, err := countOr(op, "Trees", f.Trees, 100)
	if err != nil {
		return err
	}
	features, err := countOr(op, "FeaturesPerSplit", f.FeaturesPerSplit, max(1, int(math.Sqrt(float64(p)))))
	if err != nil {
		return err
	}
	sorted, err := tree.SortColumns(x)
	if err != nil {
		return err
	}
	run := f.Begin("ExtraTrees", trees)
	defer run.End()
	members := make([]*tree.DecisionTree, trees)
	err = growForest(run, trees, func(m int) ([]float64, error) {
		members[m] = &tree.DecisionTree{
			Criterion: f.Criterion, MaxDepth: f.MaxDepth, MinLeaf: f.MinLeaf, RandomThresholds: true,
			FeaturesPerSplit: features, Seed: f.Seed + 1000003*uint64(m+1),
		}
		return nil, members[m].FitSorted(sorted, y, weights)
	}, func(int, int, [][]float64) {})
	if err != nil {
		return err
	}
	f.Members, f.classes = members, classes
	f.Importances = meanImportances(trees, p, func(m int) []float64 { return members[m].Importances })
	return nil
}

// Classes lists the classes in ascending order.
func (f *ExtraTrees) Classes() []int { return slices.Clone(f.classes) }

// PredictProba returns the mean of the trees' class fractions.
func (f *ExtraTrees) PredictProba(x mat.Matrix) *mat.Dense {
	x = model.MustRead("ExtraTrees.PredictProba", &f.Fitted, x)
	return f.proba("ExtraTrees.PredictProba", x)
}

func (f *ExtraTrees) proba(op string, x mat.Matrix) *mat.Dense {
	if f.Members == nil {
		panic(model.NotFitted(op))
	}
	k, width := len(f.classes), len(f.Importances)
	d := f.Takes().MustRows(op, x, width)
	n, _ := d.Dims()
	p := mat.NewDense(n, k, nil)
	par.Range(n, leafGrain, func(lo, hi int) {
		shares, rows := p.RawMatrix().Data[lo*k:hi*k], d.RawMatrix().Data[lo*width:hi*width]
		for _, t := range f.Members {
			addShares(shares, t, f.classes, rows, 1/float64(len(f.Members)), true)
		}
	})
	return p
}

// Predict returns the most probable class; ties go to the smallest class.
func (f *ExtraTrees) Predict(x mat.Matrix) []int {
	x = model.MustRead("ExtraTrees.Predict", &f.Fitted, x)
	return mostProbable(f.proba("ExtraTrees.Predict", x), f.classes)
}

// ExtraTreesRegressor averages regression trees whose thresholds are drawn at random; see
// [ExtraTrees].
//
//	ŷ = (1/T) Σ_t f_t(x)
//
// Cost: as for [ExtraTrees].
//
// References: [GeurtsErnstWehenkel2006]. Course: ENS-04, ENS-08.
type ExtraTreesRegressor struct {
	// Trees is the number of trees; 0 means 100. More trees make the predictions
	// more stable, at a proportional cost.
	Trees int
	// FeaturesPerSplit is the number of features drawn at random for each split; 0
	// means all. A smaller value makes the trees more different from each other.
	FeaturesPerSplit int
	// MaxDepth is the maximum depth of a tree; 0 means no limit. A larger value fits
	// the training data more closely and may overfit.
	MaxDepth int
	// MinLeaf is the minimum weight of the examples in a leaf; 0 means 1. A larger
	// value makes the trees smaller and the predictions smoother.
	MinLeaf float64
	Seed    uint64
	model.Control

	Members     []*tree.RegressionTree // set by Fit
	Importances []float64              // set by Fit; they sum to 1, or are all 0

	model.Fitted // set by Fit: the columns that it was given
}

// Takes reports that the model takes nominal columns but no missing values.
func (f *ExtraTreesRegressor) Takes() model.Takes { return model.Takes{Nominal: true} }

// Fit grows the trees.
func (f *ExtraTreesRegressor) Fit(x mat.Matrix, y []float64) error {
	const op = "ExtraTreesRegressor.Fit"
	model.NoteXYReal(&f.Fitted, x, y)
	f.Members, f.Importances = nil, nil
	d, err := f.Takes().CheckXYReal(op, x, y)
	if err != nil {
		return err
	}
	_, p := d.Dims()
	trees, err := countOr(op, "Trees", f.Trees, 100)
	if err != nil {
		return err
	}
	features, err := countOr(op, "FeaturesPerSplit", f.FeaturesPerSplit, p)
	if err != nil {
		return err
	}
	sorted, err := tree.SortColumns(x)
	if err != nil {
		return err
	}
	run := f.Begin("ExtraTreesRegressor", trees)
	defer run.End()
	members := make([]*tree.RegressionTree, trees)
	err = growForest(run, trees, func(m int) ([]float64, error) {
		members[m] = &tree.RegressionTree{
			MaxDepth: f.MaxDepth, MinLeaf: f.MinLeaf, RandomThresholds: true,
			FeaturesPerSplit: features, Seed: f.Seed + 1000003*uint64(m+1),
		}
		return nil, members[m].FitSorted(sorted, y, nil)
	}, func(int, int, [][]float64) {})
	if err != nil {
		return err
	}
	f.Members = members
	f.Importances = meanImportances(trees, p, func(m int) []float64 { return members[m].Importances })
	return nil
}

// Predict returns the mean of the trees' predictions.
func (f *ExtraTreesRegressor) Predict(x mat.Matrix) []float64 {
	const op = "ExtraTreesRegressor.Predict"
	x = model.MustRead(op, &f.Fitted, x)
	if f.Members == nil {
		panic(model.NotFitted(op))
	}
	d := f.Takes().MustRows(op, x, len(f.Importances))
	n, _ := d.Dims()
	out := make([]float64, n)
	eachLeaf(f.Members, d, func(_ *tree.RegressionTree, i int, leaf *tree.Node) {
		out[i] += leaf.Value / float64(len(f.Members))
	})
	return out
}
