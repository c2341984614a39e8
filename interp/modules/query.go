package modules

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
)

func compare(a, b string) int { return semver.Compare(a, b) }

// add requires a module for a package that no required module has: the newest version in the module
// cache, or otherwise the newest one on a proxy.
func (b *Build) add(ctx context.Context, imported string) error {
	first, _, _ := strings.Cut(imported, "/")
	notInMain := b.notInMain(imported)
	if !strings.Contains(first, ".") && notInMain != nil {
		return notInMain
	}
	if !strings.Contains(first, ".") {
		return &NotFoundError{imported, fmt.Sprintf("package %s is not part of this kernel", imported)}
	}
	if b.HasProject() && b.env.Mod == "readonly" {
		if notInMain != nil {
			return notInMain
		}
		return &NotFoundError{imported, fmt.Sprintf("no required module provides package %s: add one with %%get %[1]s", imported)}
	}
	var fetching error
	for _, where := range []func(context.Context, string) (string, error){b.newestCached, b.newest} {
		for prefix := imported; prefix != "."; prefix = path.Dir(prefix) {
			if module.CheckPath(prefix) != nil || b.isMain(prefix) {
				continue
			}
			version, err := where(ctx, prefix)
			if errors.Is(err, errNone) {
				continue
			}
			if err != nil && notInMain != nil {
				return fmt.Errorf("%w; as a module of its own: %w", notInMain, err)
			}
			if err != nil {
				return fmt.Errorf("package %s: %w", imported, err)
			}
			place, err := b.inModule(ctx, module.Version{Path: prefix, Version: version}, imported)
			if err != nil {
				fetching = err // the cache may have lost files that a proxy has
				continue
			}
			if place != nil {
				return b.Require(ctx, prefix, version)
			}
		}
	}
	if fetching != nil {
		return fetching
	}
	if notInMain != nil {
		return notInMain
	}
	return &NotFoundError{imported, fmt.Sprintf("no module has the package %s: check the path", imported)}
}

// isMain reports whether a path is the path of a main module.
func (b *Build) isMain(path string) bool {
	return slices.ContainsFunc(b.project.mains, func(m *mainModule) bool { return m.Path == path })
}

// Require sets the minimum version of a module.
func (b *Build) Require(ctx context.Context, path, version string) error {
	before, had := b.roots[path]
	b.roots[path] = version
	b.added[path] = true
	b.direct[path] = true
	if err := b.list(ctx); err != nil {
		if b.roots[path] = before; !had {
			delete(b.roots, path)
		}
		return err
	}
	return nil
}

// newestCached returns the newest version of a module in the module cache.
func (b *Build) newestCached(ctx context.Context, path string) (string, error) {
	return b.best(ctx, path, b.allowed(path, b.cache.versions(path)))
}

// newest returns the newest version of a module on a proxy: the highest release that is not
// retracted, otherwise the highest pre-release, otherwise the newest revision.
func (b *Build) newest(ctx context.Context, path string) (string, error) {
	list, err := b.cache.proxies.versions(ctx, path)
	if err != nil {
		return "", err
	}
	list = b.allowed(path, list)
	version, err := b.best(ctx, path, list)
	if errors.Is(err, errNone) {
		return b.cache.proxies.latest(ctx, path)
	}
	if err != nil {
		return "", err
	}
	if data, err := b.cache.goMod(ctx, module.Version{Path: path, Version: version}); err == nil {
		if f, err := modfile.ParseLax("go.mod", data, nil); err == nil && len(f.Retract) > 0 {
			list = slices.DeleteFunc(list, func(v string) bool {
				return slices.ContainsFunc(f.Retract, func(r *modfile.Retract) bool {
					return compare(r.Low, v) <= 0 && compare(v, r.High) <= 0
				})
			})
			switch v, err := b.best(ctx, path, list); {
			case err == nil:
				version = v
			case !errors.Is(err, errNone):
				return "", err
			}
		}
	}
	return version, nil
}

