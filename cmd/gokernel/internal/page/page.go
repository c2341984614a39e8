// Package page converts a notebook to one HTML page, which needs neither the network nor other
// files. The page follows the reader's light or dark theme, prints well, and is the same for the
// same notebook.
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
	"strconv"
	"strings"
	"sync"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
	"github.com/gokernel/gokernel/internal/pattern"
)

//go:embed page.html
var pageHTML string

//go:embed page.css
var pageCSS string

//go:embed page.js
var pageJS string

// tmpl parses the template of a page at its first use, because a kernel never needs the template.
var tmpl = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page").Parse(pageHTML))
})

// content is the data of the template.
type content struct {
	*Body
	Styles  []template.CSS
	Scripts []template.JS
	TOC     []Heading
	Policy  string // "" for none
}

// Body contains the parts of a notebook's page.
type Body struct {
	Title    string
	Language string // language of the text, in BCP 47
	Headings []Heading
	Cells    []Cell
	Math     bool // some text has formulas
	Charts   bool // some output is an interactive chart
	Frames   bool // some output has controls that move
}

// Cell is one cell of the notebook.
type Cell struct {
	ID      string
	Kind    string // code, text, raw
	Count   int
	Source  template.HTML
	Hidden  bool // the author hid the source
	Outputs []Output
	From    *notebook.Cell
}

// Output is one output of a cell.
type Output struct {
	Class string
	HTML  template.HTML
	// For a picture: its address, its size in CSS pixels if known, and the alternative text.
	Address       string
	Width, Height float64
	Alt           string
}

// Picture is a picture of an output with its decoded bytes.
type Picture struct {
	Cell string // the ID of its cell
	MIME string
	Data []byte
}

// Options selects how the parts of a page refer to other files. The zero value is for a
// self-contained page.
type Options struct {
	// Picture returns the address of a picture; if it is nil, pictures become part of the page.
	Picture func(Picture) string
	// Link returns the address for a link or picture of a text; if it is nil, addresses stay
	// unchanged.
	Link func(address string) string
	// Name returns the address of the documentation of pkg.name in code, or "" for none; pkg is ""
	// for a function that is called without a package.
	Name func(pkg, name string) string
	// Trust allows scripts in texts and outputs of the notebook, widgets with their own scripts,
	// and content from other hosts.
	Trust bool
	// Strict removes styles and other HTML of the notebook with which a text could hide its words
	// or cover other parts of the page. It is for pages on which somebody judges the text.
	Strict bool
	// Scripts are scripts that the page runs in addition to its own. They must not contain content
	// of the notebook.
	Scripts []template.JS
}

// Render returns the page of the notebook. The name is the notebook's file name, for the title of a
// notebook without a heading. Unless the options trust the notebook, none of its own scripts runs.
func Render(nb *notebook.Notebook, name string, opt Options) ([]byte, error) {
	c := content{Body: Convert(nb, name, opt)}
	shown := c.Cells[:0]
	for _, v := range c.Cells {
		if v.Hidden {
			v.Source = ""
		}
		if v.Source != "" || len(v.Outputs) > 0 {
			shown = append(shown, v)
		}
	}
	c.Cells = shown
	c.TOC = contents(c.Headings)
	c.Styles = []template.CSS{template.CSS(pageCSS)}
	if opt.Strict {
		c.Styles = append(c.Styles, strictCSS)
	}
	if c.Math {
		css, js, err := katex()
		if err != nil {
			return nil, err
		}
		c.Styles = append(c.Styles, template.CSS(css))
		c.Scripts = []template.JS{template.JS(js), template.JS(mathJS)}
	}
	if c.Frames {
		c.Scripts = append(c.Scripts, template.JS(framesJS))
	}
	c.Scripts = append(c.Scripts, template.JS(pageJS))
	if c.Charts {
		js, err := vega()
		if err != nil {
			return nil, err
		}
		c.Scripts = append(c.Scripts, js...)
	}
	c.Scripts = append(c.Scripts, opt.Scripts...)
	if !opt.Trust {
		c.Policy = policy(c.Scripts)
	}
	var b bytes.Buffer
	if err := tmpl().Execute(&b, c); err != nil {
		return nil, fmt.Errorf("page: %w", err)
	}
	return b.Bytes(), nil
}

// Convert returns the parts of the notebook's page, including cells with hidden source; name is as
// for [Render].
func Convert(nb *notebook.Notebook, name string, opt Options) *Body {
	doc := newDocument(opt)
	doc.widgets = widgetStates(nb)
	doc.frames = nb.Frames()
	doc.equations, _ = Equations(nb)
	body := &Body{Title: strings.TrimSuffix(filepath.Base(name), filepath.Ext(name)), Language: language(nb)}
	for _, nc := range nb.Cells {
		if nc.Tagged("remove-cell", "remove_cell") {
			continue
		}
		if v := doc.cell(nc); v.Source != "" || len(v.Outputs) > 0 {
			body.Cells = append(body.Cells, v)
		}
	}
	if t := title(nb, doc.headings); t != "" {
		body.Title = t
	}
	body.Headings, body.Math, body.Charts, body.Frames = doc.headings, doc.math, doc.charts, doc.moves
	return body
}

// cell converts one cell to a part of the page.
func (d *document) cell(nc *notebook.Cell) Cell {
	v := Cell{ID: nc.ID, Kind: "text", From: nc}
	d.current = nc.ID
	switch nc.Type {
	case notebook.Markdown:
		v.Source = d.markdown(nc.Source, nc.Attachments)
	case notebook.Raw:
		v.Kind = "raw"
		v.Source = template.HTML(html.EscapeString(nc.Source))
	case notebook.Code:
		v.Kind, v.Count = "code", nc.Count
		v.Hidden = hidden(nc, "source_hidden", "remove-input", "remove_input", "hide-input", "hide_input")
		if strings.TrimSpace(nc.Source) != "" {
			v.Source = d.highlight(nc.Source)
		}
		if !hidden(nc, "outputs_hidden", "remove-output", "remove_output") {
			for _, o := range nc.Outputs {
				if out, ok := d.output(o); ok {
					v.Outputs = append(v.Outputs, out)
				}
			}
		}
	}
	return v
}

