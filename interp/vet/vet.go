// Package vet finds code in cells that compiles but is probably a mistake: formats that do not
// match their values, quotients that lose their fractions, changes of copies. A finding is a
// warning, and the cell runs.
package vet

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"runtime"
	"sort"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/analysis/passes/printf"
	"golang.org/x/tools/go/analysis/passes/stringintconv"

	"github.com/gokernel/gokernel/interp/check"
)

// Cell is a checked cell.
type Cell struct {
	Fset    *token.FileSet
	File    *ast.File
	Package *types.Package
	Info    *types.Info
	Base    token.Pos // start of its text
	Text    string
	Last    ast.Stmt // the statement with the value to show, or nil
	// Late contains the methods of types of earlier cells and their names. Here they are functions
	// whose first parameter is the receiver.
	Late map[*ast.FuncDecl]string
}

// Find returns probable mistakes in a cell, in the order of its text. The hint of a finding has its
// code between ‹ and ›, and a fix if it suggests code.
func Find(c *Cell) []check.Error {
	f := &finder{Cell: c}
	for _, look := range []func(){f.formats, f.quotients, f.indices, f.copies, f.receivers, f.powers, f.dropped, f.divisions} {
		look()
	}
	sort.SliceStable(f.found, func(i, j int) bool { return f.found[i].Pos < f.found[j].Pos })
	return f.found
}

type finder struct {
	*Cell
	found []check.Error
}

// add adds a finding about a node of the cell's own text.
func (f *finder) add(n ast.Node, msg, hint string, fix ...check.Edit) {
	if f.own(n) {
		f.found = append(f.found, check.Error{Pos: n.Pos(), End: n.End(), Msg: msg, Hint: hint, Fix: fix})
	}
}

// own reports whether a node is in the text of the cell.
func (f *finder) own(n ast.Node) bool {
	return n.Pos() >= f.Base && n.Pos() < n.End() && int(n.End()-f.Base) <= len(f.Text)
}

// code returns the text of a node.
func (f *finder) code(n ast.Node) string {
	if !f.own(n) {
		return ""
	}
	return f.Text[n.Pos()-f.Base : n.End()-f.Base]
}

// put replaces the text of a node, insert adds to the text at a position.
func put(n ast.Node, code string) check.Edit {
	return check.Edit{Pos: n.Pos(), End: n.End(), Text: code}
}
func insert(pos token.Pos, code string) check.Edit {
	return check.Edit{Pos: pos, End: pos, Text: code}
}

// formats runs the checks of go vet that go test also runs: formats and their values, and
// string(n).
func (f *finder) formats() {
	defer func() {
		_ = recover() // a panic of an analyzer on a rewritten tree must not fail the cell
	}()
	results := map[*analysis.Analyzer]any{}
	for _, a := range []*analysis.Analyzer{inspect.Analyzer, printf.Analyzer, stringintconv.Analyzer} {
		pass := &analysis.Pass{
			Analyzer: a, Fset: f.Fset, Files: []*ast.File{f.File}, Pkg: f.Package, TypesInfo: f.Info,
			TypesSizes: types.SizesFor("gc", runtime.GOARCH), ResultOf: results, Report: f.report,
			ImportObjectFact:  func(types.Object, analysis.Fact) bool { return false },
			ImportPackageFact: func(*types.Package, analysis.Fact) bool { return false },
			ExportObjectFact:  func(types.Object, analysis.Fact) {},
			ExportPackageFact: func(analysis.Fact) {},
			AllObjectFacts:    func() []analysis.ObjectFact { return nil },
			AllPackageFacts:   func() []analysis.PackageFact { return nil },
		}
		r, err := a.Run(pass)
		if err != nil {
			continue
		}
		if a.ResultType != nil && reflect.TypeOf(r) != a.ResultType {
			continue
		}
		results[a] = r
	}
}

// report converts a finding of go vet.
func (f *finder) report(d analysis.Diagnostic) {
	n := span{d.Pos, d.End}
	if !f.own(n) {
		n.end = n.pos + 1
	}
	call := f.callAt(d.Pos)
	switch {
	case strings.Contains(d.Message, "conversion from"):
		if call == nil || len(call.Args) != 1 {
			return
		}
		code := "fmt.Sprint(" + f.code(call.Args[0]) + ")"
		f.add(call, f.code(call)+" is the character with that number, not its digits", "for the digits, write ‹"+code+"›", put(call, code))
	case strings.Contains(d.Message, "of wrong type"):
		hint, fix := f.verb(n)
		f.add(n, d.Message, hint, fix...)
	case strings.Contains(d.Message, "formatting directive"):
		hint, fix := f.formatted(call)
		f.add(n, d.Message, hint, fix...)
	case strings.Contains(d.Message, "non-constant format string"):
		if call == nil || len(call.Args) == 0 {
			return
		}
		arg := call.Args[len(call.Args)-1]
		f.add(n, d.Message, "a % in the string would be taken for a verb; write ‹"+f.code(call.Fun)+`("%s", `+f.code(arg)+")›", insert(arg.Pos(), `"%s", `))
	case strings.Contains(d.Message, "reads arg"), strings.Contains(d.Message, "but call has"), strings.Contains(d.Message, "call needs"):
		f.add(n, d.Message, "pass one value for each verb of the format, and no more")
	default:
		f.add(n, d.Message, "")
	}
}

// span is a range of text.
type span struct{ pos, end token.Pos }

func (s span) Pos() token.Pos { return s.pos }
func (s span) End() token.Pos { return s.end }

// callAt returns the innermost call that encloses a position.
func (f *finder) callAt(pos token.Pos) *ast.CallExpr {
	var call *ast.CallExpr
	ast.Inspect(f.File, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok && c.Pos() <= pos && pos < c.End() && f.own(c) {
			call = c
		}
		return true
	})
	return call
}

// verb suggests %v for a value that does not match its verb.
func (f *finder) verb(n ast.Node) (string, []check.Edit) {
	text := f.code(n)
	if !strings.HasPrefix(text, "%") || len(text) < 2 {
		return "write ‹%v›, which prints any value", nil
	}
	return "write ‹%v›, which prints any value; %d is for a whole number, %.2f for two digits after the point, %s for a string", []check.Edit{put(n, "%v")}
}

// formatted suggests the function that takes a format.
func (f *finder) formatted(call *ast.CallExpr) (string, []check.Edit) {
	if call == nil || len(call.Args) == 0 {
		return "", nil
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	lit, isLit := call.Args[0].(*ast.BasicLit)
	if !ok || !isLit || !strings.HasPrefix(lit.Value, `"`) {
		return "the names of functions that take a format end in f", nil
	}
	name := strings.TrimSuffix(sel.Sel.Name, "ln") + "f"
	edits := []check.Edit{put(sel.Sel, name)}
	if strings.HasSuffix(sel.Sel.Name, "ln") && !strings.HasSuffix(lit.Value, `\n"`) {
		edits = append(edits, insert(lit.End()-1, `\n`))
	}
	return "the names of functions that take a format end in f: ‹" + f.code(sel.X) + "." + name + "›", edits
}
