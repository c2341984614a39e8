package course

import (
	"math"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/display/chart"
	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/reduce"
)

// ConfusionMatrix draws the counts of a confusion matrix as colored cells, with true classes as
// rows and predicted classes as columns.
func ConfusionMatrix(m *eval.ConfusionMatrix) *chart.Chart {
	if m == nil || len(m.Counts) == 0 || len(m.Names) != len(m.Counts) {
		return failed("ConfusionMatrix", "the matrix is empty: make one with ml.Confusion(y, predicted)")
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

// GramMatrix draws the similarities of examples as colored cells. With classes, rows and columns
// are sorted by class, and lines separate the classes. If the kernel suits the problem, the block
// of each class is bright.
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
		c.Scheme("bluered")
	}
	if len(cuts) > 0 {
		c.HRule(cuts).Color("black").VRule(cuts).Color("black")
	}
	return c
}

// Spectrum draws eigenvalues in descending order, their cumulative sums, and the fractions of the
// total. If some eigenvalues are negative, as for a similarity that is not a kernel, the
// fractions are omitted.
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
	c := chart.Bar(number, v)
	if last := v[len(v)-1]; last < -1e-10*math.Abs(v[0]) || sum <= 0 {
		return c.HRule(0).Title("Spectrum").X("number").Y("eigenvalue")
	}
	sums, at := make([]float64, len(v)), 0.0
	for i, x := range v {
		at += x
		sums[i] = at
	}
	c.Name("each").Line(number, sums).ClassColor(1).Name("together").Points(number, sums).ClassColor(1)
	told, shares := sharesTold(sums)
	places, heights := make([]float64, len(told)), make([]float64, len(told))
	for k, i := range told {
		places[k], heights[k] = number[i], sums[i]
	}
	return c.Label(places, heights, shares).Title("Spectrum").X("number").Y("eigenvalue").YRange(0, 1.12*sum)
}

// sharesTold returns the positions of the sums that are labeled, and their fractions of the total.
// If there are many sums, these are the first sums that reach 50, 90 and 99 percent.
func sharesTold(sums []float64) (told []int, shares []string) {
	const few = 8
	whole := sums[len(sums)-1]
	next := 0
	reach := []float64{0.5, 0.9, 0.99}
	for i, s := range sums {
		share := s / whole
		if len(sums) > few && (next == len(reach) || share < reach[next]) {
			continue
		}
		for next < len(reach) && share >= reach[next] {
			next++
		}
		told, shares = append(told, i), append(shares, strconv.FormatFloat(math.Floor(1000*share+1e-6)/10, 'f', -1, 64)+" %")
	}
	return told, shares
}

// CodeMatrix draws an error-correcting output code. It has a row per class and a column per
// two-class problem. A cell is dark if the class is on the positive side.
func CodeMatrix(code *reduce.Code, classes ...string) *chart.Chart {
	if code == nil || len(code.Bits) == 0 || len(code.Bits[0]) == 0 {
		return failed("CodeMatrix", "the code is empty: make one with ml.ExhaustiveCode(k) or ml.RandomCode(k, length, seed)")
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
