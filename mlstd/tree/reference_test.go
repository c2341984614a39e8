package tree_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/tree"
)

// plain is the textbook's recursion, written without regard to speed. The tree must agree with it
// node by node.
type plain struct {
	feature   int
	threshold float64
	counts    []float64
	gain      float64
	children  []*plain
}

func grow(x [][]float64, y []int, w []float64, classes, depth int, nominal []bool, impurity func(...float64) float64) *plain {
	count := func(keep func(i int) bool) []float64 {
		c := make([]float64, classes)
		for i := range y {
			if keep(i) {
				c[y[i]] += w[i]
			}
		}
		return c
	}
	total := func(c []float64) (s float64) {
		for _, v := range c {
			s += v
		}
		return s
	}
	n := &plain{feature: -1, counts: count(func(int) bool { return true })}
	if slices.Max(n.counts) == total(n.counts) || depth == 0 {
		return n
	}
	best := math.Inf(-1)
	var parts [][]int
	for j := range x[0] {
		var values []float64
		for i := range x {
			values = append(values, x[i][j])
		}
		slices.Sort(values)
		values = slices.Compact(values)
		if len(values) < 2 {
			continue
		}
		try := func(threshold float64, child func(v float64) int, k int) {
			gain := impurity(n.counts...)
			for c := range k {
				part := count(func(i int) bool { return child(x[i][j]) == c })
				gain -= total(part) / total(n.counts) * impurity(part...)
			}
			if gain > best+1e-12 {
				best, n.gain, n.feature, n.threshold = gain, gain, j, threshold
				parts = make([][]int, k)
				for i := range x {
					c := child(x[i][j])
					parts[c] = append(parts[c], i)
				}
			}
		}
		if nominal[j] {
			try(0, func(v float64) int { k, _ := slices.BinarySearch(values, v); return k }, len(values))
			continue
		}
		for k := 1; k < len(values); k++ {
			cut := values[k-1] + (values[k]-values[k-1])/2
			try(cut, func(v float64) int {
				if v <= cut {
					return 0
				}
				return 1
			}, 2)
		}
	}
	for _, p := range parts {
		var px [][]float64
		var py []int
		var pw []float64
		for _, i := range p {
			px, py, pw = append(px, x[i]), append(py, y[i]), append(pw, w[i])
		}
		n.children = append(n.children, grow(px, py, pw, classes, depth-1, nominal, impurity))
	}
	return n
}

func sameTree(t *testing.T, way string, got *tree.Node, want *plain) {
	t.Helper()
	if got.Feature != want.feature || len(got.Children) != len(want.children) {
		t.Fatalf("%s: asks for feature %d with %d answers, want %d with %d", way, got.Feature, len(got.Children), want.feature, len(want.children))
	}
	for k, c := range want.counts {
		if math.Abs(got.Counts[k]-c) > 1e-9 {
			t.Fatalf("%s: counts %v, want %v", way, got.Counts, want.counts)
		}
	}
	if math.Abs(got.Gain-want.gain) > 1e-9 || math.Abs(got.Threshold-want.threshold) > 1e-12 {
		t.Fatalf("%s: gain %v at %v, want %v at %v", way, got.Gain, got.Threshold, want.gain, want.threshold)
	}
	for k := range got.Children {
		sameTree(t, way+"/"+got.Answers[k], got.Children[k], want.children[k])
	}
}

