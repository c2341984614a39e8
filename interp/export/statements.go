package export

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/gokernel/gokernel/interp/check"
	"github.com/gokernel/gokernel/interp/rewrite"
)

// item is a statement or a declaration of a cell as written in the program.
type item struct {
	start, end token.Pos // positions in the cell
	text       string    // "" if nothing remains
	decl       bool
	refs       map[*entity]bool
	late       map[*entity]bool
	entity     *entity // the function that it declares, which may be removed
	spare      bool    // a function that is declared again because the cell has changed something
}

// body writes one cell.
type body struct {
	*writer
	c     *cell
	types map[types.Object]ast.Expr // the types that the cell declares for variables
	items []*item
}

// items returns the items of a cell, in the order of its text.
func (x *exporter) items(c *cell, out *file) []*item {
	b := &body{writer: &writer{x: x, info: c.code.Info, out: out}, c: c, types: map[types.Object]ast.Expr{}}
	defined := map[string]bool{}
	for _, d := range definitions(entry(c)) {
		for _, id := range d.Names {
			defined[id.Name] = true
		}
		for _, id := range d.Copies {
			defined[id.Name] = true
		}
	}
	var early []*ast.ValueSpec // variables before the statements
	for _, spec := range variables(c.code.Files[0]) {
		if spec.Type != nil {
			for _, id := range spec.Names {
				b.types[c.code.Info.Defs[id]] = spec.Type
			}
		}
		if !defined[spec.Names[0].Name] && !rewrite.Reserved(spec.Names[0].Name) {
			early = append(early, spec)
		}
	}
	b.replacements()
	b.early(early)
	b.initializers()
	b.statements(entry(c))
	for i, f := range c.code.Files {
		for _, d := range f.Decls {
			b.declaration(d, i > 0)
		}
	}
	slices.SortStableFunc(b.items, func(x, y *item) int {
		switch { // declarations of earlier cells come last
		case x.spare == y.spare:
			return cmp.Compare(x.start, y.start)
		case x.spare:
			return 1
		}
		return -1
	})
	return b.items
}

// add adds the result of write, with the entities it mentions.
func (b *body) add(start, end token.Pos, decl bool, write func() string) *item {
	b.refs, b.late = map[*entity]bool{}, map[*entity]bool{}
	it := &item{start: start, end: end, decl: decl}
	it.text = write()
	it.refs, it.late = b.refs, b.late
	b.items = append(b.items, it)
	return it
}

// replacements sets function variables to the functions that the cell declares.
func (b *body) replacements() {
	for _, e := range b.x.order {
		if e.variable != nil && e.variable.obj != e.obj && e.cell == b.c.index {
			b.add(b.c.src.Base-1, b.c.src.Base-1, false, func() string { return e.variable.final + " = " + e.final })
		}
	}
}

// early writes the variables before the statements, in the order of their values.
func (b *body) early(list []*ast.ValueSpec) {
	if len(list) == 0 {
		return
	}
	rank := map[ast.Expr]int{}
	for i, in := range b.info.InitOrder {
		rank[in.Rhs] = i + 1
	}
	of := func(s *ast.ValueSpec) int {
		if len(s.Values) == 0 {
			return 0
		}
		return rank[s.Values[0]]
	}
	ordered := slices.Clone(list)
	slices.SortStableFunc(ordered, func(a, c *ast.ValueSpec) int { return of(a) - of(c) })
	for i, spec := range ordered {
		at := list[i]
		if text, ok := b.embedded(spec); ok {
			b.add(at.Pos(), spec.End(), true, func() string { return text })
			continue
		}
		b.add(at.Pos(), at.End(), false, func() string { return b.define(spec.Names, spec.Values, nil) })
	}
}

const embedDirective = "//go:embed"

