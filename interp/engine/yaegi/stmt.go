package yaegi

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// function is the function whose body is being written.
type function struct {
	sig     *types.Signature
	name    string
	results []string // names of the results, if they are named
	flow    []*flow  // what break, continue and return go through, outermost first
}

// flow is a statement that branches refer to, or the body of a range over a function, which
// branches must leave by a return.
type flow struct {
	label   string
	loop    bool // continue can refer to it
	body    bool // a range over a function
	control string
	exits   map[string]int // branches that leave the body, by what to do outside
	order   []string
}

func (l *lowering) block(list []ast.Stmt) {
	for _, s := range list {
		l.stmt(s, "")
	}
}

func (l *lowering) line(format string, args ...any) {
	fmt.Fprintf(l.out, format+"\n", args...)
}

// mark sets the position of the next statement, which may panic.
func (l *lowering) mark(n ast.Node) {
	if !l.mayPanic(n) || l.unit.number == 0 {
		return
	}
	l.line("%s = %d", l.w.position, l.w.positionOf(l.unit, n.Pos()))
}

func (l *lowering) mayPanic(n ast.Node) bool {
	risky := false
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.BlockStmt:
			return false
		case *ast.CallExpr, *ast.IndexExpr, *ast.SliceExpr, *ast.StarExpr, *ast.TypeAssertExpr, *ast.SendStmt:
			if tv, ok := l.unit.info.Types[asExpr(n)]; !ok || tv.Value == nil && !tv.IsType() {
				risky = true
			}
		case *ast.SelectorExpr:
			if s := l.unit.info.Selections[n]; s != nil && s.Indirect() {
				risky = true
			}
		case *ast.BinaryExpr:
			if n.Op == token.QUO || n.Op == token.REM {
				risky = risky || l.unit.info.Types[n.Y].Value == nil
			}
		}
		return !risky
	})
	return risky
}

func (l *lowering) stmt(s ast.Stmt, label string) {
	switch s := s.(type) {
	case *ast.EmptyStmt:
	case *ast.BlockStmt:
		l.line("{")
		l.block(s.List)
		l.line("}")
	case *ast.ExprStmt:
		l.mark(s.X)
		l.line("%s", l.expr(s.X))
	case *ast.SendStmt:
		l.line("%s = %d", l.w.position, l.w.positionOf(l.unit, s.Pos()))
		l.line("%s <- %s", l.expr(s.Chan), l.convert(s.Value, l.typeOf(s.Chan).Underlying().(*types.Chan).Elem()))
	case *ast.IncDecStmt:
		l.mark(s.X)
		l.line("%s%s", l.expr(s.X), s.Tok)
	case *ast.AssignStmt:
		l.mark(s)
		if !l.tupleAssign(s) {
			l.line("%s", l.assign(s))
		}
	case *ast.DeclStmt:
		l.declStmt(s.Decl.(*ast.GenDecl))
	case *ast.GoStmt:
		l.mark(s.Call)
		l.start(s)
	case *ast.DeferStmt:
		l.mark(s.Call)
		l.deferStmt(s)
	case *ast.ReturnStmt:
		l.mark(s)
		l.returnStmt(s)
	case *ast.BranchStmt:
		l.branch(s)
	case *ast.LabeledStmt:
		l.labeled(s)
	case *ast.IfStmt:
		l.ifStmt(s)
	case *ast.ForStmt:
		l.forStmt(s, label)
	case *ast.RangeStmt:
		l.rangeStmt(s, label)
	case *ast.SwitchStmt:
		l.switchStmt(s, label)
	case *ast.TypeSwitchStmt:
		l.typeSwitch(s, label)
	case *ast.SelectStmt:
		l.selectStmt(s, label)
	default:
		panic(fmt.Sprintf("yaegi: no form for the statement %T", s))
	}
}

