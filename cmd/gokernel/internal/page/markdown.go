package page

import (
	"bytes"
	"fmt"
	"html"
	"html/template"
	"strings"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	ghtml "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Heading is one heading of the page.
type Heading struct {
	Level int
	ID    string
	Text  string
}

// document is a page under construction.
type document struct {
	md       goldmark.Markdown
	ids      parser.IDs
	headings []Heading
	math     bool // some text has formulas
	charts   bool // some output is an interactive chart
	opt      Options
	current  string         // the ID of the current cell
	widgets  map[string]any // the models in the notebook
	frames   map[string]*notebook.Frames
	moves    bool // some output has controls that move

	equations map[string]string // numbers of formulas, by label
}

func newDocument(opt Options) *document {
	d := &document{ids: parser.NewContext().IDs(), opt: opt}
	d.md = goldmark.New(
		goldmark.WithExtensions(extension.GFM, extension.Footnote, extension.DefinitionList),
		goldmark.WithParserOptions(
			parser.WithAutoHeadingID(),
			parser.WithInlineParsers(util.Prioritized(mathParser{}, 150)),
			parser.WithBlockParsers(util.Prioritized(mathBlockParser{}, 650)),
		),
		goldmark.WithRendererOptions(
			ghtml.WithUnsafe(), // Markdown in notebooks may contain HTML
			renderer.WithNodeRenderers(util.Prioritized(nodeRenderer{d}, 100)),
		),
	)
	return d
}

// markdown renders the Markdown of one cell.
func (d *document) markdown(src string, images map[string]map[string]any) template.HTML {
	b := []byte(src)
	root := d.md.Parser().Parse(text.NewReader(b), parser.WithContext(parser.NewContext(parser.WithIDs(d.ids))))
	// The visitor never fails.
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			if id, ok := n.AttributeString("id"); ok {
				d.headings = append(d.headings, Heading{n.Level, fmt.Sprintf("%s", id), plain(n, b)})
			}
		case *ast.Image:
			if name, ok := strings.CutPrefix(string(n.Destination), "attachment:"); ok {
				n.Destination = attachment(images[name])
			} else {
				n.Destination = d.link(n.Destination)
			}
		case *ast.Link:
			n.Destination = d.link(n.Destination)
		case *formula, *formulaBlock:
			d.math = true
		}
		return ast.WalkContinue, nil
	})
	var out bytes.Buffer
	if err := d.md.Renderer().Render(&out, b, root); err != nil {
		return template.HTML("<pre>" + html.EscapeString(src) + "</pre>")
	}
	return d.clean(out.String())
}

// link returns the address that replaces the address of a link in a text.
func (d *document) link(address []byte) []byte {
	if d.opt.Link == nil {
		return address
	}
	return []byte(d.opt.Link(string(address)))
}

// plain returns the text of a node without its markup.
func plain(n ast.Node, src []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			switch n := n.(type) {
			case *ast.Text:
				b.Write(n.Segment.Value(src))
			case *formula:
				b.WriteString(n.tex)
			}
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

func attachment(data map[string]any) []byte {
	for _, mime := range mimes {
		if s, ok := data[mime].(string); ok && strings.HasPrefix(mime, "image/") {
			return fmt.Appendf(nil, "data:%s;base64,%s", mime, s)
		}
	}
	return nil
}

// nodeRenderer renders formulas for the script of the page, code blocks with colors, and names of
// the library with links.
type nodeRenderer struct{ doc *document }

func (r nodeRenderer) RegisterFuncs(reg renderer.NodeRendererFuncRegisterer) {
	reg.Register(kindFormula, func(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			f := n.(*formula)
			_, _ = w.WriteString(r.doc.formula(f.tex, f.display))
		}
		return ast.WalkSkipChildren, nil
	})
	reg.Register(kindReference, func(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			f := n.(*reference)
			_, _ = w.WriteString(r.doc.refer(f.label, f.parentheses))
		}
		return ast.WalkSkipChildren, nil
	})
	reg.Register(kindFormulaBlock, func(w util.BufWriter, src []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			_, _ = w.WriteString(r.doc.formula(blockText(n, src), true) + "\n")
		}
		return ast.WalkSkipChildren, nil
	})
	reg.Register(ast.KindFencedCodeBlock, func(w util.BufWriter, src []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			lang := string(n.(*ast.FencedCodeBlock).Language(src))
			_, _ = w.WriteString("<pre><code>" + r.doc.highlightAs(lang, blockText(n, src)) + "</code></pre>\n")
		}
		return ast.WalkSkipChildren, nil
	})
	reg.Register(ast.KindCodeSpan, func(w util.BufWriter, src []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			_, _ = w.WriteString(r.doc.codeSpan(strings.ReplaceAll(plain(n, src), "\n", " ")))
		}
		return ast.WalkSkipChildren, nil
	})
}

func blockText(n ast.Node, src []byte) string {
	var b strings.Builder
	lines := n.Lines()
	for i := range lines.Len() {
		seg := lines.At(i)
		b.Write(seg.Value(src))
	}
	return b.String()
}
