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

// Methods of types of earlier cells. go/types wants a method in the package of
// its type, so it checks such a method as a function whose first parameter is
// the receiver; for the engine it becomes a method again.

// lateMethod is a method of a type that an earlier cell declared.
type lateMethod struct {
	decl  *ast.FuncDecl
	owner *scope.Declaration
	recv  *ast.FieldList
	name  *ast.Ident
	alias *ast.Ident
	added *types.Func // in the method set of the type since this cell; nil if the name was there
}

// keepTypes takes the types out of the cell that are declared just as before:
// running a cell again leaves the values of its types what they are.
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
	// A type changes with what it mentions, and with its methods' signatures.
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
			// Methods of generic types that are the same stay, too; others are added.
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

// unchanged reports whether a type that is declared with the same words would be
// the same type.
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

// stays reports whether what a declaration mentions is what it was.
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

// text returns a node as the cell has it.
func (p *Program) text(n ast.Node) string { return p.Src.Slice(n.Pos(), n.End()) }

// head returns the receiver and signature of a method.
func (p *Program) head(fn *ast.FuncDecl) string { return p.Src.Slice(fn.Pos(), fn.Type.End()) }

// lateMethods finds in the files the methods of types of earlier cells and makes
// functions of them. Types whose methods change in a way that a type cannot
// follow are declared again as a whole.
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
				continue // go/types has the words for it
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

// strayMethods refuses methods of types that no cell declares, which go/types
// would look for among the declarations of the cell.
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

// toFunc makes a function of the method for the type-checker.
func (m *lateMethod) toFunc(n int) {
	pos := m.name.Pos()
	m.alias = &ast.Ident{Name: rewrite.MethodName(n), NamePos: pos}
	params := &ast.FieldList{Opening: m.decl.Type.Params.Opening, Closing: m.decl.Type.Params.Closing}
	// Parameters have names all or none: those without get the blank one.
	for _, f := range append(append([]*ast.Field{}, m.recv.List...), m.decl.Type.Params.List...) {
		if len(f.Names) == 0 {
			f.Names = []*ast.Ident{{Name: "_", NamePos: f.Type.Pos()}}
		}
		params.List = append(params.List, f)
	}
	m.decl.Recv, m.decl.Name, m.decl.Type.Params = nil, m.alias, params
}

// toMethod makes the method again.
func (m *lateMethod) toMethod() {
	m.decl.Recv, m.decl.Name = m.recv, m.name
	m.decl.Type.Params.List = m.decl.Type.Params.List[len(m.recv.List):]
}

// signature returns the method's signature from that of the function.
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
	// The signatures may mention what else the cell declares.
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
			continue // its errors are told by the check of the whole cell
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
			// The package is the one that the last check of the cell fills.
			if p.pkg == nil {
				p.pkg = check.NewPackage()
			}
			m.added = types.NewFunc(m.name.Pos(), p.pkg, m.name.Name, sig)
			named.AddMethod(m.added)
		}
	}
	// The types that must be declared again take these methods along as they are.
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

// dropLate forgets the methods of a file that the unit loses.
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

// undo takes the method out of the method set again, for a cell that failed.
func (m *lateMethod) undo() {
	if m.added == nil {
		return
	}
	named := types.Unalias(m.owner.Obj.Type()).(*types.Named)
	if check.DropLastMethod(named, m.added) {
		m.added = nil
	}
}

// undoMethods takes back all that the cell added to method sets, last first.
func (p *Program) undoMethods() {
	for i := len(p.late) - 1; i >= 0; i-- {
		p.late[i].undo()
	}
}

// finishMethods makes methods of the functions again and gives what they
// replace.
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
