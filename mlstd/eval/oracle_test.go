package eval_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/linear"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/prep"
)

// oracle holds what testdata/oracles/eval.py computed with scikit-learn, SciPy and
// statsmodels.
type oracle struct {
	Metrics []struct {
		Name                                      string
		Y, Pred, Classes                          []int
		Proba                                     [][]float64
		Confusion                                 [][]int
		Accuracy, Precision1, Recall1, F1, Fbeta2 float64
		FMeasure, Specificity1                    float64
		Report                                    [][5]float64 // class, precision, recall, F1, support
		MacroF1                                   float64      `json:"macro_f1"`
		Balanced, MCC, Brier1                     float64
		LogLoss                                   float64 `json:"log_loss"`
	}
	Awkward []struct {
		Name                              string
		Y, Pred                           []int
		Confusion                         [][]int
		Accuracy, Precision1, Recall1, F1 float64
		MacroF1                           float64 `json:"macro_f1"`
		Balanced, MCC                     float64
	}
	Curves []struct {
		Name                        string
		Y                           []int
		Score                       []float64
		FPR, TPR, Precision, Recall []float64
		AUC, AP, Hull               float64
		BestF                       float64 `json:"best_f"`
		BestCost                    float64 `json:"best_cost"`
		BestCostAt                  float64 `json:"best_cost_at"`
		Parts                       [][]int
		PartAUC                     float64 `json:"part_auc"`
	}
	LeaveOneOut [][]int `json:"leave_one_out"`
	Folds       []struct {
		Name              string
		Y                 []int
		K                 int
		Kfold, Stratified [][]int
	}
	Regression []struct {
		Y, Pred                 []float64
		MSE, MAE, MedAE, R2, EV float64
	}
	Search []struct {
		Name                 string
		X                    [][]float64
		Y                    []int
		Scores, Means, Macro []float64
		Predicted, Refit     []int
		Best                 float64
		Train, Test          [][]float64
		Pred                 []int
		Proba                [][]float64
	}
	Regressors []struct {
		Name            string
		X               [][]float64
		Y, Pred, Scores []float64
	}
	Grid  [][3]float64
	Pairs []struct {
		Name                    string
		A, B                    []float64
		T, P, Sign, Permutation float64
		Jackknife               [2]float64
	}
	Counts []struct {
		Name                     string
		K, N, K2, N2             int
		Confidence, Q, Binomial  float64
		Wald, Wilson, Difference [2]float64
	}
	Tables []struct {
		Name         string
		T            [2][2]int
		Two, Greater float64
		B, C         int
		McNemar      [3][2]float64
	}
	Weights []struct {
		Name           string
		Source, Target [][]float64
		W              []float64
	}
}

func readOracle(t *testing.T) oracle {
	t.Helper()
	var o oracle
	mltest.ReadOracle(t, "eval", &o)
	if len(o.Metrics) < 5 {
		t.Fatalf("the oracle has %d data sets, want at least 5", len(o.Metrics))
	}
	return o
}

// Both sides add the same few hundred terms in another order.
const tol = 1e-12