// embedded writes a variable that contains files.
func (b *body) embedded(spec *ast.ValueSpec) (string, bool) {
	before := strings.TrimSpace(b.c.src.Text[:int(spec.Pos()-b.c.src.Base)])
	before = strings.TrimSpace(strings.TrimSuffix(before, "var"))
	directives := ""
	for {
		i := strings.LastIndexByte(before, '\n') + 1
		line := strings.TrimSpace(before[i:])
		if !strings.HasPrefix(line, embedDirective) {
			break
		}
		directives = line + "\n" + directives
		before = strings.TrimSpace(before[:i])
	}
	e := b.x.entityOf(b.info.Defs[spec.Names[0]])
	if directives == "" || len(spec.Values) > 0 || spec.Type == nil || e == nil {
		return "", false
	}
	e.global, e.defined, e.embedded = true, true, true
	b.x.embeds = true
	for line := range strings.Lines(directives) {
		b.x.noteEmbedded(line)
	}
	return directives + "var " + e.final + " " + b.write(spec.Type), true
}

// initializers writes calls of the cell's init functions.
func (b *body) initializers() {
	for _, d := range b.c.code.Files[0].Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" {
			b.add(fn.End(), fn.End(), false, func() string { return b.x.initName(fn) + "()" })
		}
	}
}

// statements writes the statements of a cell.
func (b *body) statements(list []ast.Stmt) {
	for i := 0; i < len(list); i++ {
		s := list[i]
		if d, ok := rewrite.DefinitionOf(s); ok {
			if len(d.Names) > 0 && rewrite.IsResult(d.Names[0].Name) {
				last := i
				for last+1 < len(list) && isResult(list[last+1]) {
					last++
				}
				b.result(list[i : last+1])
				i = last
				continue
			}
			b.definition(d)
			continue
		}
		if group, ok := groupOf(s); ok {
			for _, d := range group {
				b.definition(d)
			}
			continue
		}
		b.statement(s)
	}
}

func isResult(s ast.Stmt) bool {
	d, ok := rewrite.DefinitionOf(s)
	return ok && len(d.Names) > 0 && rewrite.IsResult(d.Names[0].Name)
}

func (b *body) statement(s ast.Stmt) {
	if isMade(s) {
		return
	}
	if _, empty := s.(*ast.EmptyStmt); empty {
		if write := b.c.magics[s]; write != nil {
			end := s.Pos() + token.Pos(strings.IndexByte(b.x.slice(s.Pos(), b.c.src.Base+token.Pos(len(b.c.src.Text)))+"\n", '\n'))
			b.add(s.Pos(), end, false, func() string { return write(b.writer) })
		}
		return
	}
	if a, ok := s.(*ast.AssignStmt); ok && len(a.Lhs) == 1 && a.Tok == token.ASSIGN && isBlank(a.Lhs[0]) && a.Lhs[0].Pos() == a.Rhs[0].Pos() {
		b.add(start(a.Rhs[0]), a.Rhs[0].End(), false, func() string { return "_ = " + b.write(a.Rhs[0]) })
		return
	}
	b.add(start(s), s.End(), false, func() string { return b.write(s) })
}

func isBlank(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == "_"
}

// result writes the code that shows the values of the last line.
func (b *body) result(list []ast.Stmt) {
	first, _ := rewrite.DefinitionOf(list[0])
	last, _ := rewrite.DefinitionOf(list[len(list)-1])
	b.add(first.Block.Lbrace, last.Block.Rbrace, false, func() string {
		var values []string
		plain := true
		for _, s := range list {
			d, _ := rewrite.DefinitionOf(s)
			call, ok := ast.Unparen(d.Values[0]).(*ast.CallExpr)
			if ok && len(d.Names) > 1 && !rewrite.IsResult(d.Names[len(d.Names)-1].Name) || ok && b.failing(d, call) {
				values = append(values, b.must(call))
				results, ok := b.info.TypeOf(call).(*types.Tuple)
				plain = plain && ok && results.Len() == 2 && asFmt(results.At(0).Type())
				continue
			}
			values = append(values, b.list(d.Values))
			plain = plain && len(d.Values) == 1 && asFmt(b.info.TypeOf(d.Values[0]))
		}
		switch args := strings.Join(values, ", "); {
		case plain && len(values) == 1:
			return b.importName("fmt", "fmt") + ".Println(" + args + ")"
		case plain:
			return b.importName("fmt", "fmt") + fmt.Sprintf(".Printf(%q, %s)", strings.Repeat(", %v", len(values))[2:]+"\n", args)
		default:
			return b.importName(programPath, "program") + ".Result(" + args + ")"
		}
	})
}

