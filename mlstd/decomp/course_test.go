package decomp_test

import (
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/decomp"
	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/model"
)

// tiny is the matrix of the catalogue, X = ((3,0),(4,5)).
func tiny() *mat.Dense { return mat.NewDense(2, 2, []float64{3, 0, 4, 5}) }

// noise returns n x d numbers of N(0, 1).
func noise(n, d int, seed uint64) *mat.Dense {
	rng := model.Rand(seed, 9)
	m := mat.NewDense(n, d, nil)
	m.Apply(func(_, _ int, _ float64) float64 { return rng.NormFloat64() }, m)
	return m
}

// sloped returns rows of d columns with falling variance in turned directions.
func sloped(n, d int, seed uint64) *mat.Dense {
	x, turn := noise(n, d, seed), noise(d, d, seed+1)
	for i := range n {
		for j := range d {
			x.Set(i, j, x.At(i, j)*math.Pow(0.7, float64(j)))
		}
	}
	var out mat.Dense
	out.Mul(x, turn)
	for i := range n {
		for j := range d {
			out.Set(i, j, out.At(i, j)+float64(j))
		}
	}
	return &out
}

// E2-30: what is squared is vᵀXᵀXv, and a covariance is that of centered rows over
// their number.
func TestDEC01_PCA(t *testing.T) {
	var xx mat.Dense
	xx.Mul(tiny().T(), tiny())
	p := decomp.PowerIteration{K: 2}
	if err := p.Learn(&xx); err != nil {
		t.Fatal(err)
	}
	mltest.NearAll(t, "eigenvalues of XᵀX", p.Values, []float64{45, 5}, 1e-9)

	x := sloped(200, 5, 1)
	m := &decomp.PCA{}
	fit(t, m, x)
	// The variances of the components are the eigenvalues of the covariance.
	var cov mat.SymDense
	statCovariance(&cov, x)
	var eig mat.EigenSym
	if !eig.Factorize(&cov, false) {
		t.Fatal("no eigenvalues")
	}
	values := eig.Values(nil)
	for j := range values {
		mltest.Near(t, "variance", m.Variance[j], values[len(values)-1-j], 1e-10)
	}
	mltest.Near(t, "ratios", floats.Sum(m.Ratio), 1, 1e-12)
	// No other direction has more variance than the first axis.
	for seed := range 50 {
		v := noise(5, 1, uint64(seed)).RawMatrix().Data
		floats.Scale(1/floats.Norm(v, 2), v)
		var cv mat.VecDense
		cv.MulVec(&cov, mat.NewVecDense(5, v))
		if s := floats.Dot(v, cv.RawVector().Data); s > m.Variance[0]*(1+1e-12) {
			t.Errorf("direction %v has the variance %v, the first axis %v", v, s, m.Variance[0])
		}
	}
	// The axes are orthonormal; the reconstruction error falls with k, and is the sum
	// of the variances that are left out.
	var vv mat.Dense
	vv.Mul(m.Axes, m.Axes.T())
	for i := range 5 {
		for j := range 5 {
			want := 0.0
			if i == j {
				want = 1
			}
			mltest.Near(t, "orthonormal", vv.At(i, j), want, 1e-12)
		}
	}
	errs := make([]float64, 6)
	for i := range 200 {
		for k, r := range m.Reconstruct(x.RawRowView(i), 0, 1, 2, 3, 4, 5) {
			d := floats.Distance(r, x.RawRowView(i), 2)
			errs[k] += d * d / 199
		}
	}
	for k := range errs {
		mltest.Near(t, "reconstruction error", errs[k], floats.Sum(m.Variance[k:]), 1e-9)
	}
	if names := m.Transform(x).ColumnNames(); names[0] != "pc1" || names[4] != "pc5" {
		t.Errorf("the columns are called %q", names)
	}
	share := &decomp.PCA{Share: 0.9}
	fit(t, share, x)
	if k := len(share.Ratio); floats.Sum(share.Ratio) < 0.9 || floats.Sum(share.Ratio[:k-1]) >= 0.9 {
		t.Errorf("a share of 0.9 takes the ratios %v", share.Ratio)
	}
	if back := m.Inverse(m.Transform(x)); !mat.EqualApprox(back, x, 1e-10) {
		t.Error("all components do not give the rows back")
	}
}