// declStmt writes a declaration statement.
func (l *lowering) declStmt(d *ast.GenDecl) {
	if d.Tok != token.VAR {
		return // constants are folded, types are declared when used
	}
	for _, spec := range d.Specs {
		spec := spec.(*ast.ValueSpec)
		l.mark(spec)
		names := make([]string, len(spec.Names))
		for i, id := range spec.Names {
			names[i] = "_"
			if v, ok := l.unit.info.Defs[id].(*types.Var); ok && id.Name != "_" {
				names[i] = l.variable(v)
			}
		}
		if len(spec.Values) == 1 && len(names) > 1 {
			l.line("%s := %s", strings.Join(names, ", "), l.expr(spec.Values[0]))
			continue
		}
		for i, id := range spec.Names {
			var t types.Type
			if v := l.unit.info.Defs[id]; v != nil {
				t = v.Type()
			} else {
				t = l.unit.info.TypeOf(spec.Type)
			}
			switch {
			case spec.Values == nil && names[i] != "_":
				l.line("var %s %s", names[i], l.typ(t, id.Pos()))
			case spec.Values != nil && names[i] == "_":
				l.line("_ = %s", l.convert(spec.Values[i], t))
			case spec.Values != nil:
				l.line("var %s %s = %s", names[i], l.typ(t, id.Pos()), l.convert(spec.Values[i], t))
			}
		}
	}
}

// hoistArgs evaluates the operands of a call that a go or defer statement makes later.
func (l *lowering) hoistArgs(c *ast.CallExpr) string {
	if lit, ok := ast.Unparen(c.Fun).(*ast.FuncLit); ok && len(c.Args) == 0 {
		return l.expr(lit) + "()"
	}
	if l.unit.info.Types[c.Fun].IsBuiltin() {
		arg := ""
		if len(c.Args) > 0 {
			var parts []string
			for _, a := range c.Args {
				parts = append(parts, l.temp(l.expr(a)))
			}
			arg = strings.Join(parts, ", ")
		}
		return calleeIdent(c.Fun).Name + "(" + arg + ")"
	}
	l.checkCall(c)
	sig := l.typeOf(c.Fun).Underlying().(*types.Signature)
	fun, args := "", []string{}
	if sel, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr); ok && l.unit.info.Selections[sel] != nil && l.unit.info.Selections[sel].Kind() == types.MethodVal {
		recv, fn, m := l.receiver(sel)
		sig = m.Signature()
		if l.isCompiled(m) {
			_, wantPtr := m.Signature().Recv().Type().(*types.Pointer)
			if _, havePtr := l.typeOf(sel.X).Underlying().(*types.Pointer); wantPtr && !havePtr && len(l.unit.info.Selections[sel].Index()) == 1 {
				recv = "&" + recv
			}
			fun = l.temp(recv) + "." + m.Name()
		} else {
			fun, args = fn, []string{l.temp(recv)}
		}
	} else if fun = l.callee(c.Fun); !l.isDeclared(c.Fun) {
		fun = l.temp(fun)
	}
	if len(c.Args) == 1 {
		if _, ok := l.typeOf(c.Args[0]).(*types.Tuple); ok {
			refuse(c.Pos(), "go or defer of a call that takes several results", "assign them to variables first")
		}
	}
	n := sig.Params().Len()
	for i, a := range c.Args {
		t := l.typeOf(a)
		if i < n-1 || i < n && (!sig.Variadic() || c.Ellipsis.IsValid()) {
			t = sig.Params().At(i).Type()
		} else if sl, ok := sig.Params().At(n - 1).Type().Underlying().(*types.Slice); ok {
			t = sl.Elem()
		}
		s := l.convert(a, t)
		if l.unit.info.Types[a].Value == nil && !l.unit.info.Types[a].IsNil() {
			v := l.w.fresh("v")
			l.line("var %s %s = %s", v, l.typ(t, a.Pos()), s)
			s = v
		}
		args = append(args, s)
	}
	if c.Ellipsis.IsValid() {
		args[len(args)-1] += "..."
	}
	return fun + "(" + strings.Join(args, ", ") + ")"
}

