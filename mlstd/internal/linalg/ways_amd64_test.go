package linalg

import "testing"

// lessSIMD runs f without the widest SIMD registers, and without SIMD.
func lessSIMD(t *testing.T, f func(t *testing.T)) {
	defer func(a, b bool) { simd, simd512 = a, b }(simd, simd512)
	simd512 = false
	t.Run("32 bytes", f)
	simd = false
	t.Run("portable", f)
}
