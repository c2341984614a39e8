package model_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

func TestCheckX(t *testing.T) {
	for _, tt := range []struct {
		name string
		x    mat.Matrix
		want string
	}{
		{"nil", nil, "op: x must not be nil or an empty matrix; pass a matrix with one row per example"},
		{"empty", &mat.Dense{}, "op: x must not be nil or an empty matrix; pass a matrix with one row per example"},
		{"nan", mat.NewDense(1, 2, []float64{0, math.NaN()}), "op: x[0][1] must be finite, got NaN; fill or drop missing values first (an Imputer fills them)"},
		{"inf", mat.NewDense(2, 1, []float64{0, math.Inf(1)}), "op: x[1][0] must be finite, got +Inf; fill or drop missing values first (an Imputer fills them)"},
	} {
		_, err := model.CheckX("op", tt.x)
		var e *model.Error
		if !errors.As(err, &e) || err.Error() != tt.want {
			t.Errorf("%s: got %v, want %q", tt.name, err, tt.want)
		}
	}
}

func TestDenseSharesOnlyContiguous(t *testing.T) {
	d := mat.NewDense(4, 4, nil)
	if model.Dense(d) != d {
		t.Error("a contiguous Dense was copied")
	}
	view := d.Slice(0, 2, 0, 2)
	if got := model.Dense(view).RawMatrix().Stride; got != 2 {
		t.Errorf("stride of a view: got %d, want 2", got)
	}
}

func TestAmbientStopsAndWatches(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	var steps, done int
	model.SetAmbient(&model.Ambient{
		Context: func() context.Context { return ctx },
		OnStep:  func(model.Step) { steps++ },
		Done:    func(string) { done++ },
	})
	defer model.SetAmbient(nil)
	var c model.Control
	run := c.Begin("A", 3)
	if err := run.Step(1, 0); err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := run.Step(2, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
	run.End()
	if steps != 2 || done != 1 {
		t.Errorf("steps %d, done %d; want 2, 1", steps, done)
	}
}
