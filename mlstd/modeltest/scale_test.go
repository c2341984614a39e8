package modeltest

import (
	"errors"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// shift predicts the mean of the targets plus by.
type shift struct {
	by   float64
	mean float64
}

func (m *shift) Fit(_ mat.Matrix, y []float64) error {
	m.mean = 0
	for _, v := range y {
		m.mean += v / float64(len(y))
	}
	return nil
}

func (m *shift) Predict(x mat.Matrix) []float64 {
	n, _ := x.Dims()
	out := make([]float64, n)
	for i := range out {
		out[i] = m.mean + m.by
	}
	return out
}

func TestTargetScaleFindsAbsoluteTerms(t *testing.T) {
	for by, want := range map[float64]bool{0: true, 1e-3: false} {
		for _, c := range regressorChecks(func() model.Regressor { return &shift{by: by} }, Options{}) {
			if c.name == "target scale" {
				if err := c.run(); (err == nil) != want {
					t.Errorf("with %g added: %v", by, err)
				}
			}
		}
	}
}

func TestHugeFindsNaN(t *testing.T) {
	x := mat.NewDense(2, 1, []float64{1, -2})
	refusal := model.Errorf("Test", "too large")
	for what, c := range map[string]struct {
		f    func(x *mat.Dense) error
		want string
	}{
		"numbers":          {notNaN, ""},
		"a refusal":        {func(*mat.Dense) error { return refusal }, ""},
		"a refused answer": {func(*mat.Dense) error { return answered(func() error { panic(refusal) }) }, ""},
		"a panic in a fit": {func(*mat.Dense) error { panic(refusal) }, "panic"},
		"a broken answer":  {func(*mat.Dense) error { return answered(func() error { panic("index") }) }, "panic"},
		"NaN": {func(x *mat.Dense) error {
			return notNaN(mat.NewDense(1, 1, []float64{x.At(0, 0)*x.At(0, 0) - math.Inf(1)}))
		}, "is NaN"},
		"another error":     {func(*mat.Dense) error { return errors.New("broken") }, "broken"},
		"NaN among results": {func(*mat.Dense) error { return results{values: []float64{1, math.NaN()}}.notNaN() }, "row 1"},
	} {
		if err := huge(x, c.f); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", what, err)
		}
	}
}
