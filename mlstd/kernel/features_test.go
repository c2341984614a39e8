package kernel_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/kernel"
)

// E1-30: the dual costs n² kernels, the primal n times the features.
func TestKER27_Work(t *testing.T) {
	w := kernel.CompareWork(1000, 10, 2)
	if w.Features != 66 || w.Primal != 66000 || w.Dual != 1e7 || w.UseDual {
		t.Errorf("1000 examples of 10 columns: %+v", w)
	}
	if w := kernel.CompareWork(100, 1000, 3); !w.UseDual || w.Crossover < 100 {
		t.Errorf("100 examples of 1000 columns: %+v", w)
	}
	// The number of features is that of the map.
	if n := len(kernel.PolynomialMap(3, 1)(make([]float64, 4))); float64(n) != kernel.CompareWork(1, 4, 3).Features {
		t.Errorf("%d features are written down", n)
	}
}

func TestKER28_MarginsAndDegree(t *testing.T) {
	// On a line, with the classes 1 apart, the margin is 1/2; after the map to
	// (x, x²), moved far from the origin or not, the ratio to the radius falls.
	x, y := mat.NewDense(6, 1, []float64{-3, -2, -0.5, 0.5, 2, 3}), []int{-1, -1, -1, 1, 1, 1}
	before, err := kernel.MaxMargin(kernel.LinearKernel{}, x, y)
	if err != nil {
		t.Fatal(err)
	}
	mltest.Near(t, "margin on the line", before.Margin, 0.5, 1e-9)
	mltest.Near(t, "radius", before.Radius, 3, 1e-9)
	after, err := kernel.MaxMargin(kernel.LinearKernel{}, kernel.MapRows(kernel.PowerMap(2), x), y)
	if err != nil {
		t.Fatal(err)
	}
	if !after.Separable || after.Ratio >= before.Ratio {
		t.Errorf("margin over radius: %v before the map, %v after", before.Ratio, after.Ratio)
	}
	// By kernel or by features, the margin is the same.
	poly, err := kernel.MaxMargin(kernel.PolynomialKernel{Degree: 2, C: 1}, x, y)
	if err != nil {
		t.Fatal(err)
	}
	explicit, err := kernel.MaxMargin(kernel.LinearKernel{}, kernel.MapRows(kernel.PolynomialMap(2, 1), x), y)
	if err != nil {
		t.Fatal(err)
	}
	mltest.Near(t, "margin of the kernel", poly.Margin, explicit.Margin, 1e-6)
	sums := map[int]float64{}
	for i, a := range poly.Alpha {
		sums[y[i]] += a
	}
	mltest.Near(t, "weights of a class", sums[1], 1, exact)
	none, err := kernel.MaxMargin(kernel.LinearKernel{}, x, []int{1, -1, 1, -1, 1, -1})
	if err != nil || none.Separable || none.Margin != 0 || !math.IsInf(none.Bound, 1) {
		t.Errorf("classes that alternate: %+v, %v", none, err)
	}
	low, high := 0.0, 0.0
	for seed := range uint64(10) {
		trials, err := kernel.DegreeCurve(60, 8, seed)
		if err != nil {
			t.Fatal(err)
		}
		if trials[0].TrainError == 0 || trials[1].TrainError > 0.1 {
			t.Errorf("seed %d: training errors %v of degree 1 and %v of degree 2", seed, trials[0].TrainError, trials[1].TrainError)
		}
		low, high = low+trials[1].TestError/10, high+trials[7].TestError/10
	}
	if low >= high {
		t.Errorf("mean test error: %v of degree 2, %v of degree 8", low, high)
	}
}

func TestKER29_L2(t *testing.T) {
	mltest.Near(t, "<sin, cos>", kernel.L2Dot(math.Sin, math.Cos, 0, 2*math.Pi), 0, exact)
	mltest.Near(t, "‖sin‖", kernel.L2Norm(math.Sin, 0, 2*math.Pi), math.Sqrt(math.Pi), exact)
}

func tree(t *testing.T, text string) *kernel.ParseTree {
	t.Helper()
	p, err := kernel.ReadParseTree(text)
	if err != nil {
		t.Fatal(err)
	}
	if p.String() != text {
		t.Errorf("read %q, wrote %q", text, p)
	}
	return p
}

