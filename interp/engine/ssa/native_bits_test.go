//go:build linux && (amd64 || arm64)

package ssa_test

import "maps"

func init() { maps.Copy(nativePrograms, bitPrograms) }

// bitPrograms call functions of math and math/bits that are a few machine instructions, and compare
// strings with constants.
var bitPrograms = map[string]string{
	"package math/bits": `
import "math/bits"
func work(n int) (s int) {
	x := uint64(n)
	for i := range n {
		x = x*6364136223846793005 + 1442695040888963407
		if i%9 == 0 { x = 0 }
		y := x >> (i & 63)
		s = s*3 + bits.OnesCount64(y) + bits.OnesCount32(uint32(y))*2 + bits.OnesCount16(uint16(y))*5 + bits.OnesCount8(uint8(y))*7 + bits.OnesCount(uint(y))
		s = s*3 + bits.TrailingZeros64(y) + bits.TrailingZeros32(uint32(y))*2 + bits.TrailingZeros16(uint16(y))*5 + bits.TrailingZeros8(uint8(y))*7 + bits.TrailingZeros(uint(y))
		s = s*3 + bits.LeadingZeros64(y) + bits.LeadingZeros32(uint32(y))*2 + bits.LeadingZeros16(uint16(y))*5 + bits.LeadingZeros8(uint8(y))*7 + bits.LeadingZeros(uint(y))
		s = s*3 + bits.Len64(y) + bits.Len32(uint32(y))*2 + bits.Len16(uint16(y))*5 + bits.Len8(uint8(y))*7 + bits.Len(uint(y))
		k := i - 70
		s ^= int(bits.RotateLeft64(y, k)) ^ int(bits.RotateLeft32(uint32(y), k)) ^ int(bits.RotateLeft16(uint16(y), k)) ^ int(bits.RotateLeft8(uint8(y), k)) ^ int(bits.RotateLeft(uint(y), -k))
		hi, lo := bits.Mul64(y, x)
		s += int(hi) ^ int(lo) ^ int(bits.Reverse32(uint32(y)))
	}
	return
}
func main() { println(work(500)) }`,

	"predicates of math": `
import "math"
func kind(x float64) (k int) {
	if math.IsNaN(x) { k |= 1 }
	if math.IsInf(x, 0) { k |= 2 }
	if math.IsInf(x, 1) { k |= 4 }
	if math.IsInf(x, -3) { k |= 8 }
	if math.Signbit(x) { k |= 16 }
	return
}
func work(a []float64, n int) (s int, t float64) {
	for i := range n {
		x, y := a[i%len(a)], a[i/len(a)%len(a)]
		s = s*7 + kind(x)
		nan := math.IsNaN(y)
		if nan == math.IsInf(y, i%3-1) { s++ }
		if math.Signbit(x) != math.Signbit(y) { s ^= 3 }
		s ^= int(math.Float64bits(min(x, y)) + 3*math.Float64bits(max(x, y)) + 5*math.Float64bits(max(x, 0, y)) + 7*math.Float64bits(min(1, x)))
		f, g := float32(x), float32(y)
		s ^= int(math.Float32bits(min(f, g))) ^ int(math.Float32bits(max(f, g)))<<5
		t = max(t, min(x, 5))
		if t != t { t = 0 }
	}
	return
}
func relu(a []float64) (s float64) { for _, x := range a { s += max(0, x) }; return }
func main() {
	zero := 0.0
	a := []float64{1, -1, zero, -zero, 1 / zero, -1 / zero, zero / zero, math.Copysign(math.NaN(), -1), math.Float64frombits(0x7ff8000000000777), 1e308, -1e-320}
	s, t := work(a, 11*11*3)
	println(s, t, relu(a[:4]))
}`,

	"strings and constants": `
type token struct { kind, text string }
func op(s string, a, b int) int {
	switch s {
	case "+": return a + b
	case "-": return a - b
	case "mul": return a * b
	case "quotient": if b != 0 { return a / b }
	case "remainder of a": return a % 7
	case "and so on, with many more letters": return 11
	}
	return 5
}
func prec(t token) int { if t.kind == "op" && (t.text == "+" || t.text != "and") { return 1 }; return 2 }
func count(words []string, w string) (n int) { for _, x := range words { if x == "the" || "fox" == x { n++ }; if x != w { n += 2 } }; return }
func work(words []string, n int) (s int) {
	for i := range n {
		w := words[i%len(words)]
		s = s*3 + op(w, i, s%5)
		is := w == "quotienu"
		if is { s++ }
		s += prec(token{"op", w}) + prec(token{w, "and"})
		if w[:len(w)/2] == "remaind" { s -= 2 }
	}
	return s + count(words, "mul")
}
func main() {
	words := []string{"+", "-", "mul", "mum", "quotient", "quotienu", "remainder of a", "remainder of b", "xemainder of a", "", "/",
		"and so on, with many more letters", "and so on, with many more letterS", "op", "the", "fox", "and", "quotient of"}
	println(work(words, 1000))
}`,
}
