// Package inspect formats the documentation of the name at the cursor: signature, documentation
// with formulas, fields and methods, and the source of declarations in cells.
package inspect

import (
	"fmt"
	"go/doc/comment"
	"go/format"
	"go/token"
	"go/types"
	"strings"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/interp/complete"
	"github.com/gokernel/gokernel/interp/cursor"
)

// Env is the source of documentation.
type Env struct {
	cursor.Env
	// Doc returns the comment of a package (name is empty), of one of its exported names, or of
	// "Type.Member"; it may be nil.
	Doc func(path, name string) string
	// Code returns the text of a declaration of a compiled package, with its file and line. The
	// text is empty if the program does not contain it. The names are those of Doc; it may be nil.
	Code func(path, name string) (text, pos string)
	// Source returns the comment and the text of an object's declaration in a cell.
	Source func(o types.Object) (doc, text string)
	// Magic returns the documentation of a magic, named with its % signs.
	Magic func(name string) (string, bool)
}

// At returns the documentation of the name at an offset of the code; detail 1 adds the source.
func At(env *Env, code string, offset, detail int) (display.Bundle, bool) {
	line := code[strings.LastIndexByte(code[:offset], '\n')+1:]
	if line, _, _ = strings.Cut(line, "\n"); strings.HasPrefix(strings.TrimSpace(line), "%") && env.Magic != nil {
		name, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		if text, ok := env.Magic(strings.TrimRight(name, "?")); ok {
			return bundle([]block{{code: name}, {text: text}}), true
		}
	}
	for _, w := range words(code, offset) {
		if t := token.Lookup(code[w.start:w.end]); t.IsKeyword() {
			return bundle([]block{{code: t.String()}, {text: "A keyword of Go."}}), true
		}
		place := cursor.Find(&env.Env, code, w.start, w.end)
		if place == nil {
			continue
		}
		if o := place.Object(); o != nil {
			return bundle(env.describe(o, place, detail)), true
		}
		if o := env.packageNamed(code[w.start:w.end]); o != nil {
			return bundle(env.describe(o, place, detail)), true
		}
	}
	return display.Bundle{}, false
}

// packageNamed returns the package that a name alone refers to.
func (env *Env) packageNamed(name string) types.Object {
	if env.Visible(name) != nil {
		return nil
	}
	path, ok := env.ImportPath(name, nil)
	if !ok {
		return nil
	}
	pkg, err := env.Importer.Import(path)
	if err != nil {
		return nil
	}
	return types.NewPkgName(token.NoPos, nil, name, pkg)
}

type word struct{ start, end int }

// words returns the candidate names, best first: the one at the cursor, then the function whose
// arguments contain the cursor.
func words(code string, offset int) []word {
	var list []word
	if start, end := cursor.Word(code, offset); start < end {
		list = append(list, word{start, end})
	}
	depth := 0
	for i := offset - 1; i >= 0; i-- {
		switch code[i] {
		case ')', ']', '}':
			depth++
		case '(', '[', '{':
			if depth > 0 {
				depth--
				continue
			}
			at := len(strings.TrimRight(code[:i], " \t"))
			if start, end := cursor.Word(code, at); start < end {
				list = append(list, word{start, end})
			}
			if code[i] != '[' {
				return list
			}
		case '\n':
			if depth == 0 && i < offset-1 && len(list) > 0 {
				return list
			}
		}
	}
	return list
}

// block is a part of the documentation: Go code or Markdown text.
type block struct{ code, text string }

// bundle formats the blocks as Markdown and as plain text.
func bundle(blocks []block) display.Bundle {
	var md, plain []string
	for _, b := range blocks {
		if b.code != "" {
			md = append(md, "```go\n"+b.code+"\n```")
			plain = append(plain, b.code)
		}
		if b.text != "" {
			d := new(comment.Parser).Parse(b.text)
			p := &comment.Printer{HeadingLevel: 4, TextWidth: 88, DocLinkURL: func(*comment.DocLink) string { return "" }, HeadingID: func(*comment.Heading) string { return "" }}
			md = append(md, strings.TrimSpace(string(p.Markdown(d))))
			plain = append(plain, strings.TrimRight(string(p.Text(d)), "\n"))
		}
	}
	return display.Bundle{Data: map[string]any{
		display.MIMEMarkdown: strings.Join(md, "\n\n"),
		display.MIMEText:     strings.Join(plain, "\n\n"),
	}}
}

