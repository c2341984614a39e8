package rtype

import (
	"fmt"
	"math"
	"reflect"
	"runtime"
	"sort"
	"strings"
	"testing"
	"unsafe"
)

// makeFunc returns a Go func value of type F. A call of the value runs the test's function.
func makeFunc[F any](t testing.TB, ts *Types, run func(*Call)) F {
	t.Helper()
	rt := reflect.TypeFor[F]()
	if rt.Kind() != reflect.Func {
		t.Fatalf("%v is not a func", rt)
	}
	c := ts.Signature(TypeOf(rt)).Closure(unsafe.Pointer(&run), nil)
	return *(*F)(unsafe.Pointer(&c))
}

func engineOfGoFuncs() *Types {
	return New(Config{Enter: func(c *Call) { (*(*func(*Call))(c.Func()))(c) }})
}

type pair struct {
	a float32
	b string
}

func TestClosuresOfAnySignature(t *testing.T) {
	ts := engineOfGoFuncs()
	if f := makeFunc[func()](t, ts, func(*Call) {}); f == nil {
		t.Error("a closure without parameters is nil")
	}
	mixed := makeFunc[func(int8, float32, string, []byte, any, pair, complex128, bool) (bool, complex128, pair, error)](t, ts, func(c *Call) {
		b, z, p := arg[bool](c, 7), arg[complex128](c, 6), arg[pair](c, 5)
		p = pair{p.a + arg[float32](c, 1), p.b + arg[string](c, 2)}
		err := fmt.Errorf("%d %s %v", arg[int8](c, 0), arg[[]byte](c, 3), arg[any](c, 4))
		result(c, 0, !b)
		result(c, 1, z*1i)
		result(c, 2, p)
		result(c, 3, err)
	})
	b, z, p, err := mixed(-3, 1.5, "x", nil, 7, pair{2, "p"}, 2+1i, true)
	if b || z != -1+2i || p != (pair{3.5, "px"}) || err.Error() != "-3  7" {
		t.Errorf("got %v %v %v %v", b, z, p, err)
	}
	small := makeFunc[func(int8, float32, pair, bool, uint16) (pair, int8, error)](t, ts, func(c *Call) {
		p, i, u := arg[pair](c, 2), arg[int8](c, 0), arg[uint16](c, 4)
		p.a += arg[float32](c, 1)
		result(c, 0, p)
		result(c, 1, i-int8(u))
		result(c, 2, error(nil))
	})
	if p, i, err := small(-3, 1.5, pair{2, "p"}, true, 4); p != (pair{3.5, "p"}) || i != -7 || err != nil {
		t.Errorf("got %v %v %v", p, i, err)
	}
	spills := makeFunc[func(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q int, s string) (string, [2]int)](t, ts, func(c *Call) {
		sum := 0
		for i := range 17 {
			sum += arg[int](c, i)
		}
		result(c, 0, fmt.Sprint(arg[string](c, 17), sum))
		result(c, 1, [2]int{sum, c.NumArgs()})
	})
	if s, a := spills(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, "sum "); s != "sum 153" || a != [2]int{153, 18} {
		t.Errorf("got %q %v", s, a)
	}
	variadic := makeFunc[func(string, ...int) string](t, ts, func(c *Call) {
		result(c, 0, fmt.Sprint(arg[string](c, 0), arg[[]int](c, 1)))
	})
	if got := variadic("v", 1, 2); got != "v[1 2]" {
		t.Errorf("got %q", got)
	}
	floats := makeFunc[func(x [16]float64, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o float64) float64](t, ts, func(c *Call) {
		sum := arg[[16]float64](c, 0)[15]
		for i := 1; i < c.NumArgs(); i++ {
			sum += arg[float64](c, i)
		}
		result(c, 0, sum)
	})
	if got := floats([16]float64{15: .5}, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15); got != 120.5 {
		t.Errorf("got %v", got)
	}
	if got := reflect.ValueOf(variadic).Call([]reflect.Value{reflect.ValueOf("r"), reflect.ValueOf(3)})[0].String(); got != "r[3]" {
		t.Errorf("through reflect: %q", got)
	}
}

