package kernel_test

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/kernel"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/modeltest"
)

// exact is for values that a few roundings separate from the true ones.
const exact = 1e-12

// cloud draws n rows of d standard normal values.
func cloud(n, d int, seed uint64) *mat.Dense {
	rng := model.Rand(seed, 0)
	x := mat.NewDense(n, d, nil)
	for i := range n {
		for j := range d {
			x.Set(i, j, rng.NormFloat64())
		}
	}
	return x
}

var xor, xorClass = mat.NewDense(4, 2, []float64{-1, -1, -1, 1, 1, -1, 1, 1}), []int{-1, 1, 1, -1}

func TestConformance(t *testing.T) {
	t.Run("KernelPerceptron", func(t *testing.T) {
		modeltest.Classifier(t, func() model.Classifier { return &kernel.KernelPerceptron{} }, modeltest.Options{
			Binary: true, Skip: map[string]string{
				"row permutation": "the perceptron takes the examples in their order",
			}})
	})
	t.Run("KernelLeastSquares", func(t *testing.T) {
		modeltest.Regressor(t, func() model.Regressor { return &kernel.KernelLeastSquares{MaxIter: 5000} }, modeltest.Options{})
	})
	t.Run("KernelRidge", func(t *testing.T) {
		modeltest.Regressor(t, func() model.Regressor { return &kernel.KernelRidge{Lambda: 0.01} }, modeltest.Options{})
	})
	t.Run("GaussianProcess", func(t *testing.T) {
		modeltest.Regressor(t, func() model.Regressor { return &kernel.GaussianProcess{Noise: 0.01, Normalize: true} }, modeltest.Options{})
	})
	t.Run("GaussianProcess, tuned", func(t *testing.T) {
		modeltest.Regressor(t, func() model.Regressor {
			return &kernel.GaussianProcess{Kernel: kernel.MaternKernel{Nu: 2.5, Length: 3}, Noise: 0.1, Normalize: true, Tune: true}
		}, modeltest.Options{Tolerance: 1e-4})
	})
	t.Run("Nystroem", func(t *testing.T) {
		modeltest.Transformer(t, func() model.Transformer { return &kernel.Nystroem{Components: 200} },
			modeltest.Options{Tolerance: 1e-6, Skip: map[string]string{"row permutation": "which rows are drawn, and in which order, depends on theirs"}})
	})
	t.Run("RandomFourier", func(t *testing.T) {
		modeltest.Transformer(t, func() model.Transformer { return &kernel.RandomFourier{Components: 20} }, modeltest.Options{})
	})
	t.Run("KernelPCA", func(t *testing.T) {
		modeltest.Transformer(t, func() model.Transformer { return &kernel.KernelPCA{Components: 3} }, modeltest.Options{Tolerance: 1e-7})
	})
}

// E0-47: the pattern ++-+- has three changes and needs a cubic, ++--+ a quadratic.
// E3-37: a separating map exists unless equal examples have different labels.
func TestKER01_FeatureMaps(t *testing.T) {
	line := []float64{0, 1, 2, 3, 4}
	for _, tt := range []struct {
		y    []int
		want int
	}{
		{[]int{1, 1, -1, 1, -1}, 3}, // ++-+- is cubic
		{[]int{1, 1, -1, -1, 1}, 2}, // ++--+ is quadratic
		{[]int{1, 1, 1, 1, 1}, 0},
	} {
		got, err := kernel.SeparatingDegree(line, tt.y)
		if err != nil || got != tt.want {
			t.Errorf("degree of %v: got %d, %v, want %d", tt.y, got, err, tt.want)
		}
		if tt.want == 0 {
			continue
		}
		for degree, separable := range map[int]bool{tt.want: true, tt.want - 1: false} {
			if degree == 0 {
				continue
			}
			x := kernel.MapRows(kernel.PowerMap(degree), mat.NewDense(5, 1, []float64{-2, -1, 0, 1, 2}))
			p := kernel.KernelPerceptron{Kernel: kernel.PolynomialKernel{Degree: 1, C: 1}, Epochs: 3000}
			if err := p.Fit(x, tt.y); err != nil || p.Converged != separable {
				t.Errorf("%v in powers up to %d: separated %v, %v", tt.y, degree, p.Converged, err)
			}
		}
	}
	if _, err := kernel.SeparatingDegree([]float64{1, 1}, []int{0, 1}); err == nil {
		t.Error("equal points of two classes were accepted")
	}
	x := []float64{1, 1, 0, 1, 0}
	for _, tt := range []struct {
		literals []int
		want     float64
	}{{[]int{1, 2, 4}, 1}, {[]int{3, 4}, 0}, {[]int{1, 2}, 1}, {[]int{-3, -5}, 1}, {nil, 1}} {
		if got := kernel.ConjunctionValue(x, tt.literals...); got != tt.want {
			t.Errorf("conjunction %v on 11010: got %v, want %v", tt.literals, got, tt.want)
		}
	}
}

