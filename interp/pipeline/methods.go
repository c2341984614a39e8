package pipeline

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/gokernel/gokernel/interp/check"
	"github.com/gokernel/gokernel/interp/rewrite"
	"github.com/gokernel/gokernel/interp/scope"
	"github.com/gokernel/gokernel/kernel/evaluator"
)

// A cell can declare methods of types of earlier cells, but go/types requires a method to be in the
// package of its type. Such a method is therefore checked as a function whose first parameter is
// the receiver, and becomes a method again for the engine.

// lateMethod is a method of a type that an earlier cell declared.
type lateMethod struct {
	decl  *ast.FuncDecl
	owner *scope.Declaration
	recv  *ast.FieldList
	name  *ast.Ident
	alias *ast.Ident
	added *types.Func // the new method in the type's method set; nil if the name existed before
}

// keepTypes removes from the cell the types that are declared exactly as before, so that running a
// cell again does not change the types of existing values.
func (c *Compiler) keepTypes(p *Program) {
	specs := map[string]*ast.TypeSpec{}
	redeclared := map[string]bool{}
	for _, d := range p.Cell.Decls {
		for _, id := range check.DeclaredBy(d) {
			redeclared[id.Name] = true
		}
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.TYPE {
			for _, sp := range g.Specs {
				specs[sp.(*ast.TypeSpec).Name.Name] = sp.(*ast.TypeSpec)
			}
		}
	}
	if len(specs) == 0 {
		return
	}
	same := map[string]*scope.Declaration{}
	for name, spec := range specs {
		old := c.Scope.Lookup(name)
		if old != nil && old.Spec != "" && old.Spec == p.text(spec) {
			same[name] = old
		}
	}
	// A type changes with the types it mentions and with the signatures of its methods.
	for again := true; again; {
		again = false
		for name, old := range same {
			if !c.unchanged(p, old, same, redeclared) {
				delete(same, name)
				again = true
			}
		}
	}
	if len(same) == 0 {
		return
	}
	var kept []ast.Decl
	for _, d := range p.Cell.Decls {
		switch d := d.(type) {
		case *ast.GenDecl:
			if d.Tok == token.TYPE {
				d.Specs = without(d.Specs, same)
				if len(d.Specs) == 0 {
					continue
				}
			}
		case *ast.FuncDecl:
			// Unchanged methods of generic types are kept, too; other methods are added.
			if old := same[check.ReceiverBase(d)]; old != nil && generic(old.Obj) {
				if m := old.Methods[d.Name.Name]; m != nil && m.Spec == p.text(d) && c.stays(m, same, redeclared) {
					continue
				}
			}
		}
		kept = append(kept, d)
	}
	p.Cell.Decls = kept
}

func without(specs []ast.Spec, names map[string]*scope.Declaration) []ast.Spec {
	var kept []ast.Spec
	for _, sp := range specs {
		if names[sp.(*ast.TypeSpec).Name.Name] == nil {
			kept = append(kept, sp)
		}
	}
	return kept
}

// unchanged reports whether a type that is declared with the same text would be the same type.
func (c *Compiler) unchanged(p *Program, old *scope.Declaration, same map[string]*scope.Declaration, redeclared map[string]bool) bool {
	if !c.stays(old, same, redeclared) {
		return false
	}
	for _, d := range p.Cell.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || check.ReceiverBase(fn) != old.Name {
			continue
		}
		m := old.Methods[fn.Name.Name]
		if generic(old.Obj) && !c.renews() && (m == nil || m.Spec != p.text(fn) || !c.stays(m, same, redeclared)) {
			return false
		}
		if m != nil && m.Head != p.head(fn) && !c.renews() {
			return false
		}
	}
	return true
}

// stays reports whether the objects that a declaration mentions are unchanged.
func (c *Compiler) stays(d *scope.Declaration, same map[string]*scope.Declaration, redeclared map[string]bool) bool {
	for _, o := range d.Uses {
		now := c.Scope.Lookup(o.Name())
		if now == nil || now.Obj != o || redeclared[o.Name()] && same[o.Name()] == nil {
			return false
		}
	}
	return true
}

func generic(o types.Object) bool {
	n, ok := types.Unalias(o.Type()).(*types.Named)
	return ok && n.TypeParams().Len() > 0
}

// text returns the text of a node in the cell.
func (p *Program) text(n ast.Node) string { return p.Src.Slice(n.Pos(), n.End()) }

// head returns the receiver and signature of a method.
func (p *Program) head(fn *ast.FuncDecl) string { return p.Src.Slice(fn.Pos(), fn.Type.End()) }

