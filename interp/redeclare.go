package interp

import (
	"go/ast"
	"go/token"
	"go/types"
	"sort"

	"github.com/gokernel/gokernel/interp/check"
	"github.com/gokernel/gokernel/interp/fault"
	"github.com/gokernel/gokernel/interp/rewrite"
	"github.com/gokernel/gokernel/interp/split"
)

// Redeclaration. When a cell declares a name again and the new object has the
// identical type, the engine lets earlier code use it. Otherwise the earlier
// declarations that mention the name are compiled anew with the cell, from their
// text; those that no longer type-check keep the object that they were compiled
// with, and the user is told.

// dependant is an earlier declaration that is compiled anew with a cell.
type dependant struct {
	decl *declaration
	file *ast.File
}

// addDependants finds the earlier declarations that must be compiled anew, now
// that the types of the cell's objects are known, and adds them to the unit. It
// tells whether there are any that the unit does not have yet. Before the first
// check only the types that must be declared anew for their methods are known.
func (s *Session) addDependants(p *program) bool {
	own := check.Declared([]*ast.File{p.unit.File})
	changed := map[types.Object]bool{}
	for _, d := range p.retyped {
		changed[d.obj] = true
	}
	if p.checked != nil {
		for name := range own {
			old, obj := s.scope.names[name], p.checked.Package.Scope().Lookup(name)
			if old != nil && obj != nil && !s.sameMeaning(old.obj, obj) {
				changed[old.obj] = true
			}
		}
	}
	if len(changed) == 0 {
		return false
	}
	have := map[*declaration]bool{}
	for _, o := range p.others {
		have[o.decl] = true
	}
	added := false
	for _, d := range s.affected(p, changed, own) {
		if have[d] {
			continue
		}
		f, err := s.reparse(d)
		if err != nil {
			continue // it was parsed before, and its text has not changed
		}
		p.others = append(p.others, &dependant{decl: d, file: f})
		p.unit.Others = append(p.unit.Others, f)
		added = true
	}
	return added
}

// sameMeaning tells whether code that was compiled with the old object need not
// be compiled anew.
func (s *Session) sameMeaning(old, new types.Object) bool {
	switch old := old.(type) {
	case *types.Var:
		return replaces(old, new) && !s.scope.addressed[old]
	case *types.Const:
		c, ok := new.(*types.Const)
		return ok && types.Identical(old.Type(), c.Type()) && old.Val().ExactString() == c.Val().ExactString()
	case *types.TypeName:
		t, ok := new.(*types.TypeName)
		return ok && types.Identical(old.Type(), t.Type())
	}
	return replaces(old, new)
}

// affected gives the declarations that mention a changed object, directly or by
// way of others whose own types change with it. The set grows with them.
func (s *Session) affected(p *program, changed map[types.Object]bool, own map[string]bool) []*declaration {
	included := map[*declaration]bool{}
	var work []types.Object
	for o := range changed {
		work = append(work, o)
	}
	include := func(d *declaration) {
		if included[d] || own[d.name] && d.owner == nil {
			return
		}
		included[d] = true
		if d.changesWith(changed) && !changed[d.obj] {
			changed[d.obj] = true
			work = append(work, d.obj)
		}
	}
	for _, d := range p.retyped {
		included[d] = true
	}
	for len(work) > 0 {
		o := work[0]
		work = work[1:]
		for d := range s.scope.users[o] {
			switch {
			case d.owner == nil:
				if _, isVar := d.obj.(*types.Var); !isVar {
					include(d)
				}
			case own[d.owner.name]:
				// A method of a type that the cell declares: it is carried over below.
			case typeMentions(d.obj.Type(), changed):
				include(d.owner)
			default:
				include(d)
			}
		}
	}
	// A type takes its methods with it, but for those that were declared in one
	// cell with a type that the new cell replaces.
	for _, name := range sortedNames(s.scope.names) {
		d := s.scope.names[name]
		if !changed[d.obj] || len(d.methods) == 0 {
			continue
		}
		for _, m := range d.methods {
			switch {
			case p.methods[d.name+"."+m.name]:
				delete(included, m)
			case own[d.name] && m.cell == d.cell:
				delete(included, m)
			default:
				included[m] = true
			}
		}
	}
	var list []*declaration
	for d := range included {
		list = append(list, d)
	}
	sort.Slice(list, func(i, j int) bool {
		if list[i].start != list[j].start {
			return list[i].start < list[j].start
		}
		return list[i].name < list[j].name
	})
	return list
}

func sortedNames(m map[string]*declaration) []string {
	names := make([]string, 0, len(m))
	for n := range m {
		names = append(names, n)
	}
	sort.Strings(names)
	return names
}

// changesWith tells whether the declared object becomes another one when those
// objects change: a function whose signature mentions none of them does not.
func (d *declaration) changesWith(changed map[types.Object]bool) bool {
	if fn, ok := d.obj.(*types.Func); ok {
		return typeMentions(fn.Type(), changed)
	}
	return true
}

