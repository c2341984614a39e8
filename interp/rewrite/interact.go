package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"

	"github.com/gokernel/gokernel/interp/check"
)

const (
	widgetName = reserved + "widget" // the import of display/widget
	widgetPath = "github.com/gokernel/gokernel/display/widget"
)

// interact passes the parameter names of the function to Interact, because a function value does
// not have them at run time.
func (u *Unit) interact(r *check.Result) bool {
	changed := false
	for _, f := range u.Files() {
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || u.done[call] || len(call.Args) == 0 {
				return true
			}
			fn := callee(r.Info, call)
			if fn == nil || fn.Pkg() == nil || fn.Name() != "Interact" || fn.Pkg().Path() != verbsPath && fn.Pkg().Path() != widgetPath {
				return true
			}
			sig, ok := r.Info.TypeOf(call.Args[0]).(*types.Signature)
			if !ok || sig.Params().Len() == 0 {
				return true
			}
			u.done[call] = true
			pos := call.Args[0].End()
			names := &ast.CompositeLit{
				Type:   &ast.SelectorExpr{X: ident(widgetName, pos), Sel: ident("ParameterNames", pos)},
				Lbrace: pos, Rbrace: pos,
			}
			for v := range sig.Params().Variables() {
				names.Elts = append(names.Elts, &ast.BasicLit{ValuePos: pos, Kind: token.STRING, Value: strconv.Quote(v.Name())})
			}
			call.Args = append([]ast.Expr{call.Args[0], names}, call.Args[1:]...)
			u.importAs(f, widgetName, widgetPath)
			changed = true
			return true
		})
	}
	return changed
}

// IsParameterNames reports whether a node is the argument of Interact with the parameter names.
func IsParameterNames(n ast.Node) bool {
	names, ok := n.(*ast.CompositeLit)
	return ok && isOf(names.Type, widgetName)
}