// isDeclared reports whether e is the name of a declared function, which need not be evaluated
// early.
func (l *lowering) isDeclared(e ast.Expr) bool {
	id := calleeIdent(e)
	if id == nil {
		return false
	}
	_, ok := l.unit.info.Uses[id].(*types.Func)
	return ok
}

func (l *lowering) temp(value string) string {
	v := l.w.fresh("v")
	l.line("%s := %s", v, value)
	return v
}

// start writes a go statement. The new goroutine reports its panic.
func (l *lowering) start(s *ast.GoStmt) {
	l.line("{")
	call := l.hoistArgs(s.Call)
	open := strings.LastIndex(call, "(")
	if strings.HasSuffix(call, "}()") || l.unit.info.Types[s.Call.Fun].IsBuiltin() {
		l.line("go func() {\n%s%s\n}()", l.reporting(s.Pos()), call)
		l.line("}")
		return
	}
	// The function and its arguments become parameters: a literal would see the variables of a
	// later iteration.
	sig := l.typeOf(s.Call.Fun).Underlying().(*types.Signature)
	var args []string
	if list := strings.TrimSuffix(call[open+1:], ")"); list != "" {
		args = strings.Split(list, ", ")
	}
	names := make([]string, sig.Params().Len())
	pass := make([]string, len(names))
	for i := range names {
		names[i] = l.w.fresh("p")
		pass[i] = names[i]
		if sig.Variadic() && i == len(names)-1 {
			pass[i] += "..."
		}
	}
	fun := l.w.fresh("f")
	value := call[:open]
	if extra := len(args) - len(s.Call.Args); extra > 0 { // a method, whose receiver comes first
		value = fmt.Sprintf("func() func%s { r := %s; return func%s { %s(%s) } }()", l.signature(sig, s.Pos(), nil), args[0],
			l.signature(sig, s.Pos(), names), returns(sig)+call[:open], strings.Join(append([]string{"r"}, pass...), ", "))
		args = args[1:]
	}
	head := l.signature(types.NewSignatureType(nil, nil, nil, sig.Params(), nil, sig.Variadic()), s.Pos(), names)
	head = "(" + fun + " func" + l.signature(sig, s.Pos(), nil) + map[bool]string{true: ", "}[len(names) > 0] + head[1:]
	l.line("go func%s {\n%s%s(%s)\n}(%s)", head, l.reporting(s.Pos()), fun, strings.Join(pass, ", "), strings.Join(append([]string{value}, args...), ", "))
	l.line("}")
}

// reporting returns the source of the deferred call with which a goroutine reports its panic.
func (l *lowering) reporting(pos token.Pos) string {
	r := l.w.fresh("r")
	return fmt.Sprintf("defer func() {\nif %s := recover(); %s != nil {\n%s(%d, %s)\n}\n}()\n", r, r, l.host("Panicked"), l.w.positionOf(l.unit, pos), r)
}

func (l *lowering) deferStmt(s *ast.DeferStmt) {
	for _, f := range l.fn.flow {
		if f.body {
			refuse(s.Pos(), "defer inside a range over a function", "collect the values in a slice and range over the slice, or move the loop's body into a function")
		}
		if f.loop && (len(s.Call.Args) > 0 || !l.isDeclared(s.Call.Fun)) {
			refuse(s.Pos(), "defer with computed arguments in a loop", "move the loop's body into a function")
		}
	}
	l.line("defer %s", l.hoistArgs(s.Call))
}

