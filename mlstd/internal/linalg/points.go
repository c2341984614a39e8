package linalg

import (
	"math"
	"sync"
	"sync/atomic"

	"gonum.org/v1/gonum/floats"

	"github.com/gokernel/gokernel/mlstd/internal/par"
)

// Points holds rows, packed for repeated searches for the nearest of a few centers. Each panel has
// 8 rows, with the 8 values of a column side by side.
type Points struct {
	rows, cols int
	data       []float64
	shift      []float64
}

// PackPoints packs the rows of x after subtracting shift from each row. Shifting by the mean of the
// rows reduces rounding errors of differences.
func PackPoints(x []float64, rows, cols int, shift []float64) *Points {
	panels := (rows + width - 1) / width
	p := &Points{rows, cols, make([]float64, panels*width*cols), shift}
	const grain = 64 // panels
	par.Range(panels, grain, func(lo, hi int) {
		for r := lo * width; r < min(hi*width, rows); r++ {
			panel := p.data[r/width*width*cols:]
			at := r % width
			for c, v := range x[r*cols : (r+1)*cols] {
				panel[c*width+at] = v - shift[c]
			}
		}
	})
	return p
}

// bandValues is the number of packed values that are compared with all centers at a time; they stay
// in the first-level cache.
const bandValues = 1 << 11

// pointBand is the working memory of one goroutine: the lowest value so far of each row of a band,
// and the index of its center.
type pointBand struct{ best, at []float64 }

var pointBands = sync.Pool{New: func() any { return new(pointBand) }}

// Nearest writes the index of each row's nearest center into labels; among equally near centers,
// the first wins. The k centers have the same columns as the rows, and are not shifted. It returns
// the number of labels that it changed, and the sum of the squared distances without the term ‖x‖²:
// ‖μ‖² − 2 x·μ for shifted x and μ.
func (p *Points) Nearest(labels []int32, centers []float64, k int) (changed int, sum float64) {
	left, own := p.packCenters(centers, k)
	panels := (p.rows + width - 1) / width
	grain := max(1, bandValues/max(1, width*p.cols))
	var total atomic.Int64
	sums := make([]float64, (panels+grain-1)/grain)
	par.Range(panels, grain, func(lo, hi int) {
		band := pointBands.Get().(*pointBand)
		defer pointBands.Put(band)
		size := (hi - lo) * width
		if cap(band.best) < size {
			band.best, band.at = make([]float64, size), make([]float64, size)
		}
		best, at := band.best[:size], band.at[:size]
		for i := range best {
			best[i], at[i] = math.Inf(1), 0
		}
		data := p.data[lo*width*p.cols : hi*width*p.cols]
		for c, block := 0, 0; c < k; c += block {
			block = blockOf(k - c)
			lowest(p.cols, left[c*p.cols:(c+block)*p.cols], data, own[c:c+block], float64(c), best, at)
		}
		different, own := 0, labels[lo*width:min(hi*width, p.rows)]
		for i, a := range at[:len(own)] {
			if l := int32(a); own[i] != l {
				own[i] = l
				different++
			}
		}
		sums[lo/grain] = floats.Sum(best[:len(own)])
		if different > 0 {
			total.Add(int64(different))
		}
	})
	return int(total.Load()), floats.Sum(sums)
}

// small is the number of centers in the smaller of the two kinds of blocks.
const small = 4

// blockOf returns the number of centers in the next block if left centers remain: 6, or 4 if that
// leaves fewer slots empty.
func blockOf(left int) int {
	switch left {
	case 1, 2, 3, 4, 7, 8:
		return small
	}
	return tall
}

// packCenters returns −2 times the shifted centers in blocks, with the values of a column side by
// side, and their squared lengths. Empty slots have an infinite squared length.
func (p *Points) packCenters(centers []float64, k int) (left, own []float64) {
	size := 0
	for size < k {
		size += blockOf(k - size)
	}
	left, own = make([]float64, size*p.cols), make([]float64, size)
	for c := k; c < len(own); c++ {
		own[c] = math.Inf(1)
	}
	for first, block := 0, 0; first < k; first += block {
		block = blockOf(k - first)
		for c := first; c < min(first+block, k); c++ {
			to := left[first*p.cols+c-first:]
			for j, v := range centers[c*p.cols : (c+1)*p.cols] {
				v -= p.shift[j]
				to[j*block] = -2 * v
				own[c] += v * v
			}
		}
	}
	return left, own
}

// lowestGo is lowest without assembly.
func lowestGo(cols int, left, data, own []float64, first float64, best, at []float64) {
	for len(best) > 0 {
		for i, v := range own {
			var sums [width]float64
			for j := range sums {
				sums[j] = v
			}
			for t := range cols {
				x := left[t*len(own)+i]
				for j, y := range data[t*width : t*width+width] {
					sums[j] += x * y
				}
			}
			for j, v := range sums {
				if v < best[j] {
					best[j], at[j] = v, first+float64(i)
				}
			}
		}
		data, best, at = data[width*cols:], best[width:], at[width:]
	}
}

// Candidates is the number of points that Closer compares the rows with.
const Candidates = small

// Size returns the number of rows, including the padding of the last panel.
func (p *Points) Size() int { return (p.rows + width - 1) / width * width }

// Closer writes, for each row and each of four points with the same columns, the squared distance
// or the value in squares, whichever is less. It returns, for each point, the sum over the rows of
// the values it has written. The slices have Size entries; squares must be 0 beyond the rows. The
// distances are computed from differences, so the distance of equal rows is exactly 0.
func (p *Points) Closer(dst *[Candidates][]float64, squares []float64, points *[Candidates][]float64) (sums [Candidates]float64) {
	left := make([]float64, Candidates*p.cols)
	for c, row := range points {
		for j, v := range row[:p.cols] {
			left[j*Candidates+c] = v - p.shift[j]
		}
	}
	const grain = 256 // panels
	panels := p.Size() / width
	parts := make([][small * small]float64, (panels+grain-1)/grain)
	par.Range(panels, grain, func(lo, hi int) {
		var to [Candidates][]float64
		for c, d := range dst {
			to[c] = d[lo*width : hi*width]
		}
		closer(p.cols, left, p.data[lo*width*p.cols:hi*width*p.cols], squares[lo*width:hi*width], &to, &parts[lo/grain])
	})
	for i := range parts {
		for j, v := range parts[i] {
			sums[j/small] += v
		}
	}
	return sums
}

// closerGo is closer without assembly.
func closerGo(cols int, left, data, squares []float64, dst *[small][]float64, sums *[small * small]float64) {
	for at := 0; at < len(squares); at += width {
		panel := data[at*cols : (at+width)*cols]
		for c := range small {
			var s [width]float64
			for t := range cols {
				x := left[t*small+c]
				for j, y := range panel[t*width : t*width+width] {
					s[j] += (y - x) * (y - x)
				}
			}
			for j, v := range s {
				v = min(v, squares[at+j])
				dst[c][at+j] = v
				sums[c*small+j%small] += v
			}
		}
	}
}