func TestKER02_DiscIsLinearInSquares(t *testing.T) {
	x, y := kernel.Disc(100, 0.1, 1)
	for _, tt := range []struct {
		name string
		x    mat.Matrix
		want bool
	}{{"coordinates", x, false}, {"squares", kernel.MapRows(kernel.SquareMap, x), true}} {
		p := kernel.KernelPerceptron{Kernel: kernel.PolynomialKernel{Degree: 1, C: 1}, Epochs: 2000}
		if err := p.Fit(tt.x, y); err != nil || p.Converged != tt.want {
			t.Errorf("perceptron on the %s: converged %v, %v", tt.name, p.Converged, err)
		}
	}
}

func TestKER03_DualWeights(t *testing.T) {
	x := cloud(4, 3, 2)
	got := kernel.DualWeights([]float64{1, 1, 0, 1}, []int{1, 1, -1, -1}, x, 1)
	for j, v := range got {
		mltest.Near(t, "w", v, x.At(0, j)+x.At(1, j)-x.At(3, j), exact)
	}
}

func TestKER04_Representer(t *testing.T) {
	x := cloud(3, 6, 3)
	w := []float64{1, -2, 3, 0.5, 1, 1}
	p, err := kernel.ProjectOnSpan(w, x)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		row := x.RawRowView(i)
		mltest.Near(t, "prediction", floats.Dot(p.Span, row), floats.Dot(w, row), 1e-10)
		mltest.Near(t, "null part", floats.Dot(p.Null, row), 0, 1e-10)
	}
	mltest.Near(t, "norm lost", floats.Norm(w, 2)-floats.Norm(p.Span, 2), p.Lost, exact)
	if p.Lost <= 0 || p.Ratio <= 1 {
		t.Errorf("lost %v, ratio %v: the projection is not shorter", p.Lost, p.Ratio)
	}
	sum := make([]float64, 6)
	for i, c := range p.DualCoef {
		floats.AddScaled(sum, c, x.RawRowView(i))
	}
	mltest.NearAll(t, "combination of the examples", sum, p.Span, 1e-10)
}

func TestKER05_XOR(t *testing.T) {
	p := kernel.KernelPerceptron{Kernel: kernel.PolynomialKernel{Degree: 2, C: 1}}
	if err := p.Fit(xor, xorClass); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(p.DualCoef, []float64{-1, 1, 1, -1}) || len(p.Mistakes) != 2 || !p.Converged {
		t.Errorf("alpha %v in %d epochs", p.DualCoef, len(p.Mistakes))
	}
	mltest.NearAll(t, "scores", p.Decision(xor).RawMatrix().Data, []float64{-8, 8, 8, -8}, exact)
	// The perceptron on the features makes the same mistakes.
	x, y := kernel.Disc(60, 0.05, 4)
	if err := p.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	phi := kernel.MapRows(kernel.PolynomialMap(2, 1), x)
	_, f := phi.Dims()
	w := make([]float64, f)
	for epoch, want := range p.Mistakes {
		wrong := 0
		for i, label := range y {
			if float64(label)*floats.Dot(w, phi.RawRowView(i)) <= 0 {
				floats.AddScaled(w, float64(label), phi.RawRowView(i))
				wrong++
			}
		}
		if wrong != want {
			t.Errorf("epoch %d: %d mistakes on features, %d by kernel", epoch, wrong, want)
		}
	}
}

// E1-21: the sign stands on both forms of the dual perceptron.
func TestKER06_MistakeSet(t *testing.T) {
	x, y := kernel.Disc(60, 0.05, 4)
	p := kernel.KernelPerceptron{}
	if err := p.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	m := kernel.MistakePerceptron{}
	for epoch, want := range p.Mistakes {
		wrong := 0
		for i, label := range y {
			if m.Learn(x.RawRowView(i), label) {
				wrong++
			}
		}
		if wrong != want {
			t.Errorf("epoch %d: %d mistakes, want %d", epoch, wrong, want)
		}
	}
	for i, s := range p.Decision(x).RawMatrix().Data {
		mltest.Near(t, "score", m.Score(x.RawRowView(i)), s, 1e-10)
	}
	if !slices.IsSorted(m.Growth) || m.Growth[len(m.Growth)-1] != len(m.Promoted)+len(m.Demoted) {
		t.Errorf("growth of M: %v", m.Growth)
	}
}

