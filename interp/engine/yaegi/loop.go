package yaegi

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/gokernel/gokernel/internal/eventloop"
)

func (l *lowering) push(f *flow) { l.fn.flow = append(l.fn.flow, f) }
func (l *lowering) pop()         { l.fn.flow = l.fn.flow[:len(l.fn.flow)-1] }

func (l *lowering) label(label string) {
	if label != "" {
		l.line("%s:", label)
	}
}

func (l *lowering) labeled(s *ast.LabeledStmt) {
	name := l.labelName(l.unit.info.Defs[s.Label])
	switch s.Stmt.(type) {
	case *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
		l.stmt(s.Stmt, name)
	default:
		l.line("%s:", name)
		l.stmt(s.Stmt, "")
	}
}

func (l *lowering) labelName(obj types.Object) string {
	n, ok := l.locals[obj]
	if !ok {
		n = l.w.fresh(obj.Name())
		l.locals[obj] = n
	}
	return n
}

// branch writes break, continue, goto and fallthrough.
func (l *lowering) branch(s *ast.BranchStmt) {
	label := ""
	if s.Label != nil {
		label = l.labelName(l.unit.info.Uses[s.Label])
	}
	switch s.Tok {
	case token.FALLTHROUGH:
		l.line("fallthrough")
		return
	case token.GOTO:
		for _, f := range l.fn.flow {
			if f.body {
				refuse(s.Pos(), "goto inside a range over a function", "use a labeled break or continue")
			}
		}
		l.line("goto %s", label)
		return
	}
	for i := len(l.fn.flow) - 1; i >= 0; i-- {
		f := l.fn.flow[i]
		if label != "" && f.label != label || label == "" && s.Tok == token.CONTINUE && !f.loop {
			continue
		}
		l.jump(s.Tok.String(), i)
		return
	}
	// The label belongs to a block.
	l.line("%s %s", s.Tok, label)
}

// jump writes a break or continue of the statement at an index of the flow.
func (l *lowering) jump(what string, target int) {
	inner := l.innerBody()
	f := l.fn.flow[target]
	switch {
	case inner > target:
		l.leave(fmt.Sprintf("%s %d", what, target), inner)
	case f.body:
		l.line("return %v", what == "continue")
	case f.label != "":
		l.line("%s %s", what, f.label)
	default:
		l.line("%s", what)
	}
}

// innerBody returns the index of the innermost range over a function, or -1.
func (l *lowering) innerBody() int {
	for i := len(l.fn.flow) - 1; i >= 0; i-- {
		if l.fn.flow[i].body {
			return i
		}
	}
	return -1
}

// leave ends the innermost range over a function, and records the branch to execute after it.
func (l *lowering) leave(what string, _ int) {
	f := l.fn.flow[l.innerBody()]
	code, ok := f.exits[what]
	if !ok {
		code = len(f.exits) + 1
		f.exits[what] = code
		f.order = append(f.order, what)
	}
	l.line("%s = %d", f.control, code)
	l.line("return false")
}

// perform executes, after a range over a function, the branch that its body requested.
func (l *lowering) perform(what string) {
	if what == "return" {
		if l.innerBody() >= 0 {
			l.leave(what, 0)
		} else {
			l.line("return %s", strings.Join(l.fn.results, ", "))
		}
		return
	}
	var target int
	verb, index, _ := strings.Cut(what, " ")
	fmt.Sscan(index, &target)
	l.jump(verb, target)
}

// yieldEvery is the number of iterations and calls between two yields to the event loop.
const yieldEvery = 1 << 10

// yield writes code that lets a browser handle messages while the program runs, at every iteration
// of a loop and every call.
func (l *lowering) yield() {
	if eventloop.Needed {
		l.line("%s++\nif %s%%%d == 0 {\n%s()\n}", l.w.rounds, l.w.rounds, yieldEvery, l.host("Yield"))
	}
}

func (l *lowering) forStmt(s *ast.ForStmt, label string) {
	l.line("{")
	if s.Init != nil {
		l.stmt(s.Init, "")
	}
	var vars []*types.Var
	if init, ok := s.Init.(*ast.AssignStmt); ok && init.Tok == token.DEFINE {
		for _, e := range init.Lhs {
			if v, ok := l.unit.info.Defs[e.(*ast.Ident)].(*types.Var); ok && l.captured(v, s) {
				vars = append(vars, v)
			}
		}
	}
	cond := func() string {
		if s.Cond == nil {
			return ""
		}
		return l.expr(s.Cond)
	}
	post := func() {
		if s.Post != nil {
			l.mark(s.Post)
			l.stmt(s.Post, "")
		}
	}
	l.push(&flow{label: label, loop: true})
	if vars == nil {
		l.label(label)
		simple := ""
		if s.Post != nil {
			simple = l.simple(s.Post)
		}
		if strings.Contains(simple, "\n") {
			vars = nil
			refuse(s.Post.Pos(), "a loop whose post statement declares variables", "move it to the end of the body")
		}
		l.line("for ; %s; %s {", cond(), simple)
		l.yield()
		l.block(s.Body.List)
	} else {
		l.freshEachRound(vars, label, cond, post, s.Body)
	}
	l.pop()
	l.line("}")
	l.line("}")
}

