// Package pipeline compiles the cells of a session from their text to the engine: it splits, checks
// and rewrites a cell until nothing changes, compiles it and declares its names. A cell that fails
// at any stage changes nothing.
package pipeline

import (
	"context"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/gokernel/gokernel/interp/advice"
	"github.com/gokernel/gokernel/interp/check"
	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/fault"
	"github.com/gokernel/gokernel/interp/rewrite"
	"github.com/gokernel/gokernel/interp/scope"
	"github.com/gokernel/gokernel/interp/source"
	"github.com/gokernel/gokernel/interp/split"
	"github.com/gokernel/gokernel/interp/symbols"
	"github.com/gokernel/gokernel/kernel/evaluator"
)

// Compiler compiles the cells of one session.
type Compiler struct {
	Fset     *token.FileSet
	Packages *symbols.Importer
	Sources  *source.Loader // the packages from source that cells import
	Engine   engine.Engine
	// Prepare loads packages from source and returns the ones that it loaded again.
	Prepare func(paths []string) ([]source.Change, error)
	Scope   *scope.Scope
	Advice  *advice.Advisor
	Sites   map[int]rewrite.Site // operations on vectors, by the position of the operator
	// Graded restricts cells, except trusted ones, to what a homework submission may do.
	Graded bool
	// Allowed lists packages that graded cells may import in addition to the list.
	Allowed []string
	// Warn reports code that compiles but is probably a mistake.
	Warn bool
	// Replaced counts the types that no name refers to any more.
	Replaced Replaced

	settings settings
	changes  []source.Change  // changes that the engine does not know yet
	compiled []*types.Package // units without types and methods that the engine has compiled
	typed    []*types.Package // units with types or methods that the engine has compiled
}

// New returns a compiler without an engine. Set the engine before the first cell; creating one may
// need the packages.
func New(packages *symbols.Importer) *Compiler {
	fset, names := token.NewFileSet(), scope.New(packages)
	sources := source.New(fset, packages)
	return &Compiler{
		Fset: fset, Packages: packages, Sources: sources, Scope: names,
		Advice: &advice.Advisor{Fset: fset, Packages: sources, Scope: names},
		Sites:  map[int]rewrite.Site{},
	}
}

// Program is a compiled cell.
type Program struct {
	Src     *scope.Source
	Cell    *split.Cell
	unit    *rewrite.Unit
	checked *check.Result
	code    engine.Code
	old     map[string]*scope.Declaration
	dropped []*scope.Declaration        // declarations that could not be compiled again
	others  []*dependant                // earlier declarations that are compiled again
	late    []*lateMethod               // methods of types of earlier cells
	retyped []*scope.Declaration        // types of earlier cells declared again for their methods
	methods map[string]bool             // the methods that the cell declares, as "T.m"
	unbound map[*scope.Declaration]bool // variables that keep their older type
	pkg     *types.Package              // the cell's package if it has methods of earlier types
	zeroed  map[string]bool             // variables declared without a value before the statements
	embeds  []embedding
	imports []string // compiled packages that the cell and its packages from source import
	Notes   []string // notes for the user, shown beside the result
	// Warnings are about code in the cell that is probably a mistake.
	Warnings []string
	// Settings lists the GODEBUG settings, like "panicnil=1", from the //go:debug lines of the
	// cell.
	Settings []string
	settings *settings // settings of the session
	broken   bool      // a draft with errors of syntax
}

// Run runs the cell to its end.
func (p *Program) Run(ctx context.Context) error {
	if err := p.settings.use(p.Settings); err != nil {
		return err
	}
	if p.code == nil {
		return nil
	}
	for _, path := range p.imports {
		symbols.Imported(path)
	}
	return p.code.Run(ctx)
}

// Checks reports whether the cell checks homework.
func (p *Program) Checks() bool { return p.unit != nil && p.unit.Checks() }

// HasValue reports whether the cell ends in an expression.
func (p *Program) HasValue() bool { return p.unit != nil && len(p.unit.Results) > 0 }

// LastLine returns the position of the cell's last statement.
func (c *Compiler) LastLine(p *Program) token.Position {
	return c.Fset.Position(p.Cell.Stmts[len(p.Cell.Stmts)-1].Pos())
}

