package export

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/gokernel/gokernel/internal/pattern"
	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/modules"
	"github.com/gokernel/gokernel/interp/pipeline"
	"github.com/gokernel/gokernel/interp/rewrite"
	"github.com/gokernel/gokernel/interp/scope"
	"github.com/gokernel/gokernel/interp/source"
	"github.com/gokernel/gokernel/interp/split"
	"github.com/gokernel/gokernel/interp/symbols"
	"github.com/gokernel/gokernel/kernel/evaluator"
)

const (
	displayPath = "github.com/gokernel/gokernel/display"
	programPath = displayPath + "/program"
	coursePath  = displayPath + "/course"
	askPath     = "github.com/gokernel/gokernel/interp/ask"
)

// Cell is a cell of a notebook.
type Cell struct {
	Prose bool   // whether it is Markdown text
	Text  string // source in the notebook
	Skip  string // why the program omits the cell; "" if it includes it
	Fails bool   // the cell may fail, and is omitted if it does not compile
	// Number is the number of the cell in positions; 0 means its index among the code cells.
	Number int
}

// Options configures the export.
type Options struct {
	// Package is the name of the package; "" means main. In a library, the function Run contains
	// the statements.
	Package string
	// Module is the module path, with which the program imports packages of the notebook's folder
	// and of its cells.
	Module string
	// Dir is the notebook's folder.
	Dir string
	// Env reads the settings for modules, and Kept lists the versions recorded in the notebook.
	Env  func() modules.Env
	Kept []modules.Requirement
	// Doc is the package comment of the program.
	Doc string
	// TestFile moves tests to main_test.go, and tests of packages to files beside them.
	TestFile bool
}

// Program is the result of an export.
type Program struct {
	// Files contains the texts by their names in the module, including main.go.
	Files map[string][]byte
	// Paths lists the packages that the files import.
	Paths []string
	// Data lists the files of the notebook's folder that the cells name.
	Data []string
	// Requires lists the third-party modules with their versions.
	Requires []modules.Requirement
	// Notes describe differences between the program and the notebook.
	Notes []string
}

// exporter writes one notebook.
type exporter struct {
	opt      Options
	compiler *pipeline.Compiler
	engine   *collector
	cells    []*cell
	sources  []*scope.Source

	entities     map[types.Object]*entity
	order        []*entity
	identifiers  map[string]bool      // all identifiers of the notebook
	builtins     map[string]bool      // used predeclared names
	packageNames map[string]string    // paths by package name in the program
	imports      map[string]string    // package names in the program by path
	helpers      map[string]string    // names of helpers in the program
	helperNames  map[string]bool      // names not available for helpers
	methods      map[string]declared  // T.m with its last declaration
	inits        map[token.Pos]string // names of functions init
	embeds       bool
	settings     []string // GODEBUG settings from the notebook's module and //go:debug
	readsStdin   bool     // the program reads os.Stdin other than by Input

	packages map[string]string // files of packages declared by cells, by path
	files    []string          // files of the notebook's folder that the program needs
	notes    []string
	left     map[string][]string // omitted cells by the reason
	reasons  []string
	err      error
}

// declared is the position of a method's declaration.
type declared struct {
	cell int
	pos  token.Pos
}

// cell is a code cell to export.
type cell struct {
	Cell
	index   int
	src     *scope.Source
	split   *split.Cell
	code    *engine.Cell                        // nil if there is nothing to run
	prose   []string                            // the text before it
	magics  map[ast.Stmt]func(w *writer) string // the code that replaces them
	left    string                              // why it is omitted
	comment string                              // the comment that replaces it
}