func TestOracleMetrics(t *testing.T) {
	for _, m := range readOracle(t).Metrics {
		t.Run(m.Name, func(t *testing.T) {
			if d := cmp.Diff(m.Confusion, eval.Confusion(m.Y, m.Pred).Counts); d != "" {
				t.Errorf("confusion (-want +got):\n%s", d)
			}
			p := mat.NewDense(len(m.Y), len(m.Classes), nil)
			one := make([]float64, len(m.Y))
			for i, row := range m.Proba {
				p.SetRow(i, row)
				one[i] = row[1]
			}
			mltest.Near(t, "accuracy", eval.Accuracy(m.Y, m.Pred), m.Accuracy, tol)
			mltest.Near(t, "error", eval.ErrorRate(m.Y, m.Pred), 1-m.Accuracy, tol)
			mltest.Near(t, "precision", eval.Precision(m.Y, m.Pred, 1), m.Precision1, tol)
			mltest.Near(t, "recall", eval.Recall(m.Y, m.Pred, 1), m.Recall1, tol)
			mltest.Near(t, "F1", eval.F1(m.Y, m.Pred, 1), m.F1, tol)
			mltest.Near(t, "F2", eval.FBeta(m.Y, m.Pred, 1, 2), m.Fbeta2, tol)
			mltest.Near(t, "macro F1", eval.MacroF1(m.Y, m.Pred), m.MacroF1, tol)
			mltest.Near(t, "F of 0.3 and the accuracy", eval.FMeasure(0.3, m.Accuracy), m.FMeasure, tol)
			mltest.Near(t, "specificity", eval.Specificity(m.Y, m.Pred, 1), m.Specificity1, tol)
			mltest.Near(t, "false positive rate", eval.FalsePositiveRate(m.Y, m.Pred, 1), 1-m.Specificity1, tol)
			report := eval.Report(m.Y, m.Pred)
			if len(report.Classes) != len(m.Report) {
				t.Fatalf("the report has %d classes, want %d", len(report.Classes), len(m.Report))
			}
			for i, c := range report.Classes {
				mltest.NearAll(t, "report", []float64{float64(c.Class), c.Precision, c.Recall, c.F1, float64(c.Support)}, m.Report[i][:], tol)
			}
			mltest.Near(t, "accuracy of the report", report.Accuracy, m.Accuracy, tol)
			mltest.Near(t, "macro F1 of the report", report.MacroF1, m.MacroF1, tol)
			mltest.Near(t, "balanced accuracy", eval.BalancedAccuracy(m.Y, m.Pred), m.Balanced, tol)
			mltest.Near(t, "Matthews", eval.MatthewsCorrelation(m.Y, m.Pred), m.MCC, tol)
			mltest.Near(t, "log loss", eval.LogLoss(m.Y, p, m.Classes), m.LogLoss, tol)
			mltest.Near(t, "Brier", eval.BrierScore(m.Y, one, 1), m.Brier1, tol)
		})
	}
}

// Undefined ratios are 0 on both sides (zero_division=0 in scikit-learn).
func TestOracleAwkwardClasses(t *testing.T) {
	for _, m := range readOracle(t).Awkward {
		t.Run(m.Name, func(t *testing.T) {
			if d := cmp.Diff(m.Confusion, eval.Confusion(m.Y, m.Pred).Counts); d != "" {
				t.Errorf("confusion (-want +got):\n%s", d)
			}
			mltest.Near(t, "accuracy", eval.Accuracy(m.Y, m.Pred), m.Accuracy, tol)
			mltest.Near(t, "precision", eval.Precision(m.Y, m.Pred, 1), m.Precision1, tol)
			mltest.Near(t, "recall", eval.Recall(m.Y, m.Pred, 1), m.Recall1, tol)
			mltest.Near(t, "F1", eval.F1(m.Y, m.Pred, 1), m.F1, tol)
			mltest.Near(t, "macro F1", eval.MacroF1(m.Y, m.Pred), m.MacroF1, tol)
			mltest.Near(t, "balanced accuracy", eval.BalancedAccuracy(m.Y, m.Pred), m.Balanced, tol)
			mltest.Near(t, "Matthews", eval.MatthewsCorrelation(m.Y, m.Pred), m.MCC, tol)
		})
	}
}

