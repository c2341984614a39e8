// Package check type-checks cells with go/types over the scope of a notebook.
//
// Each cell is a separate package "main". The checker inserts the objects of earlier cells that the
// cell mentions into its scope. Unexported fields and methods therefore stay visible across cells,
// and the cost of a cell does not grow with the number of names in the session.
package check

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"runtime"
	"strings"
)

// Checker checks the cells of one session.
type Checker struct {
	Fset     *token.FileSet
	Importer types.Importer
	// Visible returns the object of an earlier cell, or a predeclared object, for a name, or nil if
	// there is none.
	Visible func(name string) types.Object
	// Package is the empty package to fill; nil means a new one.
	Package *types.Package
	// SignaturesOnly skips the bodies of functions.
	SignaturesOnly bool
}

// Result is a checked unit. It is complete only if there are no Errors.
type Result struct {
	Files   []*ast.File
	Package *types.Package
	Info    *types.Info
	Errors  []Error
}

// Error is one error of the type checker with the position of the text that causes it.
type Error struct {
	Pos, End token.Pos
	Code     Code // 0 for an error that go/types did not find
	Msg      string
	Hint     string // what to do; code in it is between ‹ and ›
	Fix      []Edit // the edits that apply the hint
	// Warning reports that the cell runs anyway.
	Warning bool
}

// Edit replaces the text of a cell between two positions.
type Edit struct {
	Pos, End token.Pos
	Text     string
}

var sizes = types.SizesFor("gc", runtime.GOARCH)

// NewPackage returns a new, empty package for a cell.
func NewPackage() *types.Package { return types.NewPackage("main", "main") }

// Check checks the files as one package. It may add field names to struct literals of types that
// earlier cells declare.
func (c *Checker) Check(files []*ast.File) *Result {
	pkg := c.Package
	if pkg == nil {
		pkg = NewPackage()
	}
	r := c.check(files, pkg)
	if r.nameFields(files) {
		r = c.check(files, NewPackage())
	}
	return r
}

func (c *Checker) check(files []*ast.File, pkg *types.Package) *Result {
	r := &Result{
		Files:   files,
		Package: pkg,
		Info: &types.Info{
			Types:        map[ast.Expr]types.TypeAndValue{},
			Defs:         map[*ast.Ident]types.Object{},
			Uses:         map[*ast.Ident]types.Object{},
			Implicits:    map[ast.Node]types.Object{},
			Selections:   map[*ast.SelectorExpr]*types.Selection{},
			Scopes:       map[ast.Node]*types.Scope{},
			Instances:    map[*ast.Ident]types.Instance{},
			FileVersions: map[*ast.File]string{},
		},
	}
	declared := Declared(files)
	scope := r.Package.Scope()
	for name := range Mentioned(files) {
		if declared[name] {
			continue
		}
		if obj := c.Visible(name); obj != nil {
			scope.Insert(obj)
		}
	}
	shieldTypes(files, declared)
	seen := map[string]bool{}
	conf := types.Config{
		Importer:                 c.Importer,
		Sizes:                    sizes,
		GoVersion:                "go1.26",
		IgnoreFuncBodies:         c.SignaturesOnly,
		DisableUnusedImportCheck: true,
		Error: func(err error) {
			te, ok := err.(types.Error)
			if !ok {
				r.Errors = append(r.Errors, Error{Msg: err.Error()})
				return
			}
			// Messages that begin with a tab continue the previous error.
			if strings.HasPrefix(te.Msg, "\t") && len(r.Errors) > 0 {
				last := &r.Errors[len(r.Errors)-1]
				last.Msg += "\n" + te.Msg
				if at := c.Fset.Position(te.Pos); te.Pos.IsValid() {
					last.Msg += fmt.Sprintf(" at %s line %d", at.Filename, at.Line)
				}
				return
			}
			e := Error{Pos: te.Pos, End: errorEnd(te), Code: codeOf(te), Msg: te.Msg}
			key := c.Fset.Position(te.Pos).String() + te.Msg
			if !seen[key] {
				seen[key] = true
				r.Errors = append(r.Errors, e)
			}
		},
	}
	r.run(types.NewChecker(&conf, c.Fset, r.Package, r.Info), files)
	r.endReturns()
	return r
}

