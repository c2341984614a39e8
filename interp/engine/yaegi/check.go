package yaegi

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
)

// encoders are the packages whose functions inspect the fields of a value. The interpreter exports
// all fields.
var encoders = map[string]bool{
	"encoding/json": true, "encoding/xml": true, "encoding/gob": true, "encoding/binary": true,
	"text/template": true, "html/template": true, "database/sql": true, "log/slog": true, "testing/quick": true,
}

// checkCall refuses calls of compiled functions that inspect types of cells.
func (l *lowering) checkCall(e *ast.CallExpr) {
	id := calleeIdent(e.Fun)
	if id == nil {
		return
	}
	fn, ok := l.unit.info.Uses[id].(*types.Func)
	if !ok || fn.Pkg() == nil {
		return
	}
	own := func() *types.Named {
		for _, a := range e.Args {
			if n := l.cellType(l.typeOf(a)); n != nil {
				return n
			}
		}
		return nil
	}
	if fn.Pkg().Path() != "main" {
		for _, a := range e.Args {
			l.checkShown(a)
		}
	}
	switch path := fn.Pkg().Path(); {
	case path == "reflect" || encoders[path]:
		if n := own(); n != nil {
			refuse(e.Pos(), fmt.Sprintf("%s.%s of %s, a type of a cell", fn.Pkg().Name(), fn.Name(), n.Obj().Name()), "the fallback engine has no run-time type for it; use a map or a compiled type")
		}
	case path == "errors" && (fn.Name() == "As" || fn.Name() == "Is"):
		if n := own(); n != nil {
			refuse(e.Pos(), fmt.Sprintf("errors.%s with %s, a type of a cell", fn.Name(), n.Obj().Name()), "compare a field or a variable instead")
		}
	case path == "fmt" || path == "log":
		for _, a := range e.Args {
			v := l.unit.info.Types[a].Value
			if v == nil || v.Kind() != constant.String {
				continue
			}
			for _, verb := range []string{"%T", "%#v"} {
				if n := own(); n != nil && strings.Contains(constant.StringVal(v), verb) {
					refuse(e.Pos(), fmt.Sprintf("%s of %s, a type of a cell", verb, n.Obj().Name()), "its name is not known at run time; write it out")
				}
			}
		}
	case path == "runtime":
		switch fn.Name() {
		case "Goexit", "Caller", "Callers", "SetFinalizer", "AddCleanup":
			refuse(e.Pos(), "runtime."+fn.Name(), "the fallback engine does not have Go's stack")
		}
	}
}

// cellType returns a type that a cell has declared and that t contains, or nil if there is none.
func (l *lowering) cellType(t types.Type) *types.Named {
	var found *types.Named
	l.parts(t, func(n *types.Named, _ int) {
		if found == nil && l.own(n) {
			found = n
		}
	})
	return found
}

// parts calls f for the named types that a value of type t contains and that compiled code can
// reach, with the depth of each.
func (l *lowering) parts(t types.Type, f func(n *types.Named, depth int)) {
	seen := map[types.Type]bool{}
	var walk func(t types.Type, depth int)
	walk = func(t types.Type, depth int) {
		if t == nil || seen[t] {
			return
		}
		seen[t] = true
		if n, ok := types.Unalias(t).(*types.Named); ok {
			f(n, depth)
			if !l.own(n) {
				return
			}
		}
		switch u := t.Underlying().(type) {
		case *types.Pointer:
			walk(u.Elem(), depth)
		case *types.Slice:
			walk(u.Elem(), depth+1)
		case *types.Array:
			walk(u.Elem(), depth+1)
		case *types.Map:
			walk(u.Key(), depth+1)
			walk(u.Elem(), depth+1)
		case *types.Struct:
			for v := range u.Fields() {
				if v.Exported() {
					walk(v.Type(), depth+1)
				}
			}
		}
	}
	walk(t, 0)
}

// shown are the methods for which package fmt searches.
var shown = []string{"String", "Error", "Format", "GoString"}

