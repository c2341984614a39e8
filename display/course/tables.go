package course

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/gokernel/gokernel/display/internal/guide"
	"github.com/gokernel/gokernel/display/table"
	"github.com/gokernel/gokernel/mlstd/concept"
	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/linear"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/prob"
	"github.com/gokernel/gokernel/mlstd/tree"
)

// tableOf makes a table of a value of the course library, if it has one.
func tableOf(v any) (*table.Table, bool) {
	switch v := v.(type) {
	case *frame.Frame:
		if v != nil {
			return frameTable(v), true
		}
	case *frame.Summary:
		if v != nil {
			return summaryOf(v), true
		}
	case *frame.Column:
		if v != nil {
			return columnTable(v), true
		}
	case *data.Dataset:
		if v != nil && v.X != nil {
			return datasetTable(v), true
		}
	case *data.TextSet:
		if v != nil {
			return textTable(v), true
		}
	case *model.Table:
		if v != nil {
			return examples{x: v}.table(""), true
		}
	case []tree.FeatureGain:
		return gainTable(v), true
	case []tree.TreeRule:
		return ruleTable(v), true
	case []tree.PruneStep:
		return table.New(records(v)).Names("α", "leaves", "impurity").Caption("Pruning by cost and complexity"), true
	case *eval.ConfusionMatrix:
		if v != nil {
			return confusionTable(v), true
		}
	case *eval.ReportTable:
		if v != nil {
			return reportTable(v), true
		}
	case *eval.CVResult:
		if v != nil {
			return foldTable(v), true
		}
	case *eval.Sweeping:
		if v != nil {
			return sweepTable(v), true
		}
	case *eval.Curve:
		if v != nil {
			return curveTable(v), true
		}
	case eval.TestResult:
		return testTable([]eval.TestResult{v}), true
	case []eval.TestResult:
		return testTable(v), true
	case eval.McNemarResult:
		return testTable([]eval.TestResult{v.ChiSquare, v.Corrected, v.Exact}).
			Caption(fmt.Sprintf("McNemar's test: only the first right %d times, only the second %d times", v.B, v.C)), true
	case eval.Estimate:
		return estimateTable([]string{""}, []eval.Estimate{v}), true
	case []eval.Estimate:
		names := make([]string, len(v))
		for i := range names {
			names[i] = strconv.Itoa(i)
		}
		return estimateTable(names, v), true
	case eval.BiasVariance:
		return table.New(grid{
			head: []string{"part", "value"},
			rows: [][]any{{"bias²", v.Bias2}, {"variance", v.Variance}, {"noise", v.Noise}, {"mean squared error", v.MSE}},
		}).Bars("value"), true
	case []eval.Candidate:
		return candidateTable(v), true
	case []eval.Params:
		return table.New(paramGrid(v)), true
	case *eval.Ablation:
		if v != nil {
			return ablationTable(v), true
		}
	case []eval.Profile:
		return profileTable(v), true
	case *linear.CoefPath:
		if v != nil {
			return pathTable(v), true
		}
	case *linear.RegressionSummary:
		if v != nil {
			return summaryTable(v), true
		}
	case []linear.PredictionInterval:
		return table.New(records(v)).Names("prediction", "standard error", "mean from", "mean to", "new from", "new to"), true
	case []prob.NBFeature:
		return FeatureTable(v), true
	case []prob.FeatureWeight:
		return table.New(records(v)).Names("column", "weight").Bars("weight"), true
	case []prob.Description:
		return table.New(records(v)).Names("model, bits", "data, bits"), true
	case *prob.Joint:
		if v != nil {
			return jointTable(v), true
		}
	case concept.ComplexityCurve:
		return table.New(records([]concept.Complexity(v))).Names("complexity", "training error", "other error").Least("other error"), true
	}
	return rulesTable(v)
}

// grid is rows of values with column names.
type grid struct {
	head []string
	rows [][]any
}