func TestAgainstTextbook(t *testing.T) {
	for trial := range uint64(24) {
		rng := model.Rand(trial, 1)
		n, classes := 40+rng.IntN(80), 2+rng.IntN(3)
		nominal := []bool{false, true, false, true}
		columns := make([]model.Column, 4)
		x, y, w := make([][]float64, n), make([]int, n), make([]float64, n)
		d := mat.NewDense(n, 4, nil)
		for j, nom := range nominal {
			columns[j].Name = string(rune('a' + j))
			if nom {
				columns[j].Kind = model.Nominal
			}
		}
		for i := range x {
			x[i] = []float64{rng.Float64(), float64(rng.IntN(4)), float64(rng.IntN(6)), float64(rng.IntN(3))}
			d.SetRow(i, x[i])
			y[i] = rng.IntN(classes)
			switch trial % 3 {
			case 0:
				w[i] = 1
			case 1:
				w[i] = float64(1 + rng.IntN(3))
			default:
				w[i] = 0.5 + rng.Float64()
			}
		}
		for i := range classes {
			y[i] = i
		}
		table := &model.Table{Dense: d, Columns: columns}
		for _, c := range []tree.Criterion{tree.InformationGain, tree.Gini, tree.TrainingAccuracy} {
			impurity := map[tree.Criterion]func(...float64) float64{
				tree.InformationGain: tree.ClassEntropy, tree.Gini: tree.GiniImpurity, tree.TrainingAccuracy: tree.MajorityError,
			}[c]
			m := &tree.DecisionTree{Criterion: c, MaxDepth: 5}
			if err := m.FitWeighted(table, y, w); err != nil {
				t.Fatal(err)
			}
			sameTree(t, "root", m.Root, grow(x, y, w, classes, 5, nominal, impurity))
		}
	}
}

// Growing in parallel, from sorted columns, or with whole weights instead of repeated rows makes
// the same tree.
func TestWaysToFit(t *testing.T) {
	d := data.Digits()
	whole := mustFit(t, &tree.DecisionTree{MaxDepth: 8}, d.X, d.Y).String()
	s, err := tree.SortColumns(d.X)
	if err != nil {
		t.Fatal(err)
	}
	m := &tree.DecisionTree{MaxDepth: 8}
	if err := m.FitSorted(s, d.Y, nil); err != nil {
		t.Fatal(err)
	}
	if m.String() != whole {
		t.Error("FitSorted gives another tree")
	}
	rng := model.Rand(2, 0)
	w := make([]float64, d.Len())
	var rows []int
	for i := range w {
		k := rng.IntN(3)
		w[i] = float64(k)
		for range k {
			rows = append(rows, i)
		}
	}
	sample := d.Subset(rows)
	want := mustFit(t, &tree.DecisionTree{MaxDepth: 8}, sample.X, sample.Y).String()
	if err := m.FitSorted(s, d.Y, w); err != nil {
		t.Fatal(err)
	}
	if m.String() != want {
		t.Error("weights 0, 1, 2 give another tree than rows left out and repeated")
	}
	r := &tree.RegressionTree{MaxDepth: 4}
	y := mat.Col(nil, 20, d.X)
	if err := r.FitWeighted(d.X, y, w); err != nil {
		t.Fatal(err)
	}
	weighted := r.Predict(d.X)
	if err := r.Fit(sample.X, mat.Col(nil, 20, sample.X)); err != nil {
		t.Fatal(err)
	}
	for i, v := range r.Predict(d.X) {
		if math.Abs(v-weighted[i]) > 1e-9 {
			t.Fatalf("row %d: the weighted regression tree says %v, that on repeated rows %v", i, weighted[i], v)
		}
	}
}

func TestNumericAndOrdinalQuestions(t *testing.T) {
	x := &model.Table{
		Dense:   mat.NewDense(4, 1, []float64{0, 1, 2, 2}),
		Columns: []model.Column{{Name: "size", Kind: model.Ordinal, Levels: []string{"small", "medium", "large"}}},
	}
	m := mustFit(t, &tree.DecisionTree{}, x, []int{0, 0, 1, 1})
	if want := "size ≤ medium?\n├─ yes: 0 (0 2)\n└─ no: 1 (1 2)\n"; m.String() != want {
		t.Errorf("got:\n%swant:\n%s", m, want)
	}
	// For a level that did not occur, the prediction is the class distribution of the node.
	nom := &model.Table{Dense: mat.NewDense(4, 1, []float64{0, 0, 2, 2}), Columns: []model.Column{{Name: "c", Kind: model.Nominal}}}
	m = mustFit(t, &tree.DecisionTree{}, nom, []int{0, 0, 1, 1})
	if p := m.PredictProba(mat.NewDense(2, 1, []float64{1, 7})); p.At(0, 0) != 0.5 || p.At(1, 1) != 0.5 {
		t.Errorf("unseen levels: got %v", mat.Formatted(p))
	}
}

