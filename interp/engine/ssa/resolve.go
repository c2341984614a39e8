package ssa

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"sort"
)

// resolve adds to the go/ssa program everything that the checked source of a cell or a library
// package mentions. It returns a copy of info in which generic functions with source replace the
// generic functions of compiled packages.
func (e *Engine) resolve(info *types.Info) (*types.Info, error) {
	used := map[*types.Package]map[types.Object]bool{}
	changed := map[*ast.Ident]types.Object{}
	for id, obj := range info.Uses {
		pkg := obj.Pkg()
		if pkg == nil || pkg == types.Unsafe {
			continue
		}
		if _, ours := e.m.Fsets.Load(pkg); ours || obj.Parent() != pkg.Scope() {
			continue
		}
		switch obj := obj.(type) {
		case *types.Var:
		case *types.Func:
			if obj.Signature().TypeParams().Len() > 0 || e.cfg.FromSource != nil && e.cfg.FromSource(pkg.Path(), obj.Name()) {
				src, err := e.source(pkg.Path())
				if err != nil {
					return nil, err
				}
				if src != nil {
					if g, ok := src.Package.Scope().Lookup(obj.Name()).(*types.Func); ok && g.Pkg() == src.Package {
						changed[id] = g
						continue
					}
				}
			}
		default:
			continue
		}
		if used[pkg] == nil {
			used[pkg] = map[types.Object]bool{}
		}
		used[pkg][obj] = true
	}
	for pkg, objects := range used {
		e.declare(pkg, objects)
	}
	if len(changed) == 0 {
		return info, nil
	}
	own := *info
	own.Uses = maps.Clone(info.Uses)
	maps.Copy(own.Uses, changed)
	return &own, nil
}

// declare adds only the objects of a compiled package that are used. To make members of everything
// that a large package exports would take longer than anything else in a cell. Objects that were
// used before stay, because generic functions that use them can be instantiated at any time.
func (e *Engine) declare(pkg *types.Package, objects map[types.Object]bool) {
	declared := e.declared[pkg]
	before := len(declared)
	if declared == nil {
		declared = map[types.Object]bool{}
		e.declared[pkg] = declared
	}
	maps.Copy(declared, objects)
	if len(declared) == before {
		return
	}
	var all []types.Object
	for o := range declared {
		all = append(all, o)
	}
	sort.Slice(all, func(i, j int) bool { return all[i].Name() < all[j].Name() })
	info := &types.Info{Defs: map[*ast.Ident]types.Object{}}
	file := &ast.File{Name: ast.NewIdent(pkg.Name())}
	for _, o := range all {
		id := ast.NewIdent(o.Name())
		info.Defs[id] = o
		switch o.(type) {
		case *types.Var:
			spec := &ast.ValueSpec{Names: []*ast.Ident{id}}
			file.Decls = append(file.Decls, &ast.GenDecl{Tok: token.VAR, Specs: []ast.Spec{spec}})
		case *types.Func:
			file.Decls = append(file.Decls, &ast.FuncDecl{Name: id, Type: &ast.FuncType{Params: &ast.FieldList{}}})
		}
	}
	e.prog.CreatePackage(pkg, []*ast.File{file}, info, false)
}

// source builds and returns the source of a compiled package's generic functions.
func (e *Engine) source(path string) (*Source, error) {
	if s, ok := e.sources[path]; ok {
		return s, nil
	}
	if e.cfg.Generics == nil {
		return nil, nil
	}
	s, err := e.cfg.Generics(path)
	if err != nil {
		return nil, err
	}
	e.sources[path] = s
	if s == nil {
		return nil, nil
	}
	built := false
	defer func() {
		if !built {
			delete(e.sources, path)
		}
	}()
	e.m.Fsets.Store(s.Package, s.Fset)
	info, err := e.resolve(s.Info)
	if err != nil {
		return nil, err
	}
	e.begin(e.prog.CreatePackage(s.Package, s.Files, info, false))
	built = true
	return s, nil
}
