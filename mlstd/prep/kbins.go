package prep

import (
	"math"
	"slices"
	"sort"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/quantile"
	"github.com/gokernel/gokernel/mlstd/model"
)

// Binning determines where [KBins] puts the bin edges.
type Binning int

const (
	BinsOfEqualSize  Binning = iota // quantiles: about as many values in each bin
	BinsOfEqualWidth                // equal distances
	BinsByMeans                     // the middles between the centers of K-means in the column
)

// KBins cuts the range of each column into bins and replaces each value with the number of its bin,
// counted from 0.
//
//	zⱼ = b   for   e_b ≤ xⱼ < e_{b+1}
//
// Values beyond the training range fall into the first or last bin. Edges that coincide are merged,
// so a column may get fewer bins; a constant column gets one bin. With OneHot, each bin becomes a
// column of zeros and ones; a linear model of these columns is a step function of x.
//
// Cost: O(d·n log n).
//
// References: [DoughertyKohaviSahami1995].
// Course: CORE-17, CORE-18.
type KBins struct {
	// K is the maximum number of bins of a column; 0 means 5. More bins keep more
	// detail.
	K int
	// Binning determines the bin edges; the default is BinsOfEqualSize.
	Binning Binning
	OneHot  bool // a column for each bin

	// Edges holds the bin edges of each column in ascending order, from the smallest training value
	// to the largest. Set by Fit.
	Edges [][]float64
	// Columns are the columns of the result. Set by Fit.
	Columns []model.Column

	model.Fitted // set by Fit: the columns that it was given
}

// Fit learns the bin edges.
func (b *KBins) Fit(x mat.Matrix) error {
	const op = "KBins.Fit"
	model.NoteX(&b.Fitted, x)
	b.Edges, b.Columns = nil, nil
	k := b.K
	if k == 0 {
		k = 5
	}
	if k < 2 {
		return model.Errorf(op, "K must be at least 2 (0 means 5), got %d", b.K)
	}
	if b.Binning < BinsOfEqualSize || b.Binning > BinsByMeans {
		return model.Errorf(op, "Binning must be one of the constants of ml.Binning, got %d", b.Binning)
	}
	d, err := model.CheckX(op, x)
	if err != nil {
		return err
	}
	var edges [][]float64
	var columns []model.Column
	for j, c := range model.ColumnsOf(x) {
		e := b.cuts(sortedColumn(d, j), k)
		edges = append(edges, e)
		var names []string
		for l := range max(1, len(e)-1) {
			names = append(names, binName(e, l))
		}
		if !b.OneHot {
			columns = append(columns, model.Column{Name: c.Name, Kind: model.Ordinal, Levels: names})
			continue
		}
		for _, name := range names {
			columns = append(columns, model.Column{Name: c.Name + " " + name})
		}
	}
	b.Edges, b.Columns = edges, columns
	return nil
}

// binName returns the name of bin l of a column: an interval, open-ended for the first and last
// bin.
func binName(edges []float64, l int) string {
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', 4, 64) }
	switch last := len(edges) - 2; {
	case last <= 0:
		return "all"
	case l == 0:
		return "< " + number(edges[1])
	case l == last:
		return "≥ " + number(edges[l])
	default:
		return "[" + number(edges[l]) + ", " + number(edges[l+1]) + ")"
	}
}

// cuts returns the bin edges of sorted values.
func (b *KBins) cuts(sorted []float64, k int) []float64 {
	low, high := sorted[0], sorted[len(sorted)-1]
	if low == high {
		return []float64{low, high}
	}
	even := make([]float64, k+1)
	for i := range even {
		share := float64(i) / float64(k)
		even[i] = low*(1-share) + high*share
	}
	even[0], even[k] = low, high
	switch b.Binning {
	case BinsOfEqualWidth:
		return even
	case BinsByMeans:
		return meansCuts(sorted, even)
	}
	for i := 1; i < k; i++ {
		even[i] = quantile.Of(sorted, float64(i)/float64(k))
	}
	least := 1e-12 * (high - low)
	kept := even[:1]
	for _, e := range even[1:] {
		if e-kept[len(kept)-1] > least {
			kept = append(kept, e)
		}
	}
	return kept
}

// meansCuts runs K-means in one dimension, starting from the midpoints of bins of equal width, and
// returns the midpoints between the centers. A cluster that becomes empty restarts at the value
// that is farthest from its center.
func meansCuts(sorted, even []float64) []float64 {
	k := len(even) - 1
	centers := make([]float64, k)
	for c := range centers {
		centers[c] = even[c]/2 + even[c+1]/2
	}
	for range 300 {
		next := meansOf(sorted, centers)
		if slices.Equal(next, centers) {
			break
		}
		centers = next
	}
	edges := []float64{even[0]}
	for c := range len(centers) - 1 {
		if e := centers[c]/2 + centers[c+1]/2; e > edges[len(edges)-1] && e < even[k] {
			edges = append(edges, e)
		}
	}
	return append(edges, even[k])
}

