package persist_test

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/ensemble"
	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/persist"
	"github.com/gokernel/gokernel/mlstd/prep"
)

// A pipeline over texts, names and gaps says the same when it comes back from a file.
func TestSavedPipelineOfColumns(t *testing.T) {
	texts := prep.TextTable("review", []string{"good fun", "not good", "dull", "a good film"})
	x := &model.Table{Dense: mat.NewDense(60, 3, nil), Columns: []model.Column{texts.Columns[0],
		{Name: "city", Kind: model.Nominal, Levels: []string{"Bonn", "Jena", "Ulm"}}, {Name: "income"}}}
	y := make([]int, 60)
	for i := range y {
		x.SetRow(i, []float64{float64(i % 4), float64(i % 3), math.Sin(float64(i))})
		if i%7 == 0 {
			x.Set(i, i%3, math.NaN())
		}
		if i%4 == 2 || i%3 == 1 {
			y[i] = 1
		}
	}
	m := &eval.ProbPipeline{
		Steps: []model.Transformer{&prep.Columns{Steps: []prep.ColumnStep{
			{Names: []string{"review"}, Steps: []model.Transformer{&prep.TextEncoder{}}},
			{Names: []string{"city"}, Steps: []model.Transformer{&prep.TargetEncoder{}}},
		}}},
		Model: &ensemble.HistGradientBoosting{Rounds: 10, MinLeaf: 3},
	}
	if err := m.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := persist.Save(&file, m); err != nil {
		t.Fatal(err)
	}
	back, err := persist.Load(&file)
	if err != nil {
		t.Fatal(err)
	}
	got, want := back.(*eval.ProbPipeline).PredictProba(x).RawMatrix().Data, m.PredictProba(x).RawMatrix().Data
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
