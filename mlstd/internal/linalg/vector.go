package linalg

// Dot gives a·b, summed in the order of the columns as the products do it: the
// same bits as Dots gives for the same two vectors.
func Dot(a, b []float64) float64 {
	s := 0.0
	for c0 := 0; c0 < len(a); c0 += deep {
		part := 0.0
		x, y := a[c0:min(c0+deep, len(a))], b[c0:min(c0+deep, len(a))]
		for j, v := range x {
			part += v * y[j]
		}
		s += part
	}
	return s
}
