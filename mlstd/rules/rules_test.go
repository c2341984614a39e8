package rules_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/modeltest"
	"github.com/gokernel/gokernel/mlstd/online"
	"github.com/gokernel/gokernel/mlstd/rules"
	"github.com/gokernel/gokernel/mlstd/tree"
)

func TestConformance(t *testing.T) {
	drawn := map[string]string{"row permutation": "which rows grow a rule and which prune it depends on their order"}
	t.Run("SequentialCovering", func(t *testing.T) {
		modeltest.Classifier(t, func() model.Classifier { return &rules.SequentialCovering{} }, modeltest.Options{})
	})
	t.Run("SequentialCovering any class", func(t *testing.T) {
		modeltest.Classifier(t, func() model.Classifier {
			return &rules.SequentialCovering{Gain: rules.GainLaplace, Order: rules.AnyClass, Beam: 3}
		}, modeltest.Options{})
	})
	t.Run("RIPPER", func(t *testing.T) {
		modeltest.Classifier(t, func() model.Classifier { return &rules.RIPPER{Seed: 2} }, modeltest.Options{Skip: drawn})
	})
	t.Run("RIPPER unpruned", func(t *testing.T) {
		modeltest.Classifier(t, func() model.Classifier { return &rules.RIPPER{NoPruning: true, Passes: -1} }, modeltest.Options{})
	})
	t.Run("C45Rules", func(t *testing.T) {
		modeltest.Classifier(t, func() model.Classifier { return &rules.C45Rules{} }, modeltest.Options{})
	})
	t.Run("DecisionList", func(t *testing.T) {
		modeltest.Classifier(t, func() model.Classifier { return &rules.DecisionList{K: 2} }, modeltest.Options{})
	})
}