// checkShown refuses to pass a value to compiled code if the value's interfaces may hold values of
// cells' types with methods. Compiled code would see the interpreter's representation of these
// values.
func (l *lowering) checkShown(a ast.Expr) {
	t := l.typeOf(a)
	if t == nil || !l.holdsInterface(t, map[types.Type]bool{}) {
		return
	}
	put(l.w, l.w.shown, l.form(t), true)
	var names []string
	for obj := range l.w.hidden {
		names = append(names, obj.Name())
	}
	if len(names) > 0 {
		l.refuseHidden(a.Pos(), slices.Min(names), l.form(t))
	}
}

// hide records that an interface of interpreted code holds a value of type n.
func (l *lowering) hide(pos token.Pos, n *types.Named) {
	if types.NewMethodSet(types.NewPointer(n)).Len() == 0 {
		return
	}
	put(l.w, l.w.hidden, types.Object(n.Obj()), true)
	if len(l.w.shown) > 0 {
		l.refuseHidden(pos, n.Obj().Name(), slices.Min(slices.Collect(maps.Keys(l.w.shown))))
	}
}

func (l *lowering) refuseHidden(pos token.Pos, name, t string) {
	refuse(pos, fmt.Sprintf("compiled code that is given a value of type %s, which may hold %s, a type of a cell with methods", t, name),
		fmt.Sprintf("assert to %s first, and pass that", name))
}