func TestClosuresAreCallbacks(t *testing.T) {
	ts := engineOfGoFuncs()
	xs := []float64{3, 1, math.Inf(1), 2}
	less := makeFunc[func(i, j int) bool](t, ts, func(c *Call) {
		result(c, 0, xs[arg[int](c, 0)] < xs[arg[int](c, 1)])
	})
	sort.Slice(xs, less)
	if fmt.Sprint(xs) != "[1 2 3 +Inf]" {
		t.Errorf("sorted to %v", xs)
	}
	upper := makeFunc[func(rune) rune](t, ts, func(c *Call) { result(c, 0, arg[rune](c, 0)-32) })
	if got := strings.Map(upper, "abc"); got != "ABC" {
		t.Errorf("mapped to %q", got)
	}
}

func TestClosureOf(t *testing.T) {
	ts := engineOfGoFuncs()
	f := makeFunc[func()](t, ts, func(*Call) {})
	if c := ClosureOf(*(*unsafe.Pointer)(unsafe.Pointer(&f))); c == nil || c.Func() == nil || c.Env() != nil {
		t.Errorf("a closure is not recognised: %v", c)
	}
	g := func() { runtime.Gosched() }
	if ClosureOf(*(*unsafe.Pointer)(unsafe.Pointer(&g))) != nil || ClosureOf(nil) != nil {
		t.Error("a compiled func value is taken for a closure")
	}
}

// TestPanicsThroughClosures lets a panic pass from interpreted to compiled code.
func TestPanicsThroughClosures(t *testing.T) {
	ts := engineOfGoFuncs()
	f := makeFunc[func(*int) int](t, ts, func(c *Call) { panic("from inside") })
	defer func() {
		if r := recover(); r != "from inside" {
			t.Errorf("recovered %v", r)
		}
	}()
	f(nil)
}

// TestStackGrowsUnderCalls moves the stack while the registers of a call are saved on it, and
// collects garbage at the same time.
func TestStackGrowsUnderCalls(t *testing.T) {
	ts := engineOfGoFuncs()
	var deep func(n int) int
	deep = func(n int) int {
		var pad [64]int
		if n == 0 {
			runtime.GC()
			return 0
		}
		pad[n%64] = n
		return deep(n-1) + pad[n%64] - n
	}
	f := makeFunc[func(a *int, s []string, m map[string]int, e error, x float64, n int) (*int, string)](t, ts, func(c *Call) {
		deep(2000)
		p, s, m := arg[*int](c, 0), arg[[]string](c, 1), arg[map[string]int](c, 2)
		*p += m["one"] + arg[int](c, 5)
		deep(1000)
		result(c, 0, p)
		result(c, 1, fmt.Sprint(s[0], arg[error](c, 3), arg[float64](c, 4)))
		deep(3000)
	})
	done := make(chan string)
	for range 4 {
		go func() {
			local := 40
			p, s := f(&local, []string{strings.Repeat("s", 3)}, map[string]int{"one": 1}, fmt.Errorf("e%d", 1), 2.5, 1)
			done <- fmt.Sprint(*p, " ", s, p == &local)
		}()
	}
	for range 4 {
		if got := <-done; got != "42 ssse1 2.5true" && got != "42 sss e1 2.5true" && got != "42 ssse1 2.5 true" {
			t.Errorf("got %q", got)
		}
	}
}

func BenchmarkCallback(b *testing.B) {
	ts := engineOfGoFuncs()
	f := makeFunc[func(int, float64) int](b, ts, func(c *Call) {
		var x int
		c.Arg(0, unsafe.Pointer(&x))
		c.SetResult(0, unsafe.Pointer(&x))
	})
	b.ReportAllocs()
	for b.Loop() {
		f(1, 2)
	}
}

func TestCompiledMethodOfTable(t *testing.T) {
	ts := engineOfGoFuncs()
	var s fmt.Stringer = reflect.ValueOf(42)
	w := (*words)(unsafe.Pointer(&s))
	tab := (*Itab)(w.typ)
	if tab.Implementation(0) != nil {
		t.Error("a compiled method is taken for a built one")
	}
	var got string
	ts.MethodSignature(TypeOf(reflect.TypeFor[func() string]())).invoke(tab.Func(0),
		[]unsafe.Pointer{unsafe.Pointer(&w.data)}, []unsafe.Pointer{unsafe.Pointer(&got)})
	if got != "<int Value>" {
		t.Errorf("got %q", got)
	}
}
