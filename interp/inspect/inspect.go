// Package inspect writes the documentation of what stands at the cursor of a
// cell: signature, documentation with its formulas, fields and methods, and the
// source of what cells declared.
package inspect

import (
	"go/doc/comment"
	"go/token"
	"go/types"
	"strings"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/interp/complete"
	"github.com/gokernel/gokernel/interp/cursor"
)

// Env is what documentation comes from.
type Env struct {
	cursor.Env
	// Doc gives the comment on a package (name is empty), on an exported name of
	// one, or on "Type.Member"; it may be nil.
	Doc func(path, name string) string
	// Source gives the comment and the text with which a cell declared the object.
	Source func(o types.Object) (doc, text string)
	// Magic gives the documentation of a magic as it is written, with its % signs.
	Magic func(name string) (string, bool)
}

// At documents the name at the offset of the code; detail 1 adds source.
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
	}
	return display.Bundle{}, false
}

type word struct{ start, end int }

// words gives the names that may be meant, best first: the one at the cursor,
// then the function whose arguments the cursor is among.
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

// block is a piece of documentation: Go code, or text in Markdown.
type block struct{ code, text string }

// bundle writes the blocks as Markdown and as plain text.
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

// describe documents an object.
func (env *Env) describe(o types.Object, place *cursor.Place, detail int) []block {
	blocks := []block{{code: declaration(o)}}
	if pkg := packageOf(o); pkg != "" {
		blocks[0].code = "// " + pkg + "\n" + blocks[0].code
	}
	doc, source := "", ""
	if o.Pkg() != nil && o.Pkg().Path() == "main" {
		if env.Source != nil {
			doc, source = env.Source(o)
		}
	} else if env.Doc != nil {
		doc = env.Doc(docKey(o, place))
	}
	if doc != "" {
		blocks = append(blocks, block{text: doc})
	}
	if v, ok := o.(*types.Var); ok && !v.IsField() {
		// Of a variable, what its type can do is of more use than its name.
		if n := named(v.Type()); n != nil && n.Obj().Pkg() != nil && env.Doc != nil {
			if doc := env.Doc(n.Obj().Pkg().Path(), n.Obj().Name()); doc != "" {
				blocks = append(blocks, block{text: doc})
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

func packageOf(o types.Object) string {
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

// docKey gives the package and the name under which the object is documented.
func docKey(o types.Object, place *cursor.Place) (path, name string) {
	switch o := o.(type) {
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
		if o.IsField() && place.Selector != nil {
			if n := named(place.Info.TypeOf(place.Selector.X)); n != nil && n.Obj().Pkg() != nil {
				return n.Obj().Pkg().Path(), n.Obj().Name() + "." + o.Name()
			}
		}
	}
	if o.Pkg() == nil {
		return "builtin", o.Name()
	}
	return o.Pkg().Path(), o.Name()
}

// declaration writes an object as its declaration would be, without bodies.
func declaration(o types.Object) string {
	q := func(p *types.Package) string {
		if p.Path() == "main" || p == o.Pkg() {
			return ""
		}
		return p.Name()
	}
	switch o := o.(type) {
	case *types.PkgName:
		return "package " + o.Imported().Name() + " // import \"" + o.Imported().Path() + "\""
	case *types.TypeName:
		return typeDeclaration(o, q)
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

// typeDeclaration writes a struct or interface with one member a line.
func typeDeclaration(o *types.TypeName, q types.Qualifier) string {
	head := "type " + o.Name()
	if n, ok := o.Type().(*types.Named); ok && n.TypeParams().Len() > 0 {
		var ps []string
		for tp := range n.TypeParams().TypeParams() {
			ps = append(ps, tp.Obj().Name()+" "+types.TypeString(tp.Constraint(), q))
		}
		head += "[" + strings.Join(ps, ", ") + "]"
	}
	if o.IsAlias() {
		return head + " = " + types.TypeString(types.Unalias(o.Type()), q)
	}
	var b strings.Builder
	switch u := o.Type().Underlying().(type) {
	case *types.Struct:
		b.WriteString(head + " struct {\n")
		hidden := false
		for f := range u.Fields() {
			if !f.Exported() && (o.Pkg() == nil || o.Pkg().Path() != "main") {
				hidden = true
				continue
			}
			if f.Embedded() {
				b.WriteString("\t" + types.TypeString(f.Type(), q) + "\n")
			} else {
				b.WriteString("\t" + f.Name() + " " + types.TypeString(f.Type(), q) + "\n")
			}
		}
		if hidden {
			b.WriteString("\t// and fields that are not exported\n")
		}
		b.WriteString("}")
	case *types.Interface:
		b.WriteString(head + " interface {\n")
		for m := range u.Methods() {
			b.WriteString("\t" + m.Name() + strings.TrimPrefix(types.TypeString(m.Type(), q), "func") + "\n")
		}
		b.WriteString("}")
	default:
		return head + " " + types.TypeString(u, q)
	}
	return b.String()
}

// maxMethods is how many methods of a type are listed.
const maxMethods = 40

// methods lists the methods of a type.
func methods(t types.Type) string {
	n := named(t)
	if n == nil {
		return ""
	}
	if _, ok := n.Underlying().(*types.Interface); ok {
		return ""
	}
	q := func(p *types.Package) string {
		if p.Path() == "main" || p == n.Obj().Pkg() {
			return ""
		}
		return p.Name()
	}
	var lines []string
	for _, m := range complete.Members(n) {
		fn, ok := m.Object.(*types.Func)
		if !ok {
			continue
		}
		if len(lines) == maxMethods {
			lines = append(lines, "// ...")
			break
		}
		lines = append(lines, "func (*"+n.Obj().Name()+") "+fn.Name()+strings.TrimPrefix(types.TypeString(fn.Type(), q), "func"))
	}
	return strings.Join(lines, "\n")
}