func bits(s string) []float64 {
	v := make([]float64, len(s))
	for i, c := range s {
		v[i] = float64(c - '0')
	}
	return v
}

// E1-23: 001 and 011 share the conjunctions ∅, ¬x₁, x₃ and ¬x₁∧x₃.
func TestKER07_MonomialKernel(t *testing.T) {
	var k kernel.MonomialKernel
	a, b := bits("1100"), bits("1101")
	if got := k.Eval(a, b); got != 8 {
		t.Errorf("K(1100, 1101): got %v, want 8", got)
	}
	if got := k.Eval(bits("001"), bits("011")); got != 4 {
		t.Errorf("K(001, 011): got %v, want 4", got)
	}
	if n := len(kernel.Conjunctions(4)); n != 81 {
		t.Errorf("%d monomials over 4 variables, want 81", n)
	}
	phi := kernel.MonomialMap(-1)
	for i := range 16 {
		for j := range 16 {
			a, b := bits("0000"), bits("0000")
			for s := range 4 {
				a[s], b[s] = float64(i>>s&1), float64(j>>s&1)
			}
			if got, want := k.Eval(a, b), floats.Dot(phi(a), phi(b)); got != want {
				t.Fatalf("K(%v, %v): got %v, by enumeration %v", a, b, got, want)
			}
		}
	}
}

func TestKER08_ConjunctionKernel(t *testing.T) {
	a, b := bits("1100"), bits("1101")
	sum := 0.0
	for size, want := range []float64{1, 3, 3, 1} {
		k := kernel.ConjunctionKernel{Size: size}
		got := k.Eval(a, b)
		phi := kernel.MonomialMap(size)
		if enumerated := floats.Dot(phi(a), phi(b)); got != want || enumerated != want {
			t.Errorf("size %d: got %v, by enumeration %v, want %v", size, got, enumerated, want)
		}
		sum += got
	}
	if sum != (kernel.MonomialKernel{}).Eval(a, b) {
		t.Errorf("the sizes add up to %v", sum)
	}
}

var p12, p34 = []float64{1, 2}, []float64{3, 4}

func TestKER09_Linear(t *testing.T) {
	x := cloud(5, 3, 5)
	var want mat.Dense
	want.Mul(x, x.T())
	if got := kernel.Gram(kernel.LinearKernel{}, x); !mat.EqualApprox(got, &want, exact) {
		t.Error("the linear Gram matrix is not X·Xᵀ")
	}
}

func TestKER10_ExactDegree(t *testing.T) {
	mltest.Near(t, "K", kernel.PolynomialKernel{Degree: 2}.Eval(p12, p34), 121, exact)
	phi := kernel.PolynomialMap(2, 0)
	mltest.Near(t, "features", floats.Dot(phi(p12), phi(p34)), 121, exact)
	mltest.NearAll(t, "phi(1,2)", sorted(phi(p12)), sorted([]float64{1, math.Sqrt2 * 2, 4}), exact)
	if n := len(phi(make([]float64, 5))); n != 15 { // n(n+1)/2
		t.Errorf("%d features of exactly degree 2 in 5 coordinates", n)
	}
}

func sorted(v []float64) []float64 { slices.Sort(v); return v }

// E0-48: (1 + x·z)² = 1 + 2x·z + (x·z)².
// E1-24: the features of (1 + x·z)² carry √2: 144, and 109 without.
// E1-25: n(n+1)/2 monomials have exactly degree 2, (n+1)(n+2)/2 at most 2.
func TestKER11_UpToDegree(t *testing.T) {
	mltest.Near(t, "K", kernel.PolynomialKernel{Degree: 2, C: 1}.Eval(p12, p34), 144, exact)
	phi, plain := kernel.PolynomialMap(2, 1), kernel.PlainMonomialMap(2)
	mltest.Near(t, "features", floats.Dot(phi(p12), phi(p34)), 144, exact)
	mltest.Near(t, "features without coefficients", floats.Dot(plain(p12), plain(p34)), 109, exact)
	if n := len(phi(make([]float64, 5))); n != 21 { // (n+1)(n+2)/2
		t.Errorf("%d features up to degree 2 in 5 coordinates", n)
	}
	a, b := []float64{1, -2, 0.5}, []float64{0.3, 1, 2}
	for d := 1; d <= 4; d++ {
		phi := kernel.PolynomialMap(d, 0.7)
		mltest.Near(t, "degree", floats.Dot(phi(a), phi(b)), kernel.PolynomialKernel{Degree: d, C: 0.7}.Eval(a, b), exact)
	}
}