// allowed removes excluded versions and versions of another major version.
func (b *Build) allowed(path string, versions []string) []string {
	_, major, _ := module.SplitPathVersion(path)
	return slices.DeleteFunc(versions, func(v string) bool {
		return !semver.IsValid(v) || module.CheckPathMajor(v, major) != nil && !strings.HasSuffix(v, "+incompatible") ||
			b.project.exclude[module.Version{Path: path, Version: v}]
	})
}

// best returns the version that the go command would select for "latest".
func (b *Build) best(ctx context.Context, path string, versions []string) (string, error) {
	versions, err := b.compatible(ctx, path, versions)
	if err != nil {
		return "", err
	}
	return highest(versions)
}

// highest returns the highest release, otherwise the highest pre-release, otherwise the newest
// revision.
func highest(versions []string) (string, error) {
	rank := func(v string) int {
		switch {
		case module.IsPseudoVersion(v):
			return 0
		case semver.Prerelease(v) != "":
			return 1
		}
		return 2
	}
	found := ""
	for _, v := range versions {
		if found == "" || rank(v) > rank(found) || rank(v) == rank(found) && compare(v, found) > 0 {
			found = v
		}
	}
	if found == "" {
		return "", errNone
	}
	return found, nil
}

// compatible removes +incompatible versions if the highest other version has a go.mod, as the go
// command does: its author then publishes modules, and would give a later major version a path of
// its own. A version without a go.mod comes from the time before modules, and +incompatible ones
// are its successors. A module that is required at a +incompatible version keeps such versions.
func (b *Build) compatible(ctx context.Context, path string, versions []string) ([]string, error) {
	incompatible := func(v string) bool { return strings.HasSuffix(v, "+incompatible") }
	last := ""
	for _, v := range versions {
		if !incompatible(v) && (last == "" || compare(v, last) > 0) {
			last = v
		}
	}
	if last == "" || incompatible(b.selected[path]) || !slices.ContainsFunc(versions, incompatible) {
		return versions, nil
	}
	// A proxy writes this line for a version without a go.mod.
	legacy := fmt.Sprintf("module %s\n", modfile.AutoQuote(path))
	data, err := b.cache.goMod(ctx, module.Version{Path: path, Version: last})
	if err != nil {
		return nil, err
	}
	if string(data) == legacy {
		return versions, nil
	}
	return slices.DeleteFunc(slices.Clone(versions), incompatible), nil
}

// Get requires a version of the module with a package, and returns the module's path and the
// version. The query is a version, a prefix of one ("v1.2"), a bound ("<v1.2", ">=v1.2.3"), a
// branch or a revision. It can also be "latest" or "", "patch" for the newest patch of the current
// minor version, or "none", which removes the requirement.
func (b *Build) Get(ctx context.Context, imported, query string) (string, string, error) {
	if IsRelative(imported) {
		return "", "", errors.New("a folder has no versions: import it by its path alone")
	}
	if b.project.vendor != nil {
		return "", "", errors.New("versions come from the vendor folder here: set GOFLAGS=-mod=mod to change them")
	}
	if b.selected == nil {
		if err := b.list(ctx); err != nil {
			return "", "", err
		}
	}
	if query == "none" {
		return b.drop(ctx, imported)
	}
	for prefix := imported; prefix != "."; prefix = path.Dir(prefix) {
		if module.CheckPath(prefix) != nil {
			continue
		}
		version, err := b.resolve(ctx, prefix, query)
		if errors.Is(err, errNone) {
			continue
		}
		if err != nil {
			return "", "", err
		}
		m := module.Version{Path: prefix, Version: version}
		place, err := b.inModule(ctx, m, imported)
		if err != nil {
			return "", "", err
		}
		if place == nil && prefix != imported {
			continue
		}
		if err := b.Require(ctx, prefix, version); err != nil {
			return "", "", err
		}
		if now := b.selected[prefix]; now != version {
			return "", "", fmt.Errorf("%s cannot be at %s: another module requires %s", prefix, version, now)
		}
		return prefix, version, nil
	}
	if query == "" {
		query = "latest"
	}
	return "", "", fmt.Errorf("no module has %s at version %s", imported, query)
}

