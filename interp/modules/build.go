package modules

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"

	"golang.org/x/mod/module"
)

// Module is a module that contains packages.
type Module struct {
	Path, Version string // the version of a main module is ""
	Dir           string // its root; the vendor folder for a vendored module
	Go            string // the go line of its go.mod, "1.21", or "" if there is none
	Main          bool   // a main module, whose files may change
	From          string // its origin: "go.mod", "replace", "vendor", "module cache", or the proxy
	Replaced      string // its replacement: a path and version, or a folder
}

// Place is the location of a package's source.
type Place struct {
	Path   string // the import path, which differs for a relative import
	Dir    string
	Module Module
	Local  bool // the files may change while the session runs
}

// Build contains the modules of one session. Only one goroutine at a time may use it.
type Build struct {
	// Progress receives one line for each file that is fetched; it may be nil.
	Progress func(line string)

	dir        string
	env        Env
	project    *project
	stamp      string // stamp of the project's files
	cache      *cache
	roots      map[string]string // the versions that the project requires
	added      map[string]bool   // roots that are not yet in its go.mod
	direct     map[string]bool   // modules with packages that the project imports
	selected   map[string]string // the version of each module in the graph
	used       map[string]Module // modules in which packages were found
	from       map[string]string // origins of modules, by path@version
	summaries  map[module.Version]*summary
	names      *names
	generation int
}

// Requirement is a version that a notebook without a go.mod has recorded.
type Requirement struct {
	Path    string `json:"path"`
	Version string `json:"version"`
	Sum     string `json:"sum,omitempty"` // the hash of its files, as in go.sum
	// Indirect reports whether only other modules need this module.
	Indirect bool `json:"indirect,omitempty"`
}

// Open reads the module settings of the folder. If there is no go.mod above the folder, the
// versions kept in the notebook are required.
func Open(dir string, env Env, kept []Requirement) (*Build, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	p, err := readProject(dir, env)
	if err != nil {
		return nil, err
	}
	b := &Build{
		dir: dir, env: env, project: p,
		roots: map[string]string{}, added: map[string]bool{}, direct: map[string]bool{},
		used: map[string]Module{}, from: map[string]string{}, summaries: map[module.Version]*summary{}, names: newNames(),
	}
	b.cache = newCache(b)
	if err := b.cache.sums.read(p); err != nil {
		return nil, err
	}
	for _, m := range p.mains {
		for _, r := range m.File.Require {
			if !p.exclude[r.Mod] {
				b.require(r.Mod)
			}
		}
	}
	if len(p.mains) == 0 {
		for _, k := range kept {
			m := module.Version{Path: k.Path, Version: k.Version}
			if err := module.Check(m.Path, m.Version); err != nil {
				return nil, fmt.Errorf("the notebook has an invalid version: %w", err)
			}
			b.require(m)
			b.direct[m.Path] = !k.Indirect
			if k.Sum != "" {
				b.cache.sums.add(m, k.Sum)
			}
		}
	}
	b.stamp = b.stampFiles()
	return b, nil
}

// Refresh returns the modules for settings that a cell may have changed. It returns b, or reads the
// folder again if its files or the settings have changed. The versions kept in a notebook are
// required as in [Open].
func (b *Build) Refresh(env Env, kept []Requirement) (*Build, error) {
	b.env = env
	if b.stampFiles() == b.stamp {
		return b, nil
	}
	if !b.HasProject() {
		kept = b.Kept()
	}
	return Open(b.dir, env, kept)
}

// stampFiles returns a string that changes when the files of the project change, or the settings
// that select them.
func (b *Build) stampFiles() string {
	names := []string{above(b.dir, "go.mod"), above(b.dir, "go.work"), b.env.Work}
	for _, m := range b.project.mains {
		names = append(names, filepath.Join(m.Dir, "go.mod"), filepath.Join(m.Dir, "vendor", "modules.txt"))
	}
	if b.project.work != "" {
		names = append(names, filepath.Join(filepath.Dir(b.project.work), "vendor", "modules.txt"))
	}
	for _, r := range b.project.replace {
		if r.dir != "" {
			names = append(names, filepath.Join(r.dir, "go.mod"))
		}
	}
	stamp := b.env.Mod
	for _, name := range names {
		stamp += "\n" + name
		if info, err := os.Stat(name); err == nil {
			stamp += " " + strconv.FormatInt(info.Size(), 10) + " " + info.ModTime().String()
		}
	}
	return stamp
}

// require makes a version a root unless there is a higher one.
func (b *Build) require(m module.Version) {
	if have := b.roots[m.Path]; have == "" || compare(m.Version, have) > 0 {
		b.roots[m.Path] = m.Version
	}
}

// Try returns a function that undoes all later requirements.
func (b *Build) Try() (undo func()) {
	before := *b
	b.roots, b.added, b.direct = maps.Clone(b.roots), maps.Clone(b.added), maps.Clone(b.direct)
	b.selected, b.used, b.from = maps.Clone(b.selected), maps.Clone(b.used), maps.Clone(b.from)
	return func() { *b = before }
}