// E2-11: the right-hand side, the kernel, is fast to compute.
func TestKER12_OrderedMonomials(t *testing.T) {
	a, b := []float64{1, 2, 3}, []float64{4, 5, 6} // a·b = 32
	mltest.Near(t, "K", kernel.OrderedMonomialKernel{}.Eval(a, b), 33825, exact)
	phi := kernel.OrderedMonomialMap(3)
	mltest.Near(t, "40 features", floats.Dot(phi(a), phi(b)), 33825, exact)
	if n := len(phi(a)); n != 40 {
		t.Errorf("%d features, want 40", n)
	}
	distinct := map[float64]bool{}
	for _, v := range phi([]float64{2, 3, 5}) { // primes: equal values are equal monomials
		distinct[v] = true
	}
	if len(distinct) != 20 {
		t.Errorf("%d distinct monomials, want 20", len(distinct))
	}
}

func TestKER13_RBF(t *testing.T) {
	mltest.Near(t, "K", kernel.RBF(0.5).Eval(p12, p34), 0.018315638888734, 1e-12)
	mltest.Near(t, "by width", kernel.RBFWidth(1).Eval(p12, p34), 0.018315638888734, 1e-12)
	mltest.Near(t, "itself", kernel.RBF(7).Eval(p12, p12), 1, 0)
}

func TestKER14_RBFSeries(t *testing.T) {
	s := kernel.ExpSeries(3, 24)
	if e := math.Abs(s[23] - math.Exp(3)); e > 6e-13 {
		t.Errorf("24 terms are off by %v", e)
	}
	if e := math.Abs(s[19] - math.Exp(3)); e > 1.8e-9 || e < 1.6e-9 {
		t.Errorf("20 terms are off by %v, want 1.7e-9", e)
	}
	series := kernel.RBFSeries(0.5, p12, p34, 60)
	mltest.Near(t, "60 terms", series[59], kernel.RBF(0.5).Eval(p12, p34), 1e-12)
	// The proof's construction: f(a)·exp(a·b/σ²)·f(b).
	proof := kernel.ModulatedKernel{
		F: func(x []float64) float64 { return math.Exp(-0.5 * floats.Dot(x, x)) },
		K: kernel.ExpKernel{K: kernel.ScaledKernel{Factor: 1, K: kernel.LinearKernel{}}},
	}
	mltest.Near(t, "construction", proof.Eval(p12, p34), kernel.RBF(0.5).Eval(p12, p34), 1e-12)
}

// E1-29: a very wide RBF gives the matrix of ones.
func TestKER15_Extremes(t *testing.T) {
	x := cloud(6, 2, 6)
	narrow, wide := kernel.Gram(kernel.RBF(1e6), x), kernel.Gram(kernel.RBF(1e-9), x)
	for i := range 6 {
		for j := range 6 {
			want := 0.0
			if i == j {
				want = 1
			}
			mltest.Near(t, "narrow", narrow.At(i, j), want, exact)
			mltest.Near(t, "wide", wide.At(i, j), 1, 1e-7)
		}
	}
}

