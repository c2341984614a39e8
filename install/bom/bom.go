// Package bom lists what the program is made of: modules, their versions and their
// licenses, for packages that hold the program.
package bom

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Program is the package of the program.
const Program = Module + "/cmd/gokernel"

// Module is the module that the program belongs to.
const Module = "github.com/gokernel/gokernel"

// Part is a module whose code is in the program, or Go itself with its standard library
// and runtime.
type Part struct {
	Path, Version string
	Sum           string // as in go.sum; "" for Go
	License       string // an expression of SPDX
	Text          []byte // of all its licenses and notices
}

// List is what a program is made of.
type List struct {
	License []byte // of the program's own module
	Parts   []Part // in the order of their paths, Go last
}

// Of lists what the program is made of on one of the platforms, such as linux/amd64, or
// several. It asks the go command, in the repository.
func Of(platforms ...string) (*List, error) {
	dirs := map[string]string{} // by path, version and sum
	for _, p := range platforms {
		if err := addModules(dirs, p); err != nil {
			return nil, err
		}
	}
	var l List
	for _, key := range slices.Sorted(maps.Keys(dirs)) {
		f := strings.Split(key, "\t")
		part, err := partIn(f[0], f[1], f[2], dirs[key])
		if err != nil {
			return nil, err
		}
		if f[0] == Module {
			l.License = part.Text
			continue
		}
		l.Parts = append(l.Parts, part)
	}
	if l.License == nil {
		return nil, errors.New("this is not gokernel's module: run it in the repository")
	}
	root, err := goCommand(nil, "env", "GOROOT", "GOVERSION")
	if err != nil {
		return nil, err
	}
	dir, version, _ := strings.Cut(strings.TrimSpace(string(root)), "\n")
	part, err := partIn("std", strings.TrimPrefix(version, "go"), "", dir)
	l.Parts = append(l.Parts, part)
	return &l, err
}

// addModules adds the folders of the modules whose packages the program has on a platform.
func addModules(dirs map[string]string, platform string) error {
	goos, goarch, ok := strings.Cut(platform, "/")
	if !ok {
		return fmt.Errorf("%q is no platform: want one such as linux/amd64", platform)
	}
	out, err := goCommand([]string{"GOOS=" + goos, "GOARCH=" + goarch, "CGO_ENABLED=0"},
		"list", "-deps", "-f", "{{with .Module}}{{.Path}}\t{{.Version}}\t{{.Sum}}\t{{.Dir}}{{end}}", Program)
	if err != nil {
		return fmt.Errorf("the modules of the program cannot be listed: %w", err)
	}
	for line := range strings.Lines(string(out)) {
		f := strings.Split(strings.TrimRight(line, "\r\n"), "\t")
		if len(f) == 4 { // else a package of the standard library
			dirs[strings.Join(f[:3], "\t")] = f[3]
		}
	}
	return nil
}

func goCommand(env []string, args ...string) ([]byte, error) {
	var stderr bytes.Buffer
	cmd := exec.Command("go", args...)
	cmd.Env = append(os.Environ(), env...)
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go %s: %w\n%s", args[0], err, &stderr)
	}
	return out, nil
}

func partIn(path, version, sum, dir string) (Part, error) {
	own, text, err := licensesIn(dir)
	if err != nil {
		return Part{}, fmt.Errorf("%s %s: %w", path, version, err)
	}
	license := identify(own)
	if license == "" {
		return Part{}, fmt.Errorf("%s %s: its license is none that is known here: what may be distributed?", path, version)
	}
	return Part{path, version, sum, license, text}, nil
}

// licensesIn returns the texts of the files in a directory that say what one may do: those
// at its root, and all with those in folders of licenses.
func licensesIn(dir string) (own, all []byte, err error) {
	for _, pattern := range []string{"LICEN[CS]E*", "COPYING*", "NOTICE*", "licenses/*", "THIRD_PARTY_LICENSES/*"} {
		found, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			return nil, nil, err
		}
		for _, file := range found {
			if info, err := os.Stat(file); err != nil || info.IsDir() || strings.HasSuffix(file, ".go") {
				continue
			}
			b, err := os.ReadFile(file)
			if err != nil {
				return nil, nil, err
			}
			if all = append(append(all, b...), '\n'); !strings.Contains(pattern, "/") {
				own = all
			}
		}
	}
	if own == nil {
		return nil, nil, errors.New("there is no license in its directory: what may be distributed?")
	}
	return own, all, nil
}

// marks are words by which the text of a license is known, each with the identifier of
// SPDX.
var marks = []struct{ words, id string }{
	{"Apache License Version 2.0", "Apache-2.0"},
	{"Redistribution and use in source and binary forms", "BSD"},
	{"Creative Commons Attribution 4.0 International Public License", "CC-BY-4.0"},
	{"The FreeType License", "FTL"},
	{"Permission is hereby granted, free of charge, to any person obtaining a copy of this software", "MIT"},
	{"SIL OPEN FONT LICENSE Version 1.1", "OFL-1.1"},
	{"The author disclaims copyright to this source code", "blessing"},
}

// identify returns the expression of SPDX for texts of licenses, "" if none is known.
func identify(text []byte) string {
	plain := strings.Join(strings.Fields(string(text)), " ")
	var ids []string
	for _, m := range marks {
		if !strings.Contains(plain, m.words) {
			continue
		}
		if m.id == "BSD" { // with or without the clause on names
			m.id = "BSD-2-Clause"
			if strings.Contains(plain, "endorse or promote products") {
				m.id = "BSD-3-Clause"
			}
		}
		ids = append(ids, m.id)
	}
	return strings.Join(ids, " AND ")
}

// ThirdParty is the file with the licenses of all parts.
func (l *List) ThirdParty() []byte {
	var b bytes.Buffer
	for _, p := range l.Parts {
		name := p.Path + " " + p.Version
		if p.Path == "std" {
			name = "Go " + p.Version + ", its standard library and runtime"
		}
		fmt.Fprintf(&b, "%s\n%s\n\n%s\n\n", name, strings.Repeat("-", len(name)), bytes.TrimSpace(p.Text))
	}
	return b.Bytes()
}
