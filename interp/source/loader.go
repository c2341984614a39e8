package source

import (
	"context"
	"errors"
	"fmt"
	"go/token"
	"go/types"
	"go/version"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/modules"
	"github.com/gokernel/gokernel/interp/symbols"
)

// Loader loads packages for one session. Packages compiled into the kernel come from the kernel.
// Loader implements types.Importer and is safe for concurrent use.
type Loader struct {
	// Env reads the settings for modules. If it is nil, the loader calls modules.ReadEnv.
	Env func() modules.Env
	// Dir is the folder of the notebook. "" means the working directory when the first package is
	// loaded.
	Dir string
	// Kept lists the versions recorded in the notebook.
	Kept []modules.Requirement

	fset     *token.FileSet
	compiled *symbols.Importer

	preparing sync.Mutex // held while packages are found and loaded
	build     *modules.Build

	mu       sync.RWMutex
	packages map[string]*Package // the most recently loaded package of each path
	aliases  map[string]string   // relative imports of cells, with the paths they refer to
}

// Package is a loaded package.
type Package struct {
	engine.Package
	Place   modules.Place
	Imports []*Package // imports from source, in the order of their paths

	stamp    string   // stamp of the files, if they can change
	tests    []string // the test files among the files
	declared bool     // whether a cell declares it
	text     string   // text of a declared package's file
	index    index

	gives map[string]types.Object // its functions by linker name
	wants []want                  // objects of other packages it needs through go:linkname
	links []*Package              // the packages to which it is linked
}

// New returns a loader whose files have positions in fset.
func New(fset *token.FileSet, compiled *symbols.Importer) *Loader {
	return &Loader{fset: fset, compiled: compiled, packages: map[string]*Package{}, aliases: map[string]string{}}
}

// IsCompiled reports whether a package is part of the kernel.
func IsCompiled(path string) bool {
	if path == "unsafe" {
		return true
	}
	_, ok := symbols.Lookup(path)
	return ok
}

// Import implements types.Importer. It neither fetches nor loads: a package that is not
// compiled into the kernel must have been prepared.
func (l *Loader) Import(path string) (*types.Package, error) {
	if IsCompiled(path) {
		return l.compiled.Import(path)
	}
	if p := l.Lookup(path); p != nil {
		return p.Types, nil
	}
	return l.compiled.Import(path)
}

// Lookup returns a loaded package, or nil if it is not loaded.
func (l *Loader) Lookup(path string) *Package {
	l.mu.RLock()
	defer l.mu.RUnlock()
	if to, ok := l.aliases[path]; ok {
		path = to
	}
	return l.packages[path]
}

// Closure returns the packages from source that the roots need through imports and go:linkname.
// They are in the order in which Go initializes them: of the packages whose imports are all in the
// list, the one with the smallest path comes next.
func Closure(roots ...*Package) []*Package {
	waits := map[*Package]int{} // the number of its imports that are not in the list
	users := map[*Package][]*Package{}
	var ready []*Package
	before := func(p, q *Package) int { return strings.Compare(p.Types.Path(), q.Types.Path()) }
	var visit func(p *Package)
	visit = func(p *Package) {
		if _, seen := waits[p]; p == nil || seen {
			return
		}
		waits[p] = 0
		for _, q := range p.Imports {
			visit(q)
			if !slices.Contains(users[q], p) {
				users[q] = append(users[q], p)
				waits[p]++
			}
		}
		if waits[p] == 0 {
			ready = append(ready, p)
		}
		for _, q := range p.links {
			visit(q)
		}
	}
	for _, p := range roots {
		visit(p)
	}
	slices.SortStableFunc(ready, before)
	var list []*Package
	for len(ready) > 0 {
		p := ready[0]
		ready = ready[1:]
		list = append(list, p)
		for _, q := range users[p] {
			if waits[q]--; waits[q] == 0 {
				at, _ := slices.BinarySearchFunc(ready, q, before)
				ready = slices.Insert(ready, at, q)
			}
		}
	}
	return list
}

// ImportError explains why a package that a cell imports is not available.
type ImportError struct {
	Path string
	Err  error
}

func (e *ImportError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *ImportError) Unwrap() error { return e.Err }

// Change is a package that was loaded again.
type Change struct{ Old, New *Package }

// Prepare loads the packages with the given paths and everything that they import. It fetches what
// is missing, and reports that through progress. It loads packages again if their files have
// changed. For an unknown path without a dot, Import reports the error later.
func (l *Loader) Prepare(ctx context.Context, paths []string, progress func(line string)) (changes []Change, err error) {
	paths = slices.DeleteFunc(slices.Clone(paths), func(p string) bool { return IsCompiled(p) || p == "" || l.isDeclared(p) })
	if len(paths) == 0 {
		return nil, nil
	}
	l.preparing.Lock()
	defer l.preparing.Unlock()
	b, err := l.modules()
	if err != nil {
		return nil, err
	}
	b.Progress = progress
	defer func() { b.Progress = nil }()
	defer undoIf(&err, b.Try())
	w := &walk{l: l, b: b, paths: paths}
	for {
		generation := b.Generation()
		w.reset()
		for _, path := range paths {
			if err := w.root(ctx, path); err != nil {
				return nil, err
			}
		}
		if b.Generation() == generation {
			break
		}
	}
	if changes, err = w.load(ctx); err != nil {
		return nil, err
	}
	return changes, b.Save()
}

