package course

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/ensemble"
	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/kernel"
	"github.com/gokernel/gokernel/mlstd/linear"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/neighbors"
	"github.com/gokernel/gokernel/mlstd/online"
	"github.com/gokernel/gokernel/mlstd/prep"
	"github.com/gokernel/gokernel/mlstd/svm"
)

// TestEstimator shows models as the last value of a cell.
func TestEstimator(t *testing.T) {
	Install()
	iris := data.Iris()
	two := iris.Only("setosa", "versicolor")
	fit := func(m model.Classifier, d *data.Dataset) any {
		if err := m.Fit(d.X, d.Y); err != nil {
			t.Fatal(err)
		}
		return m
	}
	logistic := linear.LogisticRegression{C: 0.5}
	fit(&logistic, iris)
	scaler := &prep.StandardScaler{}
	if err := scaler.Fit(iris.X); err != nil {
		t.Fatal(err)
	}
	search := &eval.Search{
		New:    func(p eval.Params) model.Classifier { return &neighbors.KNN{K: int(p["K"])} },
		Points: eval.GridPoints(map[string][]float64{"K": {1, 5}}),
	}
	diabetes, named := data.Diabetes(), &linear.Ridge{Lambda: 2}
	if err := named.Fit(diabetes.X, diabetes.Target); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		v    any
		want []string
		not  string
	}{
		{"unfitted", &neighbors.KNN{K: 5}, []string{"KNN{K: 5}, not fitted"}, ""},
		{"no state to show", fit(&neighbors.KNN{K: 5}, iris), []string{"KNN{K: 5}"}, "not fitted"},
		{"value", logistic, []string{"LogisticRegression{C: 0.5}", "Coef", "3×4 matrix", "Intercept", "steps, objective", ", converged"}, "Control"},
		{"names of columns", named, []string{"Ridge{Lambda: 2}", "Coef of age", "Coef of glucose"}, "Columns"},
		{"interface parameter", fit(&svm.SVC{Kernel: kernel.RBF(0.5)}, two), []string{"SVC{Kernel: ", "SupportVectors", "×4 matrix", "1 of svm.PairMachine"}, "0x"},
		{"control first", fit(&ensemble.RandomForest{Trees: 3, Seed: 1}, iris), []string{"RandomForest{Trees: 3, Seed: 1}", "3 of tree.DecisionTree", "OOBAccuracy"}, ""},
		{"slice parameter", fit(&online.Perceptron{Start: []float64{1, 2, 3, 4, 5}}, two), []string{"Perceptron{Start: {1, 2, 3, 4, 5}}", "epochs, mistakes"}, ""},
		{"function parameter", &ensemble.AdaBoost{New: func() model.Classifier { return &neighbors.KNN{} }}, []string{"AdaBoost{New: func}, not fitted"}, ""},
		{"search", fit(search, iris), []string{"Search{New: func, Points: 2 of eval.Params}", "Best", "K=5", "BestScore"}, "not fitted"},
		{"a zero that is meant", &linear.Ridge{Lambda: model.Zero}, []string{"Ridge{Lambda: ml.Zero}, not fitted"}, ""},
		{"pipeline", &eval.RegressorPipeline{Steps: []model.Transformer{scaler}, Model: &linear.Ridge{Lambda: model.Zero}},
			[]string{"RegressorPipeline{Steps: {StandardScaler{}}, Model: Ridge{Lambda: ml.Zero}}, not fitted"}, "set by Fit"},
		{"fitted pipeline", fit(&eval.Pipeline{Steps: []model.Transformer{&prep.StandardScaler{}}, Model: &neighbors.KNN{K: 5}}, iris),
			[]string{"Pipeline{Steps: {StandardScaler{}}, Model: KNN{K: 5}}"}, "not fitted"},
		{"union", &prep.Union{Steps: []model.Transformer{&prep.MinMaxScaler{}, &prep.StandardScaler{}}},
			[]string{"Union{Steps: {MinMaxScaler{}, StandardScaler{}}}, not fitted"}, "set by Fit"},
		{"transformer", scaler, []string{"StandardScaler{}", "Mean", "{5.8433, "}, "not fitted"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			b, err := display.Of(test.v)
			if err != nil {
				t.Fatal(err)
			}
			text := fmt.Sprint(b.Data[display.MIMEText])
			for _, w := range test.want {
				if !strings.Contains(text, w) {
					t.Errorf("lacks %q:\n%s", w, text)
				}
			}
			if test.not != "" && strings.Contains(text, test.not) {
				t.Errorf("has %q:\n%s", test.not, text)
			}
			if t.Failed() || testing.Verbose() {
				t.Logf("\n%s", text)
			}
		})
	}
}
