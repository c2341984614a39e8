package eval_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/linear"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/modeltest"
	"github.com/gokernel/gokernel/mlstd/sparse"
)

// scoringOracle holds what testdata/oracles/scoring.py computed with scikit-learn.
type scoringOracle struct {
	Classification []struct {
		Name  string
		X     [][]float64
		Y     []int
		W     []float64
		Folds struct{ Loss, TrainLoss, AUC, Accuracy, Brier []float64 }
		Proba [][]float64
		Pred  []int

		Weighted struct{ Loss, Accuracy []float64 }
		Search   struct {
			Means []float64
			Best  float64
			Proba [][]float64
		}
		Kappa, Micro, WeightedF1, WeightedPrecision, MacroRecall, OVR, OVO float64
		Top                                                                []float64
		Binary                                                             struct {
			Score                                       []float64
			AUC, Brier, Precision, Recall, F1, Accuracy float64
		}
	}
	Regression []struct {
		Name   string
		X      [][]float64
		Y, W   []float64
		Folds  struct{ MAE, R2 []float64 }
		Search struct {
			Means []float64
			Best  float64
		}
		Pred            []float64
		Plain, Weighted struct{ MSE, MAE, R2, MAPE, Pinball float64 }
	}
	Splits []struct {
		Name              string
		Y, Groups         []int
		Group, Stratified [][]int
		Time, Gap         [][][]int
	}
}

func readScoring(t *testing.T) scoringOracle {
	t.Helper()
	var o scoringOracle
	mltest.ReadOracle(t, "scoring", &o)
	if len(o.Classification) < 5 || len(o.Regression) < 5 || len(o.Splits) < 5 {
		t.Fatal("the oracle lacks data sets")
	}
	return o
}

var strengths = []float64{0.01, 0.1, 1, 10}

// The optimum of a logistic model is flat: its probabilities agree to 1e-7.
const fitted = 1e-6

func TestOracleCrossScore(t *testing.T) {
	for _, o := range readScoring(t).Classification {
		t.Run(o.Name, func(t *testing.T) {
			x, fresh := data.Rows(o.X), func() model.Classifier { return &linear.LogisticRegression{C: 0.5} }
			how := eval.Resampling{Split: eval.StratifiedKFold{K: 3}}
			got, err := eval.CrossScore(fresh, x, o.Y, how, eval.ByLogLoss, eval.ByAUC, eval.ByAccuracy, eval.ByBrier)
			if err != nil {
				t.Fatal(err)
			}
			mltest.NearAll(t, "log loss", got[0].Scores, o.Folds.Loss, fitted)
			mltest.NearAll(t, "log loss on the training part", got[0].Train, o.Folds.TrainLoss, fitted)
			mltest.NearAll(t, "AUC", got[1].Scores, o.Folds.AUC, 1e-9)
			mltest.NearAll(t, "accuracy", got[2].Scores, o.Folds.Accuracy, 1e-12)
			mltest.NearAll(t, "Brier score", got[3].Scores, o.Folds.Brier, fitted)
			if !got[0].Lower || got[1].Lower || got[0].Metric != "log loss" {
				t.Errorf("got %+v", got[0])
			}
			how.Weights = o.W
			weighted, err := eval.CrossScore(fresh, x, o.Y, how, eval.ByLogLoss, eval.ByAccuracy)
			if err != nil {
				t.Fatal(err)
			}
			mltest.NearAll(t, "weighted log loss", weighted[0].Scores, o.Weighted.Loss, fitted)
			mltest.NearAll(t, "weighted accuracy", weighted[1].Scores, o.Weighted.Accuracy, 1e-12)
			sparsely, err := eval.CrossScore(fresh, sparse.FromDense(x), o.Y, eval.Resampling{Split: how.Split}, eval.ByLogLoss)
			if err != nil {
				t.Fatal(err)
			}
			mltest.NearAll(t, "of a sparse matrix", sparsely[0].Scores, o.Folds.Loss, fitted)

			proba, err := eval.CrossPredictProba(fresh, x, o.Y, how.Split)
			if err != nil {
				t.Fatal(err)
			}
			for i, row := range o.Proba {
				mltest.NearAll(t, "cross-validated probabilities", proba.RawRowView(i), row, fitted)
			}
			s := &eval.Search{New: func(p eval.Params) model.Classifier { return &linear.LogisticRegression{C: p["C"]} },
				Points: eval.GridPoints(map[string][]float64{"C": strengths}), Split: how.Split, By: eval.ByLogLoss}
			if err := s.Fit(x, o.Y); err != nil {
				t.Fatal(err)
			}
			for i, c := range s.Candidates {
				mltest.Near(t, "log loss of "+c.Params.String(), c.CV.Mean(), o.Search.Means[i], fitted)
			}
			mltest.Near(t, "best C", s.Best["C"], o.Search.Best, 0)
			mltest.Near(t, "its score", s.BestScore, slices.Min(o.Search.Means), fitted)
			for i, row := range o.Search.Proba {
				mltest.NearAll(t, "probabilities of the best", s.PredictProba(x).RawRowView(i), row, fitted)
			}
			curve, err := eval.ValidationCurve(func(c float64) model.Classifier { return &linear.LogisticRegression{C: c} }, "C", strengths, x, o.Y, 3, eval.ByLogLoss)
			if err != nil {
				t.Fatal(err)
			}
			mltest.NearAll(t, "validation curve", curve.TestMean(), o.Search.Means, fitted)
			if best, _ := curve.Best(); best != o.Search.Best || curve.Metric != "log loss" {
				t.Errorf("the curve of %s is best at %v", curve.Metric, best)
			}
		})
	}
}

