package rtype

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"reflect"
	"testing"
	"unsafe"
)

// world is a checked package and its runtime types. The test provides its methods as Go functions,
// by name.
type world struct {
	*testing.T
	pkg   *types.Package
	types *Types
}

// compiledTypes are the compiled types that the tests' packages find in the binary.
var compiledTypes = map[string]reflect.Type{}

func known[T any]() {
	t := reflect.TypeFor[T]()
	compiledTypes[t.PkgPath()+"."+t.Name()] = t
}

// checkSource type-checks the source of a package main.
func checkSource(t *testing.T, src string) *types.Package {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "cell.go", "package main\n"+src, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := (&types.Config{Importer: sharedImporter}).Check("main", fset, []*ast.File{f}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return pkg
}

var sharedImporter = importer.ForCompiler(token.NewFileSet(), "source", nil)

// declare checks the source and makes its types. A call of one of its methods runs the function of
// the same name with the call.
func declare(t *testing.T, src string, methods map[string]func(*Call)) *world {
	t.Helper()
	return &world{t, checkSource(t, src), New(Config{
		Lookup: func(path, name string) reflect.Type { return compiledTypes[path+"."+name] },
		Roots: func(path string) (roots []reflect.Type) {
			for _, c := range compiledTypes {
				if c.PkgPath() == path {
					roots = append(roots, c)
				}
			}
			return roots
		},
		Enter: func(c *Call) {
			if m := c.Method(); m != nil {
				(*(*func(*Call))(c.Func()))(c)
				return
			}
			(*(*func(*Call))(c.Func()))(c)
		},
		Method: func(m *Method) unsafe.Pointer {
			f, ok := methods[m.Sel.Obj().Name()]
			if !ok {
				panic("no method " + m.Sel.String())
			}
			return unsafe.Pointer(&f)
		},
	})}
}

// typ returns the runtime type of a declared name.
func (w *world) typ(name string) reflect.Type {
	w.Helper()
	o := w.pkg.Scope().Lookup(name)
	if o == nil {
		w.Fatalf("%s is not declared", name)
	}
	rt, err := w.types.Of(o.Type())
	if err != nil {
		w.Fatal(err)
	}
	return rt.Reflect()
}

// arg returns an argument of a call. A method that is promoted from the first field gets the whole
// struct as its receiver.
func arg[T any](c *Call, i int) (v T) {
	if m := c.Method(); i == 0 && m != nil && m.Recv.Size() > unsafe.Sizeof(v) {
		p := Alloc(m.Recv)
		c.Arg(0, p)
		return *(*T)(p)
	}
	c.Arg(i, unsafe.Pointer(&v))
	return v
}

// result sets a result of a call.
func result[T any](c *Call, i int, v T) { c.SetResult(i, unsafe.Pointer(&v)) }

// invoke calls a func value with the signature s through package reflect, with the arguments at
// args, and copies the results to results.
func (s *Signature) invoke(fn unsafe.Pointer, args, results []unsafe.Pointer) {
	var ins, outs []reflect.Type
	for i := range s.params {
		ins = append(ins, s.params[i].typ.Reflect())
	}
	for i := range s.results {
		outs = append(outs, s.results[i].typ.Reflect())
	}
	ft := reflect.FuncOf(ins, outs, s.typ.Reflect().IsVariadic())
	f := reflect.NewAt(ft, unsafe.Pointer(&fn)).Elem()
	in := make([]reflect.Value, len(args))
	for i := range in {
		in[i] = reflect.NewAt(ins[i], args[i]).Elem()
	}
	call := f.Call
	if ft.IsVariadic() {
		call = f.CallSlice
	}
	for i, v := range call(in) {
		reflect.NewAt(outs[i], results[i]).Elem().Set(v)
	}
}