// hidden reports whether the cell's author hid a part of it, by metadata of
// JupyterLab or by a tag.
func hidden(c *notebook.Cell, key string, tags ...string) bool {
	if m, ok := c.Metadata["jupyter"].(map[string]any); ok && m[key] == true {
		return true
	}
	return c.Tagged(tags...)
}

func title(nb *notebook.Notebook, hs []Heading) string {
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

// language returns the language of the notebook's text: "lang" in its metadata, or English.
func language(nb *notebook.Notebook) string {
	if l, ok := nb.Metadata["lang"].(string); ok && l != "" {
		return l
	}
	return "en"
}

// contents selects the headings for the table of contents: sections and subsections, if there are
// enough of them.
func contents(hs []Heading) []Heading {
	var toc []Heading
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

// mimes lists the types that a page can show, the best first, as in nbconvert.
var mimes = []string{
	"text/html", "text/markdown", "image/svg+xml", "image/png", "image/jpeg",
	"image/gif", "image/webp", "text/latex", "text/plain",
}

// output converts one output; it returns false if there is nothing to show.
func (d *document) output(o *notebook.Output) (Output, bool) {
	switch o.Type {
	case notebook.Stream:
		if o.Text == "" {
			return Output{}, false
		}
		return Output{Class: "stream " + o.Name, HTML: pre(o.Text)}, true
	case notebook.Error:
		text := strings.Join(o.Traceback, "\n")
		if text == "" {
			text = o.ErrorName + ": " + o.ErrorValue
		}
		return Output{Class: "error", HTML: pre(text)}, true
	}
	if out, ok := d.ownWidget(o); ok {
		return out, true
	}
	if out, ok := d.interactive(o); ok {
		return out, true
	}
	for _, mime := range mimes {
		s, ok := o.Data[mime].(string)
		if ok && mime == "text/html" {
			s, ok = withoutHint(s)
		}
		if !ok {
			continue
		}
		out := Output{Class: "value"}
		switch mime {
		case "text/html":
			out.Class = "html"
			out.HTML = d.clean(s)
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
			out = d.image(mime, s, o)
			if spec, ok := specification(o); ok {
				d.charts = true
				out.Class = "figure chart"
				out.HTML += spec
			}
		}
		if mime != "text/plain" {
			out.HTML = controls(o) + out.HTML
		}
		return out, true
	}
	return Output{}, false
}

// image shows a picture as an element that isolates it from the page. On small screens a figure
// shrinks until its smallest text has leastText pixels, and then scrolls.
func (d *document) image(mime, data string, o *notebook.Output) Output {
	out := Output{Class: "figure", Alt: alt(mime, o), Width: side("width", mime, o), Height: side("height", mime, o)}
	smallest := 0.0
	if mime == "image/svg+xml" {
		smallest = smallestText(data)
	}
	out.Address = d.address(mime, data)
	var b strings.Builder
	fmt.Fprintf(&b, `<img src="%s" alt="%s"`, html.EscapeString(out.Address), html.EscapeString(out.Alt))
	if out.Width > 0 {
		fmt.Fprintf(&b, ` width="%g"`, out.Width)
		if smallest > 0 {
			fmt.Fprintf(&b, ` style="min-width:%.0fpx"`, math.Ceil(out.Width*leastText/smallest))
		}
	}
	if out.Height > 0 {
		fmt.Fprintf(&b, ` height="%g"`, out.Height)
	}
	b.WriteString(">")
	out.HTML = template.HTML(b.String())
	return out
}

// address returns the address of a picture: in the page, or where the options put it.
func (d *document) address(mime, data string) string {
	if d.opt.Picture == nil {
		if mime == "image/svg+xml" {
			data = base64.StdEncoding.EncodeToString([]byte(data))
		}
		return "data:" + mime + ";base64," + strings.Join(strings.Fields(data), "")
	}
	b := []byte(data)
	if mime != "image/svg+xml" {
		raw, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(data), ""))
		if err != nil {
			return "data:" + mime + ";base64," + strings.Join(strings.Fields(data), "") // shown as broken, as it is
		}
		b = raw
	}
	return d.opt.Picture(Picture{Cell: d.current, MIME: mime, Data: b})
}

// leastText is the minimum size, in CSS pixels, of a figure's text on a small screen: with it,
// figures of the usual width fit a phone of 390 pixels.
const leastText = 8.4

// markText is the size of text that labels marks, and need not be readable on a small screen.
const markText = 9

var fontSize = pattern.New(` font-size="([0-9.]+)"`)

// smallestText returns the size of the smallest text of an SVG document, or 0 without text.
// Subscripts and superscripts count as their surrounding text.
func smallestText(svg string) float64 {
	smallest := 0.0
	for _, m := range fontSize().FindAllStringSubmatch(svg, -1) {
		size, err := strconv.ParseFloat(m[1], 64)
		if err == nil && size > markText && (smallest == 0 || size < smallest) {
			smallest = size
		}
	}
	return smallest
}

// side returns the width or height of a picture in CSS pixels, or 0 if it is unknown: from the
// metadata of the picture, or for SVG from the PNG beside it.
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

// alt returns the alternative text of a picture: from its metadata, or the first line of the
// output's text.
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
