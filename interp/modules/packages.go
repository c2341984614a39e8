package modules

import (
	"context"
	"go/build"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/mod/module"
)

// Package is a package that cells can import.
type Package struct{ Path, Name string }

// maxFolders is the maximum number of folders of a module to search for packages.
const maxFolders = 2000

// Packages lists the packages that cells can import without fetching: the packages of the main
// modules, of the modules that go.mod requires for them, and of the modules of the named packages.
// It leaves out modules that only other modules require. A name is the path of a package or module,
// and may end in a version as in "example.com/m@v1.2.3".
func (b *Build) Packages(ctx context.Context, named []string) []Package {
	defer b.Offline()()
	var list []Package
	for _, m := range b.project.mains {
		list = append(list, b.names.list(m.Path, m.Dir, b.env.Tags, true)...)
	}
	if v := b.project.vendor; v != nil {
		for _, p := range slices.Sorted(maps.Keys(v.modules)) {
			dir := filepath.Join(v.dir, filepath.FromSlash(p))
			if name := b.names.read(dir, b.env.Tags).name; name != "" && b.isDirect(v.modules[p].Path) && !isInternal(p) {
				list = append(list, Package{p, name})
			}
		}
		return list
	}
	if b.selected == nil && b.list(ctx) != nil {
		return list // an import would fail, and say why
	}
	for _, m := range b.wanted(ctx, named) {
		from := m
		if r, ok := b.project.replaced(m); ok && r.dir != "" {
			list = append(list, b.names.list(m.Path, r.dir, b.env.Tags, true)...)
			continue
		} else if ok {
			from = r.new
		}
		if dir, _, err := b.cache.dir(ctx, from); err == nil { // otherwise it needs fetching
			list = append(list, b.names.list(m.Path, dir, b.env.Tags, false)...)
		}
	}
	return list
}

// isDirect reports whether the main modules require a module for their own packages.
func (b *Build) isDirect(path string) bool {
	for _, m := range b.project.mains {
		for _, r := range m.File.Require {
			if r.Mod.Path == path && !r.Indirect {
				return true
			}
		}
	}
	return false
}

// wanted lists the modules that a notebook is likely to import: the modules of the named packages,
// and modules that the main modules require. It leaves out modules that the main modules require
// only because of other modules.
func (b *Build) wanted(ctx context.Context, named []string) []module.Version {
	indirect := map[string]bool{}
	for p, version := range b.roots {
		if s := b.summaries[module.Version{Path: p, Version: version}]; s != nil {
			for _, r := range s.require {
				indirect[r.Path] = true
			}
		}
	}
	found := map[string]string{}
	for p := range b.roots {
		if version := b.selected[p]; version != "" && (!indirect[p] || b.isDirect(p)) {
			found[p] = version
		}
	}
	for _, name := range named {
		p, version, _ := strings.Cut(name, "@")
		for ; p != "." && p != "/" && strings.Contains(p, "."); p = path.Dir(p) {
			if now := b.selected[p]; now != "" {
				found[p] = now
				break
			}
			cached := b.allowed(p, b.cache.versions(p))
			if slices.Contains(cached, version) {
				found[p] = version
				break
			}
			if newest, err := b.best(ctx, p, cached); err == nil {
				found[p] = newest
				break
			}
		}
	}
	var list []module.Version
	for _, p := range slices.Sorted(maps.Keys(found)) {
		list = append(list, module.Version{Path: p, Version: found[p]})
	}
	return list
}

// names caches the names of packages by folder. A folder is read again if it or the file with the
// name has changed.
type names struct {
	folders map[string]folder
	modules map[string][]Package // by the folder of a module in the cache, whose files don't change
}

// folder is the data that names keeps about a folder.
type folder struct {
	name      string // of its package, or "" if cells can't import it
	below     []string
	isModule  bool // whether it has a go.mod
	changed   time.Time
	file      string // the file that has the name
	fileStamp time.Time
	read      time.Time
}

// settled is the age at which the modification time of a file can be trusted: any later change of
// the file gives it another time. Two changes in quick succession may have the same time.
const settled = 2 * time.Second

// isCurrent reports whether a time of the folder or its file shows that it is unchanged.
func (f folder) isCurrent(old, now time.Time) bool {
	return old.Equal(now) && f.read.Sub(old) > settled
}

func newNames() *names {
	return &names{folders: map[string]folder{}, modules: map[string][]Package{}}
}

// list lists the packages of a module in a folder, those nearest to its root first.
func (n *names) list(modulePath, root string, tags []string, local bool) []Package {
	if list, ok := n.modules[root]; ok && !local {
		return list
	}
	var list []Package
	queue := []string{""}
	for i := 0; i < len(queue) && i < maxFolders; i++ {
		f := n.read(filepath.Join(root, filepath.FromSlash(queue[i])), tags)
		if f.isModule && i > 0 {
			continue // another module
		}
		if f.name != "" {
			list = append(list, Package{path.Join(modulePath, queue[i]), f.name})
		}
		for _, name := range f.below {
			queue = append(queue, path.Join(queue[i], name))
		}
	}
	if !local {
		n.modules[root] = list
	}
	return list
}

// read returns what is known about a folder.
func (n *names) read(dir string, tags []string) folder {
	stamp := func(name string) (at time.Time) {
		if info, err := os.Stat(name); err == nil {
			at = info.ModTime()
		}
		return at
	}
	old, ok := n.folders[dir]
	changed := stamp(dir)
	if ok && old.isCurrent(old.changed, changed) && (old.file == "" || old.isCurrent(old.fileStamp, stamp(old.file))) {
		return old
	}
	f := folder{read: time.Now(), changed: changed, below: subfolders(dir, "")}
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	f.isModule = err == nil
	entries, _ := os.ReadDir(dir)
	ctx := build.Default
	ctx.CgoEnabled, ctx.BuildTags = false, tags
	for _, e := range entries {
		if e.IsDir() || !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		if match, err := ctx.MatchFile(dir, e.Name()); err != nil || !match {
			continue
		}
		name := filepath.Join(dir, e.Name())
		tree, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.PackageClauseOnly)
		if err != nil {
			continue
		}
		f.file, f.fileStamp = name, stamp(name)
		if tree.Name.Name != "main" {
			f.name = tree.Name.Name
		}
		break
	}
	n.folders[dir] = f
	return f
}

// isInternal reports whether only some packages may import a package.
func isInternal(p string) bool { return slices.Contains(strings.Split(p, "/"), "internal") }
