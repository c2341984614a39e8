package cellrt

// Floats returns the numbers of v as float64.
func Floats(v []int) []float64 {
	out := make([]float64, len(v))
	for i, x := range v {
		out[i] = float64(x)
	}
	return out
}

// AddII returns a + b.
func AddII(site int, a, b []int) []int {
	sameLength(site, "+", len(a), len(b))
	out := make([]int, len(a))
	for i, x := range a {
		out[i] = x + b[i]
	}
	return out
}

// SubII returns a - b.
func SubII(site int, a, b []int) []int {
	sameLength(site, "-", len(a), len(b))
	out := make([]int, len(a))
	for i, x := range a {
		out[i] = x - b[i]
	}
	return out
}

// AddIN returns v+n, with n added to every element.
func AddIN(_ int, v []int, n int) []int {
	out := make([]int, len(v))
	for i, x := range v {
		out[i] = x + n
	}
	return out
}

// AddNI returns n+v, with n added to every element.
func AddNI(site, n int, v []int) []int { return AddIN(site, v, n) }

// SubIN returns v-n, with n subtracted from every element.
func SubIN(site int, v []int, n int) []int { return AddIN(site, v, -n) }

// SubNI returns n-v, with every element subtracted from n.
func SubNI(_, n int, v []int) []int {
	out := make([]int, len(v))
	for i, x := range v {
		out[i] = n - x
	}
	return out
}

// MulIN returns v·n.
func MulIN(_ int, v []int, n int) []int {
	out := make([]int, len(v))
	for i, x := range v {
		out[i] = x * n
	}
	return out
}

// MulNI returns n·v.
func MulNI(site, n int, v []int) []int { return MulIN(site, v, n) }

// RemIN returns the remainders of the division of v by n, with Go's signs.
func RemIN(_ int, v []int, n int) []int {
	out := make([]int, len(v))
	for i, x := range v {
		out[i] = x % n
	}
	return out
}

// NegI returns -v.
func NegI(v []int) []int { return MulIN(0, v, -1) }
