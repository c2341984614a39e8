package eval_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/ensemble"
	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/linear"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/neighbors"
	"github.com/gokernel/gokernel/mlstd/prep"
	"github.com/gokernel/gokernel/mlstd/reduce"
	"github.com/gokernel/gokernel/mlstd/tree"
)

// towns is a table with gaps and a column of names, and three classes that depend on
// both columns.
func towns() (*model.Table, []int) {
	rng := model.Rand(5, 0)
	n := 120
	x := &model.Table{
		Dense: mat.NewDense(n, 2, nil),
		Columns: []model.Column{
			{Name: "size"}, {Name: "town", Kind: model.Nominal, Levels: []string{"a", "b", "c", "d"}},
		},
	}
	y := make([]int, n)
	for i := range n {
		v, town := rng.NormFloat64(), rng.IntN(4)
		x.Set(i, 0, v)
		x.Set(i, 1, float64(town))
		if town == 0 || town == 3 {
			y[i] = 1
		}
		if v > 1 {
			y[i] = 2
		}
		if i%11 == 0 {
			x.Set(i, i%2, math.NaN())
		}
	}
	return x, y
}

func filled(m model.Classifier) *eval.Pipeline {
	return &eval.Pipeline{Steps: []model.Transformer{&prep.Imputer{}, &prep.OneHotEncoder{}}, Model: m}
}

func logisticPipe() model.Classifier { return filled(&linear.LogisticRegression{}) }

// takers are models that accept gaps and names, alone and inside other models.
var takers = map[string]func() model.Classifier{
	"pipeline": logisticPipe,
	"encoder first": func() model.Classifier {
		return &eval.Pipeline{Steps: []model.Transformer{&prep.OneHotEncoder{}, &prep.Imputer{}}, Model: &neighbors.KNN{}}
	},
	"tree":              func() model.Classifier { return &tree.DecisionTree{Missing: tree.MostCommonValue} },
	"forest":            func() model.Classifier { return &ensemble.RandomForest{Trees: 10} },
	"gradient boosting": func() model.Classifier { return &ensemble.GradientBoosting{Rounds: 10} },
	"bagging":           func() model.Classifier { return &ensemble.Bagging{New: logisticPipe, Size: 5} },
	"boosting":          func() model.Classifier { return &ensemble.AdaBoostM1{New: logisticPipe, Rounds: 3} },
	"one against all":   func() model.Classifier { return &reduce.OneVsAll{New: logisticPipe} },
	"all pairs":         func() model.Classifier { return &reduce.AllVsAll{New: logisticPipe} },
	"codes":             func() model.Classifier { return &reduce.OutputCode{New: logisticPipe} },
	"tree of classes":   func() model.Classifier { return &reduce.TreeReduction{New: logisticPipe} },
	"costing":           func() model.Classifier { return &reduce.Costing{New: logisticPipe, Size: 3} },
	"search": func() model.Classifier {
		return &eval.Search{New: func(eval.Params) model.Classifier { return logisticPipe() }, Points: []eval.Params{{}}, Split: eval.KFold{K: 3}}
	},
}