// lateMethods finds methods of types of earlier cells in the files and converts them to functions.
// If a method changes in a way that its type can't follow, the whole type is declared again.
func (c *Compiler) lateMethods(p *Program, files []*ast.File) *evaluator.Error {
	declared := check.Declared(p.unit.Files())
	var fresh []*lateMethod
	for _, f := range files {
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv == nil || p.isLate(fn) {
				continue
			}
			base := check.ReceiverBase(fn)
			if base == "" || declared[base] {
				continue
			}
			owner := c.Scope.Lookup(base)
			if owner == nil {
				continue // go/types reports this
			}
			if _, ok := owner.Obj.(*types.TypeName); !ok {
				continue
			}
			if generic(owner.Obj) {
				p.retype(owner)
				continue
			}
			if _, ok := types.Unalias(owner.Obj.Type()).(*types.Named); !ok {
				continue
			}
			m := &lateMethod{decl: fn, owner: owner, recv: fn.Recv, name: fn.Name}
			m.toFunc(len(p.late))
			p.late = append(p.late, m)
			fresh = append(fresh, m)
		}
	}
	if len(fresh) > 0 {
		return c.addMethods(p, fresh)
	}
	return nil
}

// strayMethods rejects methods of types that no cell declares. Otherwise go/types would search for
// the types among the declarations of the cell.
func (c *Compiler) strayMethods(p *Program) *evaluator.Error {
	specs := map[string]*ast.TypeSpec{}
	for _, f := range p.unit.Files() {
		for _, d := range f.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.TYPE {
				for _, sp := range g.Specs {
					specs[sp.(*ast.TypeSpec).Name.Name] = sp.(*ast.TypeSpec)
				}
			}
		}
	}
	for _, f := range p.unit.Files() {
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv == nil {
				continue
			}
			name := check.ReceiverBase(fn)
			seen := map[string]bool{}
			for spec := specs[name]; spec != nil && spec.Assign.IsValid() && !seen[name]; spec = specs[name] {
				seen[name] = true
				t := ast.Unparen(spec.Type)
				if ptr, ok := t.(*ast.StarExpr); ok {
					t = ast.Unparen(ptr.X)
				}
				id, ok := t.(*ast.Ident)
				if !ok {
					break
				}
				name = id.Name
			}
			if _, isType := c.Scope.Visible(name).(*types.TypeName); isType && specs[name] == nil {
				return c.Advice.Present(p.Src, []check.Error{{Pos: fn.Recv.Pos(), End: fn.Recv.End(),
					Msg:  "a method of " + check.ReceiverBase(fn) + " cannot be declared here",
					Hint: "declare it for a defined type of the notebook: type T struct { ... }"}}, nil)
			}
		}
	}
	return nil
}

func (p *Program) isLate(fn *ast.FuncDecl) bool {
	for _, m := range p.late {
		if m.decl == fn {
			return true
		}
	}
	return false
}

func (p *Program) retype(d *scope.Declaration) {
	for _, r := range p.retyped {
		if r == d {
			return
		}
	}
	p.retyped = append(p.retyped, d)
}

// toFunc converts the method to a function for the type checker.
func (m *lateMethod) toFunc(n int) {
	pos := m.name.Pos()
	m.alias = &ast.Ident{Name: rewrite.MethodName(n), NamePos: pos}
	params := &ast.FieldList{Opening: m.decl.Type.Params.Opening, Closing: m.decl.Type.Params.Closing}
	// Either all parameters have names or none: name the unnamed ones with the blank identifier.
	for _, f := range append(append([]*ast.Field{}, m.recv.List...), m.decl.Type.Params.List...) {
		if len(f.Names) == 0 {
			f.Names = []*ast.Ident{{Name: "_", NamePos: f.Type.Pos()}}
		}
		params.List = append(params.List, f)
	}
	m.decl.Recv, m.decl.Name, m.decl.Type.Params = nil, m.alias, params
}

// toMethod converts the function back to the method.
func (m *lateMethod) toMethod() {
	m.decl.Recv, m.decl.Name = m.recv, m.name
	m.decl.Type.Params.List = m.decl.Type.Params.List[len(m.recv.List):]
}

// signature derives the method's signature from the signature of the function.
func (m *lateMethod) signature(fn *types.Func) *types.Signature {
	sig := fn.Signature()
	var params []*types.Var
	for i := 1; i < sig.Params().Len(); i++ {
		params = append(params, sig.Params().At(i))
	}
	return types.NewSignatureType(sig.Params().At(0), nil, nil, types.NewTuple(params...), sig.Results(), sig.Variadic())
}

