package linalg

import (
	"math"

	"golang.org/x/sys/cpu"
)

// simd reports whether the processor has the instructions that simd_amd64.s uses. It is a variable
// so that tests can compare both implementations.
var simd = cpu.X86.HasAVX2 && cpu.X86.HasFMA

// simd512 reports whether the processor has 64-byte registers (AVX-512).
var simd512 = simd && cpu.X86.HasAVX512F

//go:noescape
func single6x32(k int, a, b *float32, c *float64, stride int)

//go:noescape
func single6x16(k int, a, b *float32, c *float64, stride int)

// single adds the product of a packed block of 6 rows and a panel, in single precision, to c, whose
// rows have the given stride.
func single(c []float64, stride int, a, b []float32, k int) {
	if !simd || k == 0 {
		singleGo(c, stride, a, b, k)
		return
	}
	_, _, _ = a[tall*k-1], b[singleWidth*k-1], c[(tall-1)*stride+singleWidth-1]
	if simd512 {
		single6x32(k, &a[0], &b[0], &c[0], 8*stride)
		return
	}
	single6x16(k, &a[0], &b[0], &c[0], 8*stride)
	single6x16(k, &a[0], &b[singleWidth/2], &c[singleWidth/2], 8*stride)
}

//go:noescape
func adam4(n int, w, grad, m, v *float64, p *[8]float64)

// adam applies the step to as many weights as it can, and returns their number.
func adam(w, g, m, v []float64, p *[8]float64) int {
	n := len(w) &^ 3
	if !simd || n == 0 {
		return 0
	}
	_, _, _ = g[n-1], m[n-1], v[n-1]
	adam4(n, &w[0], &g[0], &m[0], &v[0], p)
	return n
}

//go:noescape
func dots8(k int, v, panel, dst *float64)

//go:noescape
func dots32(k int, v, panel *float64, stride int, dst *float64)

//go:noescape
func product6x8(k int, a, b, c *float64, stride int)

//go:noescape
func sweep4(n int, a *float64, stride int, x, y, v, dots *float64)

//go:noescape
func exp4(n int, v *float64, table *[19]float64)

//go:noescape
func below6x16(k, panels int, left, data, own, limits *float32, hits *uint32) int

// below implements Singles.Below, starting at the first panel.
func below(k int, left, panels, own []float32, limits *[Together]float32, hits *[Together]uint32) int {
	if !simd || k == 0 {
		return belowGo(k, left, panels, own, limits, hits)
	}
	n := len(own) / singleRows
	_, _ = left[Together*k-1], panels[n*singleRows*k-1]
	return below6x16(k, n, &left[0], &panels[0], &own[0], &limits[0], &hits[0])
}

//go:noescape
func lowest6x8(cols, panels int, left, data, own *float64, first float64, best, at *float64)

//go:noescape
func lowest4x8(cols, panels int, left, data, own *float64, first float64, best, at *float64)

// lowest compares panels of rows with a block of centers, 6 or 4: it stores lower values in best,
// and the index of the center, counted from first, in at.
func lowest(cols int, left, data, own []float64, first float64, best, at []float64) {
	if !simd || len(best) == 0 {
		lowestGo(cols, left, data, own, first, best, at)
		return
	}
	_, _, _ = left[len(own)*cols-1], data[len(best)*cols-1], at[len(best)-1]
	if len(own) == tall {
		lowest6x8(cols, len(best)/width, &left[0], &data[0], &own[0], first, &best[0], &at[0])
		return
	}
	_ = own[small-1]
	lowest4x8(cols, len(best)/width, &left[0], &data[0], &own[0], first, &best[0], &at[0])
}

//go:noescape
func closer4x8(cols, panels int, left, data, squares, d0, d1, d2, d3, sums *float64)

// closer writes the squared distance of the rows of panels to each of 4 points into dst, or the
// value in squares if it is less. It adds the values of each point to 4 sums.
func closer(cols int, left, data, squares []float64, dst *[small][]float64, sums *[small * small]float64) {
	n := len(squares)
	if !simd || n == 0 {
		closerGo(cols, left, data, squares, dst, sums)
		return
	}
	_, _, _, _, _, _ = left[small*cols-1], data[n*cols-1], dst[0][n-1], dst[1][n-1], dst[2][n-1], dst[3][n-1]
	closer4x8(cols, n/width, &left[0], &data[0], &squares[0], &dst[0][0], &dst[1][0], &dst[2][0], &dst[3][0], &sums[0])
}

//go:noescape
func prefetch(p *float64, bytes int)

// Prefetch tells the processor that v will be read soon. A loop that visits rows in random order
// prefetches them a few steps ahead, so that it does not wait for memory.
func Prefetch(v []float64) {
	if len(v) > 0 {
		prefetch(&v[0], 8*len(v))
	}
}

// expTable holds the constants of exp4: 1/ln 2, ln 2 in two parts, the number that turns an integer
// into an exponent, 1/13! down to 1/0!, and the smallest argument.
var expTable = [19]float64{
	math.Log2E, 6.93147180369123816490e-01, 1.90821492927058770002e-10, 0x1.8p52 + 1023,
	1.0 / 6227020800, 1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040,
	1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 1.0 / 2, 1, 1, -708,
}

// dots adds v·row to dst for the 8 rows of each panel; the panels have the given stride.
func dots(dst, v, panels []float64, stride int) {
	if !simd || len(v) == 0 {
		dotsGo(dst, v, panels, stride)
		return
	}
	at := 0
	for ; at+4*width <= len(dst); at += 4 * width {
		p := panels[at/width*stride:]
		_ = p[3*stride+len(v)*width-1]
		dots32(len(v), &v[0], &p[0], 8*stride, &dst[at])
	}
	for ; at < len(dst); at += width {
		p := panels[at/width*stride:]
		_ = p[len(v)*width-1]
		dots8(len(v), &v[0], &p[0], &dst[at])
	}
}

// product adds the product of a packed block of 6 rows and a panel to c, whose rows have the given
// stride.
func product(c []float64, stride int, a, b []float64, k int) {
	if !simd || k == 0 {
		productGo(c, stride, a, b, k)
		return
	}
	_, _, _ = a[tall*k-1], b[width*k-1], c[(tall-1)*stride+width-1]
	product6x8(k, &a[0], &b[0], &c[0], 8*stride)
}

// sweep adds v·a to y and a·x to dots, for four rows of a that have the given stride.
func sweep(a []float64, stride int, x, y []float64, v, dots *[4]float64) {
	n := len(x) &^ 3
	if !simd || n == 0 {
		sweepGo(a, stride, x, y, v, dots)
		return
	}
	_, _ = a[3*stride+n-1], y[n-1]
	sweep4(n, &a[0], 8*stride, &x[0], &y[0], &v[0], &dots[0])
	if n < len(x) {
		sweepGo(a[n:], stride, x[n:], y[n:], v, dots)
	}
}

// Exp replaces each v with e^v. No v may be above 709; below −708 the result is 0 or a similarly
// small number.
func Exp(v []float64) {
	if !simd {
		expGo(v)
		return
	}
	whole := len(v) &^ 3
	if whole > 0 {
		exp4(whole, &v[0], &expTable)
	}
	if whole < len(v) {
		var edge [4]float64
		copy(edge[:], v[whole:])
		exp4(4, &edge[0], &expTable)
		copy(v[whole:], edge[:])
	}
}
