package main

import (
	"os/exec"
	"strings"
	"testing"
)

const module = "github.com/gokernel/gokernel/"

// forbidden are the arrows between parts that must not be: a package whose
// path begins with from depends on one whose path begins with to, directly or
// not. A path that begins with the module's stands without it.
var forbidden = []struct{ from, to, except string }{
	{"kernel", "interp", ""},
	{"kernel", "mlstd", ""},
	{"kernel", "install", ""},
	{"kernel", "cmd", ""},
	{"kernel", "github.com/traefik/yaegi", ""},
	{"interp", "kernel", ""},
	{"interp", "cmd", ""},
	{"interp", "install", ""},
	{"interp/worker", "interp", "interp/worker"}, // the session comes in by an interface
	{"interp/worker", "mlstd", ""},
	{"install", "kernel", ""},
	{"install", "interp", ""},
	{"install", "display", ""},
	{"display", "kernel", ""},
	{"display", "interp", ""},
	{"display", "cmd", ""},
	{"mlstd", "display", ""},
	{"mlstd", "interp", ""},
	{"mlstd", "kernel", ""},
	{"mlstd", "cmd", ""},
	{"mlstd", "gonum.org/v1/plot", ""},
}

// onlyImporter are packages that one part alone imports; benchmarks, which
// compare with them, apart.
var onlyImporter = map[string]string{
	"github.com/go-zeromq/zmq4":        "kernel/transport",
	"github.com/traefik/yaegi/interp":  "interp/engine/yaegi",
	"github.com/spf13/cobra":           "cmd/gokernel",
	"modernc.org/sqlite":               "kernel/history",
	"github.com/yuin/goldmark":         "cmd/gokernel/internal/page",
	"github.com/gokernel/gokernel/cmd": "cmd",
}

// badNames say nothing about what is inside.
var badNames = []string{"util", "utils", "common", "base", "helpers", "misc"}

type listed struct {
	path          string
	imports, deps []string
}

func list(t *testing.T) []listed {
	t.Helper()
	cmd := exec.Command("go", "list", "-f", `{{.ImportPath}}|{{join .Imports " "}}|{{join .Deps " "}}`, "./...")
	cmd.Dir = "../.."
	out, err := cmd.Output()
	if err != nil {
		if e, ok := err.(*exec.ExitError); ok {
			t.Fatalf("go list: %v\n%s", err, e.Stderr)
		}
		t.Fatal(err)
	}
	var ps []listed
	for line := range strings.Lines(string(out)) {
		f := strings.Split(strings.TrimSpace(line), "|")
		ps = append(ps, listed{f[0], strings.Fields(f[1]), strings.Fields(f[2])})
	}
	return ps
}

// within tells whether the import path is that of the part, or lies below it.
func within(path, part string) bool {
	path = strings.TrimPrefix(path, module)
	part = strings.TrimPrefix(part, module)
	return path == part || strings.HasPrefix(path, part+"/")
}

func TestImportsRunOneWay(t *testing.T) {
	ps := list(t)
	if len(ps) < 10 {
		t.Fatalf("go list found %d packages", len(ps))
	}
	for _, p := range ps {
		for _, rule := range forbidden {
			if !within(p.path, rule.from) {
				continue
			}
			for _, d := range p.deps {
				if within(d, rule.to) && (rule.except == "" || !within(d, rule.except)) {
					t.Errorf("%s depends on %s: %s must not know %s", p.path, d, rule.from, rule.to)
				}
			}
		}
		for _, d := range p.imports {
			for pkg, owner := range onlyImporter {
				if within(d, pkg) && !within(p.path, owner) && !within(p.path, "bench") {
					t.Errorf("%s imports %s: only %s does", p.path, d, owner)
				}
			}
		}
		for _, elem := range strings.Split(strings.TrimPrefix(p.path, module), "/") {
			for _, bad := range badNames {
				if elem == bad {
					t.Errorf("%s: %q says nothing about what is inside", p.path, bad)
				}
			}
		}
	}
}
