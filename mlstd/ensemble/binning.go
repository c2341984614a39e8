package ensemble

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/internal/radix"
	"github.com/gokernel/gokernel/mlstd/model"
)

const (
	maxBins    = 255     // of values that are not missing
	missingBin = 255     // the bin of NaN, and of names that no training example has
	edgeSample = 200_000 // the maximum number of rows from which edges are computed
)

// binned is a table whose values are replaced by the numbers of their bins.
type binned struct {
	columns [][]uint8   // one per column, one entry per row
	edges   [][]float64 // of a column of numbers: bin b has edges[b−1] < x ≤ edges[b]
	seen    []*levels   // of a nominal column: levels in the training examples; else nil
	bins    []int       // number of bins for values in each column
	missing []bool      // whether the column has missing values
}

// levels is a set of level indices below 256.
type levels [4]uint64

func (s *levels) add(l uint8)      { s[l>>6] |= 1 << (l & 63) }
func (s *levels) has(l uint8) bool { return s[l>>6]>>(l&63)&1 == 1 }

// newBinned computes at most limit bins for each column of d, and bins the values. The bins of a
// numeric column are quantiles, or its distinct values if there are few; the bins of a nominal
// column are its levels.
func newBinned(op string, about []model.Column, d *mat.Dense, weights []float64, limit int, seed uint64) (*binned, error) {
	n, cols := d.Dims()
	b := &binned{
		columns: make([][]uint8, cols), edges: make([][]float64, cols), seen: make([]*levels, cols),
		bins: make([]int, cols), missing: make([]bool, cols),
	}
	for j, c := range about {
		if c.Kind != model.Nominal {
			continue
		}
		b.seen[j] = new(levels)
		for i := range n {
			v := d.At(i, j)
			if math.IsNaN(v) {
				continue
			}
			if v < 0 || v >= maxBins || v != math.Trunc(v) {
				return nil, manyLevels(op, j, c, v)
			}
			b.seen[j].add(uint8(v))
			b.bins[j] = max(b.bins[j], int(v)+1)
		}
	}
	sample := sampleRows(n, weights, seed)
	all := make([]uint8, n*cols)
	par.Range(cols, 1, func(lo, hi int) {
		for j := lo; j < hi; j++ {
			column := all[j*n : (j+1)*n]
			b.columns[j] = column
			if b.seen[j] != nil {
				fillNames(column, d, j)
			} else {
				order, values := ascendingColumn(d, j, sample)
				b.edges[j] = binEdges(order, values, sample, weights, limit)
				b.bins[j] = len(b.edges[j]) + 1
				if sample == nil {
					fillOrdered(column, order, values, b.edges[j])
				} else {
					fillNumbers(column, d, j, b.edges[j])
				}
			}
			b.missing[j] = slices.Contains(column, missingBin)
		}
	})
	return b, nil
}

func manyLevels(op string, j int, c model.Column, v float64) error {
	return model.Errorf(op, "the nominal column %d, %q, must have the indices of at most %d levels, got %v", j, c.Name, maxBins, v).WithHint("encode the column with ml.TargetEncoder")
}

// sampleRows draws the rows from which the edges are computed, in proportion to their weights; nil
// means all rows.
func sampleRows(n int, weights []float64, seed uint64) []int {
	if n <= edgeSample {
		return nil
	}
	rng, d := model.Rand(seed, 1), newDrawer(n, weights)
	return d.draw(rng)[:edgeSample]
}

// ascendingColumn returns the values of column j in the rows of the sample, or in all rows, and
// their positions, in ascending order of the values.
func ascendingColumn(d *mat.Dense, j int, sample []int) (order []int32, values []float64) {
	n, _ := d.Dims()
	if sample != nil {
		n = len(sample)
	}
	values = make([]float64, n)
	raw := d.RawMatrix()
	for k := range values {
		i := k
		if sample != nil {
			i = sample[k]
		}
		values[k] = raw.Data[i*raw.Stride+j]
	}
	return radix.NewSorter(n).Order(values), values
}

// binEdges returns the edges between the bins of a column, ascending, one fewer than there are
// bins. They are the midpoints between the distinct values if there are at most limit values, and
// quantiles otherwise.
func binEdges(order []int32, values []float64, sample []int, weights []float64, limit int) []float64 {
	if sample != nil {
		weights = nil // they have been drawn by weight
	}
	// The distinct values, and the cumulative weight of each.
	var distinct, upTo []float64
	total := 0.0
	for _, i := range order {
		v := values[i]
		if math.IsNaN(v) {
			break
		}
		total += weightAt(weights, int(i))
		if k := len(distinct); k > 0 && distinct[k-1] == v {
			upTo[k-1] = total
			continue
		}
		distinct, upTo = append(distinct, v), append(upTo, total)
	}
	if len(distinct) < 2 {
		return nil
	}
	var edges []float64
	if len(distinct) <= limit {
		for k := range len(distinct) - 1 {
			edges = append(edges, distinct[k]/2+distinct[k+1]/2)
		}
		return edges
	}
	k := 0
	for q := 1; q < limit; q++ {
		// The smallest value with a cumulative weight of q/limit; the midpoint of two values if it
		// is exact.
		for k < len(distinct)-1 && upTo[k]*float64(limit) < total*float64(q) {
			k++
		}
		e := distinct[k]
		if upTo[k]*float64(limit) == total*float64(q) && k < len(distinct)-1 {
			e = e/2 + distinct[k+1]/2
		}
		if m := len(edges); m == 0 || e > edges[m-1] {
			edges = append(edges, e)
		}
	}
	return edges
}

// fillNames puts the positions of names into the bins of their number.
func fillNames(column []uint8, d *mat.Dense, j int) {
	for i := range column {
		if v := d.At(i, j); v != v {
			column[i] = missingBin
		} else {
			column[i] = uint8(v)
		}
	}
}

// fillOrdered puts values into the bins in their ascending order.
func fillOrdered(column []uint8, order []int32, values, edges []float64) {
	b := 0
	for _, i := range order {
		v := values[i]
		if v != v {
			column[i] = missingBin
			continue
		}
		for b < len(edges) && v > edges[b] {
			b++
		}
		column[i] = uint8(b)
	}
}

// fillNumbers finds the bin of each value.
func fillNumbers(column []uint8, d *mat.Dense, j int, edges []float64) {
	padded := newEdgeTable(edges)
	for i := range column {
		if v := d.At(i, j); v != v {
			column[i] = missingBin
		} else {
			column[i] = padded.bin(v)
		}
	}
}

// edgeTable has 255 edges, padded with +Inf, so that a search takes eight steps without a branch.
type edgeTable [256]float64

func newEdgeTable(edges []float64) *edgeTable {
	t := new(edgeTable)
	copy(t[:], edges)
	for k := len(edges); k < len(t); k++ {
		t[k] = math.Inf(1)
	}
	return t
}

// bin returns the number of edges below v.
func (t *edgeTable) bin(v float64) uint8 {
	at := 0
	for step := 128; step > 0; step >>= 1 {
		next := at + step
		if t[uint8(next-1)] < v {
			at = next
		}
	}
	return uint8(at)
}