// maxRounds is the maximum number of times that a cell is checked. Each round must have rewritten
// code that the round before could not handle.
const maxRounds = 50

// Compile runs all stages of a cell up to the engine. A cell that fails here changes nothing.
func (c *Compiler) Compile(src *scope.Source, magics func(p *Program) *evaluator.Error) (*Program, *evaluator.Error) {
	c.forget()
	file := split.Reserve(c.Fset, src.Name, src.Text)
	src.Base = token.Pos(file.Base())
	cell, errs := split.Parse(src.Text, src.Base)
	if len(errs) > 0 {
		var list []check.Error
		for _, e := range errs {
			list = append(list, check.Error{Pos: e.Pos, Msg: e.Msg, Hint: e.Hint})
		}
		return nil, c.Advice.Present(src, list, nil)
	}
	p := &Program{Src: src, Cell: cell, old: map[string]*scope.Declaration{}, settings: &c.settings}
	if c.Graded && !src.Trusted {
		if err := c.refuseMagics(p); err != nil {
			return nil, err
		}
	}
	if cell.Whole != nil {
		if cell.Whole.Name == "package" {
			return p, c.ownPackage(p)
		}
		return p, nil
	}
	if err := magics(p); err != nil {
		return nil, err
	}
	if err := c.loadPackages(p); err != nil {
		return nil, err
	}
	if err := c.findEmbeds(p); err != nil {
		return nil, err
	}
	if err := c.findSettings(p); err != nil {
		return nil, err
	}
	c.keepTypes(p)
	p.methods = map[string]bool{}
	for _, d := range cell.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv != nil {
			p.methods[check.ReceiverBase(fn)+"."+fn.Name.Name] = true
		}
	}
	if errs := rewrite.Given(cell, c.Scope.Lookup("Given") != nil); len(errs) > 0 {
		return nil, c.Advice.Present(src, errs, nil)
	}
	c.newUnit(p)
	if errs := p.unit.StartErrors(); len(errs) > 0 {
		return nil, c.Advice.Present(src, errs, nil)
	}
	if err := c.check(p); err != nil {
		p.undoMethods()
		return nil, err
	}
	if c.Graded && !src.Trusted {
		if err := c.refuseUngraded(p); err != nil {
			p.undoMethods()
			return nil, err
		}
	}
	if err := c.readEmbeds(p); err != nil {
		p.undoMethods()
		return nil, err
	}
	p.noteSeed(c.Fset)
	c.vet(p)
	p.unit.Finish(p.checked)
	if err := c.build(p); err != nil {
		p.undoMethods()
		return nil, err
	}
	return p, nil
}

// ReplaceStmt replaces one statement by others.
func (p *Program) ReplaceStmt(old ast.Stmt, with ...ast.Stmt) {
	for i, st := range p.Cell.Stmts {
		if st == old {
			list := append([]ast.Stmt{}, p.Cell.Stmts[:i]...)
			list = append(list, with...)
			p.Cell.Stmts = append(list, p.Cell.Stmts[i+1:]...)
			return
		}
	}
}

func (c *Compiler) newUnit(p *Program) {
	p.unit = rewrite.New(c.Fset, p.Cell)
	p.unit.OlderVar = func(name string) bool {
		_, ok := c.Scope.Visible(name).(*types.Var)
		return ok
	}
}

