// Package rewrite turns the cell language into Go. Each relaxation is one file:
//
//	imports.go   known packages need no import line
//	hoist.go     variables of the top level belong to the session
//	older.go     x := x + 1 reads the x of an earlier cell
//	result.go    the value of the last expression is kept to be shown
//	errors.go    errors that nobody looks at fail the cell
//	operands.go  and so do those of calls in the middle of expressions
//	stdin.go     reading standard input asks the user
//	magics.go    lines that begin with % run between the statements
//	vector.go    vectors and matrices have arithmetic, vectors comparisons
//	apply.go     functions of numbers take vectors
//	homework.go  Check names what it checks, Given declares it again
//	columns.go   f["x"] is a column of a frame, and columns have arithmetic
//	lost.go      what would change or make a frame that nothing holds is refused
//
// The rewrites work on the syntax tree and keep every position. Those that need
// types are asked after a check, and the cell is checked again when one of them
// changed it; what comes out is Go that go/types has accepted.
package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"

	"github.com/gokernel/gokernel/interp/check"
	"github.com/gokernel/gokernel/interp/split"
)

// reserved begins every name that rewriting makes: a letter to Go, and none
// that anybody types.
const reserved = "ǃ"

// Names that rewriting gives to what a cell needs beside its own text.
const (
	EntryName    = reserved + "cell" // the function of the statements
	CalledName   = reserved + "call" // the function that a run calls for the session
	ReachedName  = reserved + "at"   // the number of top-level definitions done
	InitName     = reserved + "init" // the number of initial values computed before the statements
	resultPrefix = reserved + "out"
	runtimeName  = reserved + "rt" // the import of cellrt
	olderPrefix  = reserved + "old"
)

// RuntimePath is the import path of what rewritten cells call.
const RuntimePath = "github.com/gokernel/gokernel/interp/cellrt"

// Reserved reports whether the name was made by a rewrite.
func Reserved(name string) bool { return len(name) > len(reserved) && name[:len(reserved)] == reserved }

// MethodName returns the name of the function that stands for the n-th method of a
// cell whose type an earlier cell declared.
func MethodName(n int) string { return reserved + "method" + strconv.Itoa(n) }

// Unit is a cell on its way from text to what an engine compiles.
type Unit struct {
	Fset *token.FileSet
	Cell *split.Cell
	// File is the cell; Others are declarations of earlier cells that are
	// compiled again with it.
	File   *ast.File
	Others []*ast.File

	// Results are the names of the variables that hold the value to show.
	Results []string
	// Older maps names of earlier variables that the cell reads before it
	// declares the name again to the names of pointers to them.
	Older map[string]string
	// OlderVar reports whether a variable of an earlier cell has the name.
	OlderVar func(name string) bool

	entry   *ast.FuncDecl
	hoists  []*hoist
	last    *ast.ExprStmt // the expression whose value is shown
	counter int
	sites   map[token.Pos]Site
	reached bool
	counted *ast.BasicLit     // the initial value of InitName; nil if nothing is counted
	initial map[string]int    // what InitName is behind the initial value of a variable
	done    map[ast.Node]bool // nodes that a rewrite has dealt with
	errs    []check.Error
}

// New makes the unit of a cell: its statements become the body of a function
// and the variables that they declare become those of the package.
func New(fset *token.FileSet, c *split.Cell) *Unit {
	u := &Unit{
		Fset:  fset,
		Cell:  c,
		File:  &ast.File{Package: c.Base, Name: ident("main", c.Base), FileStart: c.Base, FileEnd: c.Base + token.Pos(len(c.Src))},
		Older: map[string]string{},
		sites: map[token.Pos]Site{},
		done:  map[ast.Node]bool{},
	}
	for _, spec := range c.Imports {
		u.addImport(spec)
	}
	u.File.Decls = append(u.File.Decls, c.Decls...)
	u.File.Comments = c.Comments
	if len(c.Lines) > 0 {
		u.importRuntime(u.File)
	}
	u.hoist(c.Stmts)
	u.countInitial(c.Decls)
	u.keepValue()
	return u
}