// asFmt reports whether package fmt formats values of the type as a notebook does. It does for
// integers and booleans, but not for long strings and large floats.
func asFmt(t types.Type) bool {
	b, ok := t.(*types.Basic)
	return ok && b.Info()&(types.IsInteger|types.IsBoolean) != 0
}

// failing reports whether the last of the values is an error that ends the cell.
func (b *body) failing(d *rewrite.Definition, call *ast.CallExpr) bool {
	for _, s := range d.Block.List {
		if isMade(s) {
			return len(d.Names) > 1
		}
	}
	return false
}

// definition writes a definition among the statements.
func (b *body) definition(d *rewrite.Definition) {
	names := slices.Clone(d.Names)
	for i, id := range names {
		if to := d.Copies[id.Name]; to != nil {
			names[i] = to
		}
	}
	if len(names) == 0 {
		return
	}
	b.add(d.Block.Lbrace, d.Block.Rbrace, false, func() string { return b.define(names, d.Values, d) })
}

// define writes the definition of variables. A name that a rewrite has added for an error gets no
// variable.
func (b *body) define(names []*ast.Ident, values []ast.Expr, d *rewrite.Definition) string {
	var left []string
	var typ ast.Expr
	global, fresh, blank, failing := false, false, true, false
	var list []*entity
	for _, id := range names {
		if rewrite.Reserved(id.Name) {
			failing = true
			continue
		}
		e := b.x.entityOf(objectOf(b.info, id))
		if e == nil || e.unused && !e.read && !e.global {
			left = append(left, "_")
			continue
		}
		if t := b.types[objectOf(b.info, id)]; t != nil {
			typ = t
		}
		blank = false
		global = global || e.global
		fresh = fresh || !e.defined && !e.global
		list = append(list, e)
		left = append(left, e.final)
	}
	switch {
	case len(values) == 0:
		return b.zeros(list, typ)
	case blank && !slices.ContainsFunc(values, func(v ast.Expr) bool { return !inert(v) }):
		return ""
	}
	right := ""
	if call, ok := ast.Unparen(values[0]).(*ast.CallExpr); ok && failing {
		right = b.must(call)
	} else {
		right = b.list(values)
	}
	text := strings.Join(left, ", ") + " = " + right
	switch {
	case blank || global || !fresh:
	case typ != nil && allFresh(list):
		text = "var " + strings.Join(left, ", ") + " " + b.write(typ) + " = " + right
	default:
		text = strings.Join(left, ", ") + " := " + right
	}
	for _, e := range list {
		if e.unused && !e.defined && !e.global {
			text += "\n_ = " + e.final
		}
		e.defined = true
	}
	return text
}

// inert reports whether evaluating the value has no effect: it is a literal or a name.
func inert(value ast.Expr) bool {
	does := false
	ast.Inspect(value, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.CallExpr, *ast.IndexExpr, *ast.SliceExpr, *ast.StarExpr, *ast.UnaryExpr, *ast.BinaryExpr, *ast.TypeAssertExpr, *ast.SelectorExpr:
			does = true
		case *ast.FuncLit:
			return false
		}
		return !does
	})
	return !does
}

func allFresh(list []*entity) bool {
	for _, e := range list {
		if e.defined {
			return false
		}
	}
	return true
}

// zeros writes the definition of variables without values.
func (b *body) zeros(list []*entity, typ ast.Expr) string {
	var text []string
	for _, e := range list {
		switch {
		case e.defined:
			text = append(text, e.final+" = "+b.zero(e.obj.Type()))
		case e.global:
		default:
			text = append(text, "var "+e.final+" "+b.write(typ))
			if e.unused {
				text = append(text, "_ = "+e.final)
			}
		}
		e.defined = true
	}
	return strings.Join(text, "\n")
}

