package course

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/table"
	"github.com/gokernel/gokernel/mlstd/concept"
	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/linear"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/neighbors"
	"github.com/gokernel/gokernel/mlstd/prob"
	"github.com/gokernel/gokernel/mlstd/rules"
	"github.com/gokernel/gokernel/mlstd/tree"
)

// trips returns a frame with every kind of column and missing values.
func trips() *frame.Frame {
	const n = 100
	at, fare, seats, zone, size, paid := make([]time.Time, n), make([]float64, n), make([]int64, n), make([]string, n), make([]int32, n), make([]bool, n)
	for i := range n {
		at[i] = time.Date(2024, 1, 1+i/10, i%24, 0, 0, 0, time.UTC)
		fare[i], seats[i] = float64(i*i)/7, int64(i%5)
		zone[i], size[i], paid[i] = []string{"Midtown", "Soho"}[i%2], int32(i%3), i%4 > 0
	}
	return must(frame.New(frame.TimeColumn("pickup", at), frame.FloatColumn("fare", fare).WithUnit("$").MarkMissing([]uint64{2, 0}),
		frame.IntColumn("seats", seats).MarkMissing([]uint64{4, 0}), frame.StringColumn("zone", zone),
		frame.CategoryColumn("size", size, []string{"small", "medium", "large"}), frame.BoolColumn("paid", paid)))
}

// tables returns the values that are shown as tables.
func tables() map[string]any {
	tennis, iris := data.PlayTennis(), data.Iris()
	t := &tree.DecisionTree{}
	data.Fit(t, tennis)
	knn := func() model.Classifier { return &neighbors.KNN{K: 5} }
	predicted := must(eval.CrossPredict(knn, iris.X, iris.Y, eval.StratifiedKFold{K: 5}))
	c := eval.Confusion(iris.Y, predicted)
	c.Names = iris.ClassNames()
	diabetes := data.Diabetes()
	path := must(linear.RidgePath(diabetes.X, diabetes.Target, []float64{0.1, 1, 10}))
	least := &linear.LinearRegression{}
	if err := least.Fit(diabetes.X, diabetes.Target); err != nil {
		panic(err)
	}
	ols := must(least.Summary(diabetes.X, diabetes.Target))
	covering := &rules.SequentialCovering{}
	data.Fit(covering, tennis)
	foil := &rules.FOIL{Background: []rules.Relation{rules.Pairs("linked_to", "a b, b c, c d")}, NoNegation: true}
	if err := foil.Learn(rules.Pairs("can_reach", "a b, a c, a d, b c, b d, c d"), nil); err != nil {
		panic(err)
	}
	sets := must(rules.Apriori{MinCount: 2}.Mine([][]string{{"1", "3", "4"}, {"2", "3", "5"}, {"1", "2", "3", "5"}, {"2", "5"}}))
	return map[string]any{
		"frame":         trips(),
		"frame-short":   trips().Head(3).Noted("separator ;"),
		"column":        trips().Col("zone"),
		"frame-glance":  trips().Describe(),
		"dataset":       tennis,
		"units":         iris,
		"real-target":   diabetes,
		"table":         iris.X,
		"no-rows":       iris.Subset(nil),
		"texts":         data.Messages(),
		"gains":         t.Gains,
		"rules":         t.Rules(),
		"confusion":     c,
		"report":        eval.Report(iris.Y, predicted),
		"folds":         must(eval.CrossValidate(knn(), iris, 5)),
		"curve":         irisCurve(),
		"test":          eval.PairedTTest([]float64{0.91, 0.88, 0.94}, []float64{0.9, 0.86, 0.9}),
		"mcnemar":       eval.McNemarCounts(3, 12),
		"estimate":      eval.WilsonInterval(3, 40, 0.95),
		"params":        eval.GridPoints(map[string][]float64{"C": {1, 10}, "gamma": {0.5}}),
		"path":          path,
		"summary":       ols,
		"intervals":     ols.Intervals(diabetes.X.Slice(0, 3, 0, 10)),
		"complexity":    concept.ComplexityCurve{{Knob: 1, Training: 0.1, Other: 0.2}, {Knob: 2, Training: 0.05, Other: 0.15}},
		"bias-variance": eval.BiasVariance{Bias2: 1, Variance: 2, MSE: 3.5, Noise: 0.5},
		"profiles": []eval.Profile{{Name: "a", Accuracy: 0.9, ExamplesToReach: 20, NoisyAccuracy: 0.8, FitTime: 1500 * time.Microsecond},
			{Name: "b", Accuracy: 0.95, ExamplesToReach: 40, NoisyAccuracy: 0.7}},
		"rule-list":    covering.List,
		"rule-steps":   covering.Steps,
		"foil-steps":   foil.Steps,
		"itemsets":     sets,
		"itemset-list": sets.Maximal(),
		"apriori":      sets.Levels,
		"associations": must(sets.Rules(0.6)),
		"ablation":     &eval.Ablation{Whole: 0.9, Lesions: []eval.Lesion{{Removed: "words", Score: 0.7, Drop: 0.2}}},
		"candidates":   []eval.Candidate{{Params: eval.Params{"C": 1}, CV: &eval.CVResult{Metric: "accuracy", Scores: []float64{0.8, 0.9}}}, {Params: eval.Params{"C": 10}}},
	}
}