// addMethods adds new methods to the method sets of their types, so that the
// cell itself can call them.
func (c *Compiler) addMethods(p *Program, fresh []*lateMethod) *evaluator.Error {
	file := &ast.File{Package: p.Src.Base, Name: &ast.Ident{Name: "main", NamePos: p.Src.Base}, Imports: p.unit.File.Imports}
	for _, spec := range p.unit.File.Imports {
		file.Decls = append(file.Decls, &ast.GenDecl{TokPos: spec.Pos(), Tok: token.IMPORT, Specs: []ast.Spec{spec}})
	}
	methods := map[*ast.FuncDecl]bool{}
	for _, m := range fresh {
		methods[m.decl] = true
	}
	// The signatures may mention other declarations of the cell.
	for _, d := range p.unit.File.Decls {
		switch d := d.(type) {
		case *ast.GenDecl:
			if d.Tok == token.TYPE || d.Tok == token.CONST {
				file.Decls = append(file.Decls, d)
			}
		}
	}
	for _, m := range fresh {
		file.Decls = append(file.Decls, m.decl)
	}
	checker := &check.Checker{Fset: c.Fset, Importer: c.Sources, Visible: c.Scope.Visible, SignaturesOnly: true}
	r := checker.Check([]*ast.File{file})
	for _, m := range fresh {
		fn, _ := r.Package.Scope().Lookup(m.alias.Name).(*types.Func)
		if fn == nil || fn.Signature().Params().Len() == 0 {
			continue // the check of the whole cell reports its errors
		}
		sig := m.signature(fn)
		named := types.Unalias(m.owner.Obj.Type()).(*types.Named)
		obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(named), false, m.owner.Obj.Pkg(), m.name.Name)
		old, isMethod := obj.(*types.Func)
		switch {
		case isMethod && ownMethod(named, old) && types.Identical(old.Type(), sig) && samePointer(old, sig):
			// The engine replaces its code.
		case isMethod && ownMethod(named, old):
			p.retype(m.owner)
		case isField(named, m.name.Name):
			return c.Advice.Present(p.Src, []check.Error{{Pos: m.name.Pos(), End: m.name.End(),
				Msg: "field and method with the same name " + m.name.Name}}, nil)
		default:
			// The last check of the cell fills this package.
			if p.pkg == nil {
				p.pkg = check.NewPackage()
			}
			m.added = types.NewFunc(m.name.Pos(), p.pkg, m.name.Name, sig)
			named.AddMethod(m.added)
		}
	}
	// Types that must be declared again include these methods as they are.
	for i := 0; i < len(p.late); {
		m := p.late[i]
		if p.isRetyped(m.owner) {
			m.undo()
			m.toMethod()
			p.late = append(p.late[:i], p.late[i+1:]...)
			continue
		}
		i++
	}
	return nil
}

func (p *Program) isRetyped(d *scope.Declaration) bool {
	for _, r := range p.retyped {
		if r == d {
			return true
		}
	}
	return false
}

func ownMethod(named *types.Named, fn *types.Func) bool {
	for m := range named.Methods() {
		if m == fn {
			return true
		}
	}
	return false
}

func samePointer(old *types.Func, sig *types.Signature) bool {
	return types.Identical(old.Signature().Recv().Type(), sig.Recv().Type())
}

func isField(named *types.Named, name string) bool {
	st, ok := named.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for f := range st.Fields() {
		if f.Name() == name {
			return true
		}
	}
	return false
}

// dropLate drops the methods of a file that the unit drops.
func (p *Program) dropLate(f *ast.File) {
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		p.late = slices.DeleteFunc(p.late, func(m *lateMethod) bool {
			if m.decl != fn {
				return false
			}
			m.undo()
			m.toMethod()
			return true
		})
	}
}

// undo removes the method from the method set again after a cell fails.
func (m *lateMethod) undo() {
	if m.added == nil {
		return
	}
	named := types.Unalias(m.owner.Obj.Type()).(*types.Named)
	if check.DropLastMethod(named, m.added) {
		m.added = nil
	}
}

// undoMethods removes everything that the cell added to method sets, in reverse order.
func (p *Program) undoMethods() {
	for i := len(p.late) - 1; i >= 0; i-- {
		p.late[i].undo()
	}
}

// finishMethods converts the functions back to methods and records what they replace.
func (c *Compiler) finishMethods(p *Program, replaces map[types.Object]types.Object) {
	for _, m := range p.late {
		fn := p.checked.Info.Defs[m.alias].(*types.Func)
		delete(p.checked.Info.Defs, m.alias)
		m.toMethod()
		if m.added != nil {
			p.checked.Info.Defs[m.name] = m.added
			continue
		}
		method := types.NewFunc(m.name.Pos(), p.checked.Package, m.name.Name, m.signature(fn))
		p.checked.Info.Defs[m.name] = method
		named := types.Unalias(m.owner.Obj.Type()).(*types.Named)
		for old := range named.Methods() {
			if old.Name() == m.name.Name {
				replaces[old] = method
			}
		}
	}
}
