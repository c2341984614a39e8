package course

import (
	"fmt"
	"math"
	"reflect"
	"slices"

	"github.com/gokernel/gokernel/display/chart"
	"github.com/gokernel/gokernel/display/internal/guide"
	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/linear"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/online"
	"github.com/gokernel/gokernel/mlstd/optim"
)

// ROC draws receiver operating characteristic curves, each with its name and its AUC. A single
// curve is drawn with its convex hull. The diagonal shows the result of random guessing.
func ROC(curves ...*eval.ROCCurve) *chart.Chart {
	if len(curves) == 0 {
		return failed("ROC", "there is no curve: pass a curve from ml.ROC")
	}
	c := chart.New()
	for i, r := range curves {
		if r == nil || len(r.FPR) == 0 || len(r.FPR) != len(r.TPR) {
			return failed("ROC", "curve %d is empty: make one with ml.ROC(y, score, positive)", i+1)
		}
		if len(curves) == 1 {
			c.Area(r.FPR, 0.0, r.TPR).ClassColor(i).Opacity(0.12)
		}
		name := curveName(r.Name, i, len(curves)) + fmt.Sprintf("AUC %.3f", r.AUC())
		c.Line(r.FPR, r.TPR).ClassColor(i).Width(2).Name(name)
	}
	if len(curves) == 1 {
		if h := curves[0].Hull(); len(h.FPR) < len(curves[0].FPR) {
			c.Line(h.FPR, h.TPR).Color("gray").Dashed().Name("convex hull")
		}
	}
	return c.Line([]float64{0, 1}, []float64{0, 1}).Color("gray").Width(1).Name("guessing").
		Title("ROC curve").X("false positive rate").Y("true positive rate").
		XRange(0, 1).YRange(0, 1).Equal().Size(480, 400)
}

// curveName returns the text before the area of curve i of n in the legend.
func curveName(name string, i, n int) string {
	switch {
	case name != "":
		return name + ", "
	case n > 1:
		return fmt.Sprintf("curve %d, ", i+1)
	}
	return ""
}

// PR draws precision against recall, with the name and the average precision (AP) of each curve.
func PR(curves ...*eval.PRCurve) *chart.Chart {
	if len(curves) == 0 {
		return failed("PR", "there is no curve: pass a curve from ml.PrecisionRecall")
	}
	c := chart.New()
	for i, r := range curves {
		if r == nil || len(r.Recall) == 0 || len(r.Recall) != len(r.Precision) {
			return failed("PR", "curve %d is empty: make one with ml.PrecisionRecall(y, score, positive)", i+1)
		}
		name := curveName(r.Name, i, len(curves)) + fmt.Sprintf("AP %.3f", r.AveragePrecision())
		// Precision is constant down to the next smaller recall: two thresholds are not joined by
		// a straight line.
		x, y := stairs(r.Recall, r.Precision)
		c.Line(x, y).ClassColor(i).Width(2).Name(name)
	}
	return c.Title("Precision and recall").X("recall").Y("precision").
		XRange(0, 1).YRange(0, 1.02).Equal().Size(480, 400)
}

// stairs joins points with ascending x by steps, each at the height of the later point.
func stairs(x, y []float64) (sx, sy []float64) {
	for i := range x {
		if i > 0 {
			sx, sy = append(sx, x[i-1]), append(sy, y[i])
		}
		sx, sy = append(sx, x[i]), append(sy, y[i])
	}
	return sx, sy
}

// LearningCurve draws training and test scores against the number of examples. Bands show one
// standard deviation over the folds.
func LearningCurve(c *eval.Curve) *chart.Chart { return scores("LearningCurve", "Learning curve", c) }

// ValidationCurve draws training and test scores against a hyperparameter. Bands show one
// standard deviation over the folds, and a rule marks the value with the best test score. The
// axis is logarithmic if the values span more than two decades.
func ValidationCurve(c *eval.Curve) *chart.Chart {
	p := scores("ValidationCurve", "Validation curve", c)
	if c == nil || len(c.X) == 0 || len(c.Test) != len(c.X) {
		return p
	}
	x, _ := c.Best()
	p.VRule(x).Color("gray").Dashed()
	if growsByFactors(c.X) {
		p.LogX()
	}
	return p
}

// growsByFactors reports whether positive values span more than two decades.
func growsByFactors(x []float64) bool {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, v := range x {
		lo, hi = math.Min(lo, v), math.Max(hi, v)
	}
	return lo > 0 && hi/lo >= 100
}

func scores(op, title string, c *eval.Curve) *chart.Chart {
	if c == nil || len(c.X) == 0 || len(c.Train) != len(c.X) || len(c.Test) != len(c.X) {
		return failed(op, "the curve must have one row of scores for each value: make one with ml.%s", op)
	}
	p := chart.New()
	for k, part := range []struct {
		name   string
		scores [][]float64
	}{{"training", c.Train}, {"test", c.Test}} {
		mean, lo, hi := bands(part.scores)
		p.Area(c.X, lo, hi).ClassColor(k).Opacity(0.18)
		p.Line(c.X, mean).ClassColor(k).Width(2).Name(part.name)
		p.Points(c.X, mean).ClassColor(k).Radius(3)
	}
	return p.Title(title).X(c.Axis).Y("score")
}