// Files are all files of the unit.
func (u *Unit) Files() []*ast.File { return append([]*ast.File{u.File}, u.Others...) }

// HasEntry reports whether there is anything to run.
func (u *Unit) HasEntry() bool { return u.entry != nil }

// Rewrite applies the rewrites that need types to a checked unit and reports
// whether any changed it, so that it must be checked again. Errors are what a
// rewrite itself refuses.
func (u *Unit) Rewrite(r *check.Result) (changed bool, errs []check.Error) {
	u.errs = nil
	if u.operands(r) {
		return true, nil // the types of what is around them are not known yet
	}
	for _, rw := range []func(*check.Result) bool{u.checked, u.older, u.vectors, u.stdin, u.interact, u.elided, u.unchecked, u.lost, u.result} {
		if rw(r) {
			changed = true
		}
		if len(u.errs) > 0 {
			return changed, u.errs
		}
	}
	return changed, nil
}

func (u *Unit) refuse(n ast.Node, msg, hint string) {
	u.errs = append(u.errs, check.Error{Pos: n.Pos(), End: n.End(), Msg: msg, Hint: hint})
}

// fresh makes a name that nothing else has.
func (u *Unit) fresh(what string) string {
	u.counter++
	return reserved + what + strconv.Itoa(u.counter)
}

func (u *Unit) addImport(spec *ast.ImportSpec) {
	u.File.Imports = append(u.File.Imports, spec)
	decl := &ast.GenDecl{TokPos: spec.Pos(), Tok: token.IMPORT, Specs: []ast.Spec{spec}}
	// Imports come first.
	n := len(u.File.Imports) - 1
	u.File.Decls = append(u.File.Decls, nil)
	copy(u.File.Decls[n+1:], u.File.Decls[n:])
	u.File.Decls[n] = decl
}

// runtimeCall makes a call of a function of cellrt at the position.
func (u *Unit) runtimeCall(pos token.Pos, fn string, args ...ast.Expr) *ast.CallExpr {
	u.importRuntime(u.File)
	return runtimeCallExpr(pos, fn, args...)
}

func runtimeCallExpr(pos token.Pos, fn string, args ...ast.Expr) *ast.CallExpr {
	end := pos
	if n := len(args); n > 0 {
		end = args[n-1].End() - 1
	}
	return &ast.CallExpr{Fun: runtimeMember(fn, pos), Lparen: pos, Args: args, Rparen: end}
}

func runtimeMember(name string, pos token.Pos) ast.Expr {
	return &ast.SelectorExpr{X: ident(runtimeName, pos), Sel: ident(name, pos)}
}

// predeclared writes a type of Go's by the name that package cellrt has for it.
func (u *Unit) predeclared(name string, pos token.Pos) ast.Expr {
	u.importRuntime(u.File)
	return runtimeMember(name, pos)
}

func (u *Unit) importRuntime(f *ast.File) { u.importAs(f, runtimeName, RuntimePath) }

func ident(name string, pos token.Pos) *ast.Ident { return &ast.Ident{Name: name, NamePos: pos} }

func intLit(n int, pos token.Pos) *ast.BasicLit {
	return &ast.BasicLit{ValuePos: pos, Kind: token.INT, Value: strconv.Itoa(n)}
}

var errorType = types.Universe.Lookup("error").Type()

// resultsOf returns the types of the results of a call.
func resultsOf(info *types.Info, call *ast.CallExpr) []types.Type {
	tv, ok := info.Types[call]
	if !ok || !tv.IsValue() && !tv.IsVoid() {
		return nil
	}
	switch t := tv.Type.(type) {
	case nil:
		return nil
	case *types.Tuple:
		var list []types.Type
		for v := range t.Variables() {
			list = append(list, v.Type())
		}
		return list
	default:
		if tv.IsVoid() {
			return nil
		}
		return []types.Type{t}
	}
}
