//go:build (linux || darwin || windows) && (amd64 || arm64)

package ssa

import (
	"go/ast"
	"go/token"
	"go/types"
)

// Which statements have to be taken apart (order.go): those that name something before a
// call that may change it.

// sharedVars gives the local variables that something else than the statements of their
// own function may change: a function literal, or who has their address.
func sharedVars(n ast.Node, info *types.Info) map[types.Object]bool {
	shared := map[types.Object]bool{}
	var root func(e ast.Expr)
	root = func(e ast.Expr) {
		switch e := ast.Unparen(e).(type) {
		case *ast.Ident:
			if v, ok := info.Uses[e].(*types.Var); ok {
				shared[v] = true
			}
		case *ast.SelectorExpr:
			if s := info.Selections[e]; s != nil && !s.Indirect() {
				root(e.X)
			}
		case *ast.IndexExpr:
			if _, ok := under(info, e.X).(*types.Array); ok {
				root(e.X)
			}
		}
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			ast.Inspect(n.Body, func(in ast.Node) bool {
				if id, ok := in.(*ast.Ident); ok {
					if v, ok := info.Uses[id].(*types.Var); ok && !v.IsField() && (v.Pos() < n.Pos() || v.Pos() > n.End()) {
						shared[v] = true
					}
				}
				return true
			})
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				root(n.X)
			}
		case *ast.SliceExpr:
			if _, ok := under(info, n.X).(*types.Array); ok {
				root(n.X)
			}
		case *ast.SelectorExpr:
			// A method with a pointer receiver takes the address of a variable.
			if s := info.Selections[n]; s != nil && s.Kind() == types.MethodVal {
				if _, pointer := under(info, n.X).(*types.Pointer); !pointer {
					root(n.X)
				}
			}
		}
		return true
	})
	return shared
}

func under(info *types.Info, e ast.Expr) types.Type {
	if t := info.TypeOf(e); t != nil {
		return t.Underlying()
	}
	return nil
}

// parts gives the operands of a statement in the order of their evaluation, those of the
// places that it assigns to among them, and its initialization, which comes before them.
func (r *reads) parts(s ast.Stmt) (init *ast.Stmt, operands []*ast.Expr) {
	all := func(list []ast.Expr) {
		for i := range list {
			operands = append(operands, &list[i])
		}
	}
	switch s := s.(type) {
	case *ast.LabeledStmt:
		switch s.Stmt.(type) {
		case *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
			return nil, nil // a label of these has to stand before them
		}
		return r.parts(s.Stmt)
	case *ast.ExprStmt:
		operands = append(operands, &s.X)
	case *ast.SendStmt:
		operands = append(operands, &s.Chan, &s.Value)
	case *ast.IncDecStmt:
		operands = r.operands(ast.Unparen(s.X))
	case *ast.AssignStmt:
		for _, e := range s.Lhs {
			operands = append(operands, r.operands(ast.Unparen(e))...)
		}
		all(s.Rhs)
	case *ast.GoStmt:
		operands = append(operands, &s.Call.Fun)
		all(s.Call.Args)
	case *ast.DeferStmt:
		operands = append(operands, &s.Call.Fun)
		all(s.Call.Args)
	case *ast.ReturnStmt:
		all(s.Results)
	case *ast.DeclStmt:
		if d := s.Decl.(*ast.GenDecl); d.Tok == token.VAR && len(d.Specs) == 1 {
			all(d.Specs[0].(*ast.ValueSpec).Values)
		}
	case *ast.IfStmt:
		return &s.Init, []*ast.Expr{&s.Cond}
	case *ast.SwitchStmt:
		if s.Tag != nil {
			return &s.Init, []*ast.Expr{&s.Tag}
		}
	case *ast.RangeStmt:
		operands = append(operands, &s.X)
	}
	return nil, operands
}

// reads knows what an expression reads that a call may change.
type reads struct {
	info   *types.Info
	shared map[types.Object]bool
}

// A kind says what the compiler does with an expression.
type kind int

const (
	plain   kind = iota // it is evaluated when it is needed, as its operands are
	early               // it gets a temporary variable
	calling             // the same, and it may change variables
	whole               // the same, and its operands are evaluated within it
	none                // it is a constant, a type or a function
)

// kind gives the kind of an expression.
func (r *reads) kind(e ast.Expr) kind {
	tv := r.info.Types[e]
	if tv.Value != nil || tv.IsType() || tv.IsBuiltin() {
		return none
	}
	switch e := e.(type) {
	case *ast.FuncLit, *ast.BasicLit:
		return none
	case *ast.CallExpr:
		fun := r.info.Types[ast.Unparen(e.Fun)]
		switch {
		case fun.IsType():
			if _, ok := tv.Type.Underlying().(*types.Slice); ok && isText(r.info.TypeOf(e.Args[0])) {
				return early
			}
			return plain
		case fun.IsBuiltin():
			switch builtinName(r.info, e.Fun) {
			case "append", "cap", "complex", "imag", "len", "make", "max", "min", "new", "real":
				return early
			case "copy", "recover":
				return calling
			}
			return plain
		case pure(r.info, e.Fun):
			return early
		}
		return calling
	case *ast.SliceExpr:
		return early
	case *ast.UnaryExpr:
		if e.Op == token.ARROW {
			return calling
		}
	case *ast.IndexExpr:
		if _, ok := under(r.info, e.X).(*types.Map); ok {
			return early
		}
	case *ast.TypeAssertExpr:
		if !direct(tv.Type) {
			return early
		}
	case *ast.BinaryExpr:
		if (e.Op == token.LAND || e.Op == token.LOR) && r.calls(e.Y) {
			return whole
		}
	}
	return plain
}

