package cellrt

import "gonum.org/v1/gonum/floats"

// The functions whose names end in In overwrite their first vector and return it. Cells call them
// if there is no other reference to that vector.

// AddVVIn sets a to a + b.
func AddVVIn(site int, a, b []float64) []float64 {
	lengths(site, "+", a, b)
	floats.Add(a, b)
	return a
}

// SubVVIn sets a to a - b.
func SubVVIn(site int, a, b []float64) []float64 {
	lengths(site, "-", a, b)
	floats.Sub(a, b)
	return a
}

// AddScaledIn sets a to a + s·x.
func AddScaledIn(site int, a []float64, s float64, x []float64) []float64 {
	lengths(site, "+", a, x)
	floats.AddScaled(a, s, x)
	return a
}

// SubScaledIn sets a to a - s·x.
func SubScaledIn(site int, a []float64, s float64, x []float64) []float64 {
	lengths(site, "-", a, x)
	floats.AddScaled(a, -s, x)
	return a
}

// MulVSIn sets v to v·s.
func MulVSIn(_ int, v []float64, s float64) []float64 {
	floats.Scale(s, v)
	return v
}

// DivVSIn sets v to v/s.
func DivVSIn(_ int, v []float64, s float64) []float64 {
	for i := range v {
		v[i] /= s
	}
	return v
}

// AddVSIn adds s to every element of v.
func AddVSIn(_ int, v []float64, s float64) []float64 {
	floats.AddConst(s, v)
	return v
}

// SubVSIn subtracts s from every element of v.
func SubVSIn(_ int, v []float64, s float64) []float64 {
	floats.AddConst(-s, v)
	return v
}
