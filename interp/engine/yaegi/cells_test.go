package yaegi_test

import "testing"

func TestCells(t *testing.T) {
	for _, tt := range []struct {
		name string
		cell string
		want string
	}{
		{"hello", `import "fmt"; func run() { fmt.Println("hello", 1, 2.5) }`, "hello 1 2.5\n"},
		{"loop variables", `import "fmt"
func run() {
	var fs []func() int
	for i := 0; i < 3; i++ { fs = append(fs, func() int { i += 10; return i }) }
	for i := range 3 { fs = append(fs, func() int { return i }) }
	for i, v := range []int{7, 8} { fs = append(fs, func() int { return i * v }) }
	for _, f := range fs { fmt.Print(f(), " ") }
}`, "10 11 12 0 1 2 0 8 "},
		{"min max clear new", `import "fmt"
func run() {
	m := map[int]int{1: 2}
	clear(m)
	p := new(3 + 4)
	fmt.Println(min(3, 1, 2), max(1.5, 2), min("b", "a"), len(m), *p)
}`, "1 2 a 0 7\n"},
		{"range over func", `import "fmt"
func count(n int) func(func(int) bool) {
	return func(yield func(int) bool) { for i := range n { if !yield(i) { return } } }
}
func find(n int) (int, bool) {
	for i := range count(100) {
		for j := range count(100) {
			if i*j == n && i > 1 && j > 1 { return i, true }
			if j > 50 { break }
		}
	}
	return 0, false
}
func run() {
	fmt.Println(find(35))
outer:
	for i := range count(5) {
		for j := range count(5) {
			if j == 2 { continue outer }
			if i == 3 { break outer }
			fmt.Print(i, j, " ")
		}
	}
}`, "5 true\n0 0 0 1 1 0 1 1 2 0 2 1 "},
		{"generics", `import "fmt"
type Stack[T any] struct { items []T }
func (s *Stack[T]) Push(x T) { s.items = append(s.items, x) }
func (s *Stack[T]) Pop() T { x := s.items[len(s.items)-1]; s.items = s.items[:len(s.items)-1]; return x }
func Map[T, U any](xs []T, f func(T) U) []U { var r []U; for _, x := range xs { r = append(r, f(x)) }; return r }
type Number interface { ~int | ~float64 }
func Sum[T Number](xs ...T) T { var s T; for _, x := range xs { s += x }; return s }
func run() {
	var s Stack[string]
	s.Push("a"); s.Push("b")
	fmt.Println(s.Pop(), Map([]int{1, 2}, func(i int) float64 { return float64(i) / 2 }), Sum(1, 2, 3), Sum(1.5, 2))
}`, "b [0.5 1] 6 3.5\n"},
		{"slices and maps", `import ("fmt"; "slices"; "maps"; "cmp"; "strings")
func run() {
	xs := []int{3, 1, 2}
	slices.Sort(xs)
	m := map[string]int{"b": 1, "a": 2}
	slices.SortFunc(xs, func(a, b int) int { return cmp.Compare(b, a) })
	fmt.Println(xs, slices.Max(xs), slices.Sorted(maps.Keys(m)), slices.Contains(xs, 2), slices.Index(xs, 1))
	for s := range strings.SplitSeq("x,y", ",") { fmt.Print(s, ";") }
}`, "[3 2 1] 3 [a b] true 2\nx;y;"},
		{"methods", `import "fmt"
type Point struct{ X, Y int }
func (p Point) Add(q Point) Point { return Point{p.X + q.X, p.Y + q.Y} }
func (p *Point) Scale(k int) { p.X *= k; p.Y *= k }
type Named struct { Point; Name string }
func run() {
	p := Point{1, 2}
	p.Scale(3)
	n := Named{p, "n"}
	n.Scale(2)
	f := n.Add
	g := Point.Add
	h := (*Point).Scale
	h(&p, 2)
	fmt.Println(p, n.X, f(Point{1, 1}), g(p, p))
}`, "{6 12} 6 {7 13} {12 24}\n"},
		{"interfaces", `import "fmt"
type Shape interface { Area() float64 }
type Square struct{ side float64 }
type Circle struct{ r float64 }
func (s Square) Area() float64 { return s.side * s.side }
func (c *Circle) Area() float64 { return 3 * c.r * c.r }
func run() {
	total := 0.0
	for _, s := range []Shape{Square{2}, &Circle{1}} {
		total += s.Area()
		switch v := s.(type) {
		case Square: fmt.Print("square ", v.side, " ")
		case *Circle: fmt.Print("circle ", v.r, " ")
		}
	}
	fmt.Println(total)
}`, "square 2 circle 1 7\n"},
		{"two types of one shape", `import "fmt"
type A struct{ x int }
type B struct{ x int }
func run() {
	var v any = A{1}
	_, isA := v.(A)
	_, isB := v.(B)
	fmt.Println(isA, isB)
}`, "true false\n"},
		{"defer and recover", `import "fmt"
func f() (err error) {
	defer func() { if r := recover(); r != nil { err = fmt.Errorf("caught %v", r) } }()
	panic("boom")
}
func run() { defer fmt.Println("deferred"); fmt.Println(f()) }`, "caught boom\ndeferred\n"},
		{"type switch on nil", `import "fmt"; func run() { var x any; switch x.(type) { case error: fmt.Print("error"); default: fmt.Print("other") } }`, "other"},
		{"recovered runtime error", `import ("fmt"; "runtime")
func f(xs []int, i int) (err error) {
	defer func() { if r := recover(); r != nil { err = r.(runtime.Error) } }()
	_ = xs[i]
	return nil
}
func run() { fmt.Println(f([]int{1}, 3), f([]int{1}, 0)) }`, "runtime error: index out of range <nil>\n"},
		{"panic", `func f(xs []int, i int) int { return xs[i] }
func run() { f([]int{1}, 3) }`, "panic: runtime error: index out of range"},
		{"goroutines", `import ("fmt"; "sync")
func run() {
	var wg sync.WaitGroup
	var mu sync.Mutex
	sum := 0
	for i := range 10 { wg.Add(1); go func(k int) { defer wg.Done(); mu.Lock(); sum += k; mu.Unlock() }(i) }
	wg.Wait()
	ch := make(chan int, 3)
	go func() { for i := range 3 { ch <- i }; close(ch) }()
	for v := range ch { sum += v }
	fmt.Println(sum)
}`, "48\n"},
		{"switch and labels", `import "fmt"
func kind(x any) string {
	switch x.(type) {
	case int, int64: return "int"
	case string: return "string"
	case nil: return "nil"
	case error: return "error"
	}
	return "other"
}
func run() {
	fmt.Println(kind(1), kind("a"), kind(nil), kind(fmt.Errorf("x")), kind(2.5))
	switch x := 5; { case x > 3: fmt.Print("big "); fallthrough; case x > 100: fmt.Print("huge "); default: fmt.Print("no") }
loop:
	for i := 0; ; i++ { switch { case i == 2: continue loop; case i > 3: break loop }; fmt.Print(i) }
}`, "int string nil error other\nbig huge 013"},
		{"constants", `import "fmt"
type Day int
const ( Mon Day = iota; Tue; Wed )
const big = 1 << 62
func run() { fmt.Println(Wed, big, 1e100, 'a', 7/2, 7/2.0, uint8(255), 1<<10 - 1, complex(1, 2)) }`, "2 4611686018427387904 1e+100 97 3 3.5 255 1023 (1+2i)\n"},
		{"stringer", `import "fmt"
type T struct{ n int }
func (t T) String() string { return fmt.Sprintf("<%d>", t.n) }
func run() { fmt.Println(T{4}); fmt.Printf("%v %s %d\n", T{5}, T{6}, 7) }`, "<4>\n<5> <6> 7\n"},
		{"own error", `import ("errors"; "fmt")
type MyErr struct{ code int }
func (e MyErr) Error() string { return fmt.Sprint("code ", e.code) }
func f() error { return MyErr{3} }
var sentinel = errors.New("sentinel")
func run() {
	err := f()
	fmt.Println(err, errors.Is(fmt.Errorf("w: %w", sentinel), sentinel))
}`, "code 3 true\n"},
		{"sort", `import ("fmt"; "sort")
type byLen []string
func (b byLen) Len() int { return len(b) }
func (b byLen) Less(i, j int) bool { return len(b[i]) < len(b[j]) }
func (b byLen) Swap(i, j int) { b[i], b[j] = b[j], b[i] }
func run() {
	x := []string{"ccc", "a", "bb"}
	sort.Sort(byLen(x))
	y := []int{3, 1, 2}
	sort.Slice(y, func(i, j int) bool { return y[i] < y[j] })
	fmt.Println(x, y)
}`, "[a bb ccc] [1 2 3]\n"},
		{"unsafe", `import "unsafe"; func run() { x := 1; _ = unsafe.Pointer(&x) }`, "refused: package unsafe; the fallback engine has no access to memory layout"},
		{"mat", `import ("fmt"; "gonum.org/v1/gonum/mat")
func run() { a := mat.NewDense(2, 2, []float64{1, 2, 3, 4}); var b mat.Dense; b.Mul(a, a); fmt.Println(b.At(1, 1), mat.Det(a) < 0) }`, "22 true\n"},
		{"multiple assignment", `import "fmt"
func two() (int, string) { return 1, "x" }
func run() {
	a, s := two()
	b, s := 2, "y"
	a, b = b, a
	m := map[string]int{"k": 1}
	v, ok := m["k"]
	_, no := m["z"]
	fmt.Println(a, b, s, v, ok, no)
}`, "2 1 y 1 true false\n"},
		{"os.Exit", `import "os"; func run() { os.Exit(3) }`, "error: exit status 3"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := newSession(t).text(tt.cell); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}
