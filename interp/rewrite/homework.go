package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"

	"github.com/gokernel/gokernel/interp/check"
	"github.com/gokernel/gokernel/interp/split"
)

const (
	homeworkName = reserved + "homework" // the import of display/homework
	homeworkPath = "github.com/gokernel/gokernel/display/homework"
	verbsPath    = "github.com/gokernel/gokernel/display/verbs"
)

// HomeworkVerbs lists the verbs that check homework. In a graded session, cells can't declare these
// names.
var HomeworkVerbs = map[string]bool{"Check": true, "Checks": true, "CheckText": true, "CheckPlot": true, "Given": true}

// checked adds an argument to calls of Check and similar functions: the name that the checked value
// has in the cell. A missing name is a failed check, and not an error of the cell.
func (u *Unit) checked(r *check.Result) bool {
	changed := false
	for _, f := range u.Files() {
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || u.done[call] || len(call.Args) == 0 {
				return true
			}
			fn := callee(r.Info, call)
			if fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == homeworkPath && (fn.Name() == "Serve" || fn.Name() == "Offer") {
				u.done[call], changed = true, true
				for i, arg := range call.Args {
					call.Args[i] = u.named(r, f, arg)
				}
				return true
			}
			if fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != verbsPath || !HomeworkVerbs[fn.Name()] || fn.Name() == "Checks" || fn.Name() == "Given" {
				return true
			}
			u.done[call] = true
			arg := call.Args[0]
			switch ast.Unparen(arg).(type) {
			case *ast.Ident, *ast.SelectorExpr:
			default:
				return true
			}
			call.Args[0] = u.named(r, f, arg)
			changed = true
			return true
		})
	}
	return changed
}

// named wraps a name of the session in a call that passes it to checks, whether or not the name
// exists.
func (u *Unit) named(r *check.Result, f *ast.File, arg ast.Expr) ast.Expr {
	name := &ast.BasicLit{ValuePos: arg.Pos(), Kind: token.STRING, Value: strconv.Quote(types.ExprString(ast.Unparen(arg)))}
	wrap, args := "Named", []ast.Expr{name, arg}
	if t := r.Info.TypeOf(arg); t == nil || t == types.Typ[types.Invalid] {
		wrap, args = "Missing", []ast.Expr{name}
	}
	u.importAs(f, homeworkName, homeworkPath)
	return &ast.CallExpr{
		Fun:    &ast.SelectorExpr{X: ident(homeworkName, arg.Pos()), Sel: ident(wrap, arg.Pos())},
		Lparen: arg.Pos(), Args: args, Rparen: arg.End() - 1,
	}
}

// Checks reports whether the cell calls Check or a similar verb.
func (u *Unit) Checks() (checks bool) {
	ast.Inspect(u.File, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if id, ok := call.Fun.(*ast.Ident); ok && HomeworkVerbs[id.Name] {
				checks = true
			}
		}
		return !checks
	})
	return checks
}

// Given converts the statements Given(name, value) of a cell to name := value, unless the notebook
// declares its own Given.
func Given(c *split.Cell, own bool) (errs []check.Error) {
	if own {
		return nil
	}
	for i, s := range c.Stmts {
		expr, ok := s.(*ast.ExprStmt)
		if !ok {
			continue
		}
		call, ok := expr.X.(*ast.CallExpr)
		if !ok {
			continue
		}
		if fn, ok := call.Fun.(*ast.Ident); !ok || fn.Name != "Given" {
			continue
		}
		var name *ast.Ident
		if len(call.Args) == 2 {
			name, _ = call.Args[0].(*ast.Ident)
		}
		if name == nil {
			errs = append(errs, check.Error{Pos: call.Pos(), End: call.End(), Msg: "Given takes a name and the value that the name has from here on",
				Hint: "write Given(score, reference)"})
			continue
		}
		c.Stmts[i] = &ast.AssignStmt{Lhs: []ast.Expr{name}, TokPos: name.End(), Tok: token.DEFINE, Rhs: []ast.Expr{call.Args[1]}}
	}
	return errs
}