// undoIf calls undo if *err is not nil. Without this, go.mod would require the modules of a failed
// attempt after the next cell.
func undoIf(err *error, undo func()) {
	if *err != nil {
		undo()
	}
}

// modules returns the current modules of the session's folder.
func (l *Loader) modules() (*modules.Build, error) {
	env := l.env()
	if l.build != nil {
		b, err := l.build.Refresh(env, l.Kept)
		if err == nil {
			l.build = b
		}
		return b, err
	}
	dir, err := l.dir()
	if err != nil {
		return nil, err
	}
	b, err := modules.Open(dir, env, l.Kept)
	l.build = b
	return b, err
}

func (l *Loader) env() modules.Env {
	if l.Env == nil {
		return modules.ReadEnv()
	}
	return l.Env()
}

func (l *Loader) dir() (string, error) {
	if l.Dir != "" {
		return l.Dir, nil
	}
	return os.Getwd()
}

// Settings returns the GODEBUG settings of the notebook's module or workspace, and the file with
// them; see modules.Settings.
func (l *Loader) Settings() (file string, list []string, err error) {
	dir, err := l.dir()
	if err != nil {
		return "", nil, err
	}
	return modules.Settings(dir, l.env())
}

// With calls f with the modules of the session. If f fails, With removes the requirements that f
// has added.
func (l *Loader) With(f func(b *modules.Build) error) (err error) {
	l.preparing.Lock()
	defer l.preparing.Unlock()
	b, err := l.modules()
	if err != nil {
		return err
	}
	defer undoIf(&err, b.Try())
	return f(b)
}

// Peek loads packages for queries about code that has not run, if that needs no fetching. Errors
// are reported when the code runs. Peek does not wait for a cell that is loading packages.
func (l *Loader) Peek(ctx context.Context, paths []string) {
	paths = slices.DeleteFunc(slices.Clone(paths), func(p string) bool { return IsCompiled(p) || l.Lookup(p) != nil })
	if len(paths) == 0 || !l.preparing.TryLock() {
		return
	}
	defer l.preparing.Unlock()
	b, err := l.modules()
	if err != nil {
		return
	}
	defer b.Offline()()
	for _, path := range paths {
		w := &walk{l: l, b: b}
		w.reset()
		if w.root(ctx, path) == nil {
			// Errors are reported when the code runs.
			_, _ = w.load(ctx)
		}
	}
}

// Paths lists import paths that start with a prefix and are not compiled into the kernel.
func (l *Loader) Paths(prefix string) []string {
	if !l.preparing.TryLock() {
		return nil
	}
	defer l.preparing.Unlock()
	b, err := l.modules()
	if err != nil {
		return nil
	}
	return b.Paths(prefix)
}

// Packages lists packages that cells can import and that are not compiled into the kernel; see
// modules.Build.Packages.
func (l *Loader) Packages(ctx context.Context, named []string) []modules.Package {
	if !l.preparing.TryLock() {
		return nil
	}
	defer l.preparing.Unlock()
	b, err := l.modules()
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(b.Packages(ctx, named), func(p modules.Package) bool { return IsCompiled(p.Path) })
}

// IfOpen calls f with the modules of the session if the session has already searched for a package.
func (l *Loader) IfOpen(f func(b *modules.Build)) {
	l.preparing.Lock()
	defer l.preparing.Unlock()
	if l.build != nil {
		f(l.build)
	}
}

// walk finds packages and their imports.
type walk struct {
	l       *Loader
	b       *modules.Build
	paths   []string          // imported by a cell
	found   map[string]*found // by path
	aliases map[string]string
	order   []*found // imports before their importers
	tested  *found   // the package whose tests are loaded, or nil
}

// found is a package with its files for this machine.
type found struct {
	place   *modules.Place
	files   *files
	imports map[string]*found // by the path in its files
	done    bool

	external bool // whether it is the package of external tests
}

func (w *walk) reset() {
	w.found, w.aliases, w.order = map[string]*found{}, map[string]string{}, nil
}

// root finds a package that a cell imports.
func (w *walk) root(ctx context.Context, path string) error {
	f, err := w.visit(ctx, path, nil, nil)
	if missing := (*modules.NotFoundError)(nil); errors.As(err, &missing) && !strings.Contains(path, ".") {
		return nil
	}
	if err != nil {
		return &ImportError{path, err}
	}
	if f.place.Path != path {
		w.aliases[path] = f.place.Path
	}
	return nil
}