// freshEachRound writes a loop whose variables outlive their iteration. In each iteration, each
// variable is replaced with a pointer to a new variable.
func (l *lowering) freshEachRound(vars []*types.Var, label string, cond func() string, post func(), body *ast.BlockStmt) {
	held := make([]string, len(vars))
	for i, v := range vars {
		held[i] = l.w.fresh(v.Name())
		typ := l.typ(v.Type(), v.Pos())
		l.line("%s := new(%s)", held[i], typ)
		l.line("*%s = %s", held[i], l.variable(v))
		put(l.w, l.alias, types.Object(v), "(*"+held[i]+")")
	}
	first := l.w.fresh("first")
	l.line("%s := true", first)
	l.label(label)
	l.line("for {")
	l.line("if %s {\n%s = false\n} else {", first, first)
	for i, v := range vars {
		next := l.w.fresh(v.Name())
		l.line("%s := new(%s)\n*%s = *%s\n%s = %s", next, l.typ(v.Type(), v.Pos()), next, held[i], held[i], next)
	}
	post()
	l.line("}")
	if c := cond(); c != "" {
		l.line("if !(%s) {\nbreak\n}", c)
	}
	for i, v := range vars {
		round := l.w.fresh(v.Name())
		l.line("%s := %s", round, held[i])
		put(l.w, l.alias, types.Object(v), "(*"+round+")")
	}
	l.yield()
	l.block(body.List)
	for i, v := range vars {
		put(l.w, l.alias, types.Object(v), "(*"+held[i]+")")
	}
}

// simple returns the source of a simple statement on one line.
func (l *lowering) simple(s ast.Stmt) string {
	var b strings.Builder
	outer := l.out
	l.out = &b
	switch s := s.(type) {
	case *ast.AssignStmt:
		l.line("%s", l.assign(s))
	case *ast.IncDecStmt:
		l.line("%s%s", l.expr(s.X), s.Tok)
	default:
		l.line("%s", l.expr(s.(*ast.ExprStmt).X))
	}
	l.out = outer
	return strings.TrimSuffix(b.String(), "\n")
}

func (l *lowering) rangeStmt(s *ast.RangeStmt, label string) {
	t := l.typeOf(s.X)
	l.line("{")
	l.mark(s.X)
	switch u := coreType(t).(type) {
	case *types.Basic:
		if u.Info()&types.IsInteger != 0 {
			l.rangeInt(s, label)
		} else {
			l.rangeElems(s, label, l.typed(s.X, t))
		}
	case *types.Signature:
		l.rangeFunc(s, label, u)
	default:
		l.rangeElems(s, label, l.expr(s.X))
	}
	l.line("}")
}

func coreType(t types.Type) types.Type {
	u := t.Underlying()
	if p, ok := u.(*types.Pointer); ok {
		return p.Elem().Underlying()
	}
	return u
}

// element returns the name of an iteration's key or value, and the statement with which the
// iteration begins.
func (l *lowering) element(s *ast.RangeStmt, e ast.Expr) (name, first string) {
	if id, ok := e.(*ast.Ident); e == nil || ok && id.Name == "_" {
		return "_", ""
	}
	if s.Tok == token.DEFINE {
		v := l.unit.info.Defs[e.(*ast.Ident)].(*types.Var)
		if !l.changed(v, s.Body) {
			return l.variable(v), ""
		}
		name = l.w.fresh("e")
		return name, l.variable(v) + " := " + name
	}
	name = l.w.fresh("e")
	return name, l.expr(e) + " = " + name
}

func (l *lowering) rangeInt(s *ast.RangeStmt, label string) {
	t := l.typeOf(s.X)
	if s.Key != nil {
		if kt := l.unit.info.TypeOf(s.Key); kt != nil {
			t = subst(kt, l.env)
		}
	}
	typ := l.typ(t, s.Pos())
	name, first := l.element(s, s.Key)
	if name == "_" {
		name = l.w.fresh("i")
	}
	n := l.w.fresh("n")
	l.line("var %s %s = %s", n, typ, l.typed(s.X, t))
	l.push(&flow{label: label, loop: true})
	l.label(label)
	l.line("for %s := %s(0); %s < %s; %s++ {", name, typ, name, n, name)
	if first != "" {
		l.line("%s", first)
	}
	l.yield()
	l.block(s.Body.List)
	l.pop()
	l.line("}")
}