// typeMentions tells whether a type names one of the objects.
func typeMentions(t types.Type, objs map[types.Object]bool) bool {
	seen := map[types.Type]bool{}
	var walk func(t types.Type) bool
	tuple := func(tu *types.Tuple) bool {
		for v := range tu.Variables() {
			if walk(v.Type()) {
				return true
			}
		}
		return false
	}
	walk = func(t types.Type) bool {
		if t == nil || seen[t] {
			return false
		}
		seen[t] = true
		switch t := t.(type) {
		case *types.Alias:
			return objs[t.Obj()] || walk(types.Unalias(t))
		case *types.Named:
			if objs[t.Obj()] || objs[t.Origin().Obj()] {
				return true
			}
			for a := range t.TypeArgs().Types() {
				if walk(a) {
					return true
				}
			}
			return false
		case *types.Pointer:
			return walk(t.Elem())
		case *types.Slice:
			return walk(t.Elem())
		case *types.Array:
			return walk(t.Elem())
		case *types.Chan:
			return walk(t.Elem())
		case *types.Map:
			return walk(t.Key()) || walk(t.Elem())
		case *types.Signature:
			for tp := range t.TypeParams().TypeParams() {
				if walk(tp.Constraint()) {
					return true
				}
			}
			return tuple(t.Params()) || tuple(t.Results())
		case *types.Struct:
			for f := range t.Fields() {
				if walk(f.Type()) {
					return true
				}
			}
		case *types.Interface:
			for m := range t.ExplicitMethods() {
				if walk(m.Type()) {
					return true
				}
			}
			for e := range t.EmbeddedTypes() {
				if walk(e) {
					return true
				}
			}
		case *types.Union:
			for term := range t.Terms() {
				if walk(term.Type()) {
					return true
				}
			}
		}
		return false
	}
	return walk(t)
}

// reparse gives the syntax of an earlier declaration in a file of its own, with
// the names that later cells took over left out of its group.
func (s *Session) reparse(d *declaration) (*ast.File, error) {
	c := &split.Cell{Src: d.cell.text, Base: d.cell.base}
	f, errs := split.Reparse(c, int(d.start-d.cell.base), int(d.end-d.cell.base))
	if len(errs) > 0 {
		return nil, fault.Plain("compile error", errs[0].Msg)
	}
	f.Name = &ast.Ident{Name: "main", NamePos: d.start}
	f.Package = d.start
	for _, decl := range f.Decls {
		g, ok := decl.(*ast.GenDecl)
		if !ok {
			continue
		}
		kept := g.Specs[:0]
		for _, spec := range g.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				if now := s.scope.names[spec.Name.Name]; now == nil || now.start != d.start {
					continue
				}
			case *ast.ValueSpec:
				// The value of iota counts the specs: a name goes, its spec stays.
				for _, id := range spec.Names {
					if now := s.scope.names[id.Name]; now == nil || now.start != d.start {
						id.Name = "_"
					}
				}
			}
			kept = append(kept, spec)
		}
		g.Specs = kept
	}
	return f, nil
}

// dropDependants takes those out of the unit that do not check any more, and
// gives the errors that are the cell's own.
func (s *Session) dropDependants(p *program, errs []check.Error) (own []check.Error, dropped bool) {
	bad := map[*dependant]check.Error{}
	for _, e := range errs {
		d := p.dependantAt(e.Pos)
		if d == nil {
			own = append(own, e)
			continue
		}
		if _, ok := bad[d]; !ok {
			bad[d] = e
		}
	}
	if len(bad) == 0 {
		return own, false
	}
	var kept []*dependant
	p.unit.Others = nil
	for _, d := range p.others {
		if e, ok := bad[d]; ok {
			p.dropped = append(p.dropped, d.decl)
			p.dropLate(d.file)
			pos := s.position(e.Pos)
			p.notes = append(p.notes, "note: "+d.decl.fullName()+" ("+d.decl.cell.name+") goes on with what was declared before: "+
				fault.Diagnostic{Pos: pos, Msg: plainWords(e.Msg)}.String())
			continue
		}
		kept = append(kept, d)
		p.unit.Others = append(p.unit.Others, d.file)
	}
	p.others = kept
	return own, true
}

// watchNewest lets a declaration that could not be compiled anew be tried again
// when the names that it mentions are declared the next time.
func (s *Session) watchNewest(d *declaration) {
	s.scope.untrack(d)
	for i, o := range d.uses {
		if now := s.scope.names[o.Name()]; now != nil {
			d.uses[i] = now.obj
		}
	}
	s.scope.track(d)
}

func (p *program) dependantAt(pos token.Pos) *dependant {
	for _, d := range p.others {
		if d.decl.start <= pos && pos <= d.decl.end {
			return d
		}
	}
	return nil
}

// fullName gives the name of a declaration for a reader.
func (d *declaration) fullName() string {
	if d.owner != nil {
		return d.owner.name + "." + d.name
	}
	return d.name
}

// sessionObject tells of objects that cells declare for the session.
func sessionObject(o types.Object) bool {
	return o.Pkg() != nil && o.Pkg().Path() == "main" && o.Parent() == o.Pkg().Scope() && !rewrite.Reserved(o.Name())
}
