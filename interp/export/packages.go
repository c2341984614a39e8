package export

import (
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gokernel/gokernel/interp/embedded"
	"github.com/gokernel/gokernel/interp/modules"
	"github.com/gokernel/gokernel/interp/source"
)

// pathOf returns the import path of a package in the program. Packages of cells and of the
// notebook's folder become part of the module.
func (x *exporter) pathOf(p string) string {
	if dir, ok := x.folderOf(p); ok {
		return path.Join(x.opt.Module, dir)
	}
	return p
}

// ownPath is the inverse of pathOf.
func (x *exporter) ownPath(p string) string {
	for own := range x.imports {
		if x.pathOf(own) == p {
			return own
		}
	}
	return p
}

// folderOf returns the folder in the module for a package of a cell or of the notebook's folder.
func (x *exporter) folderOf(p string) (string, bool) {
	if _, ok := x.packages[p]; ok {
		return p, true
	}
	q := x.compiler.Sources.Lookup(p)
	if q == nil || !q.Place.Local {
		return "", false
	}
	name := strings.TrimPrefix(q.Place.Path, q.Place.Module.Path)
	for _, prefix := range []string{"/", "./", "../"} {
		for strings.HasPrefix(name, prefix) {
			name = name[len(prefix):]
		}
	}
	if name == "" || name == "." || name == ".." {
		name = q.Types.Name()
	}
	return name, true
}

// addPackages adds the packages of cells and of the notebook's folder to the program, and the
// requirements of the program.
func (x *exporter) addPackages(p *Program) error {
	used := map[string]bool{}
	for _, text := range p.Files {
		if err := x.importsOf(text, used); err != nil {
			return err
		}
	}
	done := map[string]bool{}
	for {
		next := ""
		for own := range used {
			if _, local := x.folderOf(own); local && !done[own] {
				next = own
			}
		}
		if next == "" {
			break
		}
		done[next] = true
		if err := x.addPackage(p, next, used); err != nil {
			return err
		}
	}
	for own := range used {
		if !done[own] {
			p.Paths = append(p.Paths, own)
		}
	}
	slices.Sort(p.Paths)
	return x.require(p)
}

// importsOf collects the imports of a file, by their paths in the notebook.
func (x *exporter) importsOf(text []byte, used map[string]bool) error {
	f, err := parser.ParseFile(token.NewFileSet(), "", text, parser.ImportsOnly)
	if err != nil {
		return err
	}
	for _, s := range f.Imports {
		if own, err := strconv.Unquote(s.Path.Value); err == nil {
			used[x.ownPath(own)] = true
		}
	}
	return nil
}

// addPackage copies a package into the module.
func (x *exporter) addPackage(p *Program, own string, used map[string]bool) error {
	dir, _ := x.folderOf(own)
	q := x.compiler.Sources.Lookup(own)
	if q == nil {
		return fmt.Errorf("export: package %s no longer exists", own)
	}
	for _, imported := range q.Imports {
		used[imported.Place.Path] = true
	}
	if body, ok := x.packages[own]; ok {
		files, err := x.cellPackage(q, body)
		for name, text := range files {
			p.Files[path.Join(dir, name)] = text
			err = errors.Join(err, x.importsOf(text, used))
		}
		return err
	}
	entries, err := os.ReadDir(q.Place.Dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.IsDir() || !strings.HasSuffix(e.Name(), ".go") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(q.Place.Dir, e.Name()))
		if err != nil {
			return err
		}
		if text, err = x.relocate(text, q.Place); err != nil {
			return err
		}
		p.Files[path.Join(dir, e.Name())] = text
	}
	return nil
}

// cellPackage writes the package of a cell, with the imports that the cell omits.
func (x *exporter) cellPackage(q *source.Package, body string) (map[string][]byte, error) {
	have := map[string]bool{}
	head := "package " + q.Types.Name() + "\n\n"
	text := head + body
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", text, parser.ImportsOnly)
	if err != nil {
		return nil, err
	}
	for _, s := range f.Imports {
		have[s.Path.Value] = true
	}
	var imports []string
	for _, s := range q.Files[0].Imports {
		if !have[s.Path.Value] {
			imports = append(imports, s.Path.Value)
		}
	}
	if list := strings.Join(imports, "\n"); list != "" {
		before, after := head+"import (\n"+list+"\n)\n\n", body
		if len(f.Decls) > 0 { // among the imports of the cell
			d := f.Decls[0].(*ast.GenDecl)
			first, last := d.Specs[0].Pos(), d.Specs[len(d.Specs)-1].End()
			before = text[:fset.Position(d.Pos()).Offset] + "import (\n" + list + "\n" + text[fset.Position(first).Offset:fset.Position(last).Offset] + "\n)"
			after = text[fset.Position(d.End()).Offset:]
		}
		text = before + after
	}
	moved, err := x.relocate([]byte(text), q.Place)
	if err != nil {
		return nil, err
	}
	if moved, err = format.Source(moved); err != nil {
		return nil, err
	}
	file := q.Types.Name() + ".go"
	if !x.opt.TestFile {
		return map[string][]byte{file: moved}, nil
	}
	names := map[string]string{}
	for _, p := range q.Types.Imports() {
		names[x.pathOf(p.Path())] = p.Name()
	}
	return splitTests(file, moved, func(path string) string { return names[path] })
}