func TestRefused(t *testing.T) {
	x, y := data.XOR().X, data.XOR().Y
	for _, tt := range []struct {
		name string
		err  error
		want string
	}{
		{"criterion", (&tree.DecisionTree{Criterion: 9}).Fit(x, y), "Criterion must be one of the constants of ml.Criterion, got 9"},
		{"depth", (&tree.DecisionTree{MaxDepth: -1}).Fit(x, y), "MaxDepth must not be negative, got -1"},
		{"leaves", (&tree.DecisionTree{MaxLeaves: 1}).Fit(x, y), "MaxLeaves must be 0 (no limit) or at least 2, got 1"},
		{"min", (&tree.DecisionTree{MinGain: math.NaN()}).Fit(x, y), "MinGain"},
		{"significance", (&tree.DecisionTree{Significance: 2}).Fit(x, y), "Significance must be at least 0 and below 1, got 2"},
		{"lookahead", (&tree.DecisionTree{Lookahead: 1, Criterion: tree.GainRatio}).Fit(x, y), "Criterion must not be GainRatio if Lookahead is set"},
		{"nominal value", (&tree.DecisionTree{}).Fit(&model.Table{
			Dense: mat.NewDense(2, 1, []float64{0, 0.5}), Columns: []model.Column{{Name: "c", Kind: model.Nominal}}}, []int{0, 1}),
			`the nominal column "c" must have indices of levels (0, 1, 2`},
		{"class", (&tree.RegressionTree{Missing: tree.MostCommonInClass}).Fit(x, []float64{0, 1, 1, 0}), "Missing must not use the classes for a regression tree"},
		{"tuning width", func() error {
			m := &tree.DecisionTree{}
			if err := m.Fit(x, y); err != nil {
				return err
			}
			return m.PruneReducedError(mat.NewDense(1, 3, nil), []int{0})
		}(), "x must have 2 columns, as in Fit, got 3"},
		{"a target of numbers", (&tree.DecisionTree{}).Fit(x, nil), "AsClasses"},
		{"no target", (&tree.RegressionTree{}).Fit(x, nil), "y must have 4 entries (the number of rows of x), got 0"},
		{"tuning before", (&tree.DecisionTree{}).PruneReducedError(x, y), "the model is not fitted"},
	} {
		if tt.err == nil || !strings.Contains(tt.err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %q", tt.name, tt.err, tt.want)
		}
	}
	if diff := cmp.Diff([]int(nil), (&tree.DecisionTree{}).Classes()); diff != "" {
		t.Errorf("classes before Fit:\n%s", diff)
	}
}

// Targets whose variance overflows would make every node look pure.
func TestHugeTargetsAreRefused(t *testing.T) {
	x, y := mat.NewDense(4, 1, []float64{1, 2, 3, 4}), []float64{1e200, -1e200, 2e200, 0}
	err := (&tree.RegressionTree{}).Fit(x, y)
	if err == nil || !strings.Contains(err.Error(), "scale the targets") {
		t.Errorf("got %v", err)
	}
}

// No weight exceeds an infinite MinLeaf, and no class has the fraction Inf/Inf.
func TestInfiniteParameters(t *testing.T) {
	x, y := mat.NewDense(4, 1, []float64{1, 2, 3, 4}), []int{0, 0, 1, 1}
	for _, least := range []float64{math.Inf(1), 1e300} {
		m := &tree.DecisionTree{MinLeaf: least}
		if err := m.Fit(x, y); err != nil || m.Leaves() != 1 {
			t.Errorf("MinLeaf %v: %v, %d leaves", least, err, m.Leaves())
		}
	}
	if err := (&tree.DecisionTree{Smoothing: math.Inf(1)}).Fit(x, y); err == nil {
		t.Error("an infinite Smoothing was accepted")
	}
}
