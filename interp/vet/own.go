package vet

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"github.com/gokernel/gokernel/internal/pattern"
	"github.com/gokernel/gokernel/interp/check"
	"github.com/gokernel/gokernel/interp/operand"
)

func (f *finder) inspect(look func(n ast.Node)) {
	ast.Inspect(f.File, func(n ast.Node) bool {
		if n != nil {
			look(n)
		}
		return true
	})
}

func (f *finder) basic(x ast.Expr) types.BasicInfo {
	if t := f.Info.Types[x].Type; t != nil {
		if b, ok := t.Underlying().(*types.Basic); ok {
			return b.Info()
		}
	}
	return 0
}

// quotients finds float64(a / b) of integers, and quotients of literals such as 1/2. If the code
// also computes the remainder, integer division is intended.
func (f *finder) quotients() {
	remainders := map[string]bool{}
	f.inspect(func(n ast.Node) {
		if r, ok := n.(*ast.BinaryExpr); ok && r.Op == token.REM {
			remainders[f.code(r.X)+"/"+f.code(r.Y)] = true
		}
	})
	f.inspect(func(n ast.Node) {
		switch n := n.(type) {
		case *ast.CallExpr:
			if len(n.Args) != 1 || !f.Info.Types[n.Fun].IsType() || f.basic(n)&types.IsFloat == 0 {
				return
			}
			q, ok := ast.Unparen(n.Args[0]).(*ast.BinaryExpr)
			if !ok || q.Op != token.QUO || f.basic(q)&types.IsInteger == 0 || f.Info.Types[q].Value != nil ||
				remainders[f.code(q.X)+"/"+f.code(q.Y)] {
				return
			}
			code := operand.Converted(q, f.code(n.Fun), f.code)
			f.add(n, f.code(q)+" is a quotient of whole numbers, which has lost its fraction before it is converted",
				"convert before you divide: ‹"+code+"›", put(n, code))
		case *ast.BinaryExpr:
			x, y := wholeLiteral(n.X), wholeLiteral(n.Y)
			if n.Op != token.QUO || x == nil || y == nil {
				return
			}
			a, b := constant.MakeFromLiteral(x.Value, token.INT, 0), constant.MakeFromLiteral(y.Value, token.INT, 0)
			if constant.Sign(b) == 0 || constant.Sign(constant.BinaryOp(a, token.REM, b)) == 0 {
				return
			}
			if f.basic(n)&types.IsFloat == 0 && constant.Compare(a, token.GTR, b) {
				return // 7 / 2 is 3 for integers, which may be intended; 1 / 2 is 0
			}
			code := f.code(x) + ".0 / " + f.code(y)
			f.add(n, f.code(n)+" is a quotient of whole numbers, without its fraction: "+constant.BinaryOp(a, token.QUO_ASSIGN, b).String(),
				"to keep the fraction, write ‹"+code+"›", insert(x.End(), ".0"))
		}
	})
}

// wholeLiteral returns an expression that is a decimal integer literal.
func wholeLiteral(x ast.Expr) *ast.BasicLit {
	lit, ok := ast.Unparen(x).(*ast.BasicLit)
	if !ok || lit.Kind != token.INT || strings.HasPrefix(lit.Value, "0") && lit.Value != "0" {
		return nil
	}
	return lit
}

// counter matches typical names of counting variables.
var counter = pattern.New(`^(?:[a-zA-Z]|_|.*(?i:idx|index|row|col|step|epoch|round|pos|num|no|id|time|day|week|month|year|key))\d*$`)

// indices finds range loops over numbers or strings whose only variable, the index, is used as an
// element: the body does not read the elements.
func (f *finder) indices() {
	f.inspect(func(n ast.Node) {
		loop, ok := n.(*ast.RangeStmt)
		if !ok || loop.Value != nil || loop.Key == nil || loop.Tok != token.DEFINE {
			return
		}
		key, ok := loop.Key.(*ast.Ident)
		v, isVar := f.Info.Defs[key].(*types.Var)
		elem := operand.ElementOf(f.Info.Types[loop.X].Type)
		if !ok || !isVar || elem == nil {
			return
		}
		if _, isMap := f.Info.Types[loop.X].Type.Underlying().(*types.Map); isMap {
			return
		}
		b, isBasic := elem.Underlying().(*types.Basic)
		if !isBasic || b.Info()&(types.IsNumeric|types.IsString) == 0 || operand.UsedAsIndex(f.Info, loop.Body, v) || !operand.Uses(f.Info, loop.Body, v) {
			return
		}
		xs, isName := loop.X.(*ast.Ident)
		counts := counter().MatchString(key.Name) && !converts(f.Info, loop.Body, v, b)
		if !isName || counts || operand.Uses(f.Info, loop.Body, f.Info.Uses[xs]) {
			return
		}
		f.add(key, key.Name+" is the index, and nothing reads the elements of "+xs.Name,
			"for the elements, write ‹for _, "+key.Name+" := range "+xs.Name+"›", insert(key.Pos(), "_, "))
	})
}

