package page

import (
	"embed"
	"encoding/base64"
	"fmt"
	"html"
	"html/template"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/gokernel/gokernel/internal/pattern"
)

// This is KaTeX 0.19.1 as its authors release it, with its MIT license in the same folder. The
// script is compressed with gzip -9n.
//
//go:embed katex/LICENSE katex/katex.min.css katex/katex.min.js.gz katex/fonts/*.woff2
var katexFiles embed.FS

// mathJS typesets every formula of the page. A formula that KaTeX does not understand stays as it
// is written. A full stop or comma after an inline formula stays with the last part of the formula,
// because lines can break after boxes.
const mathJS = `for (const e of document.querySelectorAll(".math")) {
  katex.render(e.textContent, e, {displayMode: e.classList.contains("display"), throwOnError: false, strict: false});
  const next = e.nextSibling, last = [...e.querySelectorAll(".katex-html > .katex-base")].pop();
  if (!last || !next || next.nodeType != Node.TEXT_NODE || e.classList.contains("display")) continue;
  const mark = next.data.match(/^[.,;:!?)\]]+/);
  if (!mark) continue;
  next.data = next.data.slice(mark[0].length);
  const whole = document.createElement("span"), stop = document.createElement("span");
  whole.className = "whole";
  stop.className = "stop";
  stop.textContent = mark[0];
  last.replaceWith(whole);
  whole.append(last, stop);
}`

var fontURL = pattern.New(`src:url\(fonts/([A-Za-z0-9_-]+\.woff2)\)[^}]*?format\("woff2"\)[^};]*`)

// katex returns the style sheet with its fonts, and the script.
func katex() (css, js string, err error) {
	b, err := katexFiles.ReadFile("katex/katex.min.css")
	if err != nil {
		return "", "", err
	}
	css = fontURL().ReplaceAllStringFunc(string(b), func(m string) string {
		font, ferr := katexFiles.ReadFile("katex/fonts/" + fontURL().FindStringSubmatch(m)[1])
		if ferr != nil {
			err = ferr
		}
		return `src:url(data:font/woff2;base64,` + base64.StdEncoding.EncodeToString(font) + `) format("woff2")`
	})
	if err != nil {
		return "", "", err
	}
	if b, err = unpacked(katexFiles, "katex/katex.min.js.gz"); err != nil {
		return "", "", err
	}
	// A script must not contain its end tag.
	return css, strings.ReplaceAll(string(b), "</script", `<\/script`), nil
}

func mathSpan(tex string, display bool) string {
	class := "inline"
	if display {
		class = "display"
	}
	return fmt.Sprintf(`<span class="math %s">%s</span>`, class, html.EscapeString(strings.TrimSpace(tex)))
}

// latex shows a text/latex output: a formula between dollar signs, or an
// environment.
func (d *document) latex(s string) template.HTML {
	s = strings.TrimSpace(s)
	d.math = true
	for _, q := range delimiters {
		if in, ok := strings.CutPrefix(s, q.open); ok {
			if in, ok = strings.CutSuffix(in, q.close); ok && !strings.Contains(in, q.close) {
				return template.HTML(mathSpan(in, true))
			}
		}
	}
	return template.HTML(mathSpan(s, true))
}

// delimiters lists the delimiters of formulas, longer ones first.
var delimiters = []struct {
	open, close string
	display     bool
}{
	{"$$", "$$", true},
	{`\\[`, `\\]`, true},
	{`\\(`, `\\)`, false},
	{`\[`, `\]`, true},
	{`\(`, `\)`, false},
	{"$", "$", false},
}

var (
	kindFormula      = ast.NewNodeKind("Formula")
	kindFormulaBlock = ast.NewNodeKind("FormulaBlock")
)

// formula is a formula within a paragraph.
type formula struct {
	ast.BaseInline
	tex     string
	display bool
}

func (*formula) Kind() ast.NodeKind { return kindFormula }

func (f *formula) Dump(src []byte, level int) {
	ast.DumpHelper(f, src, level, map[string]string{"tex": f.tex}, nil)
}

// mathParser parses formulas before Markdown interprets their underscores and stars.
type mathParser struct{}

func (mathParser) Trigger() []byte { return []byte{'$', '\\'} }