func TestTables(t *testing.T) {
	update := flag.Lookup("update").Value.String() == "true"
	for name, v := range tables() {
		t.Run(name, func(t *testing.T) {
			shown, ok := tableOf(v)
			if !ok {
				t.Fatalf("a %T is no table", v)
			}
			b, err := shown.Display()
			if err != nil {
				t.Fatal(err)
			}
			for mime, ext := range map[string]string{display.MIMEText: ".txt", display.MIMEHTML: ".html"} {
				file := filepath.Join("testdata", "table-"+name+ext)
				got := b.Data[mime].(string) + "\n"
				if update {
					if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
						t.Fatal(err)
					}
					continue
				}
				want, err := os.ReadFile(file)
				if err != nil {
					t.Fatalf("%v (run the test with -update to write it)", err)
				}
				if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
					t.Errorf("%s (-want +got):\n%s", file, diff)
				}
			}
		})
	}
}

// Empty and missing values of the library are shown as text.
func TestNilValuesAreText(t *testing.T) {
	Install()
	for _, v := range []any{(*data.Dataset)(nil), (*eval.CVResult)(nil), (*tree.DecisionTree)(nil), &tree.DecisionTree{}, (*eval.ROCCurve)(nil),
		(*model.Trace)(nil), (*data.TextSet)(nil), (*model.Table)(nil), (*tree.Node)(nil), 3, nil} {
		b, err := display.Of(v)
		if err != nil {
			t.Errorf("%T: %v", v, err)
		}
		if len(b.Data) != 1 {
			t.Errorf("%T: got %d representations, want the text alone", v, len(b.Data))
		}
	}
}

func TestDescribeDataset(t *testing.T) {
	Install()
	b, err := table.Describe(data.Iris()).Display()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"petal length (cm)", "3.758", "species", "setosa (50)", "▁"} {
		if text := b.Data[display.MIMEText].(string); !strings.Contains(text, want) {
			t.Errorf("the summary lacks %q:\n%s", want, text)
		}
	}
}

func TestAnimation(t *testing.T) {
	d := petals()
	var frames []display.Displayer
	for _, k := range []int{1, 5, 25} {
		frames = append(frames, Regions(data.Fit(&neighbors.KNN{K: k}, d), d))
	}
	a := Animate(frames)
	b, err := a.Display()
	if err != nil {
		t.Fatal(err)
	}
	page := b.Data[display.MIMEHTML].(string)
	_, rest, _ := strings.Cut(page, `data-frames="`)
	list, _, _ := strings.Cut(rest, `"`)
	if got := len(strings.Fields(list)); got != 3 {
		t.Errorf("the page has %d frames, want 3", got)
	}
	if got := strings.Count(page, "<img "); got != 1 {
		t.Errorf("the page has %d pictures, want the small frames alone", got)
	}
	for _, bad := range []string{"<script", "<style", " id="} {
		if strings.Contains(page, bad) {
			t.Errorf("the page holds %q, which a frontend may remove", bad)
		}
	}
	for _, want := range []string{`data-pause="500"`, `onload="`, "Animation of 3 frames"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if png, _ := b.Data[display.MIMEPNG].([]byte); len(png) == 0 {
		t.Error("there is no picture for pages that run nothing")
	}
	again, err := a.Display()
	if err != nil {
		t.Fatal(err)
	}
	if again.Data[display.MIMEHTML] != page {
		t.Error("two renderings differ")
	}
}

// The table of naive Bayes has a row for each value, and two rows for a numeric column.
func TestFeatureTable(t *testing.T) {
	d := data.PlayTennis()
	m := &prob.CategoricalNB{Alpha: model.Zero}
	data.Fit(m, d)
	b, err := FeatureTable(m.Features, d.ClassNames()...).Display()
	if err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprint(b.Data["text/plain"])
	for _, want := range []string{"Outlook", "overcast", "0.444", "yes"} { // P(overcast|yes) = 4/9
		if !strings.Contains(text, want) {
			t.Errorf("the table does not have %q:\n%s", want, text)
		}
	}
	n := &prob.NaiveBayes{}
	data.Fit(n, petals())
	if _, err := FeatureTable(n.Features).Display(); err != nil {
		t.Error(err)
	}
	if _, err := FeatureTable(n.Features, "one").Display(); err == nil {
		t.Error("one name for three classes was accepted")
	}
}
