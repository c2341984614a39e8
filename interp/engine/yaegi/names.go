package yaegi

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/gokernel/gokernel/interp/engine"
)

// unit is the result of one type-check: of a cell, or of the standard library's generic functions.
type unit struct {
	number int // number of the cell; 0 for the standard library
	fset   *token.FileSet
	info   *types.Info
}

// decl is a function or type from whose syntax instances can be made.
type decl struct {
	unit *unit
	fn   *ast.FuncDecl // nil for a type
}

// world holds the session's data on all cells: the name of each object in the interpreter, and the
// declarations that later cells may instantiate. Every name is used once, so nothing is ever
// redeclared.
type world struct {
	serial    int
	names     map[types.Object]string // names of variables, functions, plain named types
	types     map[string]string       // names of instances of generic types, by origin and arguments
	functions map[string]string       // names of instances of generic functions and methods
	decls     map[types.Object]*decl
	methods   map[*types.TypeName][]*types.Func // declared, by type
	imports   map[string]string                 // path to name in the interpreter
	sources   map[types.Object]bool             // types of the generic sources
	boxed     map[string]string                 // named types converted to any, by underlying type
	panicked  map[types.Object]bool             // types of errors that code panics with
	asserted  map[string]bool                   // underlying types that any was asserted to
	hidden    map[types.Object]bool             // types with methods converted to interfaces
	shown     map[string]bool                   // types that contain these and were passed to compiled code
	pointers  map[types.Object]bool             // variables whose address was taken
	emitted   map[string]*emission              // functions by name
	indirect  map[string]string                 // variables that hold functions, by the function's name
	position  string                            // the variable with the current position
	positions []place                           // positions by its values
	rounds    string                            // the variable that counts steps in a browser
	undo      []func()
}

// place is a possible position of running code.
type place struct {
	unit *unit
	pos  token.Pos
}

// positionOf returns the number that stands for a position.
func (w *world) positionOf(u *unit, pos token.Pos) int {
	w.positions = append(w.positions, place{u, pos})
	return len(w.positions) - 1
}

func newWorld() *world {
	return &world{
		names:     map[types.Object]string{},
		types:     map[string]string{},
		functions: map[string]string{},
		decls:     map[types.Object]*decl{},
		methods:   map[*types.TypeName][]*types.Func{},
		imports:   map[string]string{},
		sources:   map[types.Object]bool{},
		boxed:     map[string]string{},
		panicked:  map[types.Object]bool{},
		asserted:  map[string]bool{},
		hidden:    map[types.Object]bool{},
		shown:     map[string]bool{},
		pointers:  map[types.Object]bool{},
		emitted:   map[string]*emission{},
		indirect:  map[string]string{},
		positions: []place{{}},
		position:  "position_0",
		rounds:    "rounds_0",
	}
}

// put sets m[k] until rollback.
func put[K comparable, V any](w *world, m map[K]V, k K, v V) {
	old, had := m[k]
	w.undo = append(w.undo, func() {
		if had {
			m[k] = old
		} else {
			delete(m, k)
		}
	})
	m[k] = v
}

// rollback undoes the puts since the last commit.
func (w *world) rollback() {
	for i := len(w.undo) - 1; i >= 0; i-- {
		w.undo[i]()
	}
	w.undo = nil
}

func (w *world) commit() { w.undo = nil }

// fresh returns a name that was never used and that starts with the given prefix.
func (w *world) fresh(like string) string {
	w.serial++
	var b strings.Builder
	for _, r := range like {
		if r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			b.WriteRune(r)
		}
	}
	return fmt.Sprintf("%s_%d", b.String(), w.serial)
}

// name returns the object's name in the interpreter.
func (w *world) name(obj types.Object) string {
	if n, ok := w.names[obj]; ok {
		return n
	}
	n := w.fresh(obj.Name())
	put(w, w.names, obj, n)
	return n
}