// Notebook returns the program for the cells. If a cell does not compile, the error is an
// *evaluator.Error.
func Notebook(ctx context.Context, cells []Cell, opt Options) (*Program, error) {
	if opt.Package == "" {
		opt.Package = "main"
	}
	x := &exporter{
		opt: opt, compiler: pipeline.New(symbols.NewImporter()), engine: &collector{older: map[types.Object]types.Object{}},
		entities: map[types.Object]*entity{}, identifiers: map[string]bool{}, builtins: map[string]bool{},
		packageNames: map[string]string{}, imports: map[string]string{}, methods: map[string]declared{}, inits: map[token.Pos]string{},
		packages: map[string]string{}, left: map[string][]string{},
	}
	x.compiler.Engine = x.engine
	x.compiler.Sources.Env, x.compiler.Sources.Kept, x.compiler.Sources.Dir = opt.Env, opt.Kept, opt.Dir
	x.compiler.Prepare = func(paths []string) ([]source.Change, error) {
		return x.compiler.Sources.Prepare(ctx, paths, x.note)
	}
	if err := x.compile(cells); err != nil {
		return nil, err
	}
	if opt.Package == "main" {
		asked, notes := x.compiler.ModuleSettings()
		x.settings = append(asked, x.settings...)
		x.notes = append(x.notes, notes...)
	}
	x.survey()
	x.baptize()
	x.findGlobals()
	files, err := x.layout()
	if err != nil {
		return nil, err
	}
	if x.opt.TestFile {
		if files, err = splitTests("main.go", files["main.go"], func(path string) string { return x.imports[x.ownPath(path)] }); err != nil {
			return nil, err
		}
	}
	p := &Program{Files: files, Data: x.data(), Notes: x.allNotes()}
	if err := x.addPackages(p); err != nil {
		return nil, err
	}
	return p, nil
}

func (x *exporter) note(text string) {
	if !slices.Contains(x.notes, text) {
		x.notes = append(x.notes, text)
	}
}

// checksStay is the reason for omitting autograder cells.
const checksStay = "homework checks work only in a notebook"

// leftOut records that a cell is omitted.
func (x *exporter) leftOut(number int, why string) {
	if x.left[why] == nil {
		x.reasons = append(x.reasons, why)
	}
	x.left[why] = append(x.left[why], fmt.Sprintf("[%d]", number))
}

// allNotes returns the notes; notes about omitted cells come first.
func (x *exporter) allNotes() []string {
	var list []string
	for _, why := range x.reasons {
		if cells := x.left[why]; len(cells) == 1 {
			list = append(list, "cell "+cells[0]+" is left out: "+why)
		} else {
			list = append(list, "cells "+strings.Join(cells, ", ")+" are left out: "+why)
		}
	}
	return append(list, x.notes...)
}

// fail records that a node can't be written.
func (x *exporter) fail(n ast.Node, why string) {
	if x.err != nil {
		return
	}
	at := x.compiler.Fset.Position(start(n))
	x.err = fmt.Errorf("export: %s, line %d, cannot be written as Go: %s", at.Filename, at.Line, why)
}

// slice returns the text between two positions of one cell.
func (x *exporter) slice(from, to token.Pos) string {
	i, ok := slices.BinarySearchFunc(x.sources, from, func(s *scope.Source, pos token.Pos) int { return int(s.Base) - int(pos) })
	if !ok {
		i--
	}
	if i < 0 {
		return ""
	}
	s := x.sources[i]
	a, b := int(from-s.Base), min(int(to-s.Base), len(s.Text))
	if a > b {
		return ""
	}
	return s.Text[a:b]
}

