package suites

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// listing is a package that is run from source.
type listing struct {
	ID        string            // distinguishes variants of a package, as in the go command
	Path      string            // import path of the package
	Dir       string            // its folder
	Files     []string          // Go files, with their folder
	ImportMap map[string]string // IDs of imports that are not their paths
	Version   string            // version of the language
}

// plan is the plan for a run of a package's tests.
type plan struct {
	Path     string    // path of the tested package
	Dir      string    // directory in which the tests run
	Packages []listing // its packages, imports first
	Main     string    // source of the file that starts the tests
	Tests    []string  // names of tests, examples and fuzz targets
	Settings string    // GODEBUG settings that the go line of the module implies
}

// listed is the result of go list for a package.
type listed struct {
	ImportPath, Name, Dir, ForTest string
	DefaultGODEBUG                 string
	Standard                       bool
	GoFiles                        []string
	ImportMap                      map[string]string
	Deps                           []string
	Module                         *struct{ Path, GoVersion string }
	Error                          *struct{ Err string }
}

// makePlans lists the packages of the module in dir that have tests.
func makePlans(s Suite, dir string, patterns []string) ([]*plan, error) {
	cmd := exec.Command("go", append([]string{"list", "-e", "-deps", "-test", s.tags(),
		"-json=ImportPath,Name,Dir,ForTest,Standard,GoFiles,ImportMap,Deps,Module,Error,DefaultGODEBUG"}, patterns...)...)
	cmd.Dir = dir
	cmd.Env = environment(cmd.Environ())
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w\n%s", err, stderr.String())
	}
	var order []string
	byID := map[string]*listed{}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		p := new(listed)
		if err := dec.Decode(p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		order = append(order, p.ImportPath)
		byID[p.ImportPath] = p
	}
	var plans []*plan
	for _, id := range order {
		path, ok := strings.CutSuffix(id, ".test")
		if main := byID[id]; ok && main.Name == "main" && main.ForTest == "" && !main.Standard {
			p, err := planOf(path, main, byID, order)
			if err != nil {
				return nil, err
			}
			if len(p.Tests) > 0 {
				plans = append(plans, p)
			}
		}
	}
	return plans, nil
}

func planOf(path string, main *listed, byID map[string]*listed, order []string) (*plan, error) {
	p := &plan{Path: path, Settings: main.DefaultGODEBUG}
	needed := map[string]bool{}
	for _, d := range main.Deps {
		needed[d] = true
	}
	for _, id := range order {
		l := byID[id]
		if !needed[id] || l.Standard || l == main {
			continue
		}
		s := listing{ID: id, Path: strings.Fields(id)[0], Dir: l.Dir, ImportMap: l.ImportMap}
		for _, f := range l.GoFiles {
			s.Files = append(s.Files, absolute(l.Dir, f))
		}
		if l.Module != nil && l.Module.GoVersion != "" {
			s.Version = "go" + l.Module.GoVersion
		}
		p.Packages = append(p.Packages, s)
	}
	inner, outer := byID[path+" ["+path+".test]"], byID[path+"_test ["+path+".test]"]
	if inner == nil {
		inner = byID[path]
	}
	p.Dir = inner.Dir
	if !needed[inner.ImportPath] {
		inner = nil // it has no files except external tests
	}
	return p, p.writeMain(inner, outer)
}

func absolute(dir, file string) string {
	if filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(dir, file)
}

// writeMain writes the main package that go test would generate, except for the dependencies of
// package testing, which the engine has.
func (p *plan) writeMain(inner, outer *listed) error {
	var body strings.Builder
	imports := ""
	testMain := ""
	for _, of := range []struct {
		l    *listed
		name string
	}{{inner, "_test"}, {outer, "_xtest"}} {
		if of.l == nil {
			continue
		}
		used := false
		fset := token.NewFileSet()
		var files []*ast.File
		for _, name := range of.l.GoFiles {
			if !strings.HasSuffix(name, "_test.go") {
				continue
			}
			f, err := parser.ParseFile(fset, absolute(of.l.Dir, name), nil, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			files = append(files, f)
			for _, d := range f.Decls {
				fn, ok := d.(*ast.FuncDecl)
				if !ok || fn.Recv != nil {
					continue
				}
				kind := ""
				switch name := fn.Name.Name; {
				case name == "TestMain" && takes(fn, "M"):
					testMain = of.name + ".TestMain(m)"
					used = true
				case isTest(name, "Test") && takes(fn, "T"):
					kind = "tests"
				case isTest(name, "Fuzz") && takes(fn, "F"):
					kind = "fuzz"
				}
				if kind != "" {
					p.Tests = append(p.Tests, fn.Name.Name)
					fmt.Fprintf(&body, "\t%s = append(%[1]s, %s{%q, %s.%[3]s})\n", kind, internal[kind], fn.Name.Name, of.name)
					used = true
				}
			}
		}
		var all []*doc.Example
		for _, f := range files {
			list := doc.Examples(f)
			slices.SortStableFunc(list, func(a, b *doc.Example) int { return cmp.Compare(a.Order, b.Order) })
			all = append(all, list...)
		}
		for _, e := range all {
			if e.Output != "" || e.EmptyOutput {
				p.Tests = append(p.Tests, "Example"+e.Name)
				fmt.Fprintf(&body, "\texamples = append(examples, testing.InternalExample{%q, %s.Example%s, %q, %v})\n", "Example"+e.Name, of.name, e.Name, e.Output, e.Unordered)
				used = true
			}
		}
		name := "_"
		if used {
			name = of.name
		}
		imports += fmt.Sprintf("import %s %q\n", name, strings.Fields(of.l.ImportPath)[0])
	}
	if testMain == "" {
		testMain = "os.Exit(m.Run())"
	}
	p.Main = "package main\nimport (\"os\"; \"testing\")\n" + imports + `
var _ = os.Exit
func main() {
	var tests []testing.InternalTest
	var fuzz []testing.InternalFuzzTarget
	var examples []testing.InternalExample
` + body.String() + `	m := testing.MainStart(nil, tests, nil, fuzz, examples)
	` + testMain + `
}
`
	return nil
}

var internal = map[string]string{"tests": "testing.InternalTest", "fuzz": "testing.InternalFuzzTarget"}

// isTest reports whether the name of a function is the name of a test.
func isTest(name, prefix string) bool {
	rest, ok := strings.CutPrefix(name, prefix)
	r, _ := utf8.DecodeRuneInString(rest)
	return ok && (rest == "" || !unicode.IsLower(r))
}

// takes reports whether a function has one parameter, *testing.name.
func takes(fn *ast.FuncDecl, name string) bool {
	params := fn.Type.Params.List
	if fn.Type.TypeParams != nil || len(params) != 1 || len(params[0].Names) > 1 {
		return false
	}
	star, ok := params[0].Type.(*ast.StarExpr)
	if !ok {
		return false
	}
	switch x := star.X.(type) {
	case *ast.SelectorExpr:
		return x.Sel.Name == name
	case *ast.Ident:
		return x.Name == name
	}
	return false
}

// environment returns the environment of go commands for other modules. In this environment, tests
// see the same file names as without -trimpath.
func environment(env []string) []string {
	return append(env, "GOFLAGS=-mod=mod", "GOWORK=off", "CGO_ENABLED=0", "GO111MODULE=on")
}
