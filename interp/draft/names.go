package draft

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"sort"
	"strings"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/interp/check"
	"github.com/gokernel/gokernel/interp/rewrite"
)

// Name identifies what a name refers to. It stays the same when the cell that declares it is
// checked again.
type Name struct {
	Cell string // the ID of the cell that declares it, or ""
	Pkg  string // the path of the package that declares it, or ""
	// Path is "x" or "T.member"; for a name that is local to a function, the offset of its
	// declaration in the cell, as in "@12".
	Path string
}

// Range is a part of a cell in bytes.
type Range struct {
	Cell       string
	Start, End int
}

// remember records the names that a cell declares.
func (n *Notebook) remember(c *cell) {
	r := c.checked()
	if r == nil {
		return
	}
	owners := map[*ast.Ident]string{} // the owner of a field or method
	for _, f := range r.Files {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv != nil {
					owners[d.Name] = check.ReceiverBase(d)
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if t, ok := s.(*ast.TypeSpec); ok {
						noteMembers(owners, t.Name.Name, t.Type)
					}
				}
			}
		}
	}
	for id, o := range r.Info.Defs {
		if o == nil || !c.owns(id) {
			continue
		}
		if owner, ok := owners[id]; ok {
			n.keys[o] = Name{Cell: c.ID, Path: owner + "." + id.Name}
		} else if o.Parent() == r.Package.Scope() {
			n.keys[o] = Name{Cell: c.ID, Path: id.Name}
		}
	}
}

// noteMembers records the owner of the fields and methods of a type.
func noteMembers(owners map[*ast.Ident]string, owner string, t ast.Expr) {
	var list *ast.FieldList
	switch t := t.(type) {
	case *ast.StructType:
		list = t.Fields
	case *ast.InterfaceType:
		list = t.Methods
	case *ast.StarExpr:
		noteMembers(owners, owner, t.X)
	case *ast.ArrayType:
		noteMembers(owners, owner, t.Elt)
	}
	if list == nil {
		return
	}
	for _, f := range list.List {
		for _, id := range f.Names {
			owners[id] = owner
			noteMembers(owners, owner+"."+id.Name, f.Type)
		}
	}
}

// checked returns the types of the cell, or nil.
func (c *cell) checked() *check.Result {
	if c.program == nil {
		return nil
	}
	return c.program.Checked()
}

// owns reports whether an identifier is in the text of the cell as written.
func (c *cell) owns(id *ast.Ident) bool {
	at := int(id.Pos()) - c.base
	return at >= 0 && at+len(id.Name) <= len(c.Text) && c.Text[at:at+len(id.Name)] == id.Name && !rewrite.Reserved(id.Name)
}

// name returns what an object is called in the notebook.
func (n *Notebook) name(c *cell, o types.Object) (Name, bool) {
	switch v := o.(type) {
	case *types.Var:
		o = v.Origin()
	case *types.Func:
		o = v.Origin()
	case *types.PkgName:
		return Name{Pkg: v.Imported().Path()}, true
	}
	if name, ok := n.keys[o]; ok {
		return name, true
	}
	if o.Pkg() == nil {
		return Name{Pkg: "builtin", Path: o.Name()}, true
	}
	if o.Pkg().Path() != "main" {
		return Name{Pkg: o.Pkg().Path(), Path: memberPath(o)}, true
	}
	at := int(o.Pos()) - c.base
	if at < 0 || at >= len(c.Text) {
		return Name{}, false
	}
	return Name{Cell: c.ID, Path: fmt.Sprintf("@%d", at)}, true
}

// memberPath returns the name of an object in its package, as in "Builder.Len".
func memberPath(o types.Object) string {
	if f, ok := o.(*types.Func); ok {
		if recv := f.Signature().Recv(); recv != nil {
			t := types.Unalias(recv.Type())
			if p, ok := t.(*types.Pointer); ok {
				t = types.Unalias(p.Elem())
			}
			if named, ok := t.(*types.Named); ok {
				return named.Obj().Name() + "." + o.Name()
			}
		}
	}
	return o.Name()
}

// mention is an identifier in the text of a cell and what it refers to.
type mention struct {
	Range
	obj types.Object
	def bool
}

// mentions lists the identifiers of a cell in the order of its text.
func (c *cell) mentions() []mention {
	r := c.checked()
	if r == nil || !c.current {
		return nil
	}
	var list []mention
	seen := map[int]bool{}
	add := func(id *ast.Ident, o types.Object, def bool) {
		at := int(id.Pos()) - c.base
		if o == nil || !c.owns(id) || id.Name == "_" || seen[at] {
			return
		}
		seen[at] = true
		list = append(list, mention{Range{c.ID, at, at + len(id.Name)}, o, def})
	}
	for id, o := range r.Info.Defs {
		if _, field := o.(*types.Var); field && r.Info.Uses[id] != nil {
			continue // an embedded type
		}
		add(id, o, true)
	}
	for id, o := range r.Info.Uses {
		add(id, o, false)
	}
	for node, o := range r.Info.Implicits { // v in switch v := x.(type)
		if clause, ok := node.(*ast.CaseClause); ok && o.Pos() < clause.Pos() {
			add(&ast.Ident{Name: o.Name(), NamePos: o.Pos()}, o, true)
		}
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Start < list[j].Start })
	return list
}

// mentionAt returns the identifier at an offset of a cell.
func (c *cell) mentionAt(offset int) (mention, bool) {
	for _, m := range c.mentions() {
		if m.Start <= offset && offset <= m.End {
			return m, true
		}
	}
	return mention{}, false
}

