// Package page turns a notebook into one HTML page that needs nothing else: no
// network, no other files. It follows the reader's light or dark theme, prints
// well, and is the same for the same notebook.
package page

import (
	"bytes"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html"
	"html/template"
	"math"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
)

//go:embed page.html
var pageHTML string

//go:embed page.css
var pageCSS string

//go:embed page.js
var pageJS string

var tmpl = template.Must(template.New("page").Parse(pageHTML))

// content is what the template shows.
type content struct {
	Title    string
	Language string // of the text, as BCP 47 has it
	Styles   []template.CSS
	Scripts  []template.JS
	TOC      []heading
	Cells    []cell
}

type cell struct {
	ID      string
	Kind    string // code, text, raw
	Count   int
	Source  template.HTML
	Outputs []output
}

type output struct {
	Class string
	HTML  template.HTML
}

// Render gives the page of the notebook; name is the notebook's file name, for
// the title of one that has no heading.
func Render(nb *notebook.Notebook, name string) ([]byte, error) {
	doc := newDocument()
	c := content{Title: strings.TrimSuffix(filepath.Base(name), filepath.Ext(name)), Language: language(nb)}
	for _, nc := range nb.Cells {
		if nc.Tagged("remove-cell", "remove_cell") {
			continue
		}
		v := cell{ID: nc.ID, Kind: "text"}
		switch nc.Type {
		case notebook.Markdown:
			v.Source = doc.markdown(nc.Source, nc.Attachments)
		case notebook.Raw:
			v.Kind = "raw"
			v.Source = template.HTML(html.EscapeString(nc.Source))
		case notebook.Code:
			v.Kind, v.Count = "code", nc.Count
			if !hidden(nc, "source_hidden", "remove-input", "remove_input", "hide-input", "hide_input") && strings.TrimSpace(nc.Source) != "" {
				v.Source = highlight(nc.Source)
			}
			if !hidden(nc, "outputs_hidden", "remove-output", "remove_output") {
				for _, o := range nc.Outputs {
					if out, ok := doc.output(o); ok {
						v.Outputs = append(v.Outputs, out)
					}
				}
			}
		}
		if v.Source == "" && len(v.Outputs) == 0 {
			continue
		}
		c.Cells = append(c.Cells, v)
	}
	if t := title(nb, doc.headings); t != "" {
		c.Title = t
	}
	c.TOC = contents(doc.headings)
	c.Styles = []template.CSS{template.CSS(pageCSS)}
	if doc.math {
		css, js, err := katex()
		if err != nil {
			return nil, err
		}
		c.Styles = append(c.Styles, template.CSS(css))
		c.Scripts = []template.JS{template.JS(js), template.JS(mathJS)}
	}
	c.Scripts = append(c.Scripts, template.JS(pageJS))
	if doc.charts {
		js, err := vega()
		if err != nil {
			return nil, err
		}
		c.Scripts = append(c.Scripts, js...)
	}
	var b bytes.Buffer
	if err := tmpl.Execute(&b, c); err != nil {
		return nil, fmt.Errorf("page: %w", err)
	}
	return b.Bytes(), nil
}

// hidden reports whether the cell's author hid a part of it, by metadata of
// JupyterLab or by a tag.
func hidden(c *notebook.Cell, key string, tags ...string) bool {
	if m, ok := c.Metadata["jupyter"].(map[string]any); ok && m[key] == true {
		return true
	}
	return c.Tagged(tags...)
}

func title(nb *notebook.Notebook, hs []heading) string {
	if t, ok := nb.Metadata["title"].(string); ok && t != "" {
		return t
	}
	for _, h := range hs {
		if h.Level == 1 {
			return h.Text
		}
	}
	return ""
}

// language is that of the notebook's text: what its metadata name "lang", or English.
func language(nb *notebook.Notebook) string {
	if l, ok := nb.Metadata["lang"].(string); ok && l != "" {
		return l
	}
	return "en"
}

// contents picks the headings for the table of contents: sections and
// subsections, when there are enough of them to need one.
func contents(hs []heading) []heading {
	var toc []heading
	for _, h := range hs {
		if h.Level == 2 || h.Level == 3 {
			toc = append(toc, h)
		}
	}
	if len(toc) < 3 {
		return nil
	}
	return toc
}

