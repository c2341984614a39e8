package course

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/display/chart"
	"github.com/gokernel/gokernel/display/internal/guide"
	"github.com/gokernel/gokernel/display/table"
	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/prob"
)

// Distribution draws the density of a distribution, or the probabilities of integers as bars. For
// each value in beyond, it fills the upper tail from that value and shows the probability of the
// tail.
func Distribution(d prob.Distribution, beyond ...float64) (c *chart.Chart) {
	if d == nil {
		return failed("Distribution", "the distribution must not be nil: pass one, such as ml.Gaussian{}")
	}
	defer func() {
		// A distribution panics if a parameter is invalid.
		if r := recover(); r != nil {
			e, ok := r.(error)
			if !ok {
				panic(r)
			}
			c = failed("Distribution", "%w", e)
		}
	}()
	lo, hi := d.Quantile(0.0005), d.Quantile(0.9995)
	for _, b := range beyond {
		if math.IsNaN(b) || math.IsInf(b, 0) {
			return failed("Distribution", "the start of a tail must be finite, got %v", b)
		}
		lo, hi = math.Min(lo, b), math.Max(hi, b)
	}
	if d.Discrete() {
		return mass(d, lo, hi, beyond)
	}
	margin := 0.04 * (hi - lo)
	lo, hi = lo-margin, hi+margin
	c = chart.New()
	for i, b := range beyond {
		x, y := density(d, b, hi)
		c.Area(x, 0.0, y).ClassColor(i + 1).Opacity(0.4).Name(tailName(d, b))
	}
	x, y := density(d, lo, hi)
	top := slices.Max(y)
	return c.Line(x, y).ClassColor(0).Width(2).XRange(lo, hi).YRange(0, 1.06*top).
		Title(distributionName(d)).X("x").Y("density").Size(520, 320)
}

// density samples a curve. An infinite density is drawn at the height of its neighbor.
func density(d prob.Distribution, lo, hi float64) (x, y []float64) {
	const n = 300
	for i := range n + 1 {
		v := lo + (hi-lo)*float64(i)/n
		p := d.Prob(v)
		if math.IsInf(p, 1) {
			p = d.Prob(v + (hi-lo)/(10*n))
		}
		x, y = append(x, v), append(y, p)
	}
	return x, y
}

// mass draws a discrete distribution.
func mass(d prob.Distribution, lo, hi float64, beyond []float64) *chart.Chart {
	if hi-lo > 400 {
		return failed("Distribution", "the distribution must have at most 400 values between its quantiles to be drawn as bars, got %v", hi-lo)
	}
	var names []string
	var p, above []float64
	from := math.Inf(1)
	if len(beyond) > 0 {
		from = slices.Min(beyond)
	}
	for k := math.Floor(lo); k <= math.Ceil(hi); k++ {
		names = append(names, guide.Class(int(k)))
		v := d.Prob(k)
		if k > from {
			p, above = append(p, 0), append(above, v)
		} else {
			p, above = append(p, v), append(above, 0)
		}
	}
	c := chart.New().Bars(names, p).ClassColor(0)
	if len(beyond) > 0 {
		c = chart.New().Stacked().Bars(names, p).ClassColor(0).Name("up to "+fourDigits(from)).Bars(names, above).ClassColor(1).Name(tailName(d, from))
	}
	return c.Title(distributionName(d)).X("x").Y("probability").Size(520, 320)
}

func fourDigits(v float64) string { return strconv.FormatFloat(v, 'g', 4, 64) }

func tailName(d prob.Distribution, b float64) string {
	return "P(X > " + fourDigits(b) + ") = " + strconv.FormatFloat(d.Tail(b), 'g', 3, 64)
}

// distributionName returns the type with its moments.
func distributionName(d prob.Distribution) string {
	name := fmt.Sprintf("%T", d)
	name = name[slices.Index([]byte(name), '.')+1:]
	mean, v := d.Mean(), d.Variance()
	if math.IsNaN(mean) || math.IsNaN(v) {
		return name
	}
	return name + ", mean " + fourDigits(mean) + ", deviation " + fourDigits(math.Sqrt(v))
}

