package export

import (
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/gokernel/gokernel/internal/pattern"
	"github.com/gokernel/gokernel/interp/pipeline"
	"github.com/gokernel/gokernel/interp/rewrite"
)

// file is a file of the program that is being written.
type file struct {
	x     *exporter
	paths map[string]bool // its imports
}

func (w *writer) importName(path, name string) string { return w.out.importName(path, name) }

// importName returns the name of a package in the file, and adds the import.
func (f *file) importName(path, name string) string {
	f.paths[path] = true
	if have := f.x.imports[path]; have != "" {
		return have
	}
	if f.x.identifiers[name] {
		name += "pkg" // a variable of the notebook has the name
	}
	return f.x.nameImport(path, name)
}

// importDecl writes the imports of the file, the standard library first.
func (f *file) importDecl() string {
	var groups [2][]string
	for _, path := range slices.Sorted(maps.Keys(f.paths)) {
		line := fmt.Sprintf("%q", f.x.pathOf(path))
		if name := f.x.imports[path]; name != f.x.declaredName(path) || name != rewrite.PackageName(path) {
			line = name + " " + line
		}
		g := 0
		if strings.Contains(strings.Split(path, "/")[0], ".") || f.x.pathOf(path) != path {
			g = 1
		}
		groups[g] = append(groups[g], line)
	}
	if f.x.embeds && !f.paths["embed"] {
		groups[0] = append(groups[0], `_ "embed"`)
	}
	if len(groups[0])+len(groups[1]) == 0 {
		return ""
	}
	if len(groups[0])+len(groups[1]) == 1 {
		return "import " + strings.Join(groups[0], "") + strings.Join(groups[1], "") + "\n"
	}
	return "import (\n" + strings.Join(groups[0], "\n") + "\n\n" + strings.Join(groups[1], "\n") + "\n)\n"
}

// declaredName returns the name in the package clause of a package.
func (x *exporter) declaredName(path string) string {
	if p, err := x.importer(path); err == nil {
		return p.Name()
	}
	return rewrite.PackageName(path)
}

// piece contains the items of one cell.
type piece struct {
	c     *cell
	items []*item
}

// maxLayouts is the maximum number of times that the program is written. Each time must have found
// unused variables.
const maxLayouts = 100

var notUsed = pattern.New(`^declared and not used: (\S+)$`)

// layout writes main.go.
func (x *exporter) layout() (map[string][]byte, error) {
	x.findMethods()
	x.findVariables()
	for range maxLayouts {
		text, err := x.program()
		if err != nil {
			return nil, err
		}
		unused, err := x.check(text)
		if err != nil {
			return nil, err
		}
		if len(unused) == 0 {
			return map[string][]byte{"main.go": text}, nil
		}
		for _, name := range unused {
			found := false
			for _, e := range x.order {
				if e.final == name && !e.unused {
					e.unused, found = true, true
				}
			}
			if !found {
				return nil, fmt.Errorf("export: the exported program has an unused variable %s", name)
			}
		}
	}
	return nil, fmt.Errorf("export: the program still has unused variables after %d attempts", maxLayouts)
}

// pieces writes the items of all cells.
func (x *exporter) pieces(out *file) []piece {
	for _, e := range x.order {
		e.defined, e.mentioned = false, 0
		if _, isFunc := e.obj.(*types.Func); isFunc {
			e.defined = true
		}
	}
	var list []piece
	for _, c := range x.cells {
		p := piece{c: c}
		if c.code != nil {
			p.items = x.items(c, out)
		}
		list = append(list, p)
	}
	return list
}