// elementLike contains short names that are typical of elements, and rarely used for indices.
var elementLike = map[string]bool{"x": true, "y": true, "z": true, "v": true, "w": true, "e": true, "a": true, "b": true, "s": true}

// converts reports whether the variable, which has the name of an element, is converted to the type
// of the elements, or added to a value.
func converts(info *types.Info, body ast.Node, v *types.Var, elem *types.Basic) bool {
	if !elementLike[v.Name()] {
		return false
	}
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if len(n.Args) == 1 && info.Types[n.Fun].IsType() && types.Identical(info.Types[n.Fun].Type, elem) && operand.Uses(info, n.Args[0], v) {
				found = true
			}
		case *ast.AssignStmt:
			if n.Tok == token.ADD_ASSIGN && len(n.Rhs) == 1 && operand.Uses(info, n.Rhs[0], v) {
				found = true
			}
		}
		return !found
	})
	return found
}

// root returns the variable that an assignment changes: p of p.X = 1, but not of p.X = 1
// where p is a pointer.
func (f *finder) root(x ast.Expr) *ast.Ident {
	for {
		switch e := x.(type) {
		case *ast.Ident:
			return e
		case *ast.ParenExpr:
			x = e.X
		case *ast.SelectorExpr:
			if sel := f.Info.Selections[e]; sel == nil || sel.Indirect() {
				return nil
			}
			x = e.X
		case *ast.IndexExpr:
			if _, ok := f.Info.Types[e.X].Type.Underlying().(*types.Array); !ok {
				return nil
			}
			x = e.X
		default:
			return nil
		}
	}
}

// changed returns the last assignment to a variable in a block, and the name in it, if no code
// reads the variable after that.
func (f *finder) changed(body *ast.BlockStmt, v types.Object) (ast.Stmt, *ast.Ident) {
	var (
		last ast.Stmt
		name *ast.Ident
		read token.Pos
	)
	lhs := map[*ast.Ident]bool{}
	loops := false
	ast.Inspect(body, func(n ast.Node) bool {
		var targets []ast.Expr
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE {
				targets = n.Lhs
			}
		case *ast.IncDecStmt:
			targets = []ast.Expr{n.X}
		case *ast.UnaryExpr:
			if id := f.root(n.X); n.Op == token.AND && id != nil && f.Info.Uses[id] == v {
				read = body.End() // through the pointer
			}
		case *ast.FuncLit, *ast.ForStmt, *ast.RangeStmt:
			loops = loops || operand.Uses(f.Info, n, v)
		}
		for _, x := range targets {
			if id := f.root(x); id != nil && f.Info.Uses[id] == v {
				lhs[id] = true
				last, name = n.(ast.Stmt), id
			}
		}
		return true
	})
	if last == nil || loops {
		return nil, nil
	}
	ast.Inspect(body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && f.Info.Uses[id] == v && !lhs[id] {
			read = max(read, id.Pos())
		}
		return true
	})
	if read >= last.End() {
		return nil, nil
	}
	return last, name
}

// copies finds assignments to the variable of a range loop that holds a copy of the
// element.
func (f *finder) copies() {
	f.inspect(func(n ast.Node) {
		loop, ok := n.(*ast.RangeStmt)
		if !ok || loop.Value == nil || loop.Tok != token.DEFINE {
			return
		}
		value, ok := loop.Value.(*ast.Ident)
		if !ok || f.Info.Defs[value] == nil {
			return
		}
		v := f.Info.Defs[value]
		last, name := f.changed(loop.Body, v)
		if last == nil {
			return
		}
		xs, isName := loop.X.(*ast.Ident)
		t := f.Info.Types[loop.X].Type.Underlying()
		_, isSlice := t.(*types.Slice)
		_, isArray := t.(*types.Array)
		msg := value.Name + " is a copy of the element, and changing it changes nothing else"
		if !isName || !isSlice && !isArray {
			f.add(last, msg, "")
			return
		}
		index, edits := "i", []check.Edit{}
		if key, ok := loop.Key.(*ast.Ident); ok && key.Name != "_" {
			index = key.Name
		} else {
			edits = append(edits, put(loop.Key, index))
		}
		element := xs.Name + "[" + index + "]"
		code := element + f.Text[name.End()-f.Base:last.End()-f.Base]
		edits = append(edits, put(name, element))
		hint := "to change the element, write ‹" + code + "›"
		if index == "i" && len(edits) == 2 {
			hint += " in ‹for i, " + value.Name + " := range " + xs.Name + "›"
		}
		if strings.Contains(f.code(loop.Body), "\n") && !operand.Uses(f.Info, loop.Body, v) {
			edits = nil
		}
		if reads := readsOf(f.Info, loop.Body, v, name); !reads {
			// Without another use, the variable itself would be an error.
			edits = append(edits, check.Edit{Pos: loop.Key.End(), End: loop.Value.End()})
			hint = "to change the element, write ‹" + code + "› in ‹for " + index + " := range " + xs.Name + "›"
		}
		f.add(last, msg, hint, edits...)
	})
}

