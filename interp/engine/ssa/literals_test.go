package ssa_test

import (
	"testing"

	"github.com/gokernel/gokernel/interp/engine"
)

// Slice literals behave as in compiled Go, which printed these lines. The program only reads the
// elements of some literals, and changes those of others.
func TestSliceLiterals(t *testing.T) {
	const want = "654171 MCMXCIV MMMDCCCLXXXVIII 9\ntu b\nruntime error: index out of range [3] with length 2\n"
	for _, mode := range []string{"off", "force"} {
		t.Setenv(engine.JITVariable, mode)
		newSession(t, engine.Hooks{}).want(sliceLiterals, want)
	}
}

// A literal of constants that is only read is allocated once.
func TestTablesAreNotAllocated(t *testing.T) {
	newSession(t, engine.Hooks{}).want(`import "runtime"
func month(i int) (string, int) {
	names := []string{"January", "February", "March"}
	days := []int{31, 28, 31}
	return names[i%3], days[i%3]
}
func main() {
	var before, after runtime.MemStats
	month(0)
	runtime.ReadMemStats(&before)
	n := 0
	for i := range 100_000 { name, days := month(i); n += len(name) + days }
	runtime.ReadMemStats(&after)
	println(n, after.Mallocs - before.Mallocs < 50_000)
}`, "3666668 true")
}

const sliceLiterals = `
type point struct { row, column int; name string }
type days []string
func (d days) at(i int) string { return d[i%len(d)] }
func (p *point) move() { p.row++ }
func total(l []int) (n int) { for _, v := range l { n += v }; return }
func change(l []int) { l[1] = -9 }
var kept []int
func roman(n int) (s string) {
	values := []int{1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1}
	signs := []string{"M", "CM", "D", "CD", "C", "XC", "L", "XL", "X", "IX", "V", "IV", "I"}
	for i, v := range values { for n >= v { s += signs[i]; n -= v } }
	return
}
func read(i int) (n int) {
	sparse := []float64{3: 1.5, 7: -2.5, 1: 4}
	steps := []point{{0, 1, "east"}, {column: -1}, {row: 1, name: "south"}, {}}
	pairs := [][2]int{{0, 1}, {1, 0}, {0, -1}, {-1, 0}}
	var none []error = []error{nil, nil}
	for j, p := range steps { n += p.row*3 + p.column*5 + len(p.name) + steps[(i+j)%4].row + len(steps[j].name) }
	for _, p := range pairs { n = n*3%10007 + p[0] - p[1]; n += pairs[i%4][1] }
	bytes := []byte{'a', 'b', 200}
	n += len(string(bytes)) + int(bytes[2]) + cap(bytes) + len(none)
	if none[1] == nil && sparse[3] > 1 && len(sparse) == 8 { n += int(sparse[i%8]*2) }
	part := []int{5, 6, 7, 8}[1:3]
	if i%2 == 0 { part = []int{i} }
	return n + part[0] + len(part) + cap(part) + total([]int{1, 2, i % 3}) + len(days{"mo", "tu"}.at(i))
}
func write(i int) (n int) {
	a := []int{1, 2, 3}; a[i%3] += i; n += a[0] + a[1]*2 + a[2]*3
	b := []int{1, 2, 3}; b = append(b[:1], i); n += b[1] + cap(b)
	c := []int{1, 2, 3}; copy(c, a); n += c[i%3]
	d := []int{1, 2, 3}; change(d); n += d[1] + d[2]
	e := []int{1, 2, 3}; p := &e[i%3]; *p *= 7; n += e[0] + e[1] + e[2]
	f := []point{{1, 2, ""}, {3, 4, ""}}; f[1].move(); f[0].column -= i; n += f[1].row + f[0].column
	g := []int{1, 2, 3}; func() { g[0] = i }(); n += g[0]
	h := []int{4, 5}; if i%5 == 0 { kept = h }; kept[0]++; n += h[0] + kept[0]
	k := [][2]int{{1, 2}}; k[0][1]++; n += k[0][1]
	l := []string{"x", "y"}; clear(l[:1]); n += len(l[0]) + len(l[1])
	m := []int{9, 8}; var o []int; if i%2 == 0 { o = m } else { o = []int{7, 6} }; o[1]++; n += m[1] + o[1]
	q := (*[2]int)([]int{3, 4}); q[0]++; n += q[0]
	return
}
func work(n int) (s int) {
	for i := range n { s = (s*31 + read(i) + write(i) + len(roman(i))) % 1_000_003 }
	return
}
func main() {
	kept = []int{0}
	n := work(3000)
	println(n, roman(1994), roman(3888), kept[0])
	println(days{"mo", "tu", "we"}.at(4), []string{"a", "b"}[n%2])
	defer func() { println(recover().(error).Error()) }()
	l := []int{1, 2}
	println(l[n%2+2])
}`
