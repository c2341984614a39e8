package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

const program = "github.com/gokernel/gokernel/cmd/gokernel"

// licenses gives the license of gokernel, and the texts of all modules whose code is
// in the program, of Go itself too.
func licenses() (map[string][]byte, error) {
	var stderr bytes.Buffer
	list := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{.Path}} {{.Version}}\t{{.Dir}}{{end}}", program)
	list.Stderr = &stderr
	out, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("the modules of the program cannot be listed: %w\n%s", err, &stderr)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	slices.Sort(lines)
	var own []byte
	var others bytes.Buffer
	for _, line := range slices.Compact(lines) {
		name, dir, found := strings.Cut(line, "\t")
		if !found {
			continue // a package of the standard library
		}
		text, err := licenseIn(dir)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if strings.HasPrefix(name, "github.com/gokernel/gokernel ") {
			own = text
			continue
		}
		section(&others, name, text)
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, err
	}
	text, err := licenseIn(strings.TrimSpace(string(root)))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", runtime.Version(), err)
	}
	section(&others, "Go, its standard library and runtime", text)
	if own == nil {
		return nil, errors.New("this is not gokernel's module: run it in the repository")
	}
	return map[string][]byte{"LICENSE": own, "THIRD_PARTY": others.Bytes()}, nil
}

func section(b *bytes.Buffer, name string, text []byte) {
	fmt.Fprintf(b, "%s\n%s\n\n%s\n\n", name, strings.Repeat("-", len(name)), bytes.TrimSpace(text))
}

// licenseIn is the text of all files in a directory that say what one may do, the
// license first.
func licenseIn(dir string) ([]byte, error) {
	var all []byte
	for _, pattern := range []string{"LICEN[CS]E*", "COPYING*", "NOTICE*"} {
		found, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			return nil, err
		}
		for _, file := range found {
			if info, err := os.Stat(file); err != nil || info.IsDir() || strings.HasSuffix(file, ".go") {
				continue
			}
			b, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			all = append(append(all, b...), '\n')
		}
	}
	if all == nil {
		return nil, errors.New("there is no license in its directory: what may be distributed?")
	}
	return all, nil
}
