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
	"path/filepath"
	"strconv"
	"strings"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
)

//go:embed page.html
var pageHTML string

//go:embed page.css
var pageCSS string

var tmpl = template.Must(template.New("page").Parse(pageHTML))

// content is what the template shows.
type content struct {
	Title   string
	Styles  []template.CSS
	Scripts []template.JS
	TOC     []heading
	Cells   []cell
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
	c := content{Title: strings.TrimSuffix(filepath.Base(name), filepath.Ext(name))}
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
		}
		return out, true
	}
	return output{}, false
}

// image shows a picture as an element that keeps it apart from the page.
func image(mime, data string, o *notebook.Output) template.HTML {
	if mime == "image/svg+xml" {
		data = base64.StdEncoding.EncodeToString([]byte(data))
	}
	alt, _ := o.Data["text/plain"].(string)
	var b strings.Builder
	fmt.Fprintf(&b, `<img src="data:%s;base64,%s" alt="%s"`, mime, strings.Join(strings.Fields(data), ""), html.EscapeString(firstLine(alt)))
	if m, ok := o.Metadata[mime].(map[string]any); ok {
		for _, k := range []string{"width", "height"} {
			if n, err := strconv.ParseFloat(fmt.Sprint(m[k]), 64); err == nil && n > 0 {
				fmt.Fprintf(&b, ` %s="%g"`, k, n)
			}
		}
	}
	b.WriteString(">")
	return template.HTML(b.String())
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}
