// Package gossa is the boundary to the unexported fields of golang.org/x/tools/go/ssa. It is the
// only package that reads or writes them. A table has each field with its type; [Check] finds the
// fields by name at start-up, compares their types, and tests the operations that the engine needs.
//
// The engine needs the unexported fields to build single functions of a package, to build a second
// form of a cell for a debugger, to forget cells, and to discard functions whose building has
// panicked. A fork of go/ssa with hooks would have to follow each release of go/ssa. With the
// table, if a release changes a field, Check fails at start-up and names the field.
package gossa

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"reflect"
	"sync"
	"unsafe"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"
)

// privateField is a field of a struct of go/ssa.
type privateField struct {
	of, name string
	typ      string // type in the notation of package reflect
	offset   uintptr
}

// The fields that the functions below read by offset.
var (
	packageCreated      = privateField{of: "Package", name: "created", typ: "[]*ssa.Function"}
	packageInit         = privateField{of: "Package", name: "init", typ: "*ssa.Function"}
	packageInfo         = privateField{of: "Package", name: "info", typ: "*types.Info"}
	packageObjects      = privateField{of: "Package", name: "objects", typ: "map[types.Object]ssa.Member"}
	programPackages     = privateField{of: "Program", name: "packages", typ: "map[*types.Package]*ssa.Package"}
	programMode         = privateField{of: "Program", name: "mode", typ: "ssa.BuilderMode"}
	programMethods      = privateField{of: "Program", name: "objectMethods", typ: "map[*types.Func]*ssa.Function"}
	programMethodSets   = privateField{of: "Program", name: "methodSets", typ: "typeutil.Map"}
	functionBuildshared = privateField{of: "Function", name: "buildshared", typ: "*ssa.task"}
	functionSyntax      = privateField{of: "Function", name: "syntax", typ: "ast.Node"}
	functionInfo        = privateField{of: "Function", name: "info", typ: "*types.Info"}
	functionGeneric     = privateField{of: "Function", name: "generic", typ: "*ssa.generic"}
	taskDone            = privateField{of: "task", name: "done", typ: "chan ssa.unit"}
	genericInstances    = privateField{of: "generic", name: "instances", typ: "map[*ssa.typeList]*ssa.Function"}
)

// Check returns an error if go/ssa is not as the engine needs it. The error names the field or the
// behavior. The first call does the work, in less than a millisecond.
var Check = sync.OnceValue(func() error {
	if err := findPrivate(); err != nil {
		return err
	}
	return tryPrivate()
})

// findPrivate finds the fields.
func findPrivate() error {
	structs := map[string]reflect.Type{
		"Package": reflect.TypeFor[ssa.Package](), "Program": reflect.TypeFor[ssa.Program](), "Function": reflect.TypeFor[ssa.Function](),
	}
	for _, p := range []*privateField{
		&packageCreated, &packageInit, &packageInfo, &packageObjects, &programPackages, &programMode, &programMethods, &programMethodSets,
		&functionBuildshared, &functionSyntax, &functionInfo, &functionGeneric, &taskDone, &genericInstances,
	} {
		f, ok := structs[p.of].FieldByName(p.name)
		if !ok || f.Type.String() != p.typ {
			return fmt.Errorf("gossa: golang.org/x/tools/go/ssa has no field %s.%s of type %s: see docs/explanation/engine-porting.md", p.of, p.name, p.typ)
		}
		p.offset = f.Offset
		if t := f.Type; t.Kind() == reflect.Pointer && t.Elem().Kind() == reflect.Struct {
			structs[t.Elem().Name()] = t.Elem()
		}
	}
	return nil
}

