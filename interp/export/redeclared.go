package export

import (
	"go/ast"
	"go/types"
	"strconv"

	"github.com/gokernel/gokernel/interp/rewrite"
)

// findMethods finds the last declaration of each method.
func (x *exporter) findMethods() {
	for _, c := range x.cells {
		if c.code == nil {
			continue
		}
		for _, f := range c.code.Files {
			for _, d := range f.Decls {
				if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv != nil {
					x.methods[x.methodName(c.code.Info, fn)] = declared{c.index, fn.Pos()}
				}
			}
		}
	}
}

// initName returns a new name for a function init, which the program calls at its position.
func (x *exporter) initName(fn *ast.FuncDecl) string {
	if x.inits[fn.Pos()] == "" {
		name := "setUp"
		for n := 2; x.identifiers[name]; n++ {
			name = "setUp" + strconv.Itoa(n)
		}
		x.identifiers[name] = true
		x.inits[fn.Pos()] = name
	}
	return x.inits[fn.Pos()]
}

// findVariables finds the functions that must be called through a variable. They are declared again
// with the same type, and functions of earlier cells that call them are called after that.
func (x *exporter) findVariables() {
	for _, e := range x.order {
		if e.next == nil || e.variable != nil || !x.calledLater(e) {
			continue
		}
		v := &entity{name: e.name, final: e.final, obj: e.obj}
		n := 0
		for m := e; m != nil; m = m.next {
			m.variable = v
			for {
				n++
				if name := e.name + strconv.Itoa(n); !x.identifiers[name] {
					x.identifiers[name] = true
					m.final = name
					break
				}
			}
		}
	}
}

// calledLater reports whether a function declared before the next declaration of e mentions e, and
// is itself mentioned after that declaration.
func (x *exporter) calledLater(e *entity) bool {
	callers := map[*entity]bool{e: true}
	for more := true; more; {
		more = false
		for _, c := range x.cells {
			if c.code == nil || c.index >= e.next.cell {
				continue
			}
			for _, f := range c.code.Files {
				for _, d := range f.Decls {
					fn, ok := d.(*ast.FuncDecl)
					if !ok || rewrite.Reserved(fn.Name.Name) {
						continue
					}
					caller := x.entityOf(c.code.Info.Defs[fn.Name])
					if fn.Recv == nil && (caller == nil || callers[caller]) || !x.mentions(c.code.Info, fn, callers) {
						continue
					}
					if fn.Recv != nil {
						return true // calls of methods are not tracked
					}
					callers[caller], more = true, true
				}
			}
		}
	}
	if x.inLiterals(e, callers) {
		return true
	}
	delete(callers, e)
	for _, c := range x.cells {
		if c.code == nil || c.index < e.next.cell {
			continue
		}
		for _, f := range c.code.Files {
			if x.mentions(c.code.Info, f, callers) {
				return true
			}
		}
	}
	return false
}

// inLiterals reports whether a function literal before the next declaration of e mentions one of
// the functions, because a variable may hold the literal.
func (x *exporter) inLiterals(e *entity, list map[*entity]bool) (found bool) {
	for _, c := range x.cells {
		if c.code == nil || c.index >= e.next.cell {
			continue
		}
		for _, s := range entry(c) {
			ast.Inspect(s, func(n ast.Node) bool {
				if lit, ok := n.(*ast.FuncLit); ok && x.mentions(c.code.Info, lit, list) {
					found = true
				}
				return !found
			})
		}
	}
	return found
}

func (x *exporter) mentions(info *types.Info, n ast.Node, list map[*entity]bool) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && list[x.entityOf(info.Uses[id])] {
			found = true
		}
		return !found
	})
	return found
}
