package linalg

import "math"

// dotsGo is dots without assembly.
func dotsGo(dst, v, panels []float64, stride int) {
	for at := 0; at < len(dst); at += width {
		panel := panels[at/width*stride:]
		var s [width]float64
		for c, x := range v {
			b := panel[c*width : c*width+width]
			s[0] += x * b[0]
			s[1] += x * b[1]
			s[2] += x * b[2]
			s[3] += x * b[3]
			s[4] += x * b[4]
			s[5] += x * b[5]
			s[6] += x * b[6]
			s[7] += x * b[7]
		}
		for i, v := range s {
			dst[at+i] += v
		}
	}
}

// productGo is product without assembly.
func productGo(c []float64, stride int, a, b []float64, k int) {
	var s [tall * width]float64
	for t := range k {
		col, row := a[t*tall:t*tall+tall], b[t*width:t*width+width]
		for i, x := range col {
			out := s[i*width : i*width+width]
			for j, y := range row {
				out[j] += x * y
			}
		}
	}
	for i := range tall {
		for j := range width {
			c[i*stride+j] += s[i*width+j]
		}
	}
}

// sweepGo is sweep without assembly.
func sweepGo(a []float64, stride int, x, y []float64, v, dots *[4]float64) {
	y = y[:len(x)]
	for r := range v {
		row, s := a[r*stride:r*stride+len(x)], 0.0
		for j, u := range row {
			y[j] += v[r] * u
			s += u * x[j]
		}
		dots[r] += s
	}
}

// expGo is Exp without assembly.
func expGo(v []float64) {
	for i, x := range v {
		v[i] = math.Exp(x)
	}
}

// Dot returns a·b, bit-identical to the result of Dots for the same two vectors.
func Dot(a, b []float64) float64 {
	s := 0.0
	for c0 := 0; c0 < len(a); c0 += deep {
		end := min(c0+deep, len(a))
		part := 0.0
		x, y := a[c0:end], b[c0:end]
		if simd {
			for j, v := range x {
				part = math.FMA(v, y[j], part)
			}
		} else {
			for j, v := range x {
				part += v * y[j]
			}
		}
		s += part
	}
	return s
}
