package ssa

import (
	"go/ast"
	"go/token"
	"go/types"
)

// This file decides which statements order.go has to split: statements that read something before a
// call that may change it.

// sharedVars returns the local variables that may be changed by something other than the statements
// of their own function: by a function literal, or through their address.
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

// An operand is the position of an expression in another expression or in a statement.
type operand struct {
	at   *ast.Expr
	temp bool // the compiler always copies it to a temporary variable
}

// parts returns the operands of a statement in the order of their evaluation, including the
// operands of assignment targets. init is the initialization of the statement, which is evaluated
// first.
func (r *reads) parts(s ast.Stmt) (init *ast.Stmt, operands []operand) {
	switch s := s.(type) {
	case *ast.LabeledStmt:
		switch s.Stmt.(type) {
		case *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
			return nil, nil // such a statement must follow its label directly
		}
		return r.parts(s.Stmt)
	case *ast.ExprStmt:
		operands = []operand{{at: &s.X}}
	case *ast.SendStmt:
		operands = []operand{{at: &s.Chan}, {at: &s.Value}}
	case *ast.IncDecStmt:
		operands = r.operands(ast.Unparen(s.X))
	case *ast.AssignStmt:
		for _, e := range s.Lhs {
			operands = append(operands, r.operands(ast.Unparen(e))...)
		}
		for i := range s.Rhs {
			var to types.Type
			if s.Tok == token.ASSIGN && len(s.Lhs) == len(s.Rhs) {
				to = r.info.TypeOf(s.Lhs[i])
			}
			operands = append(operands, operand{&s.Rhs[i], r.boxed(s.Rhs[i], to)})
		}
	case *ast.GoStmt:
		operands = r.operands(s.Call)
	case *ast.DeferStmt:
		operands = r.operands(s.Call)
	case *ast.ReturnStmt:
		t := r.returned[s]
		for i := range s.Results {
			var to types.Type
			if t != nil && t.Len() == len(s.Results) {
				to = t.At(i).Type()
			}
			operands = append(operands, operand{&s.Results[i], r.boxed(s.Results[i], to)})
		}
	case *ast.DeclStmt:
		if d := s.Decl.(*ast.GenDecl); d.Tok == token.VAR && len(d.Specs) == 1 {
			spec := d.Specs[0].(*ast.ValueSpec)
			for i := range spec.Values {
				var to types.Type
				if spec.Type != nil {
					to = r.info.TypeOf(spec.Type)
				}
				operands = append(operands, operand{&spec.Values[i], r.boxed(spec.Values[i], to)})
			}
		}
	case *ast.IfStmt:
		return &s.Init, []operand{{at: &s.Cond}}
	case *ast.SwitchStmt:
		if s.Tag != nil {
			return &s.Init, []operand{{at: &s.Tag}}
		}
	case *ast.TypeSwitchStmt:
		return &s.Init, []operand{{at: &guard(s).X}}
	case *ast.RangeStmt:
		operands = []operand{{at: &s.X}}
	case *ast.SelectStmt:
		for _, c := range s.Body.List {
			operands = append(operands, communicates(c.(*ast.CommClause).Comm)...)
		}
	}
	return nil, operands
}

// guard returns the x.(type) of a type switch.
func guard(s *ast.TypeSwitchStmt) *ast.TypeAssertExpr {
	switch a := s.Assign.(type) {
	case *ast.AssignStmt:
		return ast.Unparen(a.Rhs[0]).(*ast.TypeAssertExpr)
	case *ast.ExprStmt:
		return ast.Unparen(a.X).(*ast.TypeAssertExpr)
	}
	panic("a type switch without a type")
}

// communicates returns the channel of a select case and, for a send, the value. A select statement
// evaluates these operands one after the other, in source order.
func communicates(s ast.Stmt) []operand {
	from := func(e ast.Expr) []operand {
		return []operand{{&ast.Unparen(e).(*ast.UnaryExpr).X, true}}
	}
	switch s := s.(type) {
	case *ast.SendStmt:
		return []operand{{&s.Chan, true}, {&s.Value, true}}
	case *ast.ExprStmt:
		return from(s.X)
	case *ast.AssignStmt:
		return from(s.Rhs[0])
	}
	return nil
}

// reads finds the reads in an expression whose values a call may change.
type reads struct {
	info     *types.Info
	shared   map[types.Object]bool
	returned map[*ast.ReturnStmt]*types.Tuple // result types of the statement's function
}

