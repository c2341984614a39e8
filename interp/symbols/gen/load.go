package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"go/version"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"golang.org/x/tools/go/packages"
)

// platform is a platform for which gokernel is built.
type platform struct{ os, arch string }

func (p platform) String() string { return p.os + "_" + p.arch }

// platforms begins with the platform for which the documentation is generated.
var platforms = []platform{
	{"linux", "amd64"}, {"linux", "arm64"},
	{"darwin", "amd64"}, {"darwin", "arm64"},
	{"windows", "amd64"}, {"windows", "arm64"},
	{"js", "wasm"},
}

// loader type-checks packages from source, without function bodies. The platforms share parsed
// files.
type loader struct {
	dir           string // the module's root
	goroot        string
	full, version string // versions of Go: "go1.26.8", "go1.26"
	fset          *token.FileSet
	files         map[string]*ast.File // by file name on disk
}

func newLoader(dir string) (*loader, error) {
	env, err := exec.Command("go", "env", "GOROOT", "GOVERSION").Output()
	if err != nil {
		return nil, fmt.Errorf("go env GOROOT GOVERSION: %w", err)
	}
	goroot, full, _ := strings.Cut(strings.TrimSpace(string(env)), "\n")
	v := version.Lang(full)
	if !slices.Contains(versions, v) {
		return nil, fmt.Errorf("%s is none of the versions that tables are made for, %v: see docs/explanation/engine-porting.md", full, versions)
	}
	return &loader{dir: dir, goroot: goroot, full: full, version: v, fset: token.NewFileSet(), files: map[string]*ast.File{}}, nil
}

// source is one package as read from disk for one platform.
type source struct {
	*types.Package
	outline *types.Package // see outlined
	files   []*ast.File
	names   []string // names of the files on disk
	dir     string
}

// world contains the results of go list and the type checker for one platform.
type world struct {
	platform platform
	packages map[string]*source
	paths    []string // paths of the requested packages, sorted
	differs  bool     // whether some of their files are for some platforms only
}

// load reads the packages that match the patterns, and everything they import.
func (l *loader) load(p platform, patterns []string) (*world, error) {
	cfg := &packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedDeps | packages.NeedModule,
		Dir:  l.dir,
		// The API is the same without cgo, and loading it then needs no C compiler.
		Env: append(os.Environ(), "GOOS="+p.os, "GOARCH="+p.arch, "CGO_ENABLED=0", "GOFLAGS=-mod=readonly"),
	}
	roots, err := packages.Load(cfg, patterns...)
	if err != nil {
		return nil, err
	}
	w := &world{platform: p, packages: map[string]*source{}}
	sizes := types.SizesFor("gc", p.arch)
	var check func(pkg *packages.Package) (*source, error)
	check = func(pkg *packages.Package) (*source, error) {
		if s, ok := w.packages[pkg.PkgPath]; ok {
			return s, nil
		}
		if pkg.PkgPath == "unsafe" {
			s := &source{Package: types.Unsafe, outline: types.Unsafe}
			w.packages["unsafe"] = s
			return s, nil
		}
		if len(pkg.Errors) > 0 {
			return nil, fmt.Errorf("%s for %v: %v", pkg.PkgPath, p, pkg.Errors[0])
		}
		s := &source{names: pkg.CompiledGoFiles}
		for _, name := range pkg.CompiledGoFiles {
			f, err := l.parse(pkg.PkgPath, name)
			if err != nil {
				return nil, err
			}
			s.files = append(s.files, f)
			s.dir = filepath.Dir(name)
		}
		deps, outlines := importer{}, importer{}
		for as, dep := range pkg.Imports {
			d, err := check(dep)
			if err != nil {
				return nil, err
			}
			deps[as], outlines[as] = d.Package, d.outline
		}
		conf := types.Config{IgnoreFuncBodies: true, Importer: deps, Sizes: sizes}
		info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
		if s.Package, err = conf.Check(pkg.PkgPath, l.fset, s.files, info); err != nil {
			return nil, fmt.Errorf("%s for %v: %w", pkg.PkgPath, p, err)
		}
		conf.Importer = outlines
		if s.outline, err = outline(&conf, l.fset, s, info); err != nil {
			return nil, fmt.Errorf("%s for %v: %w", pkg.PkgPath, p, err)
		}
		w.packages[pkg.PkgPath] = s
		return s, nil
	}
	for _, root := range roots {
		if _, out := leftOut(root.PkgPath, root.Name); out {
			continue
		}
		if _, err := check(root); err != nil {
			return nil, err
		}
		w.paths = append(w.paths, root.PkgPath)
		for _, name := range root.IgnoredFiles {
			w.differs = w.differs || strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go")
		}
	}
	sort.Strings(w.paths)
	return w, nil
}

// parse reads one file. Its name in positions is the import path and the base name, so that
// generated files do not depend on paths of this machine.
func (l *loader) parse(pkgPath, name string) (*ast.File, error) {
	if f, ok := l.files[name]; ok {
		return f, nil
	}
	src, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	f, err := parser.ParseFile(l.fset, path.Join(pkgPath, filepath.Base(name)), src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	l.files[name] = f
	return f, nil
}

type importer map[string]*types.Package

func (m importer) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if p, ok := m[path]; ok {
		return p, nil
	}
	return nil, fmt.Errorf("no package %s", path)
}

// own reports whether the package belongs to this module.
func own(pkgPath string) bool { return strings.HasPrefix(pkgPath, module) }
