package course

import (
	"math"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/display/chart"
	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/reduce"
)

// ConfusionMatrix draws the counts of a confusion matrix as colored cells: true
// classes down the side, predicted ones along the bottom.
func ConfusionMatrix(m *eval.ConfusionMatrix) *chart.Chart {
	if m == nil || len(m.Counts) == 0 || len(m.Names) != len(m.Counts) {
		return failed("ConfusionMatrix", "the matrix is empty; make one with ml.Confusion(y, predicted)")
	}
	z := mat.NewDense(len(m.Counts), len(m.Counts), nil)
	for i, row := range m.Counts {
		for j, n := range row {
			z.Set(i, j, float64(n))
		}
	}
	return chart.Heatmap(z).Scheme("blues").XNames(m.Names...).YNames(m.Names...).
		Title("Confusion matrix, accuracy "+strconv.FormatFloat(m.Accuracy(), 'f', 3, 64)).
		X("predicted class").Y("true class").Equal().Size(460, 400)
}

// GramMatrix draws the similarities of examples as colored cells. With the classes
// of the examples, the rows and columns are put into the order of the classes, and
// lines part them: a kernel that suits the problem shows bright blocks.
func GramMatrix(g mat.Matrix, classes ...int) *chart.Chart {
	n, cols := g.Dims()
	if n == 0 || n != cols {
		return failed("GramMatrix", "the matrix is %d×%d; it must be square", n, cols)
	}
	if len(classes) != 0 && len(classes) != n {
		return failed("GramMatrix", "there are %d examples but %d classes", n, len(classes))
	}
	order := make([]int, 0, n)
	var cuts []float64
	if len(classes) == 0 {
		for i := range n {
			order = append(order, i)
		}
	} else {
		for _, k := range distinct(classes) {
			for i, c := range classes {
				if c == k {
					order = append(order, i)
				}
			}
			cuts = append(cuts, float64(len(order))-0.5)
		}
		cuts = cuts[:len(cuts)-1]
	}
	z := mat.NewDense(n, n, nil)
	lo := math.Inf(1)
	for i := range n {
		for j := range n {
			v := g.At(order[i], order[j])
			z.Set(i, j, v)
			lo = math.Min(lo, v)
		}
	}
	c := chart.Heatmap(z).Title("Gram matrix").X("example").Y("example").Equal().Size(460, 400)
	if lo < 0 {
		c.Scheme("redblue")
	}
	if len(cuts) > 0 {
		c.HRule(cuts...).Color("black").VRule(cuts...).Color("black")
	}
	return c
}

// Spectrum draws eigenvalues, the largest first: each as a share of their sum, and
// the share that the first ones have together. Where some are negative, as of a
// similarity that is no kernel, it draws the values themselves.
func Spectrum(eigenvalues []float64) *chart.Chart {
	if len(eigenvalues) == 0 {
		return failed("Spectrum", "there are no eigenvalues")
	}
	v := sortedDown(eigenvalues)
	number := make([]float64, len(v))
	sum := 0.0
	for i, x := range v {
		number[i] = float64(i + 1)
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return failed("Spectrum", "eigenvalue %d is %v", i, x)
		}
		sum += x
	}
	if last := v[len(v)-1]; last < -1e-10*math.Abs(v[0]) || sum <= 0 {
		return chart.Bar(number, v).HRule(0).Color("gray").
			Title("Spectrum").X("number").Y("eigenvalue")
	}
	each, all := make([]float64, len(v)), make([]float64, len(v))
	total := 0.0
	for i, x := range v {
		total += x
		each[i], all[i] = x/sum, total/sum
	}
	return chart.Bar(number, each).Name("each").Line(number, all).ClassColor(1).Name("together").
		Points(number, all).ClassColor(1).Title("Spectrum").X("component").Y("share of the variance").YRange(0, 1.05)
}

// CodeMatrix draws an error-correcting output code: a row for each class, a column
// for each two-class problem, dark where the class is on the positive side.
func CodeMatrix(code *reduce.Code, classes ...string) *chart.Chart {
	if code == nil || len(code.Bits) == 0 || len(code.Bits[0]) == 0 {
		return failed("CodeMatrix", "the code is empty; make one with ml.ExhaustiveCode(k) or ml.RandomCode(k, length, seed)")
	}
	if len(classes) != 0 && len(classes) != len(code.Bits) {
		return failed("CodeMatrix", "the code has %d classes, there are %d names", len(code.Bits), len(classes))
	}
	z := mat.NewDense(len(code.Bits), len(code.Bits[0]), nil)
	for i, row := range code.Bits {
		for j, b := range row {
			if b {
				z.Set(i, j, 1)
			}
		}
	}
	if len(classes) == 0 {
		for i := range code.Bits {
			classes = append(classes, strconv.Itoa(i))
		}
	}
	problems := make([]string, len(code.Bits[0]))
	for j := range problems {
		problems[j] = strconv.Itoa(j + 1)
	}
	return chart.Heatmap(z).Scheme("blues").YNames(classes...).XNames(problems...).NoLegend().
		Title("Output code: rows differ in at least "+count(code.RowDistance(), "bit")).
		X("two-class problem").Y("class").Size(float64(min(900, 160+44*len(problems))), float64(min(600, 110+38*len(classes))))
}
