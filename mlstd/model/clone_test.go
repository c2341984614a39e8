package model

import (
	"testing"

	"gonum.org/v1/gonum/mat"
)

type scale struct{ Factor float64 }

func (s *scale) Fit(mat.Matrix) error { return nil }

type leaf struct {
	K      int
	secret int
	Table  *mat.Dense
}

func (l *leaf) Fit(mat.Matrix, []int) error { return nil }

type chain struct {
	Steps []interface{ Fit(mat.Matrix) error }
	Model interface {
		Fit(mat.Matrix, []int) error
	}
	Of *leaf
}

func (c *chain) Fit(mat.Matrix, []int) error { return nil }

func TestClone(t *testing.T) {
	table := mat.NewDense(1, 1, []float64{7})
	a := &chain{Steps: []interface{ Fit(mat.Matrix) error }{&scale{2}}, Model: &leaf{K: 3, secret: 4, Table: table}}
	b := Clone(a)
	la, lb := a.Model.(*leaf), b.Model.(*leaf)
	if a == b || la == lb || a.Steps[0] == b.Steps[0] || *lb != *la || *b.Steps[0].(*scale) != *a.Steps[0].(*scale) {
		t.Errorf("%+v is not a copy of %+v", b, a)
	}
	if lb.Table != table || b.Of != nil {
		t.Error("what is no model was copied, or something stands for nil")
	}
	lb.K, b.Steps[0].(*scale).Factor = 9, 9
	if la.K != 3 || a.Steps[0].(*scale).Factor != 2 {
		t.Error("a change of the copy changed the model")
	}
	if Clone(leaf{K: 2}).K != 2 || Clone[any](nil) != nil || Clone((*leaf)(nil)) != nil {
		t.Error("values and nil are not given back")
	}
}

func TestNameOf(t *testing.T) {
	if a, b := NameOf(&leaf{}), NameOf(3); a != "leaf" || b != "int" {
		t.Errorf("got %s and %s", a, b)
	}
}
