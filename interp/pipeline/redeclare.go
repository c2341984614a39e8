package pipeline

import (
	"go/ast"
	"go/token"
	"go/types"
	"sort"

	"github.com/gokernel/gokernel/interp/advice"
	"github.com/gokernel/gokernel/interp/check"
	"github.com/gokernel/gokernel/interp/fault"
	"github.com/gokernel/gokernel/interp/scope"
	"github.com/gokernel/gokernel/interp/split"
)

// When a cell declares a name again and the new object has the identical type, earlier code uses
// the new object. Otherwise the session compiles again, from their text and together with the cell,
// the earlier declarations that mention the name. Declarations that no longer type-check keep the
// old object, and a note reports them.

// dependant is an earlier declaration that is compiled again with a cell.
type dependant struct {
	decl *scope.Declaration
	file *ast.File
}

// addDependants finds the earlier declarations that must be compiled again and adds them to the
// unit. It runs when the types of the cell's objects are known. It reports whether it added any.
// Before the first check, it only knows the types that must be declared again because of their
// methods.
func (c *Compiler) addDependants(p *Program) bool {
	own := check.Declared([]*ast.File{p.unit.File})
	changed := map[types.Object]bool{}
	for _, d := range p.retyped {
		changed[d.Obj] = true
	}
	if p.checked != nil {
		for name := range own {
			old, obj := c.Scope.Lookup(name), p.checked.Package.Scope().Lookup(name)
			if old != nil && obj != nil && !c.sameMeaning(old.Obj, obj) {
				changed[old.Obj] = true
			}
		}
	}
	if len(changed) == 0 {
		return false
	}
	have := map[*scope.Declaration]bool{}
	for _, o := range p.others {
		have[o.decl] = true
	}
	added := false
	for _, d := range c.affected(p, changed, own) {
		if have[d] || p.unbound[d] {
			continue
		}
		f, err := c.reparse(d)
		if v, ok := d.Obj.(*types.Var); ok {
			f, err = c.redeclared(d, v)
		}
		if err != nil {
			continue // it was parsed before, and its text is unchanged
		}
		p.others = append(p.others, &dependant{decl: d, file: f})
		p.unit.Others = append(p.unit.Others, f)
		added = true
	}
	return added
}

// sameMeaning reports whether code that uses the old object need not be compiled again.
func (c *Compiler) sameMeaning(old, new types.Object) bool {
	switch old := old.(type) {
	case *types.Var:
		return replaces(old, new) && !c.Scope.Addressed(old)
	case *types.Const:
		now, ok := new.(*types.Const)
		return ok && types.Identical(old.Type(), now.Type()) && old.Val().ExactString() == now.Val().ExactString()
	case *types.TypeName:
		t, ok := new.(*types.TypeName)
		return ok && types.Identical(old.Type(), t.Type())
	}
	return replaces(old, new)
}

// affected returns the declarations that mention a changed object, directly or through objects
// whose types change with it. It adds those objects to the set.
func (c *Compiler) affected(p *Program, changed map[types.Object]bool, own map[string]bool) []*scope.Declaration {
	included := map[*scope.Declaration]bool{}
	var work []types.Object
	rebind := len(p.retyped) > 0 && c.renews()
	for o := range changed {
		work = append(work, o)
		rebind = rebind && !own[o.Name()]
	}
	include := func(d *scope.Declaration) {
		if included[d] || own[d.Name] && d.Owner == nil {
			return
		}
		included[d] = true
		if d.ChangesWith(changed) && !changed[d.Obj] {
			changed[d.Obj] = true
			work = append(work, d.Obj)
		}
	}
	for _, d := range p.retyped {
		included[d] = true
	}
	for len(work) > 0 {
		o := work[0]
		work = work[1:]
		for d := range c.Scope.UsersOf(o) {
			switch {
			case d.Owner == nil:
				if _, isVar := d.Obj.(*types.Var); !isVar {
					include(d)
				}
			case own[d.Owner.Name]:
				// A method of a type that the cell declares is added below.
			case scope.TypeMentions(d.Obj.Type(), changed):
				include(d.Owner)
			default:
				include(d)
			}
		}
		if len(work) == 0 && rebind {
			work = c.rebound(changed, own, included)
		}
	}
	// The methods of a type are declared again with it, except methods that were declared in the
	// same cell as a type that the new cell replaces.
	for _, name := range c.Scope.Names() {
		d := c.Scope.Lookup(name)
		if !changed[d.Obj] || len(d.Methods) == 0 {
			continue
		}
		for _, m := range d.Methods {
			switch {
			case p.methods[d.Name+"."+m.Name]:
				delete(included, m)
			case own[d.Name] && m.Cell == d.Cell:
				delete(included, m)
			default:
				included[m] = true
			}
		}
	}
	var list []*scope.Declaration
	for d := range included {
		list = append(list, d)
	}
	sort.Slice(list, func(i, j int) bool {
		if list[i].Start != list[j].Start {
			return list[i].Start < list[j].Start
		}
		return list[i].Name < list[j].Name
	})
	return list
}

// reparse returns the syntax of an earlier declaration in a separate file. It removes from the
// declaration's group the names that later cells have declared again.
func (c *Compiler) reparse(d *scope.Declaration) (*ast.File, error) {
	cell := &split.Cell{Src: d.Cell.Text, Base: d.Cell.Base}
	f, errs := split.Reparse(cell, int(d.Start-d.Cell.Base), int(d.End-d.Cell.Base))
	if len(errs) > 0 {
		return nil, fault.Plain("compile error", errs[0].Msg)
	}
	f.Name = &ast.Ident{Name: "main", NamePos: d.Start}
	f.Package = d.Start
	for _, decl := range f.Decls {
		g, ok := decl.(*ast.GenDecl)
		if !ok {
			continue
		}
		kept := g.Specs[:0]
		for _, spec := range g.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				if now := c.Scope.Lookup(spec.Name.Name); now == nil || now.Start != d.Start {
					continue
				}
			case *ast.ValueSpec:
				// The value of iota counts the specs, so only the name is removed and its spec
				// stays.
				for _, id := range spec.Names {
					if now := c.Scope.Lookup(id.Name); now == nil || now.Start != d.Start {
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

// dropDependants removes from the unit the dependents that no longer type-check, and returns the
// errors of the cell itself.
func (c *Compiler) dropDependants(p *Program, errs []check.Error) (own []check.Error, dropped bool) {
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
			pos := c.Fset.Position(e.Pos)
			p.Notes = append(p.Notes, "note: "+d.decl.FullName()+" ("+d.decl.Cell.Name+") continues to use the previous declaration: "+
				fault.Diagnostic{Pos: pos, Msg: advice.PlainWords(e.Msg)}.String())
			continue
		}
		kept = append(kept, d)
		p.unit.Others = append(p.unit.Others, d.file)
	}
	p.others = kept
	return own, true
}

// watchNewest arranges that a declaration which could not be compiled again is tried again when a
// name that it mentions is declared the next time.
func (c *Compiler) watchNewest(d *scope.Declaration) {
	c.Scope.Untrack(d)
	for i, o := range d.Uses {
		if now := c.Scope.Lookup(o.Name()); now != nil {
			d.Uses[i] = now.Obj
		}
	}
	c.Scope.Track(d)
}

func (p *Program) dependantAt(pos token.Pos) *dependant {
	for _, d := range p.others {
		if d.decl.Start <= pos && pos <= d.decl.End {
			return d
		}
	}
	return nil
}
