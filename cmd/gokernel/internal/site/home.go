package site

import (
	"context"
	"html/template"
)

// group is a part of the course on the home page.
type group struct {
	Title    string
	Lectures []*lecture
}

// addHome adds the home page with the map.
func (b *builder) addHome(context.Context) error {
	var groups []*group
	var course []*lecture
	needed := map[*lecture]bool{}
	for _, l := range b.lectures {
		for _, n := range l.Needs {
			needed[n] = true
		}
	}
	for _, l := range b.lectures {
		if needed[l] || len(l.Needs) > 0 {
			course = append(course, l)
		}
		title := l.Part
		if title == "" && len(b.course.Parts) > 0 {
			title = "More notebooks"
		}
		if len(groups) == 0 || groups[len(groups)-1].Title != title {
			groups = append(groups, &group{Title: title})
		}
		g := groups[len(groups)-1]
		g.Lectures = append(g.Lectures, l)
	}
	minutes, figures := 0, 0
	for _, l := range b.lectures {
		figures += len(l.Figures)
		if l.entry != nil {
			minutes += l.Minutes
		}
	}
	p := struct {
		layout
		About                 string
		Map                   template.HTML
		Groups                []*group
		Count, Hours, Figures int
		Names                 int
		Book                  string // the PDF of all lectures, "" without one
	}{b.layout("index.html", b.course.Title), b.course.About, drawMap(course), groups, len(b.lectures), (minutes + 30) / 60, figures, len(b.api.names), ""}
	if b.PDF != nil {
		p.Book = bookPDF
	}
	p.Description = b.course.About
	if err := b.render("home.html", "index.html", p); err != nil {
		return err
	}
	missing := b.layout("404.html", "Not found")
	return b.render("missing.html", "404.html", missing)
}