// compile compiles the cells in order.
func (x *exporter) compile(cells []Cell) error {
	var prosaic []string
	number := 0
	for _, c := range cells {
		if strings.TrimSpace(c.Text) == "" {
			continue
		}
		if c.Prose {
			if len(prosaic) > 0 {
				prosaic = append(prosaic, "")
			}
			prosaic = append(prosaic, prose(c.Text)...)
			continue
		}
		if number++; c.Number != 0 {
			number = c.Number
		}
		one := &cell{Cell: c, index: len(x.cells), prose: prosaic, magics: map[ast.Stmt]func(w *writer) string{}}
		prosaic = nil
		x.cells = append(x.cells, one)
		if c.Skip != "" {
			one.leave(c.Skip)
			x.leftOut(number, c.Skip)
			continue
		}
		if err := x.compileCell(one, number, c.Text); err != nil {
			if !c.Fails {
				return err
			}
			one.leave("it fails on purpose")
			x.leftOut(number, "it fails on purpose")
		}
	}
	if len(prosaic) > 0 {
		x.cells = append(x.cells, &cell{index: len(x.cells), prose: prosaic})
	}
	return nil
}

// leave converts the text of the cell to a comment.
func (c *cell) leave(why string) {
	c.left = why
	lines := []string{"Left out, since " + why + ":", ""}
	for line := range strings.Lines(strings.TrimRight(c.Text, "\n")) {
		lines = append(lines, "\t"+strings.TrimRight(line, "\r\n"))
	}
	c.comment = comment(lines)
}

// compileCell compiles one cell, whose text may be generated from a magic.
func (x *exporter) compileCell(c *cell, number int, text string) error {
	x.engine.cell = nil
	src := &scope.Source{Name: pipeline.CellName(number), Number: number, Run: number, Text: text}
	p, failed := x.compiler.Compile(src, func(p *pipeline.Program) *evaluator.Error {
		x.lineMagics(c, p)
		return nil
	})
	if failed != nil {
		return failed
	}
	if whole := p.Cell.Whole; whole != nil {
		return x.wholeMagic(c, number, whole)
	}
	if calls := homeworkCall(p.Cell); calls != "" {
		// Only the notebook has its declarations.
		c.leave(checksStay)
		x.leftOut(number, checksStay)
		return nil
	}
	x.settings = append(x.settings, p.Settings...)
	c.src, c.split, c.code = src, p.Cell, x.engine.cell
	x.sources = append(x.sources, src)
	if c.code != nil {
		x.identify(c)
	}
	return nil
}

// homeworkCall returns the name of the homework function that the cell calls.
func homeworkCall(c *split.Cell) (name string) {
	for _, s := range c.Stmts {
		ast.Inspect(s, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				if id, ok := call.Fun.(*ast.Ident); ok && rewrite.HomeworkVerbs[id.Name] {
					name = id.Name
				}
			}
			return name == ""
		})
	}
	return name
}

// lineMagics determines the code that replaces the line magics of a cell.
func (x *exporter) lineMagics(c *cell, p *pipeline.Program) {
	for _, m := range p.Cell.Lines {
		if m.Code {
			continue // the code runs without timing
		}
		switch m.Name {
		case "get", "save": // go.mod has the version, and the program is what %save writes
			continue
		case "!":
			c.magics[m.Stmt] = func(w *writer) string { return w.helper("shell") + fmt.Sprintf(`("sh", "-c", %q)`, m.Args) }
			continue
		case "cd", "env":
			if call := setting(m); call != "" {
				c.magics[m.Stmt] = func(w *writer) string { return w.helper("check") + "(" + w.importName("os", "os") + call + ")" }
				continue
			}
		}
		c.magics[m.Stmt] = func(*writer) string { return "// " + m.Text }
		x.note(fmt.Sprintf("%s of %s is a comment: it works only in a notebook", m.Text, p.Src.Name))
	}
}

// setting returns a call of a function of package os that does what %cd or %env NAME=VALUE does, or
// "" for other magics.
func setting(m *split.Magic) string {
	arg := func(s string) string { return strings.Trim(strings.TrimSpace(s), "\"'") }
	if m.Name == "cd" {
		if dir := arg(m.Args); dir != "" && dir[0] != '~' {
			return fmt.Sprintf(".Chdir(%q)", dir)
		}
		return ""
	}
	name, value, set := strings.Cut(m.Args, "=")
	if !set {
		name, value, set = strings.Cut(m.Args, " ")
	}
	if !set {
		return ""
	}
	return fmt.Sprintf(".Setenv(%q, %q)", strings.TrimSpace(name), arg(value))
}

