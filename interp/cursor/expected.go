package cursor

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

// expect sets Expected or WantsType according to the position of the name. The parents are the
// nodes that enclose the name, outermost first.
func (p *Place) expect(parents []ast.Node) {
	var here ast.Expr = p.Ident
	if p.Selector != nil {
		here = p.Selector
	}
	for i := len(parents) - 1; i >= 0; i-- {
		n, ok := parents[i].(ast.Expr)
		if paren, isParen := n.(*ast.ParenExpr); ok && isParen {
			here = paren
			continue
		}
		if parents[i] == ast.Node(here) {
			continue
		}
		if u, ok := parents[i].(*ast.UnaryExpr); ok && u.Op == token.AND {
			p.Addressed, here = true, u
			continue
		}
		if l, ok := parents[i].(*ast.CompositeLit); ok && l.Type == here {
			here = l
			continue
		}
		p.Expected = p.expectedIn(parents[i], here, parents[:i])
		p.WantsType = wantsType(parents[i], here)
		return
	}
}

// wantsType reports whether the child of a node can only be a type.
func wantsType(parent ast.Node, child ast.Expr) bool {
	switch n := parent.(type) {
	case *ast.ValueSpec:
		return n.Type == child
	case *ast.TypeSpec:
		return n.Type == child
	case *ast.Field:
		return n.Type == child
	case *ast.ArrayType:
		return n.Elt == child
	case *ast.MapType:
		return n.Key == child || n.Value == child
	case *ast.ChanType:
		return n.Value == child
	case *ast.TypeAssertExpr:
		return n.Type == child
	}
	return false
}

// expectedIn returns the type required of a child of a node, or nil if any type is allowed.
func (p *Place) expectedIn(parent ast.Node, child ast.Expr, above []ast.Node) types.Type {
	switch n := parent.(type) {
	case *ast.CallExpr:
		return p.parameter(n, child)
	case *ast.AssignStmt:
		for i, e := range n.Rhs {
			if e == child && len(n.Lhs) == len(n.Rhs) && n.Tok != token.DEFINE {
				return p.Info.TypeOf(n.Lhs[i])
			}
		}
	case *ast.ValueSpec:
		if n.Type != nil && n.Type != child {
			return p.Info.TypeOf(n.Type)
		}
	case *ast.ReturnStmt:
		return p.result(n, child, above)
	case *ast.BinaryExpr:
		other := n.X
		if other == child {
			other = n.Y
		}
		if n.Op == token.LAND || n.Op == token.LOR {
			return types.Typ[types.Bool]
		}
		// Next to an untyped constant, any type is allowed.
		if t := p.Info.TypeOf(other); t != nil && n.Op != token.SHL && n.Op != token.SHR {
			if b, ok := t.(*types.Basic); !ok || b.Info()&types.IsUntyped == 0 {
				return t
			}
		}
	case *ast.IndexExpr:
		if n.Index == child {
			return keyType(p.Info.TypeOf(n.X))
		}
	case *ast.KeyValueExpr:
		return p.element(n, child, above)
	case *ast.CompositeLit:
		return elementType(p.Info.TypeOf(n))
	case *ast.SendStmt:
		if n.Value == child {
			if c, ok := underlying(p.Info.TypeOf(n.Chan)).(*types.Chan); ok {
				return c.Elem()
			}
		}
	case *ast.IfStmt, *ast.ForStmt:
		return types.Typ[types.Bool]
	case *ast.CaseClause:
		for i := len(above) - 1; i >= 0; i-- {
			if s, ok := above[i].(*ast.SwitchStmt); ok && s.Tag != nil {
				return p.Info.TypeOf(s.Tag)
			}
		}
	}
	return nil
}

// parameter returns the type of the parameter for an argument.
func (p *Place) parameter(call *ast.CallExpr, arg ast.Expr) types.Type {
	sig, ok := underlying(p.Info.TypeOf(call.Fun)).(*types.Signature)
	if !ok {
		return nil
	}
	for i, e := range call.Args {
		if e != arg {
			continue
		}
		n := sig.Params().Len()
		switch {
		case sig.Variadic() && i >= n-1:
			if s, ok := sig.Params().At(n - 1).Type().(*types.Slice); ok && !call.Ellipsis.IsValid() {
				return s.Elem()
			}
			return sig.Params().At(n - 1).Type()
		case i < n:
			return sig.Params().At(i).Type()
		}
	}
	return nil
}

