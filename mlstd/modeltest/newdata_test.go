package modeltest_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/frame/read"
	"github.com/gokernel/gokernel/mlstd/linear"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/persist"
	"github.com/gokernel/gokernel/mlstd/prep"
	"github.com/gokernel/gokernel/mlstd/prob"
	"github.com/gokernel/gokernel/mlstd/tree"
)

// The prices are 100 from Cherbourg, 200 from Queenstown and 300 from Southampton, and 5 more for
// each night. Models must predict these prices for any other file.
const fares = `port,nights,insured,price
Cherbourg,0,true,100
Cherbourg,2,false,110
Queenstown,0,false,200
Queenstown,2,true,210
Southampton,0,true,300
Southampton,2,false,310
`

func readText(t *testing.T, text string) *frame.Frame {
	t.Helper()
	path := filepath.Join(t.TempDir(), "data.csv")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	f, err := read.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// refusalOf returns the error with which f panics.
func refusalOf(t *testing.T, f func()) (err *model.Error) {
	t.Helper()
	defer func() {
		if e, ok := recover().(error); ok && !errors.As(e, &err) {
			t.Errorf("got %v, want a *model.Error", e)
		}
	}()
	f()
	return nil
}

// priceModels returns models that read the names of ports in different ways.
func priceModels() map[string]model.Regressor {
	return map[string]model.Regressor{
		"a pipeline": eval.PipeRegressor(&prep.OneHotEncoder{}, &linear.LinearRegression{}),
		"columns": eval.PipeRegressor(&prep.Columns{Steps: []prep.ColumnStep{
			{Names: []string{"port"}, Steps: []model.Transformer{&prep.Imputer{}, &prep.OneHotEncoder{}}},
			{Kinds: []model.Kind{model.Numeric}, Steps: []model.Transformer{&prep.StandardScaler{}}},
		}}, &linear.LinearRegression{}),
		"columns by position": eval.PipeRegressor(&prep.Columns{Steps: []prep.ColumnStep{
			{Indices: []int{0}, Steps: []model.Transformer{&prep.OneHotEncoder{}}},
		}}, &linear.LinearRegression{}),
		"a tree": &tree.RegressionTree{},
	}
}

func TestFilesThatSayTheSameGetTheSamePredictions(t *testing.T) {
	train := readText(t, fares)
	for name, m := range priceModels() {
		data.FitTo(m, train.Dataset("price"))
		path := filepath.Join(t.TempDir(), "price.model")
		if err := persist.SaveFile(path, m); err != nil {
			t.Fatal(err)
		}
		again, err := persist.LoadRegressor(path)
		if err != nil {
			t.Fatal(err)
		}
		for how, m := range map[string]model.Regressor{"": m, ", loaded": again} {
			near := func(what string, x *model.Table, want ...float64) {
				t.Helper()
				got := m.Predict(x)
				for i := range want {
					if d := got[i] - want[i]; len(got) != len(want) || d > 1e-6 || d < -1e-6 {
						t.Errorf("%s%s, %s: got %v, want %v", name, how, what, got, want)
						break
					}
				}
			}
			test := readText(t, "port,nights,insured,price\nSouthampton,0,true,300\nQueenstown,2,true,210\n")
			near("two of the ports", test.Dataset("price").X, 300, 210)
			if r2 := eval.Score(m, test.Dataset("price")); r2 < 0.999 {
				t.Errorf("%s%s: R² is %v", name, how, r2)
			}
			near("columns in another order, and more", readText(t, "id,insured,nights,port\n7,false,2,Southampton\n8,false,0,Cherbourg\n").Matrix(), 310, 100)
			near("Where", train.Where(train.Col("price").GreaterEqual(200)).Dataset("price").X, 200, 210, 300, 310)
			near("the first row", train.Head(1).Dataset("price").X, 100)
			near("a part of the rows", train.Dataset("price").X.Slice(4, 6, 0, 3).(*model.Table), 300, 310)
			sorted := train.Sort("-price").Dataset("price")
			near("sorted", sorted.X, 310, 300, 210, 200, 110, 100)
			for want, text := range map[string]string{
				`"nights"`: "port,Nights,insured\nCherbourg,0,true\n",
				`"nights" must be numeric, as when the model was fitted, got levels such as "none"`: "port,nights,insured\nCherbourg,none,true\n",
				`"port" must have names`: "port,nights,insured\n1,0,true\n",
			} {
				x := readText(t, text).Matrix()
				if err := refusalOf(t, func() { m.Predict(x) }); err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("%s%s: got %v, want %s", name, how, err, want)
				}
			}
			dover := readText(t, "port,nights,insured\nDover,0,true\n").Matrix()
			err := refusalOf(t, func() { m.Predict(dover) })
			if name == "a tree" && (err == nil || !strings.Contains(err.Error(), `"port" must be one of "Cherbourg", "Queenstown", "Southampton", as when the model was fitted, got "Dover" in row 0`)) {
				t.Errorf("%s%s: an unknown port: %v", name, how, err)
			}
		}
		if err := refusalOf(t, func() { eval.Score(m, train.Rename("price", "fare").Dataset("fare")) }); err == nil || !strings.Contains(err.Error(), `the target must be "price", which the model was fitted to predict, got "fare"`) {
			t.Errorf("%s: another target: %v", name, err)
		}
	}
}

