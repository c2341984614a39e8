package pipeline

import (
	"go/ast"
	"go/token"
	"go/types"
	"sort"

	"github.com/gokernel/gokernel/interp/check"
	"github.com/gokernel/gokernel/interp/rewrite"
	"github.com/gokernel/gokernel/interp/scope"
)

// span is a declaration of the unit with the text it comes from.
type span struct {
	cell       *scope.Source
	start, end token.Pos
	decl       ast.Decl
	made       []*scope.Declaration
}

// spans returns the declarations of the unit in the order of their positions.
func (p *Program) spans() []*span {
	var list []*span
	for _, d := range p.unit.File.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Name.Name == rewrite.EntryName || isImport(d) {
			continue // it covers the whole cell, or is at a position where a name was used
		}
		list = append(list, &span{cell: p.Src, start: d.Pos(), end: d.End(), decl: d})
	}
	for _, o := range p.others {
		for _, d := range o.file.Decls {
			if isImport(d) {
				continue
			}
			list = append(list, &span{cell: o.decl.Cell, start: o.decl.Start, end: o.decl.End, decl: d})
		}
	}
	return list
}

func isImport(d ast.Decl) bool {
	g, ok := d.(*ast.GenDecl)
	return ok && g.Tok == token.IMPORT
}

// declarations returns the declarations of the cell and of its dependents for the session.
func (c *Compiler) declarations(p *Program) map[string]*scope.Declaration {
	declared := map[string]*scope.Declaration{}
	pkg := p.checked.Package
	spans := p.spans()
	add := func(sp *span, id *ast.Ident, text ast.Node) {
		if id.Name == "_" || id.Name == "init" || rewrite.Reserved(id.Name) {
			return
		}
		obj := pkg.Scope().Lookup(id.Name)
		if obj == nil || obj.Pkg() != pkg {
			return
		}
		d := &scope.Declaration{Name: id.Name, Obj: obj, Cell: sp.cell, Start: sp.start, End: sp.end}
		if text != nil {
			d.Spec = sp.cell.Slice(text.Pos(), text.End())
		}
		declared[id.Name] = d
		sp.made = append(sp.made, d)
	}
	for _, sp := range spans {
		switch d := sp.decl.(type) {
		case *ast.FuncDecl:
			for _, id := range check.DeclaredBy(d) {
				add(sp, id, nil)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					add(sp, spec.Name, spec)
				case *ast.ValueSpec:
					for _, id := range spec.Names {
						add(sp, id, nil)
					}
				}
			}
		}
	}
	p.findUses(spans)
	return declared
}

// findUses records, for each declaration, the objects of the session that it mentions.
func (p *Program) findUses(spans []*span) {
	sort.SliceStable(spans, func(i, j int) bool { return spans[i].start < spans[j].start })
	seen := map[*scope.Declaration]map[types.Object]bool{}
	for id, obj := range p.checked.Info.Uses {
		if !scope.IsDeclared(obj) {
			continue
		}
		i := sort.Search(len(spans), func(i int) bool { return spans[i].start > id.Pos() }) - 1
		if i < 0 || id.Pos() >= spans[i].end {
			continue
		}
		for _, d := range spans[i].made {
			if d.Obj == obj {
				continue
			}
			if _, isVar := d.Obj.(*types.Var); isVar {
				continue // variables are not recompiled
			}
			if seen[d] == nil {
				seen[d] = map[types.Object]bool{}
			}
			if !seen[d][obj] {
				seen[d][obj] = true
				d.Uses = append(d.Uses, obj)
			}
		}
	}
}

// declareMethods records the methods of the unit with their types.
func (c *Compiler) declareMethods(p *Program) {
	spans := p.spans()
	for _, sp := range spans {
		fn, ok := sp.decl.(*ast.FuncDecl)
		if !ok || fn.Recv == nil {
			continue
		}
		owner := c.Scope.Lookup(check.ReceiverBase(fn))
		obj := p.checked.Info.Defs[fn.Name]
		if owner == nil || obj == nil {
			continue
		}
		m := &scope.Declaration{
			Name: fn.Name.Name, Owner: owner, Obj: obj, Cell: sp.cell, Start: sp.start, End: sp.end,
			Spec: sp.cell.Slice(fn.Pos(), fn.End()), Head: sp.cell.Slice(fn.Pos(), fn.Type.End()),
		}
		if owner.Methods == nil {
			owner.Methods = map[string]*scope.Declaration{}
		}
		if old := owner.Methods[m.Name]; old != nil {
			c.Scope.Untrack(old)
		}
		owner.Methods[m.Name] = m
		sp.made = append(sp.made, m)
	}
	p.findUses(spans)
	for _, sp := range spans {
		for _, m := range sp.made {
			if m.Owner != nil {
				c.Scope.Track(m)
			}
		}
	}
}
