package interp

import (
	"context"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"github.com/gokernel/gokernel/interp/check"
	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/fault"
	"github.com/gokernel/gokernel/interp/rewrite"
	"github.com/gokernel/gokernel/interp/split"
)

// program is a cell that is ready to run.
type program struct {
	src     *source
	cell    *split.Cell
	unit    *rewrite.Unit
	checked *check.Result
	code    engine.Code
	calls   []int // numbers of the magics that the code calls
	old     map[string]*declaration
	dropped []*declaration  // those that could not be
	others  []*dependant    // earlier declarations that are compiled anew
	late    []*lateMethod   // methods of types of earlier cells
	retyped []*declaration  // types of earlier cells that are declared anew for their methods
	methods map[string]bool // "T.m" that the cell declares
	pkg     *types.Package  // of the cell, when methods of earlier types are in it already
	zeroed  map[string]bool // variables declared without a value before the statements
	notes   []string        // for the user, beside the result
}

// maxRounds bounds how often a cell is checked: each round must have rewritten
// something that the one before could not see.
const maxRounds = 50

// compile takes a cell through all stages up to the engine. A cell that fails
// here has changed nothing.
func (s *Session) compile(src *source, magics func(p *program) *Error) (*program, *Error) {
	file := split.Reserve(s.fset, src.name, src.text)
	src.base = token.Pos(file.Base())
	cell, errs := split.Parse(src.text, src.base)
	if len(errs) > 0 {
		var list []check.Error
		for _, e := range errs {
			list = append(list, check.Error{Pos: e.Pos, Msg: e.Msg, Hint: e.Hint})
		}
		return nil, s.compileError(src, list, nil)
	}
	p := &program{src: src, cell: cell, old: map[string]*declaration{}}
	if cell.Whole != nil {
		return p, nil
	}
	if err := magics(p); err != nil {
		return nil, err
	}
	for _, spec := range cell.Imports {
		if path, err := strconv.Unquote(spec.Path.Value); err == nil {
			src.setImport(rewrite.ImportName(spec), path)
		}
	}
	s.keepTypes(p)
	p.methods = map[string]bool{}
	for _, d := range cell.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv != nil {
			p.methods[receiverBase(fn)+"."+fn.Name.Name] = true
		}
	}
	s.newUnit(p)
	if errs := p.unit.StartErrors(); len(errs) > 0 {
		return nil, s.compileError(src, errs, nil)
	}
	if err := s.check(p); err != nil {
		p.undoMethods()
		return nil, err
	}
	p.unit.Finish(p.checked)
	if err := s.build(p); err != nil {
		p.undoMethods()
		return nil, err
	}
	return p, nil
}

func (s *Session) newUnit(p *program) {
	p.unit = rewrite.New(s.fset, p.cell)
	p.unit.OlderVar = func(name string) bool {
		_, ok := s.visible(name).(*types.Var)
		return ok
	}
}

// check checks and rewrites until nothing changes.
func (s *Session) check(p *program) *Error {
	var errs []check.Error
	pointers := map[string]types.Object{}
	dependants := false
	for round := range maxRounds {
		s.addImports(p)
		retyped := len(p.retyped)
		if err := s.lateMethods(p, p.unit.Files()); err != nil {
			return err
		}
		if len(p.retyped) > retyped && s.addDependants(p) {
			continue
		}
		if err := s.strayMethods(p); err != nil {
			return err
		}
		p.checked = s.checker(p, pointers).Check(p.unit.Files())
		errs = s.tolerate(p, p.checked.Errors)
		if round == 0 && p.unit.NeedsOrder(p.checked) {
			rewrite.OrderVariables(p.cell)
			s.newUnit(p)
			continue
		}
		if !dependants {
			dependants = true
			if s.addDependants(p) {
				continue
			}
		}
		if own, dropped := s.dropDependants(p, errs); dropped {
			errs = own
			continue
		}
		changed, refused := p.unit.Rewrite(p.checked)
		if len(refused) > 0 {
			return s.compileError(p.src, refused, p.checked)
		}
		if !changed {
			break
		}
		for name, ptr := range p.unit.Older {
			if pointers[ptr] != nil {
				continue
			}
			obj, err := s.pointerTo(p, name, ptr)
			if err != nil {
				return err
			}
			pointers[ptr] = obj
		}
	}
	if len(errs) > 0 {
		return s.compileError(p.src, errs, p.checked)
	}
	inPlace := p.unit.InPlace(p.checked, func(o types.Object) bool {
		return s.scope.held[o] || p.unit.Older[o.Name()] != "" || s.scope.names[o.Name()] != nil && s.scope.names[o.Name()].obj != o
	})
	if p.pkg != nil || inPlace {
		checker := s.checker(p, pointers)
		checker.Package = p.pkg
		p.checked = checker.Check(p.unit.Files())
	}
	return nil
}

// checker makes a checker of the notebook's scope; pointers are the names that
// rewriting has made.
func (s *Session) checker(p *program, pointers map[string]types.Object) *check.Checker {
	return &check.Checker{Fset: s.fset, Importer: s.packages, Visible: func(name string) types.Object {
		if o := pointers[name]; o != nil {
			return o
		}
		if _, imported := p.src.imports[name]; imported {
			return nil
		}
		return s.visible(name)
	}}
}