// Offline prevents fetching and permanent requirements until the returned function is called.
func (b *Build) Offline() (end func()) {
	end = b.Try()
	b.env.Offline = true
	return end
}

// Tags returns the build tags from GOFLAGS.
func (b *Build) Tags() []string { return b.env.Tags }

// Generation returns a number that changes when the version of a module with used packages changes.
// All packages must then be found again.
func (b *Build) Generation() int { return b.generation }

// NotFoundError reports that no module has a package.
type NotFoundError struct {
	Path string
	Why  string
}

func (e *NotFoundError) Error() string { return e.Why }

// IsRelative reports whether an import path names a folder.
func IsRelative(path string) bool {
	return path == "." || path == ".." || strings.HasPrefix(path, "./") || strings.HasPrefix(path, "../")
}

// Find finds a package that another package imports, or that a cell imports if from is nil. It
// fetches missing files.
func (b *Build) Find(ctx context.Context, imported string, from *Place) (*Place, error) {
	if IsRelative(imported) {
		return b.findFolder(ctx, imported, from)
	}
	if strings.HasPrefix(imported, "/") || filepath.IsAbs(imported) {
		return nil, errors.New("an import path must not be an absolute path: write the path relative to the notebook, such as \"./stats\"")
	}
	if path, _, ok := strings.Cut(imported, "@"); ok {
		return nil, &NotFoundError{imported, fmt.Sprintf("an import path must not contain a version: import %q, and choose the version with %%get %s", path, imported)}
	}
	if _, path, ok := strings.Cut(imported, "://"); ok {
		return nil, &NotFoundError{imported, fmt.Sprintf("an import path must not be an address: import %q", path)}
	}
	if err := module.CheckImportPath(imported); err != nil {
		return nil, &NotFoundError{imported, err.Error()}
	}
	if p := b.findMain(imported); p != nil {
		return p, nil
	}
	if v := b.project.vendor; v != nil {
		dir := filepath.Join(v.dir, filepath.FromSlash(imported))
		m, ok := v.modules[imported]
		if !ok || !hasGo(dir) {
			if err := b.notInMain(imported); err != nil {
				return nil, err
			}
			return nil, &NotFoundError{imported, fmt.Sprintf("package %s is not in the vendor folder: run go mod vendor, or set GOFLAGS=-mod=mod", imported)}
		}
		mod := Module{Path: m.Path, Version: m.Version, Dir: v.dir, From: "vendor", Go: v.goLines[m.Path]}
		b.used[m.Path] = mod
		return &Place{Path: imported, Dir: dir, Module: mod}, nil
	}
	return b.findRequired(ctx, imported, from)
}

// findFolder finds the folder of a relative import.
func (b *Build) findFolder(ctx context.Context, imported string, from *Place) (*Place, error) {
	base := b.dir
	if from != nil {
		if !from.Local {
			return nil, &NotFoundError{imported, fmt.Sprintf("package %s imports %q, and only cells and folders beside them may import by a relative path", from.Path, imported)}
		}
		base = from.Dir
	}
	dir := filepath.Join(base, filepath.FromSlash(imported))
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil, &NotFoundError{imported, fmt.Sprintf("there is no folder %s", dir)}
	}
	if !hasGo(dir) {
		return nil, &NotFoundError{imported, fmt.Sprintf("the folder %s has no Go files", dir)}
	}
	for _, r := range b.project.replace {
		if rel, ok := within(r.dir, dir); r.dir != "" && ok && b.roots[r.old.Path] != "" && !isNested(r.dir, dir) {
			return b.findRequired(ctx, path.Join(r.old.Path, rel), from) // as other packages import it
		}
	}
	for _, m := range b.project.mains {
		if rel, ok := within(m.Dir, dir); ok {
			return b.inMain(m, path.Join(m.Path, rel), dir), nil
		}
	}
	rel, err := filepath.Rel(b.dir, dir)
	if err != nil {
		return nil, err
	}
	name := filepath.ToSlash(rel)
	if !IsRelative(name) {
		name = "./" + name
	}
	return &Place{Path: name, Dir: dir, Local: true}, nil
}

// within returns the slash-separated path of a folder relative to a folder that contains it.
func within(root, dir string) (string, bool) {
	rel, err := filepath.Rel(root, dir)
	rel = filepath.ToSlash(rel)
	return rel, err == nil && rel != ".." && !strings.HasPrefix(rel, "../")
}

// mainOf returns the main module whose path is a prefix of an import path, and the folder of the
// package. It returns nil if there is none.
func (b *Build) mainOf(imported string) (best *mainModule, dir string) {
	for _, m := range b.project.mains {
		if hasPrefix(imported, m.Path) && (best == nil || len(m.Path) > len(best.Path)) {
			best = m
		}
	}
	if best == nil {
		return nil, ""
	}
	return best, filepath.Join(best.Dir, filepath.FromSlash(strings.TrimPrefix(imported, best.Path)))
}

