// Package rewrite translates the cell language to Go. Each relaxation of Go's rules is one file:
//
//	imports.go   known packages need no import line
//	hoist.go     variables of the top level belong to the session
//	older.go     x := x + 1 reads the x of an earlier cell
//	result.go    the value of the last expression is kept to be shown
//	errors.go    an unchecked error fails the cell
//	operands.go  an unchecked error of a call inside an expression fails the cell, too
//	stdin.go     reading standard input asks the user
//	magics.go    lines that begin with % run between the statements
//	vector.go    vectors and matrices have arithmetic, and vectors have comparisons
//	apply.go     functions of numbers take vectors
//	homework.go  Check gets the name of the checked value, and Given declares a name again
//	columns.go   f["x"] is a column of a frame, and columns have arithmetic
//	lost.go      statements whose new or changed frame would be lost are refused
//
// The rewrites change the syntax tree and keep every position. Rewrites that need types run after a
// check. If one of them changes the cell, the cell is checked again. The result is Go code that
// go/types has accepted.
package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"

	"github.com/gokernel/gokernel/interp/check"
	"github.com/gokernel/gokernel/interp/split"
)

// reserved is the prefix of every name that rewriting creates: it is a letter in Go, and nobody
// types it.
const reserved = "ǃ"

// Names that rewriting adds to a cell.
const (
	EntryName    = reserved + "cell" // the function with the cell's statements
	CalledName   = reserved + "call" // the function that a run calls for the session
	ReachedName  = reserved + "at"   // the number of top-level definitions reached
	InitName     = reserved + "init" // the number of initial values computed before the statements
	resultPrefix = reserved + "out"
	runtimeName  = reserved + "rt" // the import of cellrt
	olderPrefix  = reserved + "old"
)

// RuntimePath is the import path of the package that rewritten cells call.
const RuntimePath = "github.com/gokernel/gokernel/interp/cellrt"

// Reserved reports whether the name was created by a rewrite.
func Reserved(name string) bool { return len(name) > len(reserved) && name[:len(reserved)] == reserved }

// MethodName returns the name of the function that represents the n-th method of a cell whose type
// an earlier cell declared.
func MethodName(n int) string { return reserved + "method" + strconv.Itoa(n) }

// Unit is a cell while it is translated from text to code for an engine.
type Unit struct {
	Fset *token.FileSet
	Cell *split.Cell
	// File is the cell; Others are declarations of earlier cells that are
	// compiled again with it.
	File   *ast.File
	Others []*ast.File

	// Results are the names of the variables with the values to show.
	Results []string
	// Older maps names of earlier variables to the names of pointers to them. It contains the
	// variables that the cell reads before it declares the name again.
	Older map[string]string
	// OlderVar reports whether a variable of an earlier cell has the name.
	OlderVar func(name string) bool

	entry   *ast.FuncDecl
	hoists  []*hoist
	last    *ast.ExprStmt // the expression with the value to show
	counter int
	sites   map[token.Pos]Site
	reached bool
	counted *ast.BasicLit     // the initial value of InitName; nil if nothing is counted
	initial map[string]int    // the value of InitName after a variable's initial value
	done    map[ast.Node]bool // nodes that a rewrite has handled
	errs    []check.Error
}

// New creates the unit of a cell. The statements of the cell become the body of a function, and the
// variables that they declare become package variables.
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

// Files returns all files of the unit.
func (u *Unit) Files() []*ast.File { return append([]*ast.File{u.File}, u.Others...) }

// HasEntry reports whether the unit has statements to run.
func (u *Unit) HasEntry() bool { return u.entry != nil }

// Rewrite applies the rewrites that need types to a checked unit. It reports whether any of them
// changed the unit, which must then be checked again, and returns the errors of the rewrites
// themselves.
func (u *Unit) Rewrite(r *check.Result) (changed bool, errs []check.Error) {
	u.errs = nil
	if u.operands(r) {
		return true, nil // the types of the surrounding code are not known yet
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

// fresh returns an unused name.
func (u *Unit) fresh(what string) string {
	u.counter++
	return reserved + what + strconv.Itoa(u.counter)
}

func (u *Unit) addImport(spec *ast.ImportSpec) {
	u.File.Imports = append(u.File.Imports, spec)
	decl := &ast.GenDecl{TokPos: spec.Pos(), Tok: token.IMPORT, Specs: []ast.Spec{spec}}
	// Imports must come first.
	n := len(u.File.Imports) - 1
	u.File.Decls = append(u.File.Decls, nil)
	copy(u.File.Decls[n+1:], u.File.Decls[n:])
	u.File.Decls[n] = decl
}

// runtimeCall returns a call of a function of cellrt at the position.
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

// predeclared refers to a predeclared type of Go by its name in package cellrt.
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
