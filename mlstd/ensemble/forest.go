package ensemble

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/finite"
	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/tree"
)

// RandomForest averages unpruned trees, each grown on a bootstrap sample with a
// fresh random subset of the features at EACH split.
//
//	p(k|x) = (1/T) Σ_t p_t(k|x)
//
// The subset decorrelates the trees, so their errors average out. (It is drawn at every split, not
// once per tree.) Each split uses the best of its sampled features.
//
// Importances are the mean decreases of impurity; they favor features with many
// values. OOBAccuracy needs no test set.
//
// All missing values at a split go to the side where the gain is larger ([tree.BetterSide]); a
// missing nominal value counts as the most common level.
//
// Cost: Trees·n·log n times the number of features per split. Trees are grown in parallel; the
// result does not depend on the number of processors.
//
// References: [Breiman2001]. Course: ENS-08.
type RandomForest struct {
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
	OOBAccuracy float64              // set by Fit; NaN when every tree saw every example

	classes []int

	model.Fitted // set by Fit: the columns that it was given
}

// Fit grows the trees.
func (f *RandomForest) Fit(x mat.Matrix, y []int) error {
	model.NoteXY(&f.Fitted, x, y)
	return f.fit("RandomForest.Fit", x, y, nil)
}

// FitWeighted grows the trees with a weight for each example. In each tree, this weight is
// multiplied by the number of times that the bootstrap sample contains the example.
func (f *RandomForest) FitWeighted(x mat.Matrix, y []int, weights []float64) error {
	model.NoteXY(&f.Fitted, x, y)
	f.reset()
	if err := model.CheckWeights("RandomForest.FitWeighted", weights, len(y)); err != nil {
		return err
	}
	d, err := f.Takes().CheckXY("RandomForest.FitWeighted", x, y)
	if err != nil {
		return err
	}
	x, _, y, weights = weighted(x, d, y, weights)
	return f.fit("RandomForest.FitWeighted", x, y, weights)
}

// Takes reports that the model takes nominal columns and missing values: see [tree.BetterSide].
func (f *RandomForest) Takes() model.Takes { return model.Takes{Missing: true, Nominal: true} }

// sideOf returns how the trees of a forest treat missing values, if there are any.
func sideOf(s *tree.SortedColumns) tree.Missing {
	if s.HasMissing() {
		return tree.BetterSide
	}
	return tree.RefuseMissing
}

func (f *RandomForest) reset() {
	f.Members, f.Importances, f.OOBAccuracy, f.classes = nil, nil, 0, nil
}

func (f *RandomForest) fit(op string, x mat.Matrix, y []int, weights []float64) error {
	f.reset()
	d, err := f.Takes().CheckXY(op, x, y)
	if err != nil {
		return err
	}
	classes, index := model.Classes(y)
	if err := model.CheckTwoOrMore(op, classes); err != nil {
		return err
	}
	n, p := d.Dims()
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
	run := f.Begin("RandomForest", trees)
	defer run.End()
	members, votes := make([]*tree.DecisionTree, trees), mat.NewDense(n, len(classes), nil)
	sample := newDrawer(n, nil)
	grow := func(m int) ([]float64, error) {
		w := countRows(sampleWithTwo(sample, index, f.Seed, uint64(m)), n)
		for i := range weights {
			w[i] *= weights[i]
		}
		members[m] = &tree.DecisionTree{
			Criterion: f.Criterion, MaxDepth: f.MaxDepth, MinLeaf: f.MinLeaf,
			FeaturesPerSplit: features, Seed: f.Seed + 1000003*uint64(m+1), Missing: sideOf(sorted),
		}
		return w, members[m].FitSorted(sorted, y, w)
	}
	err = growForest(run, trees, grow, func(from, to int, drawn [][]float64) {
		eachUnseen(members[from:to], drawn, d, func(t *tree.DecisionTree, unseen []int, rows []float64) {
			k := len(classes)
			shares := make([]float64, len(unseen)*k)
			addShares(shares, t, classes, rows, 1, !sorted.HasMissing())
			for a, i := range unseen {
				floats.Add(votes.RawRowView(i), shares[a*k:(a+1)*k])
			}
		})
	})
	if err != nil {
		return err
	}
	f.Members, f.classes, f.OOBAccuracy = members, classes, oobAccuracy(votes, index)
	f.Importances = meanImportances(trees, p, func(m int) []float64 { return members[m].Importances })
	return nil
}

// growForest grows trees in rounds, so that steps are reported and a stop is noticed while the
// trees of a round grow in parallel. grow returns the weights of a tree's sample; grown is called
// with the weights of a round.
func growForest(run *model.Run, trees int, grow func(m int) ([]float64, error), grown func(from, to int, drawn [][]float64)) error {
	const round = 8
	for from := 0; from < trees; from += round {
		to := min(from+round, trees)
		failed, drawn := make([]error, to-from), make([][]float64, to-from)
		par.Range(to-from, 1, func(lo, hi int) {
			for k := lo; k < hi && run.Err() == nil; k++ {
				drawn[k], failed[k] = grow(from + k)
			}
		})
		for k, err := range failed {
			if err != nil {
				return err
			}
			if err := run.Step(from+k+1, math.NaN()); err != nil {
				return err
			}
		}
		grown(from, to, drawn)
	}
	return nil
}

