package interp

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/interp/advice"
	"github.com/gokernel/gokernel/interp/cellrt"
	"github.com/gokernel/gokernel/interp/check"
	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/fault"
	"github.com/gokernel/gokernel/interp/magic"
	"github.com/gokernel/gokernel/interp/pipeline"
	"github.com/gokernel/gokernel/interp/rewrite"
	"github.com/gokernel/gokernel/interp/scope"
	"github.com/gokernel/gokernel/interp/split"
	"github.com/gokernel/gokernel/interp/value"
	"github.com/gokernel/gokernel/kernel/evaluator"
)

// prepareMagics converts the cell's magics to statements that call back.
func (s *Session) prepareMagics(ctx context.Context, p *pipeline.Program, calls *callbacks, out evaluator.Output) *evaluator.Error {
	for _, m := range p.Cell.Lines {
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
			return s.compiler.Advice.Present(p.Src, []check.Error{{Pos: m.Pos, End: m.Pos + 1, Msg: err.Error()}}, nil)
		}
		call := magic.Call{Args: m.Args, Options: m.Options, Detail: detail, Out: out, Session: host{s, p}}
		run := func(body func()) {
			call.Code = body
			cellrt.Check(mg.Run(ctx, call))
		}
		switch m.Name {
		case "get":
			if err := s.get(ctx, m.Args, out); err != nil {
				return s.compiler.Advice.Present(p.Src, []check.Error{{Pos: m.Pos, End: m.Pos + token.Pos(len(m.Text)), Msg: err.Error()}}, nil)
			}
			p.ReplaceStmt(m.Stmt)
		case "session":
			verb, file, err := magic.SessionArguments(m.Args)
			if err == nil && verb == "restore" && len(p.Cell.Stmts) > 0 && p.Cell.Stmts[0] != m.Stmt {
				err = errors.New("%session restore: write this magic on the first line of the cell, because it takes effect before the cell runs")
			}
			if err == nil && verb == "restore" {
				err = s.restoreSession(ctx, p, file, out)
			}
			if err != nil {
				return s.compiler.Advice.Present(p.Src, []check.Error{{Pos: m.Pos, End: m.Pos + token.Pos(len(m.Text)), Msg: err.Error()}}, nil)
			}
			if verb == "restore" {
				p.ReplaceStmt(m.Stmt)
			} else {
				p.ReplaceStmt(m.Stmt, rewrite.CallStmt(m.Pos, calls.add(run)))
			}
		case "time":
			if m.Stmt == nil && !whole || !m.Code {
				return s.compiler.Advice.Present(p.Src, []check.Error{{Pos: m.Pos, End: m.Pos + 5, Msg: "%time: give a statement to run", Hint: "%%time on the first line times the whole cell"}}, nil)
			}
			s.prepareTime(p, calls, m, out, whole)
		case "prun":
			if failed := s.prepareProfile(p, calls, m, out, whole); failed != nil {
				return failed
			}
		case "capture":
			if failed := s.prepareCapture(p, calls, m, out); failed != nil {
				return failed
			}
		case "timeit":
			if whole {
				if len(p.Cell.Stmts) > 0 {
					p.Cell.Stmts = []ast.Stmt{rewrite.CallStmt(m.Pos, calls.add(run), p.Cell.Stmts...)}
				}
				continue
			}
			fallthrough
		default:
			var body []ast.Stmt
			if m.Code && m.Stmt != nil {
				body = []ast.Stmt{m.Stmt}
			}
			p.ReplaceStmt(m.Stmt, rewrite.CallStmt(m.Pos, calls.add(run), body...))
		}
	}
	return nil
}

// prepareTime times a statement, or the whole cell. The statement remains a statement of the cell,
// so its declarations belong to the session.
func (s *Session) prepareTime(p *pipeline.Program, calls *callbacks, m *split.Magic, out evaluator.Output, whole bool) {
	var watch *magic.Stopwatch
	around(p, calls, m, whole, func() { watch = magic.Start() }, func() { out.Stdout("time: " + watch.Stop() + "\n") })
}

// around calls one function before a statement, or before the whole cell, and another function
// after it.
func around(p *pipeline.Program, calls *callbacks, m *split.Magic, whole bool, before, after func()) {
	start := rewrite.CallStmt(m.Pos, calls.add(func(func()) { before() }))
	stop := rewrite.CallStmt(m.Pos, calls.add(func(func()) { after() }))
	if whole {
		p.Cell.Stmts = append(append([]ast.Stmt{start}, p.Cell.Stmts...), stop)
		return
	}
	if m.Stmt != nil {
		p.ReplaceStmt(m.Stmt, start, m.Stmt, stop)
	}
}

// callbacks lists the functions that the statements generated for magics call.
type callbacks []int

func (c *callbacks) add(f func(body func())) int {
	id := cellrt.Register(f)
	*c = append(*c, id)
	return id
}

// forget releases the callbacks of the cell.
func (c *callbacks) forget() {
	for _, id := range *c {
		cellrt.Forget(id)
	}
}