func TestOracleMulticlassMetrics(t *testing.T) {
	for _, o := range readScoring(t).Classification {
		proba, classes := data.Rows(o.Proba), make([]int, len(o.Proba[0]))
		for k := range classes {
			classes[k] = k
		}
		r := eval.Report(o.Y, o.Pred)
		for _, c := range []struct {
			what      string
			got, want float64
		}{
			{"CohenKappa", eval.CohenKappa(o.Y, o.Pred), o.Kappa},
			{"MicroF1", eval.MicroF1(o.Y, o.Pred), o.Micro},
			{"WeightedF1", eval.WeightedF1(o.Y, o.Pred), o.WeightedF1},
			{"weighted precision", r.Weighted.Precision, o.WeightedPrecision},
			{"macro recall", r.Macro.Recall, o.MacroRecall},
		} {
			mltest.Near(t, o.Name+" "+c.what, c.got, c.want, 1e-12)
		}
		if len(classes) > 2 {
			mltest.NearAll(t, o.Name+" top k", []float64{eval.TopKAccuracy(o.Y, proba, classes, 1), eval.TopKAccuracy(o.Y, proba, classes, 2)}, o.Top, 1e-12)
			mltest.Near(t, o.Name+" AUC against the rest", eval.MulticlassAUC(o.Y, proba, classes, false), o.OVR, 1e-12)
			mltest.Near(t, o.Name+" AUC of pairs", eval.MulticlassAUC(o.Y, proba, classes, true), o.OVO, 1e-12)
		} else {
			mltest.Near(t, o.Name+" AUC of two", eval.MulticlassAUC(o.Y, proba, classes, true), eval.AUC(o.Y, mat.Col(nil, 1, proba), 1), 1e-12)
		}
	}
}

