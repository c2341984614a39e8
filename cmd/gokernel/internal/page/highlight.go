package page

import (
	"bytes"
	"html"
	"html/template"
	"strings"
	"sync"

	"github.com/alecthomas/chroma/v2"
	chromahtml "github.com/alecthomas/chroma/v2/formatters/html"
	"github.com/alecthomas/chroma/v2/lexers"
	"github.com/alecthomas/chroma/v2/styles"
)

var formatter = chromahtml.New(chromahtml.WithClasses(true), chromahtml.PreventSurroundingPre(true))

// highlight colors the code of a cell. Lines of the cell language that are not
// Go, such as magics, are set as comments are.
func highlight(src string) template.HTML {
	var b strings.Builder
	lines := strings.SplitAfter(strings.TrimRight(src, " \t\n"), "\n")
	for i := 0; i < len(lines); {
		if isMagic(lines[i]) {
			b.WriteString(`<span class="cp">` + html.EscapeString(lines[i]) + `</span>`)
			i++
			continue
		}
		j := i
		for j < len(lines) && !isMagic(lines[j]) {
			j++
		}
		b.WriteString(highlightAs("go", strings.Join(lines[i:j], "")))
		i = j
	}
	return template.HTML(b.String())
}

// isMagic tells whether a line is a magic, a shell command or a question.
func isMagic(line string) bool {
	t := strings.TrimSpace(line)
	return strings.HasPrefix(t, "%") || strings.HasPrefix(t, "!") || strings.HasPrefix(t, "?") || strings.HasSuffix(t, "?")
}

// highlightAs colors code of a language that chroma knows; of others it is
// given as it is.
func highlightAs(language, src string) string {
	lexer := lexers.Get(language)
	if lexer == nil {
		return html.EscapeString(src)
	}
	it, err := chroma.Coalesce(lexer).Tokenise(&chroma.TokeniseOptions{State: "root", EnsureLF: false}, src)
	if err != nil {
		return html.EscapeString(src)
	}
	var b bytes.Buffer
	if err := formatter.Format(&b, styles.Fallback, it); err != nil {
		return html.EscapeString(src)
	}
	return b.String()
}

// highlightCSS has the colors for light and for dark pages.
var highlightCSS = sync.OnceValue(func() string {
	return "@media not (prefers-color-scheme: dark) {\n" + themeCSS("github") + "}\n@media (prefers-color-scheme: dark) {\n" + themeCSS("github-dark") + "}\n"
})

func themeCSS(name string) string {
	var b bytes.Buffer
	if err := formatter.WriteCSS(&b, styles.Get(name)); err != nil {
		return "" // a buffer does not fail, and the code is readable without
	}
	var keep strings.Builder
	for line := range strings.Lines(b.String()) {
		// The page sets its own background; what a lexer does not know is no error here.
		if strings.Contains(line, ".bg {") || strings.Contains(line, "*/ .chroma {") || strings.Contains(line, ".err {") {
			continue
		}
		keep.WriteString(line)
	}
	return keep.String()
}