func TestClassesAreFoundByName(t *testing.T) {
	train := readText(t, fares)
	for name, m := range map[string]model.Classifier{
		"naive Bayes": &prob.NaiveBayes{},
		"a tree":      &tree.DecisionTree{},
		"a pipeline":  eval.Pipe(&prep.StandardScaler{}, &linear.LogisticRegression{}),
	} {
		all := train.Dataset("port", "price")
		if name == "naive Bayes" {
			all = train.Dataset("port", "price", "nights")
		}
		data.FitTo(m, all)
		want := eval.Score(m, all)
		test := readText(t, "nights,price,port\n0,300,Southampton\n2,310,Southampton\n0,200,Queenstown\n2,210,Queenstown\n")
		d := test.Dataset("port", "nights", "price")
		if got := eval.Score(m, d); got != want || want != 1 {
			t.Errorf("%s: the scores are %v and %v", name, want, got)
		}
		err := refusalOf(t, func() { eval.Accuracy(d.Y, m.Predict(d.X)) })
		if err == nil || !strings.Contains(err.Error(), `class 0 of the target "port" must be "Cherbourg", as when the model was fitted, got "Queenstown"`) {
			t.Errorf("%s: got %v", name, err)
		}
		like := d.Like(all)
		if got := eval.Accuracy(like.Y, m.Predict(like.X)); got != 1 {
			t.Errorf("%s: the accuracy is %v", name, got)
		}
		if got := m.(data.Described).Schema().Target.Levels; !slices.Equal(got, all.ClassNames()) {
			t.Errorf("%s: the classes are %v", name, got)
		}
		dover := d.X.Target
		dover.Levels = []string{"Dover", "Southampton"}
		d.X.Target = dover
		if got := eval.Score(m, d); got != 0.5 { // Queenstown became Dover, which nobody predicts
			t.Errorf("%s: the score with an unknown class is %v", name, got)
		}
	}
}

// The readers of package data return data sets instead of frames, with the same result.
func TestDataSetsOfCSVAreFoundByName(t *testing.T) {
	d := func(text string) *data.Dataset {
		t.Helper()
		d, err := data.ReadCSV(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	train := d(strings.NewReplacer(",true", "", ",false", "", ",insured", "").Replace(fares))
	for name, m := range priceModels() {
		data.FitTo(m, train)
		if got := eval.Score(m, d("nights,port,price\n0,Southampton,300\n2,Queenstown,210\n")); got < 0.999 {
			t.Errorf("%s: R² is %v", name, got)
		}
	}
}

// A function of rows gets the columns in the order of Fit.
func TestFunctionTransformerGetsTheColumnsOfFit(t *testing.T) {
	train := readText(t, fares)
	f := &prep.FunctionTransformer{Row: func(row []float64) []float64 { return []float64{row[0] - 1000*row[1]} }}
	if err := f.Fit(train.Matrix("price", "nights")); err != nil {
		t.Fatal(err)
	}
	if got := f.Transform(train.Matrix("nights", "price")).At(1, 0); got != 110-2000 {
		t.Errorf("got %v", got)
	}
}