func (mathParser) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, _ := block.PeekLine()
	if r := parseReference(line, block); r != nil {
		return r
	}
	for _, q := range delimiters {
		if !strings.HasPrefix(string(line), q.open) {
			continue
		}
		if q.open == "$" && (len(line) < 2 || line[1] == ' ' || line[1] == '\t' || line[1] == '\n') {
			return nil // an amount of money
		}
		ln, pos := block.Position()
		block.Advance(len(q.open))
		if tex, ok := until(block, q.close); ok {
			return &formula{tex: tex, display: q.display}
		}
		block.SetPosition(ln, pos)
		return nil
	}
	return nil
}

// until reads up to the closing delimiter, which may be on a later line of the paragraph.
func until(block text.Reader, end string) (string, bool) {
	var tex strings.Builder
	for {
		line, _ := block.PeekLine()
		if line == nil {
			return "", false
		}
		for i := 0; i < len(line); i++ {
			rest := string(line[i:])
			if strings.HasPrefix(rest, end) && closes(end, line, i) {
				if i > 0 || tex.Len() > 0 {
					tex.Write(line[:i])
					block.Advance(i + len(end))
					return tex.String(), true
				}
				return "", false
			}
			if line[i] == '\\' {
				i++ // what follows is escaped: \$
			}
		}
		tex.Write(line)
		block.AdvanceLine()
	}
}

// closes reports whether the delimiter at line[i] can end a formula. A single dollar sign after a
// space or before a digit can't, because it belongs to an amount of money.
func closes(end string, line []byte, i int) bool {
	if end != "$" {
		return true
	}
	if i > 0 && (line[i-1] == ' ' || line[i-1] == '\t') {
		return false
	}
	return i+1 >= len(line) || line[i+1] < '0' || line[i+1] > '9'
}

// formulaBlock is a formula in a separate block: an environment such as \begin{align} without
// dollar signs, or lines between two $$.
type formulaBlock struct {
	ast.BaseBlock
	end string
}

func (*formulaBlock) Kind() ast.NodeKind { return kindFormulaBlock }

func (f *formulaBlock) IsRaw() bool { return true }

func (f *formulaBlock) Dump(src []byte, level int) { ast.DumpHelper(f, src, level, nil, nil) }

type mathBlockParser struct{}

func (mathBlockParser) Trigger() []byte { return []byte{'$', '\\'} }

var beginEnvironment = pattern.New(`^\\begin\{([a-zA-Z]+\*?)\}`)

func (mathBlockParser) Open(_ ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	if withinFormula(pc.LastOpenedBlock().Node, reader.Source()) {
		return nil, parser.NoChildren
	}
	line, seg := reader.PeekLine()
	s := strings.TrimSpace(string(line))
	if s == "$$" {
		reader.AdvanceToEOL()
		return &formulaBlock{end: "$$"}, parser.NoChildren
	}
	if m := beginEnvironment().FindStringSubmatch(s); m != nil {
		n := &formulaBlock{end: `\end{` + m[1] + `}`}
		n.Lines().Append(seg)
		reader.AdvanceToEOL()
		if strings.HasSuffix(s, n.end) {
			n.end = ""
		}
		return n, parser.NoChildren
	}
	return nil, parser.NoChildren
}

// withinFormula reports whether the paragraph so far ends inside a formula between two $$, so that
// an environment on the next line belongs to it.
func withinFormula(n ast.Node, src []byte) bool {
	p, ok := n.(*ast.Paragraph)
	return ok && strings.Count(blockText(p, src), "$$")%2 == 1
}

func (mathBlockParser) Continue(node ast.Node, reader text.Reader, _ parser.Context) parser.State {
	n := node.(*formulaBlock)
	if n.end == "" {
		return parser.Close
	}
	line, seg := reader.PeekLine()
	s := strings.TrimSpace(string(line))
	switch {
	case s == n.end && n.end == "$$":
		reader.AdvanceToEOL()
		return parser.Close
	case strings.HasSuffix(s, n.end):
		n.end = ""
	}
	n.Lines().Append(seg)
	reader.AdvanceToEOL()
	return parser.Continue | parser.NoChildren
}

func (mathBlockParser) Close(ast.Node, text.Reader, parser.Context) {}

func (mathBlockParser) CanInterruptParagraph() bool { return true }

func (mathBlockParser) CanAcceptIndentedLine() bool { return false }
