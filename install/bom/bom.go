// Package bom lists the modules that the program contains, with their versions and licenses.
// Packages that ship the program include the list.
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

// Program is the import path of the program's package.
const Program = Module + "/cmd/gokernel"

// Module is the path of the program's module.
const Module = "github.com/gokernel/gokernel"

// Part is a module whose code is in the program, or Go itself with its standard library and
// runtime.
type Part struct {
	Path, Version string
	Sum           string // as in go.sum; "" for Go
	License       string // an SPDX expression
	Text          []byte // all its licenses and notices
}

// List lists the modules in a program.
type List struct {
	License []byte // the license of the program's own module
	Parts   []Part // sorted by path, Go last
}

// Of lists the modules in the program for the given platforms, such as linux/amd64. It runs the
// go command in the repository.
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

// addModules adds the directories of the modules whose packages are in the program on a platform.
func addModules(dirs map[string]string, platform string) error {
	goos, goarch, ok := strings.Cut(platform, "/")
	if !ok {
		return fmt.Errorf("a platform must have the form linux/amd64, got %q", platform)
	}
	out, err := goCommand([]string{"GOOS=" + goos, "GOARCH=" + goarch, "CGO_ENABLED=0"},
		"list", "-deps", "-f", "{{with .Module}}{{.Path}}\t{{.Version}}\t{{.Sum}}\t{{.Dir}}{{end}}", Program)
	if err != nil {
		return fmt.Errorf("cannot list the modules of the program: %w", err)
	}
	for line := range strings.Lines(string(out)) {
		f := strings.Split(strings.TrimRight(line, "\r\n"), "\t")
		if len(f) == 4 { // packages of the standard library have no module
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
		return Part{}, fmt.Errorf("%s %s: the license is unknown: add it to marks if it allows distribution", path, version)
	}
	return Part{path, version, sum, license, text}, nil
}

// licensesIn returns the license texts in a directory. own contains the texts in the directory
// itself. all also contains the texts in its folders of licenses.
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
		return nil, nil, errors.New("the module's directory has no license: check whether the module may be distributed")
	}
	return own, all, nil
}

// marks lists words that identify the text of a license, with the SPDX identifier of the license.
var marks = []struct{ words, id string }{
	{"Apache License Version 2.0", "Apache-2.0"},
	{"Redistribution and use in source and binary forms", "BSD"},
	{"Creative Commons Attribution 4.0 International Public License", "CC-BY-4.0"},
	{"The FreeType License", "FTL"},
	{"Permission is hereby granted, free of charge, to any person obtaining a copy of this software", "MIT"},
	{"Mozilla Public License Version 2.0", "MPL-2.0"}, // modules with this license are unchanged, and their source is at their module paths
	{"SIL OPEN FONT LICENSE Version 1.1", "OFL-1.1"},
	{"The author disclaims copyright to this source code", "blessing"},
}

// identify returns the SPDX expression for license texts, or "" if it does not recognize one.
func identify(text []byte) string {
	plain := strings.Join(strings.Fields(string(text)), " ")
	var ids []string
	for _, m := range marks {
		if !strings.Contains(plain, m.words) {
			continue
		}
		if m.id == "BSD" { // with or without the clause about names
			m.id = "BSD-2-Clause"
			if strings.Contains(plain, "endorse or promote products") {
				m.id = "BSD-3-Clause"
			}
		}
		ids = append(ids, m.id)
	}
	return strings.Join(ids, " AND ")
}

// ThirdParty returns a file with the licenses of all parts.
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
