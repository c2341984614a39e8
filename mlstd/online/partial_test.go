package online_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/online"
	"github.com/gokernel/gokernel/mlstd/sparse"
)

// fitter returns a new learner that makes the given number of passes.
type fitter func(epochs int) model.PartialFitter

// partialFitters returns the learners that can learn from batches, for two classes.
func partialFitters() map[string]fitter {
	all := map[string]fitter{}
	for _, average := range []bool{false, true} {
		all[fmt.Sprint("perceptron, average ", average)] = func(epochs int) model.PartialFitter {
			return &online.Perceptron{Average: average, Epochs: epochs, Margin: 0.5}
		}
		all[fmt.Sprint("passive-aggressive, average ", average)] = func(epochs int) model.PartialFitter {
			return &online.PassiveAggressive{Average: average, Epochs: epochs, Start: []float64{1, 2, 3, 4, 5}}
		}
		all[fmt.Sprint("multiclass, average ", average)] = func(epochs int) model.PartialFitter {
			return &online.MulticlassPerceptron{Average: average, Epochs: epochs}
		}
		all[fmt.Sprint("multiclass aggressive, average ", average)] = func(epochs int) model.PartialFitter {
			return &online.MulticlassPerceptron{Average: average, Epochs: epochs, Aggressive: true, C: 0.1}
		}
	}
	return all
}

// virginica returns the two iris classes that no hyperplane separates, in an order that mixes the
// classes.
func virginica() (*mat.Dense, []int) {
	iris := data.Iris()
	var x *mat.Dense
	var y []int
	x = mat.NewDense(100, 4, nil)
	for i := range 100 {
		from := 50 + i/2 + 50*(i%2)
		x.SetRow(i, mat.Row(nil, from, iris.X))
		y = append(y, iris.Y[from])
	}
	return x, y
}

// coefficients returns the fitted rule as a string that can be compared for equality.
func coefficients(m model.Classifier) string {
	switch m := m.(type) {
	case *online.Perceptron:
		return fmt.Sprint(m.Coef, m.Intercept, m.Trace.Updates)
	case *online.PassiveAggressive:
		return fmt.Sprint(m.Coef, m.Intercept, m.Trace.Updates)
	case *online.MulticlassPerceptron:
		return fmt.Sprint(m.Coef.RawMatrix().Data, m.Intercept, m.Trace.Updates)
	}
	panic("an unknown learner")
}

// One Fit over all examples and PartialFit over batches in the same order do the same arithmetic.
func TestPartialFitIsFit(t *testing.T) {
	x, y := virginica()
	for name, fresh := range partialFitters() {
		for _, form := range []string{"dense", "sparse"} {
			rows := func(from, to int) mat.Matrix {
				part := x.Slice(from, to, 0, 4)
				if form == "sparse" {
					return sparse.FromDense(part)
				}
				return part
			}
			whole, once := fresh(2), fresh(1)
			must(t, whole.Fit(rows(0, 100), y))
			must(t, once.PartialFit(rows(0, 100), y))
			must(t, once.PartialFit(rows(0, 100), y))
			if got, want := coefficients(once), coefficients(whole); got != want {
				t.Errorf("%s, %s: two batches of all examples give\n%s, two epochs\n%s", name, form, got, want)
			}
			after := fresh(1)
			must(t, after.Fit(rows(0, 100), y))
			must(t, after.PartialFit(rows(0, 100), y))
			if got, want := coefficients(after), coefficients(whole); got != want {
				t.Errorf("%s, %s: a batch after a Fit gives\n%s, two epochs\n%s", name, form, got, want)
			}
			parts, all := fresh(1), fresh(1)
			must(t, all.Fit(rows(0, 100), y))
			for _, cut := range [][2]int{{0, 7}, {7, 60}, {60, 100}} {
				must(t, parts.PartialFit(rows(cut[0], cut[1]), y[cut[0]:cut[1]]))
			}
			if !slices.Equal(parts.Predict(x), all.Predict(x)) {
				t.Errorf("%s, %s: three batches predict otherwise than one Fit", name, form)
			}
		}
	}
}

func TestPartialFitRefuses(t *testing.T) {
	x, y := virginica()
	for name, fresh := range partialFitters() {
		m := fresh(1)
		must(t, m.PartialFit(x, y))
		before := coefficients(m)
		for _, c := range []struct {
			what string
			x    mat.Matrix
			y    []int
			want string
		}{
			{"another width", x.Slice(0, 10, 0, 3), y[:10], "3"},
			{"a new class", x.Slice(0, 2, 0, 4), []int{1, 7}, "7"},
			{"lengths", x, y[:3], "entries (the number of rows of x), got 3"},
		} {
			if err := m.PartialFit(c.x, c.y); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s, %s: %v, want %q", name, c.what, err, c.want)
			}
			if got := coefficients(m); got != before {
				t.Errorf("%s, %s: the model is another after the error", name, c.what)
			}
		}
		if err := fresh(1).PartialFit(x.Slice(0, 1, 0, 4), y[:1]); err == nil || !strings.Contains(err.Error(), "Known") {
			t.Errorf("%s: one class in the first batch: %v", name, err)
		}
	}
	three := &online.Perceptron{Known: []int{0, 1, 2}}
	if err := three.PartialFit(x, y); err == nil || !strings.Contains(err.Error(), "MulticlassPerceptron") {
		t.Errorf("a perceptron of three classes: %v", err)
	}
}

// Known lists classes that the first batch lacks.
func TestPartialFitKnown(t *testing.T) {
	x, y := virginica()
	m := &online.MulticlassPerceptron{Known: []int{2, 0, 1}}
	must(t, m.PartialFit(x.Slice(0, 1, 0, 4), y[:1]))
	if !slices.Equal(m.Classes(), []int{0, 1, 2}) {
		t.Errorf("the classes are %v", m.Classes())
	}
	must(t, m.PartialFit(x, y))
	two := &online.PassiveAggressive{Known: []int{1, 2}}
	for i := range 100 {
		must(t, two.PartialFit(x.Slice(i, i+1, 0, 4), y[i:i+1]))
	}
	one := &online.PassiveAggressive{Epochs: 1}
	must(t, one.Fit(x, y))
	if !slices.Equal(two.Coef, one.Coef) || two.Intercept != one.Intercept {
		t.Errorf("one example at a time gives %v, one Fit %v", two.Coef, one.Coef)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
