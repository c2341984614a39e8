package site

import (
	"context"
	"fmt"
	"html/template"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
	"github.com/gokernel/gokernel/cmd/gokernel/internal/page"
	"github.com/gokernel/gokernel/internal/pattern"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// lecture is one notebook of the site.
type lecture struct {
	Name   string // name of the file, without its extension
	Number string // such as N04; "" for a notebook without one
	Part   string
	Title  string
	// Opening is the first paragraph of the lecture.
	Opening    template.HTML
	Minutes    int
	Needs      []*lecture
	Prev, Next *lecture
	Blocks     []*block
	Sections   []page.Heading
	Figures    []*figure
	Slips      []*slip
	Thumbnail  *figure
	PDF        string // its path in the site, "" without one
	SlidesPDF  string // the path of the PDF of its slides, "" without one
	Lang       string
	Math       bool
	Charts     bool
	Frames     bool
	Folded     bool // some code is folded
	Homework   bool // a homework notebook in its student version

	entry  *entryOfCourse
	linked map[string]bool // addresses that have been replaced
	source []byte
	nb     *notebook.Notebook
}

// Page returns the path of the lecture's page.
func (l *lecture) Page() string { return "lectures/" + l.Name + ".html" }

// Slides returns the path of its slides.
func (l *lecture) Slides() string { return "slides/" + l.Name + ".html" }

// Label returns its number and title.
func (l *lecture) Label() string { return strings.TrimSpace(l.Number + " " + l.Title) }

// Class returns the minutes in class, or 0.
func (l *lecture) Class() int {
	if l.entry == nil {
		return 0
	}
	return l.entry.Class
}

// Goals returns what a student can do after the lecture.
func (l *lecture) Goals() []string {
	if l.entry == nil {
		return nil
	}
	return l.entry.Goals
}

// block is a part of a lecture's page.
type block struct {
	Kind string // text, code, raw
	ID   string
	HTML template.HTML // HTML of text
	// Of code.
	Code    template.HTML
	Lines   int
	Summary string // summary of folded code; "" if the code is not folded
	Count   int
	Outputs []*shown
	tagged  bool   // a check
	Slide   string // Jupyter's slide type: slide, subslide, fragment, skip, notes, or ""
}

// shown is an output, or a figure with its caption.
type shown struct {
	page.Output
	Figure *figure
	Still  template.HTML // for an animation: its frames side by side, for print
}

// figure is a picture of a lecture.
type figure struct {
	Number  string   // "" without one; "3 and 4" for a caption of two
	Also    []string // the numbers after the first
	Caption template.HTML
	Alt     string
	Address string // address of the picture, from the top of the site
	Cell    string
	ID      string // ID in the page
	Width   float64
	Height  float64
	Of      *lecture
}

// Label returns "Figure 3" or "Figures 3 and 4".
func (f *figure) Label() string {
	if len(f.Also) > 0 {
		return "Figures " + f.Number
	}
	return "Figure " + f.Number
}

// document converts the notebooks to the parts of the pages.
func (b *builder) document(context.Context) error {
	b.api = newLibrary()
	b.fault(b.readReferences())
	for _, l := range b.lectures {
		l.linked = map[string]bool{}
		b.origin[l.Page()], b.origin[l.Slides()] = l.Name+".ipynb", l.Name+".ipynb"
		declared := declares(l.nb)
		body := page.Convert(l.nb, l.Name, page.Options{
			Trust:   b.Trust,
			Picture: func(p page.Picture) string { return "../" + b.addPicture(l, p) },
			Link:    func(address string) string { return b.relink(l, address) },
			Name: func(pkg, name string) string {
				if pkg == "" && declared[name] {
					return ""
				}
				if file := b.api.page(pkg, name); file != "" {
					l.linked["../"+file] = true
					return "../" + file
				}
				return ""
			},
		})
		l.Title, l.Lang, l.Math, l.Charts, l.Frames = body.Title, body.Language, body.Math, body.Charts, body.Frames
		l.addBlocks(b, body)
		l.number(body.Headings)
		l.measure()
		l.choose()
		b.api.collect(l)
	}
	return nil
}

var declaration = pattern.New(`(?m)^\s*func (\w+)\(|(\w+)(?:, \w+)* :?= `)

// declares returns the names that cells of a notebook redefine.
func declares(nb *notebook.Notebook) map[string]bool {
	names := map[string]bool{}
	for _, c := range nb.Cells {
		if c.Type == notebook.Code {
			for _, m := range declaration().FindAllStringSubmatch(c.Source, -1) {
				names[m[1]+m[2]] = true
			}
		}
	}
	return names
}

var extensions = map[string]string{
	"image/svg+xml": ".svg", "image/png": ".png", "image/jpeg": ".jpg", "image/gif": ".gif", "image/webp": ".webp",
}

// addPicture stores a picture of a lecture and returns its path.
func (b *builder) addPicture(l *lecture, p page.Picture) string {
	for n := 1; ; n++ {
		file := "figures/" + l.Name + "/" + p.Cell
		if n > 1 {
			file += fmt.Sprint("-", n)
		}
		file += extensions[p.MIME]
		if old, ok := b.files[file]; !ok || string(old) == string(p.Data) {
			b.files[file] = p.Data
			return file
		}
	}
}

// relink replaces the address of a link or picture in a text, and stores the address as the author
// wrote it, for messages.
func (b *builder) relink(l *lecture, address string) string {
	now := b.link(l, address)
	l.linked[now] = true
	b.written[l.Page()+" "+now] = address
	return now
}

// addresses lists the attributes with addresses in a text, by element.
var addresses = map[atom.Atom]string{atom.A: "href", atom.Img: "src", atom.Audio: "src", atom.Video: "src", atom.Source: "src"}

// laterAddress is the address of an omitted lecture of the course.
const laterAddress = "#not-there-yet-"

// link returns the address that replaces a link in a text. A link to a notebook becomes a link
// to its page. A file is copied to the site, and the link leads to the copy. A broken link stays
// unchanged for checkLinks.
func (b *builder) link(l *lecture, address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "" || u.Host != "" || u.Path == "" {
		return address
	}
	if name, ok := strings.CutSuffix(path.Base(u.Path), ".ipynb"); ok && path.Base(u.Path) == u.Path {
		for _, other := range b.lectures {
			if other.Name == name {
				u.Path = name + ".html"
				return u.String()
			}
		}
		if e := b.course.listed(name); e != nil {
			b.later[e.ID]++
			return laterAddress + e.ID
		}
		return address
	}
	if to := b.sitePage(u.Path); to != "" && (to == "data.html" || strings.HasPrefix(to, "docs/")) {
		u.Path = "../" + to
		return u.String()
	}
	content, err := os.ReadFile(filepath.Join(b.Dir, filepath.FromSlash(u.Path)))
	if err != nil {
		return address
	}
	if content, err = b.public(u.Path, content); err != nil {
		b.fault(wrong(b.in(l.Name+".ipynb"), err.Error(), "remove the link, or the solutions"))
		return address
	}
	file := "files/" + strings.TrimLeft(path.Clean(u.Path), "./")
	b.files[file] = content
	u.Path = "../" + file
	return u.String()
}

var (
	captionLabel = pattern.New(`^Figures? (\d+(?:, \d+)*(?:,? and \d+)?)\.?$`)
)

// addBlocks creates the blocks of the page, and joins figures with their captions.
func (l *lecture) addBlocks(b *builder, body *page.Body) {
	for _, c := range body.Cells {
		switch c.Kind {
		case "text":
			root := parse(string(c.Source))
			for n := range root.Descendants() {
				// HTML in the text still has its own addresses.
				if key := addresses[n.DataAtom]; key != "" && n.Type == html.ElementNode && value(n, key) != "" && !l.linked[value(n, key)] {
					set(n, key, b.relink(l, value(n, key)))
				}
				if id, ok := strings.CutPrefix(value(n, "href"), laterAddress); ok && is(n, atom.A) {
					n.Data, n.DataAtom = "span", atom.Span
					n.Attr = []html.Attribute{{Key: "class", Val: "later"}, {Key: "title", Val: id + " is not on this site"}}
				}
				if text, ok := slipOf(n); ok {
					l.addSlip(n, text)
				}
			}
			l.takeCaption(root)
			text := inner(root)
			if strings.TrimSpace(text) != "" {
				l.Blocks = append(l.Blocks, &block{Kind: "text", ID: c.ID, HTML: template.HTML(text), Slide: c.From.SlideType()})
			} else {
				l.Blocks = append(l.Blocks, &block{Kind: "anchor", ID: c.ID})
			}
		case "raw":
			l.Blocks = append(l.Blocks, &block{Kind: "raw", ID: c.ID, HTML: c.Source})
		default:
			l.Blocks = append(l.Blocks, l.code(b, c))
		}
	}
}

// code creates the block of a code cell. The code of a figure is folded, and so is code that its
// author hid.
func (l *lecture) code(b *builder, c page.Cell) *block {
	v := &block{Kind: "code", ID: c.ID, Code: c.Source, Count: c.Count, tagged: c.From.Tagged("check"), Slide: c.From.SlideType()}
	v.Lines = 1 + strings.Count(strings.TrimSpace(c.From.Source), "\n")
	drawn := false
	for _, o := range c.Outputs {
		s := &shown{Output: o}
		if o.Address != "" || strings.Contains(string(o.HTML), " data-frames=") {
			drawn = true
			f := &figure{Alt: o.Alt, Address: strings.TrimPrefix(o.Address, "../"), Cell: c.ID, Of: l, Width: o.Width, Height: o.Height}
			if o.Address == "" {
				s.Still = l.still(b, f, string(o.HTML))
			}
			f.ID = fmt.Sprintf("figure-of-%s", c.ID)
			if n := len(l.Figures); n > 0 && l.Figures[n-1].Cell == c.ID {
				f.ID += fmt.Sprint("-", len(v.Outputs)+1)
			}
			s.Figure = f
			l.Figures = append(l.Figures, f)
		}
		v.Outputs = append(v.Outputs, s)
	}
	lines := fmt.Sprintf("%d lines", v.Lines)
	if v.Lines == 1 {
		lines = "1 line"
	}
	switch {
	case v.tagged:
		v.Summary = "Test of what the text says, " + lines
	case c.Hidden:
		v.Summary = "Code, " + lines
	case drawn:
		v.Summary = "Code of the figure, " + lines
	}
	l.Folded = l.Folded || v.Summary != ""
	return v
}

// still returns the frames of an animation side by side, as a picture for print and for
// the gallery.
func (l *lecture) still(b *builder, f *figure, output string) template.HTML {
	for n := range parse(output).Descendants() {
		packed, isPNG := strings.CutPrefix(value(n, "src"), "data:image/png;base64,")
		if !is(n, atom.Img) || !isPNG {
			continue
		}
		data, err := decode64(packed)
		if err != nil {
			return ""
		}
		f.Alt = value(n, "alt")
		width := value(n, "width")
		f.Address = b.addPicture(l, page.Picture{Cell: f.Cell, MIME: "image/png", Data: data})
		return template.HTML(fmt.Sprintf(`<img class="still" src="../%s" alt="%s" width="%s" loading="lazy">`, f.Address, html.EscapeString(f.Alt), html.EscapeString(width)))
	}
	return ""
}

// takeCaption moves the caption at the start of a text to the figure before it.
func (l *lecture) takeCaption(root *html.Node) {
	p := root.FirstChild
	for p != nil && p.Type != html.ElementNode {
		p = p.NextSibling
	}
	if !is(p, atom.P) || !is(p.FirstChild, atom.Strong) {
		return
	}
	m := captionLabel().FindStringSubmatch(wording(asTeX, p.FirstChild))
	if m == nil {
		return
	}
	numbers := digits().FindAllString(m[1], -1)
	f := l.captionless()
	if f == nil {
		set(p, "id", "figure-"+numbers[0])
		return
	}
	p.RemoveChild(p.FirstChild)
	if rest := p.FirstChild; rest != nil && rest.Type == html.TextNode {
		rest.Data = strings.TrimLeft(strings.TrimPrefix(rest.Data, "."), " \n\u00a0")
	}
	root.RemoveChild(p)
	f.Number, f.Caption, f.ID, f.Also = m[1], template.HTML(inner(p)), "figure-"+numbers[0], numbers[1:]
}

// captionless returns the last figure since the last text, if this figure has no caption yet.
// Otherwise it returns nil.
func (l *lecture) captionless() *figure {
	for i := len(l.Blocks) - 1; i >= 0; i-- {
		v := l.Blocks[i]
		if v.Kind == "text" {
			return nil
		}
		for j := len(v.Outputs) - 1; j >= 0; j-- {
			if f := v.Outputs[j].Figure; f != nil {
				if f.Number != "" {
					return nil
				}
				return f
			}
		}
	}
	return nil
}
