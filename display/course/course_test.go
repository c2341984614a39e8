package course_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/course"
	"github.com/gokernel/gokernel/display/graph"
	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/neighbors"
	"github.com/gokernel/gokernel/mlstd/tree"
)

func TestMain(m *testing.M) {
	course.Install()
	os.Exit(m.Run())
}

func shown(t *testing.T, v any) map[string]any {
	t.Helper()
	b, err := display.Of(v)
	if err != nil {
		t.Fatal(err)
	}
	return b.Data
}

func contains(t *testing.T, what string, text any, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if s := fmt.Sprint(text); !strings.Contains(s, p) {
			t.Errorf("%s lacks %q:\n%s", what, p, s)
		}
	}
}

func TestTrees(t *testing.T) {
	d := data.PlayTennis()
	m := &tree.DecisionTree{}
	if err := m.Fit(d.X, d.Y); err != nil {
		t.Fatal(err)
	}
	got := shown(t, m)
	contains(t, "the drawing", got["image/svg+xml"], "Outlook", "overcast", "gain 0.247", "n = 14")
	contains(t, "the text", got["text/plain"], "Outlook", "sunny", "Humidity")
	if _, ok := got["image/png"].([]byte); !ok {
		t.Error("there is no PNG")
	}
	b, err := graph.TreeOf(m).Display()
	if err != nil {
		t.Fatal(err)
	}
	contains(t, "graph.TreeOf", b.Data["image/svg+xml"], "Outlook")

	r := &tree.RegressionTree{MaxDepth: 1}
	if err := r.Fit(data.Rows([][]float64{{1}, {2}, {3}}), []float64{1, 2, 6}); err != nil {
		t.Fatal(err)
	}
	contains(t, "a regression tree", shown(t, r)["image/svg+xml"], "2.5", "1.5", "1 example")
	contains(t, "a regression tree", shown(t, r)["text/plain"], "x₁ ≤ 2.5")
	s := &tree.DecisionStump{}
	if err := s.Fit(d.X, d.Y); err != nil {
		t.Fatal(err)
	}
	contains(t, "a stump", shown(t, s)["image/svg+xml"], "n = 14")
	contains(t, "an unfitted tree", shown(t, &tree.DecisionTree{})["text/plain"], "not fitted")
}

func TestDataset(t *testing.T) {
	got := shown(t, data.PlayTennis())
	contains(t, "the table", got["text/html"], "PlayTennis", "14 rows × 5 columns", "no 5, yes 9", "target: nominal", "overcast", "<th")
	contains(t, "iris", shown(t, data.Iris())["text/html"], "petal length", "cm", "setosa")
	contains(t, "diabetes", shown(t, data.Diabetes())["text/plain"], "progression", "442 rows")
	contains(t, "no rows", shown(t, data.Iris().Subset(nil))["text/plain"], "0 rows")
}

// The first example of this data set has class 1. Ellipses and regions color class 0 first.
func TestScatterColorsByClass(t *testing.T) {
	d := data.GaussianClasses(40, 1, 1)
	if d.Y[0] != 1 {
		t.Fatalf("the first example is of class %d", d.Y[0])
	}
	f, err := course.Scatter(d).Figure()
	if err != nil {
		t.Fatal(err)
	}
	svg := f.SVG()
	neg, pos := strings.Index(svg, ">neg<"), strings.Index(svg, ">pos<")
	if neg < 0 || pos < neg {
		t.Errorf("neg is at %d and pos at %d of the legend; classes have the order of their names", neg, pos)
	}
}

func TestRegions(t *testing.T) {
	d := data.Iris().Features("petal length", "petal width")
	m := data.Fit(&neighbors.KNN{K: 5}, d)
	got := shown(t, course.Regions(m, d))
	contains(t, "the drawing", got["image/svg+xml"], "petal length", "petal width", "versicolor")
	if _, err := course.Regions(m, data.Iris()).Display(); err == nil || !strings.Contains(err.Error(), "must have two features, got 4") {
		t.Errorf("four features: got %v, want an error that says so", err)
	}
}