// program returns the text of main.go.
func (x *exporter) program() ([]byte, error) {
	// The first pass finds the variables that are mentioned after their definitions.
	x.forgetHelpers()
	x.pieces(&file{x: x, paths: map[string]bool{}})
	for _, e := range x.order {
		e.read = e.mentioned > 0
	}
	x.forgetHelpers()
	out := &file{x: x, paths: map[string]bool{}}
	pieces := x.pieces(out)
	if _, asks := x.helpers["stdin"]; asks && x.readsStdin && x.err == nil {
		x.err = errors.New("export: Input and os.Stdin cannot both read what the user types: use one of them in all cells")
	}
	if x.err != nil {
		return nil, x.err
	}
	dropSpare(pieces)
	var decls, main strings.Builder
	var carried []string
	for _, p := range pieces {
		before := append(carried, p.c.prose...)
		hasStatements, hasDecls := false, false
		for _, it := range p.items {
			hasStatements = hasStatements || it.text != "" && !it.decl
			hasDecls = hasDecls || it.text != "" && it.decl
		}
		carried = nil
		declared := x.arrange(p, true)
		switch text := comment(squeeze(before)); {
		case hasStatements || p.c.comment != "" || p.c.src == nil:
			main.WriteString("\n" + text)
			code := p.c.comment + x.arrange(p, false)
			if text != "" && strings.HasPrefix(code, "/") {
				main.WriteString("\n") // the comment belongs to the cell
			}
			main.WriteString(code)
		case hasDecls && !strings.HasPrefix(strings.TrimSpace(declared), "//"):
			decls.WriteString("\n" + text + "\n")
		default: // a declaration with its own comment leaves the prose at its position
			if carried = squeeze(before); len(carried) > 0 {
				carried = append(carried, "")
			}
		}
		decls.WriteString(declared)
	}
	return x.assemble(out, decls.String(), main.String())
}

// forgetHelpers removes the helpers, and reserves their names.
func (x *exporter) forgetHelpers() {
	x.helpers, x.helperNames = map[string]string{}, maps.Clone(x.identifiers)
	for _, e := range x.order {
		x.helperNames[e.final] = true
	}
	for name := range x.packageNames {
		x.helperNames[name] = true
	}
}

// dropSpare removes functions that are declared again but not used.
func dropSpare(pieces []piece) {
	uses := map[*entity]map[*entity]bool{} // by functions that may be removed
	reached := map[*entity]bool{}
	var work []*entity
	reach := func(refs map[*entity]bool) {
		for e := range refs {
			if !reached[e] {
				reached[e] = true
				work = append(work, e)
			}
		}
	}
	for _, p := range pieces {
		for _, it := range p.items {
			if it.spare && it.entity != nil {
				uses[it.entity] = it.refs
			} else {
				reach(it.refs)
			}
		}
	}
	for len(work) > 0 {
		e := work[0]
		work = work[1:]
		reach(uses[e])
	}
	for _, p := range pieces {
		for _, it := range p.items {
			if it.spare && it.entity != nil && !reached[it.entity] {
				it.text = ""
			}
		}
	}
}

// settingLines writes the settings of the notebook's module and its cells. In a program, each
// applies from the start and is written once.
func (x *exporter) settingLines() string {
	if len(x.settings) == 0 {
		return ""
	}
	if x.opt.Package != "main" {
		x.note("the settings of //go:debug are left out: the program that imports the library sets its own")
		return ""
	}
	values := map[string]string{}
	for _, s := range x.settings {
		name, value, _ := strings.Cut(s, "=")
		values[name] = value
	}
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(values)) {
		fmt.Fprintf(&b, "%s %s=%s\n", pipeline.SettingDirective, name, values[name])
	}
	return b.String() + "\n"
}

// arrange joins the declarations of a cell, or its other items, with the comments around them.
func (x *exporter) arrange(p piece, decls bool) string {
	if p.c.code == nil {
		return ""
	}
	var b strings.Builder
	free := comments(p.c)
	at := p.c.src.Base // the end of the previous item
	first := true
	for _, it := range p.items {
		lead, trail := around(p.c, free, at, it)
		gap := blankBetween(p.c, at, it, lead)
		if it.end > at {
			at = it.end
		}
		if it.decl != decls || it.text == "" {
			continue
		}
		if decls || gap && !first {
			b.WriteString("\n")
		}
		b.WriteString(lead + it.text + trail + "\n")
		first = false
	}
	text := b.String()
	if !decls {
		if rest := restOf(p.c, free, at); rest != "" {
			text += rest + "\n"
		}
		if wrapped(p.c) {
			text = "func() {\n" + text + "}()\n"
		}
	}
	return text
}

