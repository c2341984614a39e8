package pipeline

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"

	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/scope"
)

// Some types are declared again only because of their methods. Their variables are declared again
// with them and keep their memory, so that they get the new methods, too.

// renews reports whether the engine knows types that replace others.
func (c *Compiler) renews() bool {
	_, ok := c.Engine.(engine.Renewer)
	return ok
}

// rebound adds the variables of changed types to the declarations to compile again, and returns
// their objects.
func (c *Compiler) rebound(changed map[types.Object]bool, own map[string]bool, included map[*scope.Declaration]bool) (objs []types.Object) {
	kinds := map[types.Object]bool{}
	for o := range changed {
		if _, ok := o.(*types.TypeName); ok {
			kinds[o] = true
		}
	}
	for _, name := range c.Scope.Names() {
		d := c.Scope.Lookup(name)
		v, ok := d.Obj.(*types.Var)
		if !ok || own[name] || included[d] || !d.Start.IsValid() || !scope.TypeMentions(v.Type(), kinds) {
			continue
		}
		included[d], changed[v] = true, true
		objs = append(objs, v)
	}
	return objs
}

// redeclared returns a file that declares a variable with the text of its type.
func (c *Compiler) redeclared(d *scope.Declaration, v *types.Var) (*ast.File, error) {
	typ, err := parser.ParseExpr(scope.TypeString(v.Type()))
	if err != nil {
		return nil, err
	}
	ast.Inspect(typ, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			id.NamePos = d.Start // the position of its errors
		}
		return true
	})
	name := &ast.Ident{Name: d.Name, NamePos: d.Start}
	return &ast.File{Package: d.Start, Name: &ast.Ident{Name: "main", NamePos: d.Start}, FileStart: d.Start, FileEnd: d.End, Decls: []ast.Decl{
		&ast.GenDecl{TokPos: d.Start, Tok: token.VAR, Specs: []ast.Spec{&ast.ValueSpec{Names: []*ast.Ident{name}, Type: typ}}},
	}}, nil
}

// unbind keeps the older type of variables whose new type differs from it in more than methods. It
// reports whether there are any.
func (c *Compiler) unbind(p *Program) bool {
	pairs := c.successors(p)
	var kept []*dependant
	for _, o := range p.others {
		if v, ok := o.decl.Obj.(*types.Var); ok {
			now := p.checked.Package.Scope().Lookup(o.decl.Name)
			if now == nil || !corresponds(v.Type(), now.Type(), pairs) {
				if p.unbound == nil {
					p.unbound = map[*scope.Declaration]bool{}
				}
				p.unbound[o.decl] = true
				continue
			}
		}
		kept = append(kept, o)
	}
	if len(kept) == len(p.others) {
		return false
	}
	p.others, p.unit.Others = kept, nil
	for _, o := range kept {
		p.unit.Others = append(p.unit.Others, o.file)
	}
	return true
}

// isRebound reports whether a variable is declared again and keeps its memory.
func (p *Program) isRebound(d *scope.Declaration) bool {
	if _, ok := d.Obj.(*types.Var); !ok {
		return false
	}
	for _, o := range p.others {
		if o.decl == d {
			return true
		}
	}
	return false
}

// successors returns the types that are declared again with the same underlying type.
func (c *Compiler) successors(p *Program) map[*types.Named]*types.Named {
	if len(p.retyped) == 0 || !c.renews() {
		return nil
	}
	pairs := map[*types.Named]*types.Named{}
	for _, o := range p.others {
		old, ok1 := o.decl.Obj.(*types.TypeName)
		now, ok2 := p.checked.Package.Scope().Lookup(o.decl.Name).(*types.TypeName)
		if !ok1 || !ok2 || old.IsAlias() || now.IsAlias() {
			continue
		}
		from, ok1 := old.Type().(*types.Named)
		to, ok2 := now.Type().(*types.Named)
		if ok1 && ok2 {
			pairs[from] = to
		}
	}
	for again := true; again; {
		again = false
		for from, to := range maps.Clone(pairs) {
			if !corresponds(from.Underlying(), to.Underlying(), pairs) {
				delete(pairs, from)
				again = true
			}
		}
	}
	return pairs
}

// corresponds reports whether two types are identical except for named types that replace others.
func corresponds(a, b types.Type, pairs map[*types.Named]*types.Named) bool {
	same := func(a, b types.Type) bool { return corresponds(a, b, pairs) }
	tuples := func(a, b *types.Tuple) bool {
		if a.Len() != b.Len() {
			return false
		}
		for i := range a.Len() {
			if !same(a.At(i).Type(), b.At(i).Type()) {
				return false
			}
		}
		return true
	}
	a, b = types.Unalias(a), types.Unalias(b)
	switch a := a.(type) {
	case *types.Named:
		b, ok := b.(*types.Named)
		if !ok || a.Origin() != b.Origin() && pairs[a.Origin()] != b.Origin() || a.TypeArgs().Len() != b.TypeArgs().Len() {
			return false
		}
		for i := range a.TypeArgs().Len() {
			if !same(a.TypeArgs().At(i), b.TypeArgs().At(i)) {
				return false
			}
		}
		return true
	case *types.TypeParam:
		b, ok := b.(*types.TypeParam)
		return ok && a.Index() == b.Index()
	case *types.Pointer:
		b, ok := b.(*types.Pointer)
		return ok && same(a.Elem(), b.Elem())
	case *types.Slice:
		b, ok := b.(*types.Slice)
		return ok && same(a.Elem(), b.Elem())
	case *types.Array:
		b, ok := b.(*types.Array)
		return ok && a.Len() == b.Len() && same(a.Elem(), b.Elem())
	case *types.Chan:
		b, ok := b.(*types.Chan)
		return ok && a.Dir() == b.Dir() && same(a.Elem(), b.Elem())
	case *types.Map:
		b, ok := b.(*types.Map)
		return ok && same(a.Key(), b.Key()) && same(a.Elem(), b.Elem())
	case *types.Signature:
		b, ok := b.(*types.Signature)
		return ok && a.Variadic() == b.Variadic() && tuples(a.Params(), b.Params()) && tuples(a.Results(), b.Results())
	case *types.Struct:
		b, ok := b.(*types.Struct)
		if !ok || a.NumFields() != b.NumFields() {
			return false
		}
		for i := range a.NumFields() {
			f, g := a.Field(i), b.Field(i)
			if f.Name() != g.Name() || f.Embedded() != g.Embedded() || a.Tag(i) != b.Tag(i) || !same(f.Type(), g.Type()) {
				return false
			}
		}
		return true
	case *types.Interface:
		b, ok := b.(*types.Interface)
		if !ok || a.NumMethods() != b.NumMethods() {
			return false
		}
		for i := range a.NumMethods() {
			if a.Method(i).Name() != b.Method(i).Name() || !same(a.Method(i).Type(), b.Method(i).Type()) {
				return false
			}
		}
		return true
	}
	return types.Identical(a, b)
}