// visit finds a package that another one imports, and all its dependencies.
func (w *walk) visit(ctx context.Context, path string, from *found, stack []string) (*found, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if path == "C" && from == nil {
		return nil, errors.New("cells cannot use cgo, which needs a C compiler")
	}
	if path == "C" {
		return nil, fmt.Errorf("package %s needs cgo, which cannot be run from source", from.place.Path)
	}
	var place *modules.Place
	if from != nil {
		place = from.place
	}
	f := w.found[path]
	if f == nil || modules.IsRelative(path) {
		p, err := w.b.Find(ctx, path, place)
		if err != nil {
			return nil, inPackage(err, from)
		}
		if f = w.found[p.Path]; f == nil {
			f = &found{place: p}
			w.found[p.Path] = f
		}
	}
	if !mayImport(f.place.Path, place, w.b) {
		importer := "a cell"
		if place != nil {
			importer = "package " + place.Path
		}
		return nil, fmt.Errorf("package %s is internal: %s may not import it", path, importer)
	}
	if f.done {
		return f, nil
	}
	if v := goVersion(f.place.Module); version.Compare(version.Lang(v), "go"+modules.Language()) > 0 {
		return nil, fmt.Errorf("module %s requires %s in its go.mod, but this kernel supports Go only up to %s", f.place.Module.Path, v, modules.Language())
	}
	if slices.Contains(stack, f.place.Path) {
		return nil, fmt.Errorf("import cycle: %s", strings.Join(append(stack, f.place.Path), " imports "))
	}
	var err error
	if f.files, err = w.l.choose(f.place, w.b.Tags()); err != nil {
		return nil, err
	}
	return f, w.follow(ctx, f, stack)
}

// follow finds all imports of a package.
func (w *walk) follow(ctx context.Context, f *found, stack []string) (err error) {
	f.imports = map[string]*found{}
	for _, imported := range f.files.imports {
		if IsCompiled(imported) {
			continue
		}
		if f.imports[imported], err = w.visit(ctx, imported, f, append(stack, f.path())); err != nil {
			return err
		}
	}
	f.done = true
	w.order = append(w.order, f)
	return nil
}

// inPackage adds to an error the package whose import was not found.
func inPackage(err error, from *found) error {
	if from == nil {
		return err
	}
	return fmt.Errorf("package %s: %w", from.place.Path, err)
}

// mayImport reports whether the rule of internal packages allows an import.
func mayImport(path string, from *modules.Place, b *modules.Build) bool {
	i := strings.LastIndex("/"+path+"/", "/internal/")
	if i < 0 {
		return true
	}
	parent := strings.TrimSuffix(path[:max(i-1, 0)], "/")
	importer := b.Here()
	if from != nil {
		importer = from.Path
	}
	return importer == parent || strings.HasPrefix(importer, parent+"/") || parent == "" || parent == "."
}

// load type-checks those of the found packages that are not loaded yet or have changed.
func (w *walk) load(ctx context.Context) ([]Change, error) {
	var changes []Change
	var made, kept []*Package
	loaded := map[*found]*Package{}
	for _, f := range w.order {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var imports []*Package
		for _, path := range f.files.imports {
			if g := f.imports[path]; g != nil {
				imports = append(imports, loaded[g])
			}
		}
		old := w.l.Lookup(w.key(f))
		if old != nil && old.Place.Dir == f.place.Dir && old.stamp == f.files.stamp && slices.Equal(old.Imports, imports) {
			loaded[f] = old
			kept = append(kept, old)
			continue
		}
		p, err := w.l.check(f, imports, loaded)
		if err != nil {
			return nil, w.imported(f, err)
		}
		loaded[f] = p
		made = append(made, p)
		if old != nil && (w.tested == nil || !w.forTests(f)) { // cells don't see packages for tests
			changes = append(changes, Change{old, p})
		}
	}
	if err := Link(made, append(kept, w.l.known()...)); err != nil {
		return nil, err
	}
	w.l.mu.Lock()
	defer w.l.mu.Unlock()
	for f, p := range loaded {
		w.l.packages[w.key(f)] = p
	}
	for from, to := range w.aliases {
		w.l.aliases[from] = to
	}
	return changes, nil
}

// imported adds to an error the import of the cell that needs the package that can't be loaded.
func (w *walk) imported(f *found, err error) error {
	for _, path := range w.paths {
		root := path
		if to, ok := w.aliases[path]; ok {
			root = to
		}
		if g := w.found[root]; g != nil && g.needs(f, map[*found]bool{}) {
			return &ImportError{path, err}
		}
	}
	return err
}

// needs reports whether a package is the other one or imports it, directly or indirectly.
func (f *found) needs(g *found, seen map[*found]bool) bool {
	if f == g {
		return true
	}
	seen[f] = true
	for _, h := range f.imports {
		if !seen[h] && h.needs(g, seen) {
			return true
		}
	}
	return false
}

// known returns the packages that cells can see.
func (l *Loader) known() []*Package {
	l.mu.RLock()
	defer l.mu.RUnlock()
	var list []*Package
	for path, p := range l.packages {
		if path == p.Types.Path() {
			list = append(list, p)
		}
	}
	return list
}
