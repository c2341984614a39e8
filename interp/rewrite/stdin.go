package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"

	"golang.org/x/tools/go/ast/astutil"

	"github.com/gokernel/gokernel/interp/check"
)

const (
	askName = reserved + "ask" // the import of ask
	askPath = "github.com/gokernel/gokernel/interp/ask"
)

// StdinName is the expression for standard input in rewritten code.
const StdinName = askName + ".Stdin"

var scanners = map[string]string{"Scan": "Fscan", "Scanln": "Fscanln", "Scanf": "Fscanf"}

// stdin redirects reads of standard input to the user: fmt.Scan and similar functions read from
// ask.Stdin, which also replaces os.Stdin where a reader is needed.
func (u *Unit) stdin(r *check.Result) bool {
	changed := false
	for _, f := range u.Files() {
		uses := false
		astutil.Apply(f, nil, func(c *astutil.Cursor) bool {
			switch n := c.Node().(type) {
			case *ast.CallExpr:
				if u.scan(n, r.Info) {
					uses = true
				}
			case *ast.SelectorExpr:
				if isStdin(n, r.Info) && wantsReader(c, r.Info) {
					c.Replace(stdinExpr(n.Pos(), n.Sel.Pos()))
					uses = true
				}
			}
			return true
		})
		if uses {
			u.importAs(f, askName, askPath)
			changed = true
		}
	}
	return changed
}

func stdinExpr(pos, name token.Pos) ast.Expr {
	return &ast.SelectorExpr{X: ident(askName, pos), Sel: ident("Stdin", name)}
}

func (u *Unit) scan(call *ast.CallExpr, info *types.Info) bool {
	fn := callee(info, call)
	if fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != "fmt" || fn.Signature().Recv() != nil {
		return false
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	name := scanners[fn.Name()]
	if !ok || name == "" {
		return false
	}
	sel.Sel = ident(name, sel.Sel.Pos())
	call.Args = append([]ast.Expr{stdinExpr(call.Lparen, call.Lparen)}, call.Args...)
	return true
}

func isStdin(sel *ast.SelectorExpr, info *types.Info) bool {
	v, ok := info.Uses[sel.Sel].(*types.Var)
	return ok && v.Name() == "Stdin" && v.Pkg() != nil && v.Pkg().Path() == "os"
}

// wantsReader reports whether the node is passed where any reader is accepted.
func wantsReader(c *astutil.Cursor, info *types.Info) bool {
	switch p := c.Parent().(type) {
	case *ast.CallExpr:
		sig, ok := info.TypeOf(p.Fun).(*types.Signature)
		if !ok || c.Index() < 0 {
			return false
		}
		i := c.Index()
		if last := sig.Params().Len() - 1; sig.Variadic() && i >= last {
			return types.IsInterface(sig.Params().At(last).Type().(*types.Slice).Elem())
		}
		return i < sig.Params().Len() && types.IsInterface(sig.Params().At(i).Type())
	case *ast.SelectorExpr:
		return p.Sel.Name == "Read"
	}
	return false
}

// importAs imports a package into a file of the unit under a reserved name.
func (u *Unit) importAs(f *ast.File, name, path string) {
	for _, s := range f.Imports {
		if s.Name != nil && s.Name.Name == name {
			return
		}
	}
	spec := &ast.ImportSpec{
		Name: ident(name, u.Cell.Base),
		Path: &ast.BasicLit{ValuePos: u.Cell.Base, Kind: token.STRING, Value: strconv.Quote(path)},
	}
	if f == u.File {
		u.addImport(spec)
		return
	}
	f.Imports = append(f.Imports, spec)
	f.Decls = append([]ast.Decl{&ast.GenDecl{TokPos: u.Cell.Base, Tok: token.IMPORT, Specs: []ast.Spec{spec}}}, f.Decls...)
}