// E1-26: the Gram matrix has K(xᵢ, xⱼ).
// E3-42: the last row of the Gram matrix is that of the last example.
func TestKER16_Gram(t *testing.T) {
	x := cloud(37, 11, 7)
	far := mat.NewDense(37, 11, nil)
	for i := range 37 {
		for j := range 11 {
			far.Set(i, j, x.At(i, j)+1e6)
		}
	}
	for _, tt := range []struct {
		name string
		k    kernel.Kernel
		x    *mat.Dense
	}{
		{"linear", kernel.LinearKernel{}, x}, {"polynomial", kernel.PolynomialKernel{C: 1}, x},
		{"ordered monomials", kernel.OrderedMonomialKernel{}, x}, {"sigmoid", kernel.SigmoidKernel{Scale: 0.1, C: -1}, x},
		{"RBF", kernel.RBF(0.1), x}, {"RBF far from the origin", kernel.RBF(0.1), far},
		{"function", kernel.KernelFunc(func(a, b []float64) float64 { return min(a[0], b[0]) }), x},
		{"sum", kernel.SumKernel{kernel.RBF(1), kernel.LinearKernel{}}, x},
	} {
		g, c := kernel.Gram(tt.k, tt.x), kernel.CrossGram(tt.k, tt.x.Slice(3, 5, 0, 11), tt.x)
		diag := kernel.NewGramRows(tt.k, tt.x).Diagonal()
		for i := range 37 {
			mltest.Near(t, tt.name+" diagonal", diag[i], g.At(i, i), exact)
			for j := range 37 {
				mltest.Near(t, tt.name, g.At(i, j), tt.k.Eval(tt.x.RawRowView(i), tt.x.RawRowView(j)), 1e-9)
			}
			mltest.Near(t, tt.name+" alone", c.At(1, i), g.At(4, i), 0)
		}
	}
	// Similarities computed before serve as a kernel on positions.
	g := kernel.Gram(kernel.RBF(0.1), x)
	table := make([][]float64, 37)
	for i := range table {
		table[i] = mat.Row(nil, i, g)
	}
	at := mat.NewDense(2, 1, []float64{4, 30})
	if got := kernel.Gram(kernel.IndexedKernel{K: table}, at).At(0, 1); got != g.At(4, 30) {
		t.Errorf("indexed kernel: got %v, want %v", got, g.At(4, 30))
	}
}

// E0-49: positive semidefinite means vᵀKv ≥ 0.
func TestKER17_Validity(t *testing.T) {
	x := cloud(12, 2, 8)
	for _, tt := range []struct {
		name string
		k    kernel.Kernel
		want bool
	}{
		{"linear", kernel.LinearKernel{}, true}, {"polynomial", kernel.PolynomialKernel{Degree: 2, C: 1}, true},
		{"RBF", kernel.RBF(0.7), true},
		{"minus the squared distance", kernel.KernelFunc(func(a, b []float64) float64 {
			return -floats.Distance(a, b, 2) * floats.Distance(a, b, 2)
		}), false},
		{"sigmoid", kernel.SigmoidKernel{C: -1}, false},
		{"not symmetric", kernel.KernelFunc(func(a, b []float64) float64 { return a[0] }), false},
	} {
		s, err := kernel.Validity(tt.k, x)
		if err != nil || s.Valid != tt.want {
			t.Fatalf("%s: valid %v, eigenvalues %v, %v", tt.name, s.Valid, s.Eigenvalues, err)
		}
		if s.Valid && s.Eigenvalues[0] < -1e-10*s.Eigenvalues[11] {
			t.Errorf("%s: eigenvalue %v", tt.name, s.Eigenvalues[0])
		}
		if v := s.Witness; v != nil && s.Asymmetry == 0 {
			q := 0.0
			for i := range v {
				for j := range v {
					q += v[i] * v[j] * tt.k.Eval(x.RawRowView(i), x.RawRowView(j))
				}
			}
			if q >= 0 {
				t.Errorf("%s: the witness gives %v", tt.name, q)
			}
		}
	}
	f := func(x float64) float64 { return math.Sin(3*x) - 0.4 }
	if v := kernel.MercerIntegral(kernel.RBF(2), f, -2, 2); v < 0 {
		t.Errorf("Mercer's integral of the RBF is %v", v)
	}
	minus := kernel.KernelFunc(func(a, b []float64) float64 { return -(a[0] - b[0]) * (a[0] - b[0]) })
	one := func(float64) float64 { return 1 }
	// ∫∫ −(x−z)² over [0,1]² is −1/6.
	mltest.Near(t, "Mercer's integral of −(x−z)²", kernel.MercerIntegral(minus, one, 0, 1), -1.0/6, 1e-10)
	phi, err := kernel.FeatureSpace(kernel.RBF(0.7), x)
	if err != nil {
		t.Fatal(err)
	}
	var g mat.Dense
	g.Mul(phi, phi.T())
	if !mat.EqualApprox(&g, kernel.Gram(kernel.RBF(0.7), x), 1e-9) {
		t.Error("the feature space does not reproduce the Gram matrix")
	}
}

func closures(t *testing.T) (a, b kernel.Kernel, mapA, mapB kernel.FeatureMap) {
	t.Helper()
	return kernel.PolynomialKernel{Degree: 2, C: 1}, kernel.LinearKernel{}, kernel.PolynomialMap(2, 1), kernel.PowerMap(1)
}

