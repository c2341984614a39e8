package prep_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/linear"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/modeltest"
	"github.com/gokernel/gokernel/mlstd/neighbors"
	"github.com/gokernel/gokernel/mlstd/prep"
	"github.com/gokernel/gokernel/mlstd/tree"
)

// few has columns with few distinct values, and bits has columns of 0 and 1.
func few(levels int) *mat.Dense {
	rng := model.Rand(7, 0)
	x := mat.NewDense(40, 4, nil)
	for i := range 40 {
		for j := range 4 {
			x.Set(i, j, float64(rng.IntN(levels)))
		}
	}
	return x
}

func TestConformance(t *testing.T) {
	t.Run("StandardScaler", func(t *testing.T) {
		modeltest.Transformer(t, func() model.Transformer { return &prep.StandardScaler{} }, modeltest.Options{})
	})
	t.Run("MinMaxScaler", func(t *testing.T) {
		modeltest.Transformer(t, func() model.Transformer { return &prep.MinMaxScaler{Low: -1, High: 1} }, modeltest.Options{})
	})
	t.Run("RowNormalizer", func(t *testing.T) {
		modeltest.Transformer(t, func() model.Transformer { return &prep.RowNormalizer{} }, modeltest.Options{})
	})
	t.Run("VarianceThreshold", func(t *testing.T) {
		modeltest.Transformer(t, func() model.Transformer { return &prep.VarianceThreshold{} }, modeltest.Options{})
	})
	t.Run("OneHotEncoder", func(t *testing.T) {
		modeltest.Transformer(t, func() model.Transformer { return &prep.OneHotEncoder{} }, modeltest.Options{
			X: few(5), Skip: map[string]string{"matrix forms": "the columns of a Table are encoded only when they are nominal"}})
	})
	t.Run("ThermometerEncoder", func(t *testing.T) {
		modeltest.Transformer(t, func() model.Transformer { return &prep.ThermometerEncoder{} }, modeltest.Options{
			X: few(5), Skip: map[string]string{"matrix forms": "the columns of a Table are encoded only when they are ordinal"}})
	})
	t.Run("Imputer", func(t *testing.T) {
		modeltest.Transformer(t, func() model.Transformer { return &prep.Imputer{Fill: prep.FillMedian, Indicators: true} },
			modeltest.Options{Skip: map[string]string{"nan": "filling NaN is what it is for", "nan in transform": "as above; TestImputer has Inf"}})
	})
	t.Run("PolynomialFeatures", func(t *testing.T) {
		modeltest.Transformer(t, func() model.Transformer { return &prep.PolynomialFeatures{Degree: 3} }, modeltest.Options{})
	})
	t.Run("ConjunctionFeatures", func(t *testing.T) {
		modeltest.Transformer(t, func() model.Transformer { return &prep.ConjunctionFeatures{Size: 3} }, modeltest.Options{
			X: few(2), Skip: map[string]string{"constant column": "the check makes a column of 2, which is no truth value"}})
	})
}

func fit(t *testing.T, m model.Transformer, x mat.Matrix) *mat.Dense {
	t.Helper()
	if err := m.Fit(x); err != nil {
		t.Fatal(err)
	}
	return m.Transform(x).Dense
}

func rows(m mat.Matrix) [][]float64 {
	n, _ := m.Dims()
	r := make([][]float64, n)
	for i := range r {
		r[i] = mat.Row(nil, i, m)
	}
	return r
}