// refuse ends the lowering of a cell.
func refuse(pos token.Pos, what, advice string) {
	panic(&engine.Refusal{Pos: pos, What: what, Advice: advice})
}

// subst replaces type parameters.
func subst(t types.Type, env map[*types.TypeParam]types.Type) types.Type {
	if len(env) == 0 {
		return t
	}
	switch t := t.(type) {
	case *types.Alias:
		return subst(types.Unalias(t), env)
	case *types.TypeParam:
		if a, ok := env[t]; ok {
			return a
		}
		return t
	case *types.Pointer:
		return types.NewPointer(subst(t.Elem(), env))
	case *types.Slice:
		return types.NewSlice(subst(t.Elem(), env))
	case *types.Array:
		return types.NewArray(subst(t.Elem(), env), t.Len())
	case *types.Map:
		return types.NewMap(subst(t.Key(), env), subst(t.Elem(), env))
	case *types.Chan:
		return types.NewChan(t.Dir(), subst(t.Elem(), env))
	case *types.Tuple:
		return substTuple(t, env)
	case *types.Signature:
		return types.NewSignatureType(nil, nil, nil, substTuple(t.Params(), env), substTuple(t.Results(), env), t.Variadic())
	case *types.Struct:
		fields, tags := make([]*types.Var, t.NumFields()), make([]string, t.NumFields())
		for i := range fields {
			f := t.Field(i)
			fields[i] = types.NewField(f.Pos(), f.Pkg(), f.Name(), subst(f.Type(), env), f.Embedded())
			tags[i] = t.Tag(i)
		}
		return types.NewStruct(fields, tags)
	case *types.Interface:
		methods := make([]*types.Func, t.NumExplicitMethods())
		for i := range methods {
			m := t.ExplicitMethod(i)
			methods[i] = types.NewFunc(m.Pos(), m.Pkg(), m.Name(), subst(m.Signature(), env).(*types.Signature))
		}
		embedded := make([]types.Type, t.NumEmbeddeds())
		for i := range embedded {
			embedded[i] = subst(t.EmbeddedType(i), env)
		}
		return types.NewInterfaceType(methods, embedded).Complete()
	case *types.Named:
		if t.TypeArgs().Len() == 0 {
			return t
		}
		args := make([]types.Type, t.TypeArgs().Len())
		for i := range args {
			args[i] = subst(t.TypeArgs().At(i), env)
		}
		inst, err := types.Instantiate(nil, t.Origin(), args, false)
		if err != nil {
			panic(err) // the cell was checked
		}
		return inst
	}
	return t
}

func substTuple(t *types.Tuple, env map[*types.TypeParam]types.Type) *types.Tuple {
	vars := make([]*types.Var, t.Len())
	for i := range vars {
		vars[i] = types.NewVar(t.At(i).Pos(), t.At(i).Pkg(), t.At(i).Name(), subst(t.At(i).Type(), env))
	}
	return types.NewTuple(vars...)
}

// fromCell reports whether the type is declared in a cell or is an instance of a generic type. The
// interpreter makes both kinds of types.
func fromCell(n *types.Named) bool {
	pkg := n.Obj().Pkg()
	return pkg != nil && (pkg.Path() == "main" || n.TypeArgs().Len() > 0)
}

// addSource registers the declarations of generic sources.
func (w *world) addSource(u *unit, files []*ast.File) {
	for _, f := range files {
		for _, d := range f.Decls {
			fd, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			fn := u.info.Defs[fd.Name].(*types.Func)
			w.decls[fn] = &decl{unit: u, fn: fd}
			if recv := fn.Signature().Recv(); recv != nil {
				name := receiverName(recv.Type())
				w.methods[name] = append(w.methods[name], fn)
			}
		}
	}
	for id, obj := range u.info.Defs {
		if name, ok := obj.(*types.TypeName); ok && id.Name != "_" {
			if _, param := name.Type().(*types.TypeParam); !param {
				w.sources[name] = true
			}
		}
	}
}
