package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// versions are the Go versions with tables of the standard library, in ascending order. Later
// versions use the tables of the last one.
var versions = []string{"go1.26", "go1.27"}

// constraint returns the build constraint of files generated with the loader's Go version.
func (l *loader) constraint() string {
	i := slices.Index(versions, l.version)
	var terms []string
	if i > 0 {
		terms = append(terms, versions[i])
	}
	if i < len(versions)-1 {
		terms = append(terms, "!"+versions[i+1])
	}
	return strings.Join(terms, " && ")
}

// data returns the directory of the group's data under interp/symbols.
func (g *group) data(l *loader) string {
	if g.name == "std" {
		return "std/" + strings.ReplaceAll(l.version, ".", "")
	}
	return g.name + "/data"
}

// stamp returns the inputs of a group outside of this module: the version of Go, the versions of
// modules, and this generator.
func (g *group) stamp(l *loader) (string, error) {
	h := sha256.New()
	fmt.Fprintln(h, g.name, l.version)
	names, err := filepath.Glob(filepath.Join(l.dir, "interp", "symbols", "gen", "*.go"))
	if err != nil {
		return "", err
	}
	for _, name := range []string{"leftout.go", "fromsource.go"} {
		names = append(names, filepath.Join(l.dir, "interp", "symbols", "table", name))
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		b, err := os.ReadFile(name)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(h, "%s %d\n%s", filepath.Base(name), len(b), b)
	}
	if g.name == "science" {
		b, err := os.ReadFile(filepath.Join(l.dir, "go.mod"))
		if err != nil {
			return "", err
		}
		for line := range strings.Lines(string(b)) {
			if strings.Contains(line, "gonum.org") || strings.Contains(line, "golang.org/x/image") || strings.Contains(line, "codeberg.org") {
				fmt.Fprint(h, line)
			}
		}
	}
	return fmt.Sprintf("%x\n", h.Sum(nil)), nil
}

// fresh reports whether the group's files were generated from the current inputs. It does not check
// packages of this module. Files that all versions of Go share are generated with the oldest one,
// whose export data the later ones can read.
func (g *group) fresh(l *loader, dir string) (bool, error) {
	if g.name != "std" && l.version != versions[0] {
		return true, nil
	}
	if g.name == "library" {
		return false, nil
	}
	have, err := os.ReadFile(filepath.Join(dir, g.data(l), "stamp"))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	want, err := g.stamp(l)
	return string(have) == want, err
}
