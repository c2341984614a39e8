package modules

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
)

// summary is the content of a required module's go.mod.
type summary struct {
	require []module.Version
	pruned  bool   // whether it lists everything that its packages need: go 1.17 and later
	goLine  string // "" if there is none
}

// summarize reads the go.mod of a required version, or of its replacement.
func (b *Build) summarize(ctx context.Context, m module.Version) (*summary, error) {
	if s := b.summaries[m]; s != nil {
		return s, nil
	}
	data, name, err := b.goMod(ctx, m)
	if err != nil {
		return nil, err
	}
	f, err := modfile.ParseLax(name, data, nil)
	if err != nil {
		return nil, fmt.Errorf("the go.mod of %s is broken: %w", m, err)
	}
	if err := b.checkPath(m, f); err != nil {
		return nil, err
	}
	s := &summary{}
	if f.Go != nil {
		s.goLine = f.Go.Version
		s.pruned = prunes(f.Go.Version)
	}
	for _, r := range f.Require {
		if !b.project.exclude[r.Mod] {
			s.require = append(s.require, r.Mod)
		}
	}
	b.summaries[m] = s
	return s, nil
}

// checkPath rejects a module whose go.mod declares another path than the required one, as the go
// command does: such a module is a fork or unrelated. A folder that replaces a module may declare
// any path.
func (b *Build) checkPath(m module.Version, f *modfile.File) error {
	actual := m
	if r, ok := b.project.replaced(m); ok {
		if r.dir != "" {
			return nil
		}
		actual = r.new
	}
	if f.Module == nil {
		return fmt.Errorf("the go.mod of %s has no module line", actual)
	}
	if declared := f.Module.Mod.Path; declared != m.Path && declared != actual.Path {
		return fmt.Errorf("%s is required, and its go.mod declares the path %s: import it by that path, or add to go.mod: replace %s => %s %s",
			m, declared, m.Path, actual.Path, actual.Version)
	}
	return nil
}

// prunes reports whether go.mod files of that Go version list all modules that their packages need.
func prunes(version string) bool { return semver.Compare("v"+version, "v1.17") >= 0 }

// goMod returns the text of the go.mod of a version, or of its replacement.
func (b *Build) goMod(ctx context.Context, m module.Version) (data []byte, name string, err error) {
	if r, ok := b.project.replaced(m); ok {
		if r.dir != "" {
			name := filepath.Join(r.dir, "go.mod")
			data, err := os.ReadFile(name)
			if err != nil {
				return nil, "", fmt.Errorf("%s is replaced by the folder %s: %w", m.Path, r.dir, err)
			}
			return data, name, nil
		}
		m = r.new
	}
	data, err = b.cache.goMod(ctx, m)
	return data, m.String() + "/go.mod", err
}

// selectVersions selects the version of each module: the highest one that a module in the graph
// requires. For a module with a pruned go.mod, only its direct requirements are in the graph.
func (b *Build) selectVersions(ctx context.Context) (map[string]string, error) {
	selected := map[string]string{}
	isMain := map[string]bool{}
	unprunedMain := false
	for _, m := range b.project.mains {
		isMain[m.Path] = true
		unprunedMain = unprunedMain || m.File.Go == nil || !prunes(m.File.Go.Version)
	}
	type visit struct {
		m        module.Version
		unpruned bool
	}
	seen := map[visit]bool{}
	var queue []visit
	require := func(m module.Version) {
		if !isMain[m.Path] && semver.Compare(m.Version, selected[m.Path]) > 0 {
			selected[m.Path] = m.Version
		}
	}
	enqueue := func(m module.Version, unpruned bool) {
		if v := (visit{m, unpruned}); !isMain[m.Path] && !seen[v] && !seen[visit{m, true}] {
			seen[v] = true
			queue = append(queue, v)
		}
	}
	for path, version := range b.roots {
		m := module.Version{Path: path, Version: version}
		require(m)
		enqueue(m, unprunedMain)
	}
	for len(queue) > 0 {
		v := queue[0]
		queue = queue[1:]
		s, err := b.summarize(ctx, v.m)
		if err != nil {
			return nil, err
		}
		for _, r := range s.require {
			require(r)
			if v.unpruned || !s.pruned {
				enqueue(r, v.unpruned || !s.pruned)
			}
		}
	}
	return selected, nil
}

// list selects the versions again after the roots have changed. If the version of a module with
// used packages changes, packages must be found again.
func (b *Build) list(ctx context.Context) error {
	if b.project.vendor != nil {
		return nil
	}
	selected, err := b.selectVersions(ctx)
	if err != nil {
		return err
	}
	for path, v := range b.used {
		if now := selected[path]; now != "" && now != v.Version && !v.Main {
			b.generation++
			b.used = map[string]Module{}
			break
		}
	}
	b.selected = selected
	return nil
}
