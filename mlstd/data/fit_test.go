package data

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// fitted records the data that it was fitted to.
type fitted struct {
	rows   int
	y      []int
	target []float64
}

type classes struct{ fitted }

func (c *classes) Fit(x mat.Matrix, y []int) error { c.rows, _ = x.Dims(); c.y = y; return nil }

type numbers struct{ fitted }

func (c *numbers) Fit(x mat.Matrix, y []float64) error {
	c.rows, _ = x.Dims()
	c.target = y
	return nil
}

type rows struct{ fitted }

func (c *rows) Fit(x mat.Matrix) error { c.rows, _ = x.Dims(); return nil }

type groups struct{ fitted }

func (c *groups) FitPredict(x mat.Matrix) ([]int, error) {
	c.rows, _ = x.Dims()
	return make([]int, c.rows), nil
}

type noGroups struct{}

func (noGroups) FitPredict(mat.Matrix) ([]int, error) { return nil, errors.New("too few rows") }

type broken struct{}

func (broken) Fit(mat.Matrix) error { return errors.New("out of order") }

func TestFit(t *testing.T) {
	iris, diabetes := Iris(), Diabetes()
	if m := Fit(&classes{}, iris); m.rows != 150 || !slices.Equal(m.y, iris.Y) {
		t.Errorf("a classifier was fitted to %d rows and %d classes", m.rows, len(m.y))
	}
	if m := Fit(&numbers{}, diabetes); m.rows != 442 || !slices.Equal(m.target, diabetes.Target) {
		t.Errorf("a regressor was fitted to %d rows and %d numbers", m.rows, len(m.target))
	}
	if m := Fit(&rows{}, iris); m.rows != 150 {
		t.Errorf("a transformer was fitted to %d rows", m.rows)
	}
	if m := Fit(&groups{}, iris); m.rows != 150 {
		t.Errorf("a clusterer was fitted to %d rows", m.rows)
	}
}

func TestFitRefuses(t *testing.T) {
	for _, tt := range []struct {
		m    any
		d    *Dataset
		want string
	}{
		{&classes{}, Diabetes(), "classes learns classes, and"},
		{&numbers{}, Iris(), "numbers learns a real-valued target, and Iris has classes"},
		{classes{}, Iris(), "the model must have a Fit method for the rows of a data"},
		{&classes{}, nil, "the data set must not be nil"},
		{nil, Iris(), "the model must not be nil"},
		{broken{}, Iris(), "out of order"},
		{noGroups{}, Iris(), "too few rows"},
	} {
		func() {
			defer func() {
				err, ok := recover().(error)
				if !ok || !strings.Contains(err.Error(), tt.want) {
					t.Errorf("%T: got %v, want %q", tt.m, err, tt.want)
				}
				var e *model.Error
				if errors.As(err, &e) && e.Hint == "" {
					t.Errorf("%T: no hint in %v", tt.m, e)
				}
			}()
			FitTo(tt.m, tt.d)
		}()
	}
}

func TestAppend(t *testing.T) {
	iris := Iris()
	x := mat.NewDense(150, 2, nil)
	x.Set(149, 1, 7)
	wide := iris.Append(x, "a", "b")
	if names := strings.Join(wide.FeatureNames()[3:], ","); names != "petal width,a,b" || wide.X.At(149, 5) != 7 || wide.X.At(0, 0) != iris.X.At(0, 0) {
		t.Errorf("columns %s, last value %v", names, wide.X.At(149, 5))
	}
	if !slices.Equal(wide.Y, iris.Y) || len(iris.X.Columns) != 4 {
		t.Error("the classes are lost, or the data set itself has changed")
	}
	for want, f := range map[string]func(){
		"x must have 150 rows, as Iris has, got 2":                     func() { iris.Append(mat.NewDense(2, 1, nil)) },
		"the number of names must be 2 (the number of columns), got 1": func() { iris.Append(x, "a") },
	} {
		func() {
			defer func() {
				if err, ok := recover().(error); !ok || !strings.Contains(err.Error(), want) {
					t.Errorf("got %v, want %q", err, want)
				}
			}()
			f()
		}()
	}
}
