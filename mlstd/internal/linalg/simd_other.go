//go:build !amd64

package linalg

func dots(dst, v, panels []float64, stride int) { dotsGo(dst, v, panels, stride) }

func product(c []float64, stride int, a, b []float64, k int) { productGo(c, stride, a, b, k) }

func single(c []float64, stride int, a, b []float32, k int) { singleGo(c, stride, a, b, k) }

func adam(w, g, m, v []float64, p *[8]float64) int { return 0 }

func sweep(a []float64, stride int, x, y []float64, v, dots *[4]float64) {
	sweepGo(a, stride, x, y, v, dots)
}

// Exp replaces each v with e^v. No v may be above 709; below −708 the result is 0 or a similarly
// small number.
func Exp(v []float64) { expGo(v) }

func below(k int, left, panels, own []float32, limits *[Together]float32, hits *[Together]uint32) int {
	return belowGo(k, left, panels, own, limits, hits)
}

func lowest(cols int, left, data, own []float64, first float64, best, at []float64) {
	lowestGo(cols, left, data, own, first, best, at)
}

func closer(cols int, left, data, squares []float64, dst *[small][]float64, sums *[small * small]float64) {
	closerGo(cols, left, data, squares, dst, sums)
}

// Prefetch does nothing on this processor.
func Prefetch([]float64) {}

const simd = false