// checkMap requires that k is the dot product of phi and passes the test of
// validity.
func checkMap(t *testing.T, k kernel.Kernel, phi kernel.FeatureMap) {
	t.Helper()
	x := cloud(10, 2, 9)
	if err := kernel.CheckKernel("test", k); err != nil {
		t.Fatal(err)
	}
	if phi != nil {
		f := kernel.MapRows(phi, x)
		for i := range 10 {
			for j := range 10 {
				mltest.Near(t, "map", k.Eval(x.RawRowView(i), x.RawRowView(j)), floats.Dot(f.RawRowView(i), f.RawRowView(j)), 1e-10)
			}
		}
	}
	if s, err := kernel.Validity(k, x); err != nil || !s.Valid {
		t.Errorf("not valid: %v, %v", s, err)
	}
}

func TestKER18_Scaling(t *testing.T) {
	a, _, phi, _ := closures(t)
	checkMap(t, kernel.ScaledKernel{Factor: 3, K: a}, func(x []float64) []float64 {
		f := phi(x)
		floats.Scale(math.Sqrt(3), f)
		return f
	})
	if err := kernel.CheckKernel("test", kernel.ScaledKernel{Factor: -1, K: a}); err == nil {
		t.Error("a negative factor was accepted")
	}
}

func TestKER19_Sum(t *testing.T) {
	a, b, pa, pb := closures(t)
	checkMap(t, kernel.SumKernel{a, b}, func(x []float64) []float64 { return append(pa(x), pb(x)...) })
}

func TestKER20_Product(t *testing.T) {
	a, b, pa, pb := closures(t)
	checkMap(t, kernel.ProductKernel{a, b}, func(x []float64) []float64 {
		var f []float64
		for _, u := range pa(x) {
			for _, v := range pb(x) {
				f = append(f, u*v)
			}
		}
		return f
	})
}

func TestKER21_Modulated(t *testing.T) {
	a, _, pa, _ := closures(t)
	f := func(x []float64) float64 { return math.Cos(x[0]) }
	checkMap(t, kernel.ModulatedKernel{F: f, K: a}, func(x []float64) []float64 {
		v := pa(x)
		floats.Scale(f(x), v)
		return v
	})
	k := kernel.NormalizedKernel{K: a}
	checkMap(t, k, nil)
	mltest.Near(t, "diagonal", k.Eval(p12, p12), 1, exact)
	mltest.Near(t, "no length", kernel.NormalizedKernel{K: kernel.LinearKernel{}}.Eval([]float64{0, 0}, p12), 0, 0)
}

// E1-27: a polynomial of a kernel takes its powers.
func TestKER22_Polynomial(t *testing.T) {
	k := kernel.PolynomialOfKernel{Coef: []float64{1, 0, 2, 0.5}, K: kernel.LinearKernel{}}
	checkMap(t, k, nil)
	mltest.Near(t, "1 + 2s² + s³/2 at 11", k.Eval(p12, p34), 1+2*121+0.5*1331, exact)
	if err := kernel.CheckKernel("test", kernel.PolynomialOfKernel{Coef: []float64{0, -1}, K: kernel.LinearKernel{}}); err == nil {
		t.Error("a negative coefficient was accepted")
	}
}

func TestKER23_Exponential(t *testing.T) {
	k := kernel.ExpKernel{K: kernel.ScaledKernel{Factor: 0.1, K: kernel.LinearKernel{}}}
	checkMap(t, k, nil)
	mltest.Near(t, "exp(1.1)", k.Eval(p12, p34), math.Exp(1.1), exact)
}

func TestKER24_Mapped(t *testing.T) {
	phi := kernel.PowerMap(3)
	checkMap(t, kernel.MappedKernel{Map: phi, K: kernel.LinearKernel{}}, phi)
	checkMap(t, kernel.MappedKernel{Map: phi, K: kernel.RBF(0.1)}, nil)
}

// E1-28: the quadratic form is aᵀ·A·b.
func TestKER25_QuadraticForm(t *testing.T) {
	a := mat.NewSymDense(2, []float64{2, 1, 1, 3})
	var chol mat.Cholesky
	chol.Factorize(a)
	var l mat.TriDense
	chol.LTo(&l)
	checkMap(t, kernel.QuadraticFormKernel{A: a}, func(x []float64) []float64 {
		var v mat.VecDense
		v.MulVec(l.T(), mat.NewVecDense(2, x))
		return v.RawVector().Data
	})
	if err := kernel.CheckKernel("test", kernel.QuadraticFormKernel{A: mat.NewSymDense(2, []float64{1, 2, 2, 1})}); err == nil {
		t.Error("an indefinite matrix was accepted")
	}
}