// endReturns sets the end of errors about the number of results to the end of the result at which
// they begin. The end reported by Go 1.27 lies beyond it, possibly beyond the file.
func (r *Result) endReturns() {
	for i := range r.Errors {
		e := &r.Errors[i]
		if e.Code != WrongResultCount {
			continue
		}
		for _, f := range r.Files {
			ast.Inspect(f, func(n ast.Node) bool {
				s, ok := n.(*ast.ReturnStmt)
				if !ok {
					return true
				}
				for _, x := range s.Results {
					if x.Pos() == e.Pos {
						e.End = x.End()
					}
				}
				return true
			})
		}
	}
}

// shieldTypes puts parentheses around the right side of type T U if U is not declared in these
// files. To detect cycles, go/types follows a bare name to its declaration, and expects a
// declaration for every type of the package scope.
func shieldTypes(files []*ast.File, declared map[string]bool) {
	for _, f := range files {
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.TYPE {
				continue
			}
			for _, s := range g.Specs {
				spec := s.(*ast.TypeSpec)
				if id, ok := spec.Type.(*ast.Ident); ok && !declared[id.Name] {
					spec.Type = &ast.ParenExpr{Lparen: id.Pos(), X: id, Rparen: id.End() - 1}
				}
			}
		}
	}
}

// run checks the files. A bug in go/types itself becomes an error of the cell, so that the session
// survives.
func (r *Result) run(checker *types.Checker, files []*ast.File) {
	defer func() {
		if p := recover(); p != nil {
			r.Errors = append(r.Errors, Error{Pos: files[0].Package, Msg: fmt.Sprintf("the type-checker failed on this cell: %v", p)})
		}
	}()
	// The Error function has collected the errors.
	_ = checker.Files(files)
}

// errorEnd returns the end of the erroneous text, which go/types keeps in an unexported field.
// Without it, the caret marks one token.
func errorEnd(e types.Error) token.Pos {
	if f := reflect.ValueOf(e).FieldByName("go116end"); f.IsValid() && f.CanInt() {
		return token.Pos(f.Int())
	}
	return token.NoPos
}

// Declared returns the names that the files declare at the top level.
func Declared(files []*ast.File) map[string]bool {
	names := map[string]bool{}
	for _, f := range files {
		for _, d := range f.Decls {
			for _, id := range DeclaredBy(d) {
				names[id.Name] = true
			}
		}
	}
	return names
}

// Receiver returns the name of a method's receiver type. It returns nil for a function, and if the
// receiver has no type name.
func Receiver(d *ast.FuncDecl) *ast.Ident {
	if d.Recv == nil || len(d.Recv.List) != 1 {
		return nil
	}
	t := d.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.ParenExpr:
			t = x.X
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x
		default:
			return nil
		}
	}
}

// ReceiverBase returns the text of Receiver, or "" if Receiver returns nil.
func ReceiverBase(d *ast.FuncDecl) string {
	if id := Receiver(d); id != nil {
		return id.Name
	}
	return ""
}

// DeclaredBy returns the names that a declaration adds to the scope. Methods and imports add none.
func DeclaredBy(d ast.Decl) []*ast.Ident {
	var ids []*ast.Ident
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			ids = append(ids, d.Name)
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				ids = append(ids, s.Name)
			case *ast.ValueSpec:
				ids = append(ids, s.Names...)
			}
		}
	}
	return ids
}

// Mentioned returns every identifier of the files.
func Mentioned(files []*ast.File) map[string]bool {
	names := map[string]bool{}
	for _, f := range files {
		for _, d := range f.Decls {
			ast.Inspect(d, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok {
					names[id.Name] = true
				}
				return true
			})
		}
	}
	return names
}