func statCovariance(cov *mat.SymDense, x *mat.Dense) {
	n, d := x.Dims()
	c := mat.DenseCopyOf(x)
	for j := range d {
		mean := mat.Sum(x.ColView(j)) / float64(n)
		for i := range n {
			c.Set(i, j, c.At(i, j)-mean)
		}
	}
	cov.ReuseAsSym(d)
	cov.SymOuterK(1/float64(n-1), c.T())
}

func TestDEC02_PowerIteration(t *testing.T) {
	a := mat.NewDense(2, 2, []float64{2, 1, 1, 2})
	p := decomp.PowerIteration{K: 2, Start: []float64{1, 0}}
	if err := p.Learn(a); err != nil {
		t.Fatal(err)
	}
	half := 1 / math.Sqrt2
	mltest.NearAll(t, "values", p.Values, []float64{3, 1}, 1e-12)
	mltest.NearAll(t, "first vector", mat.Col(nil, 0, p.Vectors), []float64{half, half}, 1e-8)
	if !p.Converged || len(p.Iterates[0]) != len(p.Angles[0]) {
		t.Errorf("converged %v, %d vectors, %d angles", p.Converged, len(p.Iterates[0]), len(p.Angles[0]))
	}
	// The angle to the eigenvector shrinks by λ₂/λ₁ = 1/3 per step.
	angles := p.Angles[0]
	for i := 3; i < 10; i++ {
		mltest.Near(t, "rate", angles[i+1]/angles[i], 1.0/3, 1e-2)
	}
	// A negative eigenvalue of the largest size is found too.
	if err := p.Learn(mat.NewDense(2, 2, []float64{-3, 0, 0, 1})); err != nil {
		t.Fatal(err)
	}
	p = decomp.PowerIteration{K: 3}
	x := sloped(50, 6, 3)
	var xx mat.Dense
	xx.Mul(x.T(), x)
	if err := p.Learn(&xx); err != nil {
		t.Fatal(err)
	}
	f, err := decomp.SVD(x)
	if err != nil {
		t.Fatal(err)
	}
	for j := range 3 {
		mltest.Near(t, "σ²", p.Values[j], f.S[j]*f.S[j], 1e-9)
		mltest.NearAll(t, "v", mat.Col(nil, j, p.Vectors), mat.Col(nil, j, f.V), 1e-6)
	}
	var e *model.Error
	if err := p.Learn(mat.NewDense(2, 2, []float64{1, 2, 3, 4})); !errors.As(err, &e) {
		t.Errorf("a matrix that is not symmetric: %v", err)
	}
}

// E2-31: the entries of S are singular values, falling and not negative.
func TestDEC03_SVD(t *testing.T) {
	f, err := decomp.SVD(tiny())
	if err != nil {
		t.Fatal(err)
	}
	mltest.NearAll(t, "singular values", f.S, []float64{math.Sqrt(45), math.Sqrt(5)}, 1e-12)
	mltest.NearAll(t, "as printed", f.S, []float64{6.7082, 2.2361}, 1e-4)
	for _, x := range []*mat.Dense{tiny(), sloped(20, 6, 2), mat.DenseCopyOf(sloped(20, 6, 2).T())} {
		f, err := decomp.SVD(x)
		if err != nil {
			t.Fatal(err)
		}
		if !mat.EqualApprox(f.Matrix(), x, 1e-10) {
			t.Error("the factors do not give the matrix back")
		}
		for j, s := range f.S {
			if s < 0 || j > 0 && s > f.S[j-1] {
				t.Errorf("singular values %v", f.S)
			}
		}
		for _, m := range []*mat.Dense{f.U, f.V} {
			var g mat.Dense
			g.Mul(m.T(), m)
			if !mat.EqualApprox(&g, mat.NewDiagDense(len(f.S), ones(len(f.S))), 1e-12) {
				t.Error("the vectors are not orthonormal")
			}
		}
	}
}

func ones(n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = 1
	}
	return out
}

