package source

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/modules"
)

// files are the files of a package on this machine.
type files struct {
	names   []string
	cgo     []string // files excluded because they need cgo
	imports []string
	stamp   string
	byLink  bool // whether only the linker has the body of a function

	tests, testImports        []string // tests of the package
	external, externalImports []string // tests in a separate package
}

// tagSets lists the sets of build tags that are tried in order. The loader uses the first set with
// which every function has a body. The tags are the names by which packages exclude assembly.
var tagSets = [][]string{
	{"purego", "noasm"},
	{"purego", "noasm", "nosimd", "generic", "safe", "math_big_pure_go"},
	{"purego", "noasm", "appengine"},
}

// plainArchs are architectures for which few packages have assembly. As on the architectures that
// cells run on, their words have 64 bits and are little-endian. If a package leaves functions to
// the assembler with all tags, its files for one of these architectures are used.
var plainArchs = []string{"riscv64", "loong64", "mips64le", "ppc64le"}

// choose selects the files of a package for this machine by their build constraints.
func (l *Loader) choose(place *modules.Place, tags []string) (*files, error) {
	stamp := ""
	if place.Local {
		var err error
		if stamp, err = stampOf(place.Dir); err != nil {
			return nil, err
		}
	}
	var first error
	var found *files
	for _, set := range tagSets {
		f, err := list(place, runtime.GOARCH, append(slices.Clone(tags), set...))
		if err == nil {
			f.stamp = stamp
			if !f.byLink {
				return f, nil
			}
			if found == nil {
				found = f // another package may provide the function
			}
			continue
		}
		if first == nil {
			first = err
		}
		if missing := (*bodiless)(nil); !errors.As(err, &missing) {
			break
		}
	}
	if found != nil {
		return found, nil
	}
	if missing := (*bodiless)(nil); errors.As(first, &missing) {
		for _, arch := range plainArchs {
			f, err := list(place, arch, append(slices.Clone(tags), tagSets[0]...))
			if err == nil && !f.byLink && hasBodies(place, f.names) && !slices.ContainsFunc(f.imports, knowsSystem) {
				f.stamp = stamp
				return f, nil
			}
		}
	}
	return nil, first
}

// knowsSystem reports whether a package that imports the given one may contain numbers and memory
// layouts of a system, which differ between architectures.
func knowsSystem(imported string) bool {
	return imported == "syscall" || strings.HasPrefix(imported, "golang.org/x/sys/")
}

// list returns the files of a package for an architecture and build tags.
func list(place *modules.Place, arch string, tags []string) (*files, error) {
	c := build.Context{
		GOOS: runtime.GOOS, GOARCH: arch, Compiler: "gc",
		BuildTags: tags, ReleaseTags: build.Default.ReleaseTags, ToolTags: build.Default.ToolTags,
	}
	p, err := c.ImportDir(place.Dir, 0)
	var none *build.NoGoError
	switch {
	case errors.As(err, &none) && p != nil && needsC(place.Dir, p.IgnoredGoFiles) != "":
		return nil, fmt.Errorf("package %s needs cgo (%s), which cannot be run from source", place.Path, needsC(place.Dir, p.IgnoredGoFiles))
	case errors.As(err, &none):
		return nil, fmt.Errorf("package %s has no Go files for %s/%s and go%s", place.Path, c.GOOS, c.GOARCH, modules.Language())
	case err != nil:
		return nil, fmt.Errorf("package %s: %w", place.Path, err)
	case len(p.GoFiles) == 0:
		return nil, fmt.Errorf("package %s has only test files", place.Path)
	case p.Name == "main":
		return nil, fmt.Errorf("%s is a program, not a package that can be imported", place.Path)
	}
	f := &files{
		names: p.GoFiles, imports: p.Imports, cgo: p.IgnoredGoFiles,
		tests: p.TestGoFiles, testImports: p.TestImports, external: p.XTestGoFiles, externalImports: p.XTestImports,
	}
	if len(p.SFiles) > 0 || slices.Contains(p.Imports, "unsafe") {
		// In other packages, the assembler or the linker cannot provide the body of a function.
		if f.byLink, err = findBodiless(place, f.names, p.SFiles); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// needsC returns a file of a package that imports "C", or "" if there is none.
func needsC(dir string, names []string) string {
	for _, name := range names {
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, name), nil, parser.ImportsOnly)
		if err != nil {
			continue
		}
		for _, s := range f.Imports {
			if s.Path.Value == `"C"` {
				return name
			}
		}
	}
	return ""
}

// stampOf returns a string that changes when the files of a folder change.
func stampOf(dir string) (string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, e := range entries {
		if info, err := e.Info(); err == nil && !e.IsDir() {
			fmt.Fprintf(&b, "%s %d %d\n", e.Name(), info.Size(), info.ModTime().UnixNano())
		}
	}
	return b.String(), nil
}