// wholeMagic runs a cell that consists of one magic and its text.
func (s *Session) wholeMagic(ctx context.Context, p *pipeline.Program, out evaluator.Output) (evaluator.Result, error) {
	m := p.Cell.Whole
	mg, err := magic.Lookup(m.Name, true)
	if err == nil {
		err = mg.Run(ctx, magic.Call{Args: m.Args, Body: m.Body, Out: out, Session: host{s, p}})
	}
	switch {
	case err == nil:
		return evaluator.Result{}, nil
	case ctx.Err() != nil:
		return evaluator.Result{}, s.failure(ctx, p, ctx.Err())
	}
	return evaluator.Result{}, fault.Plain("error", err.Error())
}

// magicGo returns the Go code to which the magic of a cell expands, or "" if the magic doesn't
// expand to Go code.
func (s *Session) magicGo(p *pipeline.Program, out evaluator.Output) (string, *evaluator.Error) {
	m := p.Cell.Whole
	mg, err := magic.Lookup(m.Name, true)
	if err != nil || mg.Go == nil {
		return "", nil
	}
	text, err := mg.Go(magic.Call{Args: m.Args, Body: m.Body, Out: out, Session: host{s, p}})
	if err != nil {
		return "", fault.Plain("error", err.Error())
	}
	return text, nil
}

// host is the session as magics see it.
type host struct {
	s *Session
	p *pipeline.Program
}

func (h host) History() []string {
	h.s.mu.Lock()
	defer h.s.mu.Unlock()
	var list []string
	for _, c := range h.s.ran {
		list = append(list, fmt.Sprintf("// %s\n%s", pipeline.CellName(c.Number), c.Text))
	}
	return list
}

func (h host) ValueText(name string) (string, bool) {
	h.s.mu.Lock()
	defer h.s.mu.Unlock()
	d := h.s.compiler.Scope.Lookup(name)
	if d == nil {
		return "", false
	}
	switch o := d.Obj.(type) {
	case *types.Var:
		rv, err := h.s.compiler.Engine.Var(o)
		if err != nil || !rv.CanInterface() {
			return "", false
		}
		return fmt.Sprint(rv.Interface()), true
	case *types.Const:
		if o.Val().Kind() == constant.String {
			return constant.StringVal(o.Val()), true
		}
		return o.Val().String(), true
	}
	return "", false
}

func (h host) Warnings() bool { return h.s.compiler.Warn }

func (h host) SetWarnings(on bool) {
	h.s.mu.Lock()
	defer h.s.mu.Unlock()
	h.s.compiler.Warn = on
}

func (h host) CellText() string { return h.p.Src.Text }

func (h host) JIT() (engine.JIT, bool) {
	e, ok := h.s.compiler.Engine.(engine.JIT)
	return e, ok
}

func (h host) Function(name string) *types.Func {
	h.s.mu.Lock()
	defer h.s.mu.Unlock()
	name, method, _ := strings.Cut(name, ".")
	switch o := h.s.compiler.Scope.Visible(name).(type) {
	case *types.Func:
		if method == "" {
			return o
		}
	case *types.TypeName:
		m, _, _ := types.LookupFieldOrMethod(o.Type(), true, o.Pkg(), method)
		f, _ := m.(*types.Func)
		return f
	}
	return nil
}

func (h host) SourceOf(file string) (text string, ok bool) { return h.s.text(file) }

func (h host) Reset() {
	h.s.mu.Lock()
	defer h.s.mu.Unlock()
	h.s.compiler.Scope.Reset()
	h.s.ran = nil
}

func (h host) Doc(name string, detail int) (display.Bundle, bool) {
	b, ok, err := h.s.Inspect(context.Background(), name, len(name), detail)
	return b, ok && err == nil
}

func (h host) Meant(name string) string { return advice.Meant(name) }

func (h host) Frames() []string {
	h.s.mu.Lock()
	defer h.s.mu.Unlock()
	return h.s.compiler.Scope.Frames()
}

func (h host) Databases() []string {
	h.s.mu.Lock()
	defer h.s.mu.Unlock()
	return h.s.compiler.Scope.Databases()
}

func (h host) Values() []string {
	h.s.mu.Lock()
	defer h.s.mu.Unlock()
	return h.s.compiler.Scope.Values()
}

func (h host) Replaced() (types, methods int, size string) {
	h.s.mu.Lock()
	defer h.s.mu.Unlock()
	r := h.s.compiler.Replaced
	return r.Types, r.Methods, value.Bytes(r.Bytes())
}

func (h host) Variables() []magic.Variable {
	h.s.mu.Lock()
	defer h.s.mu.Unlock()
	var list []magic.Variable
	for _, name := range h.s.compiler.Scope.Names() {
		d := h.s.compiler.Scope.Lookup(name)
		v := magic.Variable{Name: name, Type: scope.TypeString(d.Obj.Type()), Cell: d.Cell.Number}
		switch o := d.Obj.(type) {
		case *types.Var:
			v.Kind = "var"
			if rv, err := h.s.compiler.Engine.Var(o); err == nil {
				v.Value, v.Size = value.Line(rv), value.SizeText(rv)
			}
		case *types.Const:
			v.Kind, v.Value = "const", o.Val().String()
		case *types.Func:
			v.Kind = "func"
		case *types.TypeName:
			v.Kind, v.Type = "type", scope.TypeString(o.Type().Underlying())
		}
		list = append(list, v)
	}
	return list
}