// tryPrivate makes go/ssa build a package of two functions as the engine does: first the
// initialization, then one of the functions.
func tryPrivate() error {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", "package p; var v = f(); func f() int { return 1 }; func g() {}; func h[T any]() {}", parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}, Scopes: map[ast.Node]*types.Scope{},
		Instances: map[*ast.Ident]types.Instance{}, FileVersions: map[*ast.File]string{}}
	p, err := (&types.Config{}).Check("p", fset, []*ast.File{file}, info)
	if err != nil {
		return err
	}
	prog := NewProgram()
	pkg := prog.CreatePackage(p, []*ast.File{file}, info, false)
	f, g, start := pkg.Func("f"), pkg.Func("g"), pkg.Func("init")
	known := (*Packages(prog))[p] == pkg && *Mode(prog) == programModes && Members(pkg)[p.Scope().Lookup("f")] == ssa.Member(f)
	if list := created(pkg); !known || len(*list) < 3 || (*list)[0] != start {
		return fmt.Errorf("gossa: golang.org/x/tools/go/ssa stores packages in another way: see docs/explanation/engine-porting.md")
	}
	OnlyInit(pkg)
	pkg.Build()
	before := start.Blocks != nil && f.Blocks == nil && g.Blocks == nil
	BuildAlone(f)
	if !before || f.Blocks == nil || g.Blocks != nil {
		return fmt.Errorf("gossa: golang.org/x/tools/go/ssa builds functions in another way: see docs/explanation/engine-porting.md")
	}
	DropUnfinished(prog)
	if members := Members(pkg); members[p.Scope().Lookup("f")] == nil || members[p.Scope().Lookup("h")] == nil {
		return fmt.Errorf("gossa: golang.org/x/tools/go/ssa marks finished functions in another way: see docs/explanation/engine-porting.md")
	}
	return nil
}

// programModes are the modes of the program of a session.
const programModes = ssa.InstantiateGenerics | ssa.BareInits

// NewProgram returns the program of a session.
func NewProgram() *ssa.Program { return ssa.NewProgram(token.NewFileSet(), programModes) }

// fieldOf returns a field of the struct to which p points.
func fieldOf[T any](p unsafe.Pointer, f privateField) *T { return (*T)(unsafe.Add(p, f.offset)) }

// created returns the functions of a package that go/ssa has yet to build.
func created(pkg *ssa.Package) *[]*ssa.Function {
	return fieldOf[[]*ssa.Function](unsafe.Pointer(pkg), packageCreated)
}

// Members returns the members of a package, methods included, by their objects.
func Members(pkg *ssa.Package) map[types.Object]ssa.Member {
	return *fieldOf[map[types.Object]ssa.Member](unsafe.Pointer(pkg), packageObjects)
}

// Packages returns the packages of a program.
func Packages(prog *ssa.Program) *map[*types.Package]*ssa.Package {
	return fieldOf[map[*types.Package]*ssa.Package](unsafe.Pointer(prog), programPackages)
}

// Mode returns the mode in which a program builds functions.
func Mode(prog *ssa.Program) *ssa.BuilderMode {
	return fieldOf[ssa.BuilderMode](unsafe.Pointer(prog), programMode)
}

// OnlyInit makes go/ssa build only the initialization of a package, if the initialization comes
// first.
func OnlyInit(pkg *ssa.Package) {
	if list := created(pkg); len(*list) > 0 && (*list)[0] == pkg.Func("init") {
		*list = (*list)[:1:1]
	}
}

// NewPackage returns a package that only has members, for go/ssa to find them.
func NewPackage(prog *ssa.Program, of *types.Package, members map[types.Object]ssa.Member) *ssa.Package {
	pkg := &ssa.Package{Prog: prog, Pkg: of}
	*fieldOf[map[types.Object]ssa.Member](unsafe.Pointer(pkg), packageObjects) = members
	return pkg
}

// KeepMethod records a method whose package the program forgets.
func KeepMethod(prog *ssa.Program, f *types.Func, fn *ssa.Function) {
	methods := fieldOf[map[*types.Func]*ssa.Function](unsafe.Pointer(prog), programMethods)
	if *methods == nil {
		*methods = map[*types.Func]*ssa.Function{}
	}
	(*methods)[f] = fn
}

// DropMembers removes the table of a package's members, and the package's initialization, which
// must have been built.
func DropMembers(pkg *ssa.Package) {
	*fieldOf[map[types.Object]ssa.Member](unsafe.Pointer(pkg), packageObjects) = nil
	*fieldOf[*ssa.Function](unsafe.Pointer(pkg), packageInit) = nil
}

// DropSyntax drops the syntax of a function that has been built, and leaves an empty declaration at
// the same position. It keeps the syntax of functions that are not built yet, of generic functions,
// and of functions whose loops the compiler inspects.
func DropSyntax(fn *ssa.Function) {
	d, ok := fn.Syntax().(*ast.FuncDecl)
	if !ok || fn.Blocks == nil || d.Body == nil || IsGeneric(fn) {
		return
	}
	loops := false
	ast.Inspect(d.Body, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			loops = true
		}
		return !loops
	})
	if loops {
		return
	}
	*fieldOf[ast.Node](unsafe.Pointer(fn), functionSyntax) = &ast.FuncDecl{
		Name: &ast.Ident{NamePos: d.Name.Pos(), Name: d.Name.Name},
		Type: &ast.FuncType{Func: d.Pos(), Params: &ast.FieldList{}},
		Body: &ast.BlockStmt{Lbrace: d.Body.Lbrace, Rbrace: d.Body.Rbrace},
	}
}

