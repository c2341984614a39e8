package ssa

import (
	"go/ast"
	"go/token"
	"go/types"
	"runtime"
)

// This file decides which operands the compiler copies to a temporary variable because of their
// type: operands whose address it passes to package runtime (addrTemp in
// cmd/compile/internal/walk/order.go).

var gcSizes = types.SizesFor("gc", runtime.GOARCH)

// boxed reports whether a conversion of an expression is a conversion to an interface type that
// needs memory for a copy of the value.
func (r *reads) boxed(e ast.Expr, to types.Type) bool {
	t := r.info.TypeOf(e)
	if to == nil || t == nil || !isInterface(to) || isInterface(t) || r.kind(e) == none || r.addressable(e) {
		return false
	}
	if _, several := t.(*types.Tuple); several || open(t) {
		return false
	}
	t = types.Default(t)
	size, align, pointers := gcSizes.Sizeof(t), gcSizes.Alignof(t), hasPointers(t)
	switch {
	case size == 2 && align == 2, size == 4 && align == 4, size == 8 && align == 8:
		return pointers
	}
	return !isTextOrSlice(t)
}

// isInterface reports whether a type is an interface type.
func isInterface(t types.Type) bool {
	_, param := types.Unalias(t).(*types.TypeParam)
	return !param && types.IsInterface(t)
}

// open reports whether the size of a type depends on a type parameter.
func open(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		return true
	case *types.Named:
		return open(t.Underlying())
	case *types.Array:
		return open(t.Elem())
	case *types.Struct:
		for f := range t.Fields() {
			if open(f.Type()) {
				return true
			}
		}
	}
	return false
}

func hasPointers(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return t.Info()&types.IsString != 0 || t.Kind() == types.UnsafePointer
	case *types.Array:
		return t.Len() > 0 && hasPointers(t.Elem())
	case *types.Struct:
		for f := range t.Fields() {
			if hasPointers(f.Type()) {
				return true
			}
		}
		return false
	}
	return true
}

// isTextOrSlice reports whether a type is a string or a slice, or has a string or a slice as its
// only part.
func isTextOrSlice(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return t.Info()&types.IsString != 0
	case *types.Slice:
		return true
	case *types.Struct:
		return t.NumFields() == 1 && isTextOrSlice(t.Field(0).Type())
	case *types.Array:
		return t.Len() == 1 && isTextOrSlice(t.Elem())
	}
	return false
}

// quick reports whether lookups in a map do not need the address of the key.
func quick(m *types.Map) bool {
	if open(m.Key()) || open(m.Elem()) {
		return true
	}
	if gcSizes.Sizeof(m.Elem()) > 128 {
		return false
	}
	if b, ok := m.Key().Underlying().(*types.Basic); ok && b.Info()&types.IsString != 0 {
		return true
	}
	size := gcSizes.Sizeof(m.Key())
	return (size == 4 || size == 8) && size == memory(m.Key())
}

// memory returns the size of a type if the type has no padding and two of its values are equal
// exactly if their bytes are equal. For any other type it returns -1.
func memory(t types.Type) int64 {
	switch t := t.Underlying().(type) {
	case *types.Basic:
		if t.Info()&(types.IsInteger|types.IsBoolean) != 0 || t.Kind() == types.UnsafePointer {
			return gcSizes.Sizeof(t)
		}
	case *types.Pointer, *types.Chan:
		return gcSizes.Sizeof(t)
	case *types.Array:
		if n := memory(t.Elem()); n >= 0 {
			return n * t.Len()
		}
	case *types.Struct:
		sum := int64(0)
		for f := range t.Fields() {
			n := memory(f.Type())
			if n < 0 || f.Name() == "_" {
				return -1
			}
			sum += n
		}
		return sum
	}
	return -1
}

// addressable reports whether an expression denotes memory that has an address.
func (r *reads) addressable(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		_, ok := r.info.Uses[e].(*types.Var)
		return ok
	case *ast.SelectorExpr:
		s := r.info.Selections[e]
		if s == nil {
			_, ok := r.info.Uses[e.Sel].(*types.Var)
			return ok
		}
		return s.Kind() == types.FieldVal && (s.Indirect() || r.addressable(e.X))
	case *ast.IndexExpr:
		switch under(r.info, e.X).(type) {
		case *types.Slice, *types.Pointer:
			return true
		case *types.Array:
			return r.addressable(e.X)
		}
	case *ast.StarExpr:
		return true
	}
	return false
}

// named reports whether an expression is the name of a variable.
func (r *reads) named(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return true
	case *ast.SelectorExpr:
		return r.info.Selections[e] == nil
	}
	return false
}

// parameter returns the type to which an argument of a call is converted. It returns nil for an
// argument of a builtin function other than append.
func (r *reads) parameter(call *ast.CallExpr, i int) types.Type {
	fun := r.info.Types[ast.Unparen(call.Fun)]
	if fun.IsType() {
		return fun.Type
	}
	if fun.IsBuiltin() {
		if s, ok := under(r.info, call).(*types.Slice); ok && i > 0 && !call.Ellipsis.IsValid() && builtinName(r.info, call.Fun) == "append" {
			return s.Elem()
		}
		return nil
	}
	sig, ok := under(r.info, call.Fun).(*types.Signature)
	if !ok {
		return nil
	}
	last := sig.Params().Len() - 1
	if sig.Variadic() && i >= last && !call.Ellipsis.IsValid() {
		return sig.Params().At(last).Type().(*types.Slice).Elem()
	}
	if i > last {
		return nil
	}
	return sig.Params().At(i).Type()
}

// isMap reports whether an expression is a map.
func (r *reads) isMap(e ast.Expr) bool {
	_, ok := under(r.info, e).(*types.Map)
	return ok
}

// constant reports whether a literal has only constant parts.
func (r *reads) constant(lit *ast.CompositeLit) bool {
	for _, e := range r.operands(lit) {
		if in, ok := ast.Unparen(*e.at).(*ast.CompositeLit); ok && !r.isMap(in) && r.constant(in) {
			continue
		}
		if r.kind(*e.at) != none {
			return false
		}
	}
	return true
}

// fromBytes reports whether a key is a string converted from a byte slice, or has such a string as
// a part.
func fromBytes(info *types.Info, key ast.Expr) bool {
	switch key := ast.Unparen(key).(type) {
	case *ast.CallExpr:
		if !info.Types[ast.Unparen(key.Fun)].IsType() || !isText(info.TypeOf(key)) {
			return false
		}
		s, ok := under(info, key.Args[0]).(*types.Slice)
		if !ok {
			return false
		}
		b, ok := s.Elem().Underlying().(*types.Basic)
		return ok && b.Kind() == types.Uint8
	case *ast.CompositeLit:
		switch under(info, key).(type) {
		case *types.Struct, *types.Array:
		default:
			return false
		}
		for _, e := range key.Elts {
			if kv, ok := e.(*ast.KeyValueExpr); ok {
				e = kv.Value
			}
			if fromBytes(info, e) {
				return true
			}
		}
	}
	return false
}

// comparison reports whether an operator is a comparison operator.
func comparison(op token.Token) bool {
	switch op {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		return true
	}
	return false
}
