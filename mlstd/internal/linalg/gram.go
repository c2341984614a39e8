package linalg

import "sync"

var gramPanels = sync.Pool{New: func() any { return new([]float64) }}

// AddGram adds XᵀX to the upper triangle of c, whose rows have the stride ldc,
//
//	c[i·ldc+j] += Σᵣ x[r·lda+i]·x[r·lda+j]  for i ≤ j
//
// for the rows of x, which have the stride lda. The values below the diagonal are undefined
// afterwards.
func AddGram(c []float64, ldc int, x []float64, rows, cols, lda int) {
	padded := (cols + width - 1) / width * width
	buf := gramPanels.Get().(*[]float64)
	defer gramPanels.Put(buf)
	if need := padded * min(deep, rows); cap(*buf) < need {
		*buf = make([]float64, need)
	}
	panels := (*buf)[:cap(*buf)]
	var block [tall * deep]float64
	for c0 := 0; c0 < rows; c0 += deep {
		k := min(deep, rows-c0)
		part := x[c0*lda:]
		for r0 := 0; r0 < cols; r0 += width {
			interleave(panels[r0*k:(r0+width)*k], width, part, k, lda, r0, min(width, cols-r0))
		}
		for i := 0; i < cols; i += tall {
			interleave(block[:tall*k], tall, part, k, lda, i, min(tall, cols-i))
			high := min(tall, cols-i)
			for r0 := i / width * width; r0 < cols; r0 += width {
				panel := panels[r0*k : (r0+width)*k]
				addBlock(c[i*ldc+r0:], ldc, block[:tall*k], panel, k, high, min(width, cols-r0))
			}
		}
	}
}

// interleave packs wide columns, starting at j0, side by side with size values per row. Missing
// columns are zero.
func interleave(dst []float64, size int, x []float64, rows, lda, j0, wide int) {
	switch {
	case wide == width && size == width:
		for r := range rows {
			out, in := (*[width]float64)(dst[r*width:]), (*[width]float64)(x[r*lda+j0:])
			out[0], out[1], out[2], out[3] = in[0], in[1], in[2], in[3]
			out[4], out[5], out[6], out[7] = in[4], in[5], in[6], in[7]
		}
	case wide == tall && size == tall:
		for r := range rows {
			out, in := (*[tall]float64)(dst[r*tall:]), (*[tall]float64)(x[r*lda+j0:])
			out[0], out[1], out[2], out[3], out[4], out[5] = in[0], in[1], in[2], in[3], in[4], in[5]
		}
	default:
		for r := range rows {
			out := dst[r*size : r*size+size]
			clear(out[copy(out, x[r*lda+j0:r*lda+j0+wide]):])
		}
	}
}

// addBlock adds a high×wide part of the product of a packed block and a panel to c.
func addBlock(c []float64, ldc int, block, panel []float64, k, high, wide int) {
	if high == tall && wide == width {
		product(c, ldc, block, panel, k)
		return
	}
	var edge [tall * width]float64
	product(edge[:], width, block, panel, k)
	for s := range high {
		out := c[s*ldc:]
		for j := range wide {
			out[j] += edge[s*width+j]
		}
	}
}