// E2-32: the rank is the maximum number of independent rows. E2-33: in the rank
// factorization S is k x k, between U, m x k, and Vᵀ, k x n.
func TestDEC04_Rank(t *testing.T) {
	u, v := noise(7, 1, 1), noise(5, 1, 2)
	var one mat.Dense
	one.Mul(u, v.T())
	rank, err := decomp.Rank(&one)
	if err != nil || rank != 1 {
		t.Errorf("the rank of an outer product is %d, %v", rank, err)
	}
	for k := 1; k <= 5; k++ {
		var a mat.Dense
		a.Mul(noise(7, k, 3), noise(k, 5, 4))
		f, err := decomp.SVD(&a)
		if err != nil || f.Rank() != k {
			t.Fatalf("rank %d, want %d, %v", f.Rank(), k, err)
		}
		f = f.Keep(k)
		m, _ := f.U.Dims()
		n, c := f.V.Dims()
		if m != 7 || n != 5 || c != k || len(f.S) != k || !mat.EqualApprox(f.Matrix(), &a, 1e-12) {
			t.Errorf("the factors of rank %d do not give the matrix", k)
		}
	}
	// The rank of independent rows and copies of them is the number of independent rows.
	a := noise(3, 5, 6)
	var doubled mat.Dense
	doubled.Stack(a, a)
	if rank, _ := decomp.Rank(&doubled); rank != 3 {
		t.Errorf("the rank of three rows twice is %d", rank)
	}
}

// E2-33: the small singular values are dropped.
func TestDEC05_LowRank(t *testing.T) {
	x := sloped(30, 8, 5)
	f, err := decomp.SVD(x)
	if err != nil {
		t.Fatal(err)
	}
	before := math.Inf(1)
	for k := 1; k <= 8; k++ {
		a, err := decomp.LowRank(x, k)
		if err != nil {
			t.Fatal(err)
		}
		var diff mat.Dense
		diff.Sub(x, a.A)
		dropped := floats.Norm(f.S[k:], 2)
		mltest.Near(t, "distance", mat.Norm(&diff, 2), dropped, 1e-9)
		mltest.Near(t, "error", a.Error, dropped, 1e-12)
		if a.Error >= before || a.Numbers != k*39 {
			t.Errorf("k = %d: error %v after %v, %d numbers", k, a.Error, before, a.Numbers)
		}
		before = a.Error
		// No other matrix of the rank is nearer.
		var other mat.Dense
		other.Mul(noise(30, k, 7), noise(k, 8, 8))
		other.Sub(x, &other)
		if mat.Norm(&other, 2) < a.Error {
			t.Error("a random matrix of the same rank is nearer")
		}
	}
	// For a low-rank matrix plus noise, the approximation is nearer to the true matrix.
	var truth, noisy mat.Dense
	truth.Mul(noise(40, 2, 1), noise(2, 30, 2))
	noisy.Add(&truth, noise(40, 30, 3))
	a, err := decomp.LowRank(&noisy, 2)
	if err != nil {
		t.Fatal(err)
	}
	a.A.Sub(a.A, &truth)
	noisy.Sub(&noisy, &truth)
	if mat.Norm(a.A, 2) > mat.Norm(&noisy, 2)/2 {
		t.Errorf("rank 2 is %v away from the truth, the noise %v", mat.Norm(a.A, 2), mat.Norm(&noisy, 2))
	}
}

func TestDEC06_PCAFromSVD(t *testing.T) {
	x := sloped(60, 5, 4)
	covariance, singular := &decomp.PCA{Solver: decomp.CovariancePCA}, &decomp.PCA{Solver: decomp.SVDPCA}
	fit(t, covariance, x)
	fit(t, singular, x)
	if !mat.EqualApprox(covariance.Axes, singular.Axes, 1e-9) {
		t.Error("the eigenvectors of the covariance are not the right singular vectors")
	}
	mltest.NearAll(t, "variance", covariance.Variance, singular.Variance, 1e-10)
	for j, s := range singular.Singular {
		mltest.Near(t, "σ²/(n−1)", s*s/59, singular.Variance[j], 1e-12)
	}
	random := &decomp.PCA{Solver: decomp.RandomizedPCA, Components: 2}
	fit(t, random, x)
	mltest.NearAll(t, "randomized", random.Variance, singular.Variance[:2], 1e-10)
}