// describe returns the documentation of an object.
func (env *Env) describe(o types.Object, place *cursor.Place, detail int) []block {
	blocks := []block{{code: env.declaration(o)}}
	if pkg := packageOf(o); pkg != "" {
		blocks[0].code = "// " + pkg + "\n" + blocks[0].code
	}
	doc, source := "", ""
	if o.Pkg() != nil && o.Pkg().Path() == "main" {
		if env.Source != nil {
			doc, source = env.Source(o)
		}
	} else {
		path, name := docKey(o, place)
		doc = env.doc(path, name)
		if env.Code != nil && name != "" && path != "builtin" && detail > 0 && !isField(o) {
			source = env.compiledSource(path, name)
		}
	}
	if doc != "" {
		blocks = append(blocks, block{text: doc})
		if t, ok := o.(*types.TypeName); ok && structOf(t) != nil {
			// The purpose of a struct is more useful than its fields.
			blocks[0], blocks[1] = blocks[1], blocks[0]
		}
	}
	if v, ok := o.(*types.Var); ok && !v.IsField() {
		// For a variable, the methods of its type are more useful than its name.
		if n := named(v.Type()); n != nil && n.Obj().Pkg() != nil {
			if doc := env.doc(n.Obj().Pkg().Path(), n.Obj().Name()); doc != "" {
				blocks = append(blocks, block{text: doc})
			}
			if n.Obj().Pkg().Path() != "main" {
				blocks = append(blocks, block{code: env.typeDeclaration(n.Obj(), qualifier(n.Obj()))})
			}
		}
		if m := methods(v.Type()); m != "" {
			blocks = append(blocks, block{code: m})
		}
	}
	if t, ok := o.(*types.TypeName); ok {
		if m := methods(t.Type()); m != "" {
			blocks = append(blocks, block{code: m})
		}
	}
	if detail > 0 && source != "" {
		blocks = append(blocks, block{code: source})
	}
	return blocks
}

func isField(o types.Object) bool {
	v, ok := o.(*types.Var)
	return ok && v.IsField()
}

// doc calls Doc, which may be nil. It makes the line with the items of the course a separate
// paragraph.
func (env *Env) doc(path, name string) string {
	if env.Doc == nil {
		return ""
	}
	return strings.ReplaceAll(env.Doc(path, name), "\nCourse:", "\n\nCourse:")
}

// compiledSource returns the source of a name of a package, or its position if the program does not
// contain the source.
func (env *Env) compiledSource(path, name string) string {
	text, pos := env.Code(path, name)
	if src, err := format.Source([]byte(text)); err == nil {
		text = string(src)
	}
	switch {
	case text != "" && pos != "":
		return "// " + pos + "\n" + text
	case text != "":
		return text
	case pos != "":
		return "// The source is not part of this kernel: it is at " + pos + " of package " + path + "."
	}
	return ""
}

// declaredBy returns the type that a struct type name refers to: a subpackage declares what the
// facade of the course library exports.
func declaredBy(o types.Object) types.Object {
	if t, ok := o.(*types.TypeName); ok && t.IsAlias() && structOf(t) != nil {
		if n, ok := types.Unalias(t.Type()).(*types.Named); ok {
			return n.Obj()
		}
	}
	return o
}

// packageOf returns the path of the package that declares an object.
func packageOf(o types.Object) string {
	o = declaredBy(o)
	if _, ok := o.(*types.PkgName); ok || o.Pkg() == nil || o.Pkg().Path() == "main" {
		return ""
	}
	return o.Pkg().Path()
}

func named(t types.Type) *types.Named {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, _ := types.Unalias(t).(*types.Named)
	return n
}

// docKey returns the package and the name of an object's documentation.
func docKey(o types.Object, place *cursor.Place) (path, name string) {
	switch o := declaredBy(o).(type) {
	case *types.TypeName:
		if o.Pkg() != nil {
			return o.Pkg().Path(), o.Name()
		}
	case *types.PkgName:
		return o.Imported().Path(), ""
	case *types.Builtin, *types.Nil:
		return "builtin", o.Name()
	case *types.Func:
		if recv := o.Signature().Recv(); recv != nil {
			if n := named(recv.Type()); n != nil {
				return o.Pkg().Path(), n.Obj().Name() + "." + o.Name()
			}
		}
	case *types.Var:
		if o.IsField() {
			var t types.Type
			switch {
			case place.Selector != nil:
				t = place.Info.TypeOf(place.Selector.X)
			case place.Literal != nil:
				t = place.Info.TypeOf(place.Literal)
			}
			if n := ownerOf(t, o); n != nil && n.Obj().Pkg() != nil {
				return n.Obj().Pkg().Path(), n.Obj().Name() + "." + o.Name()
			}
		}
	}
	if o.Pkg() == nil {
		return "builtin", o.Name()
	}
	return o.Pkg().Path(), o.Name()
}

// ownerOf finds the type with the field v: t or a type embedded in it.
func ownerOf(t types.Type, v *types.Var) *types.Named {
	if t == nil {
		return nil
	}
	n := named(t)
	if n == nil {
		return nil
	}
	st, ok := n.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	for f := range st.Fields() {
		if f == v {
			return n
		}
	}
	for f := range st.Fields() {
		if f.Embedded() {
			if o := ownerOf(f.Type(), v); o != nil {
				return o
			}
		}
	}
	return nil
}