func TestOracleWeightedMetrics(t *testing.T) {
	o := readScoring(t)
	for _, o := range o.Classification {
		one, said := make([]int, len(o.Y)), make([]int, len(o.Y))
		for i, c := range o.Y {
			if c == slices.Max(o.Y) {
				one[i] = 1
			}
			if o.Binary.Score[i] > 0.5 {
				said[i] = 1
			}
		}
		w, b := eval.Weights(o.W), o.Binary
		mltest.Near(t, o.Name+" AUC", w.AUC(one, b.Score, 1), b.AUC, 1e-12)
		mltest.Near(t, o.Name+" Brier", w.BrierScore(one, b.Score, 1), b.Brier, 1e-12)
		mltest.Near(t, o.Name+" precision", w.Precision(one, said, 1), b.Precision, 1e-12)
		mltest.Near(t, o.Name+" recall", w.Recall(one, said, 1), b.Recall, 1e-12)
		mltest.Near(t, o.Name+" F1", w.F1(one, said, 1), b.F1, 1e-12)
		mltest.Near(t, o.Name+" accuracy", w.Accuracy(one, said), b.Accuracy, 1e-12)
		mltest.Near(t, o.Name+" AUC without weights", eval.Weights(nil).AUC(one, b.Score, 1), eval.AUC(one, b.Score, 1), 1e-12)
	}
	for _, o := range o.Regression {
		w, q := eval.Weights(o.W), o.Weighted
		mltest.NearAll(t, o.Name, []float64{w.MSE(o.Y, o.Pred), w.MAE(o.Y, o.Pred), w.R2(o.Y, o.Pred), w.MAPE(o.Y, o.Pred), w.PinballLoss(o.Y, o.Pred, 0.8)},
			[]float64{q.MSE, q.MAE, q.R2, q.MAPE, q.Pinball}, 1e-12)
		p := o.Plain
		mltest.NearAll(t, o.Name+" without weights", []float64{eval.MSE(o.Y, o.Pred), eval.MAE(o.Y, o.Pred), eval.R2(o.Y, o.Pred), eval.MAPE(o.Y, o.Pred), eval.PinballLoss(o.Y, o.Pred, 0.8)},
			[]float64{p.MSE, p.MAE, p.R2, p.MAPE, p.Pinball}, 1e-12)
		mltest.Near(t, o.Name+" root", w.RMSE(o.Y, o.Pred), math.Sqrt(q.MSE), 1e-12)
	}
}

func TestOracleRegressorScoring(t *testing.T) {
	for _, o := range readScoring(t).Regression {
		x, fresh := data.Rows(o.X), func() model.Regressor { return &linear.Ridge{Lambda: 2} }
		split := eval.KFold{K: 4}
		got, err := eval.CrossScoreRegressor(fresh, x, o.Y, eval.Resampling{Split: split}, eval.ByMAE, eval.ByR2)
		if err != nil {
			t.Fatal(err)
		}
		mltest.NearAll(t, o.Name+" MAE", got[0].Scores, o.Folds.MAE, 1e-8)
		mltest.NearAll(t, o.Name+" R²", got[1].Scores, o.Folds.R2, 1e-8)
		pred, err := eval.CrossPredictRegressor(fresh, x, o.Y, split)
		if err != nil {
			t.Fatal(err)
		}
		mltest.NearAll(t, o.Name+" cross-validated predictions", pred, o.Pred, 1e-8)
		s := &eval.RegressorSearch{New: func(p eval.Params) model.Regressor { return &linear.Ridge{Lambda: p["alpha"]} },
			Points: eval.GridPoints(map[string][]float64{"alpha": strengths}), Split: split, By: eval.ByMAE}
		if err := s.Fit(x, o.Y); err != nil {
			t.Fatal(err)
		}
		for i, c := range s.Candidates {
			mltest.Near(t, o.Name+" MAE of "+c.Params.String(), c.CV.Mean(), o.Search.Means[i], 1e-8)
		}
		mltest.Near(t, o.Name+" best", s.Best["alpha"], o.Search.Best, 0)
		curve, err := eval.ValidationCurveRegressor(func(a float64) model.Regressor { return &linear.Ridge{Lambda: a} }, "λ", strengths, x, o.Y, 4, eval.ByMAE)
		if err != nil {
			t.Fatal(err)
		}
		mltest.NearAll(t, o.Name+" validation curve", curve.TestMean(), o.Search.Means, 1e-8)
		if best, _ := curve.Best(); best != o.Search.Best {
			t.Errorf("%s: the curve is best at %v", o.Name, best)
		}
		learn, err := eval.LearningCurveRegressor(fresh, x, o.Y, []int{10, 20, 40}, 4, 1, eval.ByRMSE)
		if err != nil {
			t.Fatal(err)
		}
		if m := learn.TestMean(); m[2] >= m[0] || !learn.Lower {
			t.Errorf("%s: RMSE %v for more and more examples", o.Name, m)
		}
	}
}

