package chart

import (
	"math"
	"math/rand/v2"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/display"
)

// example is a figure that the tests check.
type example struct {
	name string
	make func() display.Displayer
}

func normal(r *rand.Rand, n int, mean, sd float64) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = mean + sd*r.NormFloat64()
	}
	return v
}

func span(lo, hi float64, n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = lo + (hi-lo)*float64(i)/float64(n-1)
	}
	return v
}

func apply(f func(float64) float64, v []float64) []float64 {
	out := make([]float64, len(v))
	for i, x := range v {
		out[i] = f(x)
	}
	return out
}

// blobs returns n points in each of three classes.
func blobs(n int) (x *mat.Dense, label []string) {
	r := rand.New(rand.NewPCG(1, 2))
	x = mat.NewDense(3*n, 2, nil)
	for i := range 3 * n {
		k := i % 3
		x.Set(i, 0, []float64{0, 3, 1.5}[k]+0.6*r.NormFloat64())
		x.Set(i, 1, []float64{0, 0.5, 2.5}[k]+0.6*r.NormFloat64())
		label = append(label, []string{"setosa", "versicolor", "virginica"}[k])
	}
	return x, label
}

func bowl(x, y float64) float64 { return (1-x)*(1-x) + 5*(y-x*x)*(y-x*x) }