// pure reports whether a function is of a package that has no variables, and changes none.
func pure(info *types.Info, fun ast.Expr) bool {
	s, ok := ast.Unparen(fun).(*ast.SelectorExpr)
	if !ok || info.Selections[s] != nil {
		return false
	}
	f, ok := info.Uses[s.Sel].(*types.Func)
	return ok && (f.Pkg().Path() == "math" || f.Pkg().Path() == "math/bits")
}

func builtinName(info *types.Info, fun ast.Expr) string {
	switch f := ast.Unparen(fun).(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}

func isText(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// direct reports whether an interface holds values of a type themselves.
func direct(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Pointer, *types.Chan, *types.Map, *types.Signature:
		return true
	case *types.Basic:
		return t.Kind() == types.UnsafePointer
	case *types.Struct:
		return t.NumFields() == 1 && direct(t.Field(0).Type())
	case *types.Array:
		return t.Len() == 1 && direct(t.Elem())
	}
	return false
}

// calls reports whether the evaluation of an expression calls or receives.
func (r *reads) calls(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if e, ok := n.(ast.Expr); ok && !found {
			if _, lit := e.(*ast.FuncLit); lit {
				return false
			}
			found = r.kind(e) == calling
		}
		return !found
	})
	return found
}

// operands gives the operands of an expression in the order of their evaluation.
func (r *reads) operands(e ast.Expr) (list []*ast.Expr) {
	add := func(es ...*ast.Expr) {
		for _, e := range es {
			if *e != nil {
				list = append(list, e)
			}
		}
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		add(&e.X)
	case *ast.SelectorExpr:
		if r.info.Selections[e] != nil {
			add(&e.X)
		}
	case *ast.IndexExpr:
		if !r.info.Types[e.Index].IsType() {
			add(&e.X, &e.Index)
		}
	case *ast.SliceExpr:
		add(&e.X, &e.Low, &e.High, &e.Max)
	case *ast.StarExpr:
		add(&e.X)
	case *ast.UnaryExpr:
		add(&e.X)
	case *ast.BinaryExpr:
		add(&e.X, &e.Y)
	case *ast.TypeAssertExpr:
		add(&e.X)
	case *ast.CallExpr:
		add(&e.Fun)
		for i := range e.Args {
			add(&e.Args[i])
		}
	case *ast.CompositeLit:
		_, isStruct := under(r.info, e).(*types.Struct)
		for i := range e.Elts {
			if kv, ok := e.Elts[i].(*ast.KeyValueExpr); ok {
				if !isStruct {
					add(&kv.Key)
				}
				add(&kv.Value)
			} else {
				add(&e.Elts[i])
			}
		}
	}
	return list
}

// changeable reports whether an expression itself, apart from its operands, reads what a
// call may change.
func (r *reads) changeable(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		v, ok := r.info.Uses[e].(*types.Var)
		return ok && (r.shared[v] || v.Pkg() != nil && v.Parent() == v.Pkg().Scope())
	case *ast.SelectorExpr:
		if s := r.info.Selections[e]; s != nil {
			if _, pointer := under(r.info, e.X).(*types.Pointer); s.Kind() == types.FieldVal {
				return pointer || s.Indirect()
			}
			return false
		}
		v, ok := r.info.Uses[e.Sel].(*types.Var)
		return ok && !v.IsField()
	case *ast.IndexExpr:
		switch under(r.info, e.X).(type) {
		case *types.Slice, *types.Pointer, *types.Interface: // that of a type parameter
			return true
		}
	case *ast.StarExpr:
		return true
	}
	return false
}

// needs reports whether a statement reads something before a call that may change it.
func (r *reads) needs(s ast.Stmt) bool {
	pending, found := false, false
	init, operands := r.parts(s)
	if init != nil && *init != nil && r.needs(*init) {
		return true
	}
	if a, ok := s.(*ast.AssignStmt); ok && a.Tok != token.ASSIGN && a.Tok != token.DEFINE {
		// Of x op= y, x is read, too.
		lhs := a.Lhs[0]
		pending = r.changeable(lhs) || r.kind(lhs) == early
	}
	r.level(operands, &pending, &found)
	return found
}

// level looks at operands that are evaluated one after the other. Pending is whether one
// has been named that a call may change; found, whether a call came then.
func (r *reads) level(operands []*ast.Expr, pending, found *bool) {
	for _, e := range operands {
		inner := false
		switch k := r.kind(*e); k {
		case none:
		case plain:
			r.level(r.operands(*e), pending, found)
			*pending = *pending || r.changeable(*e)
		case whole:
			*found = *found || *pending
			r.level(r.operands(*e)[:1], &inner, found)
			inner = false
			r.level(r.operands(*e)[1:], &inner, found)
		default:
			r.level(r.operands(*e), &inner, found)
			*found = *found || *pending && (k == calling || r.calls(*e))
		}
	}
}