// NarrowInfo drops the type information of a generic function except for the function's own syntax,
// from which instances are made later.
func NarrowInfo(fn *ssa.Function) {
	p := fieldOf[*types.Info](unsafe.Pointer(fn), functionInfo)
	all := *p
	if all == nil || fn.Syntax() == nil {
		return
	}
	own := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}, Scopes: map[ast.Node]*types.Scope{},
		Instances: map[*ast.Ident]types.Instance{}}
	ast.Inspect(fn.Syntax(), func(n ast.Node) bool {
		if n == nil {
			return false
		}
		copyEntry(own.Implicits, all.Implicits, n)
		copyEntry(own.Scopes, all.Scopes, n)
		if x, ok := n.(ast.Expr); ok {
			copyEntry(own.Types, all.Types, x)
		}
		switch n := n.(type) {
		case *ast.Ident:
			copyEntry(own.Defs, all.Defs, n)
			copyEntry(own.Uses, all.Uses, n)
			copyEntry(own.Instances, all.Instances, n)
		case *ast.SelectorExpr:
			copyEntry(own.Selections, all.Selections, n)
		}
		return true
	})
	*p = own
}

func copyEntry[K comparable, V any](to, from map[K]V, key K) {
	if v, ok := from[key]; ok {
		to[key] = v
	}
}

// BuildAlone builds a function as the only member of a package of its own.
func BuildAlone(fn *ssa.Function) {
	pkg := &ssa.Package{Prog: fn.Prog}
	*fieldOf[*types.Info](unsafe.Pointer(pkg), packageInfo) = new(types.Info)
	*created(pkg) = []*ssa.Function{fn}
	pkg.Build()
}

// DropUnfinished discards the functions that go/ssa has begun but not finished.
func DropUnfinished(prog *ssa.Program) {
	p := unsafe.Pointer(prog)
	dropFrom(reflect.ValueOf(*fieldOf[map[*types.Func]*ssa.Function](p, programMethods)))
	fieldOf[typeutil.Map](p, programMethodSets).Iterate(func(_ types.Type, set any) {
		// set is a *methodSet, whose only field is a map.
		if s := reflect.ValueOf(set); s.Kind() == reflect.Pointer && s.Elem().Kind() == reflect.Struct && s.Elem().NumField() == 1 {
			m := s.Elem().Field(0)
			dropFrom(reflect.NewAt(m.Type(), m.Addr().UnsafePointer()).Elem())
		}
	})
	for _, pkg := range prog.AllPackages() {
		dropFrom(reflect.ValueOf(Members(pkg)))
	}
}

// dropFrom removes the unfinished functions from a table, and from the instance tables of the other
// functions.
func dropFrom(functions reflect.Value) {
	if functions.Kind() != reflect.Map {
		return
	}
	for it := functions.MapRange(); it.Next(); {
		fn, ok := it.Value().Interface().(*ssa.Function)
		if !ok || fn == nil {
			continue
		}
		f := unsafe.Pointer(fn)
		if unfinished(*fieldOf[unsafe.Pointer](f, functionBuildshared)) {
			functions.SetMapIndex(it.Key(), reflect.Value{})
		} else if g := *fieldOf[unsafe.Pointer](f, functionGeneric); g != nil {
			dropFrom(reflect.NewAt(instancesType(), unsafe.Add(g, genericInstances.offset)).Elem())
		}
	}
}

// instancesType is the type of the table of a generic function's instances.
var instancesType = sync.OnceValue(func() reflect.Type {
	f, _ := reflect.TypeFor[ssa.Function]().FieldByName(functionGeneric.name)
	f, _ = f.Type.Elem().FieldByName(genericInstances.name)
	return f.Type
})

// unfinished reports whether a task of go/ssa is still incomplete.
func unfinished(task unsafe.Pointer) bool {
	if task == nil {
		return false
	}
	// A channel without elements is closed when the task is done, whatever its element type.
	done := *fieldOf[chan struct{}](task, taskDone)
	select {
	case <-done:
		return false
	default:
		return done != nil
	}
}

// IsGeneric reports whether a function or its receiver has type parameters.
func IsGeneric(fn *ssa.Function) bool {
	return fn.TypeParams().Len() > 0 || fn.Signature.RecvTypeParams().Len() > 0
}