// readsOf reports whether a variable occurs in a block other than at one identifier.
func readsOf(info *types.Info, body ast.Node, v types.Object, but *ast.Ident) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id != but && info.Uses[id] == v {
			found = true
		}
		return !found
	})
	return found
}

// receivers finds methods that change the copy of their receiver.
func (f *finder) receivers() {
	for _, d := range f.File.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil {
			continue
		}
		list, method := fn.Recv, fn.Name.Name
		if late := f.Late[fn]; late != "" {
			list, method = fn.Type.Params, late
		}
		if list == nil || len(list.List) == 0 || len(list.List[0].Names) != 1 {
			continue
		}
		recv := list.List[0]
		v := f.Info.Defs[recv.Names[0]]
		if v == nil {
			continue
		}
		if _, ok := v.Type().Underlying().(*types.Struct); !ok {
			continue
		}
		last, _ := f.changed(fn.Body, v)
		if last == nil {
			continue
		}
		name := recv.Names[0].Name
		f.add(last, name+" is a copy of the value that the method is called on, and changing it changes nothing else",
			"to change the value itself, write ‹func ("+name+" *"+f.code(recv.Type)+") "+method+"›", insert(recv.Type.Pos(), "*"))
	}
}

// powers finds 2^3 and n^2, which are exclusive ORs.
func (f *finder) powers() {
	f.inspect(func(n ast.Node) {
		b, ok := n.(*ast.BinaryExpr)
		if !ok || b.Op != token.XOR {
			return
		}
		y := wholeLiteral(b.Y)
		if y == nil || f.basic(b)&types.IsInteger == 0 {
			return
		}
		x := wholeLiteral(b.X)
		if x == nil && y.Value != "2" && y.Value != "3" {
			return
		}
		if _, isName := b.X.(*ast.Ident); x == nil && !isName {
			return
		}
		code := "math.Pow(" + f.code(b.X) + ", " + y.Value + ")"
		if x == nil {
			code = f.code(b.X) + " * " + f.code(b.X)
			if y.Value == "3" {
				code += " * " + f.code(b.X)
			}
		}
		f.add(b, "^ is exclusive or", "to raise to a power, write ‹"+code+"›", put(b, code))
	})
}

// pure lists packages whose functions only return a value.
var pure = map[string]bool{"strings": true, "math": true, "strconv": true, "unicode": true, "path": true, "cmp": true}

// dropped finds calls that only return a value, which is not used.
func (f *finder) dropped() {
	f.inspect(func(n ast.Node) {
		st, ok := n.(*ast.ExprStmt)
		if !ok {
			return
		}
		call, ok := st.X.(*ast.CallExpr)
		if !ok || len(call.Args) == 0 {
			return
		}
		sel, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return
		}
		fn, ok := f.Info.Uses[sel.Sel].(*types.Func)
		if !ok || fn.Pkg() == nil || !pure[fn.Pkg().Path()] || fn.Signature().Recv() != nil || fn.Signature().Results().Len() != 1 {
			return
		}
		f.drops(call, f.code(call.Fun)+" returns a new value and changes nothing")
	})
	if last, ok := f.Last.(*ast.ExprStmt); ok {
		if call, ok := last.X.(*ast.CallExpr); ok && len(call.Args) > 1 {
			id, isName := call.Fun.(*ast.Ident)
			if first, isVar := call.Args[0].(*ast.Ident); isName && isVar && id.Name == "append" && f.Info.Types[id].IsBuiltin() {
				f.drops(call, "append returns the longer slice, and "+first.Name+" stays as it is")
			}
		}
	}
}

func (f *finder) drops(call *ast.CallExpr, msg string) {
	first, ok := call.Args[0].(*ast.Ident)
	if ok {
		v, isVar := f.Info.Uses[first].(*types.Var)
		if t := f.Info.Types[call].Type; isVar && t != nil && types.Identical(v.Type(), t) {
			code := first.Name + " = " + f.code(call)
			f.add(call, msg, "to keep the value, write ‹"+code+"›", insert(call.Pos(), first.Name+" = "))
			return
		}
	}
	f.add(call, msg, "assign the value to a variable, print it, or return it")
}
