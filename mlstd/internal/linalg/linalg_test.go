package linalg

import (
	"math"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// tol is the tolerance for sums of up to a few hundred products of numbers near 1.
const tol = 1e-12

func random(n int, seed uint64) []float64 {
	rng := model.Rand(seed, 0)
	v := make([]float64, n)
	for i := range v {
		v[i] = rng.NormFloat64()
	}
	return v
}

func near(t *testing.T, what string, got, want []float64, tol float64) {
	t.Helper()
	for i := range want {
		if !(math.Abs(got[i]-want[i]) <= tol*max(1, math.Abs(want[i]))) {
			t.Fatalf("%s: entry %d is %v, want %v", what, i, got[i], want[i])
		}
	}
}

var shapes = [][3]int{{1, 1, 1}, {6, 1, 8}, {5, 3, 7}, {7, 256, 9}, {13, 257, 17}, {50, 20, 33}, {49, 600, 65}, {100, 2, 1}}

func TestProductAgreesWithGonum(t *testing.T) {
	for _, s := range append(slices.Clone(shapes), [3]int{31, 300, 70}, [3]int{200, 520, 300}) {
		m, k, n := s[0], s[1], s[2]
		a, b := random(m*k, 1), random(k*n, 2)
		var want mat.Dense
		want.Mul(mat.NewDense(m, k, a), mat.NewDense(k, n, b))
		got, left, rows := make([]float64, m*n), make([]float64, m*n), make([]float64, m*n)
		panels := PackColumns(b, k, n, n)
		AddProduct(got, n, a, m, k, panels)
		near(t, "A·B", got, want.RawMatrix().Data, tol*float64(k))
		AddProductLeft(left, n, mat.DenseCopyOf(mat.NewDense(m, k, a).T()).RawMatrix().Data, m, m, panels)
		AddRows(rows, n, a, m, k, panels)
		if !slices.Equal(got, left) || !slices.Equal(got, rows) {
			t.Errorf("%v: the bits of A·B, (Aᵀ)ᵀ·B and one goroutine's differ", s)
		}
	}
}

// Every entry is bit-identical, whatever the other entries are.
func TestEntriesDoNotDependOnShape(t *testing.T) {
	const k = 300
	a, b := random(40*k, 3), random(70*k, 4)
	panels := Pack(b, 70, k, k)
	whole := make([]float64, 40*70)
	AddProduct(whole, 70, a, 40, k, panels)
	row := make([]float64, 70)
	for i := range 40 {
		panels.Dots(row, a[i*k:(i+1)*k])
		if !slices.Equal(row, whole[i*70:(i+1)*70]) {
			t.Fatalf("row %d alone differs", i)
		}
		one := make([]float64, 1)
		Pack(b[9*k:10*k], 1, k, k).Dots(one, a[i*k:(i+1)*k])
		if one[0] != row[9] || Dot(a[i*k:(i+1)*k], b[9*k:10*k]) != row[9] || Dot(b[9*k:10*k], a[i*k:(i+1)*k]) != row[9] {
			t.Fatalf("row %d: %v alone, %v among others", i, one[0], row[9])
		}
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	again := make([]float64, 40*70)
	AddProduct(again, 70, a, 40, k, panels)
	if !slices.Equal(again, whole) {
		t.Error("one processor gives another result")
	}
}

func TestAddGram(t *testing.T) {
	for _, s := range [][2]int{{1, 1}, {7, 3}, {300, 8}, {513, 50}, {20, 17}, {600, 33}} {
		rows, cols := s[0], s[1]
		x := random(rows*(cols+2), 11)
		got := make([]float64, cols*cols)
		AddGram(got, cols, x, rows, cols, cols+2)
		AddGram(got, cols, x, rows, cols, cols+2)
		for i := range cols {
			for j := i; j < cols; j++ {
				want := 0.0
				for r := range rows {
					want += 2 * x[r*(cols+2)+i] * x[r*(cols+2)+j]
				}
				near(t, "XᵀX", got[i*cols+j:], []float64{want}, tol*float64(rows))
			}
		}
	}
}

// L·Lᵀ equals the matrix, and L is bit-identical with one processor.
func TestCholesky(t *testing.T) {
	for _, n := range []int{1, 2, 16, 17, 95, 96, 97, 130, 300} {
		b := random(n*n, uint64(n))
		a := make([]float64, n*n)
		AddProduct(a, n, b, n, n, Pack(b, n, n, n))
		for i := range n {
			a[i*n+i] += float64(n)
			for j := i + 1; j < n; j++ {
				a[i*n+j] = math.NaN() // must not be read
			}
		}
		l := slices.Clone(a)
		if !Cholesky(l, n) {
			t.Fatalf("n = %d: not positive definite", n)
		}
		for i := range n {
			for j := range i + 1 {
				// Entries are sums of n products of size near 1.
				near(t, "L·Lᵀ", []float64{Dot(l[i*n:i*n+j+1], l[j*n:j*n+j+1])}, a[i*n+j:i*n+j+1], tol*float64(n))
			}
		}
		procs := runtime.GOMAXPROCS(1)
		again := slices.Clone(a)
		Cholesky(again, n)
		runtime.GOMAXPROCS(procs)
		for i := range n {
			if !slices.Equal(again[i*n:i*n+i+1], l[i*n:i*n+i+1]) {
				t.Fatalf("n = %d: one processor gives another row %d", n, i)
			}
		}
	}
	for _, a := range [][]float64{{-1}, {0}, {1, 0, 2, 1}, {math.NaN()}, {math.Inf(1)}} {
		if Cholesky(slices.Clone(a), int(math.Sqrt(float64(len(a))))) {
			t.Errorf("%v is called positive definite", a)
		}
	}
	const n = 200 // fails in the second panel
	a := make([]float64, n*n)
	for i := range n {
		a[i*n+i] = float64(150 - i)
	}
	if Cholesky(a, n) {
		t.Error("a matrix with negative numbers on the diagonal is called positive definite")
	}
}

func TestSolve(t *testing.T) {
	for _, n := range []int{1, 16, 17, 50, 130} {
		l := random(n*n, uint64(n))
		for i := range n {
			l[i*n+i] = float64(n)
		}
		const rows = 70
		want := random(rows*n, 13)
		b, both := make([]float64, rows*n), make([]float64, n)
		for r := range rows {
			for i := range n {
				b[r*n+i] = Dot(l[i*n:i*n+i+1], want[r*n:r*n+i+1])
			}
		}
		for i := range n { // L·Lᵀ·want for the first row
			for j := range n {
				k := min(i, j) + 1
				both[i] += Dot(l[i*n:i*n+k], l[j*n:j*n+k]) * want[j]
			}
		}
		SolveLower(l, b, n)
		near(t, "L⁻¹·b", b, want, tol*float64(n))
		SolveCholesky(l, both)
		near(t, "(L·Lᵀ)⁻¹·b", both, want[:n], tol*float64(n))
	}
}

// The portable code agrees with the assembly within rounding.
func TestPortable(t *testing.T) {
	for _, s := range shapes {
		m, k, n := s[0], s[1], s[2]
		if k > deep {
			continue // the blocked version below uses one range of columns
		}
		panels := Pack(random(n*k, 5), n, k, k)
		v := random(k, 6)
		padded := (n + width - 1) / width * width
		got, want := make([]float64, padded), make([]float64, padded)
		dots(got, v, panels.data, k*width)
		dotsGo(want, v, panels.data, k*width)
		near(t, "dots", got, want, tol*float64(k))
		a := random(tall*k, uint64(m))
		c1, c2 := random(tall*width, 7), random(tall*width, 7)
		product(c1, width, a, panels.data[:width*k], k)
		productGo(c2, width, a, panels.data[:width*k], k)
		near(t, "product", c1, c2, tol*float64(k))
	}
}

// The search finds the same rows as in double precision, except for sums within the stated error of
// the limit. Assembly and portable code agree.
func TestSingles(t *testing.T) {
	for _, s := range [][2]int{{1, 1}, {15, 3}, {16, 1}, {17, 20}, {200, 7}, {333, 50}} {
		rows, k := s[0], s[1]
		b, own, left := random(rows*k, 14), random(rows, 15), random(Together*k, 16)
		center := random(k, 17)
		single := make([]float32, Together*k)
		for i, v := range left {
			single[i] = float32(v)
		}
		for i := range b {
			center[i%k] = float64(float32(center[i%k])) // so that the shift is exact
			b[i] = float64(float32(b[i]))
		}
		shifted := make([]float64, len(b))
		for i, v := range b {
			shifted[i] = 2*v + center[i%k]
		}
		p := PackSingles(shifted, rows, k, center, 0.5, own)
		for _, level := range []float64{math.Inf(-1), -3, 0, math.Inf(1)} {
			var limits [Together]float32
			for i := range limits {
				limits[i] = float32(level + float64(i)/10)
			}
			for name, find := range map[string]func(hits *[Together]uint32, from int) int{
				"assembly": func(hits *[Together]uint32, from int) int { return p.Below(single, &limits, hits, from, p.Panels()) },
				"portable": func(hits *[Together]uint32, from int) int {
					return from + belowGo(k, single, p.data[from*singleRows*k:], p.own[from*singleRows:], &limits, hits)
				},
			} {
				found := make([]bool, Together*rows)
				var hits [Together]uint32
				for at := find(&hits, 0); at < p.Panels(); at = find(&hits, at+1) {
					for i, bits := range hits {
						for r := range singleRows {
							if row := at*singleRows + r; bits>>r&1 == 1 && row < rows {
								found[i*rows+row] = true
							}
						}
					}
				}
				for i := range Together {
					for r := range rows {
						sum, size := own[r], math.Abs(own[r])
						for j := range k {
							v := left[j*Together+i] * b[r*k+j]
							sum, size = sum+v, size+math.Abs(v)
						}
						margin := float64(k+4) * 0x1p-23 * size // the two factors are rounded too
						if d := sum - float64(limits[i]); math.Abs(d) > margin && found[i*rows+r] != (d < 0) {
							t.Fatalf("%s, %d x %d, limit %v: row %d with the sum %v is found: %v", name, rows, k, limits[i], r, sum, found[i*rows+r])
						}
					}
				}
			}
		}
	}
}

func TestExp(t *testing.T) {
	var v []float64
	for x := -707.9; x < 709; x += 0.37 {
		v = append(v, x)
	}
	v = append(v, 0, -1e-300, 1, -0.5*math.Ln2, 0.5*math.Ln2)
	got := slices.Clone(v)
	Exp(got)
	for i, x := range v {
		if want := math.Exp(x); math.Abs(got[i]-want) > 4e-16*want { // two units in the last place
			t.Errorf("e^%v: got %v, want %v", x, got[i], want)
		}
	}
	low := []float64{-709, -1e5, math.Inf(-1)}
	Exp(low)
	for _, x := range low {
		if !(x >= 0 && x < 1e-307) {
			t.Errorf("e^(far below zero) is %v", x)
		}
	}
}

func benchmarkProduct(b *testing.B, n int) {
	x, y, c := random(n*n, 1), random(n*n, 2), make([]float64, n*n)
	for b.Loop() {
		AddProduct(c, n, x, n, n, PackColumns(y, n, n, n))
	}
	b.ReportMetric(2*float64(n)*float64(n)*float64(n)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
}

func BenchmarkProduct1000(b *testing.B) { benchmarkProduct(b, 1000) }
func BenchmarkProduct200(b *testing.B)  { benchmarkProduct(b, 200) }

func BenchmarkGonumMul1000(b *testing.B) {
	x, y := mat.NewDense(1000, 1000, random(1e6, 1)), mat.NewDense(1000, 1000, random(1e6, 2))
	var c mat.Dense
	for b.Loop() {
		c.Mul(x, y)
	}
}

func BenchmarkDots(b *testing.B) {
	p, v, out := Pack(random(100000, 1), 5000, 20, 20), random(20, 2), make([]float64, 5000)
	for b.Loop() {
		p.Dots(out, v)
	}
}

func BenchmarkExp(b *testing.B) {
	v := make([]float64, 5000)
	for b.Loop() {
		for i := range v {
			v[i] = -float64(i) / 1000
		}
		Exp(v)
	}
}

func BenchmarkCholesky1000(b *testing.B) {
	const n = 1000
	x := random(n*n, 1)
	a := make([]float64, n*n)
	AddProduct(a, n, x, n, n, Pack(x, n, n, n))
	for i := range n {
		a[i*n+i] += n
	}
	l := make([]float64, n*n)
	for b.Loop() {
		copy(l, a)
		Cholesky(l, n)
	}
	b.ReportMetric(float64(n)*n*n/3*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
}

func BenchmarkGonumCholesky1000(b *testing.B) {
	const n = 1000
	x := mat.NewDense(n, n, random(n*n, 1))
	var p mat.Dense
	p.Mul(x, x.T())
	a := mat.NewSymDense(n, p.RawMatrix().Data)
	for i := range n {
		a.SetSym(i, i, a.At(i, i)+n)
	}
	var c mat.Cholesky
	for b.Loop() {
		c.Factorize(a)
	}
}