// gallery holds a figure of each kind.
var gallery = []example{
	{"spans", func() display.Displayer {
		x, y := []float64{1, 2, 3, 4, 5}, []float64{4.1, 5.2, 4.8, 6.9, 6.1}
		below, above := []float64{0.2, 0.3, 0.2, 0.9, 0.3}, []float64{0.6, 0.2, 0.5, 0.2, 0.3}
		return Plot(x, y).Name("course").Errors(x, y, below, above).
			VSpan(2, 3.5).Name("holidays").HSpan(4.5, 6).Color("green").Name("normal")
	}},
	{"line", func() display.Displayer {
		x := span(0, 2*math.Pi, 200)
		return Plot(x, apply(math.Sin, x)).Name("sin").Line(x, apply(math.Cos, x)).Name("cos").Dashed().
			Title("Two waves").X("angle (rad)").Y("value")
	}},
	{"loss", func() display.Displayer {
		e := span(1, 60, 60)
		return Plot(e, apply(func(t float64) float64 { return 2.3 * math.Exp(-t/12) }, e)).Name("train").
			Line(e, apply(func(t float64) float64 { return 0.3 + 2*math.Exp(-t/9) + t*t/9000 }, e)).Name("validation").
			VRule(33).Dashed().LogY().Title("Loss").X("epoch").Y("cross-entropy")
	}},
	{"scatter", func() display.Displayer {
		x, label := blobs(50)
		return Scatter(x, label).X("petal length (cm)").Y("petal width (cm)").Title("Three classes").Legend("species")
	}},
	{"scatter-value", func() display.Displayer {
		r := rand.New(rand.NewPCG(3, 4))
		x, y := normal(r, 300, 0, 1), normal(r, 300, 0, 1)
		z := make([]float64, len(x))
		for i := range z {
			z[i] = x[i] * y[i] * 1000
		}
		return Scatter(x, y, z)
	}},
	{"scatter-many", func() display.Displayer {
		r := rand.New(rand.NewPCG(5, 6))
		return Scatter(normal(r, 10000, 0, 1), normal(r, 10000, 0, 1)).X("x₁").Y("x₂")
	}},
	{"hist", func() display.Displayer {
		r := rand.New(rand.NewPCG(7, 8))
		return Hist(normal(r, 1000, 170, 7)).Name("men").Hist(normal(r, 800, 160, 6)).Name("women").
			Density().X("height (cm)").Title("Body height")
	}},
	{"bar", func() display.Displayer {
		return Bar([]string{"Outlook", "Humidity", "Windy", "Temperature"}, []float64{0.247, 0.152, 0.048, 0.029}).Y("information gain").Title("First split")
	}},
	{"bar-grouped", func() display.Displayer {
		names := []string{"k-NN", "SVM", "forest"}
		return Bar(names, []float64{0.91, 0.95, 0.97}).Name("train").Bars(names, []float64{0.88, 0.93, 0.94}).Name("test").Y("accuracy")
	}},
	{"bar-stacked", func() display.Displayer {
		names := []string{"Mon", "Tue", "Wed", "Thu", "Fri"}
		return Bar(names, []float64{3, 5, 2, 6, 4}).Name("spam").Bars(names, []float64{7, 6, 9, 5, 8}).Name("ham").Stacked().Y("messages")
	}},
	{"bar-long", func() display.Displayer {
		return Bar([]string{"multinomial naive Bayes", "logistic regression with an L2 penalty", "a linear support vector machine", "gradient boosted trees", "random forest of 500 trees"},
			[]float64{0.81, 0.86, 0.87, 0.9, -0.1}).Y("accuracy").Title("Long names lie down")
	}},
	{"area", func() display.Displayer {
		n := span(10, 150, 15)
		mid := apply(func(t float64) float64 { return 0.95 - 2/t }, n)
		return New().Area(n, apply(func(t float64) float64 { return 0.95 - 2/t - 0.6/math.Sqrt(t) }, n), apply(func(t float64) float64 { return 0.95 - 2/t + 0.6/math.Sqrt(t) }, n)).ClassColor(0).
			Line(n, mid).Name("validation").Points(n, mid).Errors(n, mid, apply(func(float64) float64 { return 0.02 }, n)).X("training examples").Y("accuracy").Title("Learning curve")
	}},
	{"step", func() display.Displayer {
		return New().Step([]float64{0, 0, 0.1, 0.1, 0.4, 0.4, 1}, []float64{0, 0.5, 0.5, 0.8, 0.8, 1, 1}).Name("classifier").
			Line([]float64{0, 1}, []float64{0, 1}).Name("chance").Color("gray").Dashed().
			Equal().XRange(0, 1).YRange(0, 1).X("false positive rate").Y("true positive rate").Title("ROC")
	}},
	{"errors", func() display.Displayer {
		return New().Errors([]float64{1, 2, 3, 4}, []float64{2, 3.5, 3, 5}, []float64{0.5, 0.2, 0.8, 0.4}).Points([]float64{1, 2, 3, 4}, []float64{2, 3.5, 3, 5}).X("dose").Y("response")
	}},
	{"box", func() display.Displayer {
		r := rand.New(rand.NewPCG(9, 10))
		return BoxPlot(map[string][]float64{"setosa": normal(r, 50, 5, 0.35), "versicolor": normal(r, 50, 5.9, 0.5), "virginica": append(normal(r, 50, 6.6, 0.6), 4.1, 9)}).Y("sepal length (cm)")
	}},
	{"heat", func() display.Displayer {
		return Heatmap(mat.NewDense(3, 3, []float64{50, 0, 0, 0, 47, 3, 0, 2, 48})).Scheme("blues").
			XNames("setosa", "versicolor", "virginica").YNames("setosa", "versicolor", "virginica").X("predicted").Y("true").Title("Confusion matrix")
	}},
	{"heat-large", func() display.Displayer {
		z := mat.NewDense(80, 80, nil)
		for i := range 80 {
			for j := range 80 {
				z.Set(i, j, math.Exp(-math.Pow(float64(i-j)/15, 2)))
			}
		}
		return Heatmap(z).Title("Gram matrix")
	}},
	{"heat-diverging", func() display.Displayer {
		return Heatmap([][]float64{{1, -0.12, 0.87, 0.82}, {-0.12, 1, -0.43, -0.37}, {0.87, -0.43, 1, 0.96}, {0.82, -0.37, 0.96, 1}}).Scheme("bluered").Title("Correlation")
	}},
	{"contour", func() display.Displayer {
		return Contour(bowl, -2, 2, -1, 3, 0.1, 0.5, 1, 2, 5, 10, 20, 40).Points([]float64{1}, []float64{1}).Color("red").Name("minimum").
			Line([]float64{-1.5, -1.2, -0.9, -0.2, 0.4, 0.9}, []float64{2.5, 1.2, 0.9, 0.1, 0.1, 0.75}).Color("red").Name("descent").X("w₁").Y("w₂").Title("Rosenbrock's valley")
	}},
	{"region", func() display.Displayer {
		x, label := blobs(30)
		f := NewField(func(x, y float64) float64 {
			d := []float64{math.Hypot(x, y), math.Hypot(x-3, y-0.5), math.Hypot(x-1.5, y-2.5)}
			if d[0] <= d[1] && d[0] <= d[2] {
				return 0
			}
			if d[1] <= d[2] {
				return 1
			}
			return 2
		}, -2, 5, -2, 4.5, 200)
		c := New().Region(f, nil).Names("setosa", "versicolor", "virginica")
		col, _ := columnOf("", "", mat.Col(nil, 0, x))
		return c.Points(col.v, mat.Col(nil, 1, x)).By(label).X("petal length").Y("petal width").Title("Nearest mean")
	}},
	{"vectors", func() display.Displayer {
		var x, y, u, v []float64
		for i := range 12 {
			for j := range 12 {
				a, b := float64(i)/2-2.75, float64(j)/2-2.75
				x, y, u, v = append(x, a), append(y, b), append(u, -b), append(v, a-0.3*b)
			}
		}
		return New().Vectors(x, y, u, v).Equal().Title("Flow")
	}},
	{"labels", func() display.Displayer {
		return New().Points([]float64{1, 1.02, 1.05, 3, 5}, []float64{1, 1.02, 0.98, 2, 1}).Label([]float64{1, 1.02, 1.05, 3, 5}, []float64{1, 1.02, 0.98, 2, 1}, []string{"alpha", "beta", "gamma", "<b>delta</b>", "epsilon"}).
			HRule(1.5).Dashed().VRule(2.5)
	}},
	{"polygon", func() display.Displayer {
		t := span(0, 2*math.Pi, 80)
		c := New().Equal().Title("Unit balls")
		c.Polygon(apply(math.Cos, t), apply(math.Sin, t)).Name("L2")
		c.Polygon([]float64{1, 0, -1, 0}, []float64{0, 1, 0, -1}).Name("L1")
		return c.Polygon([]float64{1, -1, -1, 1}, []float64{1, 1, -1, -1}).Name("L∞").Opacity(0.08)
	}},
	{"func", func() display.Displayer {
		return Func(func(x float64) float64 { return 1 / x }, -2, 2).YRange(-10, 10).Title("1/x")
	}},
	{"time", func() display.Displayer {
		var at []time.Time
		var v []float64
		for i := range 200 {
			at = append(at, time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, 3*i))
			v = append(v, 1e6*(2+math.Sin(float64(i)/20)))
		}
		return Plot(at, v).Y("visitors")
	}},
	{"log-log", func() display.Displayer {
		x := []float64{1, 10, 100, 1000, 10000, 100000}
		return Plot(x, apply(func(v float64) float64 { return 3e-4 * v * math.Log2(v+1) }, x)).Name("n log n").Line(x, apply(func(v float64) float64 { return 1e-5 * v * v }, x)).Name("n²").LogX().LogY().X("n").Y("seconds")
	}},
	{"grid", func() display.Displayer {
		x, label := blobs(30)
		r := rand.New(rand.NewPCG(11, 12))
		return Grid(
			Scatter(x, label).X("a").Y("b").Title("first"),
			Scatter(x, label).X("a").Y("b").Title("second"),
			Scatter(x, label).X("a").Y("b").Title("third"),
			Hist(normal(r, 200, 0, 1)).Title("fourth"),
		).Title("Four panels")
	}},
	{"facets", func() display.Displayer {
		x, label := blobs(40)
		return Scatter(x, label).X("length").Y("width").Facet(label)
	}},
	{"facets-uneven", func() display.Displayer {
		x, label := blobs(40)
		group := make([]int, len(label))
		for i := range group {
			group[i] = 2000 + i%5
		}
		return Scatter(x, label).X("length").Y("width").Facet(group)
	}},
	{"classes-100", func() display.Displayer {
		r := rand.New(rand.NewPCG(13, 14))
		label := make([]int, 1000)
		for i := range label {
			label[i] = i % 100
		}
		return Scatter(normal(r, 1000, 0, 1), normal(r, 1000, 0, 1), label)
	}},
	{"markup", func() display.Displayer {
		return Bar([]string{"<b>a</b>", "<script>alert(1)</script>", "a & b"}, []float64{1, 2, 3}).Title(`<img src=x onerror="alert(1)">`).X("</text><b>")
	}},
	{"not-finite", func() display.Displayer {
		return Scatter([]float64{1, 2, math.NaN(), 4, 5}, []float64{1, math.Inf(1), 3, 4, 5}).Title("Some values are missing")
	}},
	{"one-point", func() display.Displayer { return Scatter([]float64{3}, []float64{7}) }},
	{"one-value-line", func() display.Displayer { return Plot([]float64{5}) }},
	{"constant", func() display.Displayer { return Plot([]float64{2, 2, 2}) }},
	{"large-numbers", func() display.Displayer { return Plot([]float64{1.2e9, 3.4e9, 2.2e9}).Y("bytes") }},
	{"small-numbers", func() display.Displayer { return Plot([]float64{1.2e-7, 3.4e-7, 2.2e-7}) }},
	{"many-names", func() display.Displayer {
		var names []string
		var v []float64
		for i := range 60 {
			names = append(names, "word number "+short(float64(i)))
			v = append(v, float64(60-i))
		}
		return Bar(names, v)
	}},
}