// Definition returns the declaration of the name at an offset: a range of a cell, or a position in
// a file of a package.
func (n *Notebook) Definition(id string, offset int) (at Range, file token.Position, ok bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	c, i := n.at(id, true)
	if c == nil {
		return Range{}, token.Position{}, false
	}
	m, ok := c.mentionAt(offset)
	if !ok {
		return Range{}, token.Position{}, false
	}
	name, ok := n.name(c, m.obj)
	switch {
	case !ok:
		return Range{}, token.Position{}, false
	case name.Cell != "":
		for _, r := range n.uses(name, true) {
			return r, token.Position{}, true
		}
		return Range{}, token.Position{}, false
	}
	if file, ok = n.positionOf(name, m.obj); !ok {
		b, _ := n.source(i).Inspect(c.Text, m.End, 1)
		text, _ := b.Data[display.MIMEText].(string)
		file, ok = n.declarationFile(name, text)
	}
	return Range{}, file, ok
}

// References returns all mentions of the name at an offset, its declaration first if declaration is
// set.
func (n *Notebook) References(id string, offset int, declaration bool) []Range {
	n.mu.Lock()
	defer n.mu.Unlock()
	c, _ := n.at(id, true)
	if c == nil {
		return nil
	}
	m, ok := c.mentionAt(offset)
	if !ok {
		return nil
	}
	name, ok := n.name(c, m.obj)
	if !ok {
		return nil
	}
	n.finish()
	list := n.uses(name, false)
	if declaration {
		list = append(n.uses(name, true), list...)
	}
	return list
}

// finish checks all cells.
func (n *Notebook) finish() {
	for i := range n.cells {
		if !n.cells[i].fresh {
			n.analyze(i)
		}
	}
}

// uses lists the mentions of a name: its declaration, or all others.
func (n *Notebook) uses(name Name, declared bool) []Range {
	var list []Range
	for _, c := range n.cells {
		if strings.HasPrefix(name.Path, "@") && c.ID != name.Cell {
			continue
		}
		for _, m := range c.mentions() {
			if m.def != declared {
				continue
			}
			if other, ok := n.name(c, m.obj); ok && other == name {
				list = append(list, m.Range)
			}
		}
	}
	return list
}

// Renameable returns the range of the name at an offset, or an error if it cannot have another
// name.
func (n *Notebook) Renameable(id string, offset int) (Range, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	m, _, err := n.renameable(id, offset)
	return m.Range, err
}

func (n *Notebook) renameable(id string, offset int) (mention, Name, error) {
	c, _ := n.at(id, true)
	if c == nil {
		return mention{}, Name{}, fmt.Errorf("rename: the cell is not part of the notebook")
	}
	m, ok := c.mentionAt(offset)
	if !ok {
		return mention{}, Name{}, fmt.Errorf("rename: put the cursor on a name")
	}
	name, ok := n.name(c, m.obj)
	if !ok || name.Cell == "" {
		return mention{}, Name{}, fmt.Errorf("rename: %s is not declared in a cell", m.obj.Name())
	}
	if v, ok := m.obj.(*types.Var); ok && v.Embedded() {
		return mention{}, Name{}, fmt.Errorf("rename: %s is an embedded type: rename the type", m.obj.Name())
	}
	return m, name, nil
}

// Rename returns the edits, by cell, that give the name at an offset another name.
func (n *Notebook) Rename(id string, offset int, to string) (map[string][]Edit, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if !token.IsIdentifier(to) || to == "_" {
		return nil, fmt.Errorf("rename: the new name must be an identifier of Go, got %q", to)
	}
	m, name, err := n.renameable(id, offset)
	if err != nil {
		return nil, err
	}
	n.finish()
	if taken := n.taken(name, m.obj, to); taken != "" {
		return nil, fmt.Errorf("rename: %s is already declared in %s", to, taken)
	}
	edits := map[string][]Edit{}
	for _, r := range append(n.uses(name, true), n.uses(name, false)...) {
		edits[r.Cell] = append(edits[r.Cell], Edit{r.Start, r.End, to})
	}
	return edits, nil
}

// taken returns where a name is declared that would conflict with the new name of an object.
func (n *Notebook) taken(name Name, o types.Object, to string) string {
	local := strings.HasPrefix(name.Path, "@")
	owner, _, member := strings.Cut(name.Path, ".")
	for i, c := range n.cells {
		where := fmt.Sprintf("cell [%d]", i+1)
		if local && c.ID != name.Cell {
			continue
		}
		for _, m := range c.mentions() {
			if m.obj.Name() != to {
				continue
			}
			other, ok := n.name(c, m.obj)
			switch {
			case !ok:
			case member:
				if m.def && strings.HasPrefix(other.Path, owner+".") {
					return where
				}
			case local:
				// After renaming, this name or the other name would have another meaning in the
				// cell.
				if !strings.Contains(other.Path, ".") {
					return where
				}
			case m.def && !strings.Contains(other.Path, "."), other.Cell == "" && other.Path == to && n.visibleIn(c, m.obj):
				return where
			}
		}
	}
	return ""
}

// visibleIn reports whether an object is one that cells name without a package.
func (n *Notebook) visibleIn(c *cell, o types.Object) bool {
	return o.Parent() == types.Universe || n.compiler.Scope.Prelude(o.Name()) == o
}
