package eval_test

import (
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/prep"
)

// firstCode is a classifier as users write it: it predicts the number in the first column, and does
// not remember the columns of Fit.
type firstCode struct{}

func (firstCode) Fit(mat.Matrix, []int) error { return nil }

func (firstCode) Predict(x mat.Matrix) []int {
	n, _ := x.Dims()
	out := make([]int, n)
	for i := range out {
		out[i] = int(x.At(i, 0))
	}
	return out
}

// A pipeline maps levels for a model that does not remember them, and refuses unknown levels itself
// unless a step removes or encodes them.
func TestPipelineMapsLevelsForOtherModels(t *testing.T) {
	rows := func(levels ...string) *model.Table {
		return &model.Table{Dense: mat.NewDense(2, 1, []float64{0, 1}), Columns: []model.Column{{Name: "port", Kind: model.Nominal, Levels: levels}}}
	}
	train := rows("Cherbourg", "Southampton")
	for _, c := range []struct {
		steps   []model.Transformer
		refused bool
		want    []int
	}{
		{nil, true, []int{1, 0}},
		{[]model.Transformer{&prep.Imputer{}}, true, []int{1, 0}},
		{[]model.Transformer{&prep.OneHotEncoder{}}, false, []int{0, 1}},
		{[]model.Transformer{&prep.UnknownAsMissing{}, &prep.Imputer{}}, false, []int{1, 0}},
	} {
		p := &eval.Pipeline{Steps: c.steps, Model: firstCode{}}
		if err := p.Fit(train, []int{0, 1}); err != nil {
			t.Fatal(err)
		}
		if got := p.Predict(rows("Southampton", "Cherbourg")); !slices.Equal(got, c.want) {
			t.Errorf("%d steps: got %v, want %v", len(c.steps), got, c.want)
		}
		func() {
			defer func() {
				err, _ := recover().(*model.Error)
				if (err != nil) != c.refused || err != nil && !strings.Contains(err.Error(), `got "Dover"`) {
					t.Errorf("%d steps: %v", len(c.steps), err)
				}
			}()
			p.Predict(rows("Dover", "Cherbourg"))
		}()
	}
}
