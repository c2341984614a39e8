package modules

import (
	"context"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/module"
)

// maxPaths is the maximum number of import paths to list.
const maxPaths = 500

// Paths lists import paths that start with a prefix, up to the next slash. For a relative prefix it
// lists folders. Otherwise it lists packages of the main modules, the vendor folder, required
// modules and the module cache. Paths that only contain other packages end in a slash. It fetches
// nothing.
func (b *Build) Paths(prefix string) []string {
	found := map[string]bool{}
	dir, base := "", prefix
	if i := strings.LastIndexByte(prefix, '/'); i >= 0 {
		dir, base = prefix[:i+1], prefix[i+1:]
	}
	folders := func(at string) {
		for _, name := range subfolders(at, base) {
			if hasGo(filepath.Join(at, name)) {
				found[dir+name] = true
			}
			if len(subfolders(filepath.Join(at, name), "")) > 0 {
				found[dir+name+"/"] = true
			}
		}
	}
	if IsRelative(prefix) {
		folders(filepath.Join(b.dir, filepath.FromSlash(dir)))
		return listed(found)
	}
	for _, m := range b.project.mains {
		if rest, ok := strings.CutPrefix(dir, m.Path+"/"); ok {
			folders(filepath.Join(m.Dir, filepath.FromSlash(rest)))
		}
		b.addModule(found, m.Path, prefix, m.Dir)
	}
	if v := b.project.vendor; v != nil {
		folders(filepath.Join(v.dir, filepath.FromSlash(dir)))
		return listed(found)
	}
	for path := range b.roots {
		b.addModule(found, path, prefix, "")
	}
	b.cachedPaths(found, dir, base, folders)
	return listed(found)
}

// addModule adds the path of a module; a module in a folder is added only if the folder has Go
// files.
func (b *Build) addModule(found map[string]bool, path, prefix, dir string) {
	if strings.HasPrefix(path, prefix) {
		if dir == "" || hasGo(dir) {
			found[path] = true
		}
		if dir != "" && len(subfolders(dir, "")) > 0 {
			found[path+"/"] = true
		}
	}
}

// cachedPaths adds paths of the module cache below a path.
func (b *Build) cachedPaths(found map[string]bool, dir, base string, folders func(at string)) {
	escaped, err := module.EscapePath(strings.TrimSuffix(dir, "/"))
	if dir == "" {
		escaped = ""
	} else if err != nil && strings.Count(dir, "/") > 1 {
		return
	} else if err != nil {
		escaped = strings.TrimSuffix(dir, "/") // a host, which is not a module
	}
	entries, _ := os.ReadDir(filepath.Join(b.env.ModCache, filepath.FromSlash(escaped)))
	for _, e := range entries {
		if !e.IsDir() || dir == "" && !strings.Contains(e.Name(), ".") {
			continue
		}
		name, _, isModule := strings.Cut(e.Name(), "@")
		if name = unescaped(name); !strings.HasPrefix(name, base) {
			continue
		}
		if isModule {
			found[dir+name] = true
		}
		found[dir+name+"/"] = true
	}
	for p := strings.TrimSuffix(dir, "/"); p != "." && p != ""; p = path.Dir(p) {
		version := b.selected[p]
		if version == "" {
			var err error
			if version, err = b.newestCached(context.Background(), p); err != nil {
				continue
			}
		}
		if at, err := b.cache.unpacked(module.Version{Path: p, Version: version}); err == nil {
			folders(filepath.Join(at, filepath.FromSlash(strings.TrimPrefix(dir, p))))
		}
	}
}

// unescaped decodes an element of a path in the cache, where an exclamation mark precedes each
// capital letter.
func unescaped(name string) string {
	var b strings.Builder
	for i := 0; i < len(name); i++ {
		if name[i] == '!' && i+1 < len(name) {
			i++
			b.WriteString(strings.ToUpper(name[i : i+1]))
			continue
		}
		b.WriteByte(name[i])
	}
	return b.String()
}

// subfolders lists the subfolders of a folder, except subfolders that cannot contain packages.
func subfolders(dir, prefix string) []string {
	entries, _ := os.ReadDir(dir)
	var names []string
	for _, e := range entries {
		switch name := e.Name(); {
		case !e.IsDir(), !strings.HasPrefix(name, prefix), name == "testdata", name == "vendor", name == "internal",
			strings.HasPrefix(name, "."), strings.HasPrefix(name, "_"):
		default:
			names = append(names, name)
		}
	}
	return names
}

func listed(found map[string]bool) []string {
	var list []string
	for p, ok := range found {
		if ok {
			list = append(list, p)
		}
	}
	slices.Sort(list)
	return list[:min(len(list), maxPaths)]
}