// EntropyCurve draws the entropy of a coin in bits against its probability of heads, and marks
// the coins with the given probabilities.
func EntropyCurve(p ...float64) *chart.Chart {
	h := func(v float64) float64 { return prob.Entropy([]float64{v, 1 - v}) }
	var hs []float64
	var labels []string
	for _, v := range p {
		if !(v >= 0 && v <= 1) {
			return failed("EntropyCurve", "p must be between 0 and 1, got %v", v)
		}
		hs = append(hs, h(v))
		labels = append(labels, fourDigits(h(v)))
	}
	c := chart.New().Func(h, 0, 1).ClassColor(0).Width(2)
	if len(p) > 0 {
		c.Points(p, hs).ClassColor(1).Radius(4).Label(p, hs, labels)
	}
	return c.Title("Entropy of a coin").X("p").Y("bits").XRange(0, 1).YRange(0, 1.05).Size(460, 340)
}

// ClassEllipses draws the normal distributions that a fitted LDA, QDA or GaussianNB has estimated
// for the classes, over the examples of a data set with two features.
func ClassEllipses(m model.Classifier, d *data.Dataset) (c *chart.Chart) {
	const op = "ClassEllipses"
	if d == nil || d.X == nil || d.Y == nil {
		return failed(op, "the data set has no classes")
	}
	if _, columns := d.X.Dims(); columns != 2 {
		return failed(op, "%s must have two features, got %d: choose two with d.Features", d.Name, columns)
	}
	means, covariances, err := classGaussians(m)
	if err != nil {
		return failed(op, "%w", err)
	}
	if seen, ok := m.(data.Described); ok {
		defer refused(op, &c)
		d = d.LikeIn(op, seen)
	}
	gs, err := gaussians(means, covariances)
	if err != nil {
		return failed(op, "%w", err)
	}
	c = Scatter(d)
	classes := m.(model.ProbClassifier).Classes()
	for k, g := range gs {
		for s := 2; s >= 1; s-- {
			x, y := g.ellipse(float64(s))
			c.Polygon(x, y).ClassColor(classes[k]).Opacity(0.1 * float64(3-s))
		}
	}
	return c.Title("Normal classes").Size(560, 420)
}

func classGaussians(m model.Classifier) (means [][]float64, covariances []*mat.SymDense, err error) {
	var gs []*prob.MultivariateGaussian
	switch m := m.(type) {
	case *prob.LDA:
		if m != nil && m.Means != nil {
			gs = m.Gaussians()
		}
	case *prob.QDA:
		if m != nil && m.Means != nil {
			gs = m.Gaussians()
		}
	case *prob.GaussianNB:
		if m != nil && m.Means != nil {
			k, d := m.Means.Dims()
			for c := range k {
				cov := mat.NewSymDense(d, nil)
				for j := range d {
					cov.SetSym(j, j, m.Variances.At(c, j))
				}
				gs = append(gs, &prob.MultivariateGaussian{Mu: m.Means.RawRowView(c), Cov: cov})
			}
		}
	default:
		return nil, nil, fmt.Errorf("a %T has no normal classes: pass an LDA, QDA or GaussianNB", m)
	}
	if gs == nil {
		return nil, nil, fmt.Errorf("the %T is not fitted", m)
	}
	for _, g := range gs {
		means, covariances = append(means, g.Mu), append(covariances, g.Cov)
	}
	return means, covariances, nil
}

// Discriminants draws the examples of a data set projected onto the first two directions of a
// fitted LDA. If there is only one direction, as for two classes, it draws histograms.
func Discriminants(m *prob.LDA, d *data.Dataset) *chart.Chart {
	const op = "Discriminants"
	if m == nil || m.Axes == nil {
		return failed(op, "the LDA is not fitted")
	}
	if d == nil || d.X == nil || d.Y == nil {
		return failed(op, "the data set has no classes")
	}
	if want, _ := m.Axes.Dims(); d.X.RawMatrix().Cols != want {
		return failed(op, "%s has %d features, the LDA was fitted on %d", d.Name, d.X.RawMatrix().Cols, want)
	}
	z := m.Transform(d.X)
	axis := func(a int) string {
		return fmt.Sprintf("discriminant %d, %.1f%%", a+1, 100*m.Explained[a])
	}
	labels := make([]string, d.Len())
	for i := range labels {
		labels[i] = d.Label(i)
	}
	if _, k := z.Dims(); k < 2 {
		c := chart.New()
		classes, index := model.Classes(d.Y)
		for k := range classes {
			var own []float64
			name := ""
			for i, at := range index {
				if at == k {
					own, name = append(own, z.At(i, 0)), labels[i]
				}
			}
			c.Hist(own).Bins(20).ClassColor(k).Opacity(0.6).Name(name)
		}
		return c.Title("Projection on the discriminant").X(axis(0)).Y("examples").Size(560, 340)
	}
	return chart.Scatter(mat.Col(nil, 0, z), mat.Col(nil, 1, z), labels).
		Title("Projection on the discriminants").X(axis(0)).Y(axis(1)).Size(560, 420)
}