func TestOracleCurves(t *testing.T) {
	for _, c := range readOracle(t).Curves {
		t.Run(c.Name, func(t *testing.T) {
			r := eval.ROC(c.Y, c.Score, 1)
			mltest.NearAll(t, "FPR", r.FPR, c.FPR, tol)
			mltest.NearAll(t, "TPR", r.TPR, c.TPR, tol)
			mltest.Near(t, "AUC", eval.AUC(c.Y, c.Score, 1), c.AUC, tol)
			p := eval.PrecisionRecall(c.Y, c.Score, 1)
			// scikit-learn stops once recall reaches 1; the rest of ours has recall 1.
			mltest.NearAll(t, "recall", p.Recall[:len(c.Recall)], c.Recall, tol)
			mltest.NearAll(t, "precision", p.Precision[:len(c.Precision)], c.Precision, tol)
			mltest.Near(t, "area under the hull", r.Hull().AUC(), c.Hull, tol)
			f := eval.BestFThreshold(c.Y, c.Score, 1, 1)
			mltest.Near(t, "best F", f.Value, c.BestF, tol)
			mltest.Near(t, "F at the best threshold", eval.F1(c.Y, eval.AtThreshold(c.Score, f.Threshold, 1, 0), 1), c.BestF, tol)
			costs := eval.Costs{FalsePositive: 1, FalseNegative: 10}
			cost := eval.BestCostThreshold(c.Y, c.Score, 1, costs)
			mltest.Near(t, "least cost", cost.Value, c.BestCost, tol)
			mltest.Near(t, "threshold of the least cost", min(cost.Threshold, 99), c.BestCostAt, tol)
			mltest.Near(t, "cost at it", costs.Mean(c.Y, eval.AtThreshold(c.Score, cost.Threshold, 1, 0), 1), c.BestCost, tol)
			var ys [][]int
			var scores [][]float64
			for _, rows := range c.Parts {
				var y []int
				var score []float64
				for _, i := range rows {
					y, score = append(y, c.Y[i]), append(score, c.Score[i])
				}
				ys, scores = append(ys, y), append(scores, score)
			}
			mltest.Near(t, "area under the mean of the curves of parts", eval.AverageROC(ys, scores, 1).AUC(), c.PartAUC, tol)
			mltest.Near(t, "area under the pooled curve", eval.PooledROC(ys, scores, 1).AUC(), c.AUC, tol)
			mltest.Near(t, "AP", eval.AveragePrecision(c.Y, c.Score, 1), c.AP, tol)
		})
	}
}

func TestOracleFolds(t *testing.T) {
	for _, f := range readOracle(t).Folds {
		for name, s := range map[string]struct {
			split eval.Splitter
			want  [][]int
		}{"KFold": {eval.KFold{K: f.K}, f.Kfold}, "StratifiedKFold": {eval.StratifiedKFold{K: f.K}, f.Stratified}} {
			folds, err := s.split.Split(len(f.Y), f.Y)
			if err != nil {
				t.Fatal(err)
			}
			for i, fold := range folds {
				if d := cmp.Diff(s.want[i], fold.Test); d != "" {
					t.Errorf("%s %s K=%d fold %d (-want +got):\n%s", f.Name, name, f.K, i, d)
				}
			}
		}
	}
}

func TestOracleRegression(t *testing.T) {
	for _, r := range readOracle(t).Regression {
		mltest.Near(t, "MSE", eval.MSE(r.Y, r.Pred), r.MSE, tol)
		mltest.Near(t, "RMSE", eval.RMSE(r.Y, r.Pred), math.Sqrt(r.MSE), tol)
		mltest.Near(t, "MAE", eval.MAE(r.Y, r.Pred), r.MAE, tol)
		mltest.Near(t, "median absolute error", eval.MedianAbsoluteError(r.Y, r.Pred), r.MedAE, tol)
		mltest.Near(t, "R2", eval.R2(r.Y, r.Pred), r.R2, tol)
		mltest.Near(t, "explained variance", eval.ExplainedVariance(r.Y, r.Pred), r.EV, tol)
	}
}