func (g grid) Dims() (rows, columns int) { return len(g.rows), len(g.head) }

func (g grid) Head(j int) (name, unit, kind string) { return g.head[j], "", "" }

func (g grid) Cell(i, j int) any {
	if f, ok := g.rows[i][j].(float64); ok && math.IsNaN(f) {
		return nil
	}
	return g.rows[i][j]
}

// record is a slice of structs of the library with a new type, so that no adapter handles it.
type record[T any] []T

func records[T any](v []T) record[T] { return v }

func gainTable(gains []tree.FeatureGain) *table.Table {
	g := grid{head: []string{"feature", "question", "gain", "gain ratio", "Gini", "accuracy"}}
	asks := false
	for _, f := range gains {
		g.rows = append(g.rows, []any{guide.Column(f.Feature), guide.Columns(f.Question), f.Gain, f.GainRatio, f.Gini, f.Accuracy})
		asks = asks || f.Question != f.Feature
	}
	t := table.New(g)
	if !asks {
		t.Columns("feature", "gain", "gain ratio", "Gini", "accuracy")
	}
	for _, c := range []string{"gain", "gain ratio", "Gini", "accuracy"} {
		t.Digits(c, 3)
	}
	return t.Bars("gain").Rows(30)
}

func ruleTable(rules []tree.TreeRule) *table.Table {
	g := grid{head: []string{"if", "then", "examples", "right"}}
	for _, r := range rules {
		var conditions string
		for i, c := range r.Conditions {
			if i > 0 {
				conditions += " and "
			}
			conditions += c.Text
		}
		if conditions == "" {
			conditions = "always"
		}
		sum, most := 0.0, 0.0
		for _, c := range r.Counts {
			sum += c
			most = math.Max(most, c)
		}
		g.rows = append(g.rows, []any{conditions, r.ClassName, sum, most / sum})
	}
	return table.New(g).Percent("right", 0).Rows(50)
}

func summaryTable(s *linear.RegressionSummary) *table.Table {
	share := strconv.FormatFloat(100*s.Level, 'g', 4, 64) + " %"
	g := grid{head: []string{"column", "coefficient", "standard error", "t", "P", share + " from", "to"}}
	for _, t := range s.Terms {
		g.rows = append(g.rows, []any{t.Name, t.Coef, t.StdErr, t.T, t.P, t.Low, t.High})
	}
	return table.New(g).Rows(100).Digits("t", 2).Compact("P").Caption(fmt.Sprintf("Least squares of %d examples: R² %.4f (adjusted %.4f), s %.4g, F %.4g, P %.3g, log L %.5g, AIC %.5g, BIC %.5g",
		s.N, s.R2, s.AdjR2, s.Sigma, s.F, s.FP, s.LogLikelihood, s.AIC, s.BIC))
}

func confusionTable(m *eval.ConfusionMatrix) *table.Table {
	g := grid{head: append([]string{"true \\ predicted"}, m.Names...)}
	g.head = append(g.head, "all", "recall")
	sums := make([]int, len(m.Counts))
	for i, row := range m.Counts {
		cells := []any{m.Names[i]}
		sum := 0
		for j, c := range row {
			cells = append(cells, c)
			sum += c
			sums[j] += c
		}
		recall := math.NaN()
		if sum > 0 {
			recall = float64(row[i]) / float64(sum)
		}
		g.rows = append(g.rows, append(cells, sum, recall))
	}
	all := []any{"all"}
	for _, s := range sums {
		all = append(all, s)
	}
	g.rows = append(g.rows, append(all, m.Total(), m.Accuracy()))
	t := table.New(g).Rows(0).Digits("recall", 3).
		Caption(fmt.Sprintf("Confusion matrix, accuracy %.3f", m.Accuracy()))
	for i, name := range m.Names {
		if slices.Index(g.head, name) == i+1 { // a name can occur twice
			t.Mark(i, name)
		}
	}
	return t
}

