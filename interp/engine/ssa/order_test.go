package ssa_test

import (
	"testing"

	"github.com/gokernel/gokernel/interp/engine"
)

// x op= y makes the calls in y before it evaluates the address of x, even if these calls are
// arguments of a built-in function.
func TestUpdateAfterCall(t *testing.T) {
	s := newSession(t, engine.Hooks{})
	for _, y := range []string{"l.number()", "len(l.text())", "1 + cap(l.list())"} {
		out, err := s.run(t.Context(), `
type state struct {
	a int
	x [4]int
	f [4]float64
}
func (l *state) number() int { l.a++; return 3 }
func (l *state) text() string { l.a++; return "abc" }
func (l *state) list() []int { l.a++; return make([]int, 2) }
func work(l *state) {
	l.x[l.a&3] += `+y+`
	l.f[l.a&3] += float64(`+y+`)
}
func main() {
	var l state
	work(&l)
	println(l.x[0], l.x[1], l.x[2], l.f[0] == 0, l.f[1] == 0, l.f[2])
}`)
		if want := "0 3 0 true true 3\n"; out != want || err != nil {
			t.Errorf("%s: got %q and error %v, want %q", y, out, err, want)
		}
	}
}