// meanImportances returns the sum of the members' importances, normalized to 1.
func meanImportances(members, p int, of func(m int) []float64) []float64 {
	out, total := make([]float64, p), 0.0
	for m := range members {
		for j, v := range of(m) {
			out[j] += v
			total += v
		}
	}
	for j := range out {
		if total > 0 {
			out[j] /= total
		}
	}
	return out
}

// addShares adds scale times the class fractions that t gives the rows. A tree may
// have seen fewer classes than the forest.
func addShares(dst []float64, t *tree.DecisionTree, classes []int, rows []float64, scale float64, complete bool) {
	own := t.Classes()
	if len(own) == len(classes) {
		t.AddShares(dst, rows, scale, complete)
		return
	}
	k := len(classes)
	part := make([]float64, len(dst)/k*len(own))
	t.AddShares(part, rows, scale, complete)
	for j, c := range own {
		at, _ := slices.BinarySearch(classes, c)
		for r := range len(dst) / k {
			dst[r*k+at] += part[r*len(own)+j]
		}
	}
}

// eachLeaf calls f with the leaf that each row reaches in each tree: for each row in the order of
// the trees, for different rows concurrently.
func eachLeaf[T interface {
	Nodes(dst []*tree.Node, rows []float64, complete bool)
}](members []T, d *mat.Dense, f func(t T, i int, leaf *tree.Node)) {
	n, width := d.Dims()
	par.Range(n, leafGrain, func(lo, hi int) {
		leaves, rows := make([]*tree.Node, hi-lo), d.RawMatrix().Data[lo*width:hi*width]
		complete := !finite.HasNaN(rows)
		for _, t := range members {
			t.Nodes(leaves, rows, complete)
			for i, leaf := range leaves {
				f(t, lo+i, leaf)
			}
		}
	})
}

// leafGrain is the number of rows that go through the trees together. They and one
// tree stay in the cache; with fewer rows all trees would be read from memory more
// often.
const leafGrain = 1024

// eachUnseen calls f for each tree with the examples of weight 0 in its sample, a
// block of them at a time: their numbers and their values.
func eachUnseen[T any](members []T, drawn [][]float64, d *mat.Dense, f func(t T, unseen []int, rows []float64)) {
	n, width := d.Dims()
	par.Range(n, leafGrain, func(lo, hi int) {
		unseen, rows := make([]int, 0, hi-lo), make([]float64, 0, (hi-lo)*width)
		for m, t := range members {
			unseen, rows = unseen[:0], rows[:0]
			for i := lo; i < hi; i++ {
				if drawn[m][i] == 0 {
					unseen, rows = append(unseen, i), append(rows, d.RawRowView(i)...)
				}
			}
			f(t, unseen, rows)
		}
	})
}

// Classes lists the classes in ascending order.
func (f *RandomForest) Classes() []int { return slices.Clone(f.classes) }

// PredictProba returns the mean of the trees' class fractions.
func (f *RandomForest) PredictProba(x mat.Matrix) *mat.Dense {
	x = model.MustRead("RandomForest.PredictProba", &f.Fitted, x)
	return f.proba("RandomForest.PredictProba", x)
}

func (f *RandomForest) proba(op string, x mat.Matrix) *mat.Dense {
	if f.Members == nil {
		panic(model.NotFitted(op))
	}
	d := f.Takes().MustRows(op, x, len(f.Importances))
	n, _ := d.Dims()
	p := mat.NewDense(n, len(f.classes), nil)
	k, width := len(f.classes), len(f.Importances)
	par.Range(n, leafGrain, func(lo, hi int) {
		shares, rows := p.RawMatrix().Data[lo*k:hi*k], d.RawMatrix().Data[lo*width:hi*width]
		complete := !finite.HasNaN(rows)
		for _, t := range f.Members {
			addShares(shares, t, f.classes, rows, 1/float64(len(f.Members)), complete)
		}
	})
	return p
}

// Predict returns the most probable class; ties go to the smallest class.
func (f *RandomForest) Predict(x mat.Matrix) []int {
	x = model.MustRead("RandomForest.Predict", &f.Fitted, x)
	return mostProbable(f.proba("RandomForest.Predict", x), f.classes)
}