// assemble builds the text of the file.
func (x *exporter) assemble(out *file, decls, main string) ([]byte, error) {
	var start strings.Builder
	if out.paths[programPath] && out.draws() {
		start.WriteString(out.importName(coursePath, "course") + ".Install()\n")
		start.WriteString(out.importName(programPath, "program") + ".SaveFigures(\"figures\")\n")
	}
	for _, e := range x.order {
		if e.variable != nil && e.variable.obj == e.obj {
			start.WriteString(e.variable.final + " = " + e.final + "\n")
		}
	}
	var vars strings.Builder
	w := &writer{x: x, out: out, refs: map[*entity]bool{}, late: map[*entity]bool{}}
	for _, e := range x.order {
		switch o := e.obj.(type) {
		case *types.Var:
			if e.global && e.defined && !e.embedded {
				vars.WriteString(e.final + " " + w.typeText(o.Type()) + "\n")
			}
		case *types.Func:
			if e.variable != nil && e.variable.obj == o {
				vars.WriteString(e.variable.final + " " + w.typeText(o.Type()) + "\n")
			}
		}
	}
	helpers := out.helperTexts()
	name, doc := "main", "func main() {\n"
	if x.opt.Package != "main" {
		name, doc = x.opt.Package, "// Run runs the statements of the notebook's cells in order.\nfunc Run() {\n"
	}
	var b strings.Builder
	b.WriteString(x.settingLines())
	if x.opt.Doc != "" {
		b.WriteString(comment(prose(x.opt.Doc)))
	}
	b.WriteString("package " + name + "\n\n" + out.importDecl())
	switch strings.Count(vars.String(), "\n") {
	case 0:
	case 1:
		b.WriteString("\nvar " + vars.String())
	default:
		b.WriteString("\n// Variables that functions share with the statements.\nvar (\n" + vars.String() + ")\n")
	}
	b.WriteString(decls)
	if main = strings.TrimLeft(main, "\n"); start.Len() > 0 {
		main = start.String() + "\n" + main
	}
	if x.opt.Package == "main" || strings.TrimSpace(main) != "" {
		b.WriteString("\n" + doc + main + "}\n")
	}
	b.WriteString(helpers)
	text, err := format.Source([]byte(b.String()))
	if err != nil {
		return nil, fmt.Errorf("export: the exported program is not valid Go: %w\n%s", err, b.String())
	}
	return text, nil
}

// draws reports whether the file may show figures or values of the course library.
func (f *file) draws() bool {
	for path := range f.paths {
		if strings.HasPrefix(path, "github.com/gokernel/gokernel/mlstd") || strings.HasPrefix(path, displayPath) && path != programPath ||
			strings.HasPrefix(path, "gonum.org/v1/plot") || path == "image" {
			return true
		}
	}
	return false
}

// check type-checks the program and returns the unused variables.
func (x *exporter) check(text []byte) (unused []string, err error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "main.go", text, parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("export: the exported program is not valid Go: %w", err)
	}
	var first error
	conf := types.Config{
		Importer: importerFunc(func(path string) (*types.Package, error) { return x.importer(x.ownPath(path)) }),
		Error: func(err error) {
			te, ok := err.(types.Error)
			if !ok {
				return
			}
			if m := notUsed().FindStringSubmatch(te.Msg); m != nil {
				unused = append(unused, m[1])
			} else if first == nil {
				pos := fset.Position(te.Pos)
				line := strings.Split(string(text), "\n")[pos.Line-1]
				first = fmt.Errorf("export: the cells together are not a valid Go program: %s, in\n  %s\nDoes a name mean different things in different cells? Give each thing its own name", te.Msg, strings.TrimSpace(line))
			}
		},
	}
	// The Error function has collected the errors.
	_, _ = conf.Check("main", fset, []*ast.File{f}, nil)
	return unused, first
}

type importerFunc func(path string) (*types.Package, error)

func (f importerFunc) Import(path string) (*types.Package, error) { return f(path) }

// importer imports a package by its path in the notebook.
func (x *exporter) importer(path string) (*types.Package, error) {
	if path == programPath {
		return programPackage, nil
	}
	return x.compiler.Sources.Import(path)
}

// programPackage returns the declarations of package program, which cells do not import.
var programPackage = func() *types.Package {
	p := types.NewPackage(programPath, "program")
	values := types.NewTuple(types.NewVar(token.NoPos, p, "values", types.NewSlice(types.Universe.Lookup("any").Type())))
	dir := types.NewTuple(types.NewVar(token.NoPos, p, "dir", types.Typ[types.String]))
	for name, sig := range map[string]*types.Signature{
		"Result":      types.NewSignatureType(nil, nil, nil, values, nil, true),
		"Show":        types.NewSignatureType(nil, nil, nil, values, nil, true),
		"SaveFigures": types.NewSignatureType(nil, nil, nil, dir, nil, false),
	} {
		p.Scope().Insert(types.NewFunc(token.NoPos, p, name, sig))
	}
	p.MarkComplete()
	return p
}()