func reportTable(r *eval.ReportTable) *table.Table {
	g := grid{head: []string{"class", "precision", "recall", "F1", "support"}}
	for _, c := range r.Classes {
		name := c.Name
		if name == "" {
			name = guide.Class(c.Class)
		}
		g.rows = append(g.rows, []any{name, c.Precision, c.Recall, c.F1, c.Support})
	}
	t := table.New(g).Rows(0).Foot(fmt.Sprintf("accuracy %.3f · macro F1 %.3f", r.Accuracy, r.MacroF1))
	return t.Digits("precision", 3).Digits("recall", 3).Digits("F1", 3)
}

func foldTable(r *eval.CVResult) *table.Table {
	g := grid{head: []string{"fold", "training examples", "test examples", "training " + r.Metric, r.Metric}}
	for i, s := range r.Scores {
		row := []any{i + 1, nil, nil, nil, s}
		if i < len(r.Folds) {
			row[1], row[2] = len(r.Folds[i].Train), len(r.Folds[i].Test)
		}
		if i < len(r.Train) {
			row[3] = r.Train[i]
		}
		g.rows = append(g.rows, row)
	}
	t := table.New(g).Digits(g.head[3], 4).Digits(g.head[4], 4).Bars(r.Metric)
	if len(r.Scores) < 2 {
		return t
	}
	lo, hi := r.Interval(0.95)
	return t.Caption(fmt.Sprintf("%s %.4f ± %.4f (standard deviation), 95 %% interval of the mean [%.4f, %.4f]",
		r.Metric, r.Mean(), r.StdDev(), lo, hi))
}

func curveTable(c *eval.Curve) *table.Table {
	g := grid{head: []string{c.Axis, "training", "test", "± standard error"}}
	train, test, e := c.TrainMean(), c.TestMean(), c.TestStdErr()
	for i, x := range c.X {
		g.rows = append(g.rows, []any{x, train[i], test[i], e[i]})
	}
	return table.New(g).Digits("training", 4).Digits("test", 4).Digits("± standard error", 4).Best("test")
}

func sweepTable(s *eval.Sweeping) *table.Table {
	g := grid{head: []string{s.Axis}}
	for _, name := range s.Series {
		g.head = append(g.head, name, "± "+name)
	}
	for i, x := range s.X {
		row := []any{x}
		for _, name := range s.Series {
			row = append(row, s.Mean(name)[i], s.StdErr(name)[i])
		}
		g.rows = append(g.rows, row)
	}
	t := table.New(g)
	for _, name := range g.head[1:] {
		t.Digits(name, 4)
	}
	return t.Caption("means and their standard errors")
}

func testTable(tests []eval.TestResult) *table.Table {
	g := grid{head: []string{"test", "statistic", "d.f.", "p"}}
	second := slices.ContainsFunc(tests, func(t eval.TestResult) bool { return t.DF2 != 0 })
	estimates := slices.ContainsFunc(tests, func(t eval.TestResult) bool { return t.Of != "" })
	effects := slices.ContainsFunc(tests, func(t eval.TestResult) bool { return t.EffectOf != "" })
	if second {
		g.head = []string{"test", "F", "d.f.", "residual d.f.", "p"}
	}
	if estimates {
		g.head = append(g.head, "estimate of", "estimate", "95 % from", "to")
	}
	if effects {
		g.head = append(g.head, "effect size", "effect")
	}
	for _, t := range tests {
		row := []any{t.Name, t.Statistic, nil}
		if t.DF != 0 {
			row[2] = t.DF
		}
		if second {
			row = append(row, nil)
			if t.DF2 != 0 {
				row[3] = t.DF2
			}
		}
		row = append(row, t.P)
		switch {
		case t.Of != "":
			row = append(row, t.Of, t.Estimate.Value, t.Estimate.Low, t.Estimate.High)
		case estimates:
			row = append(row, "", nil, nil, nil)
		}
		switch {
		case t.EffectOf != "":
			row = append(row, t.EffectOf, t.Effect)
		case effects:
			row = append(row, "", nil)
		}
		g.rows = append(g.rows, row)
	}
	return table.New(g).Compact("p")
}

