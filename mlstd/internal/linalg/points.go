package linalg

import (
	"math"
	"sync"
	"sync/atomic"

	"github.com/gokernel/gokernel/mlstd/internal/par"
)

// Points holds rows packed to find for each the nearest of a few centers, again and
// again: panels of 8 rows, in each the 8 values of a column side by side.
type Points struct {
	rows, cols int
	data       []float64
	shift      []float64
}

// PackPoints packs the rows of x, shift taken from each: a shift to the middle of
// the rows keeps the digits of their differences.
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

// bandValues is how many packed values are compared with all centers before the
// next: they stay in the second-level cache.
const bandValues = 1 << 13

// pointBand is what one goroutine works on: the lowest value so far of each row of a
// band, and which center has it.
type pointBand struct{ best, at []float64 }

var pointBands = sync.Pool{New: func() any { return new(pointBand) }}

// Nearest writes for each row the number of the nearest of the k centers, rows of
// the same columns that are not shifted, into labels, the first of equally near ones. It
// gives the number of labels that it changed, and the sum of the distances: squared ones,
// computed as ‖μ‖² − 2 x·μ, without the ‖x‖² that all have, x and μ shifted.
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
		for c := 0; c < k; c += tall {
			lowest(p.cols, left[c*p.cols:(c+tall)*p.cols], data, (*[tall]float64)(own[c:]), float64(c), best, at)
		}
		different, near := 0, 0.0
		for i := range min(hi*width, p.rows) - lo*width {
			near += best[i]
			if l := int32(at[i]); labels[lo*width+i] != l {
				labels[lo*width+i] = l
				different++
			}
		}
		sums[lo/grain] = near
		total.Add(int64(different))
	})
	for _, v := range sums {
		sum += v
	}
	return int(total.Load()), sum
}

// packCenters gives −2 times the shifted centers in blocks of 6, the 6 values of a
// column side by side, and their squared lengths; those of centers that are not there are
// infinite.
func (p *Points) packCenters(centers []float64, k int) (left, own []float64) {
	blocks := (k + tall - 1) / tall
	left, own = make([]float64, blocks*tall*p.cols), make([]float64, blocks*tall)
	for c := k; c < len(own); c++ {
		own[c] = math.Inf(1)
	}
	for c := range k {
		block := left[c/tall*tall*p.cols:]
		for j, v := range centers[c*p.cols : (c+1)*p.cols] {
			v -= p.shift[j]
			block[j*tall+c%tall] = -2 * v
			own[c] += v * v
		}
	}
	return left, own
}

// lowestGo is lowest without assembly.
func lowestGo(cols int, left, data []float64, own *[tall]float64, first float64, best, at []float64) {
	var block [tall * width]float64
	for len(best) > 0 {
		for i, v := range own {
			for j := range width {
				block[i*width+j] = v
			}
		}
		productGo(block[:], width, left, data[:width*cols], cols)
		for i := range tall {
			for j, v := range block[i*width : (i+1)*width] {
				if v < best[j] {
					best[j], at[j] = v, first+float64(i)
				}
			}
		}
		data, best, at = data[width*cols:], best[width:], at[width:]
	}
}