// check checks and rewrites until nothing changes.
func (c *Compiler) check(p *Program) *evaluator.Error {
	var errs []check.Error
	pointers := map[string]types.Object{}
	dependants := false
	for round := range maxRounds {
		c.addImports(p)
		retyped := len(p.retyped)
		if err := c.lateMethods(p, p.unit.Files()); err != nil {
			return err
		}
		if len(p.retyped) > retyped && c.addDependants(p) {
			continue
		}
		if err := c.strayMethods(p); err != nil {
			return err
		}
		p.checked = c.checker(p, pointers).Check(p.unit.Files())
		errs = c.tolerate(p, p.checked.Errors)
		if round == 0 && p.unit.NeedsOrder(p.checked) {
			rewrite.OrderVariables(p.Cell)
			c.newUnit(p)
			continue
		}
		if !dependants {
			dependants = true
			if c.addDependants(p) {
				continue
			}
		}
		if own, dropped := c.dropDependants(p, errs); dropped {
			errs = own
			continue
		}
		if len(errs) == 0 && c.unbind(p) {
			continue
		}
		changed, refused := p.unit.Rewrite(p.checked)
		if len(refused) > 0 {
			return c.Advice.Present(p.Src, refused, p.checked)
		}
		if !changed {
			break
		}
		for name, ptr := range p.unit.Older {
			if pointers[ptr] != nil {
				continue
			}
			obj, err := c.pointerTo(p, name, ptr)
			if err != nil {
				return err
			}
			pointers[ptr] = obj
		}
	}
	if len(errs) > 0 {
		return c.Advice.Present(p.Src, errs, p.checked)
	}
	inPlace := p.unit.InPlace(p.checked, func(o types.Object) bool {
		return c.Scope.Held(o) || p.unit.Older[o.Name()] != "" || c.Scope.Lookup(o.Name()) != nil && c.Scope.Lookup(o.Name()).Obj != o
	})
	if p.pkg != nil || inPlace {
		checker := c.checker(p, pointers)
		checker.Package = p.pkg
		p.checked = checker.Check(p.unit.Files())
	}
	return nil
}

// checker returns a checker for the notebook's scope. The map pointers has the objects of the names
// that rewriting created.
func (c *Compiler) checker(p *Program, pointers map[string]types.Object) *check.Checker {
	return &check.Checker{Fset: c.Fset, Importer: c.Sources, Visible: func(name string) types.Object {
		if o := pointers[name]; o != nil {
			return o
		}
		if c.Graded && p.unit.Checks() {
			// Checks use the predeclared verbs, whatever a submission has declared.
			if o := c.Scope.Prelude(name); o != nil {
				return o
			}
		}
		if _, imported := p.Src.Imports[name]; imported {
			return nil
		}
		return c.Scope.Visible(name)
	}}
}

// addImports adds missing imports to the files. An earlier declaration gets the imports of its
// cell.
func (c *Compiler) addImports(p *Program) {
	p.unit.Import(func(name string) bool { return c.Scope.Lookup(name) != nil }, func(f *ast.File, name string, members []string) (string, bool) {
		for _, d := range p.others {
			if d.file == f {
				if path, ok := d.decl.Cell.Imports[name]; ok {
					return path, true
				}
			}
		}
		return c.Scope.ImportPath(name, members)
	})
}

// tolerate drops errors about code that later rewrites make valid: functions may use variables
// whose values are computed among the statements.
func (c *Compiler) tolerate(p *Program, errs []check.Error) []check.Error {
	var kept []check.Error
	for _, e := range errs {
		if e.Code == check.InvalidInitCycle && p.unit.HasEntry() {
			continue
		}
		kept = append(kept, e)
	}
	return kept
}

// pointerTo compiles var ptr = &name in a separate unit. The variable remains valid after name is
// redeclared.
func (c *Compiler) pointerTo(p *Program, name, ptr string) (types.Object, *evaluator.Error) {
	at := p.Src.Base
	file := &ast.File{Package: at, Name: &ast.Ident{Name: "main", NamePos: at}, FileStart: at, FileEnd: at, Decls: []ast.Decl{
		&ast.GenDecl{TokPos: at, Tok: token.VAR, Specs: []ast.Spec{&ast.ValueSpec{
			Names:  []*ast.Ident{{Name: ptr, NamePos: at}},
			Values: []ast.Expr{&ast.UnaryExpr{OpPos: at, Op: token.AND, X: &ast.Ident{Name: name, NamePos: at}}},
		}}},
	}}
	checker := &check.Checker{Fset: c.Fset, Importer: c.Sources, Visible: c.Scope.Visible}
	r := checker.Check([]*ast.File{file})
	if len(r.Errors) > 0 {
		return nil, c.Advice.Present(p.Src, r.Errors, r)
	}
	code, err := c.Engine.Compile(&engine.Cell{
		Number: p.Src.Run, Fset: c.Fset, Package: r.Package, Files: []*ast.File{file}, Info: r.Info,
	})
	if err != nil {
		return nil, c.refused(p.Src, err)
	}
	c.noteCompiled(r)
	// It only takes an address, and must do so before the cell redeclares the name.
	if err := code.Run(context.Background()); err != nil {
		return nil, fault.Plain("compile error", err.Error())
	}
	return r.Package.Scope().Lookup(ptr), nil
}

