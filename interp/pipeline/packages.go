package pipeline

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/gokernel/gokernel/interp/check"
	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/modules"
	"github.com/gokernel/gokernel/interp/rewrite"
	"github.com/gokernel/gokernel/interp/scope"
	"github.com/gokernel/gokernel/interp/source"
	"github.com/gokernel/gokernel/kernel/evaluator"
)

// Packages that are not compiled into the kernel are loaded from source before a cell that imports
// them is checked.

// loadPackages loads the packages from source that a cell uses through its own import or the import
// of an earlier cell, and records the names of its imports.
func (c *Compiler) loadPackages(p *Program) *evaluator.Error {
	at := map[string]token.Pos{}
	var paths []string
	use := func(path string, pos token.Pos) {
		if _, ok := at[path]; !ok && !source.IsCompiled(path) {
			at[path] = pos
			paths = append(paths, path)
		}
	}
	for _, spec := range p.Cell.Imports {
		if path, err := strconv.Unquote(spec.Path.Value); err == nil {
			use(path, spec.Path.Pos())
		}
	}
	c.usedImports(p, use)
	if len(paths) > 0 {
		if err := c.prepare(p, paths, at); err != nil {
			return err
		}
	}
	for _, spec := range p.Cell.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		if q := c.Sources.Lookup(path); q != nil && spec.Name == nil && rewrite.ImportName(spec) != q.Types.Name() {
			spec.Name = &ast.Ident{Name: q.Types.Name(), NamePos: spec.Path.Pos()}
		}
		p.Src.SetImport(rewrite.ImportName(spec), path)
	}
	return nil
}

// usedImports calls use for each package from source that an earlier cell imported and this cell
// mentions.
func (c *Compiler) usedImports(p *Program, use func(path string, pos token.Pos)) {
	look := func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if id, ok := sel.X.(*ast.Ident); ok {
			if path, ok := c.Scope.Imported(id.Name); ok {
				use(path, id.Pos())
			}
		}
		return true
	}
	for _, d := range p.Cell.Decls {
		ast.Inspect(d, look)
	}
	for _, st := range p.Cell.Stmts {
		ast.Inspect(st, look)
	}
}

func (c *Compiler) prepare(p *Program, paths []string, at map[string]token.Pos) *evaluator.Error {
	if _, ok := c.Engine.(engine.PackageRunner); !ok {
		return c.refuseSource(p, paths[0], at[paths[0]])
	}
	if c.Prepare == nil {
		return nil // the check reports the missing package
	}
	changes, err := c.Prepare(paths)
	if err != nil {
		pos := at[paths[0]]
		e := check.Error{Pos: pos, End: pos + 1, Msg: err.Error()}
		if root := (*source.ImportError)(nil); errors.As(err, &root) {
			e.Pos = at[root.Path]
			e.End = e.Pos + token.Pos(len(root.Path)) + 2
			e.Msg = fmt.Sprintf("could not import %s (%v)", root.Path, root.Err)
			if missing := (*modules.NotFoundError)(nil); errors.As(err, &missing) && missing.Path == root.Path {
				e.Code = check.BrokenImport
			}
		}
		return c.Advice.Present(p.Src, []check.Error{e}, nil)
	}
	c.changes = append(c.changes, changes...)
	return nil
}

// refuseSource reports that the engine supports only compiled packages. For a path without a dot,
// the check reports the missing package.
func (c *Compiler) refuseSource(p *Program, path string, pos token.Pos) *evaluator.Error {
	if _, err := c.Packages.Import(path); err == nil || !strings.Contains(path, ".") {
		return nil
	}
	return c.Advice.Present(p.Src, []check.Error{{
		Pos: pos, End: pos + token.Pos(len(path)) + 2, Code: check.BrokenImport,
		Msg: fmt.Sprintf("could not import %s (package %[1]s is not part of this kernel, and the fallback engine runs no packages from source)", path),
	}}, nil)
}

// packages returns the packages from source that a checked cell needs.
func (c *Compiler) packages(p *Program) []*engine.Package {
	var roots []*source.Package
	for _, imported := range p.checked.Package.Imports() {
		if q := c.Sources.Lookup(imported.Path()); q != nil && q.Types == imported {
			roots = append(roots, q)
		}
	}
	for _, change := range c.changes { // their functions replace older ones
		roots = append(roots, change.New)
	}
	var list []*engine.Package
	for _, q := range source.Closure(roots...) {
		list = append(list, &q.Package)
	}
	return list
}

// changed lets code of earlier cells use the functions of packages that were loaded again, if their
// types are unchanged. A note lists the declarations that keep the older code.
func (c *Compiler) changed(p *Program, replaces map[types.Object]types.Object) {
	for _, change := range c.changes {
		old, now := change.Old.Types, change.New.Types
		for _, name := range old.Scope().Names() {
			f, ok1 := old.Scope().Lookup(name).(*types.Func)
			g, ok2 := now.Scope().Lookup(name).(*types.Func)
			if ok1 && ok2 && replacesFunc(f, g) {
				replaces[f] = g
			}
		}
		note := "note: package " + change.New.Place.Path + " has changed and was loaded again"
		if kept := c.keepers(old, replaces); len(kept) > 0 {
			note += "; " + strings.Join(kept, ", ") + " of earlier cells continue to use the older code until they are declared again"
		}
		p.Notes = append(p.Notes, note)
	}
	c.changes = nil
}

func replacesFunc(old, now *types.Func) bool {
	return types.Identical(old.Type(), now.Type()) && old.Signature().TypeParams().Len() == 0
}

// keepers lists declarations of cells that keep using the older objects of a package: variables of
// its types, and functions and types that mention an object without a replacement.
func (c *Compiler) keepers(old *types.Package, replaced map[types.Object]types.Object) []string {
	lost := map[types.Object]bool{}
	for _, name := range old.Scope().Names() {
		if o := old.Scope().Lookup(name); replaced[o] == nil {
			lost[o] = true
		}
	}
	kept := map[string]bool{}
	for _, name := range c.Scope.Names() {
		d := c.Scope.Lookup(name)
		if scope.TypeMentions(d.Obj.Type(), lost) {
			kept[name] = true
			continue
		}
		if d.Start == 0 {
			continue
		}
		used := map[string]bool{}
		addNames(used, d.Cell.Slice(d.Start, d.End), "", func(name string) string { return name })
		for o := range lost {
			if used[old.Name()+"."+o.Name()] {
				kept[name] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(kept))
}