func estimateTable(names []string, es []eval.Estimate) *table.Table {
	g := grid{head: []string{"estimate", "value", "low", "high", "standard error"}}
	named := false
	for i, e := range es {
		g.rows = append(g.rows, []any{names[i], e.Value, e.Low, e.High, e.StdErr})
		named = named || names[i] != ""
	}
	t := table.New(g)
	if !named {
		t.Columns("value", "low", "high", "standard error")
	}
	return t
}

// paramNames returns the sorted names of all parameters.
func paramNames(points []eval.Params) []string {
	var names []string
	for _, p := range points {
		for name := range p {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return names
}

func paramGrid(points []eval.Params) grid {
	g := grid{head: paramNames(points)}
	for _, p := range points {
		row := make([]any, len(g.head))
		for j, name := range g.head {
			if x, ok := p[name]; ok {
				if x == model.Zero {
					x = 0
				}
				row[j] = x
			}
		}
		g.rows = append(g.rows, row)
	}
	return g
}

func candidateTable(cs []eval.Candidate) *table.Table {
	points := make([]eval.Params, len(cs))
	for i, c := range cs {
		points[i] = c.Params
	}
	g := paramGrid(points)
	metric := "score"
	if len(cs) > 0 && cs[0].CV != nil && cs[0].CV.Metric != "" {
		metric = cs[0].CV.Metric
	}
	g.head = append(g.head, metric, "± standard error")
	for i, c := range cs {
		for j, name := range g.head[:len(g.rows[i])] {
			if slices.Contains(c.Defaults, name) {
				g.rows[i][j] = "0 (default)"
			}
		}
		if c.CV == nil {
			g.rows[i] = append(g.rows[i], nil, nil)
			continue
		}
		g.rows[i] = append(g.rows[i], c.CV.Mean(), c.CV.StdErr())
	}
	return table.New(g).Digits(metric, 4).Digits("± standard error", 4).Best(metric).SortDown(metric)
}

func ablationTable(a *eval.Ablation) *table.Table {
	g := grid{head: []string{"without", "score", "worth"}, rows: [][]any{{"nothing", a.Whole, nil}}}
	for _, l := range a.Lesions {
		g.rows = append(g.rows, []any{l.Removed, l.Score, l.Drop})
	}
	return table.New(g).Digits("score", 4).Digits("worth", 4).Bars("worth")
}

func profileTable(ps []eval.Profile) *table.Table {
	g := grid{head: []string{"algorithm", "accuracy", "examples needed", "accuracy with noise", "fit", "predict"}}
	for _, p := range ps {
		g.rows = append(g.rows, []any{p.Name, p.Accuracy, p.ExamplesToReach, p.NoisyAccuracy,
			float64(p.FitTime.Microseconds()) / 1000, float64(p.Predict.Microseconds()) / 1000})
	}
	return table.New(g).Digits("accuracy", 3).Digits("accuracy with noise", 3).Unit("fit", "ms").Unit("predict", "ms").
		Best("accuracy", "accuracy with noise")
}

func pathTable(p *linear.CoefPath) *table.Table {
	g := grid{head: []string{"λ"}}
	width := 0
	for _, c := range p.Coef {
		width = max(width, len(c))
	}
	for j := range width {
		g.head = append(g.head, guide.Feature(j))
	}
	for i, l := range p.Lambda {
		row := make([]any, 1+width)
		row[0] = l
		if i < len(p.Coef) {
			for j, w := range p.Coef[i] {
				row[1+j] = w
			}
		}
		g.rows = append(g.rows, row)
	}
	return table.New(g).Caption("Coefficients along the penalty")
}