// relocate replaces the imports of a file by their paths in the module.
func (x *exporter) relocate(text []byte, from modules.Place) ([]byte, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", text, parser.ImportsOnly)
	if err != nil {
		return nil, err
	}
	changes := slices.Clone(f.Imports)
	slices.Reverse(changes)
	for _, s := range changes {
		p, err := strconv.Unquote(s.Path.Value)
		if err != nil {
			return nil, err
		}
		own := p
		if modules.IsRelative(p) {
			rel, err := filepath.Rel(x.opt.Dir, filepath.Join(from.Dir, filepath.FromSlash(p)))
			if err != nil {
				return nil, err
			}
			if own = filepath.ToSlash(rel); !modules.IsRelative(own) {
				own = "./" + own
			}
		}
		to := strconv.Quote(x.pathOf(own))
		a, b := fset.Position(s.Path.Pos()).Offset, fset.Position(s.Path.End()).Offset
		text = append(append(append([]byte(nil), text[:a]...), to...), text[b:]...)
	}
	return text, nil
}

// require records the third-party modules of the packages.
func (x *exporter) require(p *Program) error {
	needed := false
	for _, path := range p.Paths {
		needed = needed || !source.IsCompiled(path) && path != programPath
	}
	if !needed {
		return nil
	}
	return x.compiler.Sources.With(func(b *modules.Build) error {
		sums := map[string]modules.Requirement{}
		for _, r := range b.Kept() {
			sums[r.Path] = r
		}
		for _, m := range b.Used(true) {
			if m.Main || m.Version == "" {
				continue
			}
			r := sums[m.Path]
			r.Path, r.Version = m.Path, m.Version
			r.Indirect = !slices.ContainsFunc(p.Paths, func(path string) bool { return path == m.Path || strings.HasPrefix(path, m.Path+"/") })
			p.Requires = append(p.Requires, r)
		}
		return nil
	})
}

// noteEmbedded records the files of a directive.
func (x *exporter) noteEmbedded(directive string) {
	patterns, err := embedded.Patterns(strings.TrimPrefix(directive, embedDirective))
	if err != nil {
		return
	}
	for _, p := range patterns {
		found, err := filepath.Glob(filepath.Join(x.opt.Dir, strings.TrimPrefix(p, "all:")))
		if err != nil {
			continue
		}
		for _, name := range found {
			x.addData(name)
		}
	}
}

// addData records a file, or the files of a folder.
func (x *exporter) addData(name string) {
	// Files that can't be read are not copied.
	_ = filepath.WalkDir(name, func(name string, e os.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			if rel, err := filepath.Rel(x.opt.Dir, name); err == nil && !slices.Contains(x.files, filepath.ToSlash(rel)) {
				x.files = append(x.files, filepath.ToSlash(rel))
			}
		}
		return nil
	})
}

// data returns the files below the notebook's folder that are named in strings of the cells.
func (x *exporter) data() []string {
	for _, c := range x.cells {
		if c.code == nil {
			continue
		}
		for _, f := range c.code.Files {
			ast.Inspect(f, func(n ast.Node) bool {
				lit, ok := n.(*ast.BasicLit)
				if !ok || lit.Kind != token.STRING {
					return true
				}
				name, err := strconv.Unquote(lit.Value)
				if err != nil || name == "" || strings.ContainsAny(name, "\n\x00") || !filepath.IsLocal(name) {
					return true
				}
				if info, err := os.Stat(filepath.Join(x.opt.Dir, name)); err == nil && info.Mode().IsRegular() {
					x.addData(filepath.Join(x.opt.Dir, name))
				}
				return true
			})
		}
	}
	slices.Sort(x.files)
	return x.files
}