func TestKER26_LeastSquares(t *testing.T) {
	x := cloud(15, 2, 10)
	y := make([]float64, 15)
	for i := range y {
		y[i] = math.Sin(2*x.At(i, 0)) + x.At(i, 1)
	}
	m := kernel.KernelLeastSquares{Kernel: kernel.RBF(2), MaxIter: 200000, Tol: 1e-10}
	if err := m.Fit(x, y); err != nil || !m.Trace.Converged {
		t.Fatal(err, m.Trace.Converged)
	}
	limit, err := kernel.LeastSquaresLimit(kernel.RBF(2), x, y)
	if err != nil {
		t.Fatal(err)
	}
	mltest.NearAll(t, "β", m.DualCoef, limit, 1e-6)
	ridge := kernel.KernelRidge{Kernel: kernel.RBF(2), Lambda: 1e-12}
	if err := ridge.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	mltest.NearAll(t, "ridge without a penalty", ridge.DualCoef, limit, 1e-6)
	// Ten steps equal ten steps of gradient descent on the features.
	m = kernel.KernelLeastSquares{Kernel: kernel.OrderedMonomialKernel{}, MaxIter: 10, Rate: 1e-4}
	if err := m.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	phi := kernel.MapRows(kernel.OrderedMonomialMap(3), x)
	_, p := phi.Dims()
	theta := make([]float64, p)
	for range 10 {
		step := make([]float64, p)
		for i, v := range y {
			floats.AddScaled(step, 1e-4*(v-floats.Dot(theta, phi.RawRowView(i))), phi.RawRowView(i))
		}
		floats.Add(theta, step)
	}
	for i, v := range m.Predict(x) {
		mltest.Near(t, "prediction", v, floats.Dot(theta, phi.RawRowView(i)), 1e-10)
	}
	m.Rate, m.MaxIter = 10, 0
	if err := m.Fit(x, y); err == nil || m.DualCoef != nil {
		t.Error("a descent that diverges was not reported")
	}
}

// E1-22: a kernel is a similarity; the squared distance is K(x,x) + K(z,z) − 2K(x,z).
func TestKER30_FeatureDistance(t *testing.T) {
	d := kernel.FeatureDistance(kernel.MonomialKernel{}, bits("1100"), bits("1101"))
	mltest.Near(t, "squared distance", d*d, 16, exact)
	phi := kernel.MonomialMap(-1)
	mltest.Near(t, "by features", d, floats.Distance(phi(bits("1100")), phi(bits("1101")), 2), exact)
	mltest.Near(t, "to itself", kernel.FeatureDistance(kernel.RBF(3), p12, p12), 0, 0)
}

func TestKER32_LinearKernelPCA(t *testing.T) {
	x := cloud(40, 3, 11)
	for i := range 40 {
		x.Set(i, 1, 3*x.At(i, 1)+5)
	}
	p := kernel.KernelPCA{Kernel: kernel.LinearKernel{}}
	if err := p.Fit(x); err != nil {
		t.Fatal(err)
	}
	var pc stat.PC
	pc.PrincipalComponents(x, nil)
	if len(p.Eigenvalues) != 3 {
		t.Fatalf("%d components of 3 columns", len(p.Eigenvalues))
	}
	for j, v := range pc.VarsTo(nil) {
		mltest.Near(t, "variance", p.Eigenvalues[j]/39, v, 1e-10)
	}
	z := p.Transform(x)
	var dir, want mat.Dense
	pc.VectorsTo(&dir)
	centered := mat.DenseCopyOf(x)
	for j := range 3 {
		mean := 0.0
		for i := range 40 {
			mean += x.At(i, j) / 40
		}
		for i := range 40 {
			centered.Set(i, j, x.At(i, j)-mean)
		}
	}
	want.Mul(centered, &dir)
	for j := range 3 {
		sign := math.Copysign(1, z.At(0, j)*want.At(0, j))
		for i := range 40 {
			mltest.Near(t, "component", sign*z.At(i, j), want.At(i, j), 1e-9)
		}
	}
}