// A rule is a conjunction of conditions that implies a class.
func TestRULE01_PropositionalRule(t *testing.T) {
	d := data.PlayTennis()
	r := tree.TreeRule{Class: 0, ClassName: "no"}.
		And(tree.TreeCondition{Feature: 0, Levels: []int{0}}, d.X.Columns).
		And(tree.TreeCondition{Feature: 2, Levels: []int{0}}, d.X.Columns)
	if got, want := r.String(), "if Outlook = sunny and Humidity = high then no"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	var holds []int
	for i := range d.Y {
		if r.Holds(d.X.RawRowView(i)) {
			holds = append(holds, i)
		}
	}
	if !slices.Equal(holds, []int{0, 1, 7}) {
		t.Errorf("it holds for the days %v", holds)
	}
	list := rules.RuleList{Rules: []tree.TreeRule{r}, Default: 1, DefaultName: "yes"}
	if list.Class(d.X.RawRowView(0)) != 0 || list.Class(d.X.RawRowView(2)) != 1 || list.First(d.X.RawRowView(2)) != -1 {
		t.Error("the list does not decide by its rule and its default")
	}
	if got, want := list.String(), r.String()+"\notherwise yes"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func accuracy(t testing.TB, m model.Classifier, train, test *data.Dataset) float64 {
	t.Helper()
	if err := m.Fit(train.X, train.Y); err != nil {
		t.Fatal(err)
	}
	return eval.Accuracy(test.Y, m.Predict(test.X))
}

// Every positive example is covered, whatever the gain and the order, and by rules
// without negative ones. Only GainAccuracy ends a rule early: the negative examples
// that a condition excludes must outweigh the positive ones. So a rule may keep a
// wrong example, here 1 of 14 or 3 of 150.
func TestRULE02_SequentialCovering(t *testing.T) {
	for _, d := range []*data.Dataset{data.PlayTennis(), data.Iris(), data.Wine()} {
		for _, gain := range []rules.RuleGain{rules.GainFOIL, rules.GainEntropy, rules.GainLaplace, rules.GainPrecision, rules.GainAccuracy} {
			for _, order := range []rules.RuleOrder{rules.RarestFirst, rules.FrequentFirst, rules.AnyClass} {
				m := &rules.SequentialCovering{Gain: gain, Order: order}
				acc := accuracy(t, m, d, d)
				if acc != 1 && (gain != rules.GainAccuracy || acc < 13./14) {
					t.Errorf("%s, gain %d, order %d: accuracy %v on the training examples", d.Name, gain, order, acc)
				}
				left := make([]float64, len(d.ClassCounts()))
				for _, r := range m.List.Rules {
					for k, n := range r.Counts {
						left[k] += n
					}
				}
				for k, n := range m.List.DefaultCounts {
					if k != m.List.Default && n != 0 {
						t.Errorf("%s, gain %d, order %d: %v examples of class %d are not covered", d.Name, gain, order, n, k)
					}
				}
				for k, n := range d.ClassCounts() {
					if left[k]+m.List.DefaultCounts[k] != float64(n) {
						t.Errorf("%s: the rules count %v of class %d, want %d", d.Name, left[k], k, n)
					}
				}
			}
		}
	}
	// In PlayTennis, the rarest class is "no", with 5 days. By hand: Outlook = sunny has 3 no and 2
	// yes, gain 3·(log₂ 3/5 − log₂ 5/14) = 2.245. Humidity = high has 4 and 3, gain 4·(log₂ 4/7 −
	// log₂ 5/14) = 2.712, the most. Then Outlook = sunny has 3 and 0.
	m := &rules.SequentialCovering{}
	accuracy(t, m, data.PlayTennis(), data.PlayTennis())
	if got, want := m.List.Rules[0].String(), "if Humidity = high and Outlook = sunny then no"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if s := m.Steps[0]; s.Positive != 3 || s.Negative != 0 || s.LeftOver != 2 {
		t.Errorf("the first step is %+v", s)
	}
	mltest.Near(t, "gain of Humidity = high", rules.FOILGain(5, 9, 4, 3, 4), 2.7123, 1e-4)
	// A wider beam never finds a first rule that covers fewer examples.
	for _, d := range []*data.Dataset{data.Iris(), data.Wine()} {
		greedy, wide := &rules.SequentialCovering{Gain: rules.GainLaplace}, &rules.SequentialCovering{Gain: rules.GainLaplace, Beam: 10}
		accuracy(t, greedy, d, d)
		accuracy(t, wide, d, d)
		if wide.Steps[0].Positive < greedy.Steps[0].Positive {
			t.Errorf("%s: the beam covers %d, greedy search %d", d.Name, wide.Steps[0].Positive, greedy.Steps[0].Positive)
		}
	}
}

func TestRIPPER(t *testing.T) {
	for _, tt := range []struct {
		d     *data.Dataset
		least float64
		most  int
	}{{data.Iris(), 0.9, 6}, {data.Wine(), 0.85, 8}, {data.BreastCancer(), 0.9, 12}} {
		train, test := tt.d.Split(0.3, 1)
		m := &rules.RIPPER{}
		if acc := accuracy(t, m, train, test); acc < tt.least {
			t.Errorf("%s: accuracy %v, want %v at least\n%v", tt.d.Name, acc, tt.least, m.List)
		}
		full := &rules.SequentialCovering{}
		accuracy(t, full, train, test)
		conditions := func(l rules.RuleList) (n int) {
			for _, r := range l.Rules {
				n += len(r.Conditions)
			}
			return n
		}
		if len(m.List.Rules) > tt.most || conditions(m.List) > conditions(full.List) {
			t.Errorf("%s: %d rules with %d conditions, covering has %d\n%v", tt.d.Name, len(m.List.Rules), conditions(m.List), conditions(full.List), m.List)
		}
	}
	// The labels are independent of the features, so the empty list has the shortest description.
	rng := model.Rand(5, 0)
	x, y := mat.NewDense(300, 6, nil), make([]int, 300)
	for i := range y {
		y[i] = rng.IntN(2)
		for j := range 6 {
			x.Set(i, j, rng.Float64())
		}
	}
	m := &rules.RIPPER{}
	if err := m.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	if len(m.List.Rules) > 3 {
		t.Errorf("%d rules of noise:\n%v", len(m.List.Rules), m.List)
	}
	if err := (&rules.RIPPER{Passes: -2}).Fit(x, y); err == nil || !strings.Contains(err.Error(), "Passes must be at least -1 (none), got -2") {
		t.Errorf("got %v", err)
	}
}

func TestC45Rules(t *testing.T) {
	// No error of 6 at 25 % is 1 − 0.25^(1/6) = 0.206, of 9 0.143, of 1 0.750 (Quinlan
	// 1993, section 4.2).
	mltest.Near(t, "0 of 6", rules.PessimisticError(0, 6, 0.25), 0.206, 5e-4)
	mltest.Near(t, "0 of 9", rules.PessimisticError(0, 9, 0.25), 0.143, 5e-4)
	mltest.Near(t, "0 of 1", rules.PessimisticError(0, 1, 0.25), 0.750, 1e-9)
	share := rules.PessimisticError(1, 16, 0.25)
	mltest.Near(t, "at most 1 of 16", math.Pow(1-share, 16)+16*share*math.Pow(1-share, 15), 0.25, 1e-9)
	for _, d := range []*data.Dataset{data.Iris(), data.Wine(), data.BreastCancer()} {
		train, test := d.Split(0.3, 1)
		m := &rules.C45Rules{}
		acc := accuracy(t, m, train, test)
		full := accuracy(t, &tree.DecisionTree{}, train, test)
		if acc < full-0.05 || acc < 0.85 {
			t.Errorf("%s: accuracy %v, the tree's is %v\n%v", d.Name, acc, full, m.List)
		}
		before, after := 0, 0
		for _, r := range m.Full {
			before += len(r.Conditions)
		}
		for _, r := range m.List.Rules {
			after += len(r.Conditions)
		}
		if after >= before {
			t.Errorf("%s: %d conditions after pruning, %d before", d.Name, after, before)
		}
	}
	if err := (&rules.C45Rules{Confidence: 2}).Fit(data.Iris().X, data.Iris().Y); err == nil {
		t.Error("a confidence of 2 is taken")
	}
}

// A list of terms of two variables over six bits is found exactly. Such lists include more
// functions than lists of single conditions.
func TestDecisionList(t *testing.T) {
	x, y := mat.NewDense(64, 6, nil), make([]int, 64)
	for i := range y {
		for j := range 6 {
			x.Set(i, j, float64(i>>j&1))
		}
		b := func(j int) bool { return i>>j&1 == 1 }
		switch {
		case b(0) && !b(3):
			y[i] = 1
		case b(1) && b(2):
			y[i] = 0
		case !b(4) && b(5):
			y[i] = 1
		}
	}
	m := &rules.DecisionList{K: 2}
	if err := m.Fit(x, y); err != nil {
		t.Fatal(err)
	}
	if got := m.Predict(x); !slices.Equal(got, y) {
		t.Errorf("got %v", got)
	}
	if n := len(m.List.Rules); n > 6 {
		t.Errorf("%d rules\n%v", n, m.List)
	}
	for _, r := range m.List.Rules {
		if len(r.Conditions) > 2 {
			t.Errorf("%v has more than two conditions", r)
		}
	}
	if err := (&rules.DecisionList{}).Fit(x, y); err == nil || !strings.Contains(err.Error(), "no term of at most 1") {
		t.Errorf("single conditions: %v", err)
	}
}

// Mitchell 1997, section 2.5.4, figures 2.4 to 2.6: the boundary sets after each example, and the
// six members of figure 2.3.
func TestRULE11_CandidateElimination(t *testing.T) {
	d := data.EnjoySport()
	c := rules.NewCandidateElimination(d.X.Columns)
	for i, y := range d.Y {
		c.Learn(d.X.RawRowView(i), y == 1)
	}
	told := func(hs []rules.NominalHypothesis) string {
		var s []string
		for _, h := range hs {
			s = append(s, c.Describe(h))
		}
		slices.Sort(s)
		return strings.Join(s, " ")
	}
	for i, want := range [][2]string{
		{"⟨Sunny, Warm, Normal, Strong, Warm, Same⟩", "⟨?, ?, ?, ?, ?, ?⟩"},
		{"⟨Sunny, Warm, ?, Strong, Warm, Same⟩", "⟨?, ?, ?, ?, ?, ?⟩"},
		{"⟨Sunny, Warm, ?, Strong, Warm, Same⟩", "⟨?, ?, ?, ?, ?, Same⟩ ⟨?, Warm, ?, ?, ?, ?⟩ ⟨Sunny, ?, ?, ?, ?, ?⟩"},
		{"⟨Sunny, Warm, ?, Strong, ?, ?⟩", "⟨?, Warm, ?, ?, ?, ?⟩ ⟨Sunny, ?, ?, ?, ?, ?⟩"},
	} {
		if s, g := told(c.Steps[i].Specific), told(c.Steps[i].General); s != want[0] || g != want[1] {
			t.Errorf("after example %d: S %s, G %s", i+1, s, g)
		}
	}
	members := c.Members()
	want := "⟨?, Warm, ?, ?, ?, ?⟩ ⟨?, Warm, ?, Strong, ?, ?⟩ ⟨Sunny, ?, ?, ?, ?, ?⟩ ⟨Sunny, ?, ?, Strong, ?, ?⟩ ⟨Sunny, Warm, ?, ?, ?, ?⟩ ⟨Sunny, Warm, ?, Strong, ?, ?⟩"
	if got := told(members); got != want {
		t.Errorf("members: got %s, want %s", got, want)
	}
	// Table 2.6: A is positive, B negative, C halves the version space.
	if a, b, half := c.Classify([]float64{0, 0, 0, 0, 1, 1}), c.Classify([]float64{2, 1, 0, 1, 0, 0}), c.Classify([]float64{0, 0, 0, 1, 0, 0}); a != 1 || b != -1 || half != 0 {
		t.Errorf("the three days are %d, %d and %d", a, b, half)
	}
}

// Over three bits, the boundary sets describe exactly the conjunctions that enumeration leaves,
// after each example and for every target.
func TestRULE11_Enumeration(t *testing.T) {
	columns := make([]model.Column, 3)
	for j := range columns {
		columns[j] = model.Column{Name: fmt.Sprint("x", j+1), Kind: model.Nominal, Levels: []string{"0", "1"}}
	}
	for k, target := range online.ConjunctionClass(3, false) {
		c := rules.NewCandidateElimination(columns)
		v := online.NewVersionSpace(online.ConjunctionClass(3, false), true, 1)
		rng := model.Rand(uint64(k), 0)
		for range 8 {
			x := []float64{float64(rng.IntN(2)), float64(rng.IntN(2)), float64(rng.IntN(2))}
			v.Learn(x, target.Label(x))
			c.Learn(x, target.Holds(x))
			var got, want []string
			for _, h := range c.Members() {
				if slices.Contains(h, rules.NoValue) {
					continue // package online has no conjunction that is never true
				}
				var h2 online.Conjunction
				for j, level := range h {
					switch level {
					case 0:
						h2.Negative = append(h2.Negative, j)
					case 1:
						h2.Positive = append(h2.Positive, j)
					}
				}
				got = append(got, h2.String())
			}
			for _, h := range v.Left {
				want = append(want, h.String())
			}
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Fatalf("target %v: got %v, want %v", target, got, want)
			}
			sum := 0
			for _, h := range v.Left {
				sum += h.Label(x)
			}
			if n := len(v.Left); sum == n && c.Classify(x) != 1 {
				t.Errorf("target %v: all say yes of %v, Classify says %d", target, x, c.Classify(x))
			}
		}
	}
	// Contradictory examples leave nothing.
	c := rules.NewCandidateElimination(columns)
	c.Learn([]float64{0, 1, 0}, true)
	c.Learn([]float64{0, 1, 0}, false)
	if len(c.Specific)+len(c.General)+len(c.Members()) != 0 || c.Classify([]float64{0, 1, 0}) != 0 {
		t.Errorf("S %v, G %v", c.Specific, c.General)
	}
	for _, row := range [][]float64{{0, 1}, {0, 1, 2}, {0, 1, math.NaN()}, {0, 1, 0.5}} {
		func() {
			defer func() {
				if _, ok := recover().(*model.Error); !ok {
					t.Errorf("%v is taken", row)
				}
			}()
			c.Learn(row, true)
		}()
	}
}

func ExampleRIPPER() {
	d := data.Iris()
	m := &rules.RIPPER{}
	if err := m.Fit(d.X, d.Y); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.List.Rules[0].ClassName, len(m.List.Rules) < 6)
	// Output: setosa true
}

func ExampleCandidateElimination() {
	d := data.EnjoySport()
	c := rules.NewCandidateElimination(d.X.Columns)
	for i, y := range d.Y {
		c.Learn(d.X.RawRowView(i), y == 1)
	}
	fmt.Println("S", c.Describe(c.Specific[0]))
	fmt.Println(len(c.Members()), "hypotheses are left")
	// Output:
	// S ⟨Sunny, Warm, ?, Strong, ?, ?⟩
	// 6 hypotheses are left
}

func BenchmarkRIPPER(b *testing.B) {
	d := data.BreastCancer()
	for b.Loop() {
		if err := (&rules.RIPPER{}).Fit(d.X, d.Y); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSequentialCovering(b *testing.B) {
	d := data.BreastCancer()
	for b.Loop() {
		if err := (&rules.SequentialCovering{}).Fit(d.X, d.Y); err != nil {
			b.Fatal(err)
		}
	}
}
