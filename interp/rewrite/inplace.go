package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/gokernel/gokernel/interp/check"
)

// w += x creates a new vector, because other variables may refer to the old one. If no other
// reference can exist, the old vector is overwritten, which is many times faster. That is the case
// if w has been assigned only new vectors, and is only read, indexed and passed to functions that
// do not keep it.

// inPlaceSuffix is the suffix of the functions of cellrt that overwrite their first vector.
const inPlaceSuffix = "In"

// InPlace makes updates such as w += x overwrite vectors to which there are no other references. It
// reports whether it has changed an update. The unit must then be checked again. Shared reports
// whether the vector of a variable of an earlier cell may have other references.
func (u *Unit) InPlace(r *check.Result, shared func(types.Object) bool) bool {
	if len(u.sites) == 0 {
		return false
	}
	held := u.Held(r)
	changed := false
	for _, f := range u.Files() {
		var funcs []ast.Node
		var stack []ast.Node
		ast.Inspect(f, func(n ast.Node) bool {
			if n == nil {
				if top := stack[len(stack)-1]; len(funcs) > 0 && funcs[len(funcs)-1] == top {
					funcs = funcs[:len(funcs)-1]
				}
				stack = stack[:len(stack)-1]
				return true
			}
			stack = append(stack, n)
			switch n := n.(type) {
			case *ast.FuncDecl, *ast.FuncLit:
				funcs = append(funcs, n)
			case *ast.AssignStmt:
				v, sel := update(n, r.Info)
				if v == nil || held[v] {
					return true
				}
				// The value of a session variable is known only while the statements of this cell
				// run.
				if v.Parent() == v.Pkg().Scope() && (shared(v) || len(funcs) != 1 || funcs[0] != u.entry) {
					return true
				}
				sel.Sel = ident(sel.Sel.Name+inPlaceSuffix, sel.Sel.Pos())
				changed = true
			}
			return true
		})
	}
	return changed
}