func TestOracleGroupSplits(t *testing.T) {
	for _, o := range readScoring(t).Splits {
		n := len(o.Y)
		for _, c := range []struct {
			name  string
			split eval.Splitter
			want  [][]int
		}{
			{"GroupKFold", eval.GroupKFold{Groups: o.Groups, K: 4}, o.Group},
			{"StratifiedGroupKFold", eval.StratifiedGroupKFold{Groups: o.Groups, K: 3}, o.Stratified},
		} {
			folds, err := c.split.Split(n, o.Y)
			if err != nil {
				t.Fatal(err)
			}
			var got [][]int
			for _, f := range folds {
				got = append(got, f.Test)
			}
			// Rounding decides which of several equally good slices a group is put into.
			first := func(a, b []int) int { return a[0] - b[0] }
			slices.SortFunc(got, first)
			slices.SortFunc(c.want, first)
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("%s %s (-want +got):\n%s", o.Name, c.name, d)
			}
		}
		for _, c := range []struct {
			split eval.Splitter
			want  [][][]int
		}{
			{eval.TimeSeriesSplit{K: 4}, o.Time}, {eval.TimeSeriesSplit{K: 3, Gap: 5, Test: 10, MaxTrain: 20}, o.Gap},
		} {
			folds, err := c.split.Split(n, nil)
			if err != nil {
				t.Fatal(err)
			}
			for i, f := range folds {
				if d := cmp.Diff(c.want[i], [][]int{f.Train, f.Test}); d != "" {
					t.Errorf("%s %+v fold %d (-want +got):\n%s", o.Name, c.split, i, d)
				}
			}
		}
	}
	// No group is on both sides, shuffled or not.
	groups, y := []int{5, 5, 5, 1, 1, 2, 3, 3, 9, 9}, []int{0, 1, 0, 1, 0, 1, 0, 1, 0, 1}
	for _, s := range []eval.Splitter{eval.GroupKFold{Groups: groups, K: 3}, eval.StratifiedGroupKFold{Groups: groups, K: 2, Shuffle: true, Seed: 4}} {
		folds, err := s.Split(10, y)
		if err != nil {
			t.Fatal(err)
		}
		tested := 0
		for _, f := range folds {
			tested += len(f.Test)
			for _, i := range f.Test {
				for _, j := range f.Train {
					if groups[i] == groups[j] {
						t.Errorf("%T: group %d is on both sides", s, groups[i])
					}
				}
			}
		}
		if tested != 10 {
			t.Errorf("%T tests %d of 10", s, tested)
		}
	}
}

func TestBalancedWeights(t *testing.T) {
	y := []int{3, 3, 3, 5}
	mltest.NearAll(t, "balanced", eval.BalancedWeights(y), []float64{4. / 6, 4. / 6, 4. / 6, 2}, 1e-12) // n/(k·n_c), as scikit-learn
	mltest.NearAll(t, "by class", eval.ClassWeights(y, map[int]float64{5: 7}), []float64{1, 1, 1, 7}, 0)
}