// build compiles the checked cell with the engine and declares its names.
func (c *Compiler) build(p *Program) *evaluator.Error {
	cell := &engine.Cell{
		Number:   p.Src.Run,
		Fset:     c.Fset,
		Package:  p.checked.Package,
		Files:    p.unit.Files(),
		Info:     p.checked.Info,
		Replaces: map[types.Object]types.Object{},
		Preset:   map[types.Object]bool{},
	}
	for _, e := range p.embeds {
		cell.Preset[e.v] = true
	}
	if p.unit.HasEntry() {
		cell.Entry, _ = p.checked.Package.Scope().Lookup(rewrite.EntryName).(*types.Func)
	}
	declared := c.declarations(p)
	for name, d := range declared {
		if old := c.Scope.Lookup(name); old != nil {
			p.old[name] = old
			if p.isRebound(old) {
				cell.Replaces[old.Obj] = d.Obj
				c.Scope.Inherit(old.Obj, d.Obj)
			}
			if replaces(old.Obj, d.Obj) && !c.Scope.Addressed(old.Obj) {
				cell.Replaces[old.Obj] = d.Obj
			}
		}
	}
	c.finishMethods(p, cell.Replaces)
	cell.Packages = c.packages(p)
	c.changed(p, cell.Replaces)
	cell.Succeeds = c.successors(p)
	code, err := c.Engine.Compile(cell)
	if err != nil {
		return c.refused(p.Src, err)
	}
	p.code = code
	c.noteCompiled(p.checked)
	for _, pkg := range cell.Packages {
		p.addImports(pkg.Types)
	}
	p.addImports(cell.Package)
	if cell.Note != "" {
		p.Notes = append(p.Notes, cell.Note)
	}
	c.declare(p, declared, cell.Replaces)
	p.zeroed = zeroed(p.Cell)
	c.carryOver(p)
	if err := c.setEmbeds(p); err != nil {
		return fault.Plain("compile error", err.Error())
	}
	return nil
}

// declare adds the declarations of a cell to the session.
func (c *Compiler) declare(p *Program, declared map[string]*scope.Declaration, replaces map[types.Object]types.Object) {
	c.Scope.NoteAddresses(p.unit.Files(), p.checked.Info)
	for v := range p.unit.Held(p.checked) {
		if scope.IsDeclared(v) {
			c.Scope.Hold(v)
		}
	}
	c.addSites(p.unit.Sites())
	c.Scope.AddSource(p.Src)
	for name, d := range declared {
		c.Scope.Declare(name, d)
	}
	c.declareMethods(p)
	for old, new := range replaces {
		c.Scope.ReplaceUses(old, new)
	}
	for _, d := range p.dropped {
		c.watchNewest(d)
	}
	for name, path := range p.Src.Imports {
		if name != "_" && name != "." {
			c.Scope.SetImport(name, path)
		}
	}
}

// addImports records the imports of a package.
func (p *Program) addImports(pkg *types.Package) {
	for _, im := range pkg.Imports() {
		p.imports = append(p.imports, im.Path())
	}
}

// zeroed returns the variables that a cell declares without a value before its statements.
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

// replaces reports whether code that uses the old object can use the new one.
func replaces(old, new types.Object) bool {
	switch old := old.(type) {
	case *types.Var:
		_, ok := new.(*types.Var)
		return ok && types.Identical(old.Type(), new.Type())
	case *types.Func:
		// Code that uses a generic function contains its instances, and is compiled again.
		_, ok := new.(*types.Func)
		return ok && types.Identical(old.Type(), new.Type()) && old.Signature().TypeParams().Len() == 0
	}
	return false
}

// refused describes code that an engine can't evaluate.
func (c *Compiler) refused(src *scope.Source, err error) *evaluator.Error {
	if r, ok := err.(*engine.Refusal); ok {
		return c.Advice.Present(src, []check.Error{{Pos: r.Pos, Msg: evaluator.Refused + r.What, Hint: r.Advice}}, nil)
	}
	return fault.Plain("compile error", err.Error())
}

// CellName returns the name of a cell for positions.
func CellName(number int) string { return fmt.Sprintf("cell [%d]", number) }