func TestKER31_TreeKernel(t *testing.T) {
	a := tree(t, "(S (NP (D the) (N dog)) (VP (V saw) (NP (D the) (N cat))))")
	b := tree(t, "(S (NP (D a) (N dog)) (VP (V saw) (NP (D the) (N dog))))")
	for _, pair := range [][2]*kernel.ParseTree{{a, b}, {a, a}, {b, b}} {
		_, counts, err := kernel.SharedFragments(pair[0], pair[1])
		if err != nil {
			t.Fatal(err)
		}
		want := 0
		for _, c := range counts {
			want += c
		}
		if got := (kernel.TreeKernel{}).Eval(pair[0], pair[1]); got != float64(want) {
			t.Errorf("K = %v, %d by enumeration", got, want)
		}
	}
	// A small one by hand: (NP (D the) (N dog)) has the fragments
	// (D the), (N dog), (NP (D) (N)), (NP (D the) (N)), (NP (D) (N dog)), (NP (D the) (N dog)).
	np := tree(t, "(NP (D the) (N dog))")
	f, err := kernel.TreeFragments(np, 0)
	if err != nil || len(f) != 6 || f["(NP (D the) (N))"] != 1 {
		t.Errorf("fragments %v, %v", f, err)
	}
	mltest.Near(t, "decay", kernel.TreeKernel{Decay: 0.5}.Eval(np, np), 0.5+0.5+0.5*1.5*1.5, exact)
	mltest.Near(t, "normalized", kernel.TreeKernel{Decay: 0.5, Normalize: true}.Eval(a, a), 1, exact)
	// The Gram matrix is that of a kernel, and the perceptron learns from it.
	trees := []*kernel.ParseTree{a, b, np, tree(t, "(S (NP (N dogs)) (VP (V bark)))"), tree(t, "(S (NP (N cats)) (VP (V sleep)))")}
	g := kernel.TreeKernel{Normalize: true}.Gram(trees)
	if s := kernel.PositiveSemidefinite(g); !s.Valid {
		t.Errorf("eigenvalues %v", s.Eigenvalues)
	}
	table := make([][]float64, 5)
	for i := range table {
		table[i] = mat.Row(nil, i, g)
	}
	p := kernel.KernelPerceptron{Kernel: kernel.IndexedKernel{K: table}}
	if err := p.Fit(mat.NewDense(5, 1, []float64{0, 1, 2, 3, 4}), []int{1, 1, 1, 0, 0}); err != nil || !p.Converged {
		t.Errorf("the perceptron on trees: converged %v, %v", p.Converged, err)
	}
	for _, text := range []string{"", "(S", "(S (NP dog)", ")", "(S dog))", "((S))", "(S)"} {
		if _, err := kernel.ReadParseTree(text); err == nil {
			t.Errorf("%q was read", text)
		}
	}
	if _, err := kernel.TreeFragments(a, 3); err == nil {
		t.Error("more fragments than allowed were written")
	}
}

func TestKER33_Bitmaps(t *testing.T) {
	x := cloud(6, 150, 13)
	ones := mat.NewDense(6, 150, nil)
	var pictures []kernel.Bitmap
	for i := range 6 {
		pictures = append(pictures, kernel.NewBitmap(x.RawRowView(i), 0.3))
		for j, v := range x.RawRowView(i) {
			if v > 0.3 {
				ones.Set(i, j, 1)
			}
		}
	}
	for _, of := range []kernel.DotKernel{kernel.LinearKernel{}, kernel.PolynomialKernel{Degree: 2, C: 1}, kernel.RBF(0.01)} {
		k := kernel.BitmapKernel{Of: of}
		g := k.Gram(pictures)
		for i := range 6 {
			for j := range 6 {
				want := of.Eval(ones.RawRowView(i), ones.RawRowView(j))
				mltest.Near(t, "Gram matrix", g.At(i, j), want, exact)
				mltest.Near(t, "K", k.Eval(pictures[i], pictures[j]), want, exact)
			}
		}
	}
}

func BenchmarkBitmapDot(b *testing.B) {
	x := cloud(2, 4096, 1)
	u, v := kernel.NewBitmap(x.RawRowView(0), 0), kernel.NewBitmap(x.RawRowView(1), 0)
	for b.Loop() {
		u.Dot(v)
	}
}

// The dual form against features written down: the same number of examples, more
// and more features.
func BenchmarkKernelPerceptron(b *testing.B) {
	x, y := kernel.Disc(300, 0.05, 1)
	for b.Loop() {
		if err := (&kernel.KernelPerceptron{}).Fit(x, y); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPrimalPerceptron(b *testing.B) {
	x, y := kernel.Disc(300, 0.05, 1)
	for b.Loop() {
		p := kernel.KernelPerceptron{Kernel: kernel.LinearKernel{}}
		if err := p.Fit(kernel.MapRows(kernel.PolynomialMap(2, 1), x), y); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkGram(b *testing.B) {
	x := cloud(2000, 20, 1)
	for b.Loop() {
		kernel.Gram(kernel.RBF(0.05), x)
	}
}