// result returns the type of the result for a returned expression.
func (p *Place) result(ret *ast.ReturnStmt, child ast.Expr, above []ast.Node) types.Type {
	for i := len(above) - 1; i >= 0; i-- {
		var t types.Type
		switch f := above[i].(type) {
		case *ast.FuncDecl:
			if o := p.Info.Defs[f.Name]; o != nil {
				t = o.Type()
			}
		case *ast.FuncLit:
			t = p.Info.TypeOf(f)
		default:
			continue
		}
		sig, ok := t.(*types.Signature)
		if !ok {
			return nil
		}
		for j, e := range ret.Results {
			if e == child && j < sig.Results().Len() {
				return sig.Results().At(j).Type()
			}
		}
		return nil
	}
	return nil
}

// element returns the type of a key or a value in a composite literal.
func (p *Place) element(kv *ast.KeyValueExpr, child ast.Expr, above []ast.Node) types.Type {
	if len(above) == 0 {
		return nil
	}
	lit, ok := above[len(above)-1].(*ast.CompositeLit)
	if !ok {
		return nil
	}
	t := p.Info.TypeOf(lit)
	if kv.Key == child {
		return keyType(t)
	}
	st, ok := underlying(t).(*types.Struct)
	if !ok {
		return elementType(t)
	}
	if key, ok := kv.Key.(*ast.Ident); ok {
		for f := range st.Fields() {
			if f.Name() == key.Name {
				return f.Type()
			}
		}
	}
	return nil
}

// underlying returns the underlying type of a type, or of its element if the type is a pointer.
func underlying(t types.Type) types.Type {
	if t == nil {
		return nil
	}
	u := t.Underlying()
	if p, ok := u.(*types.Pointer); ok {
		return p.Elem().Underlying()
	}
	return u
}

func keyType(t types.Type) types.Type {
	switch u := underlying(t).(type) {
	case *types.Map:
		return u.Key()
	case *types.Slice, *types.Array, *types.Basic:
		return types.Typ[types.Int]
	}
	return nil
}

func elementType(t types.Type) types.Type {
	switch u := underlying(t).(type) {
	case *types.Slice:
		return u.Elem()
	case *types.Array:
		return u.Elem()
	case *types.Map:
		return u.Elem()
	}
	return nil
}

// Fits reports whether a name is useful at a position with Expected or WantsType: a value of the
// type, a function that returns one, or a type.
func (p *Place) Fits(o types.Object) bool {
	if p.WantsType {
		_, ok := o.(*types.TypeName)
		return ok
	}
	want := p.Expected
	if want == nil || want == types.Typ[types.Invalid] || o.Type() == nil || o.Type() == types.Typ[types.Invalid] {
		return false
	}
	if i, ok := want.Underlying().(*types.Interface); ok && i.Empty() {
		return false // everything fits, which is not informative
	}
	if _, ok := want.(*types.TypeParam); ok {
		return false
	}
	switch o := o.(type) {
	case *types.Const:
		if b, ok := want.Underlying().(*types.Basic); ok && o.Val() != nil {
			if b.Info()&types.IsInteger != 0 && constant.ToInt(o.Val()).Kind() != constant.Int {
				return false
			}
		}
		return types.AssignableTo(o.Type(), want)
	case *types.Var, *types.Nil:
		return types.AssignableTo(o.Type(), want)
	case *types.Func:
		sig := o.Signature()
		if sig.TypeParams().Len() > 0 || sig.RecvTypeParams().Len() > 0 {
			return false
		}
		return types.AssignableTo(sig, want) || sig.Results().Len() == 1 && types.AssignableTo(sig.Results().At(0).Type(), want)
	case *types.TypeName:
		if types.Identical(o.Type(), want) || types.Identical(types.NewPointer(o.Type()), want) {
			return true
		}
		if n, ok := types.Unalias(o.Type()).(*types.Named); ok && n.TypeParams().Len() > 0 || types.IsInterface(o.Type()) {
			return false
		}
		return types.IsInterface(want) && (types.AssignableTo(o.Type(), want) || types.AssignableTo(types.NewPointer(o.Type()), want))
	}
	return false
}