func TestOracleLeaveOneOut(t *testing.T) {
	want := readOracle(t).LeaveOneOut
	folds, err := eval.LeaveOneOut{}.Split(len(want), nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, fold := range folds {
		if d := cmp.Diff(want[i], fold.Test); d != "" {
			t.Errorf("fold %d (-want +got):\n%s", i, d)
		}
	}
}

func TestOracleTests(t *testing.T) {
	const tol = 1e-10 // tails of distributions, by series
	o := readOracle(t)
	for _, p := range o.Pairs {
		r := eval.PairedTTest(p.A, p.B)
		mltest.Near(t, p.Name+" t", r.Statistic, p.T, tol)
		mltest.Near(t, p.Name+" p of t", r.P, p.P, tol)
		mltest.Near(t, p.Name+" sign test", eval.SignTest(p.A, p.B).P, p.Sign, tol)
		mltest.Near(t, p.Name+" permutation test", eval.PermutationTest(p.A, p.B, 1).P, p.Permutation, tol)
		both := eval.CompareOnDataSets(make([]string, len(p.A)), p.A, p.B)
		mltest.Near(t, p.Name+" sign test of the comparison", both.Sign.P, p.Sign, tol)
		mltest.Near(t, p.Name+" t of the comparison", both.Paired.Statistic, p.T, tol)
		jack := eval.Jackknife(len(p.A), func(rows []int) float64 {
			sum := 0.0
			for _, i := range rows {
				sum += p.A[i]
			}
			return math.Log(sum / float64(len(rows)))
		})
		mltest.Near(t, p.Name+" jackknife", jack.Value, p.Jackknife[0], tol)
		mltest.Near(t, p.Name+" jackknife's standard error", jack.StdErr, p.Jackknife[1], tol)
	}
	for _, c := range o.Tables {
		two, one := eval.FisherExact(c.T[0][0], c.T[0][1], c.T[1][0], c.T[1][1])
		mltest.Near(t, c.Name+" Fisher two-sided", two.P, c.Two, tol)
		mltest.Near(t, c.Name+" Fisher one-sided", one.P, c.Greater, tol)
		// The same two counts as right and wrong answers of two models.
		var y, first, second []int
		for range c.B {
			y, first, second = append(y, 1), append(first, 1), append(second, 0)
		}
		for range c.C {
			y, first, second = append(y, 1), append(first, 0), append(second, 1)
		}
		m := eval.McNemar(y, first, second)
		if m != eval.McNemarCounts(c.B, c.C) {
			t.Errorf("%s: McNemar of the answers is %+v", c.Name, m)
		}
		for i, r := range []eval.TestResult{m.ChiSquare, m.Corrected, m.Exact} {
			if i < 2 { // statsmodels' exact statistic is the smaller count, ours is b
				mltest.Near(t, c.Name+" "+r.Name, r.Statistic, c.McNemar[i][0], tol)
			}
			mltest.Near(t, c.Name+" p of "+r.Name, r.P, c.McNemar[i][1], tol)
		}
	}
}

func TestOracleIntervals(t *testing.T) {
	const tol = 1e-10 // quantiles of the normal distribution
	for _, c := range readOracle(t).Counts {
		mltest.Near(t, c.Name+" binomial test", eval.BinomialTest(c.K, c.N, c.Q).P, c.Binomial, tol)
		wald, wilson := eval.ErrorInterval(c.K, c.N, c.Confidence), eval.WilsonInterval(c.K, c.N, c.Confidence)
		mltest.NearAll(t, c.Name+" normal interval", []float64{wald.Low, wald.High}, c.Wald[:], tol)
		mltest.NearAll(t, c.Name+" Wilson interval", []float64{wilson.Low, wilson.High}, c.Wilson[:], tol)
		d := eval.ErrorDifference(c.K, c.N, c.K2, c.N2, c.Confidence)
		mltest.NearAll(t, c.Name+" difference", []float64{d.Low, d.High}, c.Difference[:], tol)
	}
}

func TestOracleImportanceWeights(t *testing.T) {
	for _, c := range readOracle(t).Weights {
		w, err := eval.ImportanceWeights(data.Rows(c.Source), data.Rows(c.Target))
		if err != nil {
			t.Fatal(err)
		}
		mltest.NearAll(t, c.Name, w, c.W, 1e-9)
	}
}

// scaledLogistic is the pipeline of the oracle: Newton's method there, L-BFGS to
// the same gradient here.
func scaledLogistic(c float64) *eval.ProbPipeline {
	return &eval.ProbPipeline{Steps: []model.Transformer{&prep.StandardScaler{}}, Model: &linear.LogisticRegression{C: c, Tol: 1e-10}}
}

func TestOracleSearch(t *testing.T) {
	grid := []float64{0.01, 0.1, 1, 10}
	for _, o := range readOracle(t).Search {
		t.Run(o.Name, func(t *testing.T) {
			x := data.Rows(o.X)
			plain := func() model.Classifier { return scaledLogistic(1) }
			cv, err := eval.CrossValidateWith(plain, x, o.Y, eval.StratifiedKFold{K: 4}, "accuracy", eval.Accuracy)
			if err != nil {
				t.Fatal(err)
			}
			mltest.NearAll(t, "scores", cv.Scores, o.Scores, tol)
			macro, err := eval.CrossValidateWith(func() model.Classifier { return scaledLogistic(0.1) }, x, o.Y, eval.KFold{K: 3}, "macro F1", eval.MacroF1)
			if err != nil {
				t.Fatal(err)
			}
			mltest.NearAll(t, "macro F1", macro.Scores, o.Macro, tol)
			predicted, err := eval.CrossPredict(plain, x, o.Y, eval.StratifiedKFold{K: 4})
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(o.Predicted, predicted); d != "" {
				t.Errorf("cross-validated predictions (-want +got):\n%s", d)
			}
			s := &eval.Search{New: func(p eval.Params) model.Classifier { return scaledLogistic(p["C"]) },
				Points: eval.GridPoints(map[string][]float64{"C": grid}), Split: eval.StratifiedKFold{K: 4}}
			if err := s.Fit(x, o.Y); err != nil {
				t.Fatal(err)
			}
			for i, c := range s.Candidates {
				mltest.Near(t, "mean score of "+c.Params.String(), c.CV.Mean(), o.Means[i], tol)
			}
			mltest.Near(t, "best C", s.Best["C"], o.Best, 0)
			if d := cmp.Diff(o.Refit, s.Predict(x)); d != "" {
				t.Errorf("predictions of the best, fitted again (-want +got):\n%s", d)
			}
			curve, err := eval.ValidationCurve(func(c float64) model.Classifier { return scaledLogistic(c) }, "C", grid, x, o.Y, 4)
			if err != nil {
				t.Fatal(err)
			}
			for i := range grid {
				mltest.NearAll(t, "training scores", curve.Train[i], o.Train[i], tol)
				mltest.NearAll(t, "test scores", curve.Test[i], o.Test[i], tol)
			}
			m := scaledLogistic(1)
			hard := &eval.Pipeline{Steps: []model.Transformer{&prep.StandardScaler{}}, Model: &linear.LogisticRegression{Tol: 1e-10}}
			for _, p := range []model.Classifier{m, hard} {
				if err := p.Fit(x, o.Y); err != nil {
					t.Fatal(err)
				}
				if d := cmp.Diff(o.Pred, p.Predict(x)); d != "" {
					t.Errorf("predictions (-want +got):\n%s", d)
				}
			}
			for i, row := range o.Proba {
				mltest.NearAll(t, "probabilities", m.PredictProba(x).RawRowView(i), row, 1e-6)
			}
		})
	}
}

func TestOracleRegressorPipeline(t *testing.T) {
	for _, o := range readOracle(t).Regressors {
		x := data.Rows(o.X)
		fresh := func() model.Regressor {
			return &eval.RegressorPipeline{Steps: []model.Transformer{&prep.StandardScaler{}, &prep.PolynomialFeatures{NoConstant: true}}, Model: &linear.Ridge{}}
		}
		m := fresh()
		if err := m.Fit(x, o.Y); err != nil {
			t.Fatal(err)
		}
		mltest.NearAll(t, o.Name+" predictions", m.Predict(x), o.Pred, 1e-9)
		cv, err := eval.CrossValidateRegressor(fresh, x, o.Y, eval.KFold{K: 4}, "R²", eval.R2)
		if err != nil {
			t.Fatal(err)
		}
		mltest.NearAll(t, o.Name+" R²", cv.Scores, o.Scores, 1e-8)
	}
}

func TestOracleGridPoints(t *testing.T) {
	var got [][3]float64
	for _, p := range eval.GridPoints(map[string][]float64{"c": {4, 5, 6}, "a": {1, 2}, "b": {3}}) {
		got = append(got, [3]float64{p["a"], p["b"], p["c"]})
	}
	if d := cmp.Diff(readOracle(t).Grid, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}
