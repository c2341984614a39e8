package ensemble

import "github.com/gokernel/gokernel/mlstd/internal/par"

// histBin sums the derivatives of the examples in a bin.
type histBin struct {
	g, h float64
	n    int64
}

// histogram has the bins of each column; the last bin of a column is for missing values.
type histogram [][256]histBin

// gather copies the derivatives of the examples of n into contiguous memory.
func (w *histGrower) gather(n *growing) {
	if n.hi-n.lo == len(w.g) {
		return // they already are
	}
	rows := w.rows[n.lo:n.hi]
	par.Range(len(rows), histGrain, func(lo, hi int) {
		part := w.partG[lo:hi]
		for k, i := range rows[lo:hi] {
			part[k] = w.g[i]
		}
		if w.h == nil {
			return
		}
		part = w.partH[lo:hi]
		for k, i := range rows[lo:hi] {
			part[k] = w.h[i]
		}
	})
}

// count fills the histogram of column j of n, whose derivatives have been gathered.
func (w *histGrower) count(n *growing, j int) {
	bins := &(*n.hist)[j]
	clear(bins[:w.bins[j]])
	bins[missingBin] = histBin{}
	column, rows := w.columns[j], w.rows[n.lo:n.hi]
	all := len(rows) == len(w.g)
	switch {
	case all && w.h == nil:
		countAll(bins, column, w.g)
	case all:
		countAllCurved(bins, column, w.g, w.h)
	case w.h == nil:
		countPart(bins, column, rows, w.partG[:len(rows)])
	default:
		countPartCurved(bins, column, rows, w.partG[:len(rows)], w.partH[:len(rows)])
	}
}

func countAll(bins *[256]histBin, column []uint8, g []float32) {
	column = column[:len(g)]
	for i, v := range g {
		b := &bins[column[i]]
		b.g += float64(v)
		b.n++
	}
}

func countAllCurved(bins *[256]histBin, column []uint8, g, h []float32) {
	column, h = column[:len(g)], h[:len(g)]
	for i, v := range g {
		b := &bins[column[i]]
		b.g += float64(v)
		b.h += float64(h[i])
		b.n++
	}
}

func countPart(bins *[256]histBin, column []uint8, rows []int32, g []float32) {
	g = g[:len(rows)]
	for k, i := range rows {
		b := &bins[column[i]]
		b.g += float64(g[k])
		b.n++
	}
}

func countPartCurved(bins *[256]histBin, column []uint8, rows []int32, g, h []float32) {
	g, h = g[:len(rows)], h[:len(rows)]
	for k, i := range rows {
		b := &bins[column[i]]
		b.g += float64(g[k])
		b.h += float64(h[k])
		b.n++
	}
}

// takeFrom subtracts part from all in column j.
func (part *histogram) takeFrom(all *histogram, j, bins int) {
	a, p := &(*all)[j], &(*part)[j]
	for b := range bins {
		a[b].g -= p[b].g
		a[b].h -= p[b].h
		a[b].n -= p[b].n
	}
	a[missingBin].g -= p[missingBin].g
	a[missingBin].h -= p[missingBin].h
	a[missingBin].n -= p[missingBin].n
}