// Circles unfold: one component of an RBF tells the inner from the outer one, which no
// line does in the plane.
func TestKER32_CirclesUnfolded(t *testing.T) {
	rng := model.Rand(3, 0)
	x, inner := mat.NewDense(200, 2, nil), make([]bool, 200)
	for i := range inner {
		inner[i] = i%2 == 0
		r, a := 1.0, 2*math.Pi*rng.Float64()
		if inner[i] {
			r = 0.3
		}
		x.SetRow(i, []float64{r*math.Cos(a) + 0.05*rng.NormFloat64(), r*math.Sin(a) + 0.05*rng.NormFloat64()})
	}
	// right is the largest share that a threshold on a column of z gets right.
	right := func(z *mat.Dense) float64 {
		best := 0.0
		_, cols := z.Dims()
		for j := range cols {
			for _, at := range mat.Col(nil, j, z) {
				share := 0.0
				for i, in := range inner {
					if (z.At(i, j) > at) == in {
						share += 1. / 200
					}
				}
				best = max(best, share, 1-share)
			}
		}
		return best
	}
	p := kernel.KernelPCA{Kernel: kernel.RBF(3), Components: 3}
	if err := p.Fit(x); err != nil {
		t.Fatal(err)
	}
	if before, after := right(x), right(p.Transform(x).Dense); before > 0.75 || after < 0.99 {
		t.Errorf("a threshold gets %.3f of the plane right, and %.3f of the components", before, after)
	}
}

// The posterior mean of a Gaussian process is kernel ridge regression with λ the
// variance of the noise; its variance is that noise's where nothing was seen less what
// the examples tell.
func TestKER32_GaussianProcess(t *testing.T) {
	x := cloud(25, 2, 4)
	y := make([]float64, 25)
	for i := range y {
		y[i] = math.Sin(x.At(i, 0)) + 0.3*x.At(i, 1)
	}
	gp, ridge := &kernel.GaussianProcess{Kernel: kernel.RBF(0.7), Noise: 0.2}, &kernel.KernelRidge{Kernel: kernel.RBF(0.7), Lambda: 0.2}
	if err := gp.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	if err := ridge.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	mltest.NearAll(t, "mean", gp.Predict(cloud(9, 2, 5)), ridge.Predict(cloud(9, 2, 5)), 1e-9)
}

func TestErrors(t *testing.T) {
	x := cloud(4, 2, 12)
	y := []int{0, 1, 0, 1}
	for name, err := range map[string]error{
		"three classes":    (&kernel.KernelPerceptron{}).Fit(x, []int{0, 1, 2, 1}),
		"negative γ":       (&kernel.KernelPerceptron{Kernel: kernel.RBF(-1)}).Fit(x, y),
		"negative MaxIter": (&kernel.KernelPerceptron{Epochs: -1}).Fit(x, y),
		"nil in a sum":     kernel.CheckKernel("test", kernel.SumKernel{nil}),
		"empty product":    kernel.CheckKernel("test", kernel.ProductKernel{}),
		"no function":      kernel.CheckKernel("test", kernel.ModulatedKernel{K: kernel.RBF(1)}),
		"nil":              kernel.CheckKernel("test", nil),
		"ragged table":     kernel.CheckKernel("test", kernel.IndexedKernel{K: [][]float64{{1, 2}}}),
		"negative Lambda":  (&kernel.KernelRidge{Lambda: -1}).Fit(x, []float64{1, 2, 3, 4}),
		"no kernel":        (&kernel.KernelRidge{Kernel: kernel.SigmoidKernel{Scale: -5}, Lambda: 1e-9}).Fit(x, []float64{1, 2, 3, 4}),
		"negative Noise":   (&kernel.GaussianProcess{Noise: -1}).Fit(x, []float64{1, 2, 3, 4}),
		"too many":         (&kernel.KernelPCA{Components: 9}).Fit(x),
		"overflow":         (&kernel.KernelPerceptron{Kernel: kernel.PolynomialKernel{Degree: 5000, C: 3}}).Fit(x, y),
		"singular": func() error {
			_, err := kernel.LeastSquaresLimit(kernel.LinearKernel{}, x, []float64{1, 2, 3, 4})
			return err
		}(),
		"negative C":         kernel.CheckKernel("test", kernel.PolynomialKernel{C: -1}),
		"negative size":      kernel.CheckKernel("test", kernel.ConjunctionKernel{Size: -1}),
		"no vectors to span": func() error { _, err := kernel.ProjectOnSpan([]float64{1}, x); return err }(),
	} {
		if err == nil {
			t.Errorf("%s was accepted", name)
		}
	}
}
