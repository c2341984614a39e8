package page

import (
	"go/scanner"
	"go/token"
	"html"
	"html/template"
	"slices"
	"strings"

	"github.com/gokernel/gokernel/internal/pattern"
)

// highlight colors the code of a cell. Lines of the cell language that are not Go, such as magics,
// have a separate style.
func (d *document) highlight(src string) template.HTML {
	var b strings.Builder
	lines := strings.SplitAfter(strings.TrimRight(src, " \t\n"), "\n")
	for i := 0; i < len(lines); {
		if isMagic(lines[i]) {
			span(&b, "magic", lines[i])
			i++
			continue
		}
		j := i
		for j < len(lines) && !isMagic(lines[j]) {
			j++
		}
		d.highlightGo(&b, strings.Join(lines[i:j], ""))
		i = j
	}
	return template.HTML(b.String())
}

// isMagic reports whether a line is a magic, a shell command or a request for documentation.
func isMagic(line string) bool {
	t := strings.TrimSpace(line)
	return strings.HasPrefix(t, "%") || strings.HasPrefix(t, "!") || strings.HasPrefix(t, "?") || strings.HasSuffix(t, "?")
}

// highlightAs colors Go code. The language is named as in Markdown. Code in another language is
// only escaped.
func (d *document) highlightAs(language, src string) string {
	if language != "go" && language != "golang" {
		return html.EscapeString(src)
	}
	var b strings.Builder
	d.highlightGo(&b, src)
	return b.String()
}

func span(b *strings.Builder, class, text string) {
	b.WriteString(`<span class="` + class + `">` + html.EscapeString(text) + `</span>`)
}

// predeclared are the types, constants and functions of the universe.
var predeclared = strings.Fields(`any bool byte comparable complex64 complex128 error float32 float64 int int8 int16
	int32 int64 rune string uint uint8 uint16 uint32 uint64 uintptr true false iota nil append cap clear close complex
	copy delete imag len make max min new panic print println real recover`)

// highlightGo colors Go source, which may be incomplete. It writes all of src, even text that is
// not Go.
func (d *document) highlightGo(b *strings.Builder, src string) {
	fset := token.NewFileSet()
	file := fset.AddFile("", fset.Base(), len(src))
	var s scanner.Scanner
	s.Init(file, []byte(src), func(token.Position, string) {}, scanner.ScanComments)
	at := 0 // text before it has been written
	var before tokens
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			break
		}
		start := file.Offset(pos)
		if tok == token.SEMICOLON && lit == "\n" {
			continue
		}
		if lit == "" {
			lit = tok.String()
		}
		end := start + len(lit)
		// The scanner removes carriage returns from literals.
		if end > len(src) || src[start:end] != lit {
			continue
		}
		b.WriteString(html.EscapeString(src[at:start]))
		at = end
		address := ""
		if tok == token.IDENT {
			address = d.name(&before, lit, src[end:])
		}
		before.add(tok, lit)
		if address != "" {
			b.WriteString(`<a href="` + html.EscapeString(address) + `">`)
		}
		switch class := class(tok, lit, src[end:]); class {
		case "":
			b.WriteString(html.EscapeString(lit))
		default:
			span(b, class, lit)
		}
		if address != "" {
			b.WriteString("</a>")
		}
	}
	b.WriteString(html.EscapeString(src[at:]))
}

// class returns the class that colors a token; rest is the source after it.
func class(tok token.Token, lit, rest string) string {
	switch {
	case tok == token.COMMENT:
		return "comment"
	case tok == token.STRING || tok == token.CHAR:
		return "string"
	case tok.IsLiteral() && tok != token.IDENT:
		return "number"
	case tok.IsKeyword():
		return "keyword"
	case tok == token.IDENT && slices.Contains(predeclared, lit):
		return "builtin"
	case tok == token.IDENT && strings.HasPrefix(rest, "("):
		return "call"
	}
	return ""
}

// Highlight colors Go code outside a notebook.
func Highlight(src string, opt Options) template.HTML { return newDocument(opt).highlight(src) }

// tokens contains the last two tokens before a name. For a qualified name, they are the package and
// the dot.
type tokens [2]string

func (t *tokens) add(tok token.Token, lit string) {
	t[0] = t[1]
	t[1] = lit
	if tok == token.COMMENT {
		t[1] = ""
	}
}

// name returns the address of the documentation of a name, or "" if there is none. Only names that
// follow a dot and functions that are called without a package can have documentation.
func (d *document) name(before *tokens, name, rest string) string {
	switch {
	case d.opt.Name == nil:
		return ""
	case before[1] == ".":
		return d.opt.Name(before[0], name)
	case strings.HasPrefix(rest, "(") && before[1] != "func":
		return d.opt.Name("", name)
	}
	return ""
}

// packageName matches a qualified name at the start of code within a text.
var packageName = pattern.New(`^&?([a-z]+)\.([A-Z][A-Za-z0-9]*)`)

// codeSpan shows code within a text; a name of the library links to its documentation.
func (d *document) codeSpan(text string) string {
	code := "<code>" + html.EscapeString(text) + "</code>"
	if d.opt.Name == nil {
		return code
	}
	m := packageName().FindStringSubmatch(text)
	if m == nil {
		return code
	}
	if address := d.opt.Name(m[1], m[2]); address != "" {
		return `<a href="` + html.EscapeString(address) + `">` + code + "</a>"
	}
	return code
}