// findMain finds a package of a main module, or returns nil.
func (b *Build) findMain(imported string) *Place {
	m, dir := b.mainOf(imported)
	if m == nil || !hasGo(dir) || isNested(m.Dir, dir) {
		return nil
	}
	return b.inMain(m, imported, dir)
}

// notInMain returns an error if the path of a package belongs to a main module, but the module does
// not contain the package. It returns nil for other paths.
func (b *Build) notInMain(imported string) error {
	m, dir := b.mainOf(imported)
	if m == nil {
		return nil
	}
	return fmt.Errorf("module %s has no package %s: there are no Go files in %s", m.Path, imported, dir)
}

func (b *Build) inMain(m *mainModule, imported, dir string) *Place {
	mod := Module{Path: m.Path, Dir: m.Dir, Main: true, From: "go.mod"}
	if b.project.work != "" {
		mod.From = "go.work"
	}
	if m.File.Go != nil {
		mod.Go = m.File.Go.Version
	}
	b.used[m.Path] = mod
	return &Place{Path: imported, Dir: dir, Module: mod, Local: true}
}

// hasPrefix reports whether a path equals another or is below it.
func hasPrefix(p, prefix string) bool {
	return p == prefix || strings.HasPrefix(p, prefix) && p[len(prefix)] == '/'
}

// isNested reports whether a go.mod between the root of a module and a folder makes the folder part
// of another module.
func isNested(root, dir string) bool {
	for d := dir; d != root && len(d) > len(root); d = filepath.Dir(d) {
		if _, err := os.Stat(filepath.Join(d, "go.mod")); err == nil {
			return true
		}
	}
	return false
}

// hasGo reports whether a folder contains Go files.
func hasGo(dir string) bool {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(entries, func(e os.DirEntry) bool {
		return strings.HasSuffix(e.Name(), ".go") && !e.IsDir()
	})
}

// findRequired finds a package in the modules of the graph, or adds a module with it.
func (b *Build) findRequired(ctx context.Context, imported string, from *Place) (*Place, error) {
	if b.selected == nil {
		if err := b.list(ctx); err != nil {
			return nil, err
		}
	}
	for range 2 {
		for prefix := imported; prefix != "."; prefix = path.Dir(prefix) {
			version := b.selected[prefix]
			if version == "" {
				continue
			}
			m := module.Version{Path: prefix, Version: version}
			place, err := b.inModule(ctx, m, imported)
			if err != nil {
				return nil, err
			}
			if place == nil {
				continue
			}
			if from == nil || from.Local {
				b.direct[prefix] = true
			}
			if b.roots[prefix] != version {
				// Its own requirements apply from now on.
				b.roots[prefix] = version
				b.added[prefix] = true
				if err := b.list(ctx); err != nil {
					return nil, err
				}
			}
			b.used[prefix] = place.Module
			return place, nil
		}
		if err := b.add(ctx, imported); err != nil {
			return nil, err
		}
	}
	return nil, errors.New("package " + imported + " is in no module of the build")
}

// inModule returns the place of a package in a module version, or nil if the module does not
// contain it.
func (b *Build) inModule(ctx context.Context, m module.Version, imported string) (*Place, error) {
	mod := Module{Path: m.Path, Version: m.Version}
	if s, err := b.summarize(ctx, m); err == nil {
		mod.Go = s.goLine
	}
	r, replaced := b.project.replaced(m)
	var err error
	switch {
	case replaced && r.dir != "":
		mod.Dir, mod.From, mod.Replaced = r.dir, "replace", r.dir
	case replaced:
		mod.Replaced = r.new.String()
		mod.Dir, mod.From, err = b.cache.dir(ctx, r.new)
	default:
		mod.Dir, mod.From, err = b.cache.dir(ctx, m)
	}
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(mod.Dir, filepath.FromSlash(strings.TrimPrefix(imported, m.Path)))
	if !hasGo(dir) || replaced && r.dir != "" && isNested(mod.Dir, dir) {
		return nil, nil
	}
	return &Place{Path: imported, Dir: dir, Module: mod, Local: replaced && r.dir != ""}, nil
}

// Used lists the modules in which packages were found and, if all is set, all modules of the graph,
// in ascending order.
func (b *Build) Used(all bool) []Module {
	var list []Module
	for _, m := range b.used {
		list = append(list, m)
	}
	if all {
		for path, version := range b.selected {
			if _, ok := b.used[path]; !ok {
				list = append(list, Module{Path: path, Version: version, From: "required"})
			}
		}
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Path < list[j].Path })
	return list
}

// HasProject reports whether a go.mod or go.work records the versions.
func (b *Build) HasProject() bool { return len(b.project.mains) > 0 }

// Kept returns the versions that a notebook without a go.mod should record.
func (b *Build) Kept() []Requirement {
	if b.HasProject() {
		return nil
	}
	var list []Requirement
	for path, version := range b.roots {
		m := module.Version{Path: path, Version: version}
		list = append(list, Requirement{Path: path, Version: version, Sum: b.cache.sums.of(m), Indirect: !b.direct[path]})
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Path < list[j].Path })
	return list
}
