package modules

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
)

// Here returns the import path of the notebook's folder, or "." if there is no go.mod above it.
func (b *Build) Here() string {
	for _, m := range b.project.mains {
		if rel, ok := within(m.Dir, b.dir); ok {
			return path.Join(m.Path, rel)
		}
	}
	return "."
}

// home returns the main module that contains the notebook and records additions, or nil if there is
// none.
func (b *Build) home() *mainModule {
	var best *mainModule
	for _, m := range b.project.mains {
		if _, ok := within(m.Dir, b.dir); ok && (best == nil || len(m.Dir) > len(best.Dir)) {
			best = m
		}
	}
	return best
}

// Save adds new requirements to the go.mod of the notebook, and checksums to its go.sum. Without a
// go.mod it does nothing.
func (b *Build) Save() error {
	home := b.home()
	if home == nil || b.project.vendor != nil || len(b.added) == 0 {
		return nil
	}
	f := home.File
	for _, path := range slices.Sorted(maps.Keys(b.added)) {
		version := b.roots[path]
		if version == "" {
			if err := f.DropRequire(path); err != nil {
				return err
			}
			b.tell(fmt.Sprintf("%s is no longer in %s", path, filepath.Join(home.Dir, "go.mod")))
			continue
		}
		known := false
		for _, r := range f.Require {
			if r.Mod.Path == path {
				known = known || r.Mod.Version == version
			}
		}
		if known {
			continue
		}
		if slices.ContainsFunc(f.Require, func(r *modfile.Require) bool { return r.Mod.Path == path }) {
			if err := f.AddRequire(path, version); err != nil {
				return err
			}
		} else {
			f.AddNewRequire(path, version, !b.direct[path])
		}
		if b.direct[path] {
			b.tell(fmt.Sprintf("%s now requires %s %s", filepath.Join(home.Dir, "go.mod"), path, version))
		}
	}
	f.Cleanup() // removed lines
	f.SetRequireSeparateIndirect(slices.Clone(f.Require))
	f.Cleanup()
	data, err := f.Format()
	if err != nil {
		return err
	}
	if err := writeFile(filepath.Join(home.Dir, "go.mod"), data); err != nil {
		return fmt.Errorf("cannot save the requirements in go.mod: %w", err)
	}
	b.added = map[string]bool{}
	b.stamp = b.stampFiles()
	return b.cache.sums.save()
}

// save adds the checksums of used versions to go.sum.
func (s *sums) save() error {
	if s.file == "" || !s.changed {
		return nil
	}
	old, err := os.ReadFile(s.file)
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	lines := map[string]bool{}
	for line := range strings.Lines(string(old)) {
		if line = strings.TrimSpace(line); line != "" {
			lines[line] = true
		}
	}
	for m, list := range s.known {
		for _, sum := range list {
			lines[m.Path+" "+m.Version+" "+sum] = true
		}
	}
	sorted := slices.SortedFunc(maps.Keys(lines), compareSums)
	s.changed = false
	data := []byte(strings.Join(sorted, "\n") + "\n")
	if bytes.Equal(data, old) {
		return nil
	}
	return writeFile(s.file, data)
}

// compareSums orders lines of go.sum as the go command does: by path and version, with the files of
// a version before its go.mod.
func compareSums(a, b string) int {
	x, y := sumVersion(a), sumVersion(b)
	list := []module.Version{x, y}
	module.Sort(list)
	switch {
	case x == y:
		return strings.Compare(a, b)
	case list[0] == x:
		return -1
	}
	return 1
}

func sumVersion(line string) module.Version {
	f := strings.Fields(line)
	if len(f) < 2 {
		return module.Version{Path: line}
	}
	return module.Version{Path: f[0], Version: f[1]}
}
