package linalg

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// spectrum returns a symmetric matrix with the given eigenvalues: the diagonal matrix multiplied by
// reflections from both sides.
func spectrum(values []float64) []float64 {
	n := len(values)
	a := mat.NewDense(n, n, nil)
	for i, v := range values {
		a.Set(i, i, v)
	}
	for s := range uint64(3) {
		u := random(n, 20+s)
		floats.Scale(1/floats.Norm(u, 2), u)
		v := mat.NewVecDense(n, u)
		h := mat.NewDense(n, n, nil)
		h.Outer(-2, v, v)
		for i := range n {
			h.Set(i, i, h.At(i, i)+1)
		}
		var left mat.Dense
		left.Mul(h, a)
		a.Mul(&left, h)
	}
	return a.RawMatrix().Data
}

func TestLanczos(t *testing.T) {
	for name, value := range map[string]func(i int) float64{
		"falling":   func(i int) float64 { return 1 / float64(1+i*i) },
		"slow":      func(i int) float64 { return 10 * math.Pow(0.93, float64(i)) },
		"repeated":  func(i int) float64 { return float64(4-i/3%4) * math.Pow(0.9, float64(i/12)) },
		"both ends": func(i int) float64 { return math.Pow(-0.95, float64(i)) },
		"low rank":  func(i int) float64 { return max(0, float64(6-i)) },
	} {
		const n, k = 400, 5
		all := make([]float64, n)
		for i := range all {
			all[i] = value(i)
		}
		a := spectrum(all)
		sorted := append([]float64(nil), all...)
		floats.Argsort(sorted, make([]int, n))
		values, vectors, ok := lanczos(a, n, k)
		if !ok {
			t.Errorf("%s: not found", name)
			continue
		}
		for j, v := range vectors {
			if want := sorted[n-1-j]; math.Abs(values[j]-want) > 1e-11 {
				t.Errorf("%s: eigenvalue %d is %v, want %v", name, j, values[j], want)
			}
			var r mat.VecDense
			r.MulVec(mat.NewDense(n, n, a), mat.NewVecDense(n, v))
			r.AddScaledVec(&r, -values[j], mat.NewVecDense(n, v))
			if got := mat.Norm(&r, 2); got > 2e-10 { // 1e-11 of the largest, and the rounding of the test's products
				t.Errorf("%s: the residual of vector %d is %v", name, j, got)
			}
			for i, u := range vectors[:j] {
				if d := floats.Dot(u, v); math.Abs(d) > 1e-12 {
					t.Errorf("%s: vectors %d and %d have the product %v", name, i, j, d)
				}
			}
		}
	}
	if _, _, ok := lanczos(spectrum(make([]float64, 20)), 20, 15); ok {
		t.Error("15 of 20 vectors were found in half of the space")
	}
}

// decomposed checks that the values are the eigenvalues of the symmetric a in descending order and
// that the vectors are orthonormal, up to rounding relative to the largest value.
func decomposed(t *testing.T, what string, a []float64, n int, values []float64, vectors [][]float64) {
	t.Helper()
	const tol = 1e-14
	m := mat.NewDense(n, n, a)
	largest := mat.Norm(m, math.Inf(1))
	for j, v := range vectors {
		var r mat.VecDense
		r.MulVec(m, mat.NewVecDense(n, v))
		r.AddScaledVec(&r, -values[j], mat.NewVecDense(n, v))
		if got := mat.Norm(&r, math.Inf(1)); !(got <= tol*float64(n)*largest) {
			t.Errorf("%s: the residual of vector %d is %v", what, j, got)
		}
		for i, u := range vectors[:j+1] {
			want := 0.0
			if i == j {
				want = 1
			}
			if d := floats.Dot(u, v); !(math.Abs(d-want) <= tol*float64(n)) {
				t.Errorf("%s: vectors %d and %d have the product %v", what, i, j, d)
			}
		}
		if j > 0 && values[j] > values[j-1] {
			t.Errorf("%s: value %d is %v after %v", what, j, values[j], values[j-1])
		}
	}
}

