package site

import (
	"bytes"
	"fmt"
	"go/doc/comment"
	"go/types"
	"html"
	"html/template"
	"path"
	"slices"
	"strings"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/formula"
	"github.com/gokernel/gokernel/internal/pattern"
	"github.com/gokernel/gokernel/interp/symbols"
)

func (b *builder) docOf(v *name, n string) string {
	doc, ok := symbols.LookupDoc(v.path, n)
	if !ok || doc.Text == "" {
		doc, _ = symbols.LookupDoc(facade, n)
	}
	return doc.Text
}

var (
	keys       = pattern.New(`\[([A-Z][A-Za-zé]+\d{4}[a-z]?)\]`)
	itemID     = pattern.New(`\b([A-Z]{2,4}-\d\d)\b`)
	courseAt   = pattern.New(`[ \n]Course:\s`)
	courseLine = pattern.New(`<p>Course: [^<]*`)
)

// comment converts a Go doc comment to HTML: names link to their pages, keys to the bibliography,
// and items of the course to the cells that show them.
func (b *builder) comment(v *name, text string) template.HTML {
	text = courseAt().ReplaceAllString(text, "\n\nCourse: ")
	p := comment.Parser{LookupPackage: func(n string) (string, bool) {
		if v := strings.TrimPrefix(v.path, facade+"/"); n == v {
			return facade + "/" + v, true
		}
		if n == "ml" {
			return facade, true
		}
		return facade + "/" + n, symbolsHave(facade + "/" + n)
	}, LookupSym: func(recv, n string) bool {
		if recv != "" {
			n = recv
		}
		return b.api.of[strings.TrimPrefix(v.path, module)+"."+n] != nil || b.api.byPath["ml."+n] != nil
	}}
	pr := comment.Printer{HeadingLevel: 2, HeadingID: func(*comment.Heading) string { return "" }, DocLinkURL: func(l *comment.DocLink) string { return b.docLink(v, l) }}
	var out bytes.Buffer
	parsed := p.Parse(text)
	for _, block := range withLists(&p, parsed.Content) {
		if c, ok := block.(*comment.Code); ok {
			if rows, columns := formula.Rows(c.Text); rows != nil {
				out.WriteString(setFormulas(rows, columns))
				continue
			}
		}
		markFormulas(block)
		out.Write(pr.HTML(&comment.Doc{Content: []comment.Block{block}, Links: parsed.Links}))
	}
	s := strings.ReplaceAll(out.String(), `<h2 id="">`, "<h2>")
	s = formulaMarks.Replace(s)
	s = deadLink().ReplaceAllString(s, "$1")
	s = keys().ReplaceAllStringFunc(s, func(m string) string {
		key := m[1 : len(m)-1]
		if !b.sources.has(key) {
			return html.EscapeString(key)
		}
		b.sources.cite(key, v)
		return `<a href="../bibliography.html#` + key + `">` + key + `</a>`
	})
	return template.HTML(courseLine().ReplaceAllStringFunc(s, b.courseItems))
}

// deadLink matches a link without an address, which the printer writes for names without a page.
var deadLink = pattern.New(`<a href="">(.*?)</a>`)

// docLink returns the address of a name in a comment.
func (b *builder) docLink(v *name, l *comment.DocLink) string {
	from := l.ImportPath
	if from == "" {
		from = v.path
	}
	n, anchor := l.Name, ""
	if l.Recv != "" {
		n, anchor = l.Recv, "#"+l.Name
	}
	if n == "" {
		return ""
	}
	target := b.api.of[strings.TrimPrefix(from, module)+"."+n]
	if target == nil && strings.HasPrefix(from, facade) {
		target = b.api.byPath["ml."+n]
	}
	if target == nil {
		return ""
	}
	if anchor != "" && !slices.ContainsFunc(target.methods, func(f *types.Func) bool { return "#"+f.Name() == anchor }) {
		anchor = ""
	}
	return path.Base(target.File) + anchor
}

// courseItems shows the items of the catalogue, as links to their cells if they have any.
func (b *builder) courseItems(line string) string {
	return itemID().ReplaceAllStringFunc(line, func(id string) string {
		for _, u := range b.api.items[id] {
			return `<a href="` + relative("api/x.html", u.Lecture.Page()) + `#cell-` + u.Cell + `">` + id + `</a>`
		}
		return id
	})
}

var stepsBehind = pattern.New(`\n\n+ 1\. `)

// withLists separates numbered steps from an indented block before them, because the parser treats
// these steps as a part of the block.
func withLists(p *comment.Parser, blocks []comment.Block) (all []comment.Block) {
	for _, block := range blocks {
		c, ok := block.(*comment.Code)
		if !ok {
			all = append(all, block)
			continue
		}
		at := stepsBehind().FindStringIndex(c.Text)
		if at == nil {
			all = append(all, c)
			continue
		}
		lines := strings.ReplaceAll(strings.TrimPrefix(c.Text[:at[0]+1], "\t"), "\n\t", "\n")
		all = append(all, &comment.Code{Text: lines})
		all = append(all, p.Parse(c.Text[at[0]:]).Content...)
	}
	return all
}

// formulaMarks replaces the characters with which markFormulas marks formulas by HTML.
var formulaMarks = strings.NewReplacer("\uE000", formulaClass+` inline">`, "\uE001", "</span>")

// markFormulas writes the formulas of running text as TeX between two private characters, because
// the printer has no formulas.
func markFormulas(block comment.Block) {
	switch b := block.(type) {
	case *comment.Paragraph:
		for i, t := range b.Text {
			words, ok := t.(comment.Plain)
			if !ok {
				continue
			}
			marked := ""
			for _, p := range formula.Inline(string(words)) {
				if p.Formula {
					p.Text = "\uE000" + p.Text + "\uE001"
				}
				marked += p.Text
			}
			b.Text[i] = comment.Plain(marked)
		}
	case *comment.List:
		for _, item := range b.Items {
			for _, content := range item.Content {
				markFormulas(content)
			}
		}
	}
}

// formulaClass identifies formulas on a page.
const formulaClass = `<span class="math`

// setFormulas typesets the lines of a block of formulas.
func setFormulas(rows []formula.Row, columns int) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<div class="formula" role="group" aria-label="Formula" style="--columns: %d">`, columns)
	for _, row := range rows {
		for i, c := range row {
			end := -1
			if i+1 < len(row) {
				end = row[i+1].Column + 1
			}
			tex := c.TeX
			if strings.HasPrefix(tex, "+ ") || strings.HasPrefix(tex, "- ") {
				tex = "{}" + tex // continues the line above: a sign with space on both sides
			}
			fmt.Fprintf(&b, `<div style="grid-column: %d / %d">%s inline">\displaystyle %s</span></div>`, c.Column+1, end, formulaClass, html.EscapeString(tex))
		}
	}
	b.WriteString("</div>\n")
	return b.String()
}
