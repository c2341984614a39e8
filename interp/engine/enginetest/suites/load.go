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
	"runtime"
	"strings"

	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/engine/enginetest"
	"github.com/gokernel/gokernel/interp/modules"
	"github.com/gokernel/gokernel/interp/source"
	"github.com/gokernel/gokernel/interp/symbols"
)

// planVariable is the environment variable that names the file of a plan. A test binary runs this
// plan instead of its tests.
const planVariable = "GOKERNEL_SUITES_PLAN"

// exitRefused is the status of a process whose engine has refused a package.
const exitRefused = 97

// Main runs a plan if the process was started to run one. It must be the first call of a TestMain.
func Main(newEngine enginetest.NewEngine) {
	file := os.Getenv(planVariable)
	if file == "" {
		return
	}
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
	stdout, stderr := os.Stdout, os.Stderr // package testing sets these variables
	l.engine, err = newEngine(engine.Hooks{
		GoPanic: func(_ int, p *engine.Panic) { os.Exit(died(p)) },
		Stdout:  func(_ int, text []byte) { stdout.Write(text) },
		Stderr:  func(_ int, text []byte) { stderr.Write(text) },
		Stdin:   os.Stdin,
	}, l.compiled)
	if err != nil {
		fmt.Fprintln(os.Stderr, "refused: no engine:", err)
		return exitRefused
	}
	for _, s := range p.Packages {
		if err := l.load(s); err != nil {
			return ended(err)
		}
	}
	if err := source.Link(l.sources, nil); err != nil {
		return ended(err)
	}
	main := listing{ID: "main", Path: "main", ImportMap: map[string]string{}}
	for _, s := range p.Packages { // the ones made for this test are imported by path
		if path := strings.Fields(s.ID)[0]; path != s.ID && (path == p.Path || path == p.Path+"_test") {
			main.ImportMap[path] = s.ID
		}
	}
	f, err := parser.ParseFile(l.fset, "_testmain.go", p.Main, parser.SkipObjectResolution)
	if err != nil {
		return ended(err)
	}
	checked, err := l.check(main, []*ast.File{f})
	if err != nil {
		return ended(err)
	}
	cell := &engine.Cell{Number: 1, Fset: l.fset, Package: checked.Types, Files: checked.Files, Info: checked.Info, Replaces: map[types.Object]types.Object{}, Packages: l.list}
	cell.Entry, _ = checked.Types.Scope().Lookup("main").(*types.Func)
	code, err := l.engine.Compile(cell)
	if err == nil {
		err = code.Run(context.Background())
	}
	return ended(err)
}

// ended reports how a program has ended, and returns its status.
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

// died prints a panic as Go does.
func died(p *engine.Panic) int {
	fmt.Fprintf(os.Stderr, "panic: %s\n\ngoroutine 1 [running]:\n", p.Text)
	for _, f := range p.Stack {
		fmt.Fprintf(os.Stderr, "%s(...)\n\t%v\n", f.Func, f.Pos)
	}
	return 2
}

// loader checks packages from source.
type loader struct {
	engine   engine.Engine
	fset     *token.FileSet
	compiled *symbols.Importer
	packages map[string]*types.Package // packages by ID
	list     []*engine.Package
	sources  []*source.Package
}

// load parses and checks a package, and adds it to the list.
func (l *loader) load(s listing) error {
	var files []*ast.File
	for _, name := range s.Files {
		f, err := parser.ParseFile(l.fset, name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		files = append(files, f)
	}
	checked, err := l.check(s, files)
	if err != nil {
		return fmt.Errorf("%s: %w", s.Path, err)
	}
	p := &source.Package{Package: *checked, Place: modules.Place{Path: s.Path, Dir: s.Dir}}
	if err := p.Complete(); err != nil {
		return err
	}
	l.list = append(l.list, &p.Package)
	l.sources = append(l.sources, p)
	return nil
}

// check checks the files of a package.
func (l *loader) check(s listing, files []*ast.File) (*engine.Package, error) {
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
	l.packages[s.ID] = pkg
	return &engine.Package{Fset: l.fset, Types: pkg, Files: files, Info: info}, nil
}

// imports resolves the imports of one package.
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
