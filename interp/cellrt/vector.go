package cellrt

import (
	"fmt"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// ShapeError is the panic of an operation whose operands have mismatched shapes. Site is the
// position of the operator, with which a session finds the operands' text.
type ShapeError struct {
	Site        int
	Op          string
	Left, Right string // "4x150", "149"
	Why         string // "the inner dimensions 150 and 149 differ"
}

func (e *ShapeError) Error() string {
	return fmt.Sprintf("%s %s %s: %s", e.Left, e.Op, e.Right, e.Why)
}

func lengths(site int, op string, a, b []float64) {
	sameLength(site, op, len(a), len(b))
}

// sameLength panics unless the lengths a and b are equal.
func sameLength(site int, op string, a, b int) {
	if a != b {
		panic(&ShapeError{site, op, fmt.Sprint(a), fmt.Sprint(b), "the lengths do not match"})
	}
}

// AddVV returns a + b.
func AddVV(site int, a, b []float64) []float64 {
	lengths(site, "+", a, b)
	return floats.AddTo(make([]float64, len(a)), a, b)
}

// SubVV returns a - b.
func SubVV(site int, a, b []float64) []float64 {
	lengths(site, "-", a, b)
	return floats.SubTo(make([]float64, len(a)), a, b)
}

// AddScaled returns a + s·x in one pass.
func AddScaled(site int, a []float64, s float64, x []float64) []float64 {
	lengths(site, "+", a, x)
	return floats.AddScaledTo(make([]float64, len(a)), a, s, x)
}

// SubScaled returns a - s·x in one pass.
func SubScaled(site int, a []float64, s float64, x []float64) []float64 {
	lengths(site, "-", a, x)
	return floats.AddScaledTo(make([]float64, len(a)), a, -s, x)
}

// MulSV returns s·v.
func MulSV(_ int, s float64, v []float64) []float64 {
	return floats.ScaleTo(make([]float64, len(v)), s, v)
}

// MulVS returns v·s.
func MulVS(site int, v []float64, s float64) []float64 { return MulSV(site, s, v) }

// DivVS returns v/s.
func DivVS(_ int, v []float64, s float64) []float64 {
	r := make([]float64, len(v))
	for i, x := range v {
		r[i] = x / s
	}
	return r
}

// DivSV returns the quotients of s and the elements of v.
func DivSV(_ int, s float64, v []float64) []float64 {
	r := make([]float64, len(v))
	for i, x := range v {
		r[i] = s / x
	}
	return r
}

// AddVS returns v+s, with s added to every element.
func AddVS(_ int, v []float64, s float64) []float64 {
	r := make([]float64, len(v))
	for i, x := range v {
		r[i] = x + s
	}
	return r
}

// AddSV returns s+v, with s added to every element.
func AddSV(site int, s float64, v []float64) []float64 { return AddVS(site, v, s) }

// SubVS returns v-s, with s subtracted from every element.
func SubVS(site int, v []float64, s float64) []float64 { return AddVS(site, v, -s) }

// SubSV returns s-v, with every element subtracted from s.
func SubSV(_ int, s float64, v []float64) []float64 {
	r := make([]float64, len(v))
	for i, x := range v {
		r[i] = s - x
	}
	return r
}

// NegV returns -v.
func NegV(v []float64) []float64 { return MulSV(0, -1, v) }

// MulMV returns the product of a matrix and a column vector.
func MulMV(site int, a mat.Matrix, v []float64) []float64 {
	r, c := a.Dims()
	if c != len(v) {
		panic(&ShapeError{site, "*", dims(a), fmt.Sprint(len(v)),
			fmt.Sprintf("the matrix has %d columns, the vector %d elements", c, len(v))})
	}
	out := make([]float64, r)
	if r > 0 && c > 0 {
		mat.NewVecDense(r, out).MulVec(a, mat.NewVecDense(c, v))
	}
	return out
}

func dims(a mat.Matrix) string {
	r, c := a.Dims()
	return fmt.Sprintf("%dx%d", r, c)
}

func sameDims(site int, op string, a, b mat.Matrix) {
	ar, ac := a.Dims()
	br, bc := b.Dims()
	why := ""
	switch {
	case ar != br && ac != bc:
		why = "neither rows nor columns match"
	case ar != br:
		why = "rows do not match"
	case ac != bc:
		why = "columns do not match"
	default:
		return
	}
	panic(&ShapeError{site, op, dims(a), dims(b), why})
}

// AddMM returns a + b.
func AddMM(site int, a, b mat.Matrix) *mat.Dense {
	sameDims(site, "+", a, b)
	var r mat.Dense
	r.Add(a, b)
	return &r
}

// SubMM returns a - b.
func SubMM(site int, a, b mat.Matrix) *mat.Dense {
	sameDims(site, "-", a, b)
	var r mat.Dense
	r.Sub(a, b)
	return &r
}

func inner(site int, a, b mat.Matrix) {
	_, ac := a.Dims()
	br, _ := b.Dims()
	if ac != br {
		panic(&ShapeError{site, "*", dims(a), dims(b), fmt.Sprintf("%d columns do not fit %d rows", ac, br)})
	}
}

// MulMM returns the matrix product.
func MulMM(site int, a, b mat.Matrix) *mat.Dense {
	inner(site, a, b)
	var r mat.Dense
	r.Mul(a, b)
	return &r
}

// MulSM returns s·a.
func MulSM(_ int, s float64, a mat.Matrix) *mat.Dense {
	var r mat.Dense
	r.Scale(s, a)
	return &r
}

// MulMS returns a·s.
func MulMS(site int, a mat.Matrix, s float64) *mat.Dense { return MulSM(site, s, a) }

// DivMS returns a/s.
func DivMS(_ int, a mat.Matrix, s float64) *mat.Dense {
	return apply(a, func(x float64) float64 { return x / s })
}

// AddMS returns a+s, with s added to every element.
func AddMS(_ int, a mat.Matrix, s float64) *mat.Dense {
	return apply(a, func(x float64) float64 { return x + s })
}

// AddSM returns s+a, with s added to every element.
func AddSM(site int, s float64, a mat.Matrix) *mat.Dense { return AddMS(site, a, s) }

// SubMS returns a-s, with s subtracted from every element.
func SubMS(site int, a mat.Matrix, s float64) *mat.Dense { return AddMS(site, a, -s) }

// SubSM returns s-a, with every element subtracted from s.
func SubSM(_ int, s float64, a mat.Matrix) *mat.Dense {
	return apply(a, func(x float64) float64 { return s - x })
}

// NegM returns -a.
func NegM(a mat.Matrix) *mat.Dense { return MulSM(0, -1, a) }

func apply(a mat.Matrix, f func(float64) float64) *mat.Dense {
	var r mat.Dense
	r.Apply(func(_, _ int, x float64) float64 { return f(x) }, a)
	return &r
}

// AddDD returns a + b.
func AddDD(site int, a, b mat.Vector) *mat.VecDense {
	sameDims(site, "+", a, b)
	var r mat.VecDense
	r.AddVec(a, b)
	return &r
}

// SubDD returns a - b.
func SubDD(site int, a, b mat.Vector) *mat.VecDense {
	sameDims(site, "-", a, b)
	var r mat.VecDense
	r.SubVec(a, b)
	return &r
}

// MulMD returns the product of a matrix and a column vector.
func MulMD(site int, a mat.Matrix, v mat.Vector) *mat.VecDense {
	inner(site, a, v)
	var r mat.VecDense
	r.MulVec(a, v)
	return &r
}

// MulSD returns s·v.
func MulSD(_ int, s float64, v mat.Vector) *mat.VecDense {
	var r mat.VecDense
	r.ScaleVec(s, v)
	return &r
}

// MulDS returns v·s.
func MulDS(site int, v mat.Vector, s float64) *mat.VecDense { return MulSD(site, s, v) }

// DivDS returns v/s.
func DivDS(_ int, v mat.Vector, s float64) *mat.VecDense {
	return applyVec(v, func(x float64) float64 { return x / s })
}

// AddDS returns v+s, with s added to every element.
func AddDS(_ int, v mat.Vector, s float64) *mat.VecDense {
	return applyVec(v, func(x float64) float64 { return x + s })
}

// AddSD returns s+v, with s added to every element.
func AddSD(site int, s float64, v mat.Vector) *mat.VecDense { return AddDS(site, v, s) }

// SubDS returns v-s, with s subtracted from every element.
func SubDS(site int, v mat.Vector, s float64) *mat.VecDense { return AddDS(site, v, -s) }

// SubSD returns s-v, with every element subtracted from s.
func SubSD(_ int, s float64, v mat.Vector) *mat.VecDense {
	return applyVec(v, func(x float64) float64 { return s - x })
}

// NegD returns -v.
func NegD(v mat.Vector) *mat.VecDense { return MulSD(0, -1, v) }

func applyVec(v mat.Vector, f func(float64) float64) *mat.VecDense {
	r := mat.NewVecDense(v.Len(), nil)
	for i := range v.Len() {
		r.SetVec(i, f(v.AtVec(i)))
	}
	return r
}