func (l *lowering) returnStmt(s *ast.ReturnStmt) {
	var values []string
	res := l.fn.sig.Results()
	for i, e := range s.Results {
		if len(s.Results) == res.Len() {
			values = append(values, l.convert(e, res.At(i).Type()))
		} else {
			values = append(values, l.expr(e))
		}
	}
	if len(values) > 1 && len(l.fn.results) > 0 {
		// The values may use the result variables, so evaluate all of them first.
		for i, e := range s.Results {
			v := l.w.fresh("v")
			l.line("var %s %s = %s", v, l.typ(subst(res.At(i).Type(), l.env), e.Pos()), values[i])
			values[i] = v
		}
	}
	body := -1
	for i, f := range l.fn.flow {
		if f.body {
			body = i
			break
		}
	}
	if body < 0 {
		l.line("return %s", strings.Join(values, ", "))
		return
	}
	if len(values) > 0 {
		l.line("%s = %s", strings.Join(l.resultNames(), ", "), strings.Join(values, ", "))
	}
	l.leave("return", body)
}

// resultNames returns the variables that hold the results while branches leave bodies of ranges
// over functions.
func (l *lowering) resultNames() []string { return l.fn.results }

func (l *lowering) ifStmt(s *ast.IfStmt) {
	l.line("{")
	if s.Init != nil {
		l.stmt(s.Init, "")
	}
	l.mark(s.Cond)
	l.line("if %s {", l.expr(s.Cond))
	l.block(s.Body.List)
	if s.Else != nil {
		l.line("} else {")
		l.stmt(s.Else, "")
	}
	l.line("}")
	l.line("}")
}

func (l *lowering) switchStmt(s *ast.SwitchStmt, label string) {
	l.line("{")
	if s.Init != nil {
		l.stmt(s.Init, "")
	}
	tag := ""
	var t types.Type
	if s.Tag != nil {
		l.mark(s.Tag)
		t = l.typeOf(s.Tag)
		tag = l.temp(l.typed(s.Tag, t))
	}
	l.label(label)
	l.line("switch %s {", tag)
	l.push(&flow{label: label})
	for _, c := range s.Body.List {
		c := c.(*ast.CaseClause)
		l.clause(c.List, t == nil, func(e ast.Expr) string {
			if t != nil {
				return l.typed(e, t)
			}
			return "(" + l.expr(e) + ")"
		})
		l.block(c.Body)
	}
	l.pop()
	l.line("}")
	l.line("}")
}

func (l *lowering) clause(list []ast.Expr, isTagless bool, form func(ast.Expr) string) {
	if list == nil {
		l.line("default:")
		return
	}
	parts := make([]string, len(list))
	for i, e := range list {
		parts[i] = form(e)
	}
	sep := ", "
	if isTagless {
		sep = " || " // the interpreter reads only one of several conditions
	}
	l.line("case %s:", strings.Join(parts, sep))
}

// typeSwitch writes a type switch as a switch over the number of the first clause whose type
// matches, because the interpreter's own type switch doesn't match interfaces.
func (l *lowering) typeSwitch(s *ast.TypeSwitchStmt, label string) {
	l.line("{")
	if s.Init != nil {
		l.stmt(s.Init, "")
	}
	var x ast.Expr
	switch a := s.Assign.(type) {
	case *ast.ExprStmt:
		x = a.X.(*ast.TypeAssertExpr).X
	case *ast.AssignStmt:
		x = a.Rhs[0].(*ast.TypeAssertExpr).X
	}
	l.mark(x)
	value, number := l.w.fresh("v"), l.w.fresh("clause")
	l.line("var %s %s = %s", value, l.typ(l.typeOf(x), x.Pos()), l.expr(x))
	l.line("%s := -1", number)
	for i, c := range s.Body.List {
		for _, e := range c.(*ast.CaseClause).List {
			if l.unit.info.Types[e].IsNil() {
				l.line("if %s < 0 && %s == nil {\n%s = %d\n}", number, value, number, i)
				continue
			}
			ok := l.w.fresh("ok")
			l.line("if %s < 0 && %s != nil {\nif _, %s := %s; %s {\n%s = %d\n}\n}", number, value, ok, l.assert(value, x, l.typeOf(e), e.Pos()), ok, number, i)
		}
	}
	l.label(label)
	l.line("switch %s {", number)
	l.push(&flow{label: label})
	for i, c := range s.Body.List {
		c := c.(*ast.CaseClause)
		if c.List == nil {
			l.line("default:")
		} else {
			l.line("case %d:", i)
		}
		if v, ok := l.unit.info.Implicits[c].(*types.Var); ok {
			if len(c.List) == 1 && !l.unit.info.Types[c.List[0]].IsNil() {
				l.line("%s := %s", l.variable(v), l.assert(value, x, l.typeOf(c.List[0]), c.Pos()))
			} else {
				l.line("%s := %s", l.variable(v), value)
			}
		}
		l.block(c.Body)
	}
	l.pop()
	l.line("}")
	l.line("}")
}