func TestDEC09_WordVectors(t *testing.T) {
	texts := []string{
		"the king rules the country from a palace", "the queen rules the country from a palace",
		"the king wears a golden crown", "the queen wears a golden crown",
		"the dog chases the ball in a garden", "the puppy chases the ball in a garden",
		"the dog barks at strangers", "the puppy barks at strangers",
		"bread and cheese for lunch", "butter and cheese for lunch",
	}
	w := decomp.WordVectors{Components: 6}
	if err := w.Learn(texts); err != nil {
		t.Fatal(err)
	}
	for word, want := range map[string]string{"king": "queen", "queen": "king", "dog": "puppy", "puppy": "dog", "bread": "butter"} {
		if c := w.Cosine(word, want); c < 0.9 {
			t.Errorf("the cosine of %s and %s is %v", word, want, c)
		}
	}
	if w.Cosine("king", "dog") > w.Cosine("king", "crown") {
		t.Error("a king is nearer to a dog than to a crown")
	}
	if len(w.Nearest("king", 3)) != 3 || w.Vector("zebra") != nil {
		t.Error("three nearest words were wanted, and no vector of an unknown one")
	}
	// With the counts alone and all components, U·S has the products of the rows of A.
	counts := decomp.WordVectors{Counts: true, Power: 1}
	if err := counts.Learn([]string{"a b", "a b c", "c d"}); err != nil {
		t.Fatal(err)
	}
	var got, want mat.Dense
	got.Mul(counts.Vectors, counts.Vectors.T())
	want.Mul(counts.Pairs, counts.Pairs.T())
	if !mat.EqualApprox(&got, &want, 1e-10) {
		t.Errorf("the products are %v, want %v", mat.Formatted(&got), mat.Formatted(&want))
	}
	if counts.Pairs.At(0, 1) != 2 || counts.Pairs.At(0, 2) != 1 || counts.Pairs.At(0, 3) != 0 {
		t.Errorf("the counts are %v", mat.Formatted(counts.Pairs))
	}
	// b is to a as d is to c: vectors on a grid.
	grid := decomp.WordVectors{Words: []string{"a", "b", "c", "d", "e"}, Singular: []float64{1, 1, 1},
		Vectors: mat.NewDense(5, 3, []float64{1, 0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, -1, 0, 0})}
	if got := grid.Analogy("a", "b", "c", 1); got[0].Word != "d" {
		t.Errorf("b is to a as %v is to c", got)
	}
}

// mixture returns two sources, one with light tails and one with heavy ones, and their
// mixture.
func mixture(n int) (s, x *mat.Dense) {
	s = mat.NewDense(n, 2, nil)
	rng := model.Rand(5, 0)
	for i := range n {
		v := rng.Float64() - 0.5
		s.Set(i, 0, math.Sin(float64(i)*0.11)+0.02*rng.NormFloat64())
		s.Set(i, 1, -math.Copysign(math.Log(1-2*math.Abs(v)+1e-12), v))
	}
	x = new(mat.Dense)
	x.Mul(s, mat.NewDense(2, 2, []float64{1, 0.5, 0.7, 2}))
	return s, x
}

// E2-34: ICA is independent component analysis.
func TestDEC10_ICA(t *testing.T) {
	s, x := mixture(2000)
	for name, m := range map[string]model.Transformer{
		"logcosh": &decomp.FastICA{}, "exp": &decomp.FastICA{Contrast: decomp.ExpContrast},
		"cube": &decomp.FastICA{Contrast: decomp.CubeContrast}, "infomax": &decomp.InfomaxICA{},
	} {
		fit(t, m, x)
		z := m.Transform(x)
		for j := range 2 {
			best := 0.0
			for c := range 2 {
				best = max(best, math.Abs(correlation(mat.Col(nil, j, s), mat.Col(nil, c, z))))
			}
			// The sampled sources are slightly dependent; runs of all four reach 0.995.
			if best < 0.995 {
				t.Errorf("%s: source %d is found with the correlation %v", name, j, best)
			}
		}
		var back *mat.Dense
		switch m := m.(type) {
		case *decomp.FastICA:
			back = m.Inverse(z)
		case *decomp.InfomaxICA:
			back = m.Inverse(z)
		}
		if !mat.EqualApprox(back, x, 1e-9) {
			t.Errorf("%s: mixed again the sources do not give the rows", name)
		}
		var g mat.Dense
		g.Mul(z.T(), z)
		for j := range 2 {
			mltest.Near(t, name+" variance", g.At(j, j)/2000, 1, 1e-9)
		}
	}
}

func correlation(a, b []float64) float64 {
	n := float64(len(a))
	ma, mb := floats.Sum(a)/n, floats.Sum(b)/n
	ab, aa, bb := 0.0, 0.0, 0.0
	for i := range a {
		ab, aa, bb = ab+(a[i]-ma)*(b[i]-mb), aa+(a[i]-ma)*(a[i]-ma), bb+(b[i]-mb)*(b[i]-mb)
	}
	return ab / math.Sqrt(aa*bb)
}

