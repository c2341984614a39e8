package interp

import (
	"go/ast"
	"go/token"
	"go/types"
	"sort"

	"github.com/gokernel/gokernel/interp/check"
	"github.com/gokernel/gokernel/interp/rewrite"
)

// setImport notes an import declaration of the cell.
func (src *source) setImport(name, path string) {
	if src.imports == nil {
		src.imports = map[string]string{}
	}
	src.imports[name] = path
}

// span is a declaration of the unit and the text that it comes from.
type span struct {
	cell       *source
	start, end token.Pos
	decl       ast.Decl
	made       []*declaration
}

// spans gives the declarations of the unit in the order of their positions.
func (p *program) spans() []*span {
	var list []*span
	for _, d := range p.unit.File.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Name.Name == rewrite.EntryName || isImport(d) {
			continue // it spans the whole cell, or stands where a name was used
		}
		list = append(list, &span{cell: p.src, start: d.Pos(), end: d.End(), decl: d})
	}
	for _, o := range p.others {
		for _, d := range o.file.Decls {
			if isImport(d) {
				continue
			}
			list = append(list, &span{cell: o.decl.cell, start: o.decl.start, end: o.decl.end, decl: d})
		}
	}
	return list
}

func isImport(d ast.Decl) bool {
	g, ok := d.(*ast.GenDecl)
	return ok && g.Tok == token.IMPORT
}

// declarations gives what the cell and its dependants declare for the session.
func (s *Session) declarations(p *program) map[string]*declaration {
	declared := map[string]*declaration{}
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
		d := &declaration{name: id.Name, obj: obj, cell: sp.cell, start: sp.start, end: sp.end}
		if text != nil {
			d.spec = sp.cell.slice(text.Pos(), text.End())
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

// findUses notes for each declaration the objects of the session that it
// mentions.
func (p *program) findUses(spans []*span) {
	sort.SliceStable(spans, func(i, j int) bool { return spans[i].start < spans[j].start })
	seen := map[*declaration]map[types.Object]bool{}
	for id, obj := range p.checked.Info.Uses {
		if !sessionObject(obj) {
			continue
		}
		i := sort.Search(len(spans), func(i int) bool { return spans[i].start > id.Pos() }) - 1
		if i < 0 || id.Pos() >= spans[i].end {
			continue
		}
		for _, d := range spans[i].made {
			if d.obj == obj {
				continue
			}
			if _, isVar := d.obj.(*types.Var); isVar {
				continue // variables are not compiled anew
			}
			if seen[d] == nil {
				seen[d] = map[types.Object]bool{}
			}
			if !seen[d][obj] {
				seen[d][obj] = true
				d.uses = append(d.uses, obj)
			}
		}
	}
}

// declareMethods notes the methods of the unit with their types.
func (s *Session) declareMethods(p *program) {
	spans := p.spans()
	for _, sp := range spans {
		fn, ok := sp.decl.(*ast.FuncDecl)
		if !ok || fn.Recv == nil {
			continue
		}
		owner := s.scope.names[receiverBase(fn)]
		obj := p.checked.Info.Defs[fn.Name]
		if owner == nil || obj == nil {
			continue
		}
		m := &declaration{
			name: fn.Name.Name, owner: owner, obj: obj, cell: sp.cell, start: sp.start, end: sp.end,
			spec: sp.cell.slice(fn.Pos(), fn.End()), head: sp.cell.slice(fn.Pos(), fn.Type.End()),
		}
		if owner.methods == nil {
			owner.methods = map[string]*declaration{}
		}
		if old := owner.methods[m.name]; old != nil {
			s.scope.untrack(old)
		}
		owner.methods[m.name] = m
		sp.made = append(sp.made, m)
	}
	p.findUses(spans)
	for _, sp := range spans {
		for _, m := range sp.made {
			if m.owner != nil {
				s.scope.track(m)
			}
		}
	}
}