// E0-08: w̃ = (b, w) and x̃ = (1, x), the bias with its own sign.
func TestCORE14_Bias(t *testing.T) {
	rng := model.Rand(1, 0)
	for range 20 {
		x := mat.NewDense(1, 5, nil)
		w := mat.NewVecDense(5, nil)
		wide := mat.NewVecDense(6, nil)
		b := rng.NormFloat64()
		wide.SetVec(0, b)
		for j := range 5 {
			x.Set(0, j, rng.NormFloat64())
			w.SetVec(j, rng.NormFloat64())
			wide.SetVec(j+1, w.AtVec(j))
		}
		mltest.Near(t, "w̃·x̃", mat.Dot(wide, prep.AddBias(x).RowView(0)), mat.Dot(w, x.RowView(0))+b, 1e-12)
	}
	// E4-12: a penalty on w̃ shrinks the bias too. With an offset of 10 and slope 0, ridge
	// regression through the origin of the larger space does not reach the offset.
	x := mat.NewDense(4, 1, []float64{-1, 1, -1, 1})
	y := []float64{10, 10, 10, 10}
	apart, inside := &linear.Ridge{Lambda: 1}, &linear.Ridge{Lambda: 1, NoIntercept: true}
	if err := apart.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	if err := inside.Fit(prep.AddBias(x), y); err != nil {
		t.Fatal(err)
	}
	mltest.Near(t, "bias outside of the penalty", apart.Intercept, 10, 1e-12)
	mltest.Near(t, "bias inside", inside.Coef[0], 10.0*4/(4+1), 1e-12)
}

// Nearest neighbors change with scaling but not with centering. Neither changes a
// tree's predictions; both change a perceptron without a bias.
func TestCORE15_ScalingEffects(t *testing.T) {
	d := data.BreastCancer()
	centered := fit(t, &prep.StandardScaler{KeepScale: true}, d.X)
	scaled := fit(t, &prep.StandardScaler{KeepMean: true}, d.X)
	mltest.Near(t, "mean after centering", mat.Sum(centered.ColView(12)), 0, 1e-9)
	predict := func(m model.Classifier, x *mat.Dense) []int {
		var train []int
		for i := 0; i < d.Len(); i += 2 {
			train = append(train, i)
		}
		half := mat.NewDense(len(train), 30, nil)
		var y []int
		for k, i := range train {
			half.SetRow(k, x.RawRowView(i))
			y = append(y, d.Y[i])
		}
		if err := m.Fit(half, y); err != nil {
			t.Fatal(err)
		}
		return m.Predict(x)
	}
	raw := d.X.Dense
	for _, tt := range []struct {
		name                     string
		m                        func() model.Classifier
		sameCentered, sameScaled bool
	}{
		{"k nearest neighbors", func() model.Classifier { return &neighbors.KNN{K: 3} }, true, false},
		{"decision tree", func() model.Classifier { return &tree.DecisionTree{} }, true, true},
		{"perceptron without bias", func() model.Classifier { return &plainPerceptron{} }, false, false},
	} {
		want := predict(tt.m(), raw)
		if got := cmp.Equal(want, predict(tt.m(), centered)); got != tt.sameCentered {
			t.Errorf("%s: the same predictions after centering: got %v, want %v", tt.name, got, tt.sameCentered)
		}
		if got := cmp.Equal(want, predict(tt.m(), scaled)); got != tt.sameScaled {
			t.Errorf("%s: the same predictions after scaling: got %v, want %v", tt.name, got, tt.sameScaled)
		}
	}
}

// plainPerceptron runs ten rounds of w += y x on mistakes.
type plainPerceptron struct{ w []float64 }

func (p *plainPerceptron) Fit(x mat.Matrix, y []int) error {
	d := model.Dense(x)
	_, cols := d.Dims()
	p.w = make([]float64, cols)
	for range 10 {
		for i, c := range y {
			s := float64(2*c - 1)
			dot := 0.0
			for j, v := range d.RawRowView(i) {
				dot += p.w[j] * v
			}
			if s*dot <= 0 {
				for j, v := range d.RawRowView(i) {
					p.w[j] += s * v
				}
			}
		}
	}
	return nil
}

func (p *plainPerceptron) Predict(x mat.Matrix) []int {
	n, _ := x.Dims()
	y := make([]int, n)
	for i := range y {
		dot := 0.0
		for j, w := range p.w {
			dot += w * x.At(i, j)
		}
		if dot > 0 {
			y[i] = 1
		}
	}
	return y
}

