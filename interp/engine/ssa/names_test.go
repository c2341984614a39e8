package ssa_test

import (
	"go/ast"
	"go/parser"
	"go/types"
	"testing"

	"github.com/gokernel/gokernel/interp/engine"
)

// The engine reports the same names as the Go runtime for functions, methods listed by package
// reflect, method values and method expressions.
func TestNamesOfFuncValues(t *testing.T) {
	s := newSession(t, engine.Hooks{})
	s.want(`import ("bytes"; "fmt"; "reflect"; "runtime"; "strings")
type T struct{ n int }
func (T) Value() {}
func (*T) Pointer() {}
type G[A any] struct{ a A }
func (*G[A]) Generic() {}
func plain() {}
type E struct{ bytes.Buffer }
type P int; func (*P) Method() {}
func name(f any) string { return runtime.FuncForPC(reflect.ValueOf(f).Pointer()).Name() }
func main() {
	x := &T{}
	fmt.Println(name(plain), name(x.Pointer), name(x.Value), name(T.Value), name((*T).Pointer), name((&G[int]{}).Generic))
	fmt.Println(name((*E).Write), name((&E{}).Write), name((*T).Value))
	for _, t := range []reflect.Type{reflect.TypeFor[T](), reflect.TypeFor[*P]()} {
		pc := t.Method(0).Func.Pointer()
		file, line := runtime.FuncForPC(pc).FileLine(pc)
		fmt.Println(t.Method(0).Name, runtime.FuncForPC(pc).Name(), strings.HasPrefix(file, "cell [1]"), line)
	}
}`, `main.plain main.(*T).Pointer-fm main.T.Value-fm main.T.Value main.(*T).Pointer main.(*G[...]).Generic-fm
main.(*E).Write bytes.(*Buffer).Write-fm main.(*T).Value
Value main.T.Value true 3
Method main.(*P).Method true 9`)
}

// A dot in the last element of a package path is escaped as the linker escapes it.
func TestNamesOfFunctionsInPackagesWithDots(t *testing.T) {
	s := newSession(t, engine.Hooks{})
	fset := s.fset
	f, err := parser.ParseFile(fset, "lib.go", "package lib; func F() {}", parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}, Types: map[ast.Expr]types.TypeAndValue{}, Scopes: map[ast.Node]*types.Scope{}, FileVersions: map[*ast.File]string{}}
	lib, err := (&types.Config{}).Check("example.com/lib.v3", fset, []*ast.File{f}, info)
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.e.Compile(&engine.Cell{Number: 1, Fset: fset, Package: lib, Files: []*ast.File{f}, Info: info})
	if err != nil {
		t.Fatal(err)
	}
	s.visible["F"] = lib.Scope().Lookup("F")
	s.want(`import ("fmt"; "reflect"; "runtime"); func main() { fmt.Println(runtime.FuncForPC(reflect.ValueOf(F).Pointer()).Name()) }`, "example.com/lib%2ev3.F")
}

// The calls of interpreted code are followed by the calls of the compiled code that called it, down
// to the start of the goroutine.
func TestCallersEndWhereTheGoroutineBegins(t *testing.T) {
	clearTestFlags(t)
	s := newSession(t, engine.Hooks{})
	s.want(`import ("fmt"; "runtime"; "testing")
func names() (list []string) {
	pcs := make([]uintptr, 32)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	for {
		f, more := frames.Next()
		list = append(list, f.Function)
		if !more {
			break
		}
	}
	for i := 1; ; i++ {
		pc, _, _, ok := runtime.Caller(i)
		if !ok {
			return append(list, fmt.Sprint(i))
		}
		if got := runtime.FuncForPC(pc).Name(); got != list[i-1] {
			return append(list, got)
		}
	}
}
func inner() { fmt.Println(names()) }
func main() {
	inner()
	done := make(chan bool)
	go func() { inner(); done <- true }()
	<-done
	testing.RunTests(func(_, _ string) (bool, error) { return true, nil }, []testing.InternalTest{{"X", func(*testing.T) { inner() }}})
}`, `[main.inner main.main runtime.goexit 4]
[main.inner main.main.func1 runtime.goexit 4]
[main.inner main.main.func3 testing.tRunner runtime.goexit 5]`)
}