// SampleCurves draws errors against the number of examples on a logarithmic axis, and the minimum
// possible error if it is known.
func SampleCurves(s *prob.SampleCurves) *chart.Chart {
	if s == nil || len(s.Sizes) == 0 || len(s.Names) == 0 || len(s.Error) != len(s.Names) {
		return failed("SampleCurves", "the race is empty: make one with ml.RaceBySize")
	}
	sizes := make([]float64, len(s.Sizes))
	for i, n := range s.Sizes {
		sizes[i] = float64(n)
	}
	c := chart.New()
	top := s.Bayes
	for k, name := range s.Names {
		if len(s.Error[k]) != len(sizes) {
			return failed("SampleCurves", "%s has %d errors for %d sizes", name, len(s.Error[k]), len(sizes))
		}
		c.Line(sizes, s.Error[k]).ClassColor(k).Width(2).Name(name)
		top = math.Max(slices.Max(s.Error[k]), zeroNaN(top))
	}
	if !math.IsNaN(s.Bayes) {
		c.HRule(s.Bayes).Color("gray").Dashed().Name("least possible")
	}
	return c.Title("Errors by sample size").X("examples").Y("error").LogX().YRange(0, 1.1*top).Size(560, 360)
}

func zeroNaN(v float64) float64 {
	if math.IsNaN(v) {
		return 0
	}
	return v
}

// Independence draws the mutual information of pairs of columns in bits: marginal on the left,
// given the class on the right.
func Independence(t *prob.IndependenceTable) *chart.Panels {
	if t == nil || t.Marginal == nil || t.Conditional == nil {
		return chart.Grid(failed("Independence", "the check is empty: make one with ml.CheckIndependence"))
	}
	heat := func(m *mat.Dense, title string) *chart.Chart {
		off := mat.DenseCopyOf(m)
		n, _ := off.Dims()
		for j := range n {
			off.Set(j, j, math.NaN())
		}
		return chart.Heatmap(off).XNames(t.Names...).YNames(t.Names...).Title(title).Scheme("blues")
	}
	return chart.Grid(heat(t.Marginal, "I(X;Y), bits"), heat(t.Conditional, "given the class"))
}

// FeatureTable shows the parameters that a naive Bayes model has learned for each column: the
// probability of each value in each class, or the mean and standard deviation in each class.
// classes are the names of the classes.
func FeatureTable(features []prob.NBFeature, classes ...string) *table.Table {
	if len(features) == 0 {
		return table.Fail(fmt.Errorf("FeatureTable: there are no features: pass m.Features of a fitted NaiveBayes or CategoricalNB"))
	}
	k := len(features[0].Known)
	if features[0].Counts != nil {
		k, _ = features[0].Counts.Dims()
	}
	if len(classes) != 0 && len(classes) != k {
		return table.Fail(fmt.Errorf("FeatureTable: there are %d names for %d classes", len(classes), k))
	}
	g := grid{head: []string{"column", "value"}}
	for c := range k {
		name := "class " + strconv.Itoa(c)
		if len(classes) > 0 {
			name = classes[c]
		}
		g.head = append(g.head, name)
	}
	row := func(column, value string, at func(c int) float64) {
		r := []any{column, value}
		for c := range k {
			r = append(r, at(c))
		}
		g.rows = append(g.rows, r)
	}
	for i := range features {
		f := &features[i]
		for v, level := range f.Levels() {
			row(f.Column.Name, level, func(c int) float64 { return math.Exp(f.LogProb.At(c, v)) })
		}
		if f.Counts == nil {
			row(f.Column.Name, "mean", func(c int) float64 { return f.Means[c] })
			row(f.Column.Name, "deviation", func(c int) float64 { return math.Sqrt(f.Variances[c]) })
		}
	}
	t := table.New(g).Caption("P(value | class)")
	for _, name := range g.head[2:] {
		t.Digits(name, 3)
	}
	return t.Rows(60)
}

// jointTable lists the cells of a joint distribution.
func jointTable(j *prob.Joint) *table.Table {
	g := grid{head: append(slices.Clone(j.Names), "p")}
	values := make([]int, len(j.Sizes))
	for _, p := range j.P {
		var r []any
		for _, v := range values {
			r = append(r, v)
		}
		g.rows = append(g.rows, append(r, p))
		for v := len(values) - 1; v >= 0; v-- {
			if values[v]++; values[v] < j.Sizes[v] {
				break
			}
			values[v] = 0
		}
	}
	return table.New(g).Digits("p", 4).Bars("p")
}