// update recognizes w = w + x after rewriting, and returns the variable and the called function.
func update(s *ast.AssignStmt, info *types.Info) (*types.Var, *ast.SelectorExpr) {
	if s.Tok != token.ASSIGN || len(s.Lhs) != 1 || len(s.Rhs) != 1 {
		return nil, nil
	}
	id, ok := s.Lhs[0].(*ast.Ident)
	if !ok {
		return nil, nil
	}
	call, ok := s.Rhs[0].(*ast.CallExpr)
	if !ok || len(call.Args) < 3 {
		return nil, nil
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || !isRuntime(sel) || !inPlaceForms[sel.Sel.Name] {
		return nil, nil
	}
	first, ok := call.Args[1].(*ast.Ident)
	if !ok || info.Uses[first] != info.Uses[id] {
		return nil, nil
	}
	v, _ := info.Uses[id].(*types.Var)
	return v, sel
}

var inPlaceForms = map[string]bool{
	"AddVV": true, "SubVV": true, "AddScaled": true, "SubScaled": true,
	"MulVS": true, "DivVS": true, "AddVS": true, "SubVS": true,
}

func isRuntime(sel *ast.SelectorExpr) bool {
	id, ok := sel.X.(*ast.Ident)
	return ok && id.Name == runtimeName
}

// Held returns the variables of the unit whose vectors may have other references.
func (u *Unit) Held(r *check.Result) map[*types.Var]bool {
	h := &holders{info: r.Info, held: map[*types.Var]bool{}, inLit: map[*types.Var]bool{}, returned: map[*types.Var]bool{}}
	for _, f := range u.Files() {
		h.stack = h.stack[:0]
		ast.Inspect(f, h.visit)
	}
	for v := range h.returned {
		// A return gives the vector to the caller, unless a function literal keeps using it.
		if h.inLit[v] {
			h.held[v] = true
		}
	}
	return h.held
}

type holders struct {
	info     *types.Info
	held     map[*types.Var]bool
	inLit    map[*types.Var]bool // used in a function literal
	returned map[*types.Var]bool
	stack    []ast.Node
}

func (h *holders) visit(n ast.Node) bool {
	if n == nil {
		h.stack = h.stack[:len(h.stack)-1]
		return true
	}
	h.stack = append(h.stack, n)
	id, ok := n.(*ast.Ident)
	if !ok {
		return true
	}
	v, ok := h.info.ObjectOf(id).(*types.Var)
	if !ok || v.IsField() || kindOf(v.Type()) != slice {
		return true
	}
	for _, p := range h.stack {
		if _, ok := p.(*ast.FuncLit); ok {
			h.inLit[v] = true
		}
	}
	if !h.harmless(id, v) {
		h.held[v] = true
	}
	return true
}

// harmless reports whether a mention of a variable creates no other reference to its vector, and
// assigns it no vector with other references.
func (h *holders) harmless(id *ast.Ident, v *types.Var) bool {
	var x ast.Expr = id
	i := len(h.stack) - 2
	for ; i >= 0; i-- {
		p, ok := h.stack[i].(*ast.ParenExpr)
		if !ok {
			break
		}
		x = p
	}
	if i < 0 {
		return false
	}
	switch p := h.stack[i].(type) {
	case *ast.AssignStmt:
		for j, l := range p.Lhs {
			if l == x {
				return len(p.Lhs) == len(p.Rhs) && h.fresh(p.Rhs[j])
			}
		}
		return reservedNames(p.Lhs)
	case *ast.ValueSpec:
		for j, name := range p.Names {
			if name == id {
				return len(p.Values) == 0 || len(p.Names) == len(p.Values) && h.fresh(p.Values[j])
			}
		}
		for _, name := range p.Names {
			if !Reserved(name.Name) {
				return false
			}
		}
		return true
	case *ast.IndexExpr:
		return p.X == x
	case *ast.RangeStmt:
		return p.X == x
	case *ast.BinaryExpr, *ast.ExprStmt:
		return true
	case *ast.ReturnStmt:
		h.returned[v] = true
		return v.Parent() != v.Pkg().Scope()
	case *ast.CallExpr:
		return h.keepsNot(p, x)
	}
	return false
}

func reservedNames(list []ast.Expr) bool {
	for _, e := range list {
		if id, ok := e.(*ast.Ident); !ok || id.Name != "_" && !Reserved(id.Name) {
			return false
		}
	}
	return true
}

// keepsNot reports whether a call can't keep its argument: calls of cellrt, some built-in
// functions, and compiled functions that return only plain values.
func (h *holders) keepsNot(call *ast.CallExpr, arg ast.Expr) bool {
	if sel, ok := call.Fun.(*ast.SelectorExpr); ok && isRuntime(sel) {
		return true
	}
	if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok {
		if b, ok := h.info.Uses[id].(*types.Builtin); ok {
			switch b.Name() {
			case "len", "cap", "copy", "clear":
				return true
			case "append":
				return call.Ellipsis.IsValid() && len(call.Args) == 2 && call.Args[1] == arg
			}
			return false
		}
	}
	fn := callee(h.info, call)
	if fn == nil || fn.Pkg() == nil || fn.Pkg().Path() == "main" || fn.Signature().Recv() != nil {
		return false
	}
	for res := range fn.Signature().Results().Variables() {
		if _, basic := res.Type().Underlying().(*types.Basic); !basic && !isError(res.Type()) {
			return false
		}
	}
	return true
}

// fresh reports whether the expression creates a vector without other references.
func (h *holders) fresh(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.CompositeLit:
		return true
	case *ast.Ident:
		return e.Name == "nil"
	case *ast.StarExpr:
		// *new(T), the result of declarations without a value.
		call, ok := e.X.(*ast.CallExpr)
		if !ok {
			return false
		}
		id, ok := call.Fun.(*ast.Ident)
		return ok && id.Name == "new"
	case *ast.CallExpr:
		if sel, ok := e.Fun.(*ast.SelectorExpr); ok && isRuntime(sel) {
			// Functions that overwrite a vector return the vector of the variable.
			return true
		}
		if id, ok := ast.Unparen(e.Fun).(*ast.Ident); ok {
			b, ok := h.info.Uses[id].(*types.Builtin)
			return ok && b.Name() == "make"
		}
	}
	return false
}
