package site

import (
	"bytes"
	"cmp"
	"context"
	"embed"
	"fmt"
	"html/template"
	"path"
	"sync"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
	"github.com/gokernel/gokernel/cmd/gokernel/internal/page"
)

//go:embed templates/*.html
var templateFiles embed.FS

//go:embed assets
var assetFiles embed.FS

// templates parses the templates of pages at its first call, because a kernel never needs the
// templates.
var templates = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{
		"plural": func(n int, one, many string) string {
			if n == 1 {
				return "1 " + one
			}
			return fmt.Sprint(n, " ", many)
		},
		"last":   func(i int, list []*lecture) bool { return i == len(list)-1 },
		"anchor": anchor,
	}).ParseFS(templateFiles, "templates/*.html"))
})

// layout is the common data of all pages.
type layout struct {
	Path        string // its path
	Root        string // the relative path to the top
	PageTitle   string
	Site        string
	Language    string
	Description string
	UsesMath    bool
	UsesCharts  bool
	UsesFrames  bool
	Policy      string          // what the page may load and run; "" for no restrictions
	Has         map[string]bool // the existing indexes
	Lectures    []*lecture      // lectures in the menu
	Authors     []template.HTML
	License     template.HTML
	Edit        string // where readers can edit the page, "" if nowhere
	Paper       string // the size of printed pages
}

func (b *builder) layout(file, title string) layout {
	l := layout{
		Path: file, Root: root(file), PageTitle: title, Site: b.course.Title, Language: "en", Lectures: b.lectures,
		Has: map[string]bool{
			"slips": b.course.Slips != "", "bibliography": b.course.References != "",
			"glossary": b.course.Glossary != "" || b.course.Notation != "",
			"homework": b.course.Homework != "", "docs": b.course.Docs != "",
		},
	}
	if !b.Trust {
		l.Policy = page.SharedPolicy()
	}
	l.Authors, l.License = b.course.authors, b.course.license
	l.Paper = cmp.Or(b.course.Paper, "A4")
	if source := b.source(file); source != "" {
		l.Edit = b.course.Repository.edit(source)
	}
	return l
}

// source returns the file that an author edits to change a page, relative to the directory of the
// notebooks, or "" if there is none.
func (b *builder) source(page string) string {
	switch c := b.course; page {
	case "bibliography.html":
		return c.References
	case "data.html":
		return c.Data
	case "glossary.html":
		return cmp.Or(c.Glossary, c.Notation)
	case "index.html":
		if len(c.Parts) > 0 {
			return courseFile
		}
	case policyPage:
		return c.Policy
	case "slips.html":
		return c.Slips
	}
	return b.origin[page]
}

// inline converts a line of Markdown.
func inline(text string) template.HTML {
	cells := []*notebook.Cell{{ID: "text", Type: notebook.Markdown, Source: text}}
	var out template.HTML
	for _, c := range page.Convert(&notebook.Notebook{Cells: cells}, "", page.Options{}).Cells {
		for _, n := range children(parse(string(c.Source))) {
			out += template.HTML(inner(n))
		}
	}
	return out
}

// To returns the address by which this page refers to a file of the site.
func (l layout) To(file string) string { return relative(l.Path, file) }

// Here reports whether this page is the given file or, if the file is the index.html of a folder,
// whether this page is in that folder.
func (l layout) Here(file string) bool {
	return l.Path == file || path.Base(file) == "index.html" && file != "index.html" && path.Dir(l.Path) == path.Dir(file)
}

// render writes a page of the site.
func (b *builder) render(name, file string, data any) error {
	var out bytes.Buffer
	if err := templates().ExecuteTemplate(&out, name, data); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	b.files[file] = out.Bytes()
	return nil
}

// addAssets adds the files that all pages share.
func (b *builder) addAssets(context.Context) error {
	shared, err := page.Assets()
	if err != nil {
		return err
	}
	for name, content := range shared {
		b.files["assets/"+name] = content
	}
	for _, name := range []string{"site.css", "site.js", "theme.js", "slides.css", "slides.js", "search.js", "minisearch/minisearch.js", "minisearch/LICENSE"} {
		if b.files["assets/"+name], err = assetFiles.ReadFile("assets/" + name); err != nil {
			return err
		}
	}
	b.files[".nojekyll"] = nil // GitHub Pages then serves the files unchanged
	return nil
}

// lecturePage is the data of a lecture's page.
type lecturePage struct {
	layout
	*lecture
	Executed string // the notebook with outputs
	Plain    string // the notebook without outputs
	Download string // the size of the kernel for web pages, "" if cells can't run
	openers
}

// addLectures adds the pages of the lectures, their slides and downloads.
func (b *builder) addLectures(context.Context) error {
	for _, l := range b.lectures {
		p := lecturePage{layout: b.layout(l.Page(), l.Label()), lecture: l}
		p.Language, p.UsesMath, p.UsesCharts, p.UsesFrames = l.Lang, l.Math, l.Charts, l.Frames
		p.Description = string(l.Opening)
		p.Plain, p.Executed = "downloads/"+l.Name+".ipynb", "downloads/"+l.Name+".executed.ipynb"
		if p.Download = b.download; p.Download != "" && p.Policy != "" {
			p.Policy = page.LivePolicy()
		}
		if l.Homework {
			p.Edit = "" // its source has the solutions
		} else {
			p.openers = b.course.openers(l.Name + ".ipynb")
		}
		executed, err := l.nb.Encode()
		if err != nil {
			return err
		}
		if b.files[p.Plain] = l.source; !l.Homework {
			b.files[p.Executed] = executed
		}
		if b.PDF != nil {
			l.PDF = "downloads/" + l.Name + ".pdf"
			l.SlidesPDF = "downloads/" + l.Name + ".slides.pdf"
			b.promised[l.PDF], b.promised[l.SlidesPDF] = true, true
		}
		if err := b.render("lecture.html", l.Page(), p); err != nil {
			return err
		}
		if err := b.addSlides(l); err != nil {
			return err
		}
	}
	return nil
}