func TestScoringRefusals(t *testing.T) {
	x, y := clouds(30, 3, 1)
	real := make([]float64, 30)
	plain := func() model.Classifier { return always(0) }
	for name, c := range map[string]struct {
		err  func() error
		want string
	}{
		"no probabilities": {func() error { _, err := eval.CrossScore(plain, x, y, eval.Resampling{}, eval.ByLogLoss); return err }, "fold 1: Scoring: the model must have PredictProba, got"},
		"no weights": {func() error {
			_, err := eval.CrossScore(plain, x, y, eval.Resampling{Weights: eval.BalancedWeights(y)})
			return err
		}, "fold 1: CrossScore: the model must have FitWeighted, got"},
		"a metric without weights": {func() error {
			_, err := eval.CrossScore(func() model.Classifier { return &linear.LogisticRegression{} }, x, y, eval.Resampling{Weights: eval.BalancedWeights(y)}, eval.ByMacroF1)
			return err
		}, "fold 1: Scoring: the Scoring must take weights, got macro F1"},
		"few weights": {func() error {
			_, err := eval.CrossScore(plain, x, y, eval.Resampling{Weights: eval.Weights{1}})
			return err
		}, "weights must have 30 entries, got 1"},
		"no function": {func() error {
			_, err := eval.CrossScore(plain, x, y, eval.Resampling{}, eval.Scoring{Name: "a"})
			return err
		}, `scoring "a" must have a function in its field Of, got nil`},
		"MAPE of 0": {func() error {
			_, err := eval.CrossScoreRegressor(func() model.Regressor { return &meanOf{} }, x, real, eval.Resampling{}, eval.ByMAPE)
			return err
		}, "fold 1: MAPE: y[0] must not be 0 for a relative error"},
		"groups":        {func() error { _, err := eval.GroupKFold{Groups: y[:3]}.Split(30, y); return err }, "Groups must have 30 entries (the number of examples), got 3"},
		"few groups":    {func() error { _, err := eval.GroupKFold{Groups: make([]int, 30), K: 2}.Split(30, y); return err }, "K must be at most 1 (the number of groups), got 2"},
		"short series":  {func() error { _, err := eval.TimeSeriesSplit{K: 30}.Split(30, nil); return err }, "the test parts must leave examples to train on, but 30"},
		"negative gap":  {func() error { _, err := eval.TimeSeriesSplit{Gap: -1}.Split(30, nil); return err }, "Gap must not be negative, got -1"},
		"time, crossed": {func() error { _, err := eval.CrossPredict(plain, x, y, eval.TimeSeriesSplit{}); return err }, "the test parts must cover all examples, but example 0 is in"},
	} {
		if err := c.err(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
	}
}

func TestSearchesConform(t *testing.T) {
	skip := map[string]string{
		"row permutation": "the folds depend on the order of the rows, and with them the choice",
		"one row":         "one row cannot be divided",
		"weights":         "the folds depend on the number of the rows, and with them the choice",
	}
	t.Run("Search", func(t *testing.T) {
		modeltest.Classifier(t, func() model.Classifier {
			return &eval.Search{New: func(p eval.Params) model.Classifier { return &linear.LogisticRegression{C: p["C"]} },
				Points: eval.GridPoints(map[string][]float64{"C": {0.1, 1}}), Split: eval.KFold{K: 2, Shuffle: true, Seed: 1}, By: eval.ByLogLoss}
		}, modeltest.Options{Skip: skip, Tolerance: 1e-5})
	})
	t.Run("RegressorSearch", func(t *testing.T) {
		modeltest.Regressor(t, func() model.Regressor {
			return &eval.RegressorSearch{New: func(p eval.Params) model.Regressor { return &linear.Ridge{Lambda: p["λ"]} },
				Points: eval.GridPoints(map[string][]float64{"λ": {0.1, 1}}), Split: eval.KFold{K: 2}}
		}, modeltest.Options{Skip: skip})
	})
}

func TestScoringOfOwnMetrics(t *testing.T) {
	x, y := clouds(60, 3, 1)
	m := &linear.LogisticRegression{}
	if err := m.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		by   eval.Scoring
		want float64
	}{
		{eval.ByPredictions("error", eval.ErrorRate), eval.ErrorRate(y, m.Predict(x))},
		{eval.ByProbabilities("loss", true, eval.LogLoss), eval.LogLoss(y, m.PredictProba(x), m.Classes())},
	} {
		got, err := c.by.Of(m, x, y, nil)
		if err != nil {
			t.Fatal(err)
		}
		mltest.Near(t, c.by.Name, got, c.want, 0)
	}
	target, predicted := []float64{1, 2, 3}, []float64{2, 2, 1}
	mltest.Near(t, "pinball", eval.ByPinball(0.9).Of(target, predicted, nil), eval.PinballLoss(target, predicted, 0.9), 0)
	mltest.Near(t, "by hand", eval.PinballLoss(target, predicted, 0.9), (0.1*1+0.9*2)/3, 1e-12)
}