func TestEigen(t *testing.T) {
	spectra := map[string]func(i, n int) float64{
		"falling":     func(i, n int) float64 { return 1 / float64(1+i) },
		"far apart":   func(i, n int) float64 { return math.Pow(10, -float64(i%17)) },
		"both signs":  func(i, n int) float64 { return math.Cos(float64(i)) },
		"clusters":    func(i, n int) float64 { return float64(i%3) + 1e-15*float64(i) },
		"all alike":   func(i, n int) float64 { return 2 },
		"zero":        func(i, n int) float64 { return 0 },
		"one":         func(i, n int) float64 { return float64(min(1, i)) - 1 },
		"low rank":    func(i, n int) float64 { return max(0, float64(5-i)) },
		"huge":        func(i, n int) float64 { return 1e300 * float64(i+1) / float64(n) },
		"tiny":        func(i, n int) float64 { return 1e-300 * float64(i+1) },
		"halves":      func(i, n int) float64 { return math.Ldexp(1, -i) },
		"equidistant": func(i, n int) float64 { return float64(i) },
	}
	for name, value := range spectra {
		for _, n := range []int{1, 2, 3, 5, wholeSize, wholeSize + 1, 63, 64, 65, 130, 200} {
			all := make([]float64, n)
			for i := range all {
				all[i] = value(i, n)
			}
			a := spectrum(all)
			slices.Sort(all)
			slices.Reverse(all)
			for _, k := range []int{n, (n + 1) / 2} {
				values, vectors, ok := Eigen(slices.Clone(a), n, k)
				if !ok || len(values) != k || len(vectors) != k {
					t.Fatalf("%s, n = %d: %d values, %d vectors, %v", name, n, len(values), len(vectors), ok)
				}
				size := max(math.Abs(all[0]), math.Abs(all[n-1]))
				for j, v := range values {
					if !(math.Abs(v-all[j]) <= 1e-14*float64(n)*size) {
						t.Errorf("%s, n = %d: value %d is %v, want %v", name, n, j, v, all[j])
					}
				}
				decomposed(t, fmt.Sprintf("%s, n = %d, k = %d", name, n, k), a, n, values, vectors)
			}
		}
	}
}

// Wilkinson's matrix has pairs of eigenvalues that agree to many digits; glued
// copies of it have clusters, which are hard to divide.
func TestEigenOfTridiagonal(t *testing.T) {
	const size, copies, glue = 21, 9, 1e-9
	n := size * copies
	a := make([]float64, n*n)
	for i := range n {
		a[i*n+i] = math.Abs(float64(i%size - size/2))
		if i > 0 {
			e := 1.0
			if i%size == 0 {
				e = glue
			}
			a[i*n+i-1], a[(i-1)*n+i] = e, e
		}
	}
	values, vectors, ok := Eigen(slices.Clone(a), n, n)
	if !ok {
		t.Fatal("no decomposition")
	}
	decomposed(t, "glued", a, n, values, vectors)
	const largest = 10.746194182903393 // of the one, by mpmath
	for j := range copies {
		if math.Abs(values[j]-largest) > 1e-8 {
			t.Errorf("value %d is %v", j, values[j])
		}
	}
}

// With one processor the result is bit-identical.
func TestEigenOnOneProcessor(t *testing.T) {
	const n = 600
	x := random(n*n, 40)
	a := make([]float64, n*n)
	AddProduct(a, n, x, n, n, Pack(x, n, n, n))
	values, vectors, _ := Eigen(slices.Clone(a), n, n)
	decomposed(t, "random", a, n, values, vectors)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	again, same, _ := Eigen(slices.Clone(a), n, n)
	if !slices.Equal(values, again) {
		t.Error("one processor gives other values")
	}
	for j, v := range same {
		if !slices.Equal(v, vectors[j]) {
			t.Fatalf("one processor gives another vector %d", j)
		}
	}
}

// Assembly and Go agree up to rounding.
func TestSweep(t *testing.T) {
	for _, n := range []int{0, 1, 3, 4, 5, 30} {
		const stride = 33
		a, x, v := random(4*stride, 42), random(n, 43), [4]float64(random(4, 44))
		y, want := random(n, 45), random(n, 45)
		dots, wantDots := [4]float64{1, 2, 3, 4}, [4]float64{1, 2, 3, 4}
		sweep(a, stride, x, y, &v, &dots)
		sweepGo(a, stride, x, want, &v, &wantDots)
		near(t, "sums of rows", y, want, tol)
		near(t, "products", dots[:], wantDots[:], tol)
	}
}

func TestEigenRefuses(t *testing.T) {
	for _, v := range []float64{math.NaN(), math.Inf(1)} {
		for _, n := range []int{3, 50} {
			a := spectrum(make([]float64, n))
			a[n] = v
			if _, _, ok := Eigen(a, n, n); ok {
				t.Errorf("a matrix with %v was decomposed", v)
			}
		}
	}
}

func BenchmarkEigen1000(b *testing.B) {
	const n = 1000
	x := random(n*n, 41)
	a := make([]float64, n*n)
	AddProduct(a, n, x, n, n, Pack(x, n, n, n))
	work := make([]float64, n*n)
	for b.Loop() {
		copy(work, a)
		Eigen(work, n, n)
	}
}

func BenchmarkLanczos1000(b *testing.B) {
	values := make([]float64, 1000)
	for i := range values {
		values[i] = 1 / float64(1+i)
	}
	a := spectrum(values)
	for b.Loop() {
		lanczos(a, len(values), 5)
	}
}

// lanczos calls Lanczos for a symmetric matrix in rows of n.
func lanczos(a []float64, n, k int) (values []float64, vectors [][]float64, ok bool) {
	return Lanczos(func(vs []float64) []float64 { return timesRows(a, n, vs) }, n, k)
}