// meansOf returns the mean of the values nearest to each of the ascending centers, in ascending
// order. It returns fewer means if there are fewer distinct values.
func meansOf(sorted, centers []float64) []float64 {
	sums, counts, label := make([]float64, len(centers)), make([]float64, len(centers)), make([]int, len(sorted))
	c := 0
	for i, v := range sorted {
		for c+1 < len(centers) && v > centers[c]/2+centers[c+1]/2 {
			c++
		}
		label[i] = c
		sums[c] += v
		counts[c]++
	}
	var next []float64
	taken := make([]bool, len(sorted))
	for range slices.DeleteFunc(slices.Clone(counts), func(n float64) bool { return n > 0 }) {
		far, distance := -1, 0.0
		for i, v := range sorted {
			if d := math.Abs(v - centers[label[i]]); d > distance && !taken[i] && counts[label[i]] > 1 {
				far, distance = i, d
			}
		}
		if far < 0 {
			break
		}
		taken[far] = true
		next = append(next, sorted[far])
		sums[label[far]] -= sorted[far]
		counts[label[far]]--
	}
	for c, n := range counts {
		if n > 0 {
			next = append(next, sums[c]/n)
		}
	}
	slices.Sort(next)
	return next
}

// bin returns the number of the bin of v.
func bin(edges []float64, v float64) int {
	inner := edges[1 : len(edges)-1]
	return sort.Search(len(inner), func(i int) bool { return inner[i] > v })
}

// Transform returns the bin numbers or, with OneHot, the indicator columns of the bins.
func (b *KBins) Transform(x mat.Matrix) *model.Table {
	const op = "KBins.Transform"
	x = model.MustRead(op, &b.Fitted, x)
	if b.Edges == nil {
		panic(model.NotFitted(op))
	}
	d := eachRow(model.MustRows(op, x, len(b.Edges)), len(b.Columns), func(in, out []float64) {
		for j, v := range in {
			k := bin(b.Edges[j], v)
			if !b.OneHot {
				out[j] = float64(k)
				continue
			}
			out[k] = 1
			out = out[max(1, len(b.Edges[j])-1):]
		}
	})
	return model.Named(x, d, b.Columns)
}

// QuantileTransformer maps each column so that its values have a uniform distribution from 0 to 1
// or, with Normal, a standard normal distribution.
//
//	zⱼ = F̂ⱼ(xⱼ),   with Normal   zⱼ = Φ⁻¹(F̂ⱼ(xⱼ))
//
// F̂ is the distribution function of the training values, interpolated linearly between Size
// quantiles. The result depends only on the order of the values: outliers lose their influence, and
// distances lose their meaning. Values beyond the training range become 0 or 1; with Normal, they
// become ±5.2.
//
// Cost: O(d·n log n).
//
// References: [Hastie2009].
// Course: CORE-15, CORE-19.
type QuantileTransformer struct {
	Size   int  // the number of quantiles, at most the number of rows; 0 means 1000
	Normal bool // normal scores instead of fractions

	// Quantiles holds the evenly spaced quantiles of each column, from the smallest value to the
	// largest. Set by Fit.
	Quantiles [][]float64

	model.Fitted // set by Fit: the columns that it was given
}

// Fit learns the quantiles of the columns of x.
func (q *QuantileTransformer) Fit(x mat.Matrix) error {
	const op = "QuantileTransformer.Fit"
	model.NoteX(&q.Fitted, x)
	q.Quantiles = nil
	size := q.Size
	if size == 0 {
		size = 1000
	}
	if size < 2 {
		return model.Errorf(op, "Size must be at least 2 (0 means 1000), got %d", q.Size)
	}
	d, err := model.CheckX(op, x)
	if err != nil {
		return err
	}
	n, cols := d.Dims()
	size = max(1, min(size, n))
	for j := range cols {
		column, quantiles := sortedColumn(d, j), make([]float64, size)
		for k := range quantiles {
			quantiles[k] = column[0]
			if size > 1 {
				quantiles[k] = quantile.Of(column, float64(k)/float64(size-1))
			}
			if k > 0 { // correct rounding errors
				quantiles[k] = max(quantiles[k], quantiles[k-1])
			}
		}
		q.Quantiles = append(q.Quantiles, quantiles)
	}
	return nil
}

// share returns the value of the distribution function at v. If v equals several quantiles, it is
// the mean of the values at the first and the last.
func share(quantiles []float64, v float64) float64 {
	last := len(quantiles) - 1
	switch {
	case v <= quantiles[0] && (last == 0 || v < quantiles[0] || quantiles[last] > quantiles[0]):
		return 0
	case v >= quantiles[last]:
		if quantiles[0] == quantiles[last] && v == quantiles[0] {
			return 0
		}
		return 1
	}
	from := sort.SearchFloat64s(quantiles, v) // the first quantile that is at least v
	to := sort.Search(len(quantiles), func(k int) bool { return quantiles[k] > v })
	if from < to {
		return (float64(from) + float64(to-1)) / 2 / float64(last)
	}
	low, high := quantiles[from-1], quantiles[from]
	return (float64(from-1) + (v-low)/(high-low)) / float64(last)
}

// Transform returns values between 0 and 1 or, with Normal, the normal scores.
func (q *QuantileTransformer) Transform(x mat.Matrix) *model.Table {
	const op = "QuantileTransformer.Transform"
	x = model.MustRead(op, &q.Fitted, x)
	if q.Quantiles == nil {
		panic(model.NotFitted(op))
	}
	const edge = 1e-7 - 0x1p-52
	return model.LikeNumbers(x, eachRow(model.MustRows(op, x, len(q.Quantiles)), len(q.Quantiles), func(in, out []float64) {
		for j, v := range in {
			if out[j] = share(q.Quantiles[j], v); q.Normal {
				out[j] = math.Sqrt2 * math.Erfinv(2*min(max(out[j], edge), 1-edge)-1)
			}
		}
	}))
}
