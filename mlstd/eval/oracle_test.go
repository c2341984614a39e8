package eval_test

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/eval"
)

// oracle holds what testdata/oracles/eval.py computed with scikit-learn and SciPy.
type oracle struct {
	Metrics []struct {
		Name                                      string
		Y, Pred, Classes                          []int
		Proba                                     [][]float64
		Confusion                                 [][]int
		Accuracy, Precision1, Recall1, F1, Fbeta2 float64
		MacroF1                                   float64 `json:"macro_f1"`
		Balanced, MCC, Brier1                     float64
		LogLoss                                   float64 `json:"log_loss"`
	}
	Curves []struct {
		Name                        string
		Y                           []int
		Score                       []float64
		FPR, TPR, Precision, Recall []float64
		AUC, AP                     float64
	}
	Folds []struct {
		Name              string
		Y                 []int
		K                 int
		Kfold, Stratified [][]int
	}
	Regression []struct {
		Y, Pred                 []float64
		MSE, MAE, MedAE, R2, EV float64
	}
	Tests struct {
		A, B      []float64
		T, P      float64
		Binom     [][4]float64
		FisherTwo float64 `json:"fisher_two"`
		FisherOne float64 `json:"fisher_one"`
		Wilson    [2]float64
	}
}

func readOracle(t *testing.T) oracle {
	t.Helper()
	data, err := os.ReadFile("../../testdata/oracles/eval.json")
	if err != nil {
		t.Fatal(err)
	}
	var o oracle
	if err := json.Unmarshal(data, &o); err != nil {
		t.Fatal(err)
	}
	if len(o.Metrics) < 5 {
		t.Fatalf("the oracle has %d data sets, want at least 5", len(o.Metrics))
	}
	return o
}

// Both sides add the same few hundred terms in another order.
const tol = 1e-12

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if math.IsNaN(got) || math.Abs(got-want) > tol*max(1, math.Abs(want)) {
		t.Errorf("%s: got %.15g, want %.15g", what, got, want)
	}
}

func nearAll(t *testing.T, what string, got, want []float64, tol float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: got %d values, want %d", what, len(got), len(want))
	}
	for i := range got {
		near(t, what, got[i], want[i], tol)
	}
}

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
			near(t, "accuracy", eval.Accuracy(m.Y, m.Pred), m.Accuracy, tol)
			near(t, "error", eval.ErrorRate(m.Y, m.Pred), 1-m.Accuracy, tol)
			near(t, "precision", eval.Precision(m.Y, m.Pred, 1), m.Precision1, tol)
			near(t, "recall", eval.Recall(m.Y, m.Pred, 1), m.Recall1, tol)
			near(t, "F1", eval.F1(m.Y, m.Pred, 1), m.F1, tol)
			near(t, "F2", eval.FBeta(m.Y, m.Pred, 1, 2), m.Fbeta2, tol)
			near(t, "macro F1", eval.MacroF1(m.Y, m.Pred), m.MacroF1, tol)
			near(t, "balanced accuracy", eval.BalancedAccuracy(m.Y, m.Pred), m.Balanced, tol)
			near(t, "Matthews", eval.MatthewsCorrelation(m.Y, m.Pred), m.MCC, tol)
			near(t, "log loss", eval.LogLoss(m.Y, p, m.Classes), m.LogLoss, tol)
			near(t, "Brier", eval.BrierScore(m.Y, one, 1), m.Brier1, tol)
		})
	}
}

func TestOracleCurves(t *testing.T) {
	for _, c := range readOracle(t).Curves {
		t.Run(c.Name, func(t *testing.T) {
			r := eval.ROC(c.Y, c.Score, 1)
			nearAll(t, "FPR", r.FPR, c.FPR, tol)
			nearAll(t, "TPR", r.TPR, c.TPR, tol)
			near(t, "AUC", eval.AUC(c.Y, c.Score, 1), c.AUC, tol)
			p := eval.PrecisionRecall(c.Y, c.Score, 1)
			// scikit-learn stops once recall reaches 1; the rest of ours has recall 1.
			nearAll(t, "recall", p.Recall[:len(c.Recall)], c.Recall, tol)
			nearAll(t, "precision", p.Precision[:len(c.Precision)], c.Precision, tol)
			near(t, "AP", eval.AveragePrecision(c.Y, c.Score, 1), c.AP, tol)
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
		near(t, "MSE", eval.MSE(r.Y, r.Pred), r.MSE, tol)
		near(t, "RMSE", eval.RMSE(r.Y, r.Pred), math.Sqrt(r.MSE), tol)
		near(t, "MAE", eval.MAE(r.Y, r.Pred), r.MAE, tol)
		near(t, "median absolute error", eval.MedianAbsoluteError(r.Y, r.Pred), r.MedAE, tol)
		near(t, "R2", eval.R2(r.Y, r.Pred), r.R2, tol)
		near(t, "explained variance", eval.ExplainedVariance(r.Y, r.Pred), r.EV, tol)
	}
}

func TestOracleTests(t *testing.T) {
	o := readOracle(t).Tests
	r := eval.PairedTTest(o.A, o.B)
	near(t, "t", r.Statistic, o.T, 1e-10)
	near(t, "p of t", r.P, o.P, 1e-10)
	for _, b := range o.Binom {
		near(t, "binomial p", eval.BinomialTest(int(b[0]), int(b[1]), b[2]).P, b[3], 1e-10)
	}
	two, one := eval.FisherExact(8, 2, 1, 5)
	near(t, "Fisher two-sided", two.P, o.FisherTwo, 1e-10)
	near(t, "Fisher one-sided", one.P, o.FisherOne, 1e-10)
	w := eval.WilsonInterval(12, 40, 0.95)
	near(t, "Wilson low", w.Low, o.Wilson[0], 1e-10)
	near(t, "Wilson high", w.High, o.Wilson[1], 1e-10)
}
