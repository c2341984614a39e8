package ssa_test

import (
	"go/ast"
	"go/parser"
	"go/types"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/interp/engine"
)

const severalWays = `package p
import "fmt"
var table = map[string]func(int) int{"double": double, "late": func(x int) int { return late(x) }}
func double(x int) int { return 2 * x }
func late(x int) int { return leaf(x) + 1 }
func leaf(x int) int { return x * 10 }
func Unused(x int) int { return helper(x) }
func helper(x int) int { return -x }
type base struct{ n int }
func (b *base) Add(x int) { b.n += leaf(x) }
func (b base) String() string { return fmt.Sprint("n=", text(b.n)) }
func text(n int) string { return fmt.Sprint("<", n, ">") }
type Outer struct { *base; name string }
type adder interface { Add(int) }
type list[T any] struct { all []T }
func (l *list[T]) Push(v T) int { l.all = append(l.all, v); return size(l.all) }
func size[T any](s []T) int { return count(len(s)) }
func count(n int) int { return n }
func end(p *int, n int) { *p = leaf(n) }
func Run() (r int) {
	o := Outer{&base{}, "o"}
	var a adder = o
	a.Add(1)
	add := o.Add
	add(2)
	defer end(&r, 7)
	done := make(chan int)
	go send(done, 5)
	var l list[string]
	fmt.Println(o, table["double"](3), table["late"](4), <-done, l.Push("x"), adder.Add != nil)
	return 1
}
func send(c chan int, n int) { c <- late(n) }
func Name(f fmt.Stringer) string { return f.String() }
`

// The engine builds a package's functions when they are needed, no matter how they are called. It
// does not build functions that nothing calls.
func TestBodiesAreBuiltWhenNeeded(t *testing.T) {
	s := newSession(t, engine.Hooks{})
	f, err := parser.ParseFile(s.fset, "p.go", severalWays, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	check := func(path string, f *ast.File, im types.Importer) (*types.Package, *types.Info) {
		info := &types.Info{
			Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
			Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}, Scopes: map[ast.Node]*types.Scope{},
			Instances: map[*ast.Ident]types.Instance{}, FileVersions: map[*ast.File]string{},
		}
		pkg := types.NewPackage(path, f.Name.Name)
		conf := &types.Config{Importer: im, GoVersion: "go1.26", Sizes: types.SizesFor("gc", runtime.GOARCH)}
		if err := types.NewChecker(conf, s.fset, pkg, info).Files([]*ast.File{f}); err != nil {
			t.Fatal(err)
		}
		return pkg, info
	}
	pkg, info := check("example.com/p", f, s.im)
	p := &engine.Package{Fset: s.fset, Types: pkg, Files: []*ast.File{f}, Info: info}
	cell := func(src string) {
		t.Helper()
		f, err := parser.ParseFile(s.fset, "cell", "package main\n"+src, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		main, info := check("main", f, importerOf{s.im, pkg})
		c := &engine.Cell{Number: 1, Fset: s.fset, Package: main, Files: []*ast.File{f}, Info: info, Replaces: map[types.Object]types.Object{}, Packages: []*engine.Package{p}}
		c.Entry, _ = main.Scope().Lookup("main").(*types.Func)
		code, err := s.e.Compile(c)
		if err != nil {
			t.Fatal(err)
		}
		if err := code.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	cell(`import _ "example.com/p"`)
	for _, name := range []string{"Run", "send", "Unused"} {
		if s.e.Built(pkg, name) {
			t.Errorf("%s is built by the import", name)
		}
	}
	cell(`import "example.com/p"; func main() { println(p.Run()); var o p.Outer; _ = o }`)
	got := strings.TrimSpace(s.out.String())
	if want := "n=<30> 6 41 51 1 true\n70"; got != want {
		t.Errorf("printed %q, want %q", got, want)
	}
	for name, want := range map[string]bool{"Run": true, "text": true, "Unused": false, "helper": false} {
		if got := s.e.Built(pkg, name); got != want {
			t.Errorf("%s is built: %v, want %v", name, got, want)
		}
	}
	v, err := s.e.Func(pkg.Scope().Lookup("Unused").(*types.Func))
	if err != nil || v.Call([]reflect.Value{reflect.ValueOf(4)})[0].Int() != -4 {
		t.Errorf("Unused as a value: %v, %v", v, err)
	}
}

// importerOf imports one package besides the compiled ones.
type importerOf struct {
	types.Importer
	pkg *types.Package
}

func (im importerOf) Import(path string) (*types.Package, error) {
	if path == im.pkg.Path() {
		return im.pkg, nil
	}
	return im.Importer.Import(path)
}
