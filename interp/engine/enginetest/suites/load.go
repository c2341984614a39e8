package suites

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"

	"github.com/gokernel/gokernel/interp/embedded"
	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/engine/enginetest"
	"github.com/gokernel/gokernel/interp/symbols"
)

// planVariable names the file of the plan that a test binary is to carry out
// instead of its tests.
const planVariable = "GOKERNEL_SUITES_PLAN"

// exitRefused is the status of a process whose engine has refused a package.
const exitRefused = 97

// Main carries out a plan where the process was started for one. A TestMain calls
// it first.
func Main(newEngine enginetest.NewEngine) {
	file := os.Getenv(planVariable)
	if file == "" {
		return
	}
	os.Unsetenv(planVariable)
	os.Exit(carryOut(newEngine, file))
}

func carryOut(newEngine enginetest.NewEngine, file string) int {
	text, err := os.ReadFile(file)
	var p plan
	if err == nil {
		err = json.Unmarshal(text, &p)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return exitRefused
	}
	l := &loader{
		fset:     token.NewFileSet(),
		compiled: symbols.NewImporter(),
		packages: map[string]*types.Package{},
	}
	l.engine, err = newEngine(engine.Hooks{
		GoPanic: func(_ int, p *engine.Panic) { os.Exit(died(p)) },
		Stdout:  func(_ int, text []byte) { os.Stdout.Write(text) },
		Stderr:  func(_ int, text []byte) { os.Stderr.Write(text) },
		Stdin:   os.Stdin,
	}, l.compiled)
	if err != nil {
		fmt.Fprintln(os.Stderr, "refused: no engine:", err)
		return exitRefused
	}
	for _, s := range p.Packages {
		if err := l.load(s); err != nil {
			return ended(fmt.Errorf("%s: %w", s.ID, err))
		}
	}
	main := source{ID: "main", Path: "main", ImportMap: map[string]string{}}
	for _, s := range p.Packages { // those made for this test are imported by their paths
		if path := strings.Fields(s.ID)[0]; path != s.ID && (path == p.Path || path == p.Path+"_test") {
			main.ImportMap[path] = s.ID
		}
	}
	f, err := parser.ParseFile(l.fset, "_testmain.go", p.Main, parser.SkipObjectResolution)
	if err != nil {
		return ended(err)
	}
	code, err := l.compile(main, []*ast.File{f})
	if err == nil {
		err = code.Run(context.Background())
	}
	return ended(err)
}

// ended says how a program has ended, and gives its status.
func ended(err error) int {
	var p *engine.Panic
	var exit *engine.Exit
	switch {
	case err == nil:
		return 0
	case errors.As(err, &p):
		return died(p)
	case errors.As(err, &exit):
		return exit.Code
	}
	fmt.Fprintln(os.Stderr, "refused:", err)
	return exitRefused
}

// died writes a panic as Go does.
func died(p *engine.Panic) int {
	fmt.Fprintf(os.Stderr, "panic: %s\n\ngoroutine 1 [running]:\n", p.Text)
	for _, f := range p.Stack {
		fmt.Fprintf(os.Stderr, "%s(...)\n\t%v\n", f.Func, f.Pos)
	}
	return 2
}

// loader compiles packages from source.
type loader struct {
	engine   engine.Engine
	fset     *token.FileSet
	compiled *symbols.Importer
	packages map[string]*types.Package // by ID
	cells    int
}

// load compiles a package and initializes its variables.
func (l *loader) load(s source) error {
	var files []*ast.File
	for _, name := range s.Files {
		f, err := parser.ParseFile(l.fset, name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		files = append(files, f)
	}
	code, err := l.compile(s, files)
	var refusal *engine.Refusal
	if errors.As(err, &refusal) && len(s.Other) > 0 {
		return fmt.Errorf("%w (it has assembly: %s)", err, filepath.Base(s.Other[0]))
	}
	if err != nil {
		return err
	}
	if s.Embeds {
		if err := l.embed(s, files); err != nil {
			return err
		}
	}
	return code.Run(context.Background())
}

// compile checks and compiles the files of a package.
func (l *loader) compile(s source, files []*ast.File) (engine.Code, error) {
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}, Scopes: map[ast.Node]*types.Scope{},
		Instances: map[*ast.Ident]types.Instance{}, FileVersions: map[*ast.File]string{},
	}
	conf := &types.Config{Importer: imports{l, s.ImportMap}, GoVersion: s.Version, Sizes: types.SizesFor("gc", runtime.GOARCH)}
	pkg := types.NewPackage(s.Path, files[0].Name.Name)
	if err := types.NewChecker(conf, l.fset, pkg, info).Files(files); err != nil {
		return nil, err
	}
	l.cells++
	l.packages[s.ID] = pkg
	cell := &engine.Cell{Number: l.cells, Fset: l.fset, Package: pkg, Files: files, Info: info, Replaces: map[types.Object]types.Object{}}
	if s.Path == "main" {
		cell.Entry, _ = pkg.Scope().Lookup("main").(*types.Func)
	}
	return l.engine.Compile(cell)
}

// imports finds what one package imports.
type imports struct {
	l   *loader
	ids map[string]string
}

func (i imports) Import(path string) (*types.Package, error) {
	id := path
	if to, ok := i.ids[path]; ok {
		id = to
	}
	if p := i.l.packages[id]; p != nil {
		return p, nil
	}
	return i.l.compiled.Import(path)
}

// embed reads the files of a package's //go:embed directives into its variables.
func (l *loader) embed(s source, files []*ast.File) error {
	for _, f := range files {
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.VAR {
				continue
			}
			for _, spec := range g.Specs {
				v := spec.(*ast.ValueSpec)
				var patterns []string
				for _, group := range []*ast.CommentGroup{g.Doc, v.Doc} {
					if group == nil {
						continue
					}
					for _, c := range group.List {
						if text, ok := strings.CutPrefix(c.Text, "//go:embed "); ok {
							more, err := embedded.Patterns(text)
							if err != nil {
								return err
							}
							patterns = append(patterns, more...)
						}
					}
				}
				if patterns == nil {
					continue
				}
				if err := l.fill(s, v.Names[0].Name, patterns); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (l *loader) fill(s source, name string, patterns []string) error {
	v, err := l.engine.Var(l.packages[s.ID].Scope().Lookup(name).(*types.Var))
	if err != nil {
		return err
	}
	read, err := embedded.Read(s.Dir, patterns)
	if err != nil {
		return err
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(read[0].Data)
	case reflect.Slice:
		v.SetBytes([]byte(read[0].Data))
	default:
		fsys, err := embedded.FS(read)
		if err != nil {
			return err
		}
		v.Set(reflect.ValueOf(fsys))
	}
	return nil
}
