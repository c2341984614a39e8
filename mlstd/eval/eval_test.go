package eval_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/modeltest"
)

// centroid is the nearest-mean classifier with a shrinkage toward the grand
// mean; the tests need some model that learns.
type centroid struct {
	Shrink  float64
	classes []int
	means   *mat.Dense
}

func (c *centroid) Fit(x mat.Matrix, y []int) error {
	return c.FitWeighted(x, y, slices.Repeat([]float64{1}, len(y)))
}

func (c *centroid) FitWeighted(x mat.Matrix, y []int, w []float64) error {
	c.means = nil
	d, err := model.CheckXY("centroid.Fit", x, y)
	if err != nil {
		return err
	}
	if err := model.CheckWeights("centroid.Fit", w, len(y)); err != nil {
		return err
	}
	classes, index := model.Classes(y)
	if err := model.CheckTwoOrMore("centroid.Fit", classes); err != nil {
		return err
	}
	_, p := d.Dims()
	means, mass := mat.NewDense(len(classes), p, nil), make([]float64, len(classes))
	for i, k := range index {
		mass[k] += w[i]
		for j, v := range d.RawRowView(i) {
			means.Set(k, j, means.At(k, j)+w[i]*v)
		}
	}
	for k := range classes {
		for j := range p {
			means.Set(k, j, (1-c.Shrink)*means.At(k, j)/max(mass[k], 1e-300))
		}
	}
	c.classes, c.means = classes, means
	return nil
}

func (c *centroid) Predict(x mat.Matrix) []int {
	if c.means == nil {
		panic(model.NotFitted("centroid.Predict"))
	}
	_, p := c.means.Dims()
	d := model.MustRows("centroid.Predict", x, p)
	n, _ := d.Dims()
	out := make([]int, n)
	for i := range out {
		best := math.Inf(1)
		for k, class := range c.classes {
			dist := 0.0
			for j, v := range d.RawRowView(i) {
				dist += (v - c.means.At(k, j)) * (v - c.means.At(k, j))
			}
			if dist < best {
				best, out[i] = dist, class
			}
		}
	}
	return out
}

func (c *centroid) Classes() []int { return slices.Clone(c.classes) }

func (c *centroid) PredictProba(x mat.Matrix) *mat.Dense {
	pred := c.Predict(x)
	p := mat.NewDense(len(pred), len(c.classes), nil)
	for i, v := range pred {
		k, _ := slices.BinarySearch(c.classes, v)
		p.Set(i, k, 1)
	}
	return p
}

// meanOf predicts the mean of y.
type meanOf struct {
	fitted bool
	width  int
	mean   float64
}

func (m *meanOf) Fit(x mat.Matrix, y []float64) error {
	m.fitted = false
	d, err := model.CheckXYReal("meanOf.Fit", x, y)
	if err != nil {
		return err
	}
	_, m.width = d.Dims()
	m.mean, m.fitted = stat.Mean(y, nil), true
	return nil
}

func (m *meanOf) Predict(x mat.Matrix) []float64 {
	if !m.fitted {
		panic(model.NotFitted("meanOf.Predict"))
	}
	n, _ := model.MustRows("meanOf.Predict", x, m.width).Dims()
	return slices.Repeat([]float64{m.mean}, n)
}

// double multiplies by two: a Transformer for pipelines.
type double struct{ width int }

func (d *double) Fit(x mat.Matrix) error {
	c, err := model.CheckX("double.Fit", x)
	if err == nil {
		_, d.width = c.Dims()
	}
	return err
}

func (d *double) Transform(x mat.Matrix) *model.Table {
	if d.width == 0 {
		panic(model.NotFitted("double.Transform"))
	}
	var out mat.Dense
	out.Scale(2, model.MustRows("double.Transform", x, d.width))
	return model.LikeNumbers(x, &out)
}