func (b *Build) drop(ctx context.Context, path string) (string, string, error) {
	if b.roots[path] == "" {
		return "", "", fmt.Errorf("nothing requires a version of %s", path)
	}
	delete(b.roots, path)
	delete(b.direct, path)
	delete(b.used, path)
	b.added[path] = true
	b.generation++
	return path, "none", b.list(ctx)
}

// resolve returns the version for a query.
func (b *Build) resolve(ctx context.Context, path, query string) (string, error) {
	switch {
	case query == "" || query == "latest" || query == "upgrade":
		version, err := b.newest(ctx, path)
		if err != nil && !errors.Is(err, errNone) {
			// Without a proxy, the newest version in the cache is the newest available one.
			if cached, none := b.newestCached(ctx, path); none == nil {
				return cached, nil
			}
		}
		return version, err
	case query == "patch":
		return b.patched(ctx, path)
	case query[0] == '<' || query[0] == '>':
		return b.nearest(ctx, path, query)
	case module.CanonicalVersion(query) == query:
		m := module.Version{Path: path, Version: query}
		if err := module.Check(path, query); err != nil {
			return "", err
		}
		_, err := b.cache.goMod(ctx, m)
		return query, err
	case semver.IsValid(query): // v1 or v1.2
		list, err := b.cache.proxies.versions(ctx, path)
		if err != nil {
			return "", err
		}
		return b.best(ctx, path, slices.DeleteFunc(b.allowed(path, list), func(v string) bool {
			return !strings.HasPrefix(v, query+".")
		}))
	}
	return b.cache.proxies.revision(ctx, path, query)
}

// patched returns the newest version with the major and minor number of the current version, or the
// newest of all if there is none.
func (b *Build) patched(ctx context.Context, path string) (string, error) {
	now := b.selected[path]
	if now == "" {
		return b.newest(ctx, path)
	}
	list, err := b.cache.proxies.versions(ctx, path)
	if err != nil {
		return "", err
	}
	list = slices.DeleteFunc(append(b.allowed(path, list), now), func(v string) bool {
		return semver.MajorMinor(v) != semver.MajorMinor(now) || compare(v, now) < 0
	})
	return b.best(ctx, path, list)
}

// nearest returns the version nearest to a bound like "<v1.2" or ">=v1.2.3": the highest below it,
// or the lowest above it, with releases before pre-releases.
func (b *Build) nearest(ctx context.Context, path, query string) (string, error) {
	bound := strings.TrimLeft(query, "<>=")
	op := strings.TrimSuffix(query, bound)
	within := map[string]func(c int) bool{
		"<":  func(c int) bool { return c < 0 },
		"<=": func(c int) bool { return c <= 0 },
		">":  func(c int) bool { return c > 0 },
		">=": func(c int) bool { return c >= 0 },
	}[op]
	switch {
	case within == nil || !semver.IsValid(bound):
		return "", fmt.Errorf("%s is not a bound: write one such as <v1.2 or >=v1.2.3", query)
	case (op == "<=" || op == ">") && module.CanonicalVersion(bound) != bound:
		return "", fmt.Errorf("%s could mean the first or the last of %s: give all three numbers", query, bound)
	}
	list, err := b.cache.proxies.versions(ctx, path)
	if err != nil {
		return "", err
	}
	list = slices.DeleteFunc(b.allowed(path, list), func(v string) bool { return !within(compare(v, bound)) })
	_, major, _ := module.SplitPathVersion(path)
	if module.CheckPathMajor(bound, major) == nil { // otherwise the query asks for +incompatible ones
		if list, err = b.compatible(ctx, path, list); err != nil {
			return "", err
		}
	}
	if op[0] == '<' {
		return highest(list)
	}
	slices.SortFunc(list, compare)
	if i := slices.IndexFunc(list, func(v string) bool { return semver.Prerelease(v) == "" }); i >= 0 {
		return list[i], nil
	}
	if len(list) == 0 {
		return "", errNone
	}
	return list[0], nil
}
