package prep_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/linear"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/modeltest"
	"github.com/gokernel/gokernel/mlstd/prep"
)

func TestColumnsConformance(t *testing.T) {
	modeltest.Transformer(t, func() model.Transformer {
		return &prep.Columns{Steps: []prep.ColumnStep{
			{Kinds: []model.Kind{model.Nominal}, Steps: []model.Transformer{&prep.Imputer{}, &prep.OneHotEncoder{}}},
			{Kinds: []model.Kind{model.Numeric}, Steps: []model.Transformer{&prep.Imputer{}, &prep.StandardScaler{}}},
		}}
	}, modeltest.Options{})
	modeltest.Transformer(t, func() model.Transformer {
		return &prep.Union{Steps: []model.Transformer{&prep.StandardScaler{}, &prep.PolynomialFeatures{NoConstant: true}}}
	}, modeltest.Options{})
}

// prepare returns the usual preparation of people: fill gaps, encode names, scale numbers.
func prepare() *prep.Columns {
	return &prep.Columns{Steps: []prep.ColumnStep{
		{Names: []string{"income", "age"}, Steps: []model.Transformer{&prep.Imputer{Fill: prep.FillMedian}, &prep.StandardScaler{}}},
		{Kinds: []model.Kind{model.Nominal}, Steps: []model.Transformer{&prep.Imputer{}, &prep.OneHotEncoder{}}},
	}}
}

func TestColumns(t *testing.T) {
	out := chained(t, people(), prepare())
	if got, want := strings.Join(out.ColumnNames(), "|"), "age|income|city=Bonn|city=Jena|city=Ulm"; got != want {
		t.Errorf("got the columns %s, want %s", got, want)
	}
	if got := mat.Row(nil, 2, out)[2:]; !slices.Equal(got, []float64{1, 0, 0}) {
		t.Errorf("the row without a city is %v, want the mode Bonn", got)
	}
	for _, c := range []struct {
		drop bool
		want string
	}{{false, "city=Bonn|city=Jena|city=Ulm|age|income"}, {true, "city=Bonn|city=Jena|city=Ulm"}} {
		m := &prep.Columns{Drop: c.drop, Steps: []prep.ColumnStep{{Indices: []int{1}, Steps: []model.Transformer{&prep.OneHotEncoder{}}}}}
		if got := strings.Join(chained(t, people(), m).ColumnNames(), "|"); got != c.want {
			t.Errorf("Drop %v: got %s, want %s", c.drop, got, c.want)
		}
	}
	both := &prep.Union{Steps: []model.Transformer{&prep.Imputer{}, &prep.Imputer{Fill: prep.FillMedian}, &prep.OneHotEncoder{}}}
	want := "1 age|1 city|1 income|2 age|2 city|2 income|3 age|city=Bonn|city=Jena|city=Ulm|3 income"
	if got := strings.Join(chained(t, people(), both).ColumnNames(), "|"); got != want {
		t.Errorf("the union has %s, want %s", got, want)
	}
}

func TestColumnsRefuses(t *testing.T) {
	for _, c := range []struct {
		step prep.ColumnStep
		want string
	}{
		{prep.ColumnStep{}, "step 0 must name at least one column"},
		{prep.ColumnStep{Names: []string{"town"}}, `step 0: there is no column "town"`},
		{prep.ColumnStep{Indices: []int{3}}, "step 0: columns must be between 0 and 2, got 3"},
		{prep.ColumnStep{Indices: []int{0}, Steps: []model.Transformer{nil}}, "the transformer of step 0 must not be nil"},
		{prep.ColumnStep{Names: []string{"city"}, Steps: []model.Transformer{&prep.StandardScaler{}}}, "ml.OneHotEncoder"},
	} {
		m := &prep.Columns{Steps: []prep.ColumnStep{c.step}}
		err := m.Fit(people())
		var e *model.Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want an error with %q", err, c.want)
		}
	}
	none := &prep.Columns{Drop: true, Steps: []prep.ColumnStep{{Kinds: []model.Kind{model.Ordinal}}}}
	if err := none.Fit(people()); err == nil || !strings.Contains(err.Error(), "must take at least one column") {
		t.Errorf("no column: got %v", err)
	}
}

// passengers is a table of testdata/oracles/columns.py: who survived, by class, sex,
// age, fare and port, with gaps in ages and ports.
type passengers struct {
	Name      string
	X         [][]*float64
	Y         []int
	Train     float64
	Folds     []float64
	Proba     []float64
	Names     []string
	Coef      []float64
	Intercept float64
	OneHot    [][]float64 `json:"one_hot"`

	table *model.Table
}