// readsOf returns the reads of a node. The second argument is the function's signature if the node
// is a function, and nil otherwise.
func readsOf(n ast.Node, of *types.Signature, info *types.Info) reads {
	r := reads{info: info, shared: sharedVars(n, info), returned: map[*ast.ReturnStmt]*types.Tuple{}}
	r.returns(n, of)
	return r
}

func (r *reads) returns(n ast.Node, of *types.Signature) {
	ast.Inspect(n, func(in ast.Node) bool {
		switch in := in.(type) {
		case *ast.FuncLit:
			if sig, ok := under(r.info, in).(*types.Signature); ok {
				r.returns(in.Body, sig)
			}
			return false
		case *ast.ReturnStmt:
			if of != nil {
				r.returned[in] = of.Results()
			}
		}
		return true
	})
}

// A kind is the way in which the compiler evaluates an expression.
type kind int

const (
	plain   kind = iota // evaluated when it is needed, like its operands
	early               // copied to a temporary variable
	calling             // copied like early, and it may change variables
	whole               // copied like early, and its operands are evaluated as a part of it
	none                // a constant, a type or a function
)

// kind returns the kind of an expression.
func (r *reads) kind(e ast.Expr) kind {
	tv := r.info.Types[e]
	if tv.Value != nil || tv.IsType() || tv.IsBuiltin() || tv.IsNil() {
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
		if r.isMap(e.X) && fromBytes(r.info, e.Index) {
			return early
		}
	case *ast.CompositeLit:
		if r.isMap(e) && !r.constant(e) {
			return early
		}
	case *ast.TypeAssertExpr:
		if !direct(tv.Type) {
			return early
		}
	case *ast.BinaryExpr:
		if e.Op == token.LAND || e.Op == token.LOR {
			return whole
		}
	}
	return plain
}

// pure reports whether a call of a function neither changes variables nor depends on them, because
// the function's package has no variables.
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

// direct reports whether an interface holds values of a type directly in their data word.
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

// calls reports whether the evaluation of an expression calls a function or receives from a
// channel.
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

// operands returns the operands of an expression in the order of their evaluation.
func (r *reads) operands(e ast.Expr) (list []operand) {
	add := func(es ...*ast.Expr) {
		for _, e := range es {
			if *e != nil {
				list = append(list, operand{at: e})
			}
		}
	}
	// to appends an operand that is implicitly converted to another type.
	to := func(e *ast.Expr, t types.Type) {
		list = append(list, operand{e, r.boxed(*e, t)})
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		add(&e.X)
	case *ast.SelectorExpr:
		if r.info.Selections[e] != nil {
			add(&e.X)
		}
	case *ast.IndexExpr:
		if m, ok := under(r.info, e.X).(*types.Map); ok {
			add(&e.X)
			list = append(list, operand{&e.Index, !quick(m) && (!r.addressable(e.Index) || isInterface(m.Key()) && !isInterface(r.info.TypeOf(e.Index)))})
		} else if !r.info.Types[e.Index].IsType() {
			add(&e.X, &e.Index)
		}
	case *ast.SliceExpr:
		add(&e.X)
		for _, b := range []*ast.Expr{&e.Low, &e.High, &e.Max} {
			if *b != nil {
				list = append(list, operand{b, !r.named(*b)})
			}
		}
	case *ast.StarExpr:
		add(&e.X)
	case *ast.UnaryExpr:
		add(&e.X)
	case *ast.BinaryExpr:
		if comparison(e.Op) {
			to(&e.X, r.info.TypeOf(e.Y))
			to(&e.Y, r.info.TypeOf(e.X))
		} else {
			add(&e.X, &e.Y)
		}
	case *ast.TypeAssertExpr:
		add(&e.X)
	case *ast.CallExpr:
		add(&e.Fun)
		for i := range e.Args {
			to(&e.Args[i], r.parameter(e, i))
		}
	case *ast.CompositeLit:
		t := under(r.info, e)
		if p, ok := t.(*types.Pointer); ok {
			t = p.Elem().Underlying()
		}
		for i := range e.Elts {
			kv, ok := e.Elts[i].(*ast.KeyValueExpr)
			switch t := t.(type) {
			case *types.Struct:
				if ok {
					to(&kv.Value, r.info.TypeOf(kv.Key))
				} else {
					to(&e.Elts[i], t.Field(i).Type())
				}
			case *types.Map:
				to(&kv.Key, t.Key())
				to(&kv.Value, t.Elem())
			case interface{ Elem() types.Type }: // a slice or an array
				if ok {
					add(&kv.Key)
					to(&kv.Value, t.Elem())
				} else {
					to(&e.Elts[i], t.Elem())
				}
			default: // the type is a type parameter
				if ok {
					add(&kv.Value)
				} else {
					add(&e.Elts[i])
				}
			}
		}
	}
	return list
}

