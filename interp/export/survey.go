package export

import (
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"strconv"
	"strings"

	"github.com/gokernel/gokernel/interp/rewrite"
)

// survey collects the names of the notebook and chooses a name for each package that it uses.
func (x *exporter) survey() {
	for _, c := range x.cells {
		if c.code == nil {
			continue
		}
		for _, f := range c.code.Files {
			ast.Inspect(f, func(n ast.Node) bool {
				if _, isImport := n.(*ast.ImportSpec); isImport {
					return false // used names are in Uses
				}
				id, ok := n.(*ast.Ident)
				if !ok || rewrite.Reserved(id.Name) {
					return true
				}
				x.identifiers[id.Name] = true
				switch o := c.code.Info.Uses[id].(type) {
				case nil:
				case *types.PkgName:
					if x.imports[o.Imported().Path()] == "" {
						x.nameImport(o.Imported().Path(), o.Name())
					}
				default:
					if o.Parent() == types.Universe {
						x.builtins[id.Name] = true
					}
				}
				return true
			})
		}
	}
}

// nameImport chooses the name of a package: the given one, or another one if it is taken.
func (x *exporter) nameImport(p, name string) string {
	if strings.HasPrefix(name, packageMark) || name == "_" || name == "." {
		name = path.Base(p)
	}
	final := name
	if taken(x.packageNames, final, p) {
		final = path.Base(path.Dir(p)) + name
	}
	for n := 2; taken(x.packageNames, final, p) || !token.IsIdentifier(final); n++ {
		final = name + strconv.Itoa(n)
	}
	x.packageNames[final], x.imports[p] = p, final
	return final
}

func taken(names map[string]string, name, p string) bool {
	return names[name] != "" && names[name] != p
}

// findGlobals finds the variables that functions and methods use, and the variables that a cell
// whose statements become a function shares with other cells.
func (x *exporter) findGlobals() {
	users := map[*entity]map[int]bool{}
	for _, c := range x.cells {
		if c.code == nil {
			continue
		}
		for _, f := range c.code.Files {
			for _, d := range f.Decls {
				fn, isFunc := d.(*ast.FuncDecl)
				isEntry := isFunc && fn.Name.Name == rewrite.EntryName
				ast.Inspect(d, func(n ast.Node) bool {
					id, ok := n.(*ast.Ident)
					if !ok {
						return true
					}
					e := x.entityOf(c.code.Info.Uses[id])
					if e == nil {
						return true
					}
					if _, isVar := e.obj.(*types.Var); !isVar {
						return true
					}
					if users[e] == nil {
						users[e] = map[int]bool{}
					}
					users[e][c.index] = true
					if isFunc && !isEntry {
						e.global = true
					}
					return true
				})
			}
		}
	}
	for _, c := range x.cells {
		if c.code == nil || !wrapped(c) {
			continue
		}
		for _, e := range x.order {
			if e.cell == c.index && (len(users[e]) > 1 || len(users[e]) == 1 && !users[e][c.index]) {
				e.global = true
			}
		}
	}
	for more := true; more; {
		more = false
		for _, c := range x.cells {
			if c.code != nil {
				more = x.spread(c) || more
			}
		}
	}
}

// spread makes variables global that are defined together with global ones, and reports whether
// there are any.
func (x *exporter) spread(c *cell) bool {
	changed := false
	together := func(names []*ast.Ident, copies map[string]*ast.Ident) {
		var list []*entity
		global := false
		for _, id := range names {
			if to := copies[id.Name]; to != nil {
				id = to
			}
			if e := x.entityOf(objectOf(c.code.Info, id)); e != nil {
				list = append(list, e)
				global = global || e.global
			}
		}
		for _, e := range list {
			if global && !e.global {
				e.global, changed = true, true
			}
		}
	}
	for _, d := range definitions(entry(c)) {
		together(d.Names, d.Copies)
	}
	for _, spec := range variables(c.code.Files[0]) {
		together(spec.Names, nil)
	}
	return changed
}

// entry returns the statements of a cell.
func entry(c *cell) []ast.Stmt {
	for _, d := range c.code.Files[0].Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Name.Name == rewrite.EntryName {
			return fn.Body.List
		}
	}
	return nil
}

// definitions returns the definitions among the statements of a cell.
func definitions(list []ast.Stmt) (found []*rewrite.Definition) {
	for _, s := range list {
		if d, ok := rewrite.DefinitionOf(s); ok {
			found = append(found, d)
		} else if group, ok := groupOf(s); ok {
			found = append(found, group...)
		}
	}
	return found
}

// groupOf returns the definitions in a declaration of several variables.
func groupOf(s ast.Stmt) ([]*rewrite.Definition, bool) {
	b, ok := s.(*ast.BlockStmt)
	if !ok || len(b.List) == 0 {
		return nil, false
	}
	var list []*rewrite.Definition
	for _, s := range b.List {
		d, ok := rewrite.DefinitionOf(s)
		if !ok {
			return nil, false
		}
		list = append(list, d)
	}
	return list, true
}

// wrapped reports whether the statements of a cell must be in a function: they return, or defer
// calls to the end of the cell.
func wrapped(c *cell) bool {
	found := false
	for _, s := range entry(c) {
		ast.Inspect(s, func(n ast.Node) bool {
			switch n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.ReturnStmt, *ast.DeferStmt:
				found = true
			}
			return !found
		})
	}
	return found
}

// variables returns the specs of the variables that a file declares.
func variables(f *ast.File) (list []*ast.ValueSpec) {
	for _, d := range f.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.VAR {
			for _, s := range g.Specs {
				list = append(list, s.(*ast.ValueSpec))
			}
		}
	}
	return list
}

// objectOf returns the object that an identifier declares or mentions.
func objectOf(info *types.Info, id *ast.Ident) types.Object {
	if o := info.Defs[id]; o != nil {
		return o
	}
	return info.Uses[id]
}