func clouds(n int, gap float64, seed uint64) (*mat.Dense, []int) {
	rng := model.Rand(seed, 0)
	x, y := mat.NewDense(n, 2, nil), make([]int, n)
	for i := range n {
		y[i] = i % 2
		x.Set(i, 0, rng.NormFloat64()+gap*float64(y[i]))
		x.Set(i, 1, rng.NormFloat64())
	}
	return x, y
}

func fresh() model.Classifier { return &centroid{} }

func TestPipelineConformance(t *testing.T) {
	modeltest.Classifier(t, func() model.Classifier {
		return &eval.Pipeline{Steps: []model.Transformer{&double{}}, Model: &centroid{}}
	}, modeltest.Options{})
}

func TestProbPipelineConformance(t *testing.T) {
	modeltest.Classifier(t, func() model.Classifier {
		return &eval.ProbPipeline{Steps: []model.Transformer{&double{}}, Model: &centroid{}}
	}, modeltest.Options{})
}

func TestRegressorPipelineConformance(t *testing.T) {
	modeltest.Regressor(t, func() model.Regressor {
		return &eval.RegressorPipeline{Steps: []model.Transformer{&double{}}, Model: &meanOf{}}
	}, modeltest.Options{MinScore: -1e-9})
}

func TestSearchConformance(t *testing.T) {
	modeltest.Classifier(t, func() model.Classifier {
		return &eval.Search{
			New:    func(p eval.Params) model.Classifier { return &centroid{Shrink: p["shrink"]} },
			Points: eval.GridPoints(map[string][]float64{"shrink": {0, 0.1}}),
			Split:  eval.KFold{K: 2, Shuffle: true, Seed: 1},
		}
	}, modeltest.Options{Skip: map[string]string{
		"row permutation": "the folds depend on the order of the rows, and with them the choice",
		"weights":         "the folds depend on the number of the rows, and with them the choice",
		"one row":         "one row cannot be divided",
	}})
}

func TestEVAL01_Confusion(t *testing.T) {
	m := eval.Confusion([]int{1, 1, 1, 0, 0, 2}, []int{1, 0, 1, 0, 1, 2})
	if d := cmp.Diff([][]int{{1, 1, 0}, {1, 2, 0}, {0, 0, 1}}, m.Counts); d != "" {
		t.Errorf("counts (-want +got):\n%s", d)
	}
	tp, fp, fn, tn := m.Binary(1)
	if tp != 2 || fp != 1 || fn != 1 || tn != 2 {
		t.Errorf("got tp %d fp %d fn %d tn %d, want 2 1 1 2", tp, fp, fn, tn)
	}
	// Seed error E2-02: predicted negative, truly positive is a false negative.
	if _, _, fn, tn := eval.Confusion([]int{1}, []int{0}).Binary(1); fn != 1 || tn != 0 {
		t.Errorf("a missed positive counted as fn %d, tn %d", fn, tn)
	}
}

