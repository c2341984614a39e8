package online

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize/convex/lp"

	"github.com/gokernel/gokernel/mlstd/model"
)

// Hyperplane is the set w·z + b = 0: w is its normal, b the intercept (the threshold is −b). The
// pair (w, b) and any nonzero multiple of the pair, such as (−w, −b), describe the same set.
//
// Course: ONL-37.
type Hyperplane struct {
	Coef      []float64
	Intercept float64
}

// Distance returns the signed distance of z from the hyperplane, positive on the side that w points
// to.
//
//	(w·z + b) / ‖w‖
//
// Course: ONL-37.
func (h Hyperplane) Distance(z []float64) float64 {
	return (floats.Dot(h.Coef, z) + h.Intercept) / floats.Norm(h.Coef, 2)
}

// Project returns the point of the hyperplane nearest to z.
//
// Course: ONL-37.
func (h Hyperplane) Project(z []float64) []float64 {
	out := append([]float64(nil), z...)
	floats.AddScaled(out, -h.Distance(z)/floats.Norm(h.Coef, 2), h.Coef)
	return out
}

// Offset returns the signed distance of the hyperplane from the origin along w, −b/‖w‖.
//
// Course: ONL-37.
func (h Hyperplane) Offset() float64 { return -h.Intercept / floats.Norm(h.Coef, 2) }

// Separate searches for a hyperplane that separates the classes, yᵢ(w·xᵢ + b) ≥ 1 for all i, by
// linear programming. The result ok is false if no hyperplane separates the classes, as for XOR,
// parity, or a disjunction of two conjunctions of different variables.
//
// Course: ONL-10, ONL-38.
func Separate(x mat.Matrix, y []int) (h Hyperplane, ok bool, err error) {
	d, err := model.CheckXY("Separate", x, y)
	if err != nil {
		return h, false, err
	}
	n, p := d.Dims()
	mustLabels("Separate", y, n)
	// This is phase one of the simplex method, written out: minimize the sum of artificial slacks s
	// of y(w⁺ − w⁻)·x + y(b⁺ − b⁻) − surplus + s = 1, all variables not negative. It is bounded and
	// feasible (s = 1), and zero exactly for separable classes.
	cols := 2*(p+1) + 2*n
	a, b, c := mat.NewDense(n, cols, nil), make([]float64, n), make([]float64, cols)
	basic := make([]int, n)
	for i := range n {
		row, s := a.RawRowView(i), float64(y[i])
		for j, v := range d.RawRowView(i) {
			row[j], row[p+1+j] = s*v, -s*v
		}
		row[p], row[2*p+1] = s, -s
		row[2*(p+1)+i], row[2*(p+1)+n+i] = -1, 1
		b[i], c[2*(p+1)+n+i] = 1, 1
		basic[i] = 2*(p+1) + n + i
	}
	slack, z, err := lp.Simplex(c, a, b, 1e-10, basic)
	if err != nil {
		return h, false, model.Errorf("Separate", "the linear program failed: %v", err)
	}
	if slack > 1e-7*float64(n) {
		return h, false, nil
	}
	h.Coef = make([]float64, p)
	for j := range h.Coef {
		h.Coef[j] = z[j] - z[p+1+j]
	}
	h.Intercept = z[p] - z[2*p+1]
	return h, true, nil
}

// BooleanFunction tabulates a function of n Boolean variables: all 2ⁿ inputs with
// labels ±1, the last variable changing fastest.
//
// Course: ONL-10, ONL-38.
func BooleanFunction(n int, f func(x []bool) bool) (x *mat.Dense, y []int) {
	if n < 1 || n > 16 {
		panic(model.Errorf("BooleanFunction", "n must be between 1 and 16, got %d", n))
	}
	x = mat.NewDense(1<<n, n, nil)
	in := make([]bool, n)
	for i := range 1 << n {
		for j := range n {
			in[j] = i>>(n-1-j)&1 == 1
			if in[j] {
				x.Set(i, j, 1)
			}
		}
		label := -1
		if f(in) {
			label = 1
		}
		y = append(y, label)
	}
	return x, y
}

// Xor reports whether exactly one of two variables is on. No linear threshold unit represents Xor,
// Xnor, Parity, Symmetric or TwoTermDNF (for two or more variables). The lecture notes call
// (x₁∧x₂)∨(¬x₁∧¬x₂) XOR, but it is XNOR, the negation of XOR. With the product x₁x₂ as an
// additional feature, a linear threshold unit can represent both functions.
//
// References: [MinskyPapert1969]. Course: ONL-10, ONL-38.
func Xor(x []bool) bool { return x[0] != x[1] }

// Xnor reports whether two variables are equal.
//
// Course: ONL-10.
func Xnor(x []bool) bool { return x[0] == x[1] }

// Parity reports whether an odd number of variables is on.
//
// Course: ONL-38.
func Parity(x []bool) bool {
	odd := false
	for _, v := range x {
		odd = odd != v
	}
	return odd
}

// Symmetric reports whether the string of variables reads the same backward.
//
// Course: ONL-38.
func Symmetric(x []bool) bool {
	for i := range x {
		if x[i] != x[len(x)-1-i] {
			return false
		}
	}
	return true
}

// ConnectedRow reports whether the variables that are on form one unbroken run. It is the simplest
// case of connectivity, which local features cannot detect.
//
// Course: ONL-38.
func ConnectedRow(x []bool) bool {
	runs := 0
	for i, v := range x {
		if v && (i == 0 || !x[i-1]) {
			runs++
		}
	}
	return runs <= 1
}

// TwoTermDNF is (x₁∧x₂)∨(x₃∧x₄).
//
// Course: ONL-10.
func TwoTermDNF(x []bool) bool { return x[0] && x[1] || x[2] && x[3] }

// AngleBetween returns the angle between two vectors in radians. Use it, for example, to measure
// how far an update turned the separator.
//
// Course: ONL-15.
func AngleBetween(a, b []float64) float64 {
	na, nb := floats.Norm(a, 2), floats.Norm(b, 2)
	if na == 0 || nb == 0 {
		return math.NaN()
	}
	return math.Acos(min(max(floats.Dot(a, b)/(na*nb), -1), 1))
}

// UpdateAngles returns the angle in radians by which each update turned the weight vector, bias
// included. The trace must contain the weights. While the vector grows, later updates turn it less
// and less, because the updates do not grow. On separable data, the vector grows until the data are
// learned. On data that cannot be separated, the vector stays bounded (it cycles, see
// [PerceptronCycle]), so the angles do not shrink. In that case, decrease the rate or average the
// weights. (The lecture notes do not mention this case.)
//
// References: [FreundSchapire1999].
// Course: ONL-15.
func UpdateAngles(t MistakeTrace) []float64 {
	var out []float64
	for i := 1; i < len(t.Weights); i++ {
		out = append(out, AngleBetween(t.Weights[i-1], t.Weights[i]))
	}
	return out
}
