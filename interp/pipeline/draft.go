package pipeline

import (
	"context"
	"errors"
	"go/ast"
	"go/token"
	"go/types"
	"reflect"

	"github.com/gokernel/gokernel/interp/check"
	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/rewrite"
	"github.com/gokernel/gokernel/interp/scope"
	"github.com/gokernel/gokernel/interp/split"
	"github.com/gokernel/gokernel/interp/symbols"
	"github.com/gokernel/gokernel/kernel/evaluator"
)

// NewDraft returns a compiler for Draft. It has an engine that runs nothing.
func NewDraft(packages *symbols.Importer) *Compiler {
	c := New(packages)
	c.Engine, c.Warn = idle{}, true
	return c
}

// Draft compiles a cell that is being written, for answers about it. Unlike Compile, it runs
// nothing and declares the names of a cell with errors, as far as they have types. Errors and
// warnings go to Advice.Told.
func (c *Compiler) Draft(src *scope.Source, magics func(p *Program) *evaluator.Error) *Program {
	file := split.Reserve(c.Fset, src.Name, src.Text)
	src.Base = token.Pos(file.Base())
	cell, errs := split.Parse(src.Text, src.Base)
	p := &Program{Src: src, Cell: cell, old: map[string]*scope.Declaration{}, settings: &c.settings}
	if len(errs) > 0 {
		var list []check.Error
		for _, e := range errs {
			list = append(list, check.Error{Pos: e.Pos, Msg: e.Msg, Hint: e.Hint})
		}
		c.Advice.Present(src, list, nil)
		p.broken = true
		// Errors of types often follow from those of the syntax.
		defer func(told func(*scope.Source, check.Error, string)) { c.Advice.Told = told }(c.Advice.Told)
		c.Advice.Told = nil
	}
	if cell.Whole != nil {
		if cell.Whole.Name == "package" {
			_ = c.ownPackage(p) // Told has its errors
		}
		return p
	}
	failed := len(errs) > 0
	note := func(err *evaluator.Error) { failed = failed || err != nil }
	note(magics(p))
	note(c.loadPackages(p))
	note(c.findEmbeds(p))
	c.keepTypes(p)
	p.methods = map[string]bool{}
	for _, d := range cell.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv != nil {
			p.methods[check.ReceiverBase(fn)+"."+fn.Name.Name] = true
		}
	}
	if errs := rewrite.Given(cell, c.Scope.Lookup("Given") != nil); len(errs) > 0 {
		note(c.Advice.Present(src, errs, nil))
	}
	c.newUnit(p)
	if errs := p.unit.StartErrors(); len(errs) > 0 {
		note(c.Advice.Present(src, errs, nil))
	}
	note(c.check(p))
	if p.checked == nil {
		p.checked = c.checker(p, nil).Check(p.unit.Files())
	}
	if failed {
		p.undoMethods()
		p.others, p.late, p.retyped, p.dropped = nil, nil, nil, nil
		c.declare(p, c.declarations(p), nil)
		return p
	}
	note(c.readEmbeds(p))
	c.vet(p)
	p.embeds = nil
	if c.build(p) != nil {
		p.undoMethods()
	}
	return p
}

// SetScope replaces the names that cells can see.
func (c *Compiler) SetScope(sc *scope.Scope) { c.Scope, c.Advice.Scope = sc, sc }

// Checked returns the types of the cell, or nil if it was not checked.
func (p *Program) Checked() *check.Result { return p.checked }

// Broken reports whether the text of the cell has errors of syntax, so that declarations are
// missing.
func (p *Program) Broken() bool { return p.broken }

// LateMethods reports whether the cell declares methods of types of earlier cells. They remain in
// the types.
func (p *Program) LateMethods() bool { return len(p.late) > 0 }

// idle is an engine that compiles and runs nothing.
type idle struct{}

var errIdle = errors.New("interp: a draft has no values")

func (idle) Name() string                              { return "idle" }
func (idle) Compile(*engine.Cell) (engine.Code, error) { return idle{}, nil }
func (idle) Run(context.Context) error                 { return nil }
func (idle) Var(*types.Var) (reflect.Value, error)     { return reflect.Value{}, errIdle }
func (idle) Type(types.Type) (reflect.Type, error)     { return nil, errIdle }
func (idle) Func(*types.Func) (reflect.Value, error)   { return reflect.Value{}, errIdle }
func (idle) Close() error                              { return nil }
func (idle) RunsPackages()                             {}
func (idle) RenewsTypes()                              {}
func (idle) Forget(*types.Package)                     {}