func TestCORE16_VariancePruning(t *testing.T) {
	// The class is the sign of the first column, in kilometers; the second is noise
	// in millimeters. Pruning by variance before scaling keeps the noise.
	rng := model.Rand(2, 0)
	x := mat.NewDense(100, 2, nil)
	y := make([]int, 100)
	for i := range 100 {
		v := rng.NormFloat64()
		if v > 0 {
			y[i] = 1
		}
		x.SetRow(i, []float64{v / 1000, 1000 * rng.NormFloat64()})
	}
	s := &prep.VarianceThreshold{Threshold: 1}
	pruned := fit(t, s, x)
	if diff := cmp.Diff([]int{1}, s.Kept); diff != "" {
		t.Fatalf("kept columns (-want +got):\n%s", diff)
	}
	stump := &tree.DecisionStump{}
	if err := stump.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	mltest.Near(t, "error with both columns", stump.Error, 0, 0)
	if err := stump.Fit(pruned, y); err != nil {
		t.Fatal(err)
	}
	if stump.Error < 0.3 {
		t.Errorf("error after pruning the good column: got %v, want about one half", stump.Error)
	}
	var e *model.Error
	if err := (&prep.VarianceThreshold{}).Fit(mat.NewDense(3, 1, []float64{2, 2, 2})); !errors.As(err, &e) {
		t.Errorf("all columns constant: got %v, want an error", err)
	}
}