// addImports adds the imports that the files need and do not have. Those of an
// earlier declaration are what its cell imported.
func (s *Session) addImports(p *program) {
	p.unit.Import(func(name string) bool { return s.scope.names[name] != nil }, func(f *ast.File, name string, members []string) (string, bool) {
		for _, d := range p.others {
			if d.file == f {
				if path, ok := d.decl.cell.imports[name]; ok {
					return path, true
				}
			}
		}
		return s.importPath(name, members)
	})
}

// tolerate leaves out the errors about what the rewrites make right: functions
// may use variables whose values are computed among the statements.
func (s *Session) tolerate(p *program, errs []check.Error) []check.Error {
	var kept []check.Error
	for _, e := range errs {
		if strings.HasPrefix(e.Msg, "initialization cycle") && p.unit.HasEntry() {
			continue
		}
		kept = append(kept, e)
	}
	return kept
}

// pointerTo compiles var ptr = &name in a unit of its own, whose variable
// outlives the redeclaration of name.
func (s *Session) pointerTo(p *program, name, ptr string) (types.Object, *Error) {
	at := p.src.base
	file := &ast.File{Package: at, Name: &ast.Ident{Name: "main", NamePos: at}, FileStart: at, FileEnd: at, Decls: []ast.Decl{
		&ast.GenDecl{TokPos: at, Tok: token.VAR, Specs: []ast.Spec{&ast.ValueSpec{
			Names:  []*ast.Ident{{Name: ptr, NamePos: at}},
			Values: []ast.Expr{&ast.UnaryExpr{OpPos: at, Op: token.AND, X: &ast.Ident{Name: name, NamePos: at}}},
		}}},
	}}
	checker := &check.Checker{Fset: s.fset, Importer: s.packages, Visible: s.visible}
	r := checker.Check([]*ast.File{file})
	if len(r.Errors) > 0 {
		return nil, s.compileError(p.src, r.Errors, r)
	}
	code, err := s.engine.Compile(&engine.Cell{
		Number: p.src.run, Fset: s.fset, Package: r.Package, Files: []*ast.File{file}, Info: r.Info,
	})
	if err != nil {
		return nil, s.refused(p.src, err)
	}
	// It reads nothing but an address, and must do so before the cell takes the
	// name over.
	if err := code.Run(context.Background()); err != nil {
		return nil, fault.Plain("compile error", err.Error())
	}
	return r.Package.Scope().Lookup(ptr), nil
}

// build hands the checked cell to the engine and declares its names.
func (s *Session) build(p *program) *Error {
	cell := &engine.Cell{
		Number:   p.src.run,
		Fset:     s.fset,
		Package:  p.checked.Package,
		Files:    p.unit.Files(),
		Info:     p.checked.Info,
		Replaces: map[types.Object]types.Object{},
	}
	if p.unit.HasEntry() {
		cell.Entry, _ = p.checked.Package.Scope().Lookup(rewrite.EntryName).(*types.Func)
	}
	declared := s.declarations(p)
	for name, d := range declared {
		if old := s.scope.names[name]; old != nil {
			p.old[name] = old
			if replaces(old.obj, d.obj) && !s.scope.addressed[old.obj] {
				cell.Replaces[old.obj] = d.obj
			}
		}
	}
	s.finishMethods(p, cell.Replaces)
	code, err := s.engine.Compile(cell)
	if err != nil {
		return s.refused(p.src, err)
	}
	p.code = code
	s.scope.noteAddresses(p.unit.Files(), p.checked.Info)
	for v := range p.unit.Held(p.checked) {
		if sessionObject(v) {
			s.scope.held[v] = true
		}
	}
	s.addSites(p.unit.Sites())
	s.scope.addSource(p.src)
	for name, d := range declared {
		s.scope.declare(name, d)
	}
	s.declareMethods(p)
	for old, new := range cell.Replaces {
		s.scope.replaceUses(old, new)
	}
	for _, d := range p.dropped {
		s.watchNewest(d)
	}
	p.zeroed = zeroed(p.cell)
	s.carryOver(p)
	for name, path := range p.src.imports {
		if name != "_" && name != "." {
			s.scope.drop(s.scope.names[name])
			delete(s.scope.names, name)
			s.scope.imports[name] = path
		}
	}
	return nil
}

// zeroed gives the variables that the cell declares without a value before its
// statements.
func zeroed(c *split.Cell) map[string]bool {
	names := map[string]bool{}
	for _, d := range c.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.VAR {
			for _, spec := range g.Specs {
				if spec := spec.(*ast.ValueSpec); len(spec.Values) == 0 {
					for _, id := range spec.Names {
						names[id.Name] = true
					}
				}
			}
		}
	}
	return names
}

// replaces tells whether code that uses the old object can use the new one.
func replaces(old, new types.Object) bool {
	switch old := old.(type) {
	case *types.Var:
		_, ok := new.(*types.Var)
		return ok && types.Identical(old.Type(), new.Type())
	case *types.Func:
		// Instances of a generic function belong to those that use them, which are
		// compiled anew.
		_, ok := new.(*types.Func)
		return ok && types.Identical(old.Type(), new.Type()) && old.Signature().TypeParams().Len() == 0
	}
	return false
}

// refused presents what an engine cannot evaluate.
func (s *Session) refused(src *source, err error) *Error {
	if r, ok := err.(*engine.Refusal); ok {
		return s.compileError(src, []check.Error{{Pos: r.Pos, Msg: "this cannot be evaluated: " + r.What, Hint: r.Advice}}, nil)
	}
	return fault.Plain("compile error", err.Error())
}

// cellName gives the name of a cell in positions.
func cellName(number int) string { return fmt.Sprintf("cell [%d]", number) }