// RandomForestRegressor averages regression trees, each grown on a bootstrap
// sample with a random subset of the features at each split.
//
//	ŷ = (1/T) Σ_t f_t(x)
//
// It treats missing values like [RandomForest].
//
// Cost: as for [RandomForest].
//
// References: [Breiman2001]. Course: ENS-08.
type RandomForestRegressor struct {
	// Trees is the number of trees; 0 means 100. More trees make the predictions
	// more stable, at a proportional cost.
	Trees int
	// FeaturesPerSplit is the number of features drawn at random for each split; 0
	// means d/3, at least 1. A smaller value makes the trees more different from
	// each other.
	FeaturesPerSplit int
	// MaxDepth is the maximum depth of a tree; 0 means no limit. A larger value fits
	// the training data more closely and may overfit.
	MaxDepth int
	// MinLeaf is the minimum weight of the examples in a leaf; 0 means 5. A larger
	// value makes the trees smaller and the predictions smoother.
	MinLeaf float64
	Seed    uint64
	model.Control

	Members     []*tree.RegressionTree // set by Fit
	Importances []float64              // set by Fit; they sum to 1, or are all 0
	// OOBR2 is the R² when each example is predicted with only the trees that did not see it. Set
	// by Fit; NaN if every tree saw every example or if all targets are equal.
	OOBR2 float64 `snapshot:"added"`

	model.Fitted // set by Fit: the columns that it was given
}

// Takes reports that the model takes nominal columns and missing values: see [tree.BetterSide].
func (f *RandomForestRegressor) Takes() model.Takes {
	return model.Takes{Missing: true, Nominal: true}
}

// Fit grows the trees.
func (f *RandomForestRegressor) Fit(x mat.Matrix, y []float64) error {
	model.NoteXYReal(&f.Fitted, x, y)
	return f.fit("RandomForestRegressor.Fit", x, y, nil)
}

// FitWeighted grows the trees with a weight for each example's squared error. In each tree, this
// weight is multiplied by the number of times that the bootstrap sample contains the example.
// MinLeaf is then a sum of weights; its default is five times the mean weight.
func (f *RandomForestRegressor) FitWeighted(x mat.Matrix, y, weights []float64) error {
	const op = "RandomForestRegressor.FitWeighted"
	model.NoteXYReal(&f.Fitted, x, y)
	f.Members, f.Importances, f.OOBR2 = nil, nil, 0
	if err := model.CheckWeights(op, weights, len(y)); err != nil {
		return err
	}
	return f.fit(op, x, y, weights)
}

func (f *RandomForestRegressor) fit(op string, x mat.Matrix, y, weights []float64) error {
	f.Members, f.Importances, f.OOBR2 = nil, nil, 0
	d, err := f.Takes().CheckXYReal(op, x, y)
	if err != nil {
		return err
	}
	x, d, y, weights = weighted(x, d, y, weights)
	n, p := d.Dims()
	trees, err := countOr(op, "Trees", f.Trees, 100)
	if err != nil {
		return err
	}
	features, err := countOr(op, "FeaturesPerSplit", f.FeaturesPerSplit, max(1, p/3))
	if err != nil {
		return err
	}
	minLeaf := f.MinLeaf
	if minLeaf == 0 {
		minLeaf = 5
		if weights != nil {
			minLeaf *= mean(weights)
		}
	}
	sorted, err := tree.SortColumns(x)
	if err != nil {
		return err
	}
	run := f.Begin("RandomForestRegressor", trees)
	defer run.End()
	members := make([]*tree.RegressionTree, trees)
	sums, counts := make([]float64, n), make([]float64, n) // of the trees that did not see an example
	grow := func(m int) ([]float64, error) {
		w := countRows(drawRows(n, model.Rand(f.Seed, uint64(m))), n)
		for i := range weights {
			w[i] *= weights[i]
		}
		members[m] = &tree.RegressionTree{MaxDepth: f.MaxDepth, MinLeaf: minLeaf, FeaturesPerSplit: features, Seed: f.Seed + 1000003*uint64(m+1), Missing: sideOf(sorted)}
		return w, members[m].FitSorted(sorted, y, w)
	}
	err = growForest(run, trees, grow, func(from, to int, drawn [][]float64) {
		eachUnseen(members[from:to], drawn, d, func(t *tree.RegressionTree, unseen []int, rows []float64) {
			leaves := make([]*tree.Node, len(unseen))
			t.Nodes(leaves, rows, !sorted.HasMissing())
			for a, i := range unseen {
				sums[i] += leaves[a].Value
				counts[i]++
			}
		})
	})
	if err != nil {
		return err
	}
	f.Members, f.OOBR2 = members, oobR2(sums, counts, y)
	f.Importances = meanImportances(trees, p, func(m int) []float64 { return members[m].Importances })
	return nil
}

// oobR2 returns the R² of the means sums/counts over the examples with a positive count.
func oobR2(sums, counts, y []float64) float64 {
	var seen []float64
	errors := 0.0
	for i, c := range counts {
		if c > 0 {
			seen = append(seen, y[i])
			errors += (y[i] - sums[i]/c) * (y[i] - sums[i]/c)
		}
	}
	center, spread := mean(seen), 0.0
	for _, v := range seen {
		spread += (v - center) * (v - center)
	}
	return 1 - errors/spread
}

// Predict returns the mean of the trees' predictions.
func (f *RandomForestRegressor) Predict(x mat.Matrix) []float64 {
	const op = "RandomForestRegressor.Predict"
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