func TestCORE17_OneHot(t *testing.T) {
	x := &model.Table{
		Dense: mat.NewDense(2, 2, []float64{2, 7.5, 0, 8.5}),
		Columns: []model.Column{
			{Name: "color", Kind: model.Nominal, Levels: []string{"red", "green", "blue"}}, {Name: "size"}},
	}
	e := &prep.OneHotEncoder{}
	got := fit(t, e, x)
	if diff := cmp.Diff([][]float64{{0, 0, 1, 7.5}, {1, 0, 0, 8.5}}, rows(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if e.Columns[2].Name != "color=blue" || e.Columns[3].Name != "size" {
		t.Errorf("columns %v", e.Columns)
	}
}

func TestCORE18_Thermometer(t *testing.T) {
	x := &model.Table{
		Dense:   mat.NewDense(4, 1, []float64{0, 1, 2, 3}),
		Columns: []model.Column{{Name: "grade", Kind: model.Ordinal, Levels: []string{"poor", "fair", "good", "best"}}},
	}
	got := fit(t, &prep.ThermometerEncoder{}, x)
	// The third of four levels is (1,1,1,0); the last has all on (E3-32).
	want := [][]float64{{1, 0, 0, 0}, {1, 1, 0, 0}, {1, 1, 1, 0}, {1, 1, 1, 1}}
	if diff := cmp.Diff(want, rows(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestCORE19_Normalized(t *testing.T) {
	x := data.Diabetes().X
	z := fit(t, &prep.StandardScaler{}, x)
	n, cols := z.Dims()
	for j := range cols {
		col := mat.Col(nil, j, z)
		s, s2 := 0.0, 0.0
		for _, v := range col {
			s += v
			s2 += v * v
		}
		mltest.Near(t, "mean", s/float64(n), 0, 1e-12)
		mltest.Near(t, "variance", s2/float64(n), 1, 1e-12)
	}
	m := fit(t, &prep.MinMaxScaler{}, x)
	mltest.Near(t, "least", mat.Min(m), 0, 0)
	mltest.Near(t, "largest", mat.Max(m), 1, 1e-15)
	u := fit(t, &prep.RowNormalizer{}, x)
	for i := range n {
		mltest.Near(t, "length", mat.Norm(u.RowView(i), 2), 1, 1e-12)
	}
	s := &prep.StandardScaler{}
	back := fit(t, s, x)
	if d := s.Inverse(back); !mat.EqualApprox(d, x, 1e-9) {
		t.Error("Inverse does not give the rows back")
	}
}

func TestCORE20_OutputEncoding(t *testing.T) {
	y := []int{3, 7, 3, 9}
	targets, classes := prep.ClassIndicators(y)
	if diff := cmp.Diff([][]float64{{1, 0, 0}, {0, 1, 0}, {1, 0, 0}, {0, 0, 1}}, rows(targets)); diff != "" {
		t.Errorf("three classes (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(y, prep.DecideClasses(targets, classes)); diff != "" {
		t.Errorf("back (-want +got):\n%s", diff)
	}
	y = []int{-1, 1, 1}
	targets, classes = prep.ClassIndicators(y)
	if diff := cmp.Diff([][]float64{{0}, {1}, {1}}, rows(targets)); diff != "" {
		t.Errorf("two classes (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(y, prep.DecideClasses(targets, classes)); diff != "" {
		t.Errorf("back (-want +got):\n%s", diff)
	}
}

// Sparse rows have the same scores as dense ones, and the cost of a score depends only on the
// active features, however many features exist.
func TestCORE21_Sparse(t *testing.T) {
	rng := model.Rand(3, 0)
	index := &prep.FeatureIndex{}
	var lists [][]string
	for range 50 {
		var active []string
		for range 6 {
			active = append(active, fmt.Sprint("f", rng.IntN(1000)))
		}
		lists = append(lists, active)
	}
	m := index.Examples(lists)
	n, cols := m.Dims()
	if n != 50 || cols != len(index.Names) {
		t.Fatalf("%dx%d for 50 examples and %d names", n, cols, len(index.Names))
	}
	w := make([]float64, cols)
	for j := range w {
		w[j] = rng.NormFloat64()
	}
	dense := mat.DenseCopyOf(m)
	for i := range n {
		mltest.Near(t, "w·x", m.Dot(i, w), mat.Dot(mat.NewVecDense(cols, w), dense.RowView(i)), 1e-12)
		if columns, _ := m.Row(i); len(columns) > 6 {
			t.Errorf("row %d has %d entries for at most 6 active features", i, len(columns))
		}
	}
}

const sentence = "I don't know whether to laugh or cry"

func TestCORE22_ContextFeatures(t *testing.T) {
	words := prep.Words(sentence)
	if diff := cmp.Diff(strings.Fields("i don't know whether to laugh or cry"), words); diff != "" {
		t.Fatalf("words (-want +got):\n%s", diff)
	}
	got := prep.ContextFeatures(words, 3, 3)
	want := []string{"near:i", "near:don't", "near:know", "near:to", "near:laugh", "near:or",
		"don't@−2", "know@−1", "to@+1", "laugh@+2", "know_", "_to", "know_to", "suffix:now"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("features of whether (-want +got):\n%s", diff)
	}
	// Features get columns in the order in which they appear; unseen features are ignored later.
	index := &prep.FeatureIndex{}
	m := index.Examples([][]string{{"a", "b"}, {"b", "c", "b"}})
	if r, c := m.Dims(); r != 2 || c != 3 || m.At(1, 1) != 1 || m.At(1, 0) != 0 || m.At(1, 2) != 1 {
		t.Errorf("examples: %dx%d, %v", r, c, mat.Formatted(m))
	}
	index.Frozen = true
	if diff := cmp.Diff([]int{2}, index.Columns([]string{"z", "c"})); diff != "" {
		t.Errorf("frozen (-want +got):\n%s", diff)
	}
}

func TestCORE23_FeatureSpace(t *testing.T) {
	// E2-10: 40 for d = 3, of which 20 are distinct; 10⁹ belongs to d = 1000.
	mltest.Near(t, "ordered, d=3, p=3", float64(prep.OrderedMonomials(3, 3).Int64()), 40, 0)
	mltest.Near(t, "distinct, d=3, p=3", float64(prep.DistinctMonomials(3, 3).Int64()), 20, 0)
	mltest.Near(t, "ordered, d=1000, p=3", float64(prep.OrderedMonomials(1000, 3).Int64()), 1001001001, 0)
	x := &model.Table{Dense: mat.NewDense(1, 2, []float64{2, 3}), Columns: []model.Column{{Name: "a"}, {Name: "b"}}}
	p := &prep.PolynomialFeatures{Degree: 3}
	got := fit(t, p, x)
	var names []string
	for _, c := range p.Columns {
		names = append(names, c.Name)
	}
	if diff := cmp.Diff("1|a|b|a²|a·b|b²|a³|a²·b|a·b²|b³", strings.Join(names, "|")); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([][]float64{{1, 2, 3, 4, 6, 9, 8, 12, 18, 27}}, rows(got)); diff != "" {
		t.Errorf("values (-want +got):\n%s", diff)
	}
	three := &prep.PolynomialFeatures{Degree: 3}
	if _, c := fit(t, three, mat.NewDense(1, 3, nil)).Dims(); c != 20 {
		t.Errorf("%d columns for d=3, p=3, want 20", c)
	}

	// E1-20: x₁ … x_k become χ₁(x) … χ_n(x), of which exclusive or is a linear
	// function: x₁¬x₂ + ¬x₁x₂.
	xor := data.XOR()
	c := &prep.ConjunctionFeatures{}
	z := fit(t, c, xor.X)
	if _, cols := z.Dims(); cols != 1+4+4 {
		t.Fatalf("%d conjunctions of two literals, want 1 + 2·2 + 1·4", cols)
	}
	for i, y := range xor.Y {
		s := 0.0
		for k, col := range c.Columns {
			if col.Name == "a ∧ ¬b" || col.Name == "¬a ∧ b" {
				s += z.At(i, k)
			}
		}
		mltest.Near(t, fmt.Sprint("exclusive or of row ", i), s, float64(y), 0)
	}
	mono := &prep.ConjunctionFeatures{Size: 3, Monotone: true}
	if _, cols := fit(t, mono, mat.NewDense(1, 5, nil)).Dims(); cols != 1+5+10+10 {
		t.Errorf("%d monotone conjunctions of 5, want 26", cols)
	}
	var e *model.Error
	if err := (&prep.PolynomialFeatures{Degree: 9}).Fit(mat.NewDense(1, 100, nil)); !errors.As(err, &e) {
		t.Errorf("a million columns: got %v, want an error", err)
	}
	if err := (&prep.ConjunctionFeatures{Size: 9}).Fit(mat.NewDense(1, 100, nil)); !errors.As(err, &e) {
		t.Errorf("too many conjunctions: got %v, want an error", err)
	}
}

func TestCORE24_Vocabulary(t *testing.T) {
	v := &prep.Vocabulary{StopWords: prep.StopWords()}
	if err := v.Learn([]string{"The price of the prize", "Win a prize, win!"}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"price", "prize", "win"}, v.Words); diff != "" {
		t.Errorf("words (-want +got):\n%s", diff)
	}
	m := v.Count([]string{"win win prize lottery", "nothing"})
	if diff := cmp.Diff([][]float64{{0, 1, 2}, {0, 0, 0}}, rows(m)); diff != "" {
		t.Errorf("counts (-want +got):\n%s", diff)
	}
	v = &prep.Vocabulary{MinTexts: 2, Stem: true}
	if err := v.Learn([]string{"winning prizes", "a winning prize"}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"prize", "win"}, v.Words); diff != "" {
		t.Errorf("stems in both texts (-want +got):\n%s", diff)
	}
	var e *model.Error
	if err := v.Learn([]string{"one", "two"}); !errors.As(err, &e) {
		t.Errorf("no word in two texts: got %v, want an error", err)
	}
}

// The pairs are the examples of Porter's paper.
func TestCORE25_Porter(t *testing.T) {
	for word, want := range map[string]string{
		"caresses": "caress", "ponies": "poni", "ties": "ti", "caress": "caress", "cats": "cat",
		"feed": "feed", "agreed": "agre", "plastered": "plaster", "bled": "bled", "motoring": "motor", "sing": "sing",
		"conflated": "conflat", "troubled": "troubl", "sized": "size", "hopping": "hop", "tanned": "tan", "falling": "fall",
		"hissing": "hiss", "fizzed": "fizz", "failing": "fail", "filing": "file", "happy": "happi", "sky": "sky",
		"relational": "relat", "conditional": "condit", "rational": "ration", "valenci": "valenc", "hesitanci": "hesit",
		"digitizer": "digit", "conformabli": "conform", "radicalli": "radic", "differentli": "differ", "vileli": "vile",
		"analogousli": "analog", "vietnamization": "vietnam", "predication": "predic", "operator": "oper",
		"feudalism": "feudal", "decisiveness": "decis", "hopefulness": "hope", "callousness": "callous",
		"formaliti": "formal", "sensitiviti": "sensit", "sensibiliti": "sensibl",
		"triplicate": "triplic", "formative": "form", "formalize": "formal", "electriciti": "electr", "electrical": "electr",
		"hopeful": "hope", "goodness": "good", "revival": "reviv", "allowance": "allow", "inference": "infer",
		"airliner": "airlin", "gyroscopic": "gyroscop", "adjustable": "adjust", "defensible": "defens", "irritant": "irrit",
		"replacement": "replac", "adjustment": "adjust", "dependent": "depend", "adoption": "adopt", "homologou": "homolog",
		"communism": "commun", "activate": "activ", "angulariti": "angular", "homologous": "homolog", "effective": "effect",
		"bowdlerize": "bowdler", "probate": "probat", "rate": "rate", "cease": "ceas", "controll": "control", "roll": "roll",
		"generalizations": "gener", "oscillators": "oscil", "is": "is", "naïve": "naïve",
	} {
		if got := prep.PorterStem(word); got != want {
			t.Errorf("%s: got %s, want %s", word, got, want)
		}
	}
}

func TestImputer(t *testing.T) {
	nan := math.NaN()
	x := &model.Table{
		Dense:   mat.NewDense(4, 2, []float64{1, 0, nan, 2, 3, 2, 8, nan}),
		Columns: []model.Column{{Name: "n"}, {Name: "c", Kind: model.Nominal, Levels: []string{"a", "b", "c"}}},
	}
	for _, tt := range []struct {
		m    *prep.Imputer
		want [][]float64
	}{
		{&prep.Imputer{}, [][]float64{{1, 0}, {4, 2}, {3, 2}, {8, 2}}},
		{&prep.Imputer{Fill: prep.FillMedian}, [][]float64{{1, 0}, {3, 2}, {3, 2}, {8, 2}}},
		{&prep.Imputer{Fill: prep.FillMode}, [][]float64{{1, 0}, {1, 2}, {3, 2}, {8, 2}}},
		{&prep.Imputer{Fill: prep.FillConstant, Value: -1}, [][]float64{{1, 0}, {-1, 2}, {3, 2}, {8, 2}}},
		{&prep.Imputer{Indicators: true}, [][]float64{{1, 0, 0, 0}, {4, 2, 1, 0}, {3, 2, 0, 0}, {8, 2, 0, 1}}},
	} {
		if diff := cmp.Diff(tt.want, rows(fit(t, tt.m, x))); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", tt.m, diff)
		}
	}
	var e *model.Error
	if err := (&prep.Imputer{}).Fit(mat.NewDense(2, 1, []float64{nan, nan})); !errors.As(err, &e) {
		t.Errorf("a column without values: got %v, want an error", err)
	}
	if err := (&prep.Imputer{Fill: prep.FillConstant, Value: nan}).Fit(x); err == nil {
		t.Error("NaN was taken to fill with")
	}
	if err := (&prep.MinMaxScaler{High: math.Inf(1)}).Fit(mat.NewDense(2, 1, []float64{1, 2})); err == nil {
		t.Error("an infinite interval was accepted")
	}
	m := &prep.Imputer{}
	fit(t, m, x)
	defer func() {
		if _, ok := recover().(*model.Error); !ok {
			t.Error("an Inf passed as a value")
		}
	}()
	m.Transform(mat.NewDense(1, 2, []float64{math.Inf(1), nan}))
}

func ExampleStandardScaler() {
	s := &prep.StandardScaler{}
	x := data.Rows([][]float64{{1}, {2}, {3}})
	if err := s.Fit(x); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.4f\n", mat.Col(nil, 0, s.Transform(x)))
	// Output: [-1.2247 0.0000 1.2247]
}

func ExampleMinMaxScaler() {
	s := &prep.MinMaxScaler{}
	x := data.Rows([][]float64{{1}, {2}, {3}})
	if err := s.Fit(x); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(mat.Col(nil, 0, s.Transform(x)))
	// Output: [0 0.5 1]
}

func ExampleOneHotEncoder() {
	e := &prep.OneHotEncoder{}
	x := data.PlayTennis().Features("Outlook").X
	if err := e.Fit(x); err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range e.Columns {
		fmt.Print(c.Name, " ")
	}
	fmt.Println(e.Transform(x).RawRowView(2))
	// Output: Outlook=sunny Outlook=overcast Outlook=rain [0 1 0]
}

func ExampleTextEncoder() {
	e := &prep.TextEncoder{Counts: true, StopWords: prep.StopWords()}
	if err := e.Fit(prep.TextTable("review", []string{"a good film", "the film is bad"})); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(e.Transform(prep.TextTable("review", []string{"good good film"})).RawMatrix().Data)
	// Output: [0 1 2]
}

func ExamplePorterStem() {
	for _, w := range prep.Words("Ponies are running happily") {
		fmt.Print(prep.PorterStem(w), " ")
	}
	// Output: poni ar run happili
}

func ExampleContextFeatures() {
	fmt.Println(prep.ContextFeatures(prep.Words("I don't know whether to laugh or cry"), 3, 1))
	// Output: [near:know near:to don't@−2 know@−1 to@+1 laugh@+2 know_ _to know_to suffix:now]
}

func BenchmarkStandardScaler(b *testing.B) {
	x := mat.NewDense(20000, 30, nil)
	rng := model.Rand(1, 0)
	for i := range 20000 {
		for j := range 30 {
			x.Set(i, j, rng.NormFloat64())
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		s := &prep.StandardScaler{}
		if err := s.Fit(x); err != nil {
			b.Fatal(err)
		}
		s.Transform(x)
	}
}

// The unit of a column, however large or small, makes no difference.
func TestScalerInAnyUnit(t *testing.T) {
	d := data.Wine()
	want := fit(t, &prep.StandardScaler{}, d.X)
	for _, power := range []int{-900, -600, 600, 900} {
		var x mat.Dense
		x.Apply(func(_, _ int, v float64) float64 { return math.Ldexp(v, power) }, d.X)
		got := fit(t, &prep.StandardScaler{}, &x)
		for i, v := range got.RawMatrix().Data {
			mltest.Near(t, fmt.Sprintf("value %d in units of 2^%d", i, power), v, want.RawMatrix().Data[i], 1e-12)
		}
	}
}

// Products that no float64 holds are an error that names them, not an infinity.
func TestPolynomialOverflow(t *testing.T) {
	p := &prep.PolynomialFeatures{}
	err := p.Fit(mat.NewDense(2, 2, []float64{1, 2, 1e200, 3}))
	if err == nil || !strings.Contains(err.Error(), "x1² of row 1 overflowed") {
		t.Errorf("got %v", err)
	}
	// Large values in different rows do no harm.
	if err := p.Fit(mat.NewDense(2, 2, []float64{1e150, 1, 1, 1e160})); err == nil {
		t.Error("the square of 1e160 was accepted")
	}
	p = &prep.PolynomialFeatures{InteractionsOnly: true}
	if err := p.Fit(mat.NewDense(2, 2, []float64{1e250, 1, 1, 1e250})); err != nil {
		t.Error(err)
	}
	defer func() {
		if e, ok := recover().(*model.Error); !ok || !strings.Contains(e.Error(), "x1·x2 of row 0") {
			t.Errorf("got %v", e)
		}
	}()
	p.Transform(mat.NewDense(1, 2, []float64{1e250, 1e250}))
}