// Sweep draws the mean scores of an experiment against the quantity that it varied, one curve per
// score. Bands show one standard error. The axis is logarithmic if the values span more than two
// decades.
func Sweep(s *eval.Sweeping) *chart.Chart {
	if s == nil || len(s.X) == 0 || len(s.Series) == 0 || len(s.Runs) != len(s.Series) {
		return failed("Sweep", "the sweep has no scores: make one with ml.Sweep, whose runs return at least one score")
	}
	p := chart.New()
	for k, name := range s.Series {
		mean, e := s.Mean(name), s.StdErr(name)
		lo, hi := make([]float64, len(mean)), make([]float64, len(mean))
		for i := range mean {
			lo[i], hi[i] = mean[i]-e[i], mean[i]+e[i]
		}
		p.Area(s.X, lo, hi).ClassColor(k).Opacity(0.18)
		p.Line(s.X, mean).ClassColor(k).Width(2).Name(name)
		p.Points(s.X, mean).ClassColor(k).Radius(3)
	}
	if growsByFactors(s.X) {
		p.LogX()
	}
	return p.X(s.Axis)
}

// bands returns the mean of each row, and the mean plus and minus one standard deviation.
func bands(rows [][]float64) (mean, lo, hi []float64) {
	for _, r := range rows {
		m, ss := 0.0, 0.0
		for _, v := range r {
			m += v / float64(len(r))
		}
		for _, v := range r {
			ss += (v - m) * (v - m)
		}
		sd := 0.0
		if len(r) > 1 {
			sd = math.Sqrt(ss / float64(len(r)-1))
		}
		mean, lo, hi = append(mean, m), append(lo, m-sd), append(hi, m+sd)
	}
	return mean, lo, hi
}

// CoefficientPath draws the coefficients of a linear model against the penalty λ, one line per
// coefficient. The axis is logarithmic if the penalties span more than two decades. names are the
// names of the coefficients, in order; by default, they are the column names.
func CoefficientPath(p *linear.CoefPath, names ...string) *chart.Chart {
	const op = "CoefficientPath"
	if p == nil || len(p.Lambda) == 0 || len(p.Coef) != len(p.Lambda) {
		return failed(op, "the path must have one row of coefficients for each λ: make one with ml.LassoPath")
	}
	width := len(p.Coef[0])
	if len(names) > 0 && len(names) != width {
		return failed(op, "there are %d names for %d coefficients", len(names), width)
	}
	c := chart.New()
	for j := range width {
		line := make([]float64, len(p.Lambda))
		for i, row := range p.Coef {
			if len(row) != width {
				return failed(op, "row %d has %d coefficients, row 0 has %d", i, len(row), width)
			}
			line[i] = row[j]
		}
		name := guide.Feature(j)
		if len(names) > 0 {
			name = guide.Column(names[j])
		}
		c.Line(p.Lambda, line).Name(name)
	}
	if growsByFactors(p.Lambda) {
		c.LogX()
	}
	return c.HRule(0).Width(1).Title("Coefficient path").X("λ").Y("coefficient")
}

// Trace draws the progress of an iterative fit: its objective and, if they were recorded, its
// steps, mistakes or updates. v is a model.Trace, the trace of an online learner, an
// *optim.Minimum, a slice of numbers, or a model with a trace. To draw later fits of the model
// while they run, use [FitTrace.Live].
func Trace(v any) *FitTrace {
	p := tracePanels(v)
	if p == nil {
		p = tracePanels(traceOf(v))
	}
	if p == nil {
		p = chart.Grid(failed("Trace", "a %T is not a trace: pass a model or the Trace of a fitted one", v))
	}
	return &FitTrace{p, v}
}

// traceOf returns the trace of a model, or nil.
func traceOf(m any) any {
	v := reflect.ValueOf(m)
	if v.Kind() != reflect.Pointer || v.IsNil() || v.Elem().Kind() != reflect.Struct {
		return nil
	}
	if f := v.Elem().FieldByName("Trace"); f.IsValid() && f.CanInterface() {
		return f.Interface()
	}
	if controlOf(m) != nil {
		return model.Trace{}
	}
	return nil
}

// tracePanels returns the panels of a trace, or nil for other values.
func tracePanels(v any) *chart.Panels {
	var panels []*chart.Chart
	add := func(y []float64, title, axis string, objective bool) {
		if len(y) == 0 {
			return
		}
		x := make([]float64, len(y))
		for i := range x {
			x[i] = float64(i + 1)
		}
		c := chart.Plot(x, y).Width(2).Title(title).X(axis).Y("")
		switch {
		case objective && growsByFactors(y):
			c.LogY()
		case !objective:
			c.YRange(0, math.Max(1, 1.05*slices.Max(y)))
		}
		panels = append(panels, c)
	}
	switch t := v.(type) {
	case model.Trace:
		add(t.Loss, "Objective", "iteration", true)
		add(t.Step, "Step", "iteration", true)
	case *model.Trace:
		if t == nil {
			return nil
		}
		return tracePanels(*t)
	case online.MistakeTrace:
		add(t.Mistakes, "Mistakes", "epoch", false)
		add(t.Updates, "Updates", "epoch", false)
	case *online.MistakeTrace:
		if t == nil {
			return nil
		}
		return tracePanels(*t)
	case *optim.Minimum:
		if t == nil {
			return nil
		}
		return tracePanels(t.Trace)
	case []float64:
		add(t, "Objective", "iteration", true)
	default:
		return nil
	}
	if len(panels) == 0 {
		panels = append(panels, failed("Trace", "the trace is empty: fit the model first"))
	}
	p := chart.Grid(panels...)
	if len(panels) == 1 {
		p.Size(520, 320)
	}
	return p
}