// holdsInterface reports whether a value of type t contains an interface that interpreted code
// sets.
func (l *lowering) holdsInterface(t types.Type, seen map[types.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	switch u := t.Underlying().(type) {
	case *types.Interface:
		return u.NumMethods() == 0 || !l.compiledInterface(t)
	case *types.Pointer:
		return l.holdsInterface(u.Elem(), seen)
	case *types.Slice:
		return l.holdsInterface(u.Elem(), seen)
	case *types.Array:
		return l.holdsInterface(u.Elem(), seen)
	case *types.Map:
		return l.holdsInterface(u.Key(), seen) || l.holdsInterface(u.Elem(), seen)
	case *types.Struct:
		if n, ok := types.Unalias(t).(*types.Named); ok && !l.own(n) {
			return false
		}
		for v := range u.Fields() {
			if l.holdsInterface(v.Type(), seen) {
				return true
			}
		}
	}
	return false
}

// checkInterface refuses a conversion to an interface if the conversion loses parts of the value
// that compiled code may need. A conversion is direct if compiled code gets the value immediately:
// compiled code then gets the methods, too.
func (l *lowering) checkInterface(e ast.Expr, to types.Type, direct bool) {
	i, ok := to.Underlying().(*types.Interface)
	from := l.typeOf(e)
	if !ok || from == nil || types.IsInterface(from) {
		return
	}
	if n, named := types.Unalias(from).(*types.Named); named && l.own(n) && i.NumMethods() > 1 && l.compiledInterface(to) {
		if _, basic := n.Underlying().(*types.Basic); basic {
			refuse(e.Pos(), fmt.Sprintf("%s as a %s", n.Obj().Name(), l.form(to)), fmt.Sprintf("make %s a struct", n.Obj().Name()))
		}
	}
	if !direct && (i.NumMethods() == 0 || !l.compiledInterface(to)) {
		held := types.Unalias(from)
		if p, ok := held.(*types.Pointer); ok {
			held = types.Unalias(p.Elem())
		}
		if n, ok := held.(*types.Named); ok && l.own(n) {
			l.hide(e.Pos(), n)
		}
	}
	if i.NumMethods() > 0 {
		return
	}
	if n, ok := types.Unalias(from).(*types.Named); ok && l.own(n) {
		if _, isStruct := n.Underlying().(*types.Struct); !isStruct {
			put(l.w, l.w.boxed, l.form(n.Underlying()), n.Obj().Name())
			if l.w.asserted[l.form(n.Underlying())] {
				l.refuseBoxed(e.Pos(), n.Obj().Name(), n.Underlying())
			}
		}
	}
	l.parts(from, func(n *types.Named, depth int) {
		if depth == 0 || !l.own(n) {
			return
		}
		for _, name := range shown {
			if obj, _, _ := types.LookupFieldOrMethod(n, true, n.Obj().Pkg(), name); obj != nil {
				if _, isMethod := obj.(*types.Func); isMethod {
					refuse(e.Pos(), fmt.Sprintf("a value as any that holds %s, whose method %s compiled code would not find", n.Obj().Name(), name), "pass the elements one by one")
				}
			}
		}
	})
}

func (l *lowering) refuseBoxed(pos token.Pos, name string, underlying types.Type) {
	refuse(pos, fmt.Sprintf("%s and %s in one session as any, which the fallback engine cannot tell apart", name, l.form(underlying)), fmt.Sprintf("make %s a struct", name))
}

// form returns a type as text for comparison.
func (l *lowering) form(t types.Type) string { return types.TypeString(t, nil) }

// checkAssert refuses type assertions that the interpreter evaluates incorrectly.
func (l *lowering) checkAssert(x ast.Expr, to types.Type, pos token.Pos) {
	operand, ok := l.typeOf(x).Underlying().(*types.Interface)
	if !ok {
		return
	}
	if i, isInterface := to.Underlying().(*types.Interface); isInterface {
		if i.NumMethods() > 0 && operand.NumMethods() == 0 {
			if name := l.implementer(i); name != "" {
				refuse(pos, fmt.Sprintf("an assertion from any to an interface that %s, a type of a cell, also implements", name), "assert to the concrete type")
			}
		}
		return
	}
	if n, ok := types.Unalias(to).(*types.Named); ok && operand.NumMethods() == 0 && l.w.panicked[n.Obj()] {
		refuse(pos, fmt.Sprintf("an assertion from any to %s, a type that code in this session passes to panic", n.Obj().Name()), "assert to error")
	}
	if l.cellType(to) != nil && operand.NumMethods() > 0 && l.compiledInterface(l.typeOf(x)) {
		if _, isPtr := to.Underlying().(*types.Pointer); !isPtr {
			refuse(pos, fmt.Sprintf("an assertion from %s to a type of a cell", l.form(l.typeOf(x))), "let a pointer to the type have the methods, and assert to the pointer")
		}
	}
	if operand.NumMethods() > 0 {
		return
	}
	u := to.Underlying()
	if _, isStruct := u.(*types.Struct); isStruct {
		return
	}
	put(l.w, l.w.asserted, l.form(u), true)
	if name := l.w.boxed[l.form(u)]; name != "" {
		l.refuseBoxed(pos, name, u)
	}
}

// compiledInterface reports whether compiled code declares the interface t; values of cells are
// wrapped when converted to it.
func (l *lowering) compiledInterface(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && !l.own(n)
}

// implementer returns the name of a type of a cell that implements the interface.
func (l *lowering) implementer(i *types.Interface) string {
	for name, methods := range l.w.methods {
		n, ok := name.Type().(*types.Named)
		if ok && len(methods) > 0 && n.TypeParams().Len() == 0 && types.Implements(types.NewPointer(n), i) {
			return name.Name()
		}
	}
	return ""
}

// checkCompare refuses comparisons that the interpreter evaluates incorrectly.
func (l *lowering) checkCompare(e *ast.BinaryExpr) {
	tx, ty := l.typeOf(e.X), l.typeOf(e.Y)
	if l.unit.info.Types[e.X].IsNil() || l.unit.info.Types[e.Y].IsNil() {
		return
	}
	for _, t := range []types.Type{tx, ty} {
		i, ok := t.Underlying().(*types.Interface)
		if !ok || i.NumMethods() == 0 || !l.compiledInterface(t) {
			continue
		}
		if name := l.implementer(i); name != "" {
			refuse(e.Pos(), fmt.Sprintf("a comparison of %s values, which %s, a type of a cell, may be", l.form(t), name), "use errors.Is, or compare a field")
		}
	}
}

// checkKey refuses a key of a cell's type in a map whose keys are interfaces.
func (l *lowering) checkKey(e ast.Expr, key types.Type) {
	if n := l.cellType(l.typeOf(e)); n != nil && types.IsInterface(key) {
		refuse(e.Pos(), fmt.Sprintf("%s as a key of a map with interface keys", n.Obj().Name()), "give the map keys of one type")
	}
}