// E0-59: the hash maps indices of features; a second one gives signs, with which the
// error of products has mean 0.
func TestDEC11_FeatureHashing(t *testing.T) {
	for j, want := range map[int]int{0: 5, 1: 8, 2: 0, 11: 5} { // (3j + 5) mod 11
		if got := decomp.HashIndex(3, 5, 11, j); got != want {
			t.Errorf("h(%d) = %d, want %d", j, got, want)
		}
	}
	const d, trials = 60, 4000
	x, z := noise(1, d, 1), noise(1, d, 2)
	want := floats.Dot(x.RawRowView(0), z.RawRowView(0))
	for _, size := range []int{11, 44} {
		sum, squares := 0.0, 0.0
		for seed := range trials {
			h := &decomp.FeatureHasher{Columns: size, Seed: uint64(seed)}
			fit(t, h, x)
			e := floats.Dot(h.Transform(x).RawRowView(0), h.Transform(z).RawRowView(0)) - want
			sum, squares = sum+e, squares+e*e
		}
		mean, sd := sum/trials, math.Sqrt(squares/trials)
		if math.Abs(mean) > 4*sd/math.Sqrt(trials) {
			t.Errorf("%d columns: the mean error is %v, its standard deviation %v", size, mean, sd/math.Sqrt(trials))
		}
		xx, zz := floats.Dot(x.RawRowView(0), x.RawRowView(0)), floats.Dot(z.RawRowView(0), z.RawRowView(0))
		if bound := math.Sqrt((xx*zz + want*want) / float64(size)); sd > 1.1*bound {
			t.Errorf("%d columns: the standard deviation is %v, the bound %v", size, sd, bound)
		}
	}
	// Published values of MurmurHash3 (x86, 32 bits), seen through 2³¹−1 columns: "" has
	// 0, "hello" 0x248bfa47.
	h := decomp.FeatureHasher{Columns: 1<<31 - 1}
	got, err := h.Words([][]string{{"hello"}})
	if err != nil {
		t.Fatal(err)
	}
	if at, v := got.Row(0); at[0] != 0x248bfa47 || v[0] != 1 {
		t.Errorf("hello is hashed to %x with %v", at, v)
	}
}

func TestDEC13_SoftImpute(t *testing.T) {
	var truth mat.Dense
	truth.Mul(noise(40, 2, 1), noise(2, 25, 2))
	holes := mat.DenseCopyOf(&truth)
	rng := model.Rand(3, 0)
	for i := range 40 {
		for j := range 25 {
			if rng.Float64() < 0.3 {
				holes.Set(i, j, math.NaN())
			}
		}
	}
	hard := &decomp.SoftImpute{Lambda: model.Zero, MaxRank: 2, Tol: 1e-9, MaxIter: 5000}
	fit(t, hard, holes)
	if got := hard.Transform(holes); !mat.EqualApprox(got, &truth, 1e-4) {
		t.Error("a matrix of rank 2 with three entries of ten missing is not recovered")
	}
	soft := &decomp.SoftImpute{}
	fit(t, soft, holes)
	for i, loss := range soft.Trace.Loss[1:] {
		if loss > soft.Trace.Loss[i]*(1+1e-12) {
			t.Errorf("the objective rises from %v to %v", soft.Trace.Loss[i], loss)
		}
	}
	off, size := 0.0, 0.0
	filled := soft.Transform(holes)
	for i := range 40 {
		for j := range 25 {
			if math.IsNaN(holes.At(i, j)) {
				off += math.Pow(filled.At(i, j)-truth.At(i, j), 2)
				size += math.Pow(truth.At(i, j), 2)
			} else if filled.At(i, j) != truth.At(i, j) {
				t.Fatal("an entry that was observed has changed")
			}
		}
	}
	if off > 0.05*size {
		t.Errorf("the missing entries are off by %v of %v", off, size)
	}
	// Without missing entries M is x with the threshold subtracted from its singular values.
	whole := &decomp.SoftImpute{Lambda: 1}
	fit(t, whole, &truth)
	f, err := decomp.SVD(&truth)
	if err != nil {
		t.Fatal(err)
	}
	mltest.NearAll(t, "singular values", whole.Singular, []float64{f.S[0] - 1, f.S[1] - 1}, 1e-9)
}
