package site

import (
	"bytes"
	"context"
	"fmt"
	"html/template"
	"net/url"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// These files have all lectures of the course on one page, and as one PDF file.
const (
	bookPage = "downloads/book.html"
	bookPDF  = "downloads/book.pdf"
)

// chapter is a lecture in the book.
type chapter struct {
	*lecture
	Text template.HTML
}

// addBook adds the page from which the book is printed: the lectures of the course, one after the
// other. It is made from the pages of the lectures, so it runs after addLectures.
func (b *builder) addBook(context.Context) error {
	if b.PDF == nil {
		return nil
	}
	if b.promised[bookPDF] = true; b.draft {
		return nil
	}
	p := struct {
		layout
		About string
		Parts []*struct {
			Title    string
			Chapters []chapter
		}
	}{layout: b.layout(bookPage, "The book"), About: b.course.About}
	inside := map[string]bool{}
	listed := len(b.course.Parts) > 0
	for _, l := range b.lectures {
		inside[l.Name+".html"] = !listed || l.entry != nil
	}
	for _, l := range b.lectures {
		if !inside[l.Name+".html"] {
			continue
		}
		text, err := b.chapter(l, inside)
		if err != nil {
			return fmt.Errorf("%s: %w", bookPage, err)
		}
		if n := len(p.Parts); n == 0 || p.Parts[n-1].Title != l.Part {
			p.Parts = append(p.Parts, &struct {
				Title    string
				Chapters []chapter
			}{Title: l.Part})
		}
		part := p.Parts[len(p.Parts)-1]
		part.Chapters = append(part.Chapters, chapter{l, text})
		p.UsesMath, p.UsesCharts = p.UsesMath || l.Math, p.UsesCharts || l.Charts
	}
	return b.render("book.html", bookPage, p)
}

// chapter returns the text of a lecture for the book. IDs begin with the name of the lecture. Links
// to chapters lead within the book. Links to other pages of the site become text, because a PDF
// file is read without the site.
func (b *builder) chapter(l *lecture, inside map[string]bool) (template.HTML, error) {
	doc, err := html.Parse(bytes.NewReader(b.files[l.Page()]))
	if err != nil {
		return "", err
	}
	var text *html.Node
	for n := range doc.Descendants() {
		if is(n, atom.Main) {
			text = n
			break
		}
	}
	if text == nil {
		return "", fmt.Errorf("%s has no main element", l.Page())
	}
	for _, n := range children(text) {
		if hasClass(n, "about") || hasClass(n, "neighbors") || hasClass(n, "runner") {
			text.RemoveChild(n)
		}
	}
	var links []*html.Node
	for n := range text.Descendants() {
		for _, key := range []string{"id", "for", "aria-labelledby", "aria-describedby", "popovertarget"} {
			if id := value(n, key); id != "" {
				set(n, key, l.Name+"--"+id)
			}
		}
		unset(n, "loading") // a printer doesn't scroll
		if is(n, atom.A) && value(n, "href") != "" {
			links = append(links, n)
		}
	}
	for _, n := range links {
		if to := bookAddress(l, value(n, "href"), inside); to != "" {
			set(n, "href", to)
		} else {
			unwrap(n)
		}
	}
	return template.HTML(inner(text)), nil
}

// bookAddress returns the address in the book for an address in a lecture, or "" if the book can't
// have the link.
func bookAddress(l *lecture, address string, inside map[string]bool) string {
	u, err := url.Parse(address)
	switch {
	case err != nil:
		return ""
	case u.Scheme != "" || u.Host != "":
		return address
	case u.Path != "" && !inside[u.Path]:
		return ""
	}
	to := l.Name
	if u.Path != "" {
		to = strings.TrimSuffix(u.Path, ".html")
	}
	if u.Fragment != "" {
		to += "--" + u.Fragment
	}
	return "#" + to
}