// qualifier omits the package of an object, and the package of cells.
func qualifier(o types.Object) types.Qualifier {
	return func(p *types.Package) string {
		if p.Path() == "main" || p == o.Pkg() {
			return ""
		}
		return p.Name()
	}
}

// declaration formats the declaration of an object, without bodies.
func (env *Env) declaration(o types.Object) string {
	q := qualifier(o)
	switch o := o.(type) {
	case *types.PkgName:
		return "package " + o.Imported().Name() + " // import \"" + o.Imported().Path() + "\""
	case *types.TypeName:
		return env.typeDeclaration(o, q)
	case *types.Builtin:
		return "func " + o.Name()
	case *types.Nil:
		return "nil"
	case *types.Const:
		if o.Val() != nil {
			return "const " + o.Name() + " " + types.TypeString(o.Type(), q) + " = " + o.Val().String()
		}
	case *types.Func:
		if recv := o.Signature().Recv(); recv != nil {
			return "func (" + types.TypeString(recv.Type(), q) + ") " + o.Name() + strings.TrimPrefix(types.TypeString(o.Type(), q), "func")
		}
	case *types.Var:
		if o.IsField() {
			return o.Name() + " " + types.TypeString(o.Type(), q)
		}
	}
	return types.ObjectString(o, q)
}

// structOf returns the struct type of a type name, if it is one.
func structOf(o *types.TypeName) *types.Struct {
	st, _ := o.Type().Underlying().(*types.Struct)
	return st
}

// typeDeclaration formats a struct or interface with one member per line.
func (env *Env) typeDeclaration(o *types.TypeName, q types.Qualifier) string {
	head := "type " + o.Name()
	n, _ := types.Unalias(o.Type()).(*types.Named)
	if n != nil && n.TypeParams().Len() > 0 {
		var ps []string
		for tp := range n.TypeParams().TypeParams() {
			ps = append(ps, tp.Obj().Name()+" "+types.TypeString(tp.Constraint(), q))
		}
		head += "[" + strings.Join(ps, ", ") + "]"
	}
	st := structOf(o)
	if o.IsAlias() && (n == nil || st == nil && !types.IsInterface(n)) {
		return head + " = " + types.TypeString(types.Unalias(o.Type()), q)
	}
	if n != nil {
		o = n.Obj() // its package declares the members
		q = qualifier(o)
	}
	switch u := o.Type().Underlying().(type) {
	case *types.Struct:
		return env.structDeclaration(head, o, st, q)
	case *types.Interface:
		var b strings.Builder
		b.WriteString(head + " interface {\n")
		for m := range u.Methods() {
			b.WriteString("\t" + m.Name() + strings.TrimPrefix(types.TypeString(m.Type(), q), "func") + "\n")
		}
		return b.String() + "}"
	default:
		return head + " " + types.TypeString(u, q)
	}
}

// structDeclaration formats a struct type: the fields that users set, with the meaning of their
// zero values, and separately the fields that hold results.
func (env *Env) structDeclaration(head string, o *types.TypeName, st *types.Struct, q types.Qualifier) string {
	var b strings.Builder
	b.WriteString(head + " struct {\n")
	own := o.Pkg() != nil && o.Pkg().Path() == "main"
	hidden, results := false, false
	for f := range st.Fields() {
		if !f.Exported() && !own {
			hidden = true
			continue
		}
		line := types.TypeString(f.Type(), q)
		if !f.Embedded() {
			line = f.Name() + " " + line
		}
		doc := ""
		if !own && o.Pkg() != nil {
			doc = complete.FieldLine(env.doc(o.Pkg().Path(), o.Name()+"."+f.Name()))
		}
		if complete.IsResult(doc) && !results {
			results = true
			b.WriteString("\n")
		}
		if doc != "" {
			line += " // " + doc
		}
		b.WriteString("\t" + line + "\n")
	}
	if hidden {
		b.WriteString("\t// and fields that are not exported\n")
	}
	b.WriteString("}")
	if text, err := format.Source([]byte(b.String())); err == nil {
		return string(text)
	}
	return b.String()
}

// maxMethods is the maximum number of methods of a type to list.
const maxMethods = 200

// methods lists the methods of a type.
func methods(t types.Type) string {
	n := named(t)
	if n == nil {
		return ""
	}
	if _, ok := n.Underlying().(*types.Interface); ok {
		return ""
	}
	q := qualifier(n.Obj())
	var lines []string
	more := 0
	for _, m := range complete.Members(n) {
		fn, ok := m.Object.(*types.Func)
		if !ok {
			continue
		}
		if more++; more > maxMethods {
			continue
		}
		lines = append(lines, "func (*"+n.Obj().Name()+") "+fn.Name()+strings.TrimPrefix(types.TypeString(fn.Type(), q), "func"))
	}
	if more > maxMethods {
		lines = append(lines, fmt.Sprintf("// and %d more, which completion lists after a dot", more-maxMethods))
	}
	return strings.Join(lines, "\n")
}