// wholeMagic converts to Go, if possible, a cell that consists of one magic.
func (x *exporter) wholeMagic(c *cell, number int, m *split.Magic) error {
	shown := map[string]string{"html": "HTML", "markdown": "Markdown", "latex": "LaTeX", "svg": "SVG"}
	switch {
	case m.Name == "package":
		x.packages[m.Args] = m.Body
		return nil
	case m.Name == "sql":
		text, err := x.query(m)
		if err != nil {
			return err
		}
		return x.compileCell(c, number, text)
	case shown[m.Name] != "":
		return x.compileCell(c, number, shown[m.Name]+"("+quote(m.Body)+")")
	case m.Name == "writefile" && !strings.HasPrefix(m.Args, "-"):
		return x.compileCell(c, number, fmt.Sprintf("os.WriteFile(%q, []byte(%s), 0o666)", strings.Trim(m.Args, `"'`), quote(m.Body)))
	}
	c.leave("%%" + m.Name + " works only in a notebook")
	x.leftOut(number, "%%"+m.Name+" works only in a notebook")
	return nil
}

// quote writes a string as a raw string literal.
func quote(text string) string {
	return "`" + strings.ReplaceAll(text, "`", "`+\"`\"+`") + "`"
}

var (
	word      = pattern.New(`[\pL_][\pL\pN_]*`)
	tables    = pattern.New(`(?i)\b(?:from|join)\s+[\pL_][\pL\pN_]*(?:\s+[\pL_][\pL\pN_]*)*(?:\s*,\s*[\pL_][\pL\pN_]*(?:\s+[\pL_][\pL\pN_]*)*)*`)
	parameter = pattern.New(`[:@$]([\pL_][\pL\pN_]*)`)
)

// query converts a %%sql cell to the call that it is short for, with the frames and values that the
// query names.
func (x *exporter) query(m *split.Magic) (string, error) {
	name, file := "", ""
	for _, arg := range strings.Fields(m.Args) {
		if name == "" && token.IsIdentifier(arg) {
			name = arg
		} else {
			file = arg
		}
	}
	var frames, values []string
	for _, n := range word().FindAllString(strings.Join(tables().FindAllString(m.Body, -1), " "), -1) {
		if d := x.compiler.Scope.Lookup(n); d != nil && rewrite.IsFrame(d.Obj.Type()) && !slices.Contains(frames, n) {
			frames = append(frames, n)
		}
	}
	for _, s := range parameter().FindAllStringSubmatch(m.Body, -1) {
		if x.compiler.Scope.Lookup(s[1]) != nil && !slices.Contains(values, s[1]) {
			values = append(values, s[1])
		}
	}
	if strings.TrimSpace(m.Body) == "" {
		return "", errors.New("export: a %%sql cell has no query")
	}
	text := ""
	if name != "" {
		if text = name + " := "; slices.Contains(frames, name) || x.compiler.Scope.Lookup(name) != nil && rewrite.IsFrame(x.compiler.Scope.Lookup(name).Obj.Type()) {
			text = name + " = "
		}
	}
	text += "ml.SQL(" + quote("\n"+m.Body) + ", " + elements("map[string]*ml.Frame", frames) + ", " + elements("map[string]any", values)
	if file != "" {
		text += fmt.Sprintf(", %q", file)
	}
	return text + ")\n" + name, nil
}

// elements writes a map from names to their variables.
func elements(kind string, names []string) string {
	if len(names) == 0 {
		return "nil"
	}
	var list []string
	for _, n := range names {
		list = append(list, fmt.Sprintf("%q: %s", n, n))
	}
	return kind + "{" + strings.Join(list, ", ") + "}"
}
