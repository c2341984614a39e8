package interp

import (
	"context"
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/interp/cellrt"
	"github.com/gokernel/gokernel/interp/check"
	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/fault"
	"github.com/gokernel/gokernel/interp/magic"
	"github.com/gokernel/gokernel/interp/rewrite"
	"github.com/gokernel/gokernel/interp/split"
	"github.com/gokernel/gokernel/interp/value"
)

// prepareMagics turns the cell's magics into statements that call back.
func (s *Session) prepareMagics(ctx context.Context, p *program, out Output) *Error {
	for _, m := range p.cell.Lines {
		detail := 0
		switch m.Name {
		case "?":
			m.Name = "doc"
		case "??":
			m.Name, detail = "doc", 1
		}
		whole := strings.HasPrefix(m.Text, "%%")
		mg, err := magic.Lookup(m.Name, whole)
		if err != nil {
			return s.compileError(p.src, []check.Error{{Pos: m.Pos, End: m.Pos + 1, Msg: err.Error()}}, nil)
		}
		call := magic.Call{Args: m.Args, Options: m.Options, Detail: detail, Out: out, Session: host{s, p}}
		run := func(body func()) {
			call.Code = body
			if err := mg.Run(ctx, call); err != nil {
				panic(&cellrt.Failure{Err: err})
			}
		}
		switch m.Name {
		case "time":
			if m.Stmt == nil && !whole || !m.Code {
				return s.compileError(p.src, []check.Error{{Pos: m.Pos, End: m.Pos + 5, Msg: "%time: give a statement to run", Hint: "%%time on the first line times the whole cell"}}, nil)
			}
			s.prepareTime(p, m, out, whole)
		case "timeit":
			if whole {
				if len(p.cell.Stmts) > 0 {
					p.cell.Stmts = []ast.Stmt{rewrite.CallStmt(m.Pos, p.register(run), p.cell.Stmts...)}
				}
				continue
			}
			fallthrough
		default:
			var body []ast.Stmt
			if m.Code && m.Stmt != nil {
				body = []ast.Stmt{m.Stmt}
			}
			p.replaceStmt(m.Stmt, rewrite.CallStmt(m.Pos, p.register(run), body...))
		}
	}
	return nil
}

// prepareTime puts a stopwatch around a statement, or around the whole cell.
// The statement stays one of the cell: what it declares is the session's.
func (s *Session) prepareTime(p *program, m *split.Magic, out Output, whole bool) {
	var watch *magic.Stopwatch
	start := rewrite.CallStmt(m.Pos, p.register(func(func()) { watch = magic.Start() }))
	stop := rewrite.CallStmt(m.Pos, p.register(func(func()) { out.Stdout("time: " + watch.Stop() + "\n") }))
	if whole {
		p.cell.Stmts = append(append([]ast.Stmt{start}, p.cell.Stmts...), stop)
		return
	}
	if m.Stmt != nil {
		p.replaceStmt(m.Stmt, start, m.Stmt, stop)
	}
}

func (p *program) replaceStmt(old ast.Stmt, with ...ast.Stmt) {
	for i, st := range p.cell.Stmts {
		if st == old {
			list := append([]ast.Stmt{}, p.cell.Stmts[:i]...)
			list = append(list, with...)
			p.cell.Stmts = append(list, p.cell.Stmts[i+1:]...)
			return
		}
	}
}

func (p *program) register(f func(body func())) int {
	id := cellrt.Register(f)
	p.calls = append(p.calls, id)
	return id
}

// forget ends the calls that the cell could make.
func (p *program) forget() {
	for _, id := range p.calls {
		cellrt.Forget(id)
	}
}

// wholeMagic runs a cell that is one magic and its text.
func (s *Session) wholeMagic(ctx context.Context, p *program, _ Cell, out Output) (Result, error) {
	m := p.cell.Whole
	mg, err := magic.Lookup(m.Name, true)
	if err == nil {
		err = mg.Run(ctx, magic.Call{Args: m.Args, Body: m.Body, Out: out, Session: host{s, p}})
	}
	switch {
	case err == nil:
		return Result{}, nil
	case ctx.Err() != nil:
		return Result{}, s.failure(ctx, p, ctx.Err())
	}
	return Result{}, fault.Plain("error", err.Error())
}

// host is the session as magics see it.
type host struct {
	s *Session
	p *program
}

func (h host) CellText() string { return h.p.src.text }

func (h host) Reset() {
	h.s.mu.Lock()
	defer h.s.mu.Unlock()
	h.s.scope.names = map[string]*declaration{}
	h.s.scope.imports = map[string]string{}
	h.s.scope.users = map[types.Object]map[*declaration]bool{}
}

func (h host) Doc(name string, detail int) (display.Bundle, bool) {
	b, ok, err := h.s.Inspect(context.Background(), name, len(name), detail)
	return b, ok && err == nil
}

func (h host) Variables() []magic.Variable {
	h.s.mu.Lock()
	defer h.s.mu.Unlock()
	var list []magic.Variable
	for _, name := range h.s.scope.sorted() {
		d := h.s.scope.names[name]
		v := magic.Variable{Name: name, Type: typeString(d.obj.Type()), Cell: d.cell.number}
		switch o := d.obj.(type) {
		case *types.Var:
			v.Kind = "var"
			if rv, err := h.s.engine.Var(o); err == nil {
				v.Value = value.Line(rv)
			}
		case *types.Const:
			v.Kind, v.Value = "const", o.Val().String()
		case *types.Func:
			v.Kind = "func"
		case *types.TypeName:
			v.Kind, v.Type = "type", typeString(o.Type().Underlying())
		}
		list = append(list, v)
	}
	return list
}

// typeString writes a type as cells do.
func typeString(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		if p.Path() == "main" {
			return ""
		}
		return p.Name()
	})
}

// shapeError presents an operation on vectors or matrices that do not fit.
func (s *Session) shapeError(e *cellrt.ShapeError, pan *engine.Panic) *Error {
	s.mu.Lock()
	site, ok := s.sites[e.Site]
	s.mu.Unlock()
	if !ok {
		return fault.Panic(pan, "", s.text)
	}
	msg := fmt.Sprintf("%s is %s, %s is %s: %s", site.Left, e.Left, site.Right, e.Right, e.Why)
	d := fault.Diagnostic{Pos: s.position(site.Pos), Len: spanLen(s.fset, site.Pos, site.End)}
	return fault.At("shapes do not fit", msg, d, pan.Stack, s.text)
}