func (l *lowering) rangeElems(s *ast.RangeStmt, label, x string) {
	key, first := l.element(s, s.Key)
	value, second := l.element(s, s.Value)
	if key == "_" && value == "_" {
		key = l.w.fresh("k")
	}
	var begin []string
	if b, ok := coreType(l.typeOf(s.X)).(*types.Basic); ok && b.Info()&types.IsString != 0 && key != "_" {
		// After invalid bytes, the interpreter's byte offsets are wrong.
		at, chars, k := l.w.fresh("at"), l.w.fresh("chars"), l.w.fresh("k")
		l.line("%s, %s := %s(string(%s))", at, chars, l.host("Runes"), x)
		begin = append(begin, key+" := "+at+"["+k+"]")
		if value != "_" {
			begin = append(begin, value+" := "+chars+"["+k+"]")
		}
		key, value, x = k, "_", at
	}
	l.push(&flow{label: label, loop: true})
	l.label(label)
	if value == "_" {
		l.line("for %s := range %s {", key, x)
	} else {
		l.line("for %s, %s := range %s {", key, value, x)
	}
	for _, f := range append(begin, first, second) {
		if f != "" {
			l.line("%s", f)
		}
	}
	l.yield()
	l.block(s.Body.List)
	l.pop()
	l.line("}")
}

// rangeFunc writes a range over a function as a call of the function.
func (l *lowering) rangeFunc(s *ast.RangeStmt, label string, sig *types.Signature) {
	yield := sig.Params().At(0).Type().Underlying().(*types.Signature)
	f := &flow{label: label, loop: true, body: true, control: l.w.fresh("control"), exits: map[string]int{}}
	names := make([]string, yield.Params().Len())
	var begin []string
	for i, e := range []ast.Expr{s.Key, s.Value}[:len(names)] {
		name, first := l.element(s, e)
		if name == "_" {
			name = l.w.fresh("e")
		}
		names[i] = name
		if first != "" {
			begin = append(begin, first)
		}
	}
	l.line("%s := 0", f.control)
	outer := l.out
	var b strings.Builder
	l.out = &b
	l.push(f)
	for _, first := range begin {
		l.line("%s", first)
	}
	l.block(s.Body.List)
	l.line("return true")
	l.pop()
	l.out = outer
	l.line("(%s)(func%s {\n%s})", l.expr(s.X), l.signature(yield, s.Pos(), names), b.String())
	for _, what := range f.order {
		l.line("if %s == %d {", f.control, f.exits[what])
		l.perform(what)
		l.line("}")
	}
}

// captured reports whether a variable can outlive its iteration of a loop.
func (l *lowering) captured(v *types.Var, n ast.Node) bool {
	found := false
	var in func(n ast.Node, lit bool)
	in = func(n ast.Node, lit bool) {
		ast.Inspect(n, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				if !lit {
					in(n.Body, true)
					return false
				}
			case *ast.UnaryExpr:
				found = found || n.Op == token.AND && l.root(n.X) == v
			case *ast.SliceExpr:
				found = found || l.root(n.X) == v
			case *ast.SelectorExpr:
				if s := l.unit.info.Selections[n]; s != nil && s.Kind() != types.FieldVal {
					found = found || l.root(n.X) == v
				}
			case *ast.Ident:
				found = found || lit && l.unit.info.Uses[n] == v
			case *ast.RangeStmt:
				// Its body may become a separate function.
				if _, ok := l.typeOf(n.X).Underlying().(*types.Signature); ok && !lit {
					in(n.Body, true)
				}
			}
			return !found
		})
	}
	in(n, false)
	return found
}

// changed reports whether the body of a loop assigns to a variable of its iteration or lets it
// outlive the iteration.
func (l *lowering) changed(v *types.Var, body *ast.BlockStmt) bool {
	if l.captured(v, body) {
		return true
	}
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				found = found || l.root(e) == v
			}
		case *ast.IncDecStmt:
			found = found || l.root(n.X) == v
		case *ast.RangeStmt:
			found = found || n.Tok == token.ASSIGN && (n.Key != nil && l.root(n.Key) == v || n.Value != nil && l.root(n.Value) == v)
		}
		return !found
	})
	return found
}

// root returns the variable that an operand is, or of which the operand is a part.
func (l *lowering) root(e ast.Expr) *types.Var {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.Ident:
			v, _ := l.unit.info.Uses[x].(*types.Var)
			return v
		case *ast.SelectorExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		default:
			return nil
		}
	}
}
