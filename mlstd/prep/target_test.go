package prep_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/modeltest"
	"github.com/gokernel/gokernel/mlstd/prep"
)

// gappy converts rows in which null is a missing value.
func gappy(rows [][]*float64) *mat.Dense {
	d := mat.NewDense(len(rows), len(rows[0]), nil)
	for i, r := range rows {
		for j, v := range r {
			if d.Set(i, j, math.NaN()); v != nil {
				d.Set(i, j, *v)
			}
		}
	}
	return d
}

func TestTargetEncoderOracle(t *testing.T) {
	var o struct {
		Sets []struct {
			Name, Kind      string
			X, Asked        [][]*float64
			Y               []float64
			Smooth          float64
			Answer, Crossed [][]float64
		}
	}
	mltest.ReadOracle(t, "target", &o)
	if len(o.Sets) < 6 {
		t.Fatal("the oracle lacks data sets")
	}
	for _, s := range o.Sets {
		t.Run(s.Name, func(t *testing.T) {
			e := &prep.TargetEncoder{Folds: 4, Seed: 9, Smooth: s.Smooth}
			switch s.Smooth {
			case -1:
				e.Smooth = 0
			case 0:
				e.Smooth = model.Zero
			}
			y := model.Targets{Values: s.Y}
			if s.Kind != "continuous" {
				y = model.Targets{}
				for _, v := range s.Y {
					y.Labels = append(y.Labels, int(v))
				}
			}
			crossed, err := e.FitTransform(gappy(s.X), y)
			if err != nil {
				t.Fatal(err)
			}
			mltest.NearAll(t, "training rows", crossed.RawMatrix().Data, slices.Concat(s.Crossed...), 1e-12)
			mltest.NearAll(t, "other rows", e.Transform(gappy(s.Asked)).RawMatrix().Data, slices.Concat(s.Answer...), 1e-12)
		})
	}
}

// byFirst is a TargetEncoder whose target is the sine of the first column, for the
// checks of transformers that learn from x alone.
type byFirst struct{ *prep.TargetEncoder }

func (b byFirst) Fit(x mat.Matrix) error {
	d, err := model.Takes{Missing: true, Nominal: true}.CheckX("byFirst", x)
	if err != nil {
		_ = b.TargetEncoder.Fit(x) // forget
		return err
	}
	n, _ := d.Dims()
	y := make([]float64, n)
	for i := range y {
		if y[i] = 1; !math.IsNaN(d.At(i, 0)) {
			y[i] = math.Sin(d.At(i, 0))
		}
	}
	_, err = b.FitTransform(x, model.Targets{Values: y})
	return err
}

func TestTargetEncoderConformance(t *testing.T) {
	x := mat.NewDense(40, 3, nil)
	for i := range 40 {
		x.Set(i, 0, float64(i%5))
		x.Set(i, 1, float64(i*i%7))
		x.Set(i, 2, float64(i%4))
	}
	modeltest.Transformer(t, func() model.Transformer { return byFirst{&prep.TargetEncoder{}} }, modeltest.Options{X: x,
		Skip: map[string]string{"matrix forms": "the columns of a Table that are not nominal pass"}})
}

func TestTargetEncoderNames(t *testing.T) {
	x := &model.Table{Dense: mat.NewDense(6, 2, []float64{0, 1, 1, 2, 0, 3, 1, 4, 0, 5, 1, 6}), Columns: []model.Column{
		{Name: "city", Kind: model.Nominal, Levels: []string{"Bonn", "Ulm"}}, {Name: "income"}}}
	for want, y := range map[string][]int{"city income": {0, 0, 1, 1, 0, 1}, "city, class 3 city, class 5 city, class 8 income": {3, 3, 5, 5, 8, 8}} {
		e := &prep.TargetEncoder{Folds: 2}
		got, err := e.FitTransform(x, model.Targets{Labels: y})
		if err != nil {
			t.Fatal(err)
		}
		if names := strings.Join(got.ColumnNames(), " "); names != want {
			t.Errorf("got the columns %q, want %q", names, want)
		}
		if got.Columns[0].Kind != model.Numeric {
			t.Errorf("the encoded column is %v", got.Columns[0].Kind)
		}
	}
}

func TestTargetEncoderRefuses(t *testing.T) {
	x := mat.NewDense(6, 1, []float64{0, 1, 2, 0, 1, 2})
	labels := model.Targets{Labels: []int{0, 1, 0, 1, 0, 1}}
	for want, f := range map[string]func() error{
		"targets must be given": func() error { return (&prep.TargetEncoder{}).Fit(x) },
		"Folds must be between 2 and 6 (the number of examples), got 7": func() error { _, err := (&prep.TargetEncoder{Folds: 7}).FitTransform(x, labels); return err },
		"Smooth must be finite and not negative, got -1":                func() error { _, err := (&prep.TargetEncoder{Smooth: -1}).FitTransform(x, labels); return err },
		"the targets must be 6 labels or 6 values (the number of": func() error {
			_, err := (&prep.TargetEncoder{}).FitTransform(x, model.Targets{Labels: []int{1, 2}})
			return err
		},
		"y[2] must be finite, got NaN": func() error {
			_, err := (&prep.TargetEncoder{}).FitTransform(x, model.Targets{Values: []float64{1, 2, math.NaN(), 1, 2, 3}})
			return err
		},
		"y must have at least two classes, got only class 0": func() error {
			_, err := (&prep.TargetEncoder{}).FitTransform(x, model.Targets{Labels: make([]int, 6)})
			return err
		},
	} {
		if err := f(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want an error with %q", err, want)
		}
	}
}