// zero writes the zero value of a type.
func (b *body) zero(t types.Type) string {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsBoolean != 0:
			return "false"
		case u.Info()&types.IsString != 0:
			return `""`
		case u.Info()&types.IsNumeric != 0:
			return "0"
		}
		return "nil"
	case *types.Struct, *types.Array:
		return b.typeText(t) + "{}"
	}
	return "nil"
}

// declaration writes a function, method, type or constant. Spare ones are declarations of earlier
// cells that are declared again because the cell has changed something.
func (b *body) declaration(d ast.Decl, spare bool) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		b.function(d, spare)
	case *ast.GenDecl:
		switch d.Tok {
		case token.CONST:
			b.add(d.Pos(), d.End(), true, func() string { return b.copy(d) }).spare = spare
		case token.TYPE:
			b.typeDeclaration(d, spare)
		}
	}
}

func (b *body) typeDeclaration(d *ast.GenDecl, spare bool) {
	var specs []ast.Spec
	for _, s := range d.Specs {
		if e := b.x.entityOf(b.info.Defs[s.(*ast.TypeSpec).Name]); e != nil && !e.defined {
			e.defined = true
			specs = append(specs, s)
		}
	}
	if len(specs) == 0 {
		return
	}
	b.add(d.Pos(), d.End(), true, func() string {
		if !d.Lparen.IsValid() {
			return b.copy(d)
		}
		text := "type (\n"
		for _, s := range specs {
			if doc := s.(*ast.TypeSpec).Doc; doc != nil {
				text += b.x.slice(doc.Pos(), doc.End()) + "\n"
			}
			text += b.write(s) + "\n"
		}
		return text + ")"
	}).spare = spare
}

func (b *body) function(fn *ast.FuncDecl, spare bool) {
	switch {
	case fn.Name.Name == rewrite.EntryName, rewrite.Reserved(fn.Name.Name):
		return
	case fn.Recv != nil:
		b.method(fn, spare)
		return
	case fn.Name.Name == "init":
		b.add(fn.Pos(), fn.End(), true, func() string {
			return strings.Replace(b.copy(fn), "init", b.x.initName(fn), 1)
		})
		return
	}
	it := b.add(fn.Pos(), fn.End(), true, func() string { return b.copy(fn) })
	it.entity, it.spare = b.x.entityOf(b.info.Defs[fn.Name]), spare
}

// method writes a method; of several methods with one name, it writes the last.
func (b *body) method(fn *ast.FuncDecl, spare bool) {
	name := b.x.methodName(b.info, fn)
	if last, ok := b.x.methods[name]; ok && last.cell != b.c.index {
		if last.pos == fn.Pos() {
			return
		}
		b.x.note(fmt.Sprintf("method %s is declared again in cell [%d]: the program uses the later declaration from the start", name, b.x.cells[last.cell].src.Number))
		return
	}
	if t := b.x.entityOf(b.info.Uses[check.Receiver(fn)]); t != nil && t.cell < b.c.index && !spare && writesText[fn.Name.Name] {
		b.x.note(fmt.Sprintf("method %s is declared in cell [%d], later than its type: the program has the method from the start", name, b.c.src.Number))
	}
	b.add(fn.Pos(), fn.End(), true, func() string { return b.copy(fn) }).spare = spare
}

// writesText lists the methods that change how values of a type are shown.
var writesText = map[string]bool{"String": true, "Error": true, "GoString": true, "Format": true, "Display": true, "MarshalText": true, "MarshalJSON": true}

// methodName returns the name of a method with the name of its type.
func (x *exporter) methodName(info *types.Info, fn *ast.FuncDecl) string {
	id := check.Receiver(fn)
	if e := x.entityOf(info.Uses[id]); e != nil {
		return e.final + "." + fn.Name.Name
	}
	return id.Name + "." + fn.Name.Name
}