// Gaps are filled and names encoded inside the folds. Functions that resample accept them when the
// model does, and pass on the names and kinds of columns.
func TestGapsAndNamesInsideFolds(t *testing.T) {
	x, y := towns()
	for name, fresh := range takers {
		cv, err := eval.CrossValidateWith(fresh, x, y, eval.StratifiedKFold{K: 3}, "accuracy", eval.Accuracy)
		if err != nil {
			t.Errorf("%s: CrossValidate: %v", name, err)
			continue
		}
		if cv.Mean() < 0.7 {
			t.Errorf("%s: accuracy %.3f: were the names lost?", name, cv.Mean())
		}
		if _, err := eval.CrossPredict(fresh, x, y, eval.KFold{K: 3}); err != nil {
			t.Errorf("%s: CrossPredict: %v", name, err)
		}
	}
	if _, err := eval.LearningCurve(logisticPipe, x, y, []int{40, 70}, 3, 1); err != nil {
		t.Errorf("LearningCurve: %v", err)
	}
	if _, err := eval.ValidationCurve(func(float64) model.Classifier { return logisticPipe() }, "C", []float64{1, 2}, x, y, 3); err != nil {
		t.Errorf("ValidationCurve: %v", err)
	}
	if _, err := eval.AblateColumns(logisticPipe, x, y, 3); err != nil {
		t.Errorf("AblateColumns: %v", err)
	}
	two := make([]int, len(y))
	for i, c := range y {
		two[i] = min(c, 1)
	}
	costly := func() model.Classifier { return &reduce.CostSensitive{New: logisticPipe, Alpha: 2} }
	if _, err := eval.CrossValidateWith(costly, x, two, eval.StratifiedKFold{K: 3}, "accuracy", eval.Accuracy); err != nil {
		t.Errorf("CostSensitive: %v", err)
	}
	regress := func() model.Regressor {
		return &ensemble.BaggingRegressor{Size: 3, New: func() model.Regressor {
			return &eval.RegressorPipeline{Steps: []model.Transformer{&prep.Imputer{}, &prep.OneHotEncoder{}}, Model: &linear.LinearRegression{}}
		}}
	}
	target := make([]float64, len(y))
	for i, c := range y {
		target[i] = float64(c)
	}
	if _, err := eval.CrossValidateRegressor(regress, x, target, eval.KFold{K: 3}, "R²", eval.R2); err != nil {
		t.Errorf("CrossValidateRegressor: %v", err)
	}
}

// A model that accepts no missing values is reported once, before fitting, with
// what to do.
func TestGapsRefused(t *testing.T) {
	x, y := towns()
	knn := func() model.Classifier {
		return &eval.Pipeline{Steps: []model.Transformer{&prep.OneHotEncoder{}}, Model: &neighbors.KNN{}}
	}
	for name, fit := range map[string]func() error{
		"CrossValidate": func() error {
			_, err := eval.CrossValidateWith(knn, x, y, eval.StratifiedKFold{K: 3}, "accuracy", eval.Accuracy)
			return err
		},
		"Bagging":  func() error { return (&ensemble.Bagging{New: knn}).Fit(x, y) },
		"OneVsAll": func() error { return (&reduce.OneVsAll{New: knn}).Fit(x, y) },
	} {
		var e *model.Error
		if err := fit(); !errors.As(err, &e) || !strings.Contains(err.Error(), "Imputer before the model in a Pipeline") {
			t.Errorf("%s: got %v", name, err)
		}
	}
	for _, c := range []struct {
		steps []model.Transformer
		last  any
		want  model.Takes
	}{
		{[]model.Transformer{&prep.Imputer{}}, &neighbors.KNN{}, model.Takes{Missing: true}},
		{[]model.Transformer{&prep.OneHotEncoder{}}, &neighbors.KNN{}, model.Takes{Nominal: true}},
		{[]model.Transformer{&prep.Imputer{}, &prep.OneHotEncoder{}}, &neighbors.KNN{}, model.Takes{Missing: true, Nominal: true}},
		{[]model.Transformer{&prep.StandardScaler{}, &prep.Imputer{}}, &neighbors.KNN{}, model.Takes{}},
		{nil, &tree.DecisionTree{}, model.Takes{Nominal: true}},
	} {
		if got := model.TakesOfSteps(c.steps, c.last); got != c.want {
			t.Errorf("%d steps and %T take %+v, want %+v", len(c.steps), c.last, got, c.want)
		}
	}
}

// Trees after an Imputer name the columns of their splits.
func TestTreeAfterImputer(t *testing.T) {
	x, y := towns()
	grown := &tree.DecisionTree{MaxDepth: 1}
	if err := (&eval.Pipeline{Steps: []model.Transformer{&prep.Imputer{}}, Model: grown}).Fit(x, y); err != nil {
		t.Fatal(err)
	}
	if q := grown.Root.Question; q != "town" && !strings.HasPrefix(q, "size") {
		t.Errorf("the tree asks %q", q)
	}
}
