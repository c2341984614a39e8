package rewrite

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/astutil"

	"github.com/gokernel/gokernel/interp/check"
)

// older finds names that statements use before the cell declares them. Such a name refers to the
// variable of an earlier cell, as a name of an outer block does in Go. The variable is accessed
// through a pointer that is taken before the cell runs.
func (u *Unit) older(r *check.Result) bool {
	ends := map[types.Object]token.Pos{}
	for _, h := range u.hoists {
		for _, id := range h.spec.Names {
			if obj := r.Info.Defs[id]; obj != nil {
				ends[obj] = h.end
			}
		}
	}
	if len(ends) == 0 {
		return false
	}
	changed := false
	replace := func(c *astutil.Cursor) bool {
		id, ok := c.Node().(*ast.Ident)
		if !ok {
			return true
		}
		obj := r.Info.Uses[id]
		end, hoisted := ends[obj]
		if !hoisted || id.Pos() >= end || Reserved(id.Name) {
			return true
		}
		if u.OlderVar == nil || !u.OlderVar(id.Name) {
			u.errs = append(u.errs, check.Error{
				Pos: id.Pos(), End: id.End(), Msg: "undefined: " + id.Name,
				Hint: fmt.Sprintf("the cell declares it later, in line %d", u.Fset.Position(obj.Pos()).Line),
			})
			return true
		}
		ptr := olderPrefix + id.Name
		u.Older[id.Name] = ptr
		c.Replace(&ast.ParenExpr{Lparen: id.Pos(), X: &ast.StarExpr{Star: id.Pos(), X: ident(ptr, id.Pos())}, Rparen: id.End() - 1})
		changed = true
		return false
	}
	for _, h := range u.hoists {
		for i := range h.spec.Values {
			wrapped := &ast.ParenExpr{X: h.spec.Values[i]}
			astutil.Apply(wrapped, replace, nil)
			h.spec.Values[i] = wrapped.X
		}
	}
	astutil.Apply(u.entry.Body, replace, nil)
	return changed
}
