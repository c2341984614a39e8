package prep_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/prep"
	"github.com/gokernel/gokernel/mlstd/tree"
)

// cities returns rows with a city, a grade and an age, where the codes are positions in the given
// levels.
func cities(city, grade []string, v ...float64) *model.Table {
	return &model.Table{Dense: mat.NewDense(len(v)/3, 3, v), Columns: []model.Column{
		{Name: "city", Kind: model.Nominal, Levels: city}, {Name: "grade", Kind: model.Ordinal, Levels: grade}, {Name: "age"}}}
}

func TestUnknownAsMissing(t *testing.T) {
	nan := math.NaN()
	train := cities([]string{"Bonn", "Jena", "Ulm"}, []string{"low", "high"}, 0, 0, 20, 1, 1, 30, 2, 0, 40, 0, 1, 50)
	u := &prep.UnknownAsMissing{}
	if err := u.Fit(train); err != nil {
		t.Fatal(err)
	}
	later := cities([]string{"Ulm", "Köln", "Bonn"}, []string{"low", "middle", "high"}, 0, 0, 1, 1, 1, 2, 2, 2, 3, nan, 0, nan)
	got := u.Transform(later)
	mltestNaN(t, "rows", got.RawMatrix().Data, []float64{2, 0, 1, nan, nan, 2, 0, 1, 3, nan, 0, nan}, 0)
	for j, c := range got.Columns {
		if !slices.Equal(c.Levels, train.Columns[j].Levels) {
			t.Errorf("levels %v, want %v", c.Levels, train.Columns[j].Levels)
		}
	}
	if again := u.Transform(train); !mat.Equal(again.Dense, train.Dense) {
		t.Errorf("the training rows became %v", mat.Formatted(again))
	}

	// Without the step, a tree refuses the row; with it, the tree predicts as for a missing value.
	y := []int{0, 1, 1, 0}
	newTree := func() *tree.DecisionTree { return &tree.DecisionTree{Missing: tree.MostCommonValue} }
	plain, pipe := newTree(), eval.Pipe(&prep.UnknownAsMissing{}, newTree())
	for _, m := range []model.Classifier{plain, pipe} {
		if err := m.Fit(train, y); err != nil {
			t.Fatal(err)
		}
	}
	blank := cities(train.Columns[0].Levels, train.Columns[1].Levels, nan, nan, 2)
	if got, want := pipe.Predict(later.Slice(1, 2, 0, 3)), plain.Predict(blank); !slices.Equal(got, want) {
		t.Errorf("the pipeline predicts %v, want %v", got, want)
	}
	defer func() {
		if err, ok := recover().(*model.Error); !ok || !strings.Contains(err.Error(), `got "Köln"`) || !strings.Contains(err.Hint, "UnknownAsMissing") {
			t.Errorf("got %v", err)
		}
	}()
	plain.Predict(later.Slice(1, 2, 0, 3))
	t.Error("an unknown level was not refused")
}