// mimes are the types that a page can show, the best first, as nbconvert has
// them.
var mimes = []string{
	"text/html", "text/markdown", "image/svg+xml", "image/png", "image/jpeg",
	"image/gif", "image/webp", "text/latex", "text/plain",
}

// output shows one output; false means that there is nothing to show.
func (d *document) output(o *notebook.Output) (output, bool) {
	switch o.Type {
	case notebook.Stream:
		if o.Text == "" {
			return output{}, false
		}
		return output{Class: "stream " + o.Name, HTML: pre(o.Text)}, true
	case notebook.Error:
		text := strings.Join(o.Traceback, "\n")
		if text == "" {
			text = o.ErrorName + ": " + o.ErrorValue
		}
		return output{Class: "error", HTML: pre(text)}, true
	}
	for _, mime := range mimes {
		s, ok := o.Data[mime].(string)
		if !ok {
			continue
		}
		out := output{Class: "value"}
		switch mime {
		case "text/html":
			out.Class = "html"
			out.HTML = template.HTML(s) // the notebook's own code made it
		case "text/markdown":
			out.Class = "text"
			out.HTML = d.markdown(s, nil)
		case "text/latex":
			out.Class = "latex"
			out.HTML = d.latex(s)
		case "text/plain":
			out.Class = "plain"
			out.HTML = pre(s)
		default:
			out.Class = "figure"
			out.HTML = image(mime, s, o)
			if spec, ok := specification(o); ok {
				d.charts = true
				out.Class = "figure chart"
				out.HTML += spec
			}
		}
		return out, true
	}
	return output{}, false
}

// image shows a picture as an element that keeps it apart from the page. On small
// screens a figure shrinks until its smallest text has leastText pixels, and then scrolls.
func image(mime, data string, o *notebook.Output) template.HTML {
	smallest := 0.0
	if mime == "image/svg+xml" {
		smallest = smallestText(data)
		data = base64.StdEncoding.EncodeToString([]byte(data))
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<img src="data:%s;base64,%s" alt="%s"`, mime, strings.Join(strings.Fields(data), ""), html.EscapeString(alt(mime, o)))
	for _, k := range []string{"width", "height"} {
		n := side(k, mime, o)
		if n <= 0 {
			continue
		}
		fmt.Fprintf(&b, ` %s="%g"`, k, n)
		if k == "width" && smallest > leastText {
			fmt.Fprintf(&b, ` style="min-width:%.0fpx"`, math.Ceil(n*leastText/smallest))
		}
	}
	b.WriteString(">")
	return template.HTML(b.String())
}

// leastText is how small, in CSS pixels, the text of a figure gets on a small screen.
const leastText = 9

var fontSize = regexp.MustCompile(` font-size="([0-9.]+)"`)

// smallestText is the size of the smallest text of an SVG document, 0 without text. What
// is raised or lowered is as large as what it stands beside.
func smallestText(svg string) float64 {
	smallest := 0.0
	for _, m := range fontSize.FindAllStringSubmatch(svg, -1) {
		size, err := strconv.ParseFloat(m[1], 64)
		if err == nil && size > leastText && (smallest == 0 || size < smallest) {
			smallest = size
		}
	}
	return smallest
}

// side is the width or height of a picture in CSS pixels, 0 when it is not told: in the
// metadata of the picture, or for SVG of the PNG beside it.
func side(k, mime string, o *notebook.Output) float64 {
	for _, of := range []string{mime, "image/png"} {
		if m, ok := o.Metadata[of].(map[string]any); ok && (of == mime || mime == "image/svg+xml") {
			if n, err := strconv.ParseFloat(fmt.Sprint(m[k]), 64); err == nil && n > 0 {
				return n
			}
		}
	}
	return 0
}

// alt is the text for readers who do not see a picture: what its metadata say, or the
// first line of the output's text.
func alt(mime string, o *notebook.Output) string {
	if m, ok := o.Metadata[mime].(map[string]any); ok {
		if s, ok := m["alt"].(string); ok {
			return s
		}
	}
	s, _ := o.Data["text/plain"].(string)
	line, _, _ := strings.Cut(s, "\n")
	return line
}
