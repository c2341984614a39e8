package site

import (
	"errors"
	"html/template"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
	"github.com/gokernel/gokernel/cmd/gokernel/internal/page"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// outside marks the address of a link from the documentation to a file that is not on the site; the
// link is shown as text.
const outside = "outside:"

// addDocs adds a page for each Markdown file in the directory of the documentation.
// README.md becomes the first page, docs/index.html.
func (b *builder) addDocs() error {
	if b.course.Docs == "" {
		return nil
	}
	dir := filepath.Join(b.Dir, filepath.FromSlash(b.course.Docs))
	found := false
	if to, err := filepath.EvalSymlinks(dir); err == nil {
		dir = to // WalkDir doesn't enter a link
	}
	err := filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(file) != ".md" {
			return err
		}
		rel, err := filepath.Rel(dir, file)
		if err != nil {
			return err
		}
		found = found || rel == "README.md"
		return b.addDoc(filepath.ToSlash(rel), file)
	})
	if err != nil {
		return wrong(b.in(courseFile)+", docs", err.Error(), "correct the path, or remove the field")
	}
	if !found {
		return wrong(b.in(courseFile)+", docs", filepath.ToSlash(dir)+" has no README.md, which would be the first page", "add the file, or correct the path")
	}
	return nil
}

// docPage returns the page of a Markdown file of the documentation.
func docPage(rel string) string {
	if path.Base(rel) == "README.md" {
		return path.Join("docs", path.Dir(rel), "index.html")
	}
	return "docs/" + strings.TrimSuffix(rel, ".md") + ".html"
}

// addDoc adds the page of one file of the documentation, whose path there is rel.
func (b *builder) addDoc(rel, file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	to := docPage(rel)
	b.origin[to] = path.Join(b.course.Docs, rel)
	cells := []*notebook.Cell{{ID: "text", Type: notebook.Markdown, Source: string(text)}}
	body := page.Convert(&notebook.Notebook{Cells: cells}, rel, page.Options{
		Link: func(address string) string {
			now := b.linkOfDoc(rel, address)
			b.written[to+" "+now] = address
			return now
		},
		Name: func(pkg, name string) string {
			if f := b.api.page(pkg, name); f != "" {
				return root(to) + f
			}
			return ""
		},
	})
	p := struct {
		layout
		Text template.HTML
	}{layout: b.layout(to, body.Title)}
	p.UsesMath = body.Math
	for _, c := range body.Cells {
		tree := parse(string(c.Source))
		for n := range tree.Descendants() {
			if name, ok := strings.CutPrefix(value(n, "href"), outside); ok && is(n, atom.A) {
				n.Data, n.DataAtom = "span", atom.Span
				n.Attr = []html.Attribute{{Key: "class", Val: "later"}, {Key: "title", Val: name + " is in the repository"}}
			}
		}
		p.Text += template.HTML(inner(tree))
		words := []rune(searchable(inner(tree)))
		b.search = append(b.search, entry{Title: body.Title, In: "Documentation", URL: to, Text: string(words[:min(len(words), sectionText)]), Kind: "page"})
	}
	for _, h := range body.Headings {
		if h.Level > 1 {
			b.search = append(b.search, entry{Title: h.Text, In: body.Title, URL: to + "#" + h.ID, Kind: "heading"})
		}
	}
	return b.render("docs.html", to, p)
}

// linkOfDoc returns the address that replaces the address of a link or picture on a documentation
// page.
func (b *builder) linkOfDoc(rel, address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "" || u.Host != "" || u.Path == "" {
		return address
	}
	// All paths are relative to the directory of the notebooks, as in the course file.
	file := path.Join(b.course.Docs, path.Dir(rel), u.Path)
	top := root(docPage(rel))
	if to := b.sitePage(file); to != "" {
		if u.Path = top + to; !strings.HasPrefix(to, "docs/") && !strings.HasPrefix(to, "lectures/") {
			u.Fragment = "" // an index has its own anchors
		}
		return u.String()
	}
	within, ok := strings.CutPrefix(file, path.Clean(b.course.Docs)+"/")
	if !ok {
		// A notebook may have solutions.
		if to := b.course.Repository.view(file); to != "" && path.Ext(file) != ".ipynb" {
			return to
		}
		return outside + path.Base(file)
	}
	content, err := os.ReadFile(filepath.Join(b.Dir, filepath.FromSlash(file)))
	if err != nil {
		return address // checkLinks reports it
	}
	if content, err = b.public(file, content); err != nil {
		b.fault(wrong(b.in(path.Join(b.course.Docs, rel)), err.Error(), "remove the link"))
		return address
	}
	b.files["docs/"+within] = content
	u.Path = top + "docs/" + within
	return u.String()
}

// sitePage returns the page of the site that shows a file, whose path is relative to the directory
// of the notebooks, or "" if there is none.
func (b *builder) sitePage(file string) string {
	c := b.course
	// A path that leaves the directory of the notebooks and returns to it is inside.
	if abs, err := filepath.Abs(b.Dir); err == nil {
		if rel, err := filepath.Rel(abs, filepath.Join(abs, filepath.FromSlash(file))); err == nil {
			file = filepath.ToSlash(rel)
		}
	}
	switch file = path.Clean(file); {
	case c.Data != "" && file == path.Clean(c.Data):
		return "data.html"
	case c.References != "" && file == path.Clean(c.References):
		return "bibliography.html"
	case c.Glossary != "" && file == path.Clean(c.Glossary), c.Notation != "" && file == path.Clean(c.Notation):
		return "glossary.html"
	}
	if rel, ok := strings.CutPrefix(file, path.Clean(c.Docs)+"/"); ok && c.Docs != "" && path.Ext(rel) == ".md" {
		if _, err := os.Stat(filepath.Join(b.Dir, filepath.FromSlash(file))); !errors.Is(err, fs.ErrNotExist) {
			return docPage(rel)
		}
	}
	if name, ok := strings.CutSuffix(file, ".ipynb"); ok {
		for _, l := range b.lectures {
			if l.Name == name {
				return l.Page()
			}
		}
	}
	return ""
}