func TestClassNames(t *testing.T) {
	y, predicted := []int{0, 1, 2, 2}, []int{0, 1, 1, 2}
	names := []string{"setosa", "Iris versicolor", "virginica"}
	plain := eval.Report(y, predicted)
	named := plain.Named(names)
	if named.Classes[1].Name != "Iris versicolor" || plain.Classes[1].Name != "1" {
		t.Errorf("names %q, and %q before", named.Classes[1].Name, plain.Classes[1].Name)
	}
	want := "          class  precision  recall      F1  support\n" +
		"         setosa      1.000   1.000   1.000        1\n" +
		"Iris versicolor      0.500   1.000   0.667        1\n" +
		"      virginica      1.000   0.500   0.667        2\n" +
		"accuracy 0.750, macro F1 0.778"
	if diff := cmp.Diff(want, named.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	m := eval.Confusion(y, predicted).Named(names)
	if diff := cmp.Diff(names, m.Names); diff != "" {
		t.Errorf("confusion matrix (-want +got):\n%s", diff)
	}
	for name, f := range map[string]func(){
		"report":    func() { plain.Named(names[:2]) },
		"confusion": func() { eval.Confusion([]int{-1}, []int{0}).Named(names) },
	} {
		func() {
			defer func() {
				if _, ok := recover().(*model.Error); !ok {
					t.Errorf("%s: a class without a name was accepted", name)
				}
			}()
			f()
		}()
	}
}

// The play data of the notes: 5 of 8 days are for playing, so the majority
// predictor has accuracy 5/8.
func TestEVAL02_Accuracy(t *testing.T) {
	y := []int{1, 1, 1, 1, 1, 0, 0, 0}
	// E2-03: the true negatives count as right, not the false ones.
	mltest.Near(t, "(TP+TN)/n", eval.Accuracy([]int{1, 1, 0, 0, 0}, []int{1, 0, 0, 0, 1}), 3.0/5, tol)
	mltest.Near(t, "majority", eval.Accuracy(y, slices.Repeat([]int{1}, 8)), 0.625, 0)
	mltest.Near(t, "error", eval.ErrorRate(y, slices.Repeat([]int{1}, 8)), 0.375, 0)
}

func TestEVAL03_04_05_Ratios(t *testing.T) {
	y, p := []int{1, 1, 1, 0, 0, 0, 0, 0}, []int{1, 1, 0, 1, 0, 0, 0, 0}
	mltest.Near(t, "precision", eval.Precision(y, p, 1), 2.0/3, tol)
	mltest.Near(t, "recall", eval.Recall(y, p, 1), 2.0/3, tol)
	// E0-13: specificity is not precision, though sensitivity is recall.
	mltest.Near(t, "specificity", eval.Specificity(y, p, 1), 4.0/5, tol)
	// E2-04: recall counts the misses (FN), precision the false alarms (FP).
	missed, alarms := []int{1, 0, 0, 0, 0, 0, 0, 0}, []int{1, 1, 1, 1, 1, 0, 0, 0}
	mltest.Near(t, "precision with misses only", eval.Precision(y, missed, 1), 1, 0)
	mltest.Near(t, "recall with misses only", eval.Recall(y, missed, 1), 1.0/3, tol)
	mltest.Near(t, "precision with false alarms only", eval.Precision(y, alarms, 1), 3.0/5, tol)
	mltest.Near(t, "recall with false alarms only", eval.Recall(y, alarms, 1), 1, 0)
	mltest.Near(t, "FPR", eval.FalsePositiveRate(y, p, 1), 1.0/5, tol)
	// Nothing predicted positive: precision is defined as 0.
	mltest.Near(t, "undefined precision", eval.Precision(y, make([]int, 8), 1), 0, 0)
}

func TestEVAL06_F1(t *testing.T) {
	mltest.Near(t, "P=.5 R=1", eval.FMeasure(0.5, 1), 2.0/3, tol)
	mltest.Near(t, "both 0", eval.FMeasure(0, 0), 0, 0)
	y, p := []int{1, 0}, []int{1, 1}
	mltest.Near(t, "counts", eval.F1(y, p, 1), 2.0/3, tol)
	// E2-05: no identity ties the two; a better classifier raises both.
	y, worse, better := []int{1, 1, 0, 0}, []int{1, 0, 1, 0}, []int{1, 1, 0, 0}
	if eval.Precision(y, better, 1) <= eval.Precision(y, worse, 1) || eval.Recall(y, better, 1) <= eval.Recall(y, worse, 1) {
		t.Error("the better classifier does not have both the higher precision and the higher recall")
	}
}

func TestEVAL07_ImbalanceParadox(t *testing.T) {
	want := eval.Imbalance{Accuracy: 0.99, BalancedAccuracy: 0.5, AUC: 0.5}
	if d := cmp.Diff(want, eval.ImbalanceParadox(100, 1)); d != "" {
		t.Error(d)
	}
}

func TestEVAL08_Costs(t *testing.T) {
	c := eval.Costs{FalsePositive: 1, FalseNegative: 10}
	mltest.Near(t, "threshold", c.Threshold(), 1.0/11, tol)
	mltest.Near(t, "mean", c.Mean([]int{1, 1, 0, 0}, []int{0, 1, 1, 0}, 1), 11.0/4, tol)
	// On calibrated scores the threshold from the costs is the cheapest.
	rng := model.Rand(3, 0)
	n := 20000
	y, score := make([]int, n), make([]float64, n)
	for i := range y {
		score[i] = rng.Float64()
		if rng.Float64() < score[i] {
			y[i] = 1
		}
	}
	at := c.Mean(y, eval.AtThreshold(score, c.Threshold(), 1, 0), 1)
	for _, other := range []float64{0.02, 0.2, 0.5} {
		if v := c.Mean(y, eval.AtThreshold(score, other, 1, 0), 1); v < at {
			t.Errorf("threshold %v costs %v, less than %v at the optimum", other, v, at)
		}
	}
	best := eval.BestCostThreshold(y, score, 1, c)
	mltest.Near(t, "best on the sample", best.Threshold, 1.0/11, 0.03)
}

// The ten scores of the course's oracle and the curve listed there.
var (
	rocScore = []float64{.9, .8, .7, .6, .55, .54, .53, .52, .51, .505}
	rocY     = []int{1, 1, 0, 1, 1, 0, 0, 0, 1, 0}
)

func TestEVAL09_ROC(t *testing.T) {
	c := eval.ROC(rocY, rocScore, 1)
	mltest.NearAll(t, "FPR", c.FPR, []float64{0, 0, 0, .2, .2, .2, .4, .6, .8, .8, 1}, tol)
	mltest.NearAll(t, "TPR", c.TPR, []float64{0, .2, .4, .4, .6, .8, .8, .8, .8, 1, 1}, tol)
	// Equal scores move together: a diagonal, whatever the order of the rows.
	c = eval.ROC([]int{1, 0, 1, 0}, []float64{.5, .5, .5, .5}, 1)
	mltest.NearAll(t, "ties", c.TPR, []float64{0, 1}, tol)
}

func TestEVAL10_AUC(t *testing.T) {
	mltest.Near(t, "AUC", eval.AUC(rocY, rocScore, 1), 0.76, tol)
	// Mann-Whitney: the fraction of pairs in the right order, ties half.
	rng := model.Rand(1, 0)
	y, s := make([]int, 60), make([]float64, 60)
	for i := range y {
		y[i] = rng.IntN(2)
		s[i] = float64(rng.IntN(10)) + float64(y[i])
	}
	pairs, sum := 0.0, 0.0
	for i := range y {
		for j := range y {
			if y[i] == 1 && y[j] == 0 {
				pairs++
				if s[i] > s[j] {
					sum++
				} else if s[i] == s[j] {
					sum += 0.5
				}
			}
		}
	}
	mltest.Near(t, "pairs", eval.AUC(y, s, 1), sum/pairs, tol)
}

func TestEVAL11_Hull(t *testing.T) {
	c := eval.ROC(rocY, rocScore, 1)
	h := c.Hull()
	mltest.NearAll(t, "FPR", h.FPR, []float64{0, 0, .2, .8, 1}, tol)
	mltest.NearAll(t, "TPR", h.TPR, []float64{0, .4, .8, 1, 1}, tol)
	for i, x := range c.FPR {
		if h.At(x) < c.TPR[i]-tol {
			t.Errorf("the hull is below the curve at %v", x)
		}
	}
	if h.AUC() < c.AUC() {
		t.Error("the hull has the smaller area")
	}
}

func TestEVAL12_PrecisionRecall(t *testing.T) {
	c := eval.PrecisionRecall([]int{1, 0, 1}, []float64{3, 2, 1}, 1)
	mltest.NearAll(t, "recall", c.Recall, []float64{.5, .5, 1}, tol)
	mltest.NearAll(t, "precision", c.Precision, []float64{1, .5, 2.0 / 3}, tol)
	mltest.Near(t, "AP", c.AveragePrecision(), 0.5+0.5*2/3, tol)
}

func TestEVAL13_Threshold(t *testing.T) {
	b := eval.BestFThreshold(rocY, rocScore, 1, 1)
	mltest.Near(t, "threshold", b.Threshold, 0.55, 0)
	mltest.Near(t, "F", b.Value, 0.8, tol)
	mltest.Near(t, "F of it", eval.F1(rocY, eval.AtThreshold(rocScore, b.Threshold, 1, 0), 1), b.Value, tol)
}

func TestEVAL14_FoldCurves(t *testing.T) {
	ys := [][]int{rocY, rocY}
	same := [][]float64{rocScore, rocScore}
	mltest.Near(t, "one scale", eval.PooledROC(ys, same, 1).AUC(), eval.AverageROC(ys, same, 1).AUC(), tol)
	shifted := make([]float64, len(rocScore))
	for i, s := range rocScore {
		shifted[i] = s + 10
	}
	other := [][]float64{rocScore, shifted}
	mltest.Near(t, "averaging ignores the scale", eval.AverageROC(ys, other, 1).AUC(), 0.76, tol)
	if p := eval.PooledROC(ys, other, 1).AUC(); p >= 0.75 {
		t.Errorf("pooling scores of different scales: AUC %v, want it to suffer", p)
	}
}

func TestEVAL15_KFold(t *testing.T) {
	for _, k := range []int{2, 3, 10} {
		folds, err := eval.KFold{K: k, Shuffle: true, Seed: 4}.Split(23, nil)
		if err != nil {
			t.Fatal(err)
		}
		tested := make([]int, 23)
		for _, f := range folds {
			if len(f.Train)+len(f.Test) != 23 {
				t.Errorf("K=%d: parts of %d and %d", k, len(f.Train), len(f.Test))
			}
			for _, i := range f.Test {
				tested[i]++
			}
		}
		if slices.Min(tested) != 1 || slices.Max(tested) != 1 {
			t.Errorf("K=%d: an index is not tested exactly once: %v", k, tested)
		}
	}
	folds, _ := eval.KFold{K: 2}.Split(6, nil)
	if !slices.Equal(folds[0].Train, folds[1].Test) {
		t.Error("with two folds the training parts are not disjoint")
	}
}

func TestEVAL16_LeaveOneOut(t *testing.T) {
	x, y := clouds(30, 4, 1)
	pred, err := eval.CrossPredict(fresh, x, y, eval.LeaveOneOut{})
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range []int{0, 7, 29} {
		var rest []int
		for j := range 30 {
			if j != i {
				rest = append(rest, j)
			}
		}
		m := &centroid{}
		tx, ty := mat.NewDense(29, 2, nil), make([]int, 29)
		for r, j := range rest {
			tx.SetRow(r, x.RawRowView(j))
			ty[r] = y[j]
		}
		if err := m.Fit(tx, ty); err != nil {
			t.Fatal(err)
		}
		if got := m.Predict(x.Slice(i, i+1, 0, 2)); got[0] != pred[i] {
			t.Errorf("example %d: got %d, want %d", i, pred[i], got[0])
		}
	}
}

// always predicts one class.
type always int

func (always) Fit(mat.Matrix, []int) error { return nil }

func (a always) Predict(x mat.Matrix) []int {
	n, _ := x.Dims()
	return slices.Repeat([]int{int(a)}, n)
}

func TestEVAL17_Search(t *testing.T) {
	x, y := clouds(200, 3, 2)
	s := &eval.Search{
		New:    func(p eval.Params) model.Classifier { return &centroid{Shrink: p["shrink"]} },
		Points: eval.GridPoints(map[string][]float64{"shrink": {0.95, 0, 0.5}}),
	}
	if err := s.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	for _, c := range s.Candidates {
		if c.CV.Mean() > s.BestScore {
			t.Errorf("%v scored %v, better than the best %v", c.Params, c.CV.Mean(), s.BestScore)
		}
	}
	// E0-14: the final model is fitted on all the data.
	all := &centroid{Shrink: s.Best["shrink"]}
	if err := all.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	if !mat.Equal(all.means, s.Model.(*centroid).means) {
		t.Error("the model was not refitted on all slices")
	}
	// The same scores in another order are a tie, which goes to the first, although
	// 0.1 + 0.2 + 0.3 is more than 0.3 + 0.2 + 0.1 in floating point.
	var tied []int
	for f, share := range []int{3, 2, 1} {
		for i := range 10 {
			switch {
			case i < share:
				tied = append(tied, 0)
			case i < share+[]int{1, 2, 3}[f]:
				tied = append(tied, 1)
			default:
				tied = append(tied, 2)
			}
		}
	}
	always := &eval.Search{
		New:    func(p eval.Params) model.Classifier { return always(p["class"]) },
		Points: eval.GridPoints(map[string][]float64{"class": {0, 1}}), Split: eval.KFold{K: 3},
	}
	if err := always.Fit(mat.NewDense(30, 1, nil), tied); err != nil {
		t.Fatal(err)
	}
	if always.Candidates[0].CV.Mean() >= always.Candidates[1].CV.Mean() || always.Best["class"] != 0 {
		t.Errorf("of means %v and %v the candidate %v was chosen, want a tie of rounding and the first",
			always.Candidates[0].CV.Mean(), always.Candidates[1].CV.Mean(), always.Best)
	}
	if got := len(eval.GridPoints(map[string][]float64{"a": {1, 2}, "b": {1, 2, 3}})); got != 6 {
		t.Errorf("grid of 2 x 3: got %d points", got)
	}
	below := 0
	for _, p := range eval.RandomPoints(map[string]eval.Interval{"C": {Low: 0.01, High: 100, Log: true}, "k": {Low: 1, High: 3, Integer: true}}, 50, 1) {
		if p["C"] < 1 {
			below++
		}
		if p["C"] < 0.01 || p["C"] > 100 || p["k"] != math.Trunc(p["k"]) || p["k"] < 1 || p["k"] > 3 {
			t.Errorf("point outside its intervals: %v", p)
		}
	}
	if below < 15 || below > 35 { // half of the logarithms; one in 100 of the numbers
		t.Errorf("%d of 50 draws from [0.01, 100] are below 1", below)
	}
}

func TestEVAL18_ShuffleSplit(t *testing.T) {
	folds, err := eval.ShuffleSplit{Repeats: 20, Test: 0.3, Seed: 1}.Split(50, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range folds {
		all := append(slices.Clone(f.Train), f.Test...)
		slices.Sort(all)
		if len(f.Test) != 15 || len(slices.Compact(all)) != 50 {
			t.Fatalf("parts of %d and %d", len(f.Train), len(f.Test))
		}
	}
	if slices.Equal(folds[0].Test, folds[1].Test) {
		t.Error("two repeats drew the same test part")
	}
	y := make([]int, 50) // 40 and 10
	for i := range 10 {
		y[5*i] = 1
	}
	if folds, err = (eval.ShuffleSplit{Repeats: 20, Test: 0.3, Stratify: true, Seed: 1}).Split(50, y); err != nil {
		t.Fatal(err)
	}
	for _, f := range folds {
		ones := 0
		for _, i := range f.Test {
			ones += y[i]
		}
		if len(f.Test) != 15 || ones != 3 {
			t.Errorf("a stratified test part of %d has %d of the small class, want 15 and 3", len(f.Test), ones)
		}
	}
}

func TestEVAL19_Stratified(t *testing.T) {
	y := append(slices.Repeat([]int{0}, 40), slices.Repeat([]int{1}, 60)...)
	for name, s := range map[string]eval.Splitter{
		"folds": eval.StratifiedKFold{K: 10, Shuffle: true, Seed: 1},
		"split": eval.ShuffleSplit{Repeats: 10, Test: 0.1, Stratify: true},
	} {
		folds, err := s.Split(100, y)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range folds {
			ones := 0
			for _, i := range f.Test {
				ones += y[i]
			}
			if len(f.Test) != 10 || ones != 6 {
				t.Errorf("%s: %d of %d are of class 1, want 6 of 10", name, ones, len(f.Test))
			}
		}
	}
	if _, err := (eval.StratifiedKFold{K: 3}).Split(5, []int{0, 0, 0, 1, 1}); err == nil {
		t.Error("a class smaller than K was accepted")
	}
}

// ESL 7.10.2: features chosen before the division make noise look learnable.
func TestEVAL20_Leakage(t *testing.T) {
	l, err := eval.SelectionLeakage(50, 5000, 100, 5, 1)
	if err != nil {
		t.Fatal(err)
	}
	if l.Leaky > 0.1 {
		t.Errorf("leaky estimate %v, want near 0", l.Leaky)
	}
	// Five folds of ten: two standard errors of a fair coin on 50 are 0.14.
	if math.Abs(l.Honest-0.5) > 0.2 {
		t.Errorf("honest estimate %v, want near 0.5", l.Honest)
	}
}

func TestCrossValidate(t *testing.T) {
	x, y := clouds(100, 4, 12)
	cv, err := eval.CrossValidateWith(fresh, x, y, eval.StratifiedKFold{K: 10}, "accuracy", eval.Accuracy)
	if err != nil {
		t.Fatal(err)
	}
	lo, hi := cv.Interval(0.95)
	if len(cv.Scores) != 10 || cv.Mean() < 0.9 || lo > cv.Mean() || hi < cv.Mean() {
		t.Errorf("got %v", cv)
	}
	target := make([]float64, 100)
	for i := range target {
		target[i] = float64(i)
	}
	r, err := eval.CrossValidateRegressor(func() model.Regressor { return &meanOf{} }, x, target, eval.KFold{K: 5, Shuffle: true}, "R2", eval.R2)
	if err != nil {
		t.Fatal(err)
	}
	if r.Mean() > 0 {
		t.Errorf("the mean of the training part explains %v of the test part", r.Mean())
	}
}

func TestMisuse(t *testing.T) {
	for name, f := range map[string]func(){
		"unequal":       func() { eval.Accuracy([]int{1}, []int{1, 2}) },
		"empty":         func() { eval.F1(nil, nil, 1) },
		"one class":     func() { eval.ROC([]int{1, 1}, []float64{1, 2}, 1) },
		"NaN score":     func() { eval.ROC([]int{1, 0}, []float64{math.NaN(), 2}, 1) },
		"confidence":    func() { eval.ErrorInterval(1, 10, 95) },
		"too many":      func() { eval.ErrorInterval(11, 10, 0.95) },
		"costs":         func() { eval.Costs{FalsePositive: -1}.Threshold() },
		"unknown class": func() { eval.LogLoss([]int{3}, mat.NewDense(1, 2, []float64{.5, .5}), []int{0, 1}) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if e, ok := recover().(*model.Error); !ok || e.Op == "" {
					t.Errorf("recovered %v, want a *model.Error", e)
				}
			}()
			f()
		})
	}
	for name, s := range map[string]eval.Splitter{
		"K too large": eval.KFold{K: 9}, "K of 1": eval.KFold{K: 1}, "test of 1": eval.ShuffleSplit{Test: 1},
		"no classes": eval.StratifiedKFold{K: 2},
	} {
		var e *model.Error
		if _, err := s.Split(5, nil); !errors.As(err, &e) {
			t.Errorf("%s: got %v, want a *model.Error", name, err)
		}
	}
}