// changeable reports whether an expression itself, apart from its operands, reads something that a
// call may change, or may panic. The compiler evaluates operations that may panic after the calls.
func (r *reads) changeable(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BinaryExpr:
		return r.mayPanic(e)
	case *ast.TypeAssertExpr:
		return true
	case *ast.CallExpr:
		if !r.info.Types[ast.Unparen(e.Fun)].IsType() {
			return false
		}
		_, array := under(r.info, e).(*types.Array)
		_, pointer := under(r.info, e).(*types.Pointer)
		_, slice := under(r.info, e.Args[0]).(*types.Slice)
		return slice && (array || pointer)
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
		case *types.Slice, *types.Pointer, *types.Map, *types.Interface: // an interface constrains a type parameter
			return true
		case *types.Array, *types.Basic:
			return r.kind(e.Index) != none
		}
	case *ast.StarExpr:
		return true
	}
	return false
}

// mayPanic reports whether a binary operation may panic.
func (r *reads) mayPanic(e *ast.BinaryExpr) bool {
	switch e.Op {
	case token.QUO, token.REM:
		b, ok := under(r.info, e).(*types.Basic)
		return (!ok || b.Info()&types.IsInteger != 0) && r.kind(e.Y) != none
	case token.SHL, token.SHR:
		b, ok := under(r.info, e.Y).(*types.Basic)
		return (!ok || b.Info()&types.IsUnsigned == 0) && r.kind(e.Y) != none
	case token.EQL, token.NEQ:
		return r.kind(e.X) != none && r.kind(e.Y) != none && types.IsInterface(r.info.TypeOf(e.X)) && types.IsInterface(r.info.TypeOf(e.Y))
	}
	return false
}

// needs reports whether a statement reads something before a call that may change it.
func (r *reads) needs(s ast.Stmt) bool {
	pending, found := false, false
	if f := loop(s); f != nil {
		return f.Init != nil && r.needs(f.Init) || r.needsCond(f)
	}
	init, operands := r.parts(s)
	if init != nil && *init != nil && r.needs(*init) {
		return true
	}
	if a, ok := s.(*ast.AssignStmt); ok && a.Tok != token.ASSIGN && a.Tok != token.DEFINE {
		// x op= y also reads x.
		lhs := a.Lhs[0]
		pending = r.changeable(lhs) || r.kind(lhs) == early
	}
	r.level(operands, &pending, &found)
	return found
}

// needsCond reports whether the condition of a loop reads something before a call that may change
// it.
func (r *reads) needsCond(f *ast.ForStmt) bool {
	return f.Cond != nil && r.needs(&ast.ExprStmt{X: f.Cond})
}

// loop returns the statement as a loop, without its label, or nil if it is not a loop.
func loop(s ast.Stmt) *ast.ForStmt {
	if l, ok := s.(*ast.LabeledStmt); ok {
		s = l.Stmt
	}
	f, _ := s.(*ast.ForStmt)
	return f
}

// level visits operands that are evaluated one after the other. It sets pending when it reads an
// operand that a call may change, and found when a call follows such an operand.
func (r *reads) level(operands []operand, pending, found *bool) {
	for _, e := range operands {
		k := r.kind(*e.at)
		if k == none {
			continue
		}
		if k == plain && !e.temp {
			r.level(r.operands(*e.at), pending, found)
			*pending = *pending || r.changeable(*e.at)
			continue
		}
		*found = *found || *pending && r.calls(*e.at)
		for _, group := range r.groups(*e.at) {
			inner := false
			r.level(group, &inner, found)
		}
	}
}

// groups returns the operands of an expression in groups. Each group is evaluated before the next
// one: the sides of && and ||, and the entries of a map literal.
func (r *reads) groups(e ast.Expr) (groups [][]operand) {
	list := r.operands(e)
	by := len(list)
	switch e := e.(type) {
	case *ast.BinaryExpr:
		if e.Op == token.LAND || e.Op == token.LOR {
			by = 1
		}
	case *ast.CompositeLit:
		if r.isMap(e) {
			by = 2
		}
	}
	for len(list) > 0 {
		groups = append(groups, list[:by])
		list = list[by:]
	}
	return groups
}