// parse parses the files of a package, several concurrently.
func (l *Loader) parse(f *found) ([]*ast.File, error) {
	names := f.files.names
	list := make([]*ast.File, len(names))
	errs := make([]error, len(names))
	var wg sync.WaitGroup
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, name := range names {
		wg.Add(1)
		go func() {
			defer wg.Done()
			free <- struct{}{}
			defer func() { <-free }()
			text, err := os.ReadFile(filepath.Join(f.place.Dir, name))
			if err == nil {
				list[i], err = parser.ParseFile(l.fset, shown(f.place, name), text, parser.SkipObjectResolution|parser.ParseComments)
			}
			errs[i] = err
		}()
	}
	wg.Wait()
	return list, cmp.Or(errs...)
}

// shown returns the name of a file for errors and traces: the import path with the version after
// the module's path, and the file name.
func shown(p *modules.Place, name string) string {
	at := p.Path
	if v := p.Module.Version; v != "" {
		at = p.Module.Path + "@" + v + strings.TrimPrefix(p.Path, p.Module.Path)
	}
	return path.Join(at, name)
}

var sizes = types.SizesFor("gc", runtime.GOARCH)

// newInfo returns a types.Info with everything that engines need. Its maps have the capacity that
// Go code of that length usually needs; growing them took a tenth of the time of a first import.
func newInfo(files []*ast.File) *types.Info {
	size := 0 // size in bytes
	for _, f := range files {
		size += int(f.FileEnd - f.FileStart)
	}
	return &types.Info{
		Types:        make(map[ast.Expr]types.TypeAndValue, size/14),
		Defs:         make(map[*ast.Ident]types.Object, size/120),
		Uses:         make(map[*ast.Ident]types.Object, size/22),
		Implicits:    map[ast.Node]types.Object{},
		Selections:   make(map[*ast.SelectorExpr]*types.Selection, size/110),
		Scopes:       make(map[ast.Node]*types.Scope, size/110),
		Instances:    map[*ast.Ident]types.Instance{},
		FileVersions: make(map[*ast.File]string, len(files)),
	}
}

// check parses and type-checks a package.
func (l *Loader) check(f *found, imports []*Package, loaded map[*found]*Package) (*Package, error) {
	syntax, err := l.parse(f)
	if err != nil {
		return nil, fmt.Errorf("package %s: %w", f.place.Path, err)
	}
	info := newInfo(syntax)
	var errs []types.Error
	conf := types.Config{
		Importer:  &importer{l.compiledImport, f, loaded},
		Sizes:     sizes,
		GoVersion: goVersion(f.place.Module),
		Error: func(err error) {
			if te, ok := err.(types.Error); ok && !te.Soft {
				errs = append(errs, te)
			}
		},
	}
	pkg := types.NewPackage(f.path(), syntax[0].Name.Name)
	// The Error function has collected the errors.
	_ = types.NewChecker(&conf, l.fset, pkg, info).Files(syntax)
	if len(errs) > 0 {
		return nil, l.broken(f, errs)
	}
	p := &Package{
		Package: engine.Package{Fset: l.fset, Types: pkg, Files: syntax, Info: info},
		Place:   *f.place, Imports: imports, stamp: f.files.stamp, tests: f.files.tests,
	}
	return p, p.Complete()
}

// Complete adds to a checked package what its files lack: replacements of functions without a body,
// and the files of //go:embed. [Link] adds what other packages provide.
func (p *Package) Complete() error {
	p.externals()
	return p.embed()
}

// broken explains why a package does not type-check.
func (l *Loader) broken(f *found, errs []types.Error) error {
	e := errs[0]
	more := ""
	switch n := len(errs) - 1; {
	case n == 1:
		more = " (and 1 more error)"
	case n > 1:
		more = fmt.Sprintf(" (and %d more errors)", n)
	}
	if c := needsC(f.place.Dir, f.files.cgo); c != "" {
		return fmt.Errorf("package %s needs cgo (%s), which cannot be run from source: %s: %s", f.place.Path, c, l.fset.Position(e.Pos), e.Msg)
	}
	return fmt.Errorf("package %s cannot be compiled: %s: %s%s", f.place.Path, l.fset.Position(e.Pos), e.Msg, more)
}

// goVersion returns the language version of a module.
func goVersion(m modules.Module) string {
	switch {
	case m.Go != "":
		return "go" + m.Go
	case m.Path != "":
		return "go1.16" // as in the go command for a go.mod without a go line
	}
	return "go" + modules.Language()
}

func (l *Loader) compiledImport(path string) (*types.Package, error) { return l.compiled.Import(path) }

// importer resolves the imports of one package.
type importer struct {
	compiled func(path string) (*types.Package, error)
	of       *found
	loaded   map[*found]*Package
}

// Import implements types.Importer.
func (im *importer) Import(path string) (*types.Package, error) {
	if g := im.of.imports[path]; g != nil {
		return im.loaded[g].Types, nil
	}
	return im.compiled(path)
}