func readPassengers(t *testing.T) []passengers {
	t.Helper()
	var all struct {
		Levels map[string][]string
		Sets   []passengers
	}
	mltest.ReadOracle(t, "columns", &all)
	for k := range all.Sets {
		p := &all.Sets[k]
		p.table = &model.Table{Dense: mat.NewDense(len(p.X), 5, nil)}
		for _, name := range []string{"class", "sex", "age", "fare", "port"} {
			c := model.Column{Name: name}
			if levels := all.Levels[name]; levels != nil {
				c.Kind, c.Levels = model.Nominal, levels
			}
			p.table.Columns = append(p.table.Columns, c)
		}
		for i, row := range p.X {
			for j, v := range row {
				p.table.Set(i, j, math.NaN())
				if v != nil {
					p.table.Set(i, j, *v)
				}
			}
		}
	}
	return all.Sets
}

func survival() *eval.ProbPipeline {
	return &eval.ProbPipeline{
		Steps: []model.Transformer{&prep.Columns{Steps: []prep.ColumnStep{
			{Kinds: []model.Kind{model.Nominal}, Steps: []model.Transformer{&prep.Imputer{}, &prep.OneHotEncoder{}}},
			{Names: []string{"age", "fare"}, Steps: []model.Transformer{&prep.Imputer{Fill: prep.FillMedian}, &prep.StandardScaler{}}},
		}}},
		Model: &linear.LogisticRegression{Tol: 1e-10},
	}
}

// Five columns, some nominal and some with gaps, in a pipeline: fold by fold, the results equal
// those of scikit-learn's ColumnTransformer.
func TestOracleColumns(t *testing.T) {
	for _, o := range readPassengers(t) {
		t.Run(o.Name, func(t *testing.T) {
			m := survival()
			if err := m.Fit(o.table, o.Y); err != nil {
				t.Fatal(err)
			}
			if out := m.Steps[0].Transform(o.table); !slices.Equal(out.ColumnNames(), o.Names) {
				t.Fatalf("got the columns %q, want %q", out.ColumnNames(), o.Names)
			}
			logistic := m.Model.(*linear.LogisticRegression)
			mltest.NearAll(t, "coefficients", logistic.Coef.RawRowView(0), o.Coef, 1e-6)
			mltest.Near(t, "intercept", logistic.Intercept[0], o.Intercept, 1e-6)
			mltest.NearAll(t, "probabilities", mat.Col(nil, 1, m.PredictProba(o.table)), o.Proba, 1e-6)
			mltest.Near(t, "accuracy on the training rows", eval.Accuracy(o.Y, m.Predict(o.table)), o.Train, 1e-12)
			cv, err := eval.CrossValidateWith(func() model.Classifier { return survival() }, o.table, o.Y, eval.StratifiedKFold{K: 5}, "accuracy", eval.Accuracy)
			if err != nil {
				t.Fatal(err)
			}
			mltest.NearAll(t, "accuracy of the folds", cv.Scores, o.Folds, 1e-12)
		})
	}
}

// The chain without Columns keeps the kinds, too: ten columns, not one for every age and fare. A
// Union with one part per column has the same result.
func TestOracleImputeThenEncode(t *testing.T) {
	for _, o := range readPassengers(t) {
		out := chained(t, o.table, &prep.Imputer{Fill: prep.FillMedian}, &prep.OneHotEncoder{})
		var each []model.Transformer
		for j := range 5 {
			each = append(each, &prep.Columns{Drop: true, Steps: []prep.ColumnStep{
				{Indices: []int{j}, Steps: []model.Transformer{&prep.Imputer{Fill: prep.FillMedian}, &prep.OneHotEncoder{}}},
			}})
		}
		parts := chained(t, o.table, &prep.Union{Steps: each})
		for i, want := range o.OneHot {
			mltest.NearAll(t, fmt.Sprint(o.Name, ", row ", i), out.RawRowView(i), want, 1e-12)
			mltest.NearAll(t, fmt.Sprint(o.Name, ", row ", i, " of the union"), parts.RawRowView(i), want, 1e-12)
		}
	}
}

func ExampleColumns() {
	x := people()
	m := &prep.Columns{Steps: []prep.ColumnStep{
		{Kinds: []model.Kind{model.Nominal}, Steps: []model.Transformer{&prep.Imputer{}, &prep.OneHotEncoder{}}},
		{Names: []string{"age"}, Steps: []model.Transformer{&prep.Imputer{}, &prep.MinMaxScaler{}}},
	}, Drop: true}
	if err := m.Fit(x); err != nil {
		fmt.Println(err)
		return
	}
	z := m.Transform(x)
	fmt.Println(z.ColumnNames())
	fmt.Println(z.RawRowView(1))
	// Output:
	// [city=Bonn city=Jena city=Ulm age]
	// [0 1 0 0.5]
}

func BenchmarkColumns(b *testing.B) {
	x := people()
	rows := make([]int, 20000)
	for i := range rows {
		rows[i] = i % 6
	}
	big := model.Like(x, mat.NewDense(len(rows), 3, nil))
	for i, r := range rows {
		big.SetRow(i, x.RawRowView(r))
	}
	m := prepare()
	for b.Loop() {
		if err := m.Fit(big); err != nil {
			b.Fatal(err)
		}
		m.Transform(big)
	}
}