// assert returns the source of a type assertion of value, which is the value of x.
func (l *lowering) assert(value string, x ast.Expr, to types.Type, pos token.Pos) string {
	l.checkAssert(x, to, pos)
	return value + ".(" + l.typ(to, pos) + ")"
}

// selectStmt writes a select as a switch over the result of a call that chooses a case, because the
// interpreter shares the cases of a select among all goroutines. The operands are evaluated first,
// in order.
func (l *lowering) selectStmt(s *ast.SelectStmt, label string) {
	if len(s.Body.List) == 0 {
		l.line("select {}")
		return
	}
	l.line("{")
	blocks := "true"
	args := ""
	// The variables for the received value and for ok, by clause.
	value, more := make([]string, len(s.Body.List)), make([]string, len(s.Body.List))
	operands := func(i int, op ast.Expr, send ast.Expr) {
		elem := l.typeOf(op).Underlying().(*types.Chan).Elem()
		ch := l.temp(l.expr(op))
		value[i], more[i] = l.w.fresh("v"), l.w.fresh("ok")
		if send != nil {
			l.line("var %s %s = %s", value[i], l.typ(elem, op.Pos()), l.convert(send, elem))
			args += fmt.Sprintf(", %d, %s, &%s, 0", i, ch, value[i])
			return
		}
		l.line("var %s %s\nvar %s bool", value[i], l.typ(elem, op.Pos()), more[i])
		args += fmt.Sprintf(", %d, %s, &%s, &%s", i, ch, value[i], more[i])
	}
	for i, c := range s.Body.List {
		switch comm := c.(*ast.CommClause).Comm.(type) {
		case nil:
			blocks = "false"
		case *ast.SendStmt:
			operands(i, comm.Chan, comm.Value)
		case *ast.ExprStmt:
			operands(i, ast.Unparen(comm.X).(*ast.UnaryExpr).X, nil)
		case *ast.AssignStmt:
			operands(i, ast.Unparen(comm.Rhs[0]).(*ast.UnaryExpr).X, nil)
		}
	}
	chosen := l.temp(l.host("Select") + "(" + blocks + args + ")")
	l.label(label)
	l.line("switch %s {", chosen)
	l.push(&flow{label: label})
	for i, c := range s.Body.List {
		c := c.(*ast.CommClause)
		if c.Comm == nil {
			l.line("case -1:")
		} else {
			l.line("case %d:", i)
		}
		if comm, ok := c.Comm.(*ast.AssignStmt); ok {
			for k, e := range comm.Lhs {
				from := [...]string{value[i], more[i]}[k]
				if id, ok := e.(*ast.Ident); ok && id.Name == "_" {
					continue
				} else if v, ok := l.unit.info.Defs[id].(*types.Var); ok && comm.Tok == token.DEFINE {
					l.line("var %s %s = %s", l.variable(v), l.typ(subst(v.Type(), l.env), e.Pos()), from)
				} else {
					l.line("%s = %s", l.expr(e), from)
				}
			}
		}
		l.block(c.Body)
	}
	l.line("case -2:\nselect {}") // the cell is being stopped
	l.pop()
	l.line("}\n}")
}

// asExpr returns n as an expression, or nil if it is a statement.
func asExpr(n ast.Node) ast.Expr {
	e, _ := n.(ast.Expr)
	return e
}
