package prep_test

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/prep"
)

// people returns ages, cities and incomes, with a missing value in each.
func people() *model.Table {
	nan := math.NaN()
	return &model.Table{
		Dense: mat.NewDense(6, 3, []float64{
			30, 0, 2000,
			nan, 1, 3000,
			50, nan, 2500,
			20, 2, nan,
			40, 0, 4000,
			60, 0, 1000,
		}),
		Columns: []model.Column{
			{Name: "age", Unit: "years"},
			{Name: "city", Kind: model.Nominal, Levels: []string{"Bonn", "Jena", "Ulm"}},
			{Name: "income"},
		},
		Target: model.Column{Name: "bought"},
	}
}

func chained(t *testing.T, x *model.Table, steps ...model.Transformer) *model.Table {
	t.Helper()
	for _, s := range steps {
		if err := s.Fit(x); err != nil {
			t.Fatal(err)
		}
		x = s.Transform(x)
	}
	return x
}

// Every chain keeps names and kinds, and a column with missing values can be imputed before or
// after it is encoded.
func TestNamesEndToEnd(t *testing.T) {
	for _, c := range []struct {
		name  string
		steps []model.Transformer
		want  string
		units bool
	}{
		{"imputer", []model.Transformer{&prep.Imputer{}}, "age|city|income", true},
		{"imputer, encoder", []model.Transformer{&prep.Imputer{}, &prep.OneHotEncoder{}}, "age|city=Bonn|city=Jena|city=Ulm|income", true},
		{"encoder, imputer", []model.Transformer{&prep.OneHotEncoder{}, &prep.Imputer{}}, "age|city=Bonn|city=Jena|city=Ulm|income", true},
		{"indicators", []model.Transformer{&prep.Imputer{Indicators: true}}, "age|city|income|age missing|city missing|income missing", true},
		{"scaled", []model.Transformer{&prep.Imputer{}, &prep.OneHotEncoder{}, &prep.StandardScaler{}}, "age|city=Bonn|city=Jena|city=Ulm|income", false},
		{"threshold", []model.Transformer{&prep.Imputer{}, &prep.OneHotEncoder{}, &prep.VarianceThreshold{Threshold: 1}}, "age|income", true},
		{"polynomial", []model.Transformer{&prep.Imputer{}, &prep.OneHotEncoder{}, &prep.VarianceThreshold{Threshold: 1}, &prep.PolynomialFeatures{NoConstant: true}},
			"age|income|age²|age·income|income²", false},
	} {
		out := chained(t, people(), c.steps...)
		if got := strings.Join(out.ColumnNames(), "|"); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
		if unit := out.Columns[0].Unit; (unit == "years") != c.units {
			t.Errorf("%s: the unit of age is %q", c.name, unit)
		}
		if out.Target.Name != "bought" {
			t.Errorf("%s: the target is called %q", c.name, out.Target.Name)
		}
	}
	filled := chained(t, people(), &prep.Imputer{})
	if c := filled.Columns[1]; c.Kind != model.Nominal || len(c.Levels) != 3 {
		t.Errorf("the imputer made %+v of the nominal column", c)
	}
	if filled.At(2, 1) != 0 || filled.At(1, 0) != 40 {
		t.Errorf("filled with %v and %v, want the mode Bonn and the mean 40", filled.At(2, 1), filled.At(1, 0))
	}
}

// A missing nominal value is missing in the columns of all its levels.
func TestOneHotKeepsMissing(t *testing.T) {
	out := chained(t, people(), &prep.OneHotEncoder{})
	for j := 1; j <= 3; j++ {
		if !math.IsNaN(out.At(2, j)) {
			t.Errorf("column %d of the row without a city is %v", j, out.At(2, j))
		}
	}
	bare := mat.NewDense(3, 1, []float64{2, math.NaN(), 1})
	e := &prep.OneHotEncoder{}
	if err := e.Fit(bare); err != nil || len(e.Columns) != 2 {
		t.Errorf("the levels of a matrix with a gap: %v, %v", e.Columns, err)
	}
}

// The levels of an ordinal column have no mean.
func TestImputerOrdinal(t *testing.T) {
	x := &model.Table{
		Dense:   mat.NewDense(5, 1, []float64{0, 2, 2, 0, math.NaN()}),
		Columns: []model.Column{{Name: "size", Kind: model.Ordinal, Levels: []string{"S", "M", "L"}}},
	}
	if got := chained(t, x, &prep.Imputer{}).At(4, 0); got != 0 {
		t.Errorf("filled with %v, want the lower median 0", got)
	}
}
